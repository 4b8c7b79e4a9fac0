package minhash

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"benchmill/internal/digest"
)

// order ranks the texts and joins those with the same sum.
func (c *Clusters) order(ctx context.Context) error {
	type place struct {
		sum      [2]uint64
		id       uint64
		position uint32
		size     uint16
	}
	n := c.table.Len()
	places := make([]place, 0, n)
	err := c.scan(ctx, func(position int, r Record) error {
		sum, err := halves(r.Sum)
		if err == nil {
			err = c.o.CheckMins(r.Mins)
		}
		if err == nil {
			err = c.o.CheckSketch(r.Sketch)
		}
		if err != nil {
			return fmt.Errorf("text %s: %w", r.ID, err)
		}
		p := place{sum: sum, id: hash([]byte(r.ID)), position: uint32(position)}
		if r.Tokens >= c.o.MinTokens {
			p.size = uint16(len(r.Sketch) / 4)
		}
		places = append(places, p)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(slices.Compare(a.sum[:], b.sum[:]), cmp.Compare(a.id, b.id))
	})
	c.rank, c.parent, c.first, c.size = make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint16, n)
	for rank, p := range places {
		c.rank[p.position] = uint32(rank)
		c.first[rank] = uint32(rank)
		if rank > 0 && p.sum == places[rank-1].sum {
			c.first[rank] = c.first[rank-1]
		} else {
			c.size[rank] = p.size
		}
		c.parent[rank] = c.first[rank]
	}
	return nil
}

// halves are the first 128 bits of a sum.
func halves(sum digest.Digest) (out [2]uint64, err error) {
	if _, err := digest.Parse(string(sum)); err != nil {
		return out, err
	}
	for i := range out {
		if out[i], err = strconv.ParseUint(sum.Hex()[16*i:16*i+16], 16, 64); err != nil {
			return out, err
		}
	}
	return out, nil
}

func pair(a, b uint32) uint64          { return uint64(min(a, b))<<32 | uint64(max(a, b)) }
func unpair(p uint64) (uint32, uint32) { return uint32(p >> 32), uint32(p) }

// find returns the root of a rank and halves the path to it.
func (c *Clusters) find(rank uint32) uint32 {
	for c.parent[rank] != rank {
		c.parent[rank] = c.parent[c.parent[rank]]
		rank = c.parent[rank]
	}
	return rank
}

func (c *Clusters) union(a, b uint32) {
	a, b = c.find(a), c.find(b)
	c.parent[max(a, b)] = min(a, b)
}
