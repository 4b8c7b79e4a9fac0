package githubtest

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// route is one reading operation. Its path is that of the official description,
// which the tests take as the list of what has to be validated.
type route struct {
	path   string
	handle func(*call) answer
}

// routes are asked in order: what is written out stands before what is a parameter.
// A parameter that comes last in a path may hold slashes.
func routes() []route {
	const r = "/repos/{owner}/{repo}"
	return []route{
		{"/user", (*call).me},
		{"/rate_limit", (*call).rateLimit},
		{"/search/repositories", (*call).searchRepositories},
		{"/search/issues", (*call).searchIssues},
		{r, (*call).repository},
		{r + "/issues", (*call).issues},
		{r + "/issues/comments", (*call).comments},
		{r + "/issues/comments/{comment_id}", (*call).comment},
		{r + "/issues/{issue_number}/comments", (*call).issueComments},
		{r + "/issues/{issue_number}/timeline", (*call).timeline},
		{r + "/issues/{issue_number}", (*call).issue},
		{r + "/pulls", (*call).pulls},
		{r + "/pulls/{pull_number}/files", (*call).pullFiles},
		{r + "/pulls/{pull_number}/commits", (*call).pullCommits},
		{r + "/pulls/{pull_number}/reviews", (*call).pullReviews},
		{r + "/pulls/{pull_number}", (*call).pull},
		{r + "/commits", (*call).commits},
		{r + "/commits/{ref}", (*call).commit},
		{r + "/languages", (*call).languages},
		{r + "/contents/{path}", (*call).contents},
		{r + "/git/trees/{tree_sha}", (*call).tree},
	}
}

var table = routes()

// route finds and asks the operation.
func (s *Server) route(c *call) answer {
	s.world.mu.RLock()
	defer s.world.mu.RUnlock()
	if c.path == "/graphql" {
		if c.r.Method != http.MethodPost {
			return notFound()
		}
		return c.graphql()
	}
	if c.r.Method != http.MethodGet && c.r.Method != http.MethodHead {
		return notFound()
	}
	path := c.path
	if c.repo != nil {
		switch {
		case c.repo.Deleted:
			return notFound()
		case !c.repo.Blocked.IsZero():
			return blocked(c.repo.Blocked)
		case c.renamed():
			return redirect(http.StatusMovedPermanently, c.otherAddress())
		}
		path = "/repos/" + c.repo.FullName() + c.rest
	} else if strings.HasPrefix(path, "/repos/") {
		return notFound()
	}
	for _, r := range table {
		if c.params = match(r.path, path); c.params != nil {
			return r.handle(c)
		}
	}
	return notFound()
}

// match is the parameters of a path that fits a pattern, or nil.
func match(pattern, path string) map[string]string {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	out := map[string]string{}
	for k, part := range want {
		if k >= len(got) && !(k == len(want)-1 && part == "{path}") {
			return nil
		}
		if name, ok := strings.CutPrefix(part, "{"); ok {
			value := ""
			if k < len(got) {
				value = got[k]
			}
			if part == "{path}" {
				value = strings.Join(got[min(k, len(got)):], "/")
				got = got[:min(k+1, len(got))]
			}
			value, err := url.PathUnescape(value)
			if err != nil {
				return nil
			}
			out[strings.TrimSuffix(name, "}")] = value
		} else if part != got[k] {
			return nil
		}
	}
	if len(got) > len(want) {
		return nil
	}
	return out
}

func blocked(at time.Time) answer {
	block := new(object).add("reason", "dmca").add("created_at", at).add("html_url", "https://github.com/github/dmca").end()
	return answer{status: http.StatusUnavailableForLegalReasons,
		body: new(object).add("message", "Repository access blocked").add("block", block).end()}
}
