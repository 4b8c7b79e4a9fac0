package rust

import (
	"testing"

	"benchmill/stages/lang/langtest"
)

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }
