package artifacts

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

var errLevels = errors.New("the levels of its values make no sense")

// assembler puts the rows of one row group together from its leaf columns. It
// trusts nothing the file says about their structure.
type assembler struct {
	root   *column
	leaves []cursor
	bytes  int64 // of the texts read
}

func newAssembler(root *column, chunks []parquet.ColumnChunk) *assembler {
	a := &assembler{root: root, leaves: make([]cursor, len(chunks))}
	for i, chunk := range chunks {
		a.leaves[i] = cursor{pages: chunk.Pages(), space: make([]parquet.Value, 256)}
	}
	return a
}

// row reads the next row into v.
func (a *assembler) row(v reflect.Value) error {
	for i := range a.leaves {
		switch rep, ok, err := a.leaves[i].rep(); {
		case err != nil:
			return err
		case !ok:
			return io.ErrUnexpectedEOF
		case rep != 0:
			return errLevels // the row before had more values here than elsewhere
		}
	}
	return a.read(a.root, v)
}

// end checks that nothing is left.
func (a *assembler) end() error {
	for i := range a.leaves {
		if _, ok, err := a.leaves[i].rep(); ok || err != nil {
			return errors.Join(err, errors.New("a column has more values than the file has rows"))
		}
	}
	return nil
}

func (a *assembler) close() (err error) {
	for i := range a.leaves {
		err = errors.Join(err, a.leaves[i].close())
	}
	return err
}

// read reads one value of column c into v, which is zero.
func (a *assembler) read(c *column, v reflect.Value) error {
	if c.optional {
		def, err := a.def(c)
		if err != nil {
			return err
		}
		if def < c.def {
			if def != c.def-1 {
				return errLevels
			}
			return a.skip(c, def)
		}
		p := reflect.New(c.typ)
		v.Set(p)
		v = p.Elem()
	}
	switch c.kind {
	case kindStruct:
		for _, f := range c.fields {
			if err := a.read(f, v.Field(f.field)); err != nil {
				return err
			}
		}
		return nil
	case kindList:
		return a.list(c, v)
	default:
		return a.value(c, v)
	}
}

func (a *assembler) list(c *column, v reflect.Value) error {
	def, err := a.def(c)
	if err != nil {
		return err
	}
	if def < c.def {
		return errLevels
	}
	if def == c.def {
		return a.skip(c, def) // an empty list
	}
	for n := 0; ; n++ {
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if err := a.read(c.elem, v.Index(n)); err != nil {
			return err
		}
		rep, ok, err := a.leaves[c.leaf].rep()
		if err != nil {
			return err
		}
		if !ok || rep < c.rep {
			return nil
		}
		if rep > c.rep {
			return errLevels
		}
	}
}

func (a *assembler) value(c *column, v reflect.Value) error {
	x, err := a.leaves[c.leaf].next()
	if err != nil {
		return err
	}
	if x.DefinitionLevel() != c.def || x.IsNull() {
		return errLevels
	}
	switch c.kind {
	case kindString:
		b := x.ByteArray()
		a.bytes += int64(len(b))
		v.SetString(string(b))
	case kindBytes:
		b := x.ByteArray()
		a.bytes += int64(len(b))
		v.SetBytes(append([]byte(nil), b...))
	case kindBool:
		v.SetBool(x.Boolean())
	case kindInt32:
		v.SetInt(int64(x.Int32()))
	case kindInt64:
		v.SetInt(x.Int64())
	case kindFloat:
		v.SetFloat(x.Double())
	}
	return nil
}

// def is the definition level of the next value below c.
func (a *assembler) def(c *column) (int, error) {
	v, err := a.leaves[c.leaf].peek()
	if err != nil {
		return 0, err
	}
	return v.DefinitionLevel(), nil
}

// skip takes the marks that say c is absent from the level def on.
func (a *assembler) skip(c *column, def int) error {
	for i := c.leaf; i < c.leaf+c.leaves; i++ {
		v, err := a.leaves[i].next()
		if err != nil {
			return err
		}
		if v.DefinitionLevel() != def {
			return errLevels
		}
	}
	return nil
}

// cursor reads the values of one column chunk, page by page. A value is valid
// until the cursor moves on.
type cursor struct {
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	space  []parquet.Value
	ready  []parquet.Value // the part of space not yet taken
	done   bool
}

// rep is the repetition level of the next value; ok is false at the end.
func (c *cursor) rep() (rep int, ok bool, err error) {
	if len(c.ready) == 0 {
		if err := c.fill(); err != nil || c.done {
			return 0, false, err
		}
	}
	return c.ready[0].RepetitionLevel(), true, nil
}

func (c *cursor) peek() (parquet.Value, error) {
	if _, ok, err := c.rep(); err != nil {
		return parquet.Value{}, err
	} else if !ok {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	return c.ready[0], nil
}

func (c *cursor) next() (parquet.Value, error) {
	v, err := c.peek()
	if err == nil {
		c.ready = c.ready[1:]
	}
	return v, err
}

// fill reads the next values; done is set when there are none.
func (c *cursor) fill() error {
	for !c.done {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err == io.EOF {
				c.done = true
				return nil
			}
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(c.space)
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF && n == 0 {
			c.release()
			continue
		}
		if n == 0 {
			return fmt.Errorf("read values: %w", io.ErrNoProgress)
		}
		c.ready = c.space[:n]
		return nil
	}
	return nil
}

func (c *cursor) release() {
	c.values = nil
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *cursor) close() error {
	c.release()
	return c.pages.Close()
}
