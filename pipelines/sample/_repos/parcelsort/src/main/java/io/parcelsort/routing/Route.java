package io.parcelsort.routing;

import io.parcelsort.model.Hub;
import io.parcelsort.model.Network.Link;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A chain of links, each beginning where the one before ends. */
public final class Route {
    private final Hub start;
    private final List<Link> links;

    public Route(Hub start, List<Link> links) {
        Hub here = start;
        for (Link link : links) {
            if (!link.from().equals(here)) {
                throw new IllegalArgumentException("route breaks at " + here);
            }
            here = link.to();
        }
        this.start = start;
        this.links = List.copyOf(links);
    }

    public List<Link> links() {
        return links;
    }

    public Hub end() {
        return links.isEmpty() ? start : links.get(links.size() - 1).to();
    }

    public int travelMinutes() {
        return links.stream().mapToInt(Link::minutes).sum();
    }

    public int totalCents() {
        return links.stream().mapToInt(Link::cents).sum();
    }

    /** Arrival at the end when every hub on the way holds parcels until its departure. */
    public int arrivalAfter(int ready) {
        int time = ready;
        for (Link link : links) {
            time += link.from().waitUntilDeparture(time) + link.minutes();
        }
        return time;
    }

    /** The hubs in the order they are visited, both ends included. */
    public Set<Hub> stops() {
        Set<Hub> stops = new LinkedHashSet<>();
        stops.add(start);
        links.forEach(link -> stops.add(link.to()));
        return stops;
    }

    public boolean visitsTwice() {
        return stops().size() <= links.size();
    }

    /** This route followed by one that begins where it ends. */
    public Route then(Route next) {
        List<Link> both = new ArrayList<>(links);
        both.addAll(next.links);
        return new Route(start, both);
    }

    public String format() {
        return stops().stream().map(Hub::code).collect(Collectors.joining(" > "))
            + " (" + travelMinutes() + " min, " + totalCents() + " ct)";
    }
}
