namespace QuarryCsv.Stats;

/// <summary>
/// Keeps a fixed number of candidates for the commonest values. Counts may be too high,
/// by no more than the error kept with each of them, and never too low.
/// </summary>
public sealed class FrequentValues
{
    private sealed class Slot
    {
        public long Count;
        public long Error;
        public int Since;
    }

    private readonly Dictionary<string, Slot> slots = new Dictionary<string, Slot>();
    private readonly int capacity;
    private int offered;

    public FrequentValues(int capacity)
    {
        this.capacity = capacity;
    }

    public void Offer(string value)
    {
        Slot slot;
        offered++;
        if (!slots.TryGetValue(value, out slot))
        {
            long inherited = slots.Count < capacity ? 0 : EvictRarest();
            slot = new Slot { Count = inherited, Error = inherited, Since = offered };
            slots[value] = slot;
        }
        slot.Count++;
    }

    /// <summary>Removes the value with the lowest count, the oldest of several, and returns its count.</summary>
    private long EvictRarest()
    {
        KeyValuePair<string, Slot> rarest = slots.OrderBy(pair => pair.Value.Count).ThenBy(pair => pair.Value.Since).First();
        slots.Remove(rarest.Key);
        return rarest.Value.Count;
    }

    /// <summary>The commonest values with counts that are certain, highest first.</summary>
    public IReadOnlyList<KeyValuePair<string, long>> MostCommon(int count)
    {
        return slots
            .Select(pair => new KeyValuePair<string, long>(pair.Key, pair.Value.Count - pair.Value.Error))
            .OrderByDescending(pair => pair.Value)
            .ThenBy(pair => pair.Key, StringComparer.Ordinal)
            .Take(count)
            .ToList();
    }

    /// <summary>Share of all values that the commonest one makes up, between 0 and 1.</summary>
    public double Dominance()
    {
        return offered == 0 ? 0 : (double)MostCommon(1)[0].Value / offered;
    }
}
