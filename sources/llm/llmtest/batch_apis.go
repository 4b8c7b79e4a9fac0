package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// openAIBatches: files in and out, batches that name them.
type openAIBatches struct{}

func (openAIBatches) step(r *http.Request) (string, string) {
	switch rest, ok := strings.CutPrefix(r.URL.Path, "/v1/"); {
	case !ok:
		return "", ""
	case rest == "files" && r.Method == http.MethodPost:
		return StepUpload, ""
	case rest == "batches" && r.Method == http.MethodPost:
		return StepCreate, ""
	case rest == "batches" && r.Method == http.MethodGet:
		return StepList, ""
	case strings.HasPrefix(rest, "batches/"):
		return StepGet, strings.TrimPrefix(rest, "batches/")
	case strings.HasPrefix(rest, "files/") && strings.HasSuffix(rest, "/content"):
		return StepResults, strings.TrimSuffix(strings.TrimPrefix(rest, "files/"), "/content")
	}
	return "", ""
}

func (openAIBatches) create(s *Server, r *http.Request) (*ServerBatch, error) {
	var ask struct {
		File     string            `json:"input_file_id"`
		Endpoint string            `json:"endpoint"`
		Window   string            `json:"completion_window"`
		Metadata map[string]string `json:"metadata"`
	}
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		return nil, err
	}
	data, ok := s.batch.files[ask.File]
	if !ok || ask.Endpoint != "/v1/chat/completions" || ask.Window != "24h" {
		return nil, fmt.Errorf("cannot do %+v", ask)
	}
	b := &ServerBatch{file: ask.File, Metadata: ask.Metadata}
	for line := range bytes.Lines(data) {
		var l struct {
			ID     string         `json:"custom_id"`
			Method string         `json:"method"`
			URL    string         `json:"url"`
			Body   map[string]any `json:"body"`
		}
		if err := json.Unmarshal(line, &l); err != nil || l.Method != "POST" || l.URL != ask.Endpoint {
			return nil, fmt.Errorf("bad line %s", line)
		}
		b.Items, b.Bodies = append(b.Items, l.ID), append(b.Bodies, l.Body)
	}
	return b, checkItems(b.Items, 1<<10)
}

func (openAIBatches) show(s *Server, b *ServerBatch, ended bool) any {
	out := map[string]any{
		"id": b.ID, "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": b.file, "completion_window": "24h",
		"created_at": b.created.Unix(), "metadata": b.Metadata, "status": "in_progress",
	}
	if !ended {
		return out
	}
	out["status"], out["output_file_id"], out["error_file_id"] = "completed", "out-"+b.ID, "err-"+b.ID
	switch fate, rest, _ := strings.Cut(s.Batch.Fate, ":"); fate {
	case "expired":
		out["status"] = "expired"
	case "canceled":
		out["status"] = "cancelled"
	case "failed":
		delete(out, "output_file_id")
		delete(out, "error_file_id")
		failure := map[string]any{"message": "the server says " + rest}
		code, line, hasLine := strings.Cut(rest, ":")
		if failure["code"] = code; hasLine {
			failure["line"], _ = strconv.Atoi(line)
		}
		out["status"], out["errors"] = "failed", map[string]any{"object": "list", "data": []any{failure}}
	}
	return out
}

func (openAIBatches) page(all []any, more bool) any {
	return map[string]any{"object": "list", "data": all, "has_more": more}
}

func (openAIBatches) cursor(r *http.Request) string { return r.URL.Query().Get("after") }

func (openAIBatches) split() bool { return true }

func (openAIBatches) batchOf(id string) (string, bool) {
	if batch, ok := strings.CutPrefix(id, "err-"); ok {
		return batch, true
	}
	return strings.TrimPrefix(id, "out-"), false
}

func (openAIBatches) line(s *Server, item, outcome string, body map[string]any) any {
	out := map[string]any{"id": "r", "custom_id": item, "response": nil, "error": nil}
	if status, ok := statusOf(outcome); ok {
		out["response"] = map[string]any{"status_code": status, "body": map[string]any{"error": map[string]any{"message": "the server says " + outcome}}}
		return out
	}
	switch outcome {
	case "expired":
		out["error"] = map[string]any{"code": "batch_expired", "message": "too late"}
	case "canceled":
		out["error"] = map[string]any{"code": "batch_cancelled", "message": "canceled"}
	default:
		out["response"] = map[string]any{"status_code": 200, "request_id": "q", "body": s.api.reply(body, echo(body), "")}
	}
	return out
}

// anthropicBatches: requests in, lines out.
type anthropicBatches struct{}

func (anthropicBatches) step(r *http.Request) (string, string) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/v1/messages/batches")
	id, results := strings.CutSuffix(strings.TrimPrefix(rest, "/"), "/results")
	switch {
	case !ok:
		return "", ""
	case rest == "" && r.Method == http.MethodPost:
		return StepCreate, ""
	case rest == "":
		return StepList, ""
	case results:
		return StepResults, id
	}
	return StepGet, id
}

func (anthropicBatches) create(_ *Server, r *http.Request) (*ServerBatch, error) {
	var ask struct {
		Requests []struct {
			ID     string         `json:"custom_id"`
			Params map[string]any `json:"params"`
		} `json:"requests"`
	}
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		return nil, err
	}
	b := &ServerBatch{}
	for _, q := range ask.Requests {
		b.Items, b.Bodies = append(b.Items, q.ID), append(b.Bodies, q.Params)
	}
	return b, checkItems(b.Items, 64)
}

func (anthropicBatches) show(_ *Server, b *ServerBatch, ended bool) any {
	out := map[string]any{
		"id": b.ID, "type": "message_batch", "created_at": b.created.Format(time.RFC3339Nano), "expires_at": b.created.Add(24 * time.Hour).Format(time.RFC3339),
		"processing_status": "in_progress", "request_counts": map[string]any{"processing": len(b.Items)},
	}
	if ended {
		out["processing_status"], out["request_counts"] = "ended", map[string]any{"succeeded": len(b.Items)}
	}
	return out
}

func (anthropicBatches) page(all []any, more bool) any {
	out := map[string]any{"data": all, "has_more": more}
	if len(all) > 0 {
		out["last_id"] = all[len(all)-1].(map[string]any)["id"]
	}
	return out
}

func (anthropicBatches) cursor(r *http.Request) string    { return r.URL.Query().Get("after_id") }
func (anthropicBatches) split() bool                      { return false }
func (anthropicBatches) batchOf(id string) (string, bool) { return id, false }

func (anthropicBatches) line(s *Server, item, outcome string, body map[string]any) any {
	result := map[string]any{"type": "succeeded"}
	if status, ok := statusOf(outcome); ok {
		kind := map[int]string{400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error", 500: "api_error"}[status]
		result = map[string]any{"type": "errored", "error": map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": "the server says " + outcome}}}
	} else if outcome == "expired" || outcome == "canceled" {
		result["type"] = outcome
	} else {
		result["message"] = s.api.reply(body, echo(body), "")
	}
	return map[string]any{"custom_id": item, "result": result}
}

// checkItems is what both APIs ask of custom_id.
func checkItems(items []string, longest int) error {
	seen := map[string]bool{}
	for _, id := range items {
		if id == "" || len(id) > longest || seen[id] || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			return fmt.Errorf("custom_id %q is too long, stands twice or has odd letters", id)
		}
		seen[id] = true
	}
	if len(items) == 0 {
		return errors.New("an empty batch")
	}
	return nil
}
