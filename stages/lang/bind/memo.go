package bind

// memo remembers the values of expressions where no type parameter is bound: those
// of the file asked about in a list, few others in a map.
type memo struct {
	home  *unit
	local []remembered // nil: home's are among the others
	other map[memoKey]value
}

type remembered struct {
	value
	known bool
}

type memoKey struct {
	unit *unit
	expr ExprID
}

func newMemo(home *unit, listed bool) *memo {
	m := &memo{home: home, other: map[memoKey]value{}}
	if listed {
		m.local = make([]remembered, len(home.Exprs))
	}
	return m
}

func (m *memo) get(u *unit, e ExprID) (value, bool) {
	if u == m.home && m.local != nil {
		r := &m.local[e]
		return r.value, r.known
	}
	v, ok := m.other[memoKey{u, e}]
	return v, ok
}

func (m *memo) put(u *unit, e ExprID, v value) {
	if u == m.home && m.local != nil {
		m.local[e] = remembered{v, true}
		return
	}
	m.other[memoKey{u, e}] = v
}

func (m *memo) forget() {
	clear(m.local)
	clear(m.other)
}
