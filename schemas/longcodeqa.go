package schemas

import "benchmill/pipeline"

// Discussion is a closed issue with its comments, as question writers read it.
type Discussion struct {
	Number    int64  `parquet:"number"`
	Title     string `parquet:"title"`
	Text      string `parquet:"text"`     // body and comments with their authors' roles, oldest first; no names
	Comments  int64  `parquet:"comments"` // in Text
	CreatedAt string `parquet:"created_at"`
	ClosedAt  string `parquet:"closed_at"`
}

// Discussions are the closed issues that questions can be made of.
var Discussions = pipeline.NewSchema[Discussion]("longcodeqa_discussions", 1,
	"Closed issues with their comments, fit to be read by a question writer.", "number").InPartition()

// Letters of the choices of a [Question].
const Letters = "ABCD"

// Question is a multiple-choice question made of an issue. Its key over all
// repositories is ID.
type Question struct {
	ID        string   `parquet:"id"` // owner__name-number
	Repo      string   `parquet:"repo"`
	Number    int64    `parquet:"number"` // of the issue
	Question  string   `parquet:"question"`
	Choices   []string `parquet:"choices"` // four, in the order of their letters
	Answer    string   `parquet:"answer"`  // letter of the right one
	Reason    string   `parquet:"reason"`  // why the issue makes a question
	CreatedAt string   `parquet:"created_at"`
	ClosedAt  string   `parquet:"closed_at"`
	Origin    string   `parquet:"question_origin"` // "model", "hand-written" or "extractive"
	Provider  string   `parquet:"question_provider"`
	Model     string   `parquet:"question_model"`
	Template  string   `parquet:"question_template"`
	// Filters names the filters the question has passed, in their order.
	Filters []string `parquet:"filters"`
	// Review is a person's verdict: "accepted", or "" when nobody looked.
	Review   string `parquet:"review"`
	Reviewer string `parquet:"reviewer"`
}

// Questions are multiple-choice questions with shuffled answers.
var Questions = pipeline.NewSchema[Question]("longcodeqa_questions", 1,
	"Multiple-choice questions made of issues, their answers shuffled.", "id")

// QuestionSize is how long the prompt of a question is, without the prompt.
type QuestionSize struct {
	ID           string   `parquet:"id"`
	Partition    string   `parquet:"partition"` // of the repository
	Repo         string   `parquet:"repo"`
	Tokens       int64    `parquet:"tokens"` // of the whole prompt
	ContextFiles int64    `parquet:"context_files"`
	FileTokens   int64    `parquet:"file_tokens"` // of all files of the prompt, markers not counted
	Topics       []string `parquet:"topics"`
}

// QuestionSizes are the lengths of all prompts.
var QuestionSizes = pipeline.NewSchema[QuestionSize]("longcodeqa_sizes", 1,
	"Token counts of the prompts of all questions.", "id")

// Selected is a question that was chosen for a bracket.
type Selected struct {
	ID        string `parquet:"id"`
	Partition string `parquet:"partition"`
	Bracket   int64  `parquet:"bracket"` // the largest number of tokens its prompts have
	Tokens    int64  `parquet:"tokens"`
}

// PartitionKey implements [pipeline.Partitioned]: the repository's.
func (s Selected) PartitionKey() string { return s.Partition }

// Selection is the questions of all brackets.
var Selection = pipeline.NewSchema[Selected]("longcodeqa_selection", 1,
	"Questions chosen for each bracket of prompt lengths.", "id")

// LongCodeQATask is one row of the benchmark.
type LongCodeQATask struct {
	TaskID        string   `parquet:"task_id"` // owner__name-number
	Bracket       string   `parquet:"bracket"` // "32K", "1M", ...
	BracketTokens int64    `parquet:"bracket_tokens"`
	Repo          string   `parquet:"repo"`
	Commit        string   `parquet:"commit"`
	Licence       string   `parquet:"licence"`
	Language      string   `parquet:"language"`
	Issue         int64    `parquet:"issue"`
	IssueURL      string   `parquet:"issue_url"`
	CreatedAt     string   `parquet:"created_at"` // of the issue
	ClosedAt      string   `parquet:"closed_at"`
	Question      string   `parquet:"question"`
	ChoiceA       string   `parquet:"choice_a"`
	ChoiceB       string   `parquet:"choice_b"`
	ChoiceC       string   `parquet:"choice_c"`
	ChoiceD       string   `parquet:"choice_d"`
	CorrectLetter string   `parquet:"correct_letter"`
	Prompt        string   `parquet:"prompt"`
	PromptTokens  int64    `parquet:"prompt_tokens"`
	Tokenizer     string   `parquet:"tokenizer"` // its identity
	ContextFiles  int64    `parquet:"context_files"`
	TokensPerFile float64  `parquet:"tokens_per_file"`
	Topics        []string `parquet:"topics"`
	Reason        string   `parquet:"reason"`
	Origin        string   `parquet:"question_origin"`
	Provider      string   `parquet:"question_provider"`
	Model         string   `parquet:"question_model"`
	Template      string   `parquet:"question_template"`
	Filters       []string `parquet:"filters"`
	Review        string   `parquet:"review"`
	Reviewer      string   `parquet:"reviewer"`
}

// LongCodeQATasks is the benchmark.
var LongCodeQATasks = pipeline.NewSchema[LongCodeQATask]("longcodeqa", 1,
	"Multiple-choice questions about whole repositories, by prompt length.", "task_id")

// LongCodeQAStatistic is one line of the statistics, as table 2 of the paper has
// them, by bracket or by topic.
type LongCodeQAStatistic struct {
	Group         string  `parquet:"group"` // "bracket" or "topic"
	Value         string  `parquet:"value"`
	Order         int64   `parquet:"order"` // of the value in its group
	Questions     int64   `parquet:"questions"`
	Repositories  int64   `parquet:"repositories"`
	FilesPerRepo  float64 `parquet:"files_per_repository"`
	TokensPerFile float64 `parquet:"tokens_per_file"`
	MeanTokens    float64 `parquet:"mean_prompt_tokens"`
	MostTokens    int64   `parquet:"most_prompt_tokens"`
}

// LongCodeQAStatistics are the statistics of a selection.
var LongCodeQAStatistics = pipeline.NewSchema[LongCodeQAStatistic]("longcodeqa_statistics", 1,
	"Questions, repositories, files and tokens by bracket and by topic.", "group", "order", "value")
