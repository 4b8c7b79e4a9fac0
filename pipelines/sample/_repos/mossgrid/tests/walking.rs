mod common;

use mossgrid::path::{find_route, flow, heuristic::octile};
use mossgrid::region::{label_regions, region_sizes};
use mossgrid::{coords, Coord};

#[test]
fn the_way_through_the_maze() {
    let map = common::maze();
    let route = find_route(&map, Coord::new(0, 0), Coord::new(4, 3), octile)
        .expect("both ends are on the map")
        .expect("the maze has a way");
    assert_eq!(route.cost, 13_000);
    assert_eq!(route.corners(), coords![(0, 0), (0, 3), (2, 3), (2, 0), (4, 0), (4, 3)]);
    assert!(route.detour() > 2.0);
}

#[test]
fn field_and_route_agree() {
    let map = common::maze();
    let goal = Coord::new(4, 3);
    let field = flow::distance_field(&map, &[goal]);
    assert_eq!(field.get(Coord::new(0, 0)), Some(&Some(13_000)));
    assert_eq!(flow::descend(&map, &field, Coord::new(0, 0)).len(), 14);
    assert_eq!(flow::within_budget(&field, 1_000), coords![(4, 2), (4, 3)]);
}

#[test]
fn the_pond_is_one_area() {
    let labels = label_regions(&common::pond(), |cell| cell.is_wet());
    assert_eq!(region_sizes(&labels), [28, 4]);
}

#[test]
fn edges_are_glued() {
    assert_eq!(Coord::new(-1, 4).wrap_into(&common::pond()), Coord::new(7, 0));
    assert_eq!(Coord::new(0, 0).chebyshev(Coord::new(5, 2)), 5);
}
