using System.Text;
using QuarryCsv.Stats;
using static QuarryCsv.Reports.TextReport;

namespace QuarryCsv.Reports
{
    /// <summary>A report as a Markdown table, for pull requests and wikis.</summary>
    public sealed class MarkdownReport : IReport
    {
        private static readonly string[] Headings = { "Column", "Kind", "Empty", "Different", "Typical", "Remarks" };

        public string Render(string title, IReadOnlyList<ColumnProfile> profiles)
        {
            var report = new StringBuilder("# " + EscapeMarkdown(title) + "\n\n");
            report.Append(TableLine(Headings)).Append(TableLine(Headings.Select(heading => "---")));
            foreach (ColumnProfile profile in profiles)
            {
                report.Append(TableLine(new[]
                {
                    profile.Name,
                    profile.Kind.ToString(),
                    Percent(profile.EmptyShare()),
                    profile.Distinct().ToString(CultureInfo.InvariantCulture),
                    profile.Numbers > 0 ? Format(profile.Mean()) + " +/- " + Format(profile.Deviation()) : profile.CommonValues(1).FirstOrDefault() ?? "",
                    string.Join(", ", profile.Remarks()),
                }.Select(EscapeMarkdown)));
            }
            return report.ToString();
        }

        private static string TableLine(IEnumerable<string> cells) => "| " + string.Join(" | ", cells) + " |\n";

        /// <summary>Puts a backslash before every sign that Markdown would act upon.</summary>
        public static string EscapeMarkdown(string text)
        {
            var escaped = new StringBuilder();
            foreach (char sign in text)
            {
                if ("\\`*_{}[]<>#|".IndexOf(sign) >= 0)
                {
                    escaped.Append('\\');
                }
                escaped.Append(sign == '\n' ? ' ' : sign);
            }
            return escaped.ToString();
        }

        public static string Percent(double share)
        {
            return (share * 100).ToString(share > 0 && share < 0.01 ? "0.00" : "0", CultureInfo.InvariantCulture) + " %";
        }
    }
}
