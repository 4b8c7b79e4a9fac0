using System.Text;
using QuarryCsv.Model;

namespace QuarryCsv.Text;

/// <summary>Reads rows from text. Quoted fields may hold delimiters, doubled quotes and line ends.</summary>
public sealed class CsvReader
{
    private readonly TextReader source;
    private readonly CsvDialect dialect;

    public CsvReader(TextReader source, CsvDialect dialect)
    {
        this.source = source;
        this.dialect = dialect;
    }

    /// <summary>The line the reader stands on, counted from 1.</summary>
    public int Line { get; private set; } = 1;

    /// <summary>All rows to the end; blank lines are passed over.</summary>
    public IEnumerable<string[]> ReadRows()
    {
        for (string[] row = ReadRow(); row != null; row = ReadRow())
        {
            if (row.Length > 1 || row[0].Length > 0)
            {
                yield return row;
            }
        }
    }

    /// <summary>One row, or null at the end of the text.</summary>
    public string[] ReadRow()
    {
        if (source.Peek() < 0)
        {
            return null;
        }
        var fields = new List<string>();
        while (true)
        {
            fields.Add(source.Peek() == dialect.Quote ? ReadQuoted() : ReadBare());
            int next = source.Read();
            if (next == dialect.Delimiter)
            {
                continue;
            }
            if (next == '\r' && source.Peek() == '\n')
            {
                source.Read();
            }
            Line++;
            return fields.ToArray();
        }
    }

    private string ReadBare()
    {
        var field = new StringBuilder();
        while (!AtFieldEnd(source.Peek()))
        {
            field.Append((char)source.Read());
        }
        return field.ToString().Trim();
    }

    /// <summary>Reads up to the closing quote; text between it and the delimiter is kept as it is.</summary>
    private string ReadQuoted()
    {
        int opened = Line;
        var field = new StringBuilder();
        source.Read();
        while (true)
        {
            int sign = source.Read();
            if (sign < 0)
            {
                throw new FormatException("quote opened in line " + opened + " is never closed");
            }
            if (sign == '\n')
            {
                Line++;
            }
            if (sign != dialect.Quote)
            {
                field.Append((char)sign);
            }
            else if (source.Peek() == dialect.Quote)
            {
                field.Append((char)source.Read());
            }
            else
            {
                break;
            }
        }
        return field + ReadBare();
    }

    private bool AtFieldEnd(int sign)
    {
        return sign < 0 || sign == '\r' || sign == '\n' || sign == dialect.Delimiter;
    }

    /// <summary>Reads everything into a table; short rows are filled up, long ones are an error.</summary>
    public Table ReadTable()
    {
        string[] header = ReadRow() ?? Array.Empty<string>();
        var table = new Table(UniqueNames(header));
        foreach (string[] row in ReadRows())
        {
            if (row.Length > header.Length)
            {
                throw new FormatException("line " + (Line - 1) + " has " + row.Length + " fields, not " + header.Length);
            }
            table.AddRow(row.Concat(Enumerable.Repeat("", header.Length - row.Length)));
        }
        return table;
    }

    /// <summary>Names columns without a heading and numbers headings that come twice.</summary>
    public static string[] UniqueNames(IReadOnlyList<string> header)
    {
        var used = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var names = new string[header.Count];
        for (int i = 0; i < names.Length; i++)
        {
            string wish = header[i].Trim('\uFEFF', ' ');
            string stem = wish.Length > 0 ? wish : "column" + (i + 1);
            names[i] = stem;
            for (int suffix = 2; !used.Add(names[i]); suffix++)
            {
                names[i] = stem + "_" + suffix;
            }
        }
        return names;
    }
}
