package tokenizer

// Vocabulary files of byte-level BPE write each byte as one printable
// character: the printable characters of Latin-1 stand for themselves, and the
// other bytes, in order, are the characters from U+0100 on.
var byteChars, charBytes = func() (chars [256]rune, bytes map[rune]byte) {
	bytes = make(map[rune]byte, 256)
	next := rune(0x100)
	for b := range chars {
		printable := b >= '!' && b <= '~' || b >= 0xa1 && b != 0xad
		if printable {
			chars[b] = rune(b)
		} else {
			chars[b] = next
			next++
		}
		bytes[chars[b]] = byte(b)
	}
	return chars, bytes
}()

// rawBytes turns a token as the file writes it into the bytes it stands for.
func rawBytes(token string) (string, bool) {
	raw := make([]byte, 0, len(token))
	for _, r := range token {
		b, ok := charBytes[r]
		if !ok {
			return "", false
		}
		raw = append(raw, b)
	}
	return string(raw), true
}
