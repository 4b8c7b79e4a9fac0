package git

import (
	"path/filepath"
	"strings"
	"testing"

	"benchmill/sources"
)

func TestParseLocator(t *testing.T) {
	tests := []struct {
		in, text, path, url, scheme string
		err                         string
	}{
		{in: "https://host/owner/name.git", text: "https://host/owner/name.git", url: "https://host/owner/name.git", scheme: "https"},
		{in: "HTTPS://host/x", text: "https://host/x", url: "https://host/x", scheme: "https"},
		{in: "https://me:pw@host:8443/x", text: "https://host:8443/x", url: "https://host:8443/x", scheme: "https"},
		{in: "https://host/x?key=abc#f", text: "https://host/x", url: "https://host/x?key=abc#f", scheme: "https"},
		{in: "ssh://git@host/x", text: "ssh://git@host/x", url: "ssh://git@host/x", scheme: "ssh"},
		{in: "git@host:owner/name", text: "git@host:owner/name", url: "git@host:owner/name", scheme: "ssh"},
		{in: "git://host/x", text: "git://host/x", url: "git://host/x", scheme: "git"},
		{in: "file:///srv/a%20b.git", text: "file:///srv/a%20b.git", path: "/srv/a b.git", scheme: "file"},
		{in: "file://localhost/srv/x", text: "file://localhost/srv/x", path: "/srv/x", scheme: "file"},
		{in: "/srv/x.git/", text: "/srv/x.git/", path: "/srv/x.git"},
		{in: "repos/./x", text: "repos/./x", path: "repos/x"},
		{in: "./a:b", text: "./a:b", path: "a:b"},

		{in: "", text: `""`, err: "empty"},
		{in: "--upload-pack=x", text: "--upload-pack=x", err: "dash"},
		{in: "-x://me:pw@host/x", text: "-x://host/x", err: "dash"},
		{in: "me:pw@host:x", text: "host:x", err: "no password"},
		{in: "https://me:pw@host/\x00", text: "https://host/", err: "NUL"},
		{in: "ext::sh -c evil% https://x", text: "ext:", err: "the scheme is none of"},
		{in: "ftp://host/x", text: "ftp://host/x", err: "the scheme is none of"},
		{in: "file://host/x", text: "file://host/x", err: "no host"},
		{in: "file://", text: "file:", err: "names a path"},
		{in: "https:///x", text: "https:///x", err: "names no host"},
		{in: "ssh://-oProxyCommand=x/y", text: "ssh://-oProxyCommand=x/y", err: "names no host"},
		{in: "https://me:p/w@ho st/x?k=v", text: "https://ho st/x", err: "not a URL"},
	}
	for _, test := range tests {
		loc, err := parseLocator(test.in)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) || !strings.HasPrefix(loc.text, test.text) {
				t.Errorf("%q: %q, error %v; want %q, error %q", test.in, loc.text, err, test.text, test.err)
			}
			continue
		}
		if err != nil || loc.text != test.text || loc.path != filepath.FromSlash(test.path) || loc.url != test.url || loc.scheme != test.scheme {
			t.Errorf("%q: %+v, %v", test.in, loc, err)
		}
	}
}

func TestLocateMirrors(t *testing.T) {
	mirrors := []sources.Mirror{{Prefix: "https://host/", Replacement: "https://user:s3cret@cache/"}, {Prefix: "https://bad/", Replacement: "ht tp://user:s3cret@cache/"}}
	loc, err := locate(mirrors, "https://host/x")
	if err != nil || loc.url != "https://cache/x" || loc.user != "user" || loc.pass != "s3cret" {
		t.Errorf("%+v, %v", loc, err)
	}
	if want := "https://host/x (mirror https://cache/x)"; loc.text != want {
		t.Errorf("text %q, want %q", loc.text, want)
	}
	loc, err = locate(mirrors, "https://bad/x")
	if err == nil || strings.Contains(loc.text+err.Error(), "s3cret") {
		t.Errorf("%q, %v", loc.text, err)
	}
	for _, own := range []string{"https://user:s3cret@host/x", "https://s3cret@host/x", "ssh://git:s3cret@host/x", "https://host/x?s3cret"} {
		loc, err := locate(nil, own)
		if err == nil || !strings.Contains(err.Error(), "mirror") || strings.Contains(loc.text+err.Error(), "s3cret") {
			t.Errorf("%q: %q, %v", own, loc.text, err)
		}
	}
}

func TestScrub(t *testing.T) {
	loc, err := parseLocator("https://me%40corp:p%20w%2Fd@host/x")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"user me@corp":               "user me@corp",
		"raw p w/d.":                 "raw ***.",
		"path p%20w%2Fd.":            "path ***.",
		"query p+w%2Fd.":             "query ***.",
		"me%40corp:p%20w%2Fd@host":   "***@host",
		"Basic bWVAY29ycDpwIHcvZA==": "Basic ***",
		"a\x1b[31m\nb\xff":           "a [31m b?",
		strings.Repeat("x", 1000):    strings.Repeat("x", 400) + "...",
	} {
		if got := scrub(in, loc.secrets); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestLoneUserIsSecret(t *testing.T) {
	loc, err := parseLocator("https://t0ken@host/x")
	if err != nil {
		t.Fatal(err)
	}
	if got := scrub("denied for t0ken at host", loc.secrets); got != "denied for *** at host" {
		t.Errorf("%q", got)
	}
}

// FuzzLocate parses any locator and one with a password in front of the host:
// neither the text for people nor the error may show the password.
func FuzzLocate(f *testing.F) {
	f.Add("https", "me", "host/x")
	f.Add("ssh", "git", "host:22/x")
	f.Add("file", "", "%zz")
	f.Fuzz(func(t *testing.T, scheme, user, rest string) {
		const pass = "s3cret-Pa55"
		for _, in := range []string{rest, scheme + ":" + rest, scheme + "://" + user + ":" + pass + "@" + rest} {
			loc, err := parseLocator(in)
			shown := loc.text
			if err != nil {
				shown += err.Error()
			}
			if (loc.path == "") == (loc.url == "") && err == nil {
				t.Errorf("%q is local and remote, or neither: %+v", in, loc)
			}
			if strings.Contains(shown, pass) && strings.Contains(in, "://") && !strings.ContainsAny(scheme+user, "/?#@") && !strings.Contains(rest, pass) && loc.path == "" {
				t.Errorf("%q shows the password: %q", in, shown)
			}
		}
	})
}
