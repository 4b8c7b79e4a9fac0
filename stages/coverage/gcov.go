package coverage

import (
	"cmp"
	"fmt"
	"io"
	"path"
)

type gcovFile struct {
	File      string `json:"file"`
	Functions []struct {
		Name      string  `json:"name"`
		Demangled string  `json:"demangled_name"`
		Line      int64   `json:"start_line"`
		Hits      float64 `json:"execution_count"`
	} `json:"functions"`
	Lines []struct {
		Line int64   `json:"line_number"`
		Hits float64 `json:"count"`
	} `json:"lines"`
}

// readGcov reads what gcov --json-format writes: one object for each object
// file, one after the other.
func (rep *Report) readGcov(r io.Reader) error {
	s := newScanner(r)
	for n := 0; ; n++ {
		if !s.d.More() {
			if _, err := s.d.Token(); err != io.EOF {
				return s.at(fmt.Errorf("no object"))
			}
			if n == 0 {
				return s.at(io.ErrUnexpectedEOF)
			}
			return nil
		}
		if err := rep.gcovObject(s); err != nil {
			return s.at(err)
		}
	}
}

func (rep *Report) gcovObject(s *scanner) error {
	functions, lines := len(rep.Functions), len(rep.Lines)
	folder, known := "", false // where the compiler ran, which may come last
	err := s.object(func(key string) error {
		switch key {
		case "files":
			known = true
			return s.list(func() error { return rep.gcovFile(s) })
		case "current_working_directory":
			return s.value(&folder)
		}
		return s.skip()
	})
	if err != nil {
		return err
	}
	if !known {
		return fmt.Errorf("an object without files: no report of gcov")
	}
	for i := range rep.Functions[functions:] {
		f := &rep.Functions[functions+i]
		f.File = under(folder, f.File)
	}
	for i := range rep.Lines[lines:] {
		l := &rep.Lines[lines+i]
		l.File = under(folder, l.File)
	}
	return nil
}

func (rep *Report) gcovFile(s *scanner) error {
	var f gcovFile
	if err := s.value(&f); err != nil {
		return err
	}
	for _, fn := range f.Functions {
		if fn.Line < 0 {
			return fmt.Errorf("%s: a function in line %d", f.File, fn.Line)
		}
		if err := rep.function(Function{File: f.File, Name: cmp.Or(fn.Demangled, fn.Name), Line: fn.Line}, fn.Hits); err != nil {
			return err
		}
	}
	if len(f.Functions) > 0 {
		return nil
	}
	for _, l := range f.Lines {
		if err := rep.line(f.File, l.Line, l.Hits); err != nil {
			return err
		}
	}
	return nil
}

// under is a path seen from a folder.
func under(folder, file string) string {
	if path.IsAbs(file) || folder == "" {
		return file
	}
	return path.Join(folder, file)
}
