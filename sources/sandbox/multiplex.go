package sandbox

import (
	"encoding/binary"
	"fmt"
	"io"
)

// demultiplex parts the stream in which a container engine sends both outputs, up to
// its end. A stream that ends inside of a frame is an [io.ErrUnexpectedEOF].
//
// A frame is one byte that says which (1: output, 2: errors), three that are zero,
// the length in four bytes, and the bytes.
func demultiplex(r io.Reader, stdout, stderr io.Writer) error {
	var head [8]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		to := stdout
		switch head[0] {
		case 1:
		case 2:
			to = stderr
		default:
			return fmt.Errorf("a frame of an unknown stream %d", head[0])
		}
		n := int64(binary.BigEndian.Uint32(head[4:]))
		if got, err := io.CopyN(to, r, n); err == io.EOF && got < n {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
	}
}
