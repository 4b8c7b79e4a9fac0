// Package linediff compares two texts line by line and finds the lines that git
// finds: its default algorithm with its shortcuts for large texts, its choice
// between equally short answers, and its preference for blocks that begin where
// indentation says a block begins. It touches no file.
//
// The dates of lines depend on which of two equal lines is said to be the old one,
// so a shorter or prettier answer would be a wrong one. Where git offers choices
// (algorithms, white space, indentation), the answer is that of a git without any
// configuration.
//
// # Steps
//
//  1. Equal ends of the two texts are cut off in blocks of bytes, and not looked at
//     again. Then equal beginnings and ends are found line by line; step 4 may still
//     reach into them.
//  2. Between those, lines that the other text lacks, and frequent lines among such,
//     are set aside as changed.
//  3. What is left is compared by Myers's algorithm from both ends at once, divided
//     at where the two meet. Beyond a cost it settles for a good place to divide.
//  4. Each group of changed lines may often be moved up and down without any
//     difference in meaning. It goes next to a change of the other text, else to
//     where its edges look most like those of a block.
//
// Memory is linear in the number of lines. Time is linear in lines times changed
// lines at worst, and bounded by lines times the square root of lines.
package linediff
