//go:build !linux

package sandbox

import "errors"

type volume struct{ path string }

func fits(int64) bool { return false }

func openVolume(string, int64) (*volume, error) { return nil, errors.ErrUnsupported }

func (v *volume) close() {}

func (v *volume) used() int64 { return 0 }

func controllers() []string { return nil }
