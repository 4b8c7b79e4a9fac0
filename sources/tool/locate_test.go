package tool

import "testing"

func TestInstallation(t *testing.T) {
	for path, want := range map[string]string{
		"/opt/jdk/bin/javac":                       "/opt/jdk",
		"/opt/bin/javac":                           "/opt/bin",
		"/opt/javac":                               "/opt/javac",
		"/tmp/javac":                               "/tmp/javac",
		"/javac":                                   "/javac",
		"/home/me/bin/pylint":                      "/home/me/bin",
		"/home/me/pylint":                          "/home/me/pylint",
		"/home/me/venv/bin/pylint":                 "/home/me/venv",
		"/home/me/x/node_modules/.bin/tsc":         "/home/me/x/node_modules",
		"/home/me/node_modules/typescript/bin/tsc": "/home/me/node_modules",
		"/x/node_modules/a/node_modules/b/bin/tsc": "/x/node_modules",
		"/home/me2/bin/pylint":                     "/home/me2",
		"/home/bin/pylint":                         "/home/bin",
		"/srv/tools/pylint":                        "/srv/tools",
	} {
		if got := installation(path, "/home/me"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
