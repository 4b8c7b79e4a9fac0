package io.parcelsort.model;

import io.parcelsort.generated.ZoneTable;
import io.parcelsort.routing.Route;
import io.parcelsort.routing.Router;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Hubs and the directed links between them. Not safe for use from several threads. */
public final class Network {

    /** A lorry line: minutes on the road and cents per parcel. */
    public record Link(Hub from, Hub to, int minutes, int cents) {}

    private final SortedMap<String, Hub> hubs = new TreeMap<>();
    private final Map<String, List<Link>> outgoing = new TreeMap<>();
    private final Router router = new Router(this);

    public Network add(Hub hub) {
        if (hubs.putIfAbsent(hub.code(), hub) != null) {
            throw new IllegalStateException("hub " + hub.code() + " is there already");
        }
        outgoing.put(hub.code(), new ArrayList<>());
        return this;
    }

    public Hub hub(String code) {
        Hub found = hubs.get(code);
        if (found == null) {
            throw new NoSuchElementException("no hub " + code);
        }
        return found;
    }

    /** Connects two hubs both ways, with time and price taken from the zone table. */
    public Network connect(String one, String other) {
        Hub a = hub(one);
        Hub b = hub(other);
        int kilometres = ZoneTable.kilometres(a.zone(), b.zone());
        int minutes = 20 + kilometres * 60 / 75;
        int cents = 15 + kilometres / 12;
        outgoing.get(one).add(new Link(a, b, minutes, cents));
        outgoing.get(other).add(new Link(b, a, minutes, cents));
        return this;
    }

    public List<Link> linksFrom(Hub hub) {
        return Collections.unmodifiableList(outgoing.get(hub.code()));
    }

    public SortedSet<Hub> allHubs() {
        return new TreeSet<>(hubs.values());
    }

    /** Takes a link out of service in one direction; says whether there was one. */
    public boolean closeLink(String from, String to) {
        return outgoing.get(from).removeIf(link -> link.to().code().equals(to));
    }

    /** Everything that can be reached from a hub, the hub included. */
    public SortedSet<Hub> reachableFrom(String code) {
        SortedSet<Hub> seen = new TreeSet<>();
        Deque<Hub> open = new ArrayDeque<>(List.of(hub(code)));
        while (!open.isEmpty()) {
            Hub next = open.poll();
            if (seen.add(next)) {
                linksFrom(next).forEach(link -> open.add(link.to()));
            }
        }
        return seen;
    }

    /** Hubs whose loss would cut some pair of the others off from each other. */
    public List<Hub> criticalHubs() {
        List<Hub> critical = new ArrayList<>();
        for (Hub removed : hubs.values()) {
            Hub start = null;
            for (Hub hub : hubs.values()) {
                if (!hub.equals(removed)) {
                    start = hub;
                    break;
                }
            }
            if (start != null && countWithout(start, removed) < hubs.size() - 1) {
                critical.add(removed);
            }
        }
        return critical;
    }

    private int countWithout(Hub start, Hub removed) {
        SortedSet<Hub> seen = new TreeSet<>();
        Deque<Hub> stack = new ArrayDeque<>(List.of(start));
        while (!stack.isEmpty()) {
            Hub hub = stack.pop();
            if (hub.equals(removed) || !seen.add(hub)) {
                continue;
            }
            for (Link link : linksFrom(hub)) {
                stack.push(link.to());
            }
        }
        return seen.size();
    }

    public Route route(Parcel parcel) {
        return router.cheapestFor(parcel);
    }
}
