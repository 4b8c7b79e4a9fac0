// Package api is what model providers behind an HTTP API share: where the
// service is, how one exchange is bounded, and what its failures mean.
//
// An SDK builds the request and reads the reply; every byte in between passes
// [Endpoint.Exchange], so that two SDKs fail alike. No error made here wraps one
// of an SDK, because those hold the request and with it the credential.
package api
