package extractive

import (
	"regexp"
	"strings"
)

// typeKinds puts written types into words; the first pattern that fits wins, and
// %s is the type inside.
var typeKinds = []struct {
	pattern *regexp.Regexp
	says    []string
}{
	{regexp.MustCompile(`^(?:Option|Optional|Maybe|optional)[<\[](.*)[>\]]$|^(.*?)\s*\|\s*(?:None|null|undefined)$|^([\w.<>\[\], ]+)\?$`), []string{"%s or nothing", "%s or none", "possibly %s"}},
	{regexp.MustCompile(`^(?:Result|Expected)<\s*(.*?)\s*(?:,[^<>]*)?>$`), []string{"%s or an error", "%s or a failure", "possibly %s"}},
	{regexp.MustCompile(`^(?:Box|Rc|Arc|Promise|Future|Awaitable|Coroutine|CompletableFuture|shared_ptr|unique_ptr|Readonly|Final|Ref)[<\[](.*)[>\]]$`), []string{"%s"}},
	{regexp.MustCompile(`^(?:Vec|List|list|Sequence|Iterable|Iterator|Array|ArrayList|Collection|vector|Set|set|HashSet|Slice|ReadonlyArray|Stream|Generator|impl (?:Double\w+)?Iterator|impl IntoIterator|deque|VecDeque|BTreeSet|frozenset|Deque|Queue|LinkedList|span)[<\[](?:Item\s*=\s*)?(.*?)[>\]]$|^\[\](.*)$|^(.*)\[\]$|^\[(.*?)(?:;[^\]]*)?\]$`), []string{"a collection of %s", "a sequence of %s", "a series of %s", "several of %s"}},
	{regexp.MustCompile(`^(?:Dict|dict|Map|HashMap|BTreeMap|Mapping|map|unordered_map|Record|TreeMap|DefaultDict|OrderedDict|Counter|defaultdict)\b`), []string{"a mapping", "a lookup table", "an association"}},
	{regexp.MustCompile(`^(?:tuple|Tuple|pair)[<\[]|^\(.*,.*\)$`), []string{"a tuple of values", "several items together", "a bundle of things"}},
	{regexp.MustCompile(`^(?:bool|boolean|Boolean|_Bool)$`), []string{"a truth value", "a yes-or-no answer", "yes or no"}},
	{regexp.MustCompile(`^(?:str|String|string|string_view|char\s*\*|Text|AnyStr|CharSequence|impl Into<String>|impl AsRef<str>)$`), []string{"a text", "a string", "some writing"}},
	{regexp.MustCompile(`^(?:byte|bytes|u8|uint8_t|bytearray|unsigned char|void\s*\*)$`), []string{"raw bytes", "raw octets"}},
	{regexp.MustCompile(`^(?:char|rune|Character)$`), []string{"a character", "a letter", "a glyph"}},
	{regexp.MustCompile(`^(?:int|integer|Integer|Int|long|Long|short|unsigned(?: int| long)?|long long|size_t|ssize_t|ptrdiff_t|u?int\d*(?:_t)?|[ui](?:8|16|32|64|128|size)|uint|bigint|BigInteger)$`), []string{"a whole number", "an integer", "a count", "a figure"}},
	{regexp.MustCompile(`^(?:float|double|Float|Double|f32|f64|float32|float64|Decimal|decimal|BigDecimal)$`), []string{"a number", "a quantity", "a figure"}},
	{regexp.MustCompile(`^(?:number|Number)$`), []string{"a number", "a quantity", "a figure"}},
	{regexp.MustCompile(`^(?:void|None|NoneType|unit|Unit|\(\)|never|NoReturn|!)$`), []string{"nothing", "no result", "none"}},
	{regexp.MustCompile(`^(?:error|Error|Exception|Throwable)$`), []string{"an error", "a failure", "a fault"}},
	{regexp.MustCompile(`^(?:Path|PathBuf|path|fs::path)$`), []string{"a file path", "a location of a document"}},
	{regexp.MustCompile(`^(?:Callable|Function|function|fn|Fn|FnMut|FnOnce|Supplier|Consumer|Predicate|Runnable|impl Fn\w*|func)\b|=>`), []string{"a function to call", "a routine to invoke", "a procedure"}},
	{regexp.MustCompile(`^(?:Self|self)$`), []string{"an object of the same kind", "a thing of the same sort"}},
	{regexp.MustCompile(`^(?:any|Any|object|Object|interface\{\}|unknown|auto|dynamic|[A-Z])$`), []string{"a value of any type", "anything", "some item"}},
}

var typeMarks = regexp.MustCompile(`^(?:(?:const|mut|static|final|volatile|inline|virtual|public|private|protected|readonly|struct|enum|class|unsafe|dyn|out|ref|'\w+)\s+|[&*]+\s*)+|(?:\s*\bconst|\s*[&*]+)+$`)

// typePhrase puts a type as written into a noun phrase, "" when it says nothing.
func (r reader) typePhrase(t string) string { return r.typeAt(t, 0) }

