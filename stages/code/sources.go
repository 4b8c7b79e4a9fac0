package code

import (
	"context"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// Sources reads the inputs "files", ascending by path, and "configs", by path: all
// that analyses of a whole repository look at.
func Sources(ctx context.Context, p *pipeline.Pass) (files []lang.SourceFile, config map[string]string, err error) {
	config = map[string]string{}
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return nil, nil, err
		}
		files = append(files, lang.SourceFile{Path: f.Path, Text: f.Text})
	}
	for f, err := range pipeline.In[schemas.File](ctx, p, "configs") {
		if err != nil {
			return nil, nil, err
		}
		config[f.Path] = f.Text
	}
	return files, config, nil
}
