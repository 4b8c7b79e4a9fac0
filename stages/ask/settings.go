package ask

import (
	"fmt"
	"maps"

	"benchmill/pipeline"
)

// Settings are what every stage that asks a model has among its settings;
// embed it with `yaml:",inline"`. The stage gives the defaults: for judging,
// temperature 0, so that the likeliest verdict is given, and one reask.
type Settings struct {
	Temperature float64 `yaml:"temperature" min:"0" doc:"where the model's own settings give none"`
	MaxTokens   int     `yaml:"max_tokens" min:"1" doc:"longest answer, where the model's own settings give none"`
	Reasks      int     `yaml:"reasks" min:"0" doc:"how often an answer that fails its checks is asked for again"`
}

// Vote is one of several answers of one model to the same question, from 1.
type Vote int

// request fills in what the model's own settings and the stage's decide. The
// model's own go first.
//
// Votes after the first must be other requests, or the ledger would answer them
// with the first one's reply: the vote joins the subject, which no model sees.
// Where the model's settings fix a seed it moves on with the vote, as one seed
// asks for one answer. Without a seed none is made up, since some servers refuse
// it; at temperature 0 such votes are hardly independent.
func (s Settings) request(spec pipeline.ModelSpec, vote Vote, subject map[string]string) pipeline.Request {
	req := pipeline.Request{
		Provider: spec.Provider, Model: spec.Model, Seed: spec.Seed,
		Temperature: s.Temperature, MaxTokens: s.MaxTokens, Subject: subject,
	}
	if spec.Temperature != nil {
		req.Temperature = *spec.Temperature
	}
	if spec.MaxTokens > 0 {
		req.MaxTokens = spec.MaxTokens
	}
	if vote > 1 {
		req.Subject = map[string]string{}
		maps.Copy(req.Subject, subject)
		req.Subject["vote"] = fmt.Sprint(int(vote))
		if req.Seed != nil {
			seed := *req.Seed + int64(vote) - 1
			req.Seed = &seed
		}
	}
	return req
}
