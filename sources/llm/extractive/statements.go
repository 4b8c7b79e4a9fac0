package extractive

import "strings"

// statement is one statement of a body with the statements inside its block.
type statement struct {
	text  string
	inner []*statement
	bare  bool // ended without a semicolon although others have one
}

// maxDepth bounds nesting; what lies deeper is taken as being at that depth.
const maxDepth = 40

// statements parts a body by its marks: line ends and indentation, or
// semicolons and braces. Lines inside open brackets are one statement.
func statements(s scanned) []*statement {
	if s.indented {
		return byIndent(s.body)
	}
	return byBraces(s.body)
}

func byIndent(body string) []*statement {
	var root statement
	type level struct {
		indent int
		at     *statement
	}
	stack := []level{{-1, &root}}
	var pending string
	pendingIndent, depth := 0, 0
	for _, line := range strings.Split(body, "\n") {
		trimmed := strings.TrimSpace(line)
		if pending == "" {
			if trimmed == "" || trimmed == `""` {
				continue
			}
			pendingIndent = len(line) - len(strings.TrimLeft(line, " \t"))
			pending = trimmed
		} else {
			pending += " " + trimmed
		}
		depth += strings.Count(trimmed, "(") + strings.Count(trimmed, "[") + strings.Count(trimmed, "{") -
			strings.Count(trimmed, ")") - strings.Count(trimmed, "]") - strings.Count(trimmed, "}")
		if depth > 0 || strings.HasSuffix(trimmed, "\\") {
			pending = strings.TrimSuffix(pending, "\\")
			continue
		}
		for len(stack) > 1 && (stack[len(stack)-1].indent >= pendingIndent || len(stack) > maxDepth) {
			stack = stack[:len(stack)-1]
		}
		st := &statement{text: shortened(pending)}
		parent := stack[len(stack)-1].at
		parent.inner = append(parent.inner, st)
		stack = append(stack, level{pendingIndent, st})
		if head, tail, ok := oneLine(st.text); ok {
			st.text = head
			st.inner = append(st.inner, &statement{text: tail})
		}
		pending, depth = "", 0
	}
	if pending != "" {
		root.inner = append(root.inner, &statement{text: shortened(pending)})
	}
	return root.inner
}

// shortened bounds a statement: what stands further behind says nothing more.
func shortened(text string) string {
	const most = 2000
	return text[:min(len(text), most)]
}

// oneLine splits "if x: return y".
func oneLine(s string) (head, tail string, ok bool) {
	if !startsBlock(s) {
		return "", "", false
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth == 0 && i+1 < len(s) && s[i+1] == ' ' {
				return s[:i+1], strings.TrimSpace(s[i+1:]), true
			}
		}
	}
	return "", "", false
}

func startsBlock(s string) bool {
	switch firstWord(s) {
	case "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "case":
		return true
	}
	return false
}

func firstWord(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' && i > 0) {
			return s[:i]
		}
	}
	return s
}

func byBraces(body string) []*statement {
	var root statement
	stack := []*statement{&root}
	var cur strings.Builder
	round := 0
	flush := func(semicolon, opens bool) *statement {
		text := shortened(strings.Join(strings.Fields(cur.String()), " "))
		cur.Reset()
		round = 0
		if strings.Trim(text, ") ,;") == "" {
			return nil
		}
		st := &statement{text: text, bare: !semicolon}
		parent := stack[len(stack)-1]
		parent.inner = append(parent.inner, st)
		for range maxDepth { // a branch or loop around a single statement
			head, tail := withoutBraces(st.text)
			if opens || tail == "" {
				break
			}
			st.text = head
			inner := &statement{text: tail, bare: !semicolon}
			st.inner = append(st.inner, inner)
			st = inner
		}
		return st
	}
	for i := 0; i < len(body); i++ {
		switch c := body[i]; c {
		case '(', '[':
			round++
			cur.WriteByte(c)
		case ')', ']':
			round--
			cur.WriteByte(c)
		case ';':
			if inHeader(cur.String(), round) {
				cur.WriteByte(c)
				continue
			}
			flush(true, false)
		case '{':
			st := flush(false, true)
			if st == nil {
				st = &statement{}
				parent := stack[len(stack)-1]
				parent.inner = append(parent.inner, st)
			}
			if len(stack) > maxDepth {
				st = stack[len(stack)-1]
			}
			stack = append(stack, st)
		case '}':
			flush(false, false)
			if len(stack) == 1 {
				return root.inner // the end of the body
			}
			stack = stack[:len(stack)-1]
		case '\n':
			if ends(cur.String(), round) && begins(body[i+1:]) {
				flush(false, false)
			} else {
				cur.WriteByte(' ')
			}
		default:
			cur.WriteByte(c)
		}
	}
	flush(false, false)
	return root.inner
}

