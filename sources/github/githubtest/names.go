package githubtest

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// names writes the addresses that bodies mention.
type names struct {
	api  string // "https://api.github.com"
	html string // "https://github.com"
}

// namesOf are the names below an API's base address.
func namesOf(api string) names {
	out := names{api: api, html: "https://github.com"}
	if u, err := url.Parse(api); err == nil && u.Host != "api.github.com" {
		out.html = u.Scheme + "://" + u.Host
	}
	return out
}

// nodeID is a global identifier: opaque, different for different things.
func nodeID(kind string, id int64) string {
	return base64.StdEncoding.EncodeToString([]byte(kind + ":" + digits(id)))
}

var userLinks = [][2]string{
	{"followers_url", "/followers"}, {"following_url", "/following{/other_user}"}, {"gists_url", "/gists{/gist_id}"},
	{"starred_url", "/starred{/owner}{/repo}"}, {"subscriptions_url", "/subscriptions"}, {"organizations_url", "/orgs"},
	{"repos_url", "/repos"}, {"events_url", "/events{/privacy}"}, {"received_events_url", "/received_events"},
}

var ghost = &User{Login: "ghost", ID: 10137, Type: "User"}

func (n names) user(u *User) raw {
	if u == nil {
		return null
	}
	if u.Deleted {
		u = ghost
	}
	o := new(object)
	o.add("login", u.Login).add("id", u.ID).add("node_id", nodeID("User", u.ID))
	o.add("avatar_url", "https://avatars.githubusercontent.com/u/"+digits(u.ID)+"?v=4").add("gravatar_id", "")
	login := url.PathEscape(u.Login)
	o.add("url", n.api+"/users/"+login)
	page := "/" + login
	if bot, ok := strings.CutSuffix(u.Login, "[bot]"); ok {
		page = "/apps/" + bot
	}
	o.add("html_url", n.html+page)
	for _, l := range userLinks {
		o.add(l[0], n.api+"/users/"+login+l[1])
	}
	return o.add("type", u.Type).add("user_view_type", "public").add("site_admin", false).end()
}

// somebody is a user where GitHub's description allows no null.
func (n names) somebody(u *User) raw {
	if u == nil {
		u = ghost
	}
	return n.user(u)
}

func (n names) repoURL(r *Repository) string { return n.api + "/repos/" + r.FullName() }

func (n names) repoPage(r *Repository) string { return n.html + "/" + r.FullName() }

func (n names) issueURL(i *Issue) string {
	return n.repoURL(i.repo) + "/issues/" + digits(i.Number)
}

func (n names) pullURL(i *Issue) string {
	return n.repoURL(i.repo) + "/pulls/" + digits(i.Number)
}

func (n names) issuePage(i *Issue) string {
	kind := "/issues/"
	if i.Pull != nil {
		kind = "/pull/"
	}
	return n.repoPage(i.repo) + kind + digits(i.Number)
}
