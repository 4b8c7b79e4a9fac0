package git

import (
	"encoding/base64"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"benchmill/sources"
)

// location is a locator taken apart.
type location struct {
	text    string // for people: the locator as it was given, free of secrets
	path    string // of a local repository, else ""
	url     string // of a remote one; HTTP credentials are not in it
	scheme  string // of url
	user    string // HTTP credentials
	pass    string
	secrets []string // texts no error may hold
}

func (l location) local() bool { return l.path != "" }

// private reports whether fetching takes a secret from the URL, which must not
// reach the command line of a program.
func (l location) private() bool { return len(l.secrets) > 0 }

// locate applies the mirrors and takes the result apart. The location is good
// for errors even when there is one.
func locate(mirrors []sources.Mirror, locator string) (location, error) {
	own, err := parseLocator(locator)
	if err != nil {
		return own, err
	}
	if own.private() {
		return own, errors.New("the locator holds credentials, which would get into locks and releases: put them into a mirror's replacement")
	}
	real := sources.Rewrite(mirrors, locator)
	if real == locator {
		return own, nil
	}
	loc, err := parseLocator(real)
	loc.text = own.text + " (mirror " + loc.text + ")"
	return loc, err
}

func parseLocator(s string) (location, error) {
	switch {
	case s == "":
		return location{text: `""`}, errors.New("empty locator")
	case strings.HasPrefix(s, "-"):
		return location{text: afterSecrets(s)}, errors.New("a locator does not begin with a dash")
	case strings.Contains(s, "\x00"):
		return location{text: afterSecrets(s)}, errors.New("NUL in the locator")
	case strings.Contains(s, "://"):
		return parseURL(s)
	case isShort(s):
		_, path, _ := strings.Cut(s, ":")
		if top, _, _ := strings.Cut(path, "/"); strings.Contains(top, "@") {
			return location{text: afterSecrets(s)}, errors.New("the short form user@host:path has no password")
		}
		return location{text: s, url: s, scheme: "ssh"}, nil
	}
	return location{text: s, path: filepath.Clean(s)}, nil
}

// isShort recognises user@host:path as git does: a colon before any slash.
func isShort(s string) bool {
	before, _, colon := strings.Cut(s, ":")
	if runtime.GOOS == "windows" && len(before) == 1 {
		return false // a drive
	}
	return colon && before != "" && !strings.ContainsAny(before, `/\`)
}

func parseURL(s string) (location, error) {
	u, err := url.Parse(s)
	if err != nil {
		// The parser's error quotes the URL, and where a secret in it ends is
		// what could not be told.
		return location{text: afterSecrets(s)}, errors.New("not a URL")
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	loc := location{text: shown.String(), scheme: strings.ToLower(u.Scheme)}
	pass, hasPass := u.User.Password()
	if u.User != nil && loc.scheme == "ssh" { // a login, often "git", and no secret
		shown.User = url.User(u.User.Username())
		loc.text = shown.String()
	}
	switch loc.scheme {
	case "file":
		if u.Host != "" && u.Host != "localhost" {
			return loc, errors.New("a file URL names no host")
		}
		loc.path = filepath.FromSlash(u.Path)
		if runtime.GOOS == "windows" {
			loc.path = strings.TrimPrefix(loc.path, `\`)
		}
		if loc.path == "" {
			return loc, errors.New("a file URL names a path")
		}
		return loc, nil
	case "http", "https":
		if u.User != nil {
			loc.user, loc.pass = u.User.Username(), pass
			if loc.pass == "" { // a user alone is a token
				loc.hide(loc.user)
			}
			loc.hide(loc.pass, u.User.String())
			loc.hide(base64.StdEncoding.EncodeToString([]byte(loc.user + ":" + loc.pass)))
		}
		loc.hide(u.RawQuery)
		u.User = nil
	case "ssh", "git":
		if hasPass {
			loc.hide(pass, u.User.String())
		}
	default:
		return loc, errors.New("the scheme is none of http, https, ssh, git and file")
	}
	if u.Hostname() == "" || strings.HasPrefix(u.Host, "-") {
		return loc, errors.New("the URL names no host")
	}
	loc.url = u.String()
	return loc, nil
}

func (l *location) hide(secrets ...string) {
	for _, s := range secrets {
		if s == "" {
			continue
		}
		l.secrets = append(l.secrets, s)
		for _, e := range []string{url.PathEscape(s), url.QueryEscape(s)} {
			if e != s {
				l.secrets = append(l.secrets, e)
			}
		}
	}
}

// afterSecrets is what a malformed locator can be called by: what follows the
// last @, where a user and a password end, without a query.
func afterSecrets(s string) string {
	scheme, rest, isURL := strings.Cut(s, "://")
	if !isURL {
		return s[strings.LastIndex(s, "@")+1:]
	}
	rest = rest[strings.LastIndex(rest, "@")+1:]
	rest, _, _ = strings.Cut(rest, "?")
	return scheme + "://" + rest
}
