// Package schemas names every table: a row type whose parquet tags are the
// columns, and a [pipeline.Schema] with its key and version.
//
// Lines are 0-based, end exclusive, and bytes are offsets into the UTF-8 text,
// unless a column says otherwise.
package schemas
