namespace QuarryCsv.Model;

/// <summary>A table of text. Cells are never null: what is missing is empty.</summary>
public sealed partial class Table
{
    private readonly List<string[]> rows = new List<string[]>();
    private readonly Dictionary<string, int> places;

    public Table(IEnumerable<string> names)
    {
        Names = names.ToArray();
        places = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        foreach (string name in Names)
        {
            places.Add(name, places.Count);
        }
    }

    public string[] Names { get; }

    public IReadOnlyList<string[]> Rows => rows;

    /// <summary>Appends a copy of the cells; their number must be the number of columns.</summary>
    public Table AddRow(IEnumerable<string> cells)
    {
        string[] row = cells.Select(cell => cell ?? "").ToArray();
        if (row.Length != Names.Length)
        {
            throw new ArgumentException(row.Length + " cells do not fit " + Names.Length + " columns");
        }
        rows.Add(row);
        return this;
    }

    /// <summary>Place of a column; the error names the columns there are.</summary>
    public int IndexOf(string name)
    {
        int place;
        if (!places.TryGetValue(name, out place))
        {
            throw new KeyNotFoundException("no column '" + name + "' among " + string.Join(", ", Names));
        }
        return place;
    }

    public bool HasColumn(string name) => places.ContainsKey(name);

    public IEnumerable<string> CellsOf(string name)
    {
        int place = IndexOf(name);
        return rows.Select(row => row[place]);
    }

    /// <summary>Some rows spread evenly over the table, the first always among them.</summary>
    public Table SampleRows(int count)
    {
        var sample = new Table(Names);
        int step = Math.Max(1, rows.Count / Math.Max(1, count));
        for (int i = 0; i < rows.Count && sample.rows.Count < count; i += step)
        {
            sample.AddRow(rows[i]);
        }
        return sample;
    }
}
