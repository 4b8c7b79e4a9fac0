package scrub

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// repeat makes a value of n characters of a few, mixed as in a token.
func repeat(n int) string {
	return strings.Repeat("a1B2c3D4e5F6g7H8", n/16+1)[:n]
}

// The parts of secrets are put together here so that no scanner takes this file
// for a leak.
var secrets = map[string]struct{ secret, kind string }{
	"GitHub classic":      {"ghp" + "_" + repeat(36), Token},
	"GitHub OAuth":        {"gho" + "_" + repeat(36), Token},
	"GitHub app":          {"ghs" + "_" + repeat(36), Token},
	"GitHub refresh":      {"ghr" + "_" + repeat(76), Token},
	"GitHub fine-grained": {"github" + "_pat_" + repeat(22) + "_" + repeat(59), Token},
	"GitLab":              {"gl" + "pat-" + repeat(20), Token},
	"AWS":                 {"AK" + "IA" + "IOSFODNN7EXAMPLE", Token},
	"AWS session":         {"AS" + "IA" + "IOSFODNN7EXAMPLE", Token},
	"Slack bot":           {"xo" + "xb-123456789012-123456789012-" + repeat(24), Token},
	"Slack app":           {"xa" + "pp-1-A0123456789-1234567890123-" + repeat(64), Token},
	"Google key":          {"AI" + "za" + repeat(35), Token},
	"Google OAuth":        {"ya29" + "." + repeat(60), Token},
	"Google secret":       {"GO" + "CSPX-" + repeat(28), Token},
	"OpenAI":              {"s" + "k-" + repeat(20) + "T3BlbkFJ" + repeat(20), Token},
	"OpenAI project":      {"s" + "k-proj-" + repeat(48), Token},
	"OpenAI old":          {"s" + "k-" + repeat(48), Token},
	"Anthropic":           {"s" + "k-ant-api03-" + repeat(90), Token},
	"Stripe":              {"s" + "k_live_" + repeat(24), Token},
	"Stripe restricted":   {"r" + "k_test_" + repeat(24), Token},
	"npm":                 {"np" + "m_" + repeat(36), Token},
	"PyPI":                {"py" + "pi-AgEIcHlwaS5vcmc" + repeat(60), Token},
	"Hugging Face":        {"h" + "f_" + repeat(34), Token},
	"SendGrid":            {"S" + "G." + repeat(22) + "." + repeat(43), Token},
	"JWT":                 {"ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0" + "." + repeat(43), Token},
	"private key":         {"-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEow" + repeat(58) + "\n" + repeat(20) + "\n-----END RSA PRIVATE" + " KEY-----", Key},
	"key in a string":     {"-----BEGIN PRIVATE" + ` KEY-----\nMIIE` + repeat(64) + `\n-----END PRIVATE` + " KEY-----", Key},
	"age":                 {"AGE-SECRET" + "-KEY-1" + strings.Repeat("Q4W7", 15), Key},
	"e-mail":              {"jane.doe+x@mail.some-host.co.uk", Email},
	"e-mail in letters":   {"jörg@müller.de", Email},
}

func TestSecrets(t *testing.T) {
	for name, s := range secrets {
		for _, around := range [][2]string{{"", ""}, {"see ", " there"}, {"(", ")"}, {"\"", "\","}, {"x=", "\n"}, {"`", "`"}, {"<td>", "</td>"}, {"[a](", ")"}, {"日本", "日本"}} {
			text := around[0] + s.secret + around[1]
			want := around[0] + "<" + s.kind + ">" + around[1]
			got, counts := Text(text, Options{})
			if got != want || !maps.Equal(counts, map[string]int64{s.kind: 1}) {
				t.Errorf("%s: %q became %q, %v", name, text, got, counts)
			}
		}
	}
}

