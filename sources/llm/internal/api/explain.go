package api

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"

	"benchmill/pipeline"
)

// brokenError is an exchange without a usable answer.
type brokenError struct {
	reason string
	cause  error // nil when the server answered
	sent   bool  // the request may have reached the server
}

func (e *brokenError) Error() string { return e.reason }
func (e *brokenError) Unwrap() error { return e.cause }

// billable marks errors after which the server may still charge for the request.
type billable struct{ error }

func (e billable) Unwrap() error { return e.error }

// MayBill reports whether the server may charge for the request that failed with
// err: it was sent, and no refusal came back.
func MayBill(err error) bool {
	var b billable
	return errors.As(err, &b)
}

// KeepMayBill carries the answer of [MayBill] over from one error to another.
func KeepMayBill(from, to error) error {
	if MayBill(from) {
		return billable{to}
	}
	return to
}

// Bill marks err as one of [MayBill].
func Bill(err error) error { return billable{err} }

// Remake is an error with other words, which wraps nothing, and with the class
// and the pause of err. What [MayBill] says of it is up to the caller.
func Remake(err error, words string) error {
	out := errors.New(words)
	switch class := pipeline.ClassOf(err); class {
	case pipeline.Permanent:
		return out
	case pipeline.Transient:
		return pipeline.RetryAfter(out, pipeline.PauseOf(err))
	default:
		return pipeline.Mark(out, class)
	}
}

// Free takes from err what [MayBill] says: nothing was asked for that costs.
func Free(err error) error {
	if !MayBill(err) {
		return err
	}
	return Remake(err, err.Error())
}

// StatusOf finds the answer in an error an SDK returned from an exchange.
func StatusOf(err error) (*Status, bool) {
	var s *Status
	ok := errors.As(err, &s)
	return s, ok
}

// Explain turns what an SDK returned into an error for the pipeline: classified,
// and naming the model and what to do. ctx is the caller's.
func (e Endpoint) Explain(ctx context.Context, model string, err error) error {
	if ctx.Err() != nil {
		return billable{fmt.Errorf("model %s: %w", model, context.Cause(ctx))}
	}
	if s, ok := StatusOf(err); ok {
		return e.explainStatus(model, s)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return pipeline.Mark(billable{fmt.Errorf("model %s: no answer within %s", model, e.Timeout)}, pipeline.Transient)
	}
	var broken *brokenError
	if !errors.As(err, &broken) {
		// What the SDK could not read as a reply, though it was JSON.
		return pipeline.Mark(billable{fmt.Errorf("model %s: the answer has not the form of a reply", model)}, pipeline.Transient)
	}
	class := pipeline.Transient
	var certificate *tls.CertificateVerificationError
	if errors.As(broken.cause, &certificate) {
		class = pipeline.Fatal
	}
	plain := fmt.Errorf("model %s: %s", model, broken.reason)
	if broken.sent && class == pipeline.Transient {
		plain = billable{plain}
	}
	return pipeline.Mark(plain, class)
}

func (e Endpoint) explainStatus(model string, s *Status) error {
	plain := fmt.Errorf("model %s: %w", model, s)
	switch {
	case (s.Status == 401 || s.Status == 403) && e.Key == "":
		return pipeline.Mark(fmt.Errorf("%w (no key was sent; api_key_env names the environment variable that holds one)", plain), pipeline.Fatal)
	case s.Status == 401 || s.Status == 403:
		return pipeline.Mark(fmt.Errorf("model %s: the key of environment variable %s was refused: %w", model, e.KeyEnv, s), pipeline.Fatal)
	case s.Code == "insufficient_quota" || s.Status == 402:
		return pipeline.Mark(fmt.Errorf("model %s: the account behind %s has no credit left: %w", model, e.KeyEnv, s), pipeline.Fatal)
	case s.Status == 404:
		return pipeline.Mark(fmt.Errorf("%w (check the model's name and base_url)", plain), pipeline.Fatal)
	case s.Status >= 300 && s.Status < 400:
		return pipeline.Mark(fmt.Errorf("model %s: the server redirects to %s; set base_url to the address itself", model, s.Location), pipeline.Fatal)
	case s.Status == 408 || s.Status == 409 || s.Status == 425 || s.Status == 429 || s.Status >= 500:
		return pipeline.RetryAfter(plain, s.Pause)
	case s.Mentions("response_format", "json_schema", "output_config", "output_format", "structured output", "guided_json"):
		return pipeline.Mark(fmt.Errorf("%w (the model or server takes no JSON Schema; set `structured: false` for this model)", plain), pipeline.Fatal)
	case s.Mentions("temperature"):
		return fmt.Errorf("%w (some models take only `temperature: 1`)", plain)
	}
	return plain
}
