package repoqa

import (
	"strings"

	"benchmill/schemas"
)

// Instruction tells the model what to do. It stands before the code and again
// after the description, since repeating it helps models that lost the thread
// over a long context (section 3.2).
const Instruction = "Read the code below and the description that follows it. Exactly one function in the code fits the description. Write out that function in full, unchanged, inside one fenced code block."

// Prompt puts a task together: instruction, context, description, instruction.
func Prompt(code, description string) string {
	var b strings.Builder
	b.WriteString(Instruction)
	b.WriteString("\n\nCode:\n\n")
	b.WriteString(code)
	if !strings.HasSuffix(code, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString("\nDescription of the function:\n\n")
	b.WriteString(description)
	b.WriteString("\n\n")
	b.WriteString(Instruction)
	b.WriteByte('\n')
	return b.String()
}

// Description joins the four parts (section 3.1) as the prompt shows them.
func Description(d schemas.Described) string {
	return "1. **Purpose**: " + d.Purpose +
		"\n2. **Input**: " + d.Input +
		"\n3. **Output**: " + d.Output +
		"\n4. **Procedure**: " + d.Procedure
}
