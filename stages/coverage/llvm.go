package coverage

import (
	"fmt"
	"io"
	"strings"
)

// readLLVM reads what llvm-cov export writes: files with their segments, and
// functions, which it may have been told to leave out.
func (rep *Report) readLLVM(r io.Reader) error {
	s := newScanner(r)
	known := false
	err := s.object(func(key string) error {
		if key != "data" {
			return s.skip()
		}
		known = true
		return s.list(func() error {
			return s.object(func(key string) error {
				switch key {
				case "functions":
					return s.list(func() error { return rep.llvmFunction(s) })
				case "files":
					return s.list(func() error { return rep.llvmFile(s) })
				}
				return s.skip()
			})
		})
	})
	if err == nil && !known {
		err = fmt.Errorf("an object without data: no report of llvm-cov")
	}
	if err == nil {
		if _, e := s.d.Token(); e != io.EOF {
			err = fmt.Errorf("more after the report")
		}
	}
	if len(rep.Functions) > 0 {
		rep.Lines = nil
	}
	return s.at(err)
}

func (rep *Report) llvmFunction(s *scanner) error {
	var f struct {
		Name    string      `json:"name"`
		Hits    float64     `json:"count"`
		Files   []string    `json:"filenames"`
		Regions [][]float64 `json:"regions"`
	}
	if err := s.value(&f); err != nil {
		return err
	}
	// The first region is the body. Its sixth number says which file it is in.
	if len(f.Regions) == 0 || len(f.Regions[0]) < 6 {
		return fmt.Errorf("%s: a function without a region", f.Name)
	}
	line, file := f.Regions[0][0], f.Regions[0][5]
	if !(line >= 0 && line < 1<<40) || !(file >= 0 && file < float64(len(f.Files))) {
		return fmt.Errorf("%s: a function in line %v of file %v of %d", f.Name, line, file, len(f.Files))
	}
	name := f.Name
	if i := strings.LastIndexByte(name, ':'); i > 0 && name[i-1] != ':' {
		name = name[i+1:] // "file.c:name": one that only its file sees
	}
	return rep.function(Function{File: f.Files[int(file)], Name: name, Line: int64(line)}, f.Hits)
}

// llvmFile takes the lines in which a counted region begins: [line, column, hits,
// counted, begins, ...].
func (rep *Report) llvmFile(s *scanner) error {
	var file string
	first := len(rep.Lines)
	err := s.object(func(key string) error {
		switch key {
		case "filename":
			return s.value(&file)
		case "segments":
			return s.list(func() error {
				var seg [5]any
				if err := s.value(&seg); err != nil {
					return err
				}
				line, ok1 := seg[0].(float64)
				hits, ok2 := seg[2].(float64)
				if !ok1 || !ok2 || !(line >= 0 && line < 1<<40) {
					return fmt.Errorf("%s: a segment of another form", file)
				}
				// Of several in a line the first is the function's, if one begins there.
				last := len(rep.Lines) - 1
				if !truth(seg[3]) || !truth(seg[4]) || last >= first && rep.Lines[last].Line == int64(line) {
					return nil
				}
				return rep.line("", int64(line), hits)
			})
		}
		return s.skip()
	})
	for i := range rep.Lines[first:] {
		rep.Lines[first+i].File = file
	}
	return err
}

// truth is what older versions write as a number.
func truth(v any) bool { return v == true || v == 1.0 }
