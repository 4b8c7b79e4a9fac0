package graph

import (
	"fmt"
	"slices"
	"strings"

	"benchmill/pipeline"
)

// connect binds the inputs of all stages, then finds their order and their
// partitions.
func (r *reader) connect() {
	for _, d := range r.drafts {
		if d.usable() {
			r.bind(d)
		} else {
			r.peek(d)
		}
	}
	order := r.order()
	r.partition(order)
	for _, d := range order {
		r.g.Nodes = append(r.g.Nodes, d.Node)
	}
}

// offer is a table, or all tables of a node, that a from names.
type offer struct {
	at     Pos
	path   string
	text   string
	tables []Edge
	known  bool // it was found, and its stage is known
	fits   bool // some input takes, or would take, one of the tables
}

// resolve looks up "node" or "node.port". It reports what is not there.
func (r *reader) resolve(n *node, path string) (o offer, from *draft) {
	o = offer{at: n.pos, path: path, text: n.text}
	if n.bad {
		return o, nil
	}
	if n.kind != scalar || n.tag == "!!null" {
		r.mismatch(n, path, "the name of a table: a node, or node.port", "")
		return o, nil
	}
	nodeName, portName, dotted := strings.Cut(n.text, ".")
	from, ok := r.byName[nodeName]
	if !ok {
		if !r.full() && !r.unclear["stage"] {
			r.add(ClassUnknownName, n.pos, path, hint(nodeName, r.defined["stage"]), "no stage of this file is called %q", clip(nodeName))
		}
		return o, nil
	}
	if !from.usable() {
		return o, from // its unknown stage was reported; whatever it makes may fit
	}
	o.tables = outputs(from.Node)
	if dotted {
		o.tables = slices.DeleteFunc(o.tables, func(e Edge) bool { return e.Port.Name != portName })
		if len(o.tables) == 0 {
			r.add(ClassUnknownName, n.pos, path, hint(portName, portNames(from.Stage.Out)), "%s (%s) makes no table %q", nodeName, from.Stage.Name, clip(portName))
			return o, from
		}
	}
	o.known = true
	return o, from
}

// read is [reader.resolve] for a draft: it notes what was read.
func (r *reader) read(d *draft, n *node, path string) offer {
	o, from := r.resolve(n, path)
	if from != nil && !slices.Contains(d.reads, from) {
		d.reads = append(d.reads, from)
	}
	d.broken = d.broken || !o.known
	return o
}

// peek reports unknown tables in the from of a stage that is itself unknown.
func (r *reader) peek(d *draft) {
	d.broken = true
	if d.from == nil || d.from.isNull() || d.from.bad {
		return
	}
	switch d.from.kind {
	case scalar:
		r.read(d, d.from, d.path+".from")
	case list:
		for i, item := range d.from.items {
			r.read(d, item, fmt.Sprintf("%s.from[%d]", d.path, i))
		}
	case mapping:
		for _, e := range d.from.entries {
			r.read(d, e.value, join(d.path+".from", e.name))
		}
	}
}

func (r *reader) bind(d *draft) {
	path := d.path + ".from"
	before := r.count
	switch {
	case d.from == nil || d.from.isNull():
		r.bindOffers(d, nil)
	case d.from.bad:
		d.broken = true
	case d.from.kind == mapping:
		r.bindPorts(d, path)
	case d.from.kind == list:
		var offers []*offer
		for i, item := range d.from.items {
			o := r.read(d, item, fmt.Sprintf("%s[%d]", path, i))
			offers = append(offers, &o)
		}
		r.bindOffers(d, offers)
	default:
		o := r.read(d, d.from, path)
		r.bindOffers(d, []*offer{&o})
	}
	d.broken = d.broken || r.count > before
}

// bindOffers gives every input port the one offered table of its schema.
func (r *reader) bindOffers(d *draft, offers []*offer) {
	all := true // every offer is known, so that what is missing is missing
	for _, o := range offers {
		all = all && o.known
	}
	for _, group := range bySchema(d.Stage.In) {
		fitting := fit(group[0], offers)
		switch {
		case len(fitting) == 0:
			for _, p := range group {
				if !r.otherVersion(d, p, offers) && all && !p.Optional {
					r.missingInput(d, p)
				}
			}
		case len(fitting) == 1 && taker(group) != nil:
			d.In[taker(group).Name] = fitting[0]
		default:
			r.ambiguous(d, group, fitting)
		}
	}
	for _, o := range offers {
		if o.known && !o.fits {
			r.unused(d, o)
		}
	}
}

// bySchema groups ports that read the same schema, in order.
func bySchema(ports []pipeline.Port) [][]pipeline.Port {
	var out [][]pipeline.Port
	for _, p := range ports {
		i := slices.IndexFunc(out, func(g []pipeline.Port) bool { return g[0].Schema.String() == p.Schema.String() })
		if i < 0 {
			out = append(out, nil)
			i = len(out) - 1
		}
		out[i] = append(out[i], p)
	}
	return out
}

// taker is the port of a group that an only table goes to: the only port, or the
// only one that needs a table.
func taker(group []pipeline.Port) *pipeline.Port {
	if len(group) == 1 {
		return &group[0]
	}
	var one *pipeline.Port
	for i, p := range group {
		switch {
		case p.Optional:
		case one != nil:
			return nil
		default:
			one = &group[i]
		}
	}
	return one
}

