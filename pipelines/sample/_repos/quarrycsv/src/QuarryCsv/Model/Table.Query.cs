using QuarryCsv.Schema;

namespace QuarryCsv.Model;

// Queries: each returns a new table and leaves this one alone.
public sealed partial class Table
{
    public Table Filter(string name, Func<string, bool> wanted)
    {
        int place = IndexOf(name);
        var result = new Table(Names);
        result.rows.AddRange(rows.Where(row => wanted(row[place])));
        return result;
    }

    /// <summary>Keeps some columns, in the order in which they are asked for.</summary>
    public Table Project(params string[] names)
    {
        int[] chosen = names.Select(IndexOf).ToArray();
        var result = new Table(names);
        foreach (string[] row in rows)
        {
            result.AddRow(chosen.Select(place => row[place]));
        }
        return result;
    }

    /// <summary>Sorts by one column, numbers by size and anything else as text; stable, empty cells last.</summary>
    public Table SortBy(string name, bool descending = false)
    {
        int place = IndexOf(name);
        bool numeric = Kinds.IsNumeric(SchemaInference.InferKind(CellsOf(name)));
        Comparison<string> compare = numeric ? (Comparison<string>)CompareNumbers : string.CompareOrdinal;
        int sign = descending ? -1 : 1;
        var order = Comparer<string>.Create((a, b) =>
        {
            if (a.Length == 0 || b.Length == 0)
            {
                return b.Length.CompareTo(a.Length) == 0 ? 0 : (a.Length == 0 ? 1 : -1);
            }
            return sign * compare(a, b);
        });
        var result = new Table(Names);
        result.rows.AddRange(rows.OrderBy(row => row[place], order));
        return result;
    }

    private static int CompareNumbers(string a, string b)
    {
        decimal left;
        decimal right;
        ValueParsers.TryDecimal(a, out left);
        ValueParsers.TryDecimal(b, out right);
        return left.CompareTo(right);
    }

    /// <summary>Pairs the rows of two tables with equal keys; columns of the other get its prefix when names clash.</summary>
    public Table InnerJoin(Table other, string key, string prefix = "right_")
    {
        ILookup<string, string[]> partners = other.rows.ToLookup(row => row[other.IndexOf(key)]);
        int otherKey = other.IndexOf(key);
        int[] taken = Enumerable.Range(0, other.Names.Length).Where(i => i != otherKey).ToArray();
        IEnumerable<string> added = taken.Select(i => HasColumn(other.Names[i]) ? prefix + other.Names[i] : other.Names[i]);
        var result = new Table(Names.Concat(added));
        int own = IndexOf(key);
        foreach (string[] row in rows)
        {
            foreach (string[] partner in partners[row[own]])
            {
                result.AddRow(row.Concat(taken.Select(i => partner[i])));
            }
        }
        return result;
    }

    /// <summary>Sum of one column for each value of another, in order of first appearance.</summary>
    public Table SumBy(string group, string value)
    {
        int by = IndexOf(group);
        int of = IndexOf(value);
        var order = new List<string>();
        var sums = new Dictionary<string, decimal>();
        foreach (string[] row in rows)
        {
            decimal amount;
            if (!sums.ContainsKey(row[by]))
            {
                order.Add(row[by]);
                sums[row[by]] = 0;
            }
            if (ValueParsers.TryDecimal(row[of], out amount))
            {
                sums[row[by]] += amount;
            }
        }
        var result = new Table(new[] { group, "sum_of_" + value });
        order.ForEach(name => result.AddRow(new[] { name, sums[name].ToString(CultureInfo.InvariantCulture) }));
        return result;
    }
}
