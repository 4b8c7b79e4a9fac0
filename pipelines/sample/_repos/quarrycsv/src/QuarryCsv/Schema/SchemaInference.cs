using System.Text;
using QuarryCsv.Model;

namespace QuarryCsv.Schema;

/// <summary>What was found out about one column.</summary>
public sealed record ColumnSchema(string Name, ColumnKind Kind, bool Required, bool Unique, int MaxLength);

public static class SchemaInference
{
    /// <summary>The kind of one cell alone.</summary>
    public static ColumnKind KindOfCell(string cell)
    {
        bool truth;
        long whole;
        decimal number;
        DateTime day;
        if (cell.Trim().Length == 0)
        {
            return ColumnKind.Empty;
        }
        if (ValueParsers.TryBoolean(cell, out truth))
        {
            return ColumnKind.Boolean;
        }
        if (ValueParsers.TryInteger(cell, out whole))
        {
            return ColumnKind.Integer;
        }
        if (ValueParsers.TryDate(cell, out day))
        {
            return ColumnKind.Date;
        }
        bool coded = cell.Length > 1 && cell[0] == '0' && char.IsDigit(cell[1]);
        return !coded && ValueParsers.TryDecimal(cell, out number) ? ColumnKind.Number : ColumnKind.Text;
    }

    public static ColumnKind InferKind(IEnumerable<string> cells)
    {
        ColumnKind kind = ColumnKind.Empty;
        foreach (string cell in cells)
        {
            kind = Kinds.Widen(kind, KindOfCell(cell));
            if (kind == ColumnKind.Text)
            {
                break;
            }
        }
        return kind;
    }

    public static IReadOnlyList<ColumnSchema> InferTable(Table table)
    {
        var columns = new List<ColumnSchema>();
        foreach (string name in table.Names)
        {
            List<string> cells = table.CellsOf(name).ToList();
            bool required = cells.Count > 0 && cells.All(cell => cell.Length > 0);
            bool unique = required && cells.Distinct().Count() == cells.Count;
            int longest = cells.Select(cell => cell.Length).DefaultIfEmpty(0).Max();
            columns.Add(new ColumnSchema(name, InferKind(cells), required, unique, longest));
        }
        return columns;
    }

    /// <summary>The first column that could be a key, shorter values first; null when there is none.</summary>
    public static string GuessKey(IEnumerable<ColumnSchema> columns)
    {
        ColumnSchema best = columns
            .Where(column => column.Unique && column.Kind != ColumnKind.Number)
            .OrderBy(column => column.MaxLength)
            .FirstOrDefault();
        return best == null ? null : best.Name;
    }

    /// <summary>A CREATE TABLE statement for the columns, as most databases take it.</summary>
    public static string ToSql(string tableName, IReadOnlyList<ColumnSchema> columns)
    {
        var sql = new StringBuilder("CREATE TABLE " + SqlName(tableName) + " (\n");
        for (int i = 0; i < columns.Count; i++)
        {
            ColumnSchema column = columns[i];
            sql.Append("  ").Append(SqlName(column.Name)).Append(' ').Append(SqlType(column));
            sql.Append(column.Required ? " NOT NULL" : "").Append(i + 1 < columns.Count ? ",\n" : "\n");
        }
        return sql.Append(");").ToString();
    }

    private static string SqlType(ColumnSchema column)
    {
        switch (column.Kind)
        {
            case ColumnKind.Boolean:
                return "BOOLEAN";
            case ColumnKind.Integer:
                return "BIGINT";
            case ColumnKind.Number:
                return "NUMERIC";
            case ColumnKind.Date:
                return "TIMESTAMP";
            default:
                return "VARCHAR(" + Math.Max(1, column.MaxLength) + ")";
        }
    }

    private static string SqlName(string name)
    {
        return '"' + name.Replace("\"", "\"\"") + '"';
    }
}
