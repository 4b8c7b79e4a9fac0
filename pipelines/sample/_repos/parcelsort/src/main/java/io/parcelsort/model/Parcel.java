package io.parcelsort.model;

import static io.parcelsort.util.Checks.requirePositive;
import static io.parcelsort.util.Checks.requireText;

/** One parcel: where from, where to, how heavy and how large. Lengths in mm, weight in g. */
public record Parcel(String id, String origin, String destination, int grams, int length, int width, int height, Service service) {

    /** Promises made to the sender, slowest last. */
    public enum Service {
        EXPRESS(12 * 60),
        STANDARD(36 * 60),
        SAVER(96 * 60);

        private final int minutes;

        Service(int minutes) {
            this.minutes = minutes;
        }

        public int allowedMinutes() {
            return minutes;
        }
    }

    public Parcel {
        requireText(id, "id");
        requireText(origin, "origin");
        requireText(destination, "destination");
        requirePositive(grams, "weight");
        requirePositive(Math.min(length, Math.min(width, height)), "smallest side");
    }

    /** Volume as if it were weight: 5000 cubic centimetres count as one kilogram. */
    public int volumetricGrams() {
        long cubicMillimetres = (long) length * width * height;
        return (int) (cubicMillimetres / 5000);
    }

    public int chargeableGrams() {
        return Math.max(grams, volumetricGrams());
    }

    /** Longest side plus the girth around the two others. */
    public int girthAndLength() {
        int longest = Math.max(length, Math.max(width, height));
        return longest + 2 * (length + width + height - longest);
    }

    /** Belts stop for anything longer than 1.2 m, heavier than 31.5 kg or with a girth over 3 m. */
    public boolean needsManualHandling() {
        int longest = Math.max(length, Math.max(width, height));
        return longest > 1200 || grams > 31_500 || girthAndLength() > 3000;
    }
}
