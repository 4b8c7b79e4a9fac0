package sandbox

// NewOnDisk is [New], as though there were no volumes here.
func NewOnDisk(temp string, engines ...Engine) *Box {
	b, no := New(temp, engines...), false
	b.volumes = &no
	return b
}
