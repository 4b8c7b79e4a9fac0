package snapshot

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// CheckName says why a name may not be one part of a path, or nil. It refuses
// names that are empty, hold a slash or NUL, walk upwards (also with Windows'
// separators), or that some file system takes for ".git": in any case, followed
// by dots, spaces or an NTFS stream, as its short name git~1, or with code
// points that HFS+ ignores. It does not ask for UTF-8: see [EscapeName].
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("empty name")
	case strings.ContainsAny(name, "/\x00"):
		return errors.New("slash or NUL in a name")
	}
	for part := range strings.SplitSeq(name, `\`) {
		if bare := strings.TrimRight(part, " "); bare == "." || bare == ".." {
			return errors.New("name leaves its folder")
		}
		if isDotGit(part) {
			return errors.New("name stands for .git")
		}
	}
	return nil
}

func isDotGit(name string) bool {
	name = strings.ToLower(strings.Map(dropIgnorable, name))
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, ". ")
	return name == ".git" || name == "git~1"
}

// dropIgnorable removes the code points HFS+ leaves out when it compares names.
func dropIgnorable(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// CheckPath says why a path may not stand in a snapshot, or nil.
func CheckPath(path string) error {
	switch {
	case len(path) > MaxPath:
		return fmt.Errorf("path of %d bytes", len(path))
	case !utf8.ValidString(path):
		return fmt.Errorf("%q: path is not UTF-8", path)
	}
	for name := range strings.SplitSeq(path, "/") {
		if err := CheckName(name); err != nil {
			return fmt.Errorf("%q: %w", path, err)
		}
	}
	return nil
}

// CheckTarget says why a text may not be a link's target in a snapshot, or nil.
// Where it points does not matter.
func CheckTarget(target string) error {
	switch {
	case target == "":
		return errors.New("empty link target")
	case len(target) > MaxPath:
		return errors.New("link target too long")
	case strings.Contains(target, "\x00"):
		return errors.New("NUL in a link target")
	case !utf8.ValidString(target):
		return errors.New("link target is not UTF-8")
	}
	return nil
}

// EscapeName returns a name as it stands in a path: itself where it is valid
// UTF-8, else with "%" and every byte outside printable ASCII as "%XX". An
// escaped name can equal the true name of another file.
func EscapeName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c < 0x20 || c > 0x7e || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// EscapePath applies [EscapeName] to each part of a path.
func EscapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = EscapeName(p)
	}
	return strings.Join(parts, "/")
}

// order checks that paths ascend and that none runs through another. The paths
// seen so far that begin like the present one form a chain of prefixes; those
// that do not can never be a prefix again, because paths ascend.
type order struct {
	last  string
	some  bool
	chain []string
}

func (o *order) next(path string) error {
	if o.some && path <= o.last {
		return fmt.Errorf("%q does not come after %q", path, o.last)
	}
	for len(o.chain) > 0 && !strings.HasPrefix(path, o.chain[len(o.chain)-1]) {
		o.chain = o.chain[:len(o.chain)-1]
	}
	for _, p := range o.chain {
		if path[len(p)] == '/' {
			return fmt.Errorf("%q runs through the file %q", path, p)
		}
	}
	o.last, o.some = path, true
	o.chain = append(o.chain, path)
	return nil
}
