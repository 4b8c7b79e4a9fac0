package io.parcelsort.label;

import io.parcelsort.util.Checks;

import java.nio.charset.StandardCharsets;

/** The number printed under the bars: service digit, origin, serial, and two check signs. */
public final class Barcode {
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    private Barcode() {}

    /** Weights 7, 1, 3 repeated from the left; letters count by their place in the alphabet. */
    public static int checkDigit(String body) {
        int[] weights = {7, 1, 3};
        int sum = 0;
        for (int i = 0; i < body.length(); i++) {
            sum += valueOf(body.charAt(i)) * weights[i % weights.length];
        }
        return sum % 10;
    }

    private static int valueOf(char sign) {
        int value = ALPHABET.indexOf(Character.toUpperCase(sign));
        if (value < 0) {
            throw new IllegalArgumentException("'" + sign + "' cannot stand in a barcode");
        }
        return value;
    }

    /** A second check that sees swapped neighbours: add modulo 36, double modulo 37, sign by sign. */
    public static char checkSign(String body) {
        int size = ALPHABET.length();
        int rest = size;
        for (char sign : body.toCharArray()) {
            rest = (rest + valueOf(sign)) % size;
            rest = (rest == 0 ? size : rest) * 2 % (size + 1);
        }
        return ALPHABET.charAt((size + 1 - rest) % size);
    }

    public static String encode(int service, String origin, long serial) {
        Checks.requireIndex(service, 10, "service");
        StringBuilder digits = new StringBuilder();
        for (long left = serial; left > 0; left /= ALPHABET.length()) {
            digits.insert(0, ALPHABET.charAt((int) (left % ALPHABET.length())));
        }
        while (digits.length() < 7) {
            digits.insert(0, '0');
        }
        String body = service + origin.toUpperCase(java.util.Locale.ROOT) + digits;
        return body + checkDigit(body) + checkSign(body);
    }

    /** The serial number inside a barcode whose origin code has three letters. */
    public static long serialOf(String barcode) {
        validate(barcode);
        long serial = 0;
        for (char sign : barcode.substring(4, barcode.length() - 2).toCharArray()) {
            serial = serial * ALPHABET.length() + valueOf(sign);
        }
        return serial;
    }

    public static void validate(String barcode) {
        if (barcode.length() < 7) {
            throw new IllegalArgumentException("barcode too short: " + barcode);
        }
        String body = barcode.substring(0, barcode.length() - 2);
        char digit = barcode.charAt(barcode.length() - 2);
        char sign = barcode.charAt(barcode.length() - 1);
        if (digit - '0' != checkDigit(body) || sign != checkSign(body)) {
            throw new IllegalArgumentException("check signs do not fit: " + barcode);
        }
    }

    /** Bars as text for a screen: every bit of every byte becomes a thick or a thin line. */
    public static String drawBars(String barcode) {
        StringBuilder bars = new StringBuilder("|");
        for (byte sign : barcode.getBytes(StandardCharsets.US_ASCII)) {
            for (int bit = 6; bit >= 0; bit--) {
                bars.append((sign >> bit & 1) == 1 ? '#' : '.');
            }
        }
        return bars.append('|').toString();
    }
}
