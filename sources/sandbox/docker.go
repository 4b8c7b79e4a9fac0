package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"benchmill/pipeline"
)

// docker is a client of the few calls of Docker's HTTP API that [Containers] needs,
// over a socket of this machine.
type docker struct {
	client http.Client
	where  string // for people
	err    error  // why there is no client
}

func newDocker(host string) *docker {
	host = cmp.Or(host, "unix:///var/run/docker.sock")
	path, ok := strings.CutPrefix(host, "unix://")
	d := &docker{where: host}
	if !ok {
		d.err = fmt.Errorf("the container engine at %s is not reached by a socket of this machine (unix://...), and would not see a job's folder", host)
		return d
	}
	d.client.Transport = &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
		DisableCompression: true,
	}
	return d
}

// refusal is an answer that says no.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (status %d)", r.message, r.status) }

func refused(err error, status int) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == status
}

// Most bytes of an answer that is read whole.
const maxAnswer = 8 << 20

// send sends a request. An answer that is no success is a [refusal]; what cannot be
// sent or read may go better another time.
func (d *docker) send(ctx context.Context, method, path string, query url.Values, body any, head http.Header) (*http.Response, error) {
	if d.err != nil {
		return nil, d.err
	}
	var text io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(data)
	}
	address := url.URL{Scheme: "http", Host: "docker", Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, address.String(), text)
	if err != nil {
		return nil, err
	}
	for k, v := range head {
		req.Header[k] = v
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := d.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, pipeline.Mark(fmt.Errorf("container engine at %s: %w", d.where, err), pipeline.Transient)
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	var said struct{ Message string }
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	_ = json.Unmarshal(data, &said)
	err = fmt.Errorf("container engine at %s: %s %s: %w", d.where, method, path, &refusal{resp.StatusCode, cmp.Or(said.Message, http.StatusText(resp.StatusCode))})
	if resp.StatusCode >= 500 {
		err = pipeline.Mark(err, pipeline.Transient)
	}
	return nil, err
}

// call sends a request and reads the answer into out, unless that is nil.
func (d *docker) call(ctx context.Context, method, path string, query url.Values, body, out any) error {
	resp, err := d.send(ctx, method, path, query, body, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err == nil && out != nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil && ctx.Err() == nil {
		return pipeline.Mark(fmt.Errorf("container engine at %s: answer to %s: %w", d.where, path, err), pipeline.Transient)
	}
	return err
}

// attach takes over the connection of a container's outputs and input.
func (d *docker) attach(ctx context.Context, id string) (io.ReadWriteCloser, error) {
	resp, err := d.upgrade(ctx, "/containers/"+id+"/attach", url.Values{"stream": {"1"}, "stdin": {"1"}, "stdout": {"1"}, "stderr": {"1"}})
	if err != nil {
		return nil, err
	}
	conn, ok := resp.Body.(io.ReadWriteCloser)
	if !ok {
		resp.Body.Close()
		return nil, fmt.Errorf("container engine at %s: does not hand over the connection of a container", d.where)
	}
	return conn, nil
}

func (d *docker) upgrade(ctx context.Context, path string, query url.Values) (*http.Response, error) {
	return d.send(ctx, http.MethodPost, path, query, nil, http.Header{"Connection": {"Upgrade"}, "Upgrade": {"tcp"}})
}

// values decodes JSON values as they come, until see says enough or the end.
func values[T any](from io.ReadCloser, see func(T) bool) error {
	defer from.Close()
	for all := json.NewDecoder(from); ; {
		var v T
		if err := all.Decode(&v); err != nil {
			return err
		}
		if !see(v) {
			return nil
		}
	}
}
