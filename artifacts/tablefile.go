package artifacts

import "benchmill/pipeline"

// OpenTableFile opens a table that lies outside a store, such as a file of a
// release. It takes the object over and closes it with the table. name stands in
// errors.
func OpenTableFile(object Object, name string, schema *pipeline.Schema) (*Table, error) {
	t := &Table{schema: schema, root: columnsOf(schema), name: name, object: object}
	if err := t.guard(t.open); err != nil {
		object.Close()
		return nil, err
	}
	return t, nil
}
