package io.parcelsort;

import static io.parcelsort.util.Texts.*;

import io.parcelsort.label.Barcode;
import io.parcelsort.model.*;
import io.parcelsort.routing.Route;
import io.parcelsort.routing.Router;
import io.parcelsort.sim.Simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The command line: {@code night SEED PARCELS}, {@code route FROM TO}, {@code label SERVICE ORIGIN SERIAL}. */
public final class App {
    private static final String[] CODES = {"AHL", "BRU", "CEL", "DOM", "EMS", "FUL", "GIF", "HOF"};

    private App() {}

    public static void main(String[] args) {
        System.exit(dispatch(args));
    }

    /** Runs one verb; 64 is the exit code for a call nobody understands. */
    static int dispatch(String[] args) {
        String verb = args.length == 0 ? "" : args[0];
        try {
            switch (verb) {
                case "night" -> simulateNight(Long.parseLong(args[1]), Integer.parseInt(args[2]));
                case "route" -> showRoutes(args[1], args[2]);
                case "label" -> printLabel(Integer.parseInt(args[1]), args[2], Long.parseLong(args[3]));
                default -> {
                    System.err.println("usage: night SEED PARCELS | route FROM TO | label SERVICE ORIGIN SERIAL");
                    return 64;
                }
            }
            return 0;
        } catch (RuntimeException problem) {
            System.err.println("parcelsort: " + problem.getMessage());
            return 1;
        }
    }

    /** A ring of eight hubs with two chords, enough to have detours. */
    static Network demoNetwork() {
        Network network = new Network();
        for (int i = 0; i < CODES.length; i++) {
            network.add(new Hub(CODES[i], i * 5, 900 + 150 * i).withCutOff((22 + i % 3) % 24 * 60));
        }
        for (int i = 0; i < CODES.length; i++) {
            network.connect(CODES[i], CODES[(i + 1) % CODES.length]);
        }
        return network.connect("AHL", "EMS").connect("CEL", "GIF");
    }

    private static void simulateNight(long seed, int number) {
        Simulation night = new Simulation(demoNetwork()).populate(seed, number);
        int end = night.run();
        System.out.print(night.transit().format());
        System.out.print(night.transit().histogram(8));
        System.out.println("last event " + clock(end));
        System.out.println("on time " + String.format(Locale.ROOT, "%.1f%%", night.onTimePercent()));
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : night.lateByDestination().entrySet()) {
            rows.add(List.of(entry.getKey(), entry.getValue().toString()));
        }
        System.out.print(table(rows));
    }

    private static void showRoutes(String from, String to) {
        Network network = demoNetwork();
        for (Route route : new Router(network).alternatives(from, to, 3)) {
            System.out.println(route.format() + ", there at " + clock(route.arrivalAfter(20 * 60)));
        }
    }

    private static void printLabel(int service, String origin, long serial) {
        String code = Barcode.encode(service, origin, serial);
        System.out.println(padRight(code, 16) + Barcode.drawBars(code));
    }
}
