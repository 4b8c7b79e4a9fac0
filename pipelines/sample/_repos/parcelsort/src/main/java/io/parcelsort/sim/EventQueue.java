package io.parcelsort.sim;

import java.util.PriorityQueue;

/** Events in order of time; those of one minute leave in the order they were entered. */
final class EventQueue {

    /** What can happen during a night. */
    enum Kind { ARRIVAL, SORTED, DEPARTURE }

    record Event(int minute, long ticket, Kind kind, String hub, int payload) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Integer.compare(minute, other.minute);
            return byTime != 0 ? byTime : Long.compare(ticket, other.ticket);
        }
    }

    private final PriorityQueue<Event> heap = new PriorityQueue<>();
    private long tickets;
    private int now;

    void schedule(int minute, Kind kind, String hub, int payload) {
        if (minute < now) {
            throw new IllegalArgumentException("minute " + minute + " has passed, it is " + now);
        }
        heap.add(new Event(minute, tickets++, kind, hub, payload));
    }

    /** Takes the next event out and moves the clock to it; null when the night is over. */
    Event advance() {
        Event next = heap.poll();
        if (next != null) {
            now = next.minute();
        }
        return next;
    }

    int now() {
        return now;
    }

    /** Removes what was planned for a hub that broke down and tells how much that was. */
    int cancelAt(String hub) {
        int before = heap.size();
        heap.removeIf(event -> event.hub().equals(hub));
        return before - heap.size();
    }
}