func TestText(t *testing.T) {
	hex, b64 := "3f786850e387550fdab836ed7e6dc881de23001b", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ"
	for text, want := range map[string]string{
		// In addresses.
		"https://bob:hunter2@host/x":                           "https://bob:<password>@host/x",
		"postgres://u:p@ss:w0rd@db:5432/x":                     "postgres://u:<password>@db:5432/x",
		"redis://:pw@host":                                     "redis://:<password>@host",
		"https://x-access-token:" + hex + "@h.io":              "https://x-access-token:<password>@h.io",
		"https://u:$TOKEN@host https://u:{pw}@h":               "https://u:$TOKEN@host https://u:{pw}@h",
		"http://u:***@host":                                    "http://u:***@host",
		"http://host:8080/@scope/x":                            "http://host:8080/@scope/x",
		"docker://nginx:1.19@sha256:" + hex:                    "docker://nginx:1.19@sha256:" + hex,
		"https://hooks.slack.com/services/T0/B0/" + repeat(24): "https://hooks.slack.com/services/<token>",
		// In headers.
		"Authorization: Bearer " + b64:          "Authorization: Bearer <token>",
		"authorization: token abcdefgh":         "authorization: token <token>",
		`"Authorization": "Basic dXNlcjpwYXNz"`: `"Authorization": "Basic <token>"`,
		"Authorization: Bearer $TOKEN":          "Authorization: Bearer $TOKEN",
		"bearer " + b64:                         "bearer <token>",
		"bearer authentication_required":        "bearer authentication_required",
		// After words.
		"token=" + hex:                                                     "token=<token>",
		"my API key is " + b64 + ".":                                       "my API key is <token>.",
		`"client_secret": "` + b64 + `"`:                                   `"client_secret": "<token>"`,
		"os.environ['API_KEY'] = '" + b64 + "'":                            "os.environ['API_KEY'] = '<token>'",
		"PASSWORD := \"" + b64 + "\"":                                      "PASSWORD := \"<token>\"",
		"_authToken=" + "123e4567-e89b-12d3-a456-426614174000":             "_authToken=<token>",
		"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": "aws_secret_access_key = <token>",
		"token=secret=" + b64:                                              "token=<token>",
		"token\n" + hex:                                                    "token\n<token>",
		// What stays.
		"commit " + hex: "commit " + hex,
		"token = response.data.access_token_value":                  "token = response.data.access_token_value",
		"tokenizer: bert_base_uncased_l12_h768":                     "tokenizer: bert_base_uncased_l12_h768",
		"secret: projects/my-project-1/secrets/name":                "secret: projects/my-project-1/secrets/name",
		"password: correct-horse-battery-staple":                    "password: correct-horse-battery-staple",
		"token_release = release20240102_final_x":                   "token_release = release20240102_final_x",
		"passwordResetTokenExpiryMinutes2Factor3Auth4Enabled5Now":   "passwordResetTokenExpiryMinutes2Factor3Auth4Enabled5Now",
		"the task-0123456789abcdef0123456789abcdef":                 "the task-0123456789abcdef0123456789abcdef",
		"ghp_short, AKIA, eyJ.a.b, sk-learn, npm_config_cache":      "ghp_short, AKIA, eyJ.a.b, sk-learn, npm_config_cache",
		"BEGIN PRIVATE KEY":                                         "BEGIN PRIVATE KEY",
		"-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----": "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----",
		"+49 30 1234567": "+49 30 1234567",
		// Keys that were cut off end where the key can end.
		"-----BEGIN EC PRIVATE" + " KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + b64 + "\n" + b64 + "\nand then it failed": "<key>\nand then it failed",
		"-----BEGIN PRIVATE" + " KEY-----\n...\nhelp":                                                                 "<key>\n...\nhelp",
		// Not text.
		"a\xffb": "a\uFFFDb",
		"":       "",
	} {
		if got, _ := Text(text, Options{}); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestEmails(t *testing.T) {
	for text, want := range map[string]string{
		"Bob <bob@some.host>, al@b-c.io.":   "Bob <<email>>, <email>.",
		"mailto:bob@some.host?subject=x":    "mailto:<email>?subject=x",
		"1234+bob@users.noreply.github.com": "<email>",
		"...bob@some.host":                  "...<email>",
		"a@b.co@c.co":                       "<email>@c.co",
		"deploy@some.host:/srv":             "<email>:/srv",
		"почта@пример.рф":                   "<email>",
		"bob@xn--e1afmkfd.xn--p1ai":         "<email>",
		"bob at some dot host":              "bob at some dot host",
		// Versions, sizes, digests.
		"left-pad@1.2.3 react@18.0.0-rc.one": "left-pad@1.2.3 react@18.0.0-rc.one",
		"actions/checkout@v4 a@v4.1.0":       "actions/checkout@v4 a@v4.1.0",
		"a@v2.x icon@2x.png":                 "a@v2.x icon@2x.png",
		"@babel/core@7.x pkg@latest":         "@babel/core@7.x pkg@latest",
		"java.lang.Object@1a2b3c":            "java.lang.Object@1a2b3c",
		// Repositories.
		"git@github.com:owner/name":       "git@github.com:owner/name",
		"ssh://git@github.com/owner/name": "ssh://git@github.com/owner/name",
		"git@some.host":                   "<email>",
		// Code.
		"@app.route @pytest.mark.skip": "@app.route @pytest.mark.skip",
		"c = a@np.dot(b) + a@b.T":      "c = a@np.dot(b) + a@b.T",
		"a@x.index[0] a@x.y_z":         "a@x.index[0] a@x.y_z",
		"import x@module.js":           "import x@module.js",
		// Free for examples.
		"me@example.com a@b.example.org": "me@example.com a@b.example.org",
		"a@my.test root@x.localhost":     "a@my.test root@x.localhost",
		"a@notexample.com":               "<email>",
		"@ a@ @b a@b":                    "@ a@ @b a@b",
	} {
		if got, _ := Text(text, Options{}); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestIPs(t *testing.T) {
	for text, want := range map[string]string{
		"from 8.8.4.4.": "from <ip>.",
		"8.8.4.4:443 and [2a00:1450:4001:80b::200e]": "<ip>:443 and [<ip>]",
		"10.0.0.1 192.168.1.1 127.0.0.1 0.0.0.0":     "10.0.0.1 192.168.1.1 127.0.0.1 0.0.0.0",
		"192.0.2.7 2001:db8::1:2 fe80::1:2 ::1":      "192.0.2.7 2001:db8::1:2 fe80::1:2 ::1",
		"v1.2.3.4 1.2.3.4.5 1.2.3 1.2.3.400":         "v1.2.3.4 1.2.3.4.5 1.2.3 1.2.3.400",
		"12:34:56 a::b ABC::DEF dead::beef:1":        "12:34:56 a::b ABC::DEF <ip>",
		"1.2.3.4-beta x-1.2.3.4":                     "1.2.3.4-beta x-1.2.3.4",
	} {
		if got, _ := Text(text, Options{IPs: true}); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
		if got, _ := Text(text, Options{}); got != text {
			t.Errorf("%q became %q without being asked", text, got)
		}
	}
}

func TestMentions(t *testing.T) {
	var p People
	p.Name("Ann")
	for _, test := range []struct{ text, want string }{
		{"thanks @bob and @ann!", "thanks @user2 and @user1!"},
		{"@BOB,@c-d (@e_f) @dependabot[bot]", "@user2,@user3 (@user4) @user5"},
		{"> @bob wrote", "> @user2 wrote"},
		{"`@bob` @bob\n```\n@bob\n```\n", "`@bob` @user2\n```\n@bob\n```\n"},
		{"@org/team @babel/core a@bob me@host.de", "@org/team @babel/core a@bob me@host.de"},
		{"@app.route @Component() @property\n", "@app.route @Component() @user6\n"},
		{"<td>@bob https://<token>@host", "<td>@user2 https://<token>@host"},
		{"see @bob. And", "see @user2. And"},
		{"https://medium.com/@bob x.@bob @-bob @", "https://medium.com/@bob x.@bob @-bob @"},
	} {
		if got, _ := Mentions(test.text, p.Name); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
	if p.Name("") != "" {
		t.Error("a deleted account has a number")
	}
	if got, n := Mentions("@x @y @x", new(People).Name); got != "@user1 @user2 @user1" || n != 3 {
		t.Errorf("%q, %d", got, n)
	}
}

// A megabyte of anything is read in a moment: whatever grew with the square of the
// length would run into the time limit of the test.
func TestLinear(t *testing.T) {
	units := []string{
		"a", "@", "a@", "a@b.", "1.2.3.4 ", "a:", "`@a ",
		"-----BEGIN PRIVATE" + " KEY-----", "-----BEGIN PRIVATE" + " KEY-----\n",
		"https://a:", "https://a:b@", "authorization:bearer ", "token=", "aws secret ",
		"eyJaaaaaaaaaa.", "sk-T3BlbkFJ",
	}
	every := ""
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		every += secrets[name].secret + " "
	}
	units = append(units, every)
	for _, u := range units {
		text := strings.Repeat(u, 1+(1<<20)/len(u))
		Text(text, Options{IPs: true})
		Mentions(text, new(People).Name)
	}
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat("When I call `open(path)` with a token, see #12 and bob@some.host, the cache of 3.2 fails:\n\n```\nTraceback: secret=None\n```\n", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Text(text, Options{IPs: true})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range secrets {
		f.Add("a "+s.secret, "b")
	}
	f.Add("https://u:p@h 8.8.8.8 @bob", "x@y.de")
	f.Add("-----BEGIN PRIVATE"+" KEY-----\nx", "token=")
	f.Fuzz(func(t *testing.T, before, after string) {
		o := Options{IPs: true}
		out, _ := Text(before, o)
		if !utf8.ValidString(out) {
			t.Errorf("%q is not UTF-8", out)
		}
		if again, counts := Text(out, o); again != out || len(counts) > 0 {
			t.Errorf("%q became %q became %q, %v", before, out, again, counts)
		}
		mentioned, _ := Mentions(out, new(People).Name)
		if again, _ := Mentions(mentioned, new(People).Name); again != mentioned {
			t.Errorf("%q became %q became %q", out, mentioned, again)
		}
		// No token survives, whatever stands beside it.
		for name, s := range secrets {
			if s.kind != Token || name == "OpenAI old" {
				continue // these have a left border
			}
			if out, _ := Text(before+s.secret+after, o); strings.Contains(out, s.secret) {
				t.Errorf("%s survives between %q and %q", name, before, after)
			}
		}
	})
}
