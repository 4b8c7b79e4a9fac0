using QuarryCsv.Model;
using QuarryCsv.Schema;

namespace QuarryCsv.Stats;

/// <summary>Everything learned about a column in one pass.</summary>
public sealed class ColumnProfile
{
    private readonly DistinctCounter distinct = new DistinctCounter();
    private readonly FrequentValues frequent = new FrequentValues(64);
    private double mean;
    private double squares;

    public ColumnProfile(string name)
    {
        Name = name;
    }

    public string Name { get; }

    public ColumnKind Kind { get; private set; }

    public long Cells { get; private set; }

    public long EmptyCells { get; private set; }

    public long Numbers { get; private set; }

    public double Smallest { get; private set; } = double.PositiveInfinity;

    public double Largest { get; private set; } = double.NegativeInfinity;

    public static ColumnProfile OfColumn(Table table, string name)
    {
        var profile = new ColumnProfile(name);
        foreach (string cell in table.CellsOf(name))
        {
            profile.Observe(cell);
        }
        return profile;
    }

    public void Observe(string cell)
    {
        Cells++;
        ColumnKind kind = SchemaInference.KindOfCell(cell);
        if (kind == ColumnKind.Empty)
        {
            EmptyCells++;
            return;
        }
        Kind = Kinds.Widen(Kind, kind);
        distinct.AddText(cell);
        frequent.Offer(cell);
        decimal value;
        if (Kinds.IsNumeric(kind) && ValueParsers.TryDecimal(cell, out value))
        {
            AddNumber((double)value);
        }
    }

    /// <summary>Running mean and sum of squared differences, stable for large values too.</summary>
    private void AddNumber(double value)
    {
        Numbers++;
        double delta = value - mean;
        mean += delta / Numbers;
        squares += delta * (value - mean);
        Smallest = Math.Min(Smallest, value);
        Largest = Math.Max(Largest, value);
    }

    public double Mean() => Numbers == 0 ? double.NaN : mean;

    public double Deviation() => Numbers < 2 ? 0 : Math.Sqrt(squares / (Numbers - 1));

    public long Distinct() => distinct.EstimateDistinct();

    public double EmptyShare() => Cells == 0 ? 0 : (double)EmptyCells / Cells;

    public IEnumerable<string> CommonValues(int count)
    {
        return frequent.MostCommon(count).Select(pair => pair.Key + " (" + pair.Value + ")");
    }

    /// <summary>Remarks a careful reader would make about the column.</summary>
    public IEnumerable<string> Remarks()
    {
        if (Cells > 0 && EmptyCells == Cells)
        {
            yield return "always empty";
            yield break;
        }
        if (EmptyShare() > 0.5)
        {
            yield return "mostly empty";
        }
        if (Cells > 10 && frequent.Dominance() > 0.95)
        {
            yield return "nearly constant";
        }
        if (Kind == ColumnKind.Text && Numbers > 0)
        {
            yield return Numbers + " of the texts are numbers";
        }
        if (Deviation() > 0 && Largest > mean + 6 * Deviation())
        {
            yield return "has outliers";
        }
    }
}
