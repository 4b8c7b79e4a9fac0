package io.parcelsort.util;

import java.util.List;
import java.util.Locale;

/** Small text tools for reports on a terminal. */
public final class Texts {
    private Texts() {}

    public static String padRight(String text, int width) {
        StringBuilder out = new StringBuilder(text);
        while (out.length() < width) {
            out.append(' ');
        }
        return out.toString();
    }

    public static String padLeft(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /** Minutes since midnight as a clock; days after the first are shown as +1d, +2d. */
    public static String clock(int minutes) {
        int day = Math.floorDiv(minutes, 24 * 60);
        int rest = Math.floorMod(minutes, 24 * 60);
        String time = String.format(Locale.ROOT, "%02d:%02d", rest / 60, rest % 60);
        return day == 0 ? time : time + " " + (day > 0 ? "+" : "") + day + "d";
    }

    /** Joins as people do: "a", "a and b", "a, b and c". */
    public static String enumerate(List<String> parts) {
        int last = parts.size() - 1;
        if (last <= 0) {
            return last == 0 ? parts.get(0) : "";
        }
        return String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    /** Lays rows out in columns; cells that look like numbers are set flush right. */
    public static String table(List<List<String>> rows) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                boolean number = cell.matches("-?[0-9.]+%?");
                line.append(number ? padLeft(cell, widths[i]) : padRight(cell, widths[i])).append("  ");
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
