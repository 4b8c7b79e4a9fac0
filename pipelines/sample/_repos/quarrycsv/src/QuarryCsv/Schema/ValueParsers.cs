using System.Runtime.CompilerServices;

namespace QuarryCsv.Schema;

/// <summary>Kinds a cell may have, from narrow to wide.</summary>
[Flags]
public enum ColumnKind
{
    Empty = 0,
    Boolean = 1,
    Integer = 2,
    Number = 4,
    Date = 8,
    Text = 16,
}

public static class Kinds
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsNumeric(ColumnKind kind) => kind == ColumnKind.Integer || kind == ColumnKind.Number;

    /// <summary>The narrowest kind that holds the values of both.</summary>
    public static ColumnKind Widen(ColumnKind one, ColumnKind other)
    {
        if (one == other || other == ColumnKind.Empty)
        {
            return one;
        }
        if (one == ColumnKind.Empty)
        {
            return other;
        }
        return IsNumeric(one) && IsNumeric(other) ? ColumnKind.Number : ColumnKind.Text;
    }
}

/// <summary>Reads cells as values, whatever habits of writing the file has.</summary>
public static class ValueParsers
{
    private static readonly string[] DateForms =
    {
        "yyyy-MM-dd", "dd.MM.yyyy", "dd/MM/yyyy", "yyyy-MM-dd HH:mm", "yyyy-MM-ddTHH:mm:ss",
    };

    public static bool TryBoolean(string cell, out bool value)
    {
        string lowered = cell.Trim().ToLowerInvariant();
        value = lowered == "true" || lowered == "yes" || lowered == "y";
        return value || lowered == "false" || lowered == "no" || lowered == "n";
    }

    /// <summary>Whole numbers without leading zeros: 007 is a code, not a number.</summary>
    public static bool TryInteger(string cell, out long value)
    {
        string text = cell.Trim();
        string digits = text.TrimStart('-', '+');
        if (digits.Length > 1 && digits[0] == '0')
        {
            value = 0;
            return false;
        }
        return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
    }

    public static bool TryDecimal(string cell, out decimal value)
    {
        return decimal.TryParse(PointNotation(cell.Trim()), NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    /// <summary>Brings 1.234,56 and 1,234.56 to 1234.56; a lone comma counts as the decimal sign.</summary>
    public static string PointNotation(string text)
    {
        int comma = text.LastIndexOf(',');
        int point = text.LastIndexOf('.');
        if (comma < 0)
        {
            return text;
        }
        if (point < 0)
        {
            return text.IndexOf(',') == comma ? text.Replace(',', '.') : text.Replace(",", "");
        }
        return comma > point ? text.Replace(".", "").Replace(',', '.') : text.Replace(",", "");
    }

    public static bool TryDate(string cell, out DateTime value)
    {
        return DateTime.TryParseExact(cell.Trim(), DateForms, CultureInfo.InvariantCulture, DateTimeStyles.None, out value);
    }
}
