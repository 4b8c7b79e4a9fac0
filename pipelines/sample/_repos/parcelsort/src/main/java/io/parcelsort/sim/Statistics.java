package io.parcelsort.sim;

import io.parcelsort.util.Texts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Collected minutes of whatever is measured, with the usual figures. */
public final class Statistics {
    private int[] values = new int[16];
    private int count;

    public void record(int minutes) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
        }
        values[count++] = minutes;
    }

    public int count() {
        return count;
    }

    public double mean() {
        return Arrays.stream(values, 0, count).average().orElse(0);
    }

    /** Nearest-rank percentile; 0 when nothing was recorded. */
    public int percentile(int percent) {
        if (count == 0) {
            return 0;
        }
        int[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100.0 * count);
        return sorted[Math.max(0, rank - 1)];
    }

    /** Spread around the mean, dividing by one less than the number of values. */
    public double standardDeviation() {
        if (count < 2) {
            return 0;
        }
        double mean = mean();
        double squares = Arrays.stream(values, 0, count).mapToDouble(v -> (v - mean) * (v - mean)).sum();
        return Math.sqrt(squares / (count - 1));
    }

    /** Counts in equal bins between the smallest and the largest value, drawn with stars. */
    public String histogram(int bins) {
        int low = percentile(0);
        int width = Math.max(1, (percentile(100) - low) / bins + 1);
        int[] counts = new int[bins];
        for (int i = 0; i < count; i++) {
            counts[Math.min(bins - 1, (values[i] - low) / width)]++;
        }
        int most = Math.max(1, Arrays.stream(counts).max().orElse(1));
        StringBuilder out = new StringBuilder();
        for (int bin = 0; bin < bins; bin++) {
            out.append(Texts.padLeft(Texts.clock(low + bin * width), 10)).append(' ');
            out.append("*".repeat(counts[bin] * 40 / most)).append('\n');
        }
        return out.toString();
    }

    public String format() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("count", Integer.toString(count)));
        rows.add(List.of("mean", String.format(Locale.ROOT, "%.1f", mean())));
        rows.add(List.of("sd", String.format(Locale.ROOT, "%.1f", standardDeviation())));
        rows.add(List.of("p95", Integer.toString(percentile(95))));
        return Texts.table(rows);
    }
}
