package minhash

import (
	"context"
	"fmt"
	"math"
	"slices"

	"benchmill/internal/digest"
)

// Record is what is read of a text to find its like.
type Record struct {
	ID           string // of one text only
	Sum          digest.Digest
	Tokens       int
	Mins, Sketch []byte
}

// Table can be read again and again.
type Table interface {
	Len() int
	// Scan calls yield with all records, in the same order each time. A record is
	// valid only during the call.
	Scan(ctx context.Context, yield func(Record) error) error
}

// Options of [Cluster].
type Options struct {
	Params
	Bands
	Threshold float64 // of the Jaccard similarity
	MinTokens int     // shorter texts have exact duplicates only
	Memory    int64   // bytes of buffers; decides how often the table is read, not what is found
}

// window bounds the work for buckets of many texts: each is compared with the
// first window texts of its bucket and with the window texts before it. In a bucket
// of up to 65 texts those are all.
const window = 32

// Clusters are the texts of a table, parted into sets of duplicates: texts are in
// one set when a chain of similar pairs leads from one to the other.
//
// Of each set the text with the smallest rank stays: ranks are ordered by the sum,
// and among equal texts by the hash of the ID. So it matters neither in which order
// nor in which parts the texts come, and a new text changes verdicts only within
// the sets that it joins: there it is dropped itself, or, with a chance of one in
// the size of the set, stays instead of another. Where it connects sets, all but
// one of those that stayed are dropped.
type Clusters struct {
	// Skipped is how many pairs of large buckets were not compared.
	Skipped int64
	// Reads is how often the table was read.
	Reads int

	o          Options
	table      Table
	rank       []uint32 // of the text at a position of the table
	parent     []uint32 // union-find by rank; the root is the smallest
	first      []uint32 // by rank: the first text with the same sum
	size       []uint16 // by rank: hashes in the sketch; 0: not compared
	held       int      // most keys in the buffer at a time
	keys       []uint64 // buffer: part of a band's key, rank
	pairs      []uint64 // buffer: rank, larger rank
	similarity []float64
	kept       map[uint32]string // IDs of what has duplicates, by rank
}

// Verdict says what a text duplicates.
type Verdict struct {
	DuplicateOf string  // ID of the text that stays; "": this one does
	Similarity  float64 // to that text, by sketches; less than the threshold where others stand between them
	Exact       bool    // the same tokens
}

// Cluster finds the duplicates of a table. Beside the buffers it needs 46 bytes a
// text. It reads the table once for the sums, once for each buffer full of band
// keys, and once for each buffer full of sketches to compare.
func Cluster(ctx context.Context, table Table, o Options) (*Clusters, error) {
	c := &Clusters{o: o, table: table}
	if int64(table.Len()) > math.MaxUint32 {
		return nil, fmt.Errorf("%d texts are more than can be compared", table.Len())
	}
	if err := c.order(ctx); err != nil {
		return nil, err
	}
	if err := c.link(ctx); err != nil {
		return nil, err
	}
	c.keys, c.pairs = nil, nil
	if err := c.measure(ctx); err != nil {
		return nil, err
	}
	return c, c.name(ctx)
}

// Of is the verdict about the text at a position of the table.
func (c *Clusters) Of(position int) Verdict {
	rank := c.rank[position]
	root := c.find(rank)
	switch {
	case root == rank:
		return Verdict{}
	case root == c.first[rank]:
		return Verdict{DuplicateOf: c.kept[root], Similarity: 1, Exact: true}
	}
	return Verdict{DuplicateOf: c.kept[root], Similarity: c.similarity[c.first[rank]]}
}

func (c *Clusters) scan(ctx context.Context, yield func(position int, r Record) error) error {
	c.Reads++
	position := 0
	err := c.table.Scan(ctx, func(r Record) error {
		if position == c.table.Len() {
			return fmt.Errorf("more than %d texts", position)
		}
		position++
		return yield(position-1, r)
	})
	if err == nil && position != c.table.Len() {
		err = fmt.Errorf("%d texts, not %d", position, c.table.Len())
	}
	return err
}

// link joins what is similar. Of the key of a band 32 bits are kept: of a million
// texts some 40,000 pairs of strangers are compared in vain. Each pass over the table
// takes one range of these bits, so that the ranges do not change what is compared.
func (c *Clusters) link(ctx context.Context) error {
	texts := 0
	for _, size := range c.size {
		if size > 0 {
			texts++
		}
	}
	room := max(1024, c.o.Memory/2/8)
	all := int64(texts) * int64(c.o.Bands.Bands)
	passes := max(1, (all+room-1)/room)
	c.keys = make([]uint64, 0, all/passes+all/passes/32+64)
	c.pairs = make([]uint64, 0, max(1024, min(c.o.Memory/8/8, 8*all)))
	for pass := range uint64(passes) {
		c.keys = c.keys[:0]
		err := c.scan(ctx, func(position int, r Record) error {
			rank := c.rank[position]
			if c.size[rank] == 0 {
				return nil
			}
			for band := range c.o.Bands.Bands {
				key := uint64(uint32(c.o.key(band, r.Mins)))
				if key*uint64(passes)>>32 == pass {
					c.keys = append(c.keys, key<<32|uint64(rank))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		c.held = max(c.held, len(c.keys))
		slices.Sort(c.keys)
		if err := c.buckets(ctx); err != nil {
			return err
		}
	}
	return nil
}

// buckets compares the texts whose keys agree.
func (c *Clusters) buckets(ctx context.Context) error {
	for keys := c.keys; len(keys) > 0; {
		n := 1
		for n < len(keys) && keys[n]>>32 == keys[0]>>32 {
			n++
		}
		for y := 1; y < n; y++ {
			for x := 0; x < y; x++ {
				if x == window && y-x > window {
					c.Skipped += int64(y - window - x)
					x = y - window
				}
				c.candidate(uint32(keys[x]), uint32(keys[y]))
			}
			if len(c.pairs) > cap(c.pairs)-2*window {
				if err := c.verify(ctx); err != nil {
					return err
				}
			}
		}
		keys = keys[n:]
	}
	return c.verify(ctx)
}

func (c *Clusters) candidate(a, b uint32) {
	if c.find(a) != c.find(b) {
		c.pairs = append(c.pairs, pair(a, b))
	}
}

// verify compares the candidates so far and joins what is similar.
func (c *Clusters) verify(ctx context.Context) error {
	slices.Sort(c.pairs)
	err := c.compare(ctx, slices.Compact(c.pairs), func(a, b uint32) bool { return c.find(a) != c.find(b) },
		func(a, b uint32, x, y []byte) {
			if _, ok := c.o.Similar(x, y, c.o.Threshold); ok {
				c.union(a, b)
			}
		})
	c.pairs = c.pairs[:0]
	return err
}
