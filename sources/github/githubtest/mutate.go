package githubtest

import (
	"slices"
	"strings"
	"time"
)

// id numbers everything there is, w.mu held.
func (w *World) id() int64 {
	w.lastID++
	return w.lastID
}

// User is the account of a login, made when it is new. A login that ends in "[bot]"
// is a bot's.
func (w *World) User(login string) *User {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.user(login)
}

func (w *World) user(login string) *User {
	if u := w.users[login]; u != nil {
		return u
	}
	u := &User{Login: login, ID: w.id(), Type: "User"}
	if strings.HasSuffix(login, "[bot]") {
		u.Type = "Bot"
	}
	w.users[login] = u
	return u
}

// AddRepository adds a repository and the issues it has. What has no number gets
// one. It panics when the name is taken; a former name is not.
func (w *World) AddRepository(r *Repository) *Repository {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := strings.ToLower(r.FullName())
	if other := w.byName[name]; other != nil && strings.EqualFold(other.FullName(), name) {
		panic("githubtest: there already is a repository " + r.FullName())
	}
	if r.ID == 0 {
		r.ID = w.id()
	}
	w.repos = append(w.repos, r)
	w.byID[r.ID], w.byName[name] = r, r
	for _, was := range r.Was {
		w.byName[strings.ToLower(was)] = r
	}
	if r.Updated.IsZero() {
		r.Updated = r.Created
	}
	if r.Pushed.IsZero() {
		r.Pushed = r.Updated
	}
	issues := r.Issues
	r.Issues = nil
	for _, i := range issues {
		w.addIssue(r, i)
	}
	return r
}

// AddIssue adds an issue or a pull request with the comments, events and reviews
// it has. Number 0 is the next free one; an update time of zero is the newest time
// it mentions.
func (w *World) AddIssue(r *Repository, i *Issue) *Issue {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.addIssue(r, i)
}

func (w *World) addIssue(r *Repository, i *Issue) *Issue {
	i.repo = r
	if i.Number == 0 {
		i.Number = r.lastNumber + 1
	}
	if i.ID == 0 {
		i.ID = w.id()
	}
	given := !i.Updated.IsZero()
	updated := i.Updated
	i.touch(i.Created)
	if !i.Closed.IsZero() {
		i.State = "closed"
		i.touch(i.Closed)
	}
	for _, c := range i.Comments {
		w.adopt(i, c)
	}
	for _, e := range i.Events {
		if e.ID == 0 {
			e.ID = w.id()
		}
		i.touch(e.At)
	}
	if i.Pull != nil {
		for k := range i.Pull.Reviews {
			review := &i.Pull.Reviews[k]
			if review.ID == 0 {
				review.ID = w.id()
			}
			i.touch(review.Submitted)
		}
	}
	if given {
		i.Updated = updated
	}
	at, found := slices.BinarySearchFunc(r.Issues, i.Number, byNumber)
	if found {
		panic("githubtest: an issue's number is taken")
	}
	r.Issues = slices.Insert(r.Issues, at, i)
	r.lastNumber = max(r.lastNumber, i.Number)
	r.revision.Add(1)
	return i
}

// AddComment adds a comment, which also updates the issue.
func (w *World) AddComment(i *Issue, c *Comment) *Comment {
	w.mu.Lock()
	defer w.mu.Unlock()
	i.Comments = append(i.Comments, c)
	w.adopt(i, c)
	i.changed()
	return c
}

// adopt gives a comment what it lacks, w.mu held.
func (w *World) adopt(i *Issue, c *Comment) {
	c.issue = i
	if c.ID == 0 {
		c.ID = w.id()
	}
	if c.Updated.IsZero() {
		c.Updated = c.Created
	}
	i.touch(c.Created)
}

// Edit changes an issue at a time.
func (w *World) Edit(i *Issue, at time.Time, change func(*Issue)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(i)
	i.touch(at)
	i.changed()
}

// EditComment changes a comment at a time; the issue is not updated by it.
func (w *World) EditComment(c *Comment, at time.Time, change func(*Comment)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(c)
	c.Updated = at
	c.revision.Add(1)
	c.issue.repo.revision.Add(1)
}

// DeleteComment takes a comment away; the issue is not updated by it.
func (w *World) DeleteComment(c *Comment) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := c.issue
	i.Comments = slices.DeleteFunc(i.Comments, func(other *Comment) bool { return other == c })
	i.changed()
}

// AddEvent adds an entry to an issue's timeline. A closing closes the issue, a
// reopening opens it.
func (w *World) AddEvent(i *Issue, e *Event) *Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.ID == 0 {
		e.ID = w.id()
	}
	switch e.Kind {
	case EventClosed:
		i.State, i.Reason, i.Closed, i.ClosedBy = "closed", e.Reason, e.At, e.Actor
		if i.Reason == "" && i.Pull == nil {
			i.Reason = "completed"
		}
	case EventReopened:
		i.State, i.Reason, i.Closed, i.ClosedBy = "open", "reopened", time.Time{}, nil
	case EventLabelled:
		i.Labels = append(slices.Clone(i.Labels), e.Label)
	}
	i.Events = append(i.Events, e)
	i.touch(e.At)
	i.changed()
	return e
}

// Close closes an issue.
func (w *World) Close(i *Issue, at time.Time, by *User) {
	w.AddEvent(i, &Event{Kind: EventClosed, At: at, Actor: by})
}

// Reopen opens a closed issue.
func (w *World) Reopen(i *Issue, at time.Time, by *User) {
	w.AddEvent(i, &Event{Kind: EventReopened, At: at, Actor: by})
}

// Merge merges and closes a pull request, and closes the issues it refers to.
func (w *World) Merge(i *Issue, at time.Time, by *User, commit string) {
	w.Edit(i, at, func(i *Issue) { i.Pull.Merged, i.Pull.MergedBy, i.Pull.MergeCommit = at, by, commit })
	w.Close(i, at, by)
	for _, closed := range i.Pull.Closes {
		w.AddEvent(closed, &Event{Kind: EventClosed, At: at, Actor: by, From: i})
	}
}

// DeleteIssue takes an issue out of every list. Alone it is 410 from then on, its
// comments are gone.
func (w *World) DeleteIssue(i *Issue) {
	w.Edit(i, i.Updated, func(i *Issue) { i.Deleted = true })
}

// Rename gives a repository another name (owner/name). The former one redirects.
func (w *World) Rename(r *Repository, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.Was = append(r.Was, r.FullName())
	r.Owner, r.Name, _ = strings.Cut(name, "/")
	w.byName[strings.ToLower(name)] = r
	r.bumpAll()
}

// Change changes anything else of a repository: stars, topics, files, commits, its
// issues switched off, blocked, deleted. Names are for [World.Rename], issues for
// their own methods.
func (w *World) Change(r *Repository, change func(*Repository)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(r)
	r.bumpAll()
}

// DeleteUser turns an account into a ghost.
func (w *World) DeleteUser(u *User) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u.Deleted = true
	for _, r := range w.repos {
		r.bumpAll()
	}
}

func (i *Issue) touch(at time.Time) {
	if at.After(i.Updated) {
		i.Updated = at
	}
}

func (i *Issue) changed() {
	i.revision.Add(1)
	i.repo.revision.Add(1)
}

// bumpAll outdates everything rendered of the repository.
func (r *Repository) bumpAll() {
	r.revision.Add(1)
	for _, i := range r.Issues {
		i.revision.Add(1)
		for _, c := range i.Comments {
			c.revision.Add(1)
		}
	}
}
