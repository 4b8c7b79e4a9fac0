package sample

import (
	"embed"
	"fmt"
	"io/fs"
)

// Host is how the URLs of all sample repositories begin. No such host exists;
// the pipelines that use the sample have a mirror from it to the folder that
// [Prepare] was given.
const Host = "https://benchmill.invalid/"

//go:embed all:_repos
var embedded embed.FS

const root = "_repos"

// Repository is one sample repository at its last commit. The fields are those
// of an entry of repositories.yaml.
type Repository struct {
	Repo       string `yaml:"repo"` // owner/name
	URL        string `yaml:"url"`  // [Host] and Repo
	Commit     string `yaml:"commit"`
	Entrypoint string `yaml:"entrypoint"`
	Language   string `yaml:"language"`
	Topic      string `yaml:"topic"`
	Licence    string `yaml:"licence"` // SPDX identifier

	// Unlisted keeps the repository out of repositories.yaml: it is for a search
	// to find.
	Unlisted bool `yaml:"-"`
}

// Repositories lists the sample repositories by name. The commit ids are
// computed from the files and recipes in the program, not looked up.
func Repositories() ([]Repository, error) {
	all, err := buildAll(embedded)
	if err != nil {
		return nil, err
	}
	return list(all), nil
}

func list(all []*built) []Repository {
	out := make([]Repository, len(all))
	for i, b := range all {
		out[i] = b.Repository
	}
	return out
}

// buildAll builds every folder below root, in the order of their names.
func buildAll(fsys fs.FS) ([]*built, error) {
	folders, err := fs.ReadDir(fsys, root)
	if err != nil {
		return nil, fmt.Errorf("sample repositories: %w", err)
	}
	var out []*built
	for _, folder := range folders {
		sub, err := fs.Sub(fsys, root+"/"+folder.Name())
		if err != nil {
			return nil, fmt.Errorf("sample repositories: %w", err)
		}
		b, err := build(sub, folder.Name())
		if err != nil {
			return nil, fmt.Errorf("sample repository %s: %w", folder.Name(), err)
		}
		out = append(out, b)
	}
	return out, nil
}
