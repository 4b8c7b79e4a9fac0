package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// jsx describes an element. A component is a function of its attributes.
func (b *binder) jsx(at int32) {
	var component bind.ExprID
	for c := range b.t.Children(at) {
		if !b.named(c) {
			continue
		}
		switch kind := b.t.Kind(c); kind {
		case "identifier":
			if text := b.t.Text(c); text[0] < 'a' || text[0] > 'z' { // others are elements of the page
				component = b.value(c)
			}
		case "member_expression":
			component = b.expr(c, 0)
		case "type_arguments":
			b.types(c)
		case "jsx_attribute":
			b.jsxAttribute(c, component)
		case "jsx_opening_element", "jsx_closing_element", "jsx_element", "jsx_self_closing_element", "jsx_fragment":
			if b.deeper() {
				b.jsx(c)
			}
			b.nesting--
		case "jsx_expression", "spread_element":
			b.operands(c)
		}
	}
}

func (b *binder) jsxAttribute(at int32, component bind.ExprID) {
	name := ""
	for c := range b.t.Children(at) {
		switch b.t.Kind(c) {
		case "property_identifier":
			name = b.t.Text(c)
		case "jsx_expression":
			var expects bind.ExprID
			if x := b.only(c); component != 0 && x != treesitter.NoNode && mayNeedContext(b.t.Kind(x)) {
				expects = b.member(b.Expect(b.resultOf(component), 0, bind.Itself), name)
			}
			b.last(c, expects)
		case "jsx_element", "jsx_self_closing_element", "jsx_fragment":
			b.expr(c, 0)
		}
	}
}
