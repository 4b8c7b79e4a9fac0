package csharp

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"benchmill/stages/lang"
)

func TestProjectFile(t *testing.T) {
	for _, c := range []struct {
		content    string
		references []string
		usings     []lang.Import
	}{
		{"", nil, nil},
		{"not XML <", nil, nil},
		{`<Project><ItemGroup><ProjectReference Include="..\Lib\Lib.csproj" /><ProjectReference Include="Sub/Sub.csproj"></ProjectReference></ItemGroup></Project>`, []string{"src/App/Sub", "src/Lib"}, nil},
		{`<Project><ProjectReference Include="../../../../etc/x.csproj"/><ProjectReference Include="$(Root)\A.csproj"/>`, []string{"../../etc", "src/App/$(Root)"}, nil},
		{`<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><Using Include="A.B"/><Using Include="A.C" Static="True"/><Using Include="A.D" Alias="E"/></Project>`, nil, []lang.Import{
			{Kind: using, Path: "A.B"}, {Kind: static, Path: "A.C"}, {Kind: alias, Path: "A.D", Names: []string{"E"}},
		}},
		{"<?xml version=\"1.0\" encoding=\"windows-1252\"?><Project><!-- caf\xe9 --><Using Include=\"A\"/></Project>", nil, []lang.Import{{Kind: using, Path: "A"}}},
		{`<Project><Compile Include="x.cs"/><Using Remove="A"/><ProjectReference/></Project>`, nil, nil},
		{`<Project><Using Include="A"/><unclosed`, nil, []lang.Import{{Kind: using, Path: "A"}}},
	} {
		p := &project{references: map[string]bool{}}
		p.read("src/App", c.content)
		if got := slices.Sorted(maps.Keys(p.references)); !slices.Equal(got, c.references) {
			t.Errorf("%q refers to %q, want %q", c.content, got, c.references)
		}
		if !reflect.DeepEqual(p.usings, c.usings) {
			t.Errorf("%q has usings %+v, want %+v", c.content, p.usings, c.usings)
		}
	}
}

func TestProjectOf(t *testing.T) {
	ps := newProjects(lang.NewIndex("", nil, map[string]string{"a/A.csproj": "", "a/b/B.csproj": "", "a/b/B2.csproj": ""}))
	for p, want := range map[string]string{"a/x.cs": "a", "a/c/x.cs": "a", "a/b/x.cs": "a/b", "a/b/c/d/x.cs": "a/b", "x.cs": "", "c/x.cs": "", "ab/x.cs": ""} {
		if got := ps.of(p); got != want {
			t.Errorf("%s is of project %q, want %q", p, got, want)
		}
	}
	root := newProjects(lang.NewIndex("", nil, map[string]string{"R.csproj": ""}))
	if got := root.of("a/b.cs"); got != "." {
		t.Errorf("the project of the top folder is %q", got)
	}
}

func FuzzProjectFile(f *testing.F) {
	f.Add(`<Project><ProjectReference Include="..\Lib\Lib.csproj"/><Using Include="A" Static="true"/></Project>`)
	f.Fuzz(func(t *testing.T, content string) {
		p := &project{references: map[string]bool{}}
		p.read("src", content)
		for _, im := range p.usings {
			if len(im.Path) > maxName {
				t.Errorf("a name of %d bytes", len(im.Path))
			}
		}
	})
}
