package io.parcelsort.sorting;

import io.parcelsort.model.Hub;
import io.parcelsort.model.Parcel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The belt of one hub: it owns a row of chutes and follows a plan. */
public final class Sorter {
    private static final int BAG_GRAMS = 25_000;

    private final Hub hub;
    private final List<Chute> row = new ArrayList<>();
    private SortPlan plan;

    // Same package, so neither Chute nor SortPlan is imported.
    public Sorter(Hub hub, SortPlan plan) {
        this.hub = hub;
        adopt(plan);
    }

    /** Takes a new plan between two waves; open bags are kept where the chute still exists. */
    public void adopt(SortPlan next) {
        plan = next;
        while (row.size() < next.size()) {
            row.add(new Chute(row.size(), BAG_GRAMS));
        }
    }

    /** Sorts one wave, reports every bag that was closed, and returns the minutes it took. */
    public int sortWave(List<Parcel> wave, java.util.function.Function<Parcel, String> nextHub, BiConsumer<Chute, List<Parcel>> onBag) {
        for (Parcel parcel : wave) {
            Chute chute = row.get(plan.chuteFor(parcel, nextHub.apply(parcel)));
            List<Parcel> full = chute.drop(parcel);
            if (!full.isEmpty()) {
                onBag.accept(chute, full);
            }
        }
        return hub.minutesToSort(wave.size());
    }

    /** Closes all open bags, as is done shortly before the lorries leave. */
    public void flush(BiConsumer<Chute, List<Parcel>> onBag) {
        for (Chute chute : row) {
            List<Parcel> rest = chute.closeBag();
            if (!rest.isEmpty()) {
                onBag.accept(chute, rest);
            }
        }
    }

    public int totalBags() {
        return row.stream().mapToInt(Chute::bagsClosed).sum();
    }

    /** The share of bags that the busiest chute had to take, in percent. */
    public int imbalancePercent() {
        int most = row.stream().mapToInt(Chute::bagsClosed).max().orElse(0);
        return totalBags() == 0 ? 0 : most * 100 / totalBags();
    }
}
