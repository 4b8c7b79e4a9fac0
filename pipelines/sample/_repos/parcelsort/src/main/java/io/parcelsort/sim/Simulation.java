package io.parcelsort.sim;

import io.parcelsort.label.Barcode;
import io.parcelsort.model.Hub;
import io.parcelsort.model.Network;
import io.parcelsort.model.Parcel;
import io.parcelsort.routing.Route;
import io.parcelsort.sim.EventQueue.Event;
import io.parcelsort.sim.EventQueue.Kind;
import io.parcelsort.sorting.SortPlan;
import io.parcelsort.sorting.Sorter;

import java.util.*;

/** One night: parcels arrive, are sorted in waves and travel on until they are where they belong. */
public final class Simulation {
    private static final int WAVE_MINUTES = 15;

    private final Network network;
    private final List<Parcel> parcels = new ArrayList<>();
    private final Statistics transit = new Statistics();
    private final Map<String, Integer> late = new TreeMap<>();

    public Simulation(Network network) {
        this.network = network;
    }

    public Statistics transit() {
        return transit;
    }

    public Map<String, Integer> lateByDestination() {
        return Collections.unmodifiableMap(late);
    }

    /** Makes parcels between random hubs; the same seed makes the same parcels. */
    public Simulation populate(long seed, int number) {
        Random random = new Random(seed);
        List<Hub> hubs = new ArrayList<>(network.allHubs());
        Parcel.Service[] services = Parcel.Service.values();
        for (int serial = 1; serial <= number; serial++) {
            Hub from = hubs.get(random.nextInt(hubs.size()));
            Hub to = hubs.get(random.nextInt(hubs.size()));
            Parcel.Service service = services[random.nextInt(services.length)];
            String id = Barcode.encode(service.ordinal(), from.code(), serial);
            int grams = 200 + random.nextInt(12_000);
            parcels.add(new Parcel(id, from.code(), to.code(), grams, 100 + random.nextInt(500), 80 + random.nextInt(400), 50 + random.nextInt(300), service));
        }
        return this;
    }

    /** Plays the night from 18:00 until nothing moves any more and returns the minute of the last event. */
    public int run() {
        EventQueue queue = new EventQueue();
        Map<String, Sorter> sorters = new TreeMap<>();
        Map<String, Deque<Integer>> waiting = new TreeMap<>();
        List<Route> routes = new ArrayList<>();
        int[] leg = new int[parcels.size()];
        int[] entered = new int[parcels.size()];

        // Every hub plans its chutes by what it expects to see, then opens an empty queue.
        for (Hub hub : network.allHubs()) {
            Map<String, Integer> volumes = SortPlan.expectedVolumes(network, hub, parcels);
            SortPlan plan = SortPlan.balance(volumes, Math.max(8, volumes.size() + 2));
            sorters.put(hub.code(), new Sorter(hub, plan));
            waiting.put(hub.code(), new ArrayDeque<>());
        }
        for (int i = 0; i < parcels.size(); i++) {
            routes.add(network.route(parcels.get(i)));
            entered[i] = 18 * 60 + (i * 37) % 180;
            queue.schedule(entered[i], Kind.ARRIVAL, parcels.get(i).origin(), i);
        }

        for (Event event = queue.advance(); event != null; event = queue.advance()) {
            int index = event.payload();
            switch (event.kind()) {
                case ARRIVAL -> {
                    if (leg[index] >= routes.get(index).links().size()) {
                        finish(parcels.get(index), event.minute() - entered[index]);
                        break;
                    }
                    Deque<Integer> line = waiting.get(event.hub());
                    if (line.isEmpty()) {
                        queue.schedule(event.minute() + WAVE_MINUTES, Kind.SORTED, event.hub(), -1);
                    }
                    line.add(index);
                }
                case SORTED -> {
                    Deque<Integer> line = waiting.get(event.hub());
                    List<Parcel> wave = new ArrayList<>();
                    Map<Parcel, String> next = new HashMap<>();
                    for (int i : line) {
                        Parcel parcel = parcels.get(i);
                        wave.add(parcel);
                        next.put(parcel, routes.get(i).links().get(leg[i]).to().code());
                    }
                    int minutes = sorters.get(event.hub()).sortWave(wave, next::get, (chute, bag) -> {});
                    int sorted = event.minute() + minutes;
                    int departure = sorted + network.hub(event.hub()).waitUntilDeparture(sorted);
                    for (int i : line) {
                        queue.schedule(departure, Kind.DEPARTURE, event.hub(), i);
                    }
                    line.clear();
                }
                case DEPARTURE -> {
                    Network.Link link = routes.get(index).links().get(leg[index]++);
                    queue.schedule(event.minute() + link.minutes(), Kind.ARRIVAL, link.to().code(), index);
                }
            }
        }
        sorters.values().forEach(sorter -> sorter.flush((chute, bag) -> {}));
        return queue.now();
    }

    private void finish(Parcel parcel, int minutes) {
        transit.record(minutes);
        if (minutes > parcel.service().allowedMinutes()) {
            late.merge(parcel.destination(), 1, Integer::sum);
        }
    }

    /** The share of parcels that kept their promise, in percent. */
    public double onTimePercent() {
        int missed = late.values().stream().mapToInt(Integer::intValue).sum();
        return transit.count() == 0 ? 100 : 100.0 * (transit.count() - missed) / transit.count();
    }
}
