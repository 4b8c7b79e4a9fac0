package githubtest

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"benchmill/pipeline"
)

// What can go wrong with one request.
const (
	FaultMoved      = "301"             // to the other address of the repository
	FaultFound      = "302"             // likewise, for once
	FaultUnmodified = "304 unasked"     // to a request without conditions
	FaultForbidden  = "403"             // without a word about limits
	FaultLimited    = "403 limit"       // remaining 0, reset in a few seconds
	FaultSecondary  = "403 secondary"   // without any time
	FaultMissing    = "404"             //
	FaultGone       = "410"             //
	FaultInvalid    = "422"             //
	FaultTooMany    = "429"             // with Retry-After
	FaultBlocked    = "451"             //
	FaultInternal   = "500"             //
	FaultGateway    = "502"             // an HTML page
	FaultTruncated  = "truncated"       // Content-Length promises more
	FaultReset      = "reset"           // of the connection
	FaultPage       = "HTML page"       // with 200 and its true content type
	FaultShape      = "other shape"     // JSON, but an object for a list or a list for an object
	FaultIncomplete = "incomplete"      // a search that timed out: incomplete_results, part of them
	FaultUnlimited  = "graphql limited" // RATE_LIMITED with points left, reset in a few seconds
)

// AllFaults are all of them.
func AllFaults() []string {
	return []string{
		FaultMoved, FaultFound, FaultUnmodified, FaultForbidden, FaultLimited, FaultSecondary, FaultMissing, FaultGone, FaultInvalid,
		FaultTooMany, FaultBlocked, FaultInternal, FaultGateway, FaultTruncated, FaultReset, FaultPage, FaultShape, FaultIncomplete, FaultUnlimited,
	}
}

// Faults answer some requests falsely. Which ones depends on the seed and the
// request's number alone, which of the possible faults also on what is asked.
type Faults struct {
	Share float64 // of all requests, 0 to 1
	Seed  pipeline.Seed
	Kinds []string // nil: all
	// Run is the most faults in a row for one address; 0 is 2, so that who believes
	// what three answers say never believes a fault. Negative: no bound.
	Run int
}

type faultState struct {
	mu  sync.Mutex
	f   Faults
	run map[string]int // faults in a row by address
}

func (s *faultState) set(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Run == 0 {
		f.Run = 2
	}
	if f.Kinds == nil {
		f.Kinds = AllFaults()
	}
	s.f, s.run = f, map[string]int{}
}

// next is the fault of a request, "" for a true answer a.
func (s *faultState) next(n int64, c *call, a answer) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f.Share <= 0 {
		return ""
	}
	address := c.address()
	random := s.f.Seed.Rand("fault/" + strconv.FormatInt(n, 10))
	if random.Float64() >= s.f.Share || s.f.Run > 0 && s.run[address] >= s.f.Run {
		delete(s.run, address)
		return ""
	}
	kinds := slices.DeleteFunc(slices.Clone(s.f.Kinds), func(kind string) bool { return !possible(kind, c, a) })
	if len(kinds) == 0 {
		delete(s.run, address)
		return ""
	}
	s.run[address]++
	return kinds[random.IntN(len(kinds))]
}

// possible tells which faults make sense for a request and its true answer.
func possible(kind string, c *call, a answer) bool {
	get := c.r.Method == http.MethodGet
	switch kind {
	case FaultMoved:
		return get && c.repo != nil && !c.alias
	case FaultFound:
		return get && c.repo != nil
	case FaultUnmodified:
		return get && c.r.Header.Get("If-None-Match") == "" && c.r.Header.Get("If-Modified-Since") == ""
	case FaultTruncated, FaultShape:
		return a.status == http.StatusOK && len(a.body) > 1
	case FaultIncomplete:
		return c.resource == "search" && a.status == http.StatusOK
	case FaultUnlimited:
		return c.resource == "graphql"
	}
	return true
}

// faulty turns a true answer into a false one.
func (s *Server) faulty(kind string, c *call, a answer, b *budget) answer {
	soon := s.options.Now().Truncate(time.Second).Add(5 * time.Second)
	switch kind {
	case FaultMoved, FaultFound:
		s.world.mu.RLock()
		defer s.world.mu.RUnlock()
		status, _ := strconv.Atoi(kind)
		return redirect(status, c.otherAddress())
	case FaultUnmodified:
		return answer{status: http.StatusNotModified}
	case FaultForbidden:
		return failure(http.StatusForbidden, "Resource not accessible")
	case FaultLimited:
		b.used, b.reset = b.limit, soon
		return failure(http.StatusForbidden, "API rate limit exceeded for a while.")
	case FaultSecondary:
		return failure(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	case FaultMissing:
		return notFound()
	case FaultGone:
		return failure(http.StatusGone, "Issues has been disabled in this repository.")
	case FaultInvalid:
		return invalid("Issue", "page", "is invalid")
	case FaultTooMany:
		out := failure(http.StatusTooManyRequests, "You have exceeded a secondary rate limit.")
		out.header = http.Header{"Retry-After": {"3"}}
		return out
	case FaultBlocked:
		return blocked(soon)
	case FaultInternal:
		return failure(http.StatusInternalServerError, "Server Error")
	case FaultGateway:
		return page(http.StatusBadGateway)
	case FaultPage:
		return page(http.StatusOK)
	case FaultTruncated, FaultReset:
		a.broken = kind
		return a
	case FaultShape:
		a.body = map[bool][]byte{true: []byte(`{"total":0}`), false: []byte(`[]`)}[a.body[0] == '[']
		return a
	case FaultIncomplete:
		return c.incomplete(a)
	case FaultUnlimited:
		b.used, b.reset = b.limit, soon
		return exhausted("graphql", "")
	}
	panic("githubtest: no such fault: " + kind)
}

// page is what a proxy in between answers.
func page(status int) answer {
	return answer{status: status, header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		body: []byte("<!DOCTYPE html>\n<html><body><h1>This page is taking too long to load.</h1></body></html>\n")}
}
