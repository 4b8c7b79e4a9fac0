package io.parcelsort.model;

import static io.parcelsort.util.Checks.*;

import java.util.Objects;

/** A sorting centre. Two hubs are the same when their codes are. */
public final class Hub implements Comparable<Hub> {
    private final String code;
    private final int zone;
    private final int parcelsPerHour;
    private int cutOff = 23 * 60;

    public Hub(String code, int zone, int parcelsPerHour) {
        this.code = requireText(code, "code");
        this.zone = requireIndex(zone, 40, "zone");
        this.parcelsPerHour = requirePositive(parcelsPerHour, "capacity");
    }

    public String code() {
        return code;
    }

    public int zone() {
        return zone;
    }

    public Hub withCutOff(int minuteOfDay) {
        cutOff = requireIndex(minuteOfDay, 24 * 60, "cut-off");
        return this;
    }

    /** Minutes a belt needs for so many parcels, begun minutes counted as whole ones. */
    public int minutesToSort(int parcels) {
        return (int) Math.ceil(parcels * 60.0 / parcelsPerHour);
    }

    /** Waiting time until the next departure for something that arrives at a minute. */
    public int waitUntilDeparture(int arrival) {
        int minuteOfDay = Math.floorMod(arrival, 24 * 60);
        int wait = cutOff - minuteOfDay;
        return wait >= 0 ? wait : wait + 24 * 60;
    }

    @Override
    public int compareTo(Hub other) {
        return code.compareTo(other.code);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hub && ((Hub) other).code.equals(code);
    }

    @Override
    public int hashCode() {
        return Objects.hash(code);
    }

    @Override
    public String toString() {
        return code + "/" + zone;
    }
}
