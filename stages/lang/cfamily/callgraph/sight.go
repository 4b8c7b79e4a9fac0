package callgraph

// maxClosure bounds the files that one includes, over others too.
const maxClosure = 20_000

// sight is what one file sees. It is used for one file after the other.
type sight struct {
	*graph
	file  int32
	unit  *unit
	order []int32 // by file: when it is done being included, counted from 1 on top of base; less: not seen
	base  int32
	seen  []int32 // files, the one itself last

	macroOf map[int32]macroRef // by name: what the files that are included say last
	plain   map[plainKey]target
	only    map[int32]ref    // by name of a field: see [sight.onlyRecord]
	pasted  []string         // names that no file has, made of pieces
	pastes  map[string]token // their numbers
	collect collector
	expand  expander
	types   *typedFile // of C++; made when asked for
}

// macroRef is a macro that is seen, or none with file -1.
type macroRef struct {
	ref
	m *macro
}

func newSight(g *graph) *sight {
	return &sight{graph: g, order: make([]int32, len(g.files)), macroOf: map[int32]macroRef{}, plain: map[plainKey]target{}, only: map[int32]ref{}, pastes: map[string]token{}}
}

// open looks out of a file.
func (s *sight) open(file int32) {
	s.base += int32(len(s.files)) + 1
	if s.base > 1<<30 {
		clear(s.order)
		s.base = 1
	}
	s.file, s.unit, s.seen = file, s.units[file], s.seen[:0]
	clear(s.macroOf)
	clear(s.plain)
	clear(s.only)
	clear(s.pastes)
	s.pasted = s.pasted[:0]
	s.close(file)
	if s.included[file] {
		s.close(s.host(file))
	}
	s.expand = expander{sight: s, left: maxExpansion + perToken*len(s.unit.tokens)}
}

// maxHosts bounds the files that are looked through for one that is not included.
const maxHosts = 200

// host is a file that includes another one, over others perhaps, and is not included
// itself: what it includes beside, the other one sees too. It is the file itself if
// there is none.
func (s *sight) host(file int32) int32 {
	queue := []int32{file}
	tried := map[int32]bool{file: true}
	for i := 0; i < len(queue) && i < maxHosts; i++ {
		if !s.included[queue[i]] {
			return queue[i]
		}
		for _, by := range s.includers[queue[i]] {
			if !tried[by] {
				tried[by] = true
				queue = append(queue, by)
			}
		}
	}
	return file
}

// close fills in what a file includes, over others too, in the order in which a
// compiler comes to the end of each.
func (s *sight) close(file int32) {
	if s.order[file] > s.base {
		return
	}
	type step struct {
		file int32
		next int
	}
	stack := []step{{file, 0}}
	s.order[file] = s.base
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if list := s.includes[top.file]; top.next < len(list) && len(s.seen)+len(stack) < maxClosure {
			next := list[top.next]
			top.next++
			if s.order[next] < s.base {
				s.order[next] = s.base
				stack = append(stack, step{next, 0})
			}
			continue
		}
		s.seen = append(s.seen, top.file)
		s.order[top.file] = s.base + int32(len(s.seen))
		stack = stack[:len(stack)-1]
	}
}

// sees reports whether the file includes another one, or is it.
func (s *sight) sees(file int32) bool { return s.order[file] >= s.base }

// maxPasted bounds the names made of pieces about one file.
const maxPasted = 50_000

// nameOf is the number of a name that may stand in no file.
func (s *sight) nameOf(text string) token {
	if id, ok := s.names[text]; ok {
		return token(id)
	}
	if id, ok := s.pastes[text]; ok {
		return id
	}
	if len(s.pasted) >= maxPasted {
		return tokNumber
	}
	id := token(len(s.texts) + len(s.pasted))
	s.pasted = append(s.pasted, text)
	s.pastes[text] = id
	return id
}

// textOf is a name by its number.
func (s *sight) textOf(name int32) string {
	if n := int(name) - len(s.texts); n >= 0 {
		return s.pasted[n]
	}
	return s.texts[name]
}

// macro is what a name stands for at a place of the file, or nil.
func (s *sight) macro(name, at int32) macroRef {
	all := s.macros.of(name)
	if len(all) == 0 {
		return macroRef{}
	}
	own := in(all, s.file)
	for i := len(own) - 1; i >= 0; i-- {
		if m := &s.unit.macros[own[i].index]; m.at < at {
			if m.undef {
				return macroRef{}
			}
			return macroRef{own[i], m}
		}
	}
	got, ok := s.macroOf[name]
	if ok {
		return got
	}
	best := int32(0)
	for i := len(all) - 1; i >= 0; i-- {
		r := all[i]
		if r.file == s.file || !s.included[r.file] || !s.sees(r.file) || s.order[r.file] <= best || i+1 < len(all) && all[i+1].file == r.file {
			continue
		}
		if m := &s.units[r.file].macros[r.index]; !m.undef {
			best, got = s.order[r.file], macroRef{r, m}
		}
	}
	s.macroOf[name] = got
	return got
}