func (r reader) typeAt(t string, depth int) string {
	t = strings.Trim(strings.TrimSpace(t), `"'`)
	if strings.ReplaceAll(t, " ", "") == "char*" || strings.ReplaceAll(t, " ", "") == "constchar*" {
		t = "string"
	}
	t = strings.TrimPrefix(strings.TrimSpace(typeMarks.ReplaceAllString(t, "")), "std::")
	if t == "" || depth > 4 || len(t) > 200 {
		return ""
	}
	for _, k := range typeKinds {
		m := k.pattern.FindStringSubmatch(t)
		if m == nil {
			continue
		}
		inner := r.typeAt(strings.Join(m[1:], ""), depth+1)
		if inner == "" {
			inner = r.noun("values", "items", "things")
		} else if strings.HasPrefix(k.says[0], "a collection") {
			inner = manyOf(inner)
		}
		for _, says := range k.says {
			if out := r.say(strings.ReplaceAll(says, "%s", inner)); out != "" {
				return out
			}
		}
		return ""
	}
	if strings.ContainsAny(t, "{}()") {
		return ""
	}
	base, _, _ := strings.Cut(t, "<")
	base, _, _ = strings.Cut(base, "[")
	parts := strings.FieldsFunc(base, func(c rune) bool { return c == ':' || c == '.' || c == ' ' })
	if len(parts) == 0 {
		return ""
	}
	return r.named(parts[len(parts)-1], "a % object", r.noun("an object of a type of its own", "a thing of a sort of its own"))
}

// manyOf makes a phrase for one thing a phrase for several.
func manyOf(one string) string {
	head, rest := one, ""
	for _, joint := range []string{" of ", " or ", " that ", " it ", " to ", " whose ", " ("} {
		if at := strings.Index(head, joint); at > 0 {
			head, rest = one[:at], one[at:]
		}
	}
	head = strings.TrimPrefix(strings.TrimPrefix(head, "a "), "an ")
	if !strings.HasSuffix(head, "s") {
		head = plural(head)
	}
	return head + rest
}

// parameter is what the signature says of one.
type parameter struct {
	typ      string
	optional bool
	variadic bool
}

// parameters reads the types of the named parameters out of a signature. Types
// stand before the name, or behind it with or without a colon.
func parameters(signature string, names []string) map[string]parameter {
	out := map[string]parameter{}
	chunks := argumentList(signature, names)
	last := "" // Go's "a, b int": the type stands at the last name
	for i := len(chunks) - 1; i >= 0; i-- {
		chunk := strings.TrimSpace(chunks[i])
		plain, _, hasDefault := strings.Cut(chunk, "=")
		if strings.Contains(plain, "(") || strings.HasSuffix(plain, ">") {
			plain = chunk // "=>" of a function type
			hasDefault = false
		}
		for _, name := range names {
			at := wordAt(plain, name)
			if at < 0 {
				continue
			}
			before, after := strings.TrimSpace(plain[:at]), strings.TrimSpace(plain[at+len(name):])
			p := parameter{optional: hasDefault || strings.HasPrefix(after, "?"), variadic: strings.Contains(before, "...") || strings.HasPrefix(after, "...") || before == "*" || before == "**"}
			after = strings.TrimSpace(strings.TrimLeft(after, "?"))
			switch {
			case strings.HasPrefix(after, ":"):
				p.typ = strings.TrimSpace(after[1:])
			case after != "" && (before == "" || !strings.HasPrefix(after, "[")):
				p.typ = strings.TrimPrefix(after, "...")
			case strings.TrimLeft(before, "*&. ") != "":
				p.typ = before + after
			default:
				p.typ = last
			}
			if after != "" && !strings.HasPrefix(after, ":") {
				last = p.typ
			} else {
				last = ""
			}
			out[name] = p
			break
		}
	}
	return out
}

// argumentList is the bracketed list of a signature that names most parameters.
func argumentList(signature string, names []string) []string {
	for i := 0; i < len(signature); i++ {
		if signature[i] != '(' {
			continue
		}
		end := matching(signature[i:])
		if end < 0 {
			return nil
		}
		chunks := splitArguments(signature[i+1 : i+end])
		if len(names) > 0 && wordAt(signature[i+1:i+end], names[0]) >= 0 {
			return chunks
		}
		i += end
	}
	return nil
}

// splitArguments splits at commas outside brackets, angle brackets among them.
func splitArguments(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' && s[i-1] != '=' {
				depth--
			}
		case ',':
			if depth <= 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}

// wordAt finds name as a whole word, or -1.
func wordAt(s, name string) int {
	for from := 0; ; {
		at := strings.Index(s[from:], name)
		if at < 0 || name == "" {
			return -1
		}
		at += from
		end := at + len(name)
		if (at == 0 || !isNameByte(s[at-1])) && (end == len(s) || !isNameByte(s[end])) {
			return at
		}
		from = at + 1
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

var (
	arrowReturn = regexp.MustCompile(`->\s*([^{]+?)\s*(?:\bwhere\b.*)?$`)
	colonReturn = regexp.MustCompile(`\)\s*:\s*([^={]+?)\s*$`)
	tailReturn  = regexp.MustCompile(`\)\s*([\w.*\[\]]+|\(.*\))\s*$`)
	frontReturn = regexp.MustCompile(`^([\w:<>,\s*&\[\].]+?)[\s*&]+~?(?:\w+::)*\w+\s*$`)
)

// returnType finds the result's type in a signature, "" when it has none.
func returnType(signature string) string {
	s := strings.Join(strings.Fields(strings.TrimRight(strings.TrimSpace(signature), "{:; ")), " ")
	if m := arrowReturn.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	if m := colonReturn.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	if m := tailReturn.FindStringSubmatch(s); m != nil && strings.HasPrefix(s, "func") {
		return m[1]
	}
	open := strings.IndexByte(s, '(')
	if open < 0 || hasPrefix(s, "def ", "func ", "function ", "fn ", "async ", "export ", "pub ") {
		return ""
	}
	if m := frontReturn.FindStringSubmatch(s[:open]); m != nil {
		return modifiers.ReplaceAllString(m[1], "")
	}
	return ""
}

var modifiers = regexp.MustCompile(`\b(?:public|private|protected|static|final|inline|virtual|extern|constexpr|abstract|synchronized|native|override|unsigned(?:\s+(?:int|long))|template\s*<[^>]*>|@\w+)\s*`)
