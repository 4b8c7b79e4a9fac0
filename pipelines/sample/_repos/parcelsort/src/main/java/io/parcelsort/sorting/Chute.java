package io.parcelsort.sorting;

import io.parcelsort.model.Parcel;

import java.util.ArrayList;
import java.util.List;

/** One exit of the belt with a bag under it. */
public final class Chute {
    private final int number;
    private final int bagGrams;
    private final List<Parcel> bag = new ArrayList<>();
    private int bagsClosed;

    Chute(int number, int bagGrams) {
        this.number = number;
        this.bagGrams = bagGrams;
    }

    public int number() {
        return number;
    }

    public int weight() {
        return bag.stream().mapToInt(Parcel::grams).sum();
    }

    /** Drops a parcel; a bag it would overfill is closed first and its content handed back. */
    public List<Parcel> drop(Parcel parcel) {
        List<Parcel> full = List.of();
        if (!bag.isEmpty() && weight() + parcel.grams() > bagGrams) {
            full = closeBag();
        }
        bag.add(parcel);
        return full;
    }

    public List<Parcel> closeBag() {
        List<Parcel> content = List.copyOf(bag);
        bag.clear();
        if (!content.isEmpty()) {
            bagsClosed++;
        }
        return content;
    }

    /** How full the open bag is, from 0 to 100; a single heavy parcel may exceed it. */
    public int fillPercent() {
        return weight() * 100 / bagGrams;
    }

    public int bagsClosed() {
        return bagsClosed;
    }
}
