using QuarryCsv.Model;

namespace QuarryCsv.Text;

public sealed class CsvWriter
{
    private readonly TextWriter target;
    private readonly CsvDialect dialect;

    public CsvWriter(TextWriter target, CsvDialect dialect)
    {
        this.target = target;
        this.dialect = dialect;
    }

    /// <summary>True for fields that would not come back unchanged without quotes.</summary>
    public bool NeedsQuotes(string field)
    {
        if (field.Length == 0)
        {
            return false;
        }
        bool padded = char.IsWhiteSpace(field[0]) || char.IsWhiteSpace(field[field.Length - 1]);
        return padded || field.IndexOfAny(new[] { dialect.Delimiter, dialect.Quote, '\r', '\n' }) >= 0;
    }

    public string Format(string field)
    {
        if (!NeedsQuotes(field))
        {
            return field;
        }
        string quote = dialect.Quote.ToString();
        return quote + field.Replace(quote, quote + quote) + quote;
    }

    public void WriteRow(IEnumerable<string> fields)
    {
        target.Write(string.Join(dialect.Delimiter.ToString(), fields.Select(Format)));
        target.Write('\n');
    }

    public void WriteTable(Table table)
    {
        WriteRow(table.Names);
        foreach (string[] row in table.Rows)
        {
            WriteRow(row);
        }
    }
}
