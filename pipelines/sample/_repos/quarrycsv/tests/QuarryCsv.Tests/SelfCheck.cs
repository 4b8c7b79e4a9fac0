using QuarryCsv.Model;
using QuarryCsv.Reports;
using QuarryCsv.Schema;
using QuarryCsv.Stats;
using QuarryCsv.Text;

namespace QuarryCsv.Tests;

/// <summary>Checks without a framework: the exit code is the number of failures.</summary>
public static class SelfCheck
{
    private static int failures;

    public static int Main()
    {
        Table table = ReadText("sku;price;note\n007;1,50;\"a \"\"b\"\"; c\"\n008;12,25\n009;3;x\n");
        Expect(table.Rows.Count == 3 && table.Rows[0][2] == "a \"b\"; c", "quoted field");
        Expect(SchemaInference.InferKind(table.CellsOf("sku")) == ColumnKind.Text, "codes stay text");
        Expect(SchemaInference.InferKind(table.CellsOf("price")) == ColumnKind.Number, "prices are numbers");
        Expect(table.SortBy("price", true).Rows[0][0] == "008", "sorting by size");
        Expect(SchemaInference.GuessKey(SchemaInference.InferTable(table)) == "sku", "key");

        var rules = RuleSet.ParseRules(new[] { "# limits", "price range 0 10", "note required", "gone unique" });
        string[] problems = rules.Validate(table).Select(problem => problem.Format()).ToArray();
        Expect(problems.Length == 3 && problems[2] == "table, gone: no such column", "rules");

        var text = new StringWriter();
        new CsvWriter(text, new CsvDialect(',')).WriteTable(table);
        Expect(ReadText(text.ToString()).Rows[0][2] == table.Rows[0][2], "round trip");

        var counter = new DistinctCounter();
        Enumerable.Range(0, 50000).ToList().ForEach(i => counter.AddText("v" + i % 20000));
        Expect(Math.Abs(counter.EstimateDistinct() - 20000) < 2000, "distinct " + counter.EstimateDistinct());

        ColumnProfile profile = ColumnProfile.OfColumn(table, "price");
        Expect(Math.Abs(profile.Mean() - 5.5833) < 0.001, "mean");
        Expect(new MarkdownReport().Render("t", new[] { profile }).Contains("| price | Number | 0 % | 3 |"), "markdown");
        Expect(TextReport.Format(1234.5678) == "1235" && TextReport.Format(0.0123456) == "0.01235", "digits");
        Expect(string.Join(",", CsvReader.UniqueNames(new[] { "a", "", "A" })) == "a,column2,A_2", "names");
        return failures;
    }

    private static Table ReadText(string text)
    {
        return new CsvReader(new StringReader(text), CsvDialect.Sniff(text)).ReadTable();
    }

    private static void Expect(bool condition, string what)
    {
        if (!condition)
        {
            failures++;
            Console.Error.WriteLine("failed: " + what);
        }
    }
}
