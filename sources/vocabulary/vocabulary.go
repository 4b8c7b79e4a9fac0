// Package vocabulary finds the vocabulary files of tokenizers: beside the
// pipeline or at a URL, pinned by the digest of their bytes. Their licences are
// their makers', so none is shipped; the embedded tokenizer needs none.
package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
)

// MaxBytes bounds a vocabulary file.
const MaxBytes = 256 << 20

// Settings is one tokenizer of pipeline.yaml.
type Settings struct {
	Kind     string `yaml:"kind" enum:"embedded|huggingface|sentencepiece|tiktoken" doc:"embedded (our own, offline), huggingface (tokenizer.json), sentencepiece (.model of Llama 2 or CodeLlama) or tiktoken (.tiktoken)"`
	Encoding string `yaml:"encoding" doc:"for tiktoken: cl100k_base, o200k_base, p50k_base or r50k_base"`
	Path     string `yaml:"path" doc:"vocabulary file, beside the pipeline file or absolute"`
	URL      string `yaml:"url" doc:"where to download the vocabulary file from, instead of path"`
	SHA256   string `yaml:"sha256" doc:"digest the file must have; without it the lock pins what was found"`
}

// Validate reports everything wrong with the settings.
func (s *Settings) Validate() error {
	var errs []error
	if s.Kind == "" {
		errs = append(errs, errors.New("kind: required"))
	}
	if embedded := s.Kind == string(tokenizer.KindEmbedded); embedded && (s.Path != "" || s.URL != "" || s.SHA256 != "") {
		errs = append(errs, errors.New("path, url, sha256: the embedded tokenizer takes none of them"))
	} else if !embedded && (s.Path == "") == (s.URL == "") {
		errs = append(errs, errors.New("path, url: give exactly one of them"))
	}
	if (s.Kind == string(tokenizer.KindTiktoken)) != (s.Encoding != "") {
		errs = append(errs, errors.New("encoding: required for tiktoken, and only for it"))
	}
	if s.SHA256 != "" {
		if _, err := digest.Parse("sha256:" + s.SHA256); err != nil {
			errs = append(errs, errors.New("sha256: not 64 hexadecimal digits"))
		}
	}
	return errors.Join(errs...)
}

// Read reads the vocabulary file, from dir where its path is relative.
func (s *Settings) Read(ctx context.Context, dir string) ([]byte, error) {
	if s.URL != "" {
		return download(ctx, s.URL)
	}
	path := s.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, path)
}

func readAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		err = fmt.Errorf("%s is larger than %d bytes", name, MaxBytes)
	}
	return data, err
}

func download(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, pipeline.Mark(err, pipeline.Transient)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", url, resp.Status)
	}
	if kind := resp.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") {
		return nil, fmt.Errorf("%s answered a web page, not a vocabulary file", url)
	}
	return readAll(resp.Body, url)
}

// Pinned puts the vocabulary of a pinned digest into the store, from there, its
// path or its URL. A frozen run reads no URL.
func (s *Settings) Pinned(ctx context.Context, store artifacts.Store, dir string, pin digest.Digest, frozen bool) error {
	if _, err := store.Stat(ctx, pin); err == nil {
		return nil
	}
	if frozen && s.URL != "" {
		return pipeline.Mark(&pipeline.MissingEffect{Effect: "tokenizer vocabulary " + s.URL}, pipeline.Fatal)
	}
	data, err := s.Read(ctx, dir)
	if err != nil {
		return err
	}
	if got := digest.Of(data); got != pin {
		return fmt.Errorf("the vocabulary has digest %s, pinned is %s; \"benchmill update\" pins the new one", got, pin)
	}
	w, err := store.Create(ctx)
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := w.Write(data); err != nil {
		return err
	}
	_, err = w.Commit()
	return err
}
