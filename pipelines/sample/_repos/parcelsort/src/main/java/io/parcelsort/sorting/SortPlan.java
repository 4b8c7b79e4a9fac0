package io.parcelsort.sorting;

import static io.parcelsort.util.Texts.enumerate;

import io.parcelsort.model.Hub;
import io.parcelsort.model.Network;
import io.parcelsort.model.Parcel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which next hub is served by which chute. Chute 0 is for parcels that need hands. */
public final class SortPlan {
    public static final int MANUAL = 0;

    private final Map<String, List<Integer>> chutesByHub = new TreeMap<>();
    private final int chutes;

    private SortPlan(int chutes) {
        this.chutes = chutes;
    }

    /** Gives every next hub one chute and shares the rest out by expected volume. */
    public static SortPlan balance(Map<String, Integer> volumes, int chutes) {
        if (volumes.size() > chutes - 1) {
            throw new IllegalArgumentException(volumes.size() + " directions do not fit " + (chutes - 1) + " chutes");
        }
        SortPlan plan = new SortPlan(chutes);
        int next = 1;
        for (String hub : new TreeMap<>(volumes).keySet()) {
            plan.chutesByHub.computeIfAbsent(hub, key -> new ArrayList<>()).add(next++);
        }
        while (next < chutes && !volumes.isEmpty()) {
            plan.chutesByHub.get(plan.mostCrowded(volumes)).add(next++);
        }
        return plan;
    }

    private String mostCrowded(Map<String, Integer> volumes) {
        return chutesByHub.keySet().stream()
            .max(Comparator.<String>comparingDouble(hub -> volumes.get(hub) / (double) chutesByHub.get(hub).size())
                .thenComparing(Comparator.reverseOrder()))
            .orElseThrow();
    }

    /** The chute for a parcel on its way to a next hub; several chutes take turns by parcel id. */
    public int chuteFor(Parcel parcel, String nextHub) {
        if (parcel.needsManualHandling()) {
            return MANUAL;
        }
        List<Integer> own = chutesByHub.get(nextHub);
        if (own == null) {
            return MANUAL;
        }
        return own.get(Math.floorMod(parcel.id().hashCode(), own.size()));
    }

    public int size() {
        return chutes;
    }

    /** Expected parcels by next hub when everything at a hub is routed now. */
    public static Map<String, Integer> expectedVolumes(Network network, Hub at, Collection<Parcel> waiting) {
        Map<String, Integer> volumes = new TreeMap<>();
        for (Parcel parcel : waiting) {
            List<Network.Link> links = network.route(parcel).links();
            for (Network.Link link : links) {
                if (link.from().equals(at)) {
                    volumes.merge(link.to().code(), 1, Integer::sum);
                }
            }
        }
        return volumes;
    }

    /** Problems of a plan in words, or an empty text. */
    public String validate(Collection<String> neededHubs) {
        List<String> missing = new ArrayList<>();
        for (String hub : neededHubs) {
            if (!chutesByHub.containsKey(hub)) {
                missing.add(hub);
            }
        }
        return missing.isEmpty() ? "" : "no chute for " + enumerate(missing);
    }

    public String format() {
        StringBuilder out = new StringBuilder();
        chutesByHub.forEach((hub, own) -> out.append(hub).append(" <- ").append(own).append('\n'));
        return out.toString();
    }
}
