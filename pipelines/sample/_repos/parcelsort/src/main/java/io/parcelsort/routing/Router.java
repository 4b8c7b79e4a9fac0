package io.parcelsort.routing;

import io.parcelsort.model.*;
import io.parcelsort.model.Network.Link;

import java.util.*;
import java.util.function.ToIntFunction;

/** Finds routes in a network. It keeps nothing between calls, so closed links count at once. */
public final class Router {
    private final Network network;

    public Router(Network network) {
        this.network = network;
    }

    /** Express goes by time, everything else by price. */
    public Route cheapestFor(Parcel parcel) {
        ToIntFunction<Link> weight = parcel.service() == Parcel.Service.EXPRESS ? Link::minutes : Link::cents;
        return shortest(parcel.origin(), parcel.destination(), weight, Set.of())
            .orElseThrow(() -> new NoSuchElementException("no way from " + parcel.origin() + " to " + parcel.destination()));
    }

    /** Dijkstra with ties broken by hub code, so that the answer never depends on hashing. */
    public Optional<Route> shortest(String from, String to, ToIntFunction<Link> weight, Set<Link> banned) {
        Map<Hub, Integer> best = new HashMap<>();
        Map<Hub, Link> arrivedBy = new HashMap<>();
        PriorityQueue<Map.Entry<Hub, Integer>> open = new PriorityQueue<>(
            Map.Entry.<Hub, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()));
        Hub start = network.hub(from);
        Hub goal = network.hub(to);
        best.put(start, 0);
        open.add(Map.entry(start, 0));
        while (!open.isEmpty()) {
            Map.Entry<Hub, Integer> head = open.poll();
            Hub here = head.getKey();
            if (here.equals(goal)) {
                return Optional.of(unwind(start, goal, arrivedBy));
            }
            if (head.getValue() > best.get(here)) {
                continue;
            }
            for (Link link : network.linksFrom(here)) {
                int cost = head.getValue() + weight.applyAsInt(link);
                if (!banned.contains(link) && cost < best.getOrDefault(link.to(), Integer.MAX_VALUE)) {
                    best.put(link.to(), cost);
                    arrivedBy.put(link.to(), link);
                    open.add(Map.entry(link.to(), cost));
                }
            }
        }
        return Optional.empty();
    }

    private static Route unwind(Hub start, Hub goal, Map<Hub, Link> arrivedBy) {
        LinkedList<Link> links = new LinkedList<>();
        for (Hub here = goal; !here.equals(start); here = links.getFirst().from()) {
            links.addFirst(arrivedBy.get(here));
        }
        return new Route(start, links);
    }

    /** Up to so many different routes, found by banning one link of the best route at a time. */
    public List<Route> alternatives(String from, String to, int limit) {
        Optional<Route> best = shortest(from, to, Link::minutes, Set.of());
        if (best.isEmpty()) {
            return List.of();
        }
        Map<String, Route> found = new LinkedHashMap<>();
        found.put(best.get().format(), best.get());
        for (Link link : best.get().links()) {
            shortest(from, to, Link::minutes, Set.of(link)).ifPresent(route -> found.put(route.format(), route));
        }
        List<Route> routes = new ArrayList<>(found.values());
        routes.sort(Comparator.comparingInt(Route::travelMinutes).thenComparing(Route::format));
        return routes.subList(0, Math.min(limit, routes.size()));
    }

    /** Longest shortest travel time between any two hubs, or -1 when some pair is not connected. */
    public int diameterMinutes() {
        int widest = 0;
        for (Hub a : network.allHubs()) {
            for (Hub b : network.allHubs()) {
                Optional<Route> route = shortest(a.code(), b.code(), Link::minutes, Set.of());
                if (route.isEmpty()) {
                    return -1;
                }
                widest = Math.max(widest, route.get().travelMinutes());
            }
        }
        return widest;
    }
}
