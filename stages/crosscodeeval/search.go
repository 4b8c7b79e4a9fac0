package crosscodeeval

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"benchmill/internal/retrieval"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
	"benchmill/stages/lang"
)

// search retrieves pieces of one repository's files.
type search struct {
	config   *TasksConfig
	comment  string // what starts a line comment
	wording  retrieval.Wording
	rankers  map[string]retrieval.Ranker // by name
	texts    map[string]string           // of the files that are searched
	paths    []string                    // theirs
	chunks   map[string][]retrieval.Chunk
	onlyThem bool // an example in a file that is not searched has no context
}

func newSearch(c *TasksConfig, l *lang.Language, files []schemas.File, embed func(context.Context, []string) ([][]float32, error)) *search {
	s := &search{
		config: c, comment: l.CommentPrefix, wording: retrieval.OwnWording,
		rankers: map[string]retrieval.Ranker{}, texts: map[string]string{}, chunks: map[string][]retrieval.Chunk{},
	}
	for _, r := range []retrieval.Ranker{retrieval.NewBM25(), retrieval.Jaccard{}, retrieval.NewTFIDF(), retrieval.Vectors{Of: embed}} {
		s.rankers[r.Name()] = r
	}
	searched := func(string) bool { return true }
	if c.Compat == upstream {
		s.wording, s.onlyThem = PublishedWording(), true
		searched = published.of(l.Name).has
	}
	for _, f := range files {
		if searched(f.Path) {
			s.texts[f.Path] = f.Text
			s.paths = append(s.paths, f.Path)
		}
	}
	return s
}

// contexts is what each setting finds for an example, in the order of the settings.
func (s *search) contexts(ctx context.Context, e schemas.CompletionExample) ([]schemas.CrossFileContext, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	chunks := s.near(e.Path)
	var out []schemas.CrossFileContext
	for _, setting := range s.config.Settings {
		query, ranker, _ := strings.Cut(setting, "_")
		o := retrieval.Options{
			K: s.config.Hits, Candidates: s.config.Candidates, Follow: query == "rg1", UpstreamPaths: s.config.Compat == upstream,
		}
		texts := []string{e.Prompt}
		if !o.Follow {
			texts = append(texts, e.Reference)
		}
		hits, err := retrieval.Select(ctx, s.rankers[ranker], retrieval.Query(retrieval.QueryLines, texts...), chunks, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", setting, err)
		}
		if ranker == cosineSim {
			setting = query + "_" + string(s.config.Embedder) + "_" + ranker
		}
		found := schemas.CrossFileContext{Setting: setting, Text: retrieval.Text(hits, s.comment, s.wording)}
		for _, h := range hits {
			found.Chunks = append(found.Chunks, schemas.RetrievedChunk{Text: h.Text, Path: h.Path, Score: h.Score})
		}
		out = append(out, found)
	}
	return out, nil
}

// near are the chunks of the files nearest to one, as many files as have all
// candidates: a candidate's next chunk is of the same file.
func (s *search) near(current string) []retrieval.Chunk {
	if _, ok := s.texts[current]; !ok && s.onlyThem {
		return nil
	}
	var out []retrieval.Chunk
	for _, path := range retrieval.Near(current, s.paths, s.config.Files) {
		chunks, ok := s.chunks[path]
		if !ok {
			chunks = retrieval.Lines(path, s.texts[path], retrieval.ChunkLines, retrieval.Stride)
			s.chunks[path] = chunks
		}
		if out = append(out, chunks...); len(out) >= s.config.Candidates {
			break
		}
	}
	return out
}

// embedder makes vectors of texts, of each once, many at a time.
func embedder(p *pipeline.Pass, model pipeline.ModelName) func(context.Context, []string) ([][]float32, error) {
	known := map[string][]float32{}
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		missing := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(texts))), func(t string) bool { return known[t] != nil })
		made := make(map[string][]float32, len(missing))
		var mu sync.Mutex
		err := ask.Each(ctx, missing, func(ctx context.Context, text string) error {
			v, err := ask.Embed(ctx, p, model, "embedding", text)
			mu.Lock()
			defer mu.Unlock()
			made[text] = v
			return err
		})
		if err != nil {
			return nil, err
		}
		maps.Copy(known, made)
		out := make([][]float32, len(texts))
		for i, text := range texts {
			out[i] = known[text]
		}
		return out, nil
	}
}
