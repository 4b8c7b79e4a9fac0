using QuarryCsv.Model;
using QuarryCsv.Reports;
using QuarryCsv.Schema;
using QuarryCsv.Stats;
using QuarryCsv.Text;

namespace QuarryCsv;

public static class Program
{
    /// <summary>0 is success, 1 means problems were found, 2 that the call or a file was wrong.</summary>
    public static int Main(string[] args)
    {
        try
        {
            return Dispatch(args, Console.Out);
        }
        catch (Exception problem) when (problem is IOException || problem is FormatException || problem is KeyNotFoundException)
        {
            Console.Error.WriteLine("quarrycsv: " + problem.Message);
            return 2;
        }
    }

    public static int Dispatch(string[] args, TextWriter output)
    {
        switch (args.Length == 0 ? "" : args[0] + "/" + (args.Length - 1))
        {
            case "profile/1":
                return ProfileFile(args[1], new TextReport(), output);
            case "markdown/1":
                return ProfileFile(args[1], new MarkdownReport(), output);
            case "check/2":
                return CheckFile(args[1], args[2], output);
            case "convert/2":
                return ConvertFile(args[1], args[2], output);
            case "sql/1":
                string name = Path.GetFileNameWithoutExtension(args[1]);
                output.WriteLine(SchemaInference.ToSql(name, SchemaInference.InferTable(LoadTable(args[1]))));
                return 0;
            default:
                output.WriteLine("usage: quarrycsv profile|markdown|sql FILE, check FILE RULES, convert FILE comma|tab|semicolon");
                return 2;
        }
    }

    /// <summary>Reads a file after looking at its first lines to find its dialect.</summary>
    public static Table LoadTable(string path)
    {
        string text = File.ReadAllText(path);
        CsvDialect dialect = CsvDialect.Sniff(text.Substring(0, Math.Min(text.Length, 16384)));
        return new CsvReader(new StringReader(text), dialect).ReadTable();
    }

    private static int ProfileFile(string path, IReport report, TextWriter output)
    {
        Table table = LoadTable(path);
        List<ColumnProfile> profiles = table.Names.Select(name => ColumnProfile.OfColumn(table, name)).ToList();
        output.Write(report.Render(Path.GetFileName(path), profiles));
        string key = SchemaInference.GuessKey(SchemaInference.InferTable(table));
        output.WriteLine(key == null ? "no key found" : "key: " + key);
        return 0;
    }

    private static int CheckFile(string path, string rules, TextWriter output)
    {
        int found = 0;
        foreach (Problem problem in RuleSet.ParseRules(File.ReadLines(rules)).Validate(LoadTable(path)))
        {
            output.WriteLine(problem.Format());
            found++;
        }
        return found == 0 ? 0 : 1;
    }

    private static int ConvertFile(string path, string delimiter, TextWriter output)
    {
        var signs = new Dictionary<string, char> { { "comma", ',' }, { "tab", '\t' }, { "semicolon", ';' } };
        if (!signs.ContainsKey(delimiter))
        {
            throw new FormatException("no delimiter is called " + delimiter);
        }
        new CsvWriter(output, new CsvDialect(signs[delimiter])).WriteTable(LoadTable(path));
        return 0;
    }
}
