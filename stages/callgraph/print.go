package callgraph

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes the comparison as tables for people, without the edges of its lists.
func (c *Comparison) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "evidence\tby\tboth\tonly native\tonly clang\tprecision\trecall\tF1\tsame file\t")
	for _, r := range c.Edges {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t%s\t\n", r.Evidence, r.By, r.Both, r.OnlyOurs, r.OnlyTheirs,
			r.Precision, r.Recall, r.F1, of(r.SameLocation, r.Located))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	f := c.Functions
	_, err := fmt.Fprintf(w, "functions: native %d, clang %d, both %d; of both: same first byte %s, first line %s, last byte %s, name %s, qualified name %s, context level %s\n",
		f.Native, f.Theirs, f.Both, of(f.SameStart, f.Both), of(f.SameLine, f.Both), of(f.SameEnd, f.Both), of(f.SameName, f.Both),
		of(f.SameQualified, f.Both), of(f.SameLevel, f.Both))
	return err
}

// of is a share, in words.
func of(some, all int64) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f%%", 100*float64(some)/float64(all))
}
