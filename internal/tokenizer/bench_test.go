package tokenizer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sourceText returns some megabytes of the Go distribution's own source, files
// in order.
func sourceText(b *testing.B) string {
	b.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skipf("no Go distribution to take text from: %v", err)
	}
	var text strings.Builder
	for _, dir := range []string{"net/http", "go/types", "crypto/tls", "reflect", "runtime", "encoding/json", "os", "text/template"} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			b.Fatal(err)
		}
		slices.Sort(files)
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			text.Write(data)
		}
	}
	if text.Len() == 0 {
		b.Skip("the Go distribution has no source")
	}
	return text.String()
}

func benchmark(b *testing.B, t Tokenizer) {
	text := sourceText(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var tokens int
	for b.Loop() {
		tokens = t.Count(text)
	}
	b.ReportMetric(float64(len(text))/float64(tokens), "bytes/token")
}

func BenchmarkLlama2(b *testing.B) {
	benchmark(b, sharedTokenizer(b, KindSentencePiece, "llama2.model"))
}

func BenchmarkStarCoder(b *testing.B) {
	benchmark(b, sharedTokenizer(b, KindHuggingFace, "starcoder.tokenizer.json"))
}

func BenchmarkEmbedded(b *testing.B) { benchmark(b, Embedded()) }

// BenchmarkTiktoken measures the code path of cl100k_base with the embedded
// vocabulary written as a rank file.
func BenchmarkTiktoken(b *testing.B) {
	t, err := Load(KindTiktoken, "cl100k_base", rankFile(embeddedTokens(b)))
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, t)
}

// BenchmarkLines counts line by line, as long contexts are put together.
func BenchmarkLines(b *testing.B) {
	text := sourceText(b)
	lines := strings.Split(text, "\n")
	counter := LineCounter(Embedded())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			counter.Count(line)
		}
	}
}

// rankFile writes tokens as a tiktoken rank file, ranked by their place.
func rankFile(tokens []string) []byte {
	var b bytes.Buffer
	for rank, token := range tokens {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), rank)
	}
	return b.Bytes()
}
