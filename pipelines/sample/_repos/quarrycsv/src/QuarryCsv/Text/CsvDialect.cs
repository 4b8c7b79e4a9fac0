namespace QuarryCsv.Text;

/// <summary>How one file is written: what parts its fields and what quotes them.</summary>
public sealed class CsvDialect
{
    private static readonly char[] Candidates = { ',', ';', '\t', '|' };

    public CsvDialect(char delimiter, char quote = '"')
    {
        if (delimiter == quote)
        {
            throw new ArgumentException("delimiter and quote must differ");
        }
        Delimiter = delimiter;
        Quote = quote;
    }

    public char Delimiter { get; }

    public char Quote { get; }

    /// <summary>Chooses the delimiter that cuts most lines into the same number of fields.</summary>
    public static CsvDialect Sniff(string sample)
    {
        string[] lines = sample.Split('\n').Where(line => line.Trim().Length > 0).Take(50).ToArray();
        char best = ',';
        double bestScore = 0;
        foreach (char candidate in Candidates)
        {
            double score = ConsistencyOf(lines, candidate);
            if (score > bestScore)
            {
                bestScore = score;
                best = candidate;
            }
        }
        return new CsvDialect(best, PreferredQuote(lines, best));
    }

    /// <summary>Share of lines with the commonest field count, weighted by that count.</summary>
    private static double ConsistencyOf(string[] lines, char delimiter)
    {
        var widths = new Dictionary<int, int>();
        foreach (string line in lines)
        {
            int width = CountOutsideQuotes(line, delimiter) + 1;
            int seen;
            widths.TryGetValue(width, out seen);
            widths[width] = seen + 1;
        }
        double best = 0;
        foreach (KeyValuePair<int, int> entry in widths.Where(pair => pair.Key > 1))
        {
            best = Math.Max(best, Math.Sqrt(entry.Key) * entry.Value / lines.Length);
        }
        return best;
    }

    private static int CountOutsideQuotes(string line, char wanted)
    {
        int count = 0;
        bool quoted = false;
        foreach (char sign in line)
        {
            if (sign == '"')
            {
                quoted = !quoted;
            }
            else if (sign == wanted && !quoted)
            {
                count++;
            }
        }
        return count;
    }

    private static char PreferredQuote(string[] lines, char delimiter)
    {
        int doubles = lines.Sum(line => CountAfter(line, delimiter, '"'));
        int singles = lines.Sum(line => CountAfter(line, delimiter, '\''));
        return singles > doubles ? '\'' : '"';
    }

    private static int CountAfter(string line, char delimiter, char quote)
    {
        int count = line.StartsWith(quote.ToString(), StringComparison.Ordinal) ? 1 : 0;
        for (int i = 1; i < line.Length; i++)
        {
            count += line[i] == quote && line[i - 1] == delimiter ? 1 : 0;
        }
        return count;
    }
}
