using System.Text;
using QuarryCsv.Schema;
using QuarryCsv.Stats;

namespace QuarryCsv.Reports;

public interface IReport
{
    string Render(string title, IReadOnlyList<ColumnProfile> profiles);
}

/// <summary>A report for a terminal.</summary>
public sealed class TextReport : IReport
{
    private readonly int width;

    public TextReport(int width = 80)
    {
        this.width = width;
    }

    public string Render(string title, IReadOnlyList<ColumnProfile> profiles)
    {
        var report = new StringBuilder(title + "\n" + new string('=', title.Length) + "\n");
        int indent = profiles.Select(profile => profile.Name.Length).DefaultIfEmpty(0).Max() + 2;
        foreach (ColumnProfile profile in profiles)
        {
            string text = DescribeColumn(profile);
            string[] lines = WrapWords(text, Math.Max(20, width - indent)).ToArray();
            report.Append(profile.Name.PadRight(indent)).Append(lines[0]).Append('\n');
            foreach (string line in lines.Skip(1))
            {
                report.Append(' ', indent).Append(line).Append('\n');
            }
        }
        return report.ToString();
    }

    /// <summary>One column in a few words: kind, how full, and what is typical.</summary>
    public static string DescribeColumn(ColumnProfile profile)
    {
        var parts = new List<string> { profile.Kind.ToString().ToLowerInvariant() };
        parts.Add(FillBar(1 - profile.EmptyShare(), 10) + " full");
        parts.Add("about " + profile.Distinct() + " different");
        if (Kinds.IsNumeric(profile.Kind))
        {
            parts.Add(Format(profile.Smallest) + " to " + Format(profile.Largest) + ", mean " + Format(profile.Mean()));
        }
        else
        {
            parts.Add("often " + string.Join(", ", profile.CommonValues(3)));
        }
        return string.Join("; ", parts.Concat(profile.Remarks()));
    }

    /// <summary>Four significant digits, without an exponent where that is readable.</summary>
    public static string Format(double value)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            return "none";
        }
        if (Math.Abs(value) >= 1e6 || (value != 0 && Math.Abs(value) < 1e-3))
        {
            return value.ToString("0.###e+0", CultureInfo.InvariantCulture);
        }
        int digits = value == 0 ? 0 : Math.Max(0, 3 - (int)Math.Floor(Math.Log10(Math.Abs(value))));
        return Math.Round(value, digits).ToString(CultureInfo.InvariantCulture);
    }

    public static string FillBar(double share, int cells)
    {
        int full = (int)Math.Round(Math.Min(1, Math.Max(0, share)) * cells);
        return "[" + new string('#', full) + new string('.', cells - full) + "]";
    }

    /// <summary>Breaks between words; a word longer than the line gets a line of its own.</summary>
    public static IEnumerable<string> WrapWords(string text, int limit)
    {
        string line = "";
        foreach (string word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > limit)
            {
                yield return line;
                line = "";
            }
            line = line.Length == 0 ? word : line + " " + word;
        }
        yield return line;
    }
}
