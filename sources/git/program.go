package git

import (
	"context"
	"os"
	"os/exec"
)

// findProgram returns the path of the git program, or "".
func findProgram() string {
	path, err := exec.LookPath("git")
	if err != nil {
		return ""
	}
	return path
}

// runProgram fetches commits or references from a URL into a bare repository
// with the git program; shallow leaves the history of commits out. Nothing of the user's or the system's configuration applies: no hooks,
// helpers, rewrites or other transports than the ones in [location].
func runProgram(ctx context.Context, program, repo, url string, shallow bool, wants ...string) error {
	args := []string{
		"--git-dir=" + repo,
		"-c", "protocol.ext.allow=never",
		"-c", "protocol.file.allow=never",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.askPass=",
		"-c", "credential.helper=",
		"-c", "gc.auto=0",
		"-c", "maintenance.auto=false",
		"-c", "fetch.unpackLimit=1", // keep the pack as one file
		// Malformed trees are the reader's business, and it reports them.
		"-c", "fetch.fsckObjects=false",
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
	}
	if shallow {
		args = append(args, "--depth=1")
	}
	args = append(append(args, "--", url), wants...)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = repo
	cmd.Env = programEnv()
	endTogether(cmd)
	return cmd.Run()
}

// inherited lists the variables that say how to reach the network from here.
var inherited = []string{
	"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "SSH_AUTH_SOCK",
	"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
}

func programEnv() []string {
	env := []string{
		"LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ALLOW_PROTOCOL=http:https:ssh:git",
		"GIT_SSH_COMMAND=ssh -o BatchMode=yes",
	}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