// withoutBraces splits "if (x) return y" and "else return y" into the head and
// the statement it governs, "" when there is none.
func withoutBraces(s string) (head, tail string) {
	word := firstWord(s)
	rest := strings.TrimLeft(s[len(word):], " ")
	switch word {
	case "else":
		if hasPrefix(rest, "if ", "if(") {
			inner, tail := withoutBraces(rest)
			return "else " + inner, tail
		}
		return word, rest
	case "if", "for", "while":
		end := -1
		if strings.HasPrefix(rest, "(") {
			end = matching(rest)
		}
		if end < 0 {
			return s, ""
		}
		tail = strings.TrimLeft(rest[end+1:], " ")
		if tail == "" || !isNameByte(tail[0]) && !strings.ContainsAny(tail[:1], "*(") && !hasPrefix(tail, "++", "--") {
			return s, ""
		}
		return strings.TrimSpace(s[:len(s)-len(tail)]), tail
	}
	return s, ""
}

// inHeader reports whether a semicolon after cur parts the head of a loop or
// branch, within brackets or in front of the block.
func inHeader(cur string, round int) bool {
	cur = strings.TrimSpace(cur)
	word := firstWord(cur)
	switch word {
	case "for":
		return round > 0 || !strings.HasPrefix(strings.TrimLeft(cur[len(word):], " "), "(")
	case "if", "switch":
		return !strings.HasPrefix(strings.TrimLeft(cur[len(word):], " "), "(")
	}
	return false
}

// ends reports whether a statement may be complete at the end of this line.
func ends(cur string, round int) bool {
	cur = strings.TrimSpace(cur)
	if head, tail := withoutBraces(cur + " x"); tail == "x" && head == cur {
		return false // the statement it governs follows
	}
	if word := firstWord(cur); strings.HasSuffix(cur, ":") && (word == "case" || word == "default") {
		return true
	}
	if hasAnySuffix(cur, "++", "--") {
		return round <= 0
	}
	return cur != "" && round <= 0 && !strings.ContainsAny(cur[len(cur)-1:], ",+-*/%&|=<>?:.(![")
}

// begins reports whether the next line starts a statement of its own.
func begins(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\n")
	return rest == "" || !strings.ContainsAny(rest[:1], ".?:+-*/&|=,)]%<>")
}

// visitor is told of a statement, the number of loops around it, and whether it
// belongs to a function inside the function.
type visitor func(st *statement, loops int, inner bool)

// each visits the statements and everything inside them, outermost first.
func each(list []*statement, visit visitor) { eachIn(list, 0, false, visit) }

func eachIn(list []*statement, loops int, inner bool, visit visitor) {
	for _, st := range list {
		visit(st, loops, inner)
		n := loops
		if isLoop(st.text) {
			n++
		}
		eachIn(st.inner, n, inner || !governs(st.text), visit)
	}
}

// governs reports whether a block behind text runs as part of the function.
func governs(text string) bool {
	if isLoop(text) || ifWord.MatchString(text) || choiceWord.MatchString(text) || caseWord.MatchString(text) || catchWord.MatchString(text) {
		return true
	}
	switch firstWord(text) {
	case "", "else", "try", "finally", "with", "using", "unsafe", "do", "synchronized", "lock", "return":
		return !strings.Contains(text, "(|") && !strings.HasSuffix(text, "=>") && !strings.Contains(text, "func(")
	}
	return false
}
