package coverage

// Update reports whether golden files are to be written.
func Update() bool { return *update }
