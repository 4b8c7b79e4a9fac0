package pipeline

// DropRow is one row that did not come out of a task.
type DropRow struct {
	Table  string `parquet:"table"`  // the input port it was read from
	Key    string `parquet:"key"`    // of the row, "" where the input as a whole is meant
	Reason string `parquet:"reason"` // a stable word
	Detail string `parquet:"detail"` // for people
	Seq    int64  `parquet:"seq"`    // several drops of one key keep their order
}

// DropSchema is the schema of the drops that every task writes beside its outputs.
var DropSchema = NewSchema[DropRow]("drops", 1, "Rows that did not come out of a task, with the reason.", "table", "key", "seq")
