package yabloco

import (
	"errors"
	"fmt"
	"strings"

	"benchmill/schemas"
)

// ErrNoBody reports a reply that holds no body which could stand in the file. It is
// the reply's fault: a wrong answer.
var ErrNoBody = errors.New("the reply holds no body")

// ErrOtherFile reports a file that is not the one a task was made of.
var ErrOtherFile = errors.New("not the file of the task")

// Place puts the body that a reply holds, see [Extract], in the place of the
// original. All before it, with the signature, and all after it stays. file is the
// task's file as committed.
func Place(file string, t schemas.BodyTask, reply string) (string, error) {
	if t.Start < 0 || t.Start > t.Body || t.Body > t.End || t.End > int64(len(file)) || oneLine(file[t.Start:t.Body]) != oneLine(t.Signature) {
		return "", fmt.Errorf("task %s: %s: %w", t.TaskID, t.File, ErrOtherFile)
	}
	body, ok := Extract(reply, t.Name, strings.HasPrefix(t.Reference, ":"))
	if !ok {
		return "", fmt.Errorf("task %s: %w", t.TaskID, ErrNoBody)
	}
	return file[:t.Body] + strings.TrimRight(body, " \t\r\n") + file[t.End:], nil
}
