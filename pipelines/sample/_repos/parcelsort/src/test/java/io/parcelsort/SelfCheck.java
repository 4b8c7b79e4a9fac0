package io.parcelsort;

import io.parcelsort.label.Barcode;
import io.parcelsort.model.Network;
import io.parcelsort.model.Parcel;
import io.parcelsort.routing.Router;
import io.parcelsort.sim.Simulation;
import io.parcelsort.util.Texts;

import java.util.List;

/** Checks without a framework: run with -ea, silence means success. */
public final class SelfCheck {
    public static void main(String[] args) {
        checkBarcodes();
        checkRoutes();
        checkNight();
        assert Texts.clock(25 * 60).equals("01:00 +1d");
        assert Texts.enumerate(List.of("a", "b", "c")).equals("a, b and c");
    }

    private static void checkBarcodes() {
        String code = Barcode.encode(1, "AHL", 123_456);
        assert Barcode.serialOf(code) == 123_456;
        String swapped = code.substring(0, 2) + code.charAt(3) + code.charAt(2) + code.substring(4);
        try {
            Barcode.validate(swapped);
            throw new AssertionError("swapped letters went unnoticed");
        } catch (IllegalArgumentException expected) {
            assert expected.getMessage().contains(swapped);
        }
    }

    private static void checkRoutes() {
        Network network = App.demoNetwork();
        Parcel parcel = new Parcel("x", "AHL", "EMS", 500, 100, 100, 100, Parcel.Service.EXPRESS);
        assert network.route(parcel).links().size() == 1;
        assert network.closeLink("AHL", "EMS");
        assert network.route(parcel).links().size() > 1;
        assert network.criticalHubs().isEmpty();
        assert new Router(network).diameterMinutes() > 0;
        assert network.reachableFrom("BRU").size() == 8;
    }

    private static void checkNight() {
        Simulation one = new Simulation(App.demoNetwork()).populate(7, 200);
        Simulation two = new Simulation(App.demoNetwork()).populate(7, 200);
        assert one.run() == two.run();
        assert one.transit().count() == 200;
        assert one.transit().mean() == two.transit().mean();
    }
}
