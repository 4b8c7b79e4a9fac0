//go:build !linux

package sandbox

// Engines are those of this machine's kind: there are none yet.
func Engines() []Engine { return nil }

// IsSystem reports whether every program sees a path.
func IsSystem(string) bool { return false }
