// Package all is the registry of languages. Adding one is one line here and one
// folder beside it.
package all

import (
	"benchmill/stages/lang"
	"benchmill/stages/lang/c"
	"benchmill/stages/lang/cpp"
	"benchmill/stages/lang/csharp"
	"benchmill/stages/lang/golang"
	"benchmill/stages/lang/java"
	"benchmill/stages/lang/kotlin"
	"benchmill/stages/lang/python"
	"benchmill/stages/lang/rust"
	"benchmill/stages/lang/typescript"
)

// Languages lists every language, ready to use: queries are compiled.
func Languages() (*lang.Set, error) {
	return lang.NewSet([]*lang.Language{
		python.Language(),
		java.Language(),
		typescript.Language(),
		rust.Language(),
		cpp.Language(),
		c.Language(),
		csharp.Language(),
		golang.Language(),
		kotlin.Language(),
	})
}
