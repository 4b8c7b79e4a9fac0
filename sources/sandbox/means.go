package sandbox

import (
	"context"
	"strings"
)

// Means says, for people, by what programs are isolated and bounded here.
func (b *Box) Means(ctx context.Context) (string, error) {
	e, err := b.Engine(ctx)
	if err != nil {
		return "", err
	}
	files, processes := "files watched on the disk", "processes watched"
	if b.hasVolumes(ctx, e) {
		files = "files bounded in memory"
	}
	if c := controllers(); len(c) > 0 {
		processes = "control groups for " + strings.Join(c, ", ")
	}
	return e.Name() + ", " + files + ", " + processes, nil
}
