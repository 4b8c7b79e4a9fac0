package io.parcelsort.util;

/** Guards for arguments, meant to be imported statically. */
public final class Checks {
    private Checks() {}

    /** Returns the text when it holds something besides blanks. */
    public static String requireText(String value, String what) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        return value;
    }

    public static int requirePositive(int value, String what) {
        if (value <= 0) {
            throw new IllegalArgumentException(what + " must be positive, not " + value);
        }
        return value;
    }

    /** Checks a half-open range and names the bound that was crossed. */
    public static int requireIndex(int value, int size, String what) {
        if (value < 0) {
            throw new IndexOutOfBoundsException(what + " " + value + " lies below zero");
        }
        if (value >= size) {
            throw new IndexOutOfBoundsException(what + " " + value + " lies beyond " + (size - 1));
        }
        return value;
    }
}
