package sandbox

// Engines are those of this machine's kind, the best first.
func Engines() []Engine { return []Engine{bubblewrap{}, namespaces{}} }
