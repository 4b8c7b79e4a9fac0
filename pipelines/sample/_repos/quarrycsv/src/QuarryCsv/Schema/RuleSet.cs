using System.Text.RegularExpressions;
using QuarryCsv.Model;

namespace QuarryCsv.Schema;

public sealed record Problem(int Row, string Column, string Message)
{
    public string Format()
    {
        return (Row == 0 ? "table" : "row " + Row) + ", " + Column + ": " + Message;
    }
}

/// <summary>Rules read from a file, one to a line, applied to a table.</summary>
public sealed class RuleSet
{
    private delegate IEnumerable<Problem> Check(Table table, string column);

    private readonly List<KeyValuePair<string, Check>> checks = new List<KeyValuePair<string, Check>>();

    /// <summary>Reads rules; blank lines and lines that begin with # are passed over.</summary>
    public static RuleSet ParseRules(IEnumerable<string> lines)
    {
        var set = new RuleSet();
        int number = 0;
        foreach (string line in lines)
        {
            number++;
            string[] words = line.Split((char[])null, StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 0 || words[0].StartsWith("#", StringComparison.Ordinal))
            {
                continue;
            }
            if (words.Length < 2)
            {
                throw new FormatException("line " + number + " names no rule");
            }
            set.checks.Add(new KeyValuePair<string, Check>(words[0], MakeCheck(words, number)));
        }
        return set;
    }

    private static Check MakeCheck(string[] words, int number)
    {
        switch (words[1] + "/" + (words.Length - 2))
        {
            case "required/0":
                return FindMissing;
            case "unique/0":
                return FindRepeated;
            case "range/2":
                decimal low = decimal.Parse(words[2], CultureInfo.InvariantCulture);
                decimal high = decimal.Parse(words[3], CultureInfo.InvariantCulture);
                return (table, column) => FindOutOfRange(table, column, low, high);
            case "pattern/1":
                var pattern = new Regex(words[2], RegexOptions.CultureInvariant, TimeSpan.FromSeconds(1));
                return (table, column) => FindMismatched(table, column, pattern);
            default:
                throw new FormatException("line " + number + ": no rule '" + words[1] + "' with so many values");
        }
    }

    /// <summary>All problems, rule by rule; a column that is not there is one problem.</summary>
    public IEnumerable<Problem> Validate(Table table)
    {
        foreach (KeyValuePair<string, Check> check in checks)
        {
            if (!table.HasColumn(check.Key))
            {
                yield return new Problem(0, check.Key, "no such column");
                continue;
            }
            foreach (Problem problem in check.Value(table, check.Key))
            {
                yield return problem;
            }
        }
    }

    private static IEnumerable<Problem> FindMissing(Table table, string column)
    {
        return table.CellsOf(column)
            .Select((cell, i) => cell.Trim().Length > 0 ? null : new Problem(i + 1, column, "is empty"))
            .Where(problem => problem != null);
    }

    private static IEnumerable<Problem> FindRepeated(Table table, string column)
    {
        var first = new Dictionary<string, int>();
        int row = 0;
        foreach (string cell in table.CellsOf(column))
        {
            row++;
            if (cell.Length == 0)
            {
                continue;
            }
            if (first.ContainsKey(cell))
            {
                yield return new Problem(row, column, "'" + cell + "' stands in row " + first[cell] + " already");
            }
            else
            {
                first[cell] = row;
            }
        }
    }

    private static IEnumerable<Problem> FindOutOfRange(Table table, string column, decimal low, decimal high)
    {
        int row = 0;
        foreach (string cell in table.CellsOf(column))
        {
            row++;
            decimal value;
            if (cell.Length > 0 && (!ValueParsers.TryDecimal(cell, out value) || value < low || value > high))
            {
                yield return new Problem(row, column, "'" + cell + "' is not between " + low.ToString(CultureInfo.InvariantCulture) + " and " + high.ToString(CultureInfo.InvariantCulture));
            }
        }
    }

    private static IEnumerable<Problem> FindMismatched(Table table, string column, Regex pattern)
    {
        List<string> cells = table.CellsOf(column).ToList();
        for (int i = 0; i < cells.Count; i++)
        {
            if (!pattern.IsMatch(cells[i]))
            {
                yield return new Problem(i + 1, column, "'" + cells[i] + "' does not match " + pattern);
            }
        }
    }
}
