// Package metrics compares predictions with references the way CrossCodeEval's
// published evaluator does (Ding et al., 2023, section 3.2): exact match, edit
// similarity, and exact match and F1 of identifiers. Texts are Unicode and
// lengths count characters.
//
// Where the evaluator and the paper differ, the evaluator counts, since figures
// are only comparable with figures made by it: references are not cut as
// predictions are, and identifiers come from a pattern and not from a parser.
package metrics
