package minhash

import "context"

// overhead is what a sketch in memory costs beside its hashes, in bytes.
const overhead = 64

// compare calls found with the sketches of all pairs that are wanted. It reads the
// table once for as many as fit into memory.
func (c *Clusters) compare(ctx context.Context, pairs []uint64, wanted func(a, b uint32) bool, found func(a, b uint32, x, y []byte)) error {
	room := c.o.Memory * 3 / 8
	for len(pairs) > 0 {
		sketches := map[uint32][]byte{}
		var bytes, held int64
		n := 0
		for ; n < len(pairs) && (held < room || len(sketches) == 0); n++ {
			a, b := unpair(pairs[n])
			if !wanted(a, b) {
				continue
			}
			for _, rank := range [2]uint32{a, b} {
				if _, ok := sketches[rank]; !ok {
					sketches[rank] = nil
					bytes += 4 * int64(c.size[rank])
					held += 4*int64(c.size[rank]) + overhead
				}
			}
		}
		if len(sketches) > 0 {
			if err := c.load(ctx, sketches, make([]byte, 0, bytes)); err != nil {
				return err
			}
		}
		for _, p := range pairs[:n] {
			a, b := unpair(p)
			if x, y := sketches[a], sketches[b]; x != nil && y != nil && wanted(a, b) {
				found(a, b, x, y)
			}
		}
		pairs = pairs[n:]
	}
	return nil
}

// load reads the sketches of the ranks listed into one piece of memory.
func (c *Clusters) load(ctx context.Context, sketches map[uint32][]byte, into []byte) error {
	return c.scan(ctx, func(position int, r Record) error {
		rank := c.rank[position]
		if _, ok := sketches[rank]; ok {
			at := len(into)
			into = append(into, r.Sketch...)
			sketches[rank] = into[at:len(into):len(into)]
		}
		return nil
	})
}

// measure finds how similar the members of sets are to what stays.
func (c *Clusters) measure(ctx context.Context) error {
	var pairs []uint64
	for rank := range uint32(len(c.parent)) {
		if root := c.find(rank); root != rank && c.first[rank] == rank {
			pairs = append(pairs, pair(root, rank))
		}
	}
	c.similarity = make([]float64, len(c.parent))
	return c.compare(ctx, pairs, func(uint32, uint32) bool { return true }, func(_, rank uint32, x, y []byte) {
		c.similarity[rank], _ = c.o.Jaccard(x, y)
	})
}

// name gathers the IDs of what has duplicates.
func (c *Clusters) name(ctx context.Context) error {
	c.kept = map[uint32]string{}
	for rank := range uint32(len(c.parent)) {
		if root := c.find(rank); root != rank {
			c.kept[root] = ""
		}
	}
	if len(c.kept) == 0 {
		return nil
	}
	return c.scan(ctx, func(position int, r Record) error {
		if _, ok := c.kept[c.rank[position]]; ok {
			c.kept[c.rank[position]] = r.ID
		}
		return nil
	})
}
