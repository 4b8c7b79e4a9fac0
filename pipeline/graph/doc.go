// Package graph turns pipeline.yaml, which people write, into a checked and
// typed graph of stages, which programs run.
//
// The promise is that whatever can be found wrong by reading is found before
// anything runs, and all of it at once: [Load] and [Parse] return a [Graph] that
// can be planned, or an [*Errors] that lists every mistake with its file, line,
// column and the nearest valid name. One mistake is told once: what follows from
// an unknown stage or a broken input is not reported again downstream.
//
// # From bytes to a graph
//
//   - yaml.go reads the bytes into a plain tree with positions. Anchors, aliases
//     and merge keys are expanded there, under a bound.
//   - override.go replaces values of the tree with those of the command line.
//   - decode.go fills Go structs from the tree, by reflection: a library decoder
//     stops early, converts silently or forgets where a value stood.
//   - read.go decodes the sections, settings.go checks what they name, bind.go
//     connects inputs to tables, order.go finds cycles, the order and what
//     partitions each stage.
//
// # Settings
//
// Settings of stages, models and tokenizers are structs. A field is set by its
// yaml tag, described by its doc tag, and limited by enum:"a|b", min:"1" and
// max:"10"; on text and on lists min and max limit the length, and enum on a list
// limits each item. A list or map that is written replaces the default; a struct
// that is written keeps the defaults of what it leaves out.
//
// The package knows no stage: those come in through [Kinds].
package graph
