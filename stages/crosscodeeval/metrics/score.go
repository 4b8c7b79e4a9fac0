package metrics

import "slices"

// Score is one prediction, judged.
type Score struct {
	Prediction string  `json:"pred"`   // as compared: cut, without comments
	Reference  string  `json:"target"` // as compared: without comments
	EM         bool    `json:"em"`
	ES         int     `json:"es"` // 0 to 100
	IDEM       bool    `json:"id_em"`
	Precision  float64 `json:"id_precision"` // of identifiers, 0 to 1, as Recall and F1
	Recall     float64 `json:"id_recall"`
	F1         float64 `json:"id_f1"`
}

// Judge scores one prediction for a prompt. The reference is not cut. Parses is
// asked only for languages with Parse, see [Parses]; its error is returned.
func (l *Language) Judge(prompt, prediction, reference string, parses func(code string) (bool, error)) (Score, error) {
	cut := CutAtMark(prediction)
	if l.Parse {
		var err error
		if cut, err = CutAtLine(prompt, prediction, parses); err != nil {
			return Score{}, err
		}
	}
	return l.Compare(cut, reference), nil
}

// Compare scores a prediction that is cut already.
func (l *Language) Compare(cut, reference string) Score {
	s := Score{Prediction: StripComments(cut), Reference: StripComments(reference)}
	s.EM = ExactMatch(s.Prediction, s.Reference)
	s.ES = EditSimilarity(s.Prediction, s.Reference)
	predicted, wanted := Identifiers(s.Prediction, l.Keywords), Identifiers(s.Reference, l.Keywords)
	s.IDEM = slices.Equal(predicted, wanted)
	s.Precision, s.Recall, s.F1 = Overlap(predicted, wanted)
	return s
}

// Summary is the mean of scores, each from 0 to 100 with two decimals, under the
// names of the evaluator's own results file.
type Summary struct {
	EM        float64 `json:"em"`
	ES        float64 `json:"es"`
	IDEM      float64 `json:"id_em"`
	Precision float64 `json:"id_precision"`
	Recall    float64 `json:"id_recall"`
	F1        float64 `json:"id_f1"`
	Total     int     `json:"total"`
}

// Summarize averages scores, of which every example has one. ES is the mean of
// rounded values. The shares are summed in the order of scores, which should be
// fixed. Without scores all is 0.
func Summarize(scores []Score) Summary {
	n := len(scores)
	if n == 0 {
		return Summary{}
	}
	var em, es, idem int
	var precision, recall, f1 float64
	for _, s := range scores {
		em += one(s.EM)
		es += s.ES
		idem += one(s.IDEM)
		precision += s.Precision
		recall += s.Recall
		f1 += s.F1
	}
	percent := func(sum float64) float64 { return Round2(sum / float64(n) * 100) }
	return Summary{
		EM: percent(float64(em)), ES: Round2(float64(es) / float64(n)), IDEM: percent(float64(idem)),
		Precision: percent(precision), Recall: percent(recall), F1: percent(f1), Total: n,
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
