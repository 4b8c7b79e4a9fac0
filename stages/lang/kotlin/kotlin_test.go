package kotlin

import (
	"testing"

	"benchmill/stages/lang/langtest"
)

func TestLanguage(t *testing.T) { langtest.Run(t, Language()) }

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }

func BenchmarkAnalyze(b *testing.B) { langtest.Bench(b, Language()) }

func BenchmarkParseOnly(b *testing.B) { langtest.BenchParseOnly(b, Language()) }