func (r *reader) ambiguous(d *draft, group []pipeline.Port, fitting []Edge) {
	schema := group[0].Schema
	h := fmt.Sprintf("say which: from: {%s: %s, ...}", group[0].Name, fitting[0])
	switch {
	case len(group) == 1:
		r.add(ClassAmbiguous, d.fromPos(), d.path+".from", h, "input %q reads one table %s, and there are %d: %s", group[0].Name, schema, len(fitting), joinEdges(fitting, ", "))
	case len(fitting) == 1:
		r.add(ClassAmbiguous, d.fromPos(), d.path+".from", h, "%s fits more than one input: %s", fitting[0], strings.Join(portNames(group), ", "))
	default:
		r.add(ClassAmbiguous, d.fromPos(), d.path+".from", h, "more than one input reads %s: %s; and there are %d such tables: %s",
			schema, strings.Join(portNames(group), ", "), len(fitting), joinEdges(fitting, ", "))
	}
}

// fit lists the offered tables of p's schema, each once.
func fit(p pipeline.Port, offers []*offer) []Edge {
	var out []Edge
	for _, o := range offers {
		for _, e := range o.tables {
			if !matches(p, e) {
				continue
			}
			o.fits = true
			if !slices.ContainsFunc(out, func(f Edge) bool { return f.String() == e.String() }) {
				out = append(out, e)
			}
		}
	}
	return out
}

func matches(p pipeline.Port, e Edge) bool {
	return p.Schema.Name == e.Port.Schema.Name && p.Schema.Version == e.Port.Schema.Version
}

// otherVersion reports an offered table that is p's but for the version.
func (r *reader) otherVersion(d *draft, p pipeline.Port, offers []*offer) bool {
	found := false
	for _, o := range offers {
		for _, e := range o.tables {
			if e.Port.Schema.Name == p.Schema.Name {
				o.fits, found = true, true
				r.mismatched(d, p, e, o)
			}
		}
	}
	return found
}

func (r *reader) mismatched(d *draft, p pipeline.Port, e Edge, o *offer) {
	r.add(ClassSchema, o.at, o.path, "", "input %q of %s reads %s, and %s is %s", p.Name, d.Stage.Name, p.Schema, e, e.Port.Schema)
}

func (r *reader) missingInput(d *draft, p pipeline.Port) {
	if r.full() {
		return
	}
	makers := r.makers(d, p)
	path, at := d.path+".from", d.fromPos()
	switch {
	case len(makers) == 1:
		r.add(ClassMissingInput, at, path, fmt.Sprintf("add %s, which makes one", makers[0]), "missing input %q, a table %s", p.Name, p.Schema)
	case len(makers) > 1:
		r.add(ClassMissingInput, at, path, "made in this file by: "+strings.Join(makers[:min(len(makers), maxListed)], ", "), "missing input %q, a table %s", p.Name, p.Schema)
	default:
		h := ""
		if stages := r.stagesMaking(p); len(stages) > 0 {
			h = "add a stage that does: " + strings.Join(stages[:min(len(stages), maxListed)], ", ")
		}
		r.add(ClassMissingInput, at, path, h, "missing input %q, a table %s, which no stage of this file makes", p.Name, p.Schema)
	}
}

func (r *reader) unused(d *draft, o *offer) {
	if len(d.Stage.In) == 0 {
		r.add(ClassUnusedTable, o.at, o.path, "", "%s reads no tables", d.Stage.Name)
		return
	}
	r.add(ClassUnusedTable, o.at, o.path, "", "%s is %s; %s reads only %s", clip(o.text), schemasOf(o.tables), d.Stage.Name, schemasOf(edges(d.Stage.In)))
}

func edges(ports []pipeline.Port) []Edge {
	out := make([]Edge, len(ports))
	for i, p := range ports {
		out[i] = Edge{Port: p}
	}
	return out
}

// schemasOf is "a/1, b/2 and c/1".
func schemasOf(tables []Edge) string {
	var names []string
	for _, e := range tables {
		if s := e.Port.Schema.String(); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// bindPorts reads the mapping form, input -> table.
func (r *reader) bindPorts(d *draft, path string) {
	given := map[string]bool{}
	for _, e := range d.from.entries {
		at := join(path, e.name)
		p, ok := d.Stage.Input(e.name)
		if !ok {
			if !r.full() {
				r.add(ClassUnknownKey, e.pos, path, hint(e.name, portNames(d.Stage.In)), "%s has no input %q", d.Stage.Name, clip(e.name))
			}
			r.read(d, e.value, at)
			continue
		}
		given[p.Name] = true
		o := r.read(d, e.value, at)
		if !o.known {
			continue
		}
		switch fitting := fit(p, []*offer{&o}); {
		case len(fitting) == 1:
			d.In[p.Name] = fitting[0]
		case len(fitting) > 1:
			r.add(ClassAmbiguous, o.at, o.path, "name one of them", "input %q reads one table %s, and %s makes %d: %s", p.Name, p.Schema, clip(o.text), len(fitting), joinEdges(fitting, ", "))
		case len(o.tables) == 1:
			r.mismatched(d, p, o.tables[0], &o)
		default:
			r.add(ClassSchema, o.at, o.path, "", "input %q of %s reads %s, and %s makes %s", p.Name, d.Stage.Name, p.Schema, clip(o.text), schemasOf(o.tables))
		}
	}
	for _, p := range d.Stage.In {
		if !p.Optional && !given[p.Name] {
			r.missingInput(d, p)
		}
	}
}
