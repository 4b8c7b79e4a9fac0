mod common;

use mossgrid::noise::Noise;
use mossgrid::sim::{stats, World};
use mossgrid::Cell;

#[test]
fn same_seed_same_moss() {
    let mut worlds = [World::new(common::pond(), 9), World::new(common::pond(), 9)];
    let curves = worlds.each_mut().map(|world| stats::growth_curve(world, 20));
    assert_eq!(curves[0], curves[1]);
    assert!(curves[0].last() > curves[0].first());
}

#[test]
fn reset_starts_over() {
    let mut world = World::new(common::pond(), 3);
    let first = stats::growth_curve(&mut world, 8);
    world.reset(common::pond());
    assert_eq!(stats::growth_curve(&mut world, 8), first);
    assert_eq!(world.tick(), 8);
}

#[test]
fn a_dry_map_goes_quiet() {
    let mut world = World::new(common::maze(), 5);
    assert_eq!(world.scatter_spores(4).len(), 4);
    let counted = world.run_until_quiet(10, 2_000);
    assert_eq!(counted.water, 0);
    assert_eq!(counted.bare + counted.stone + counted.total_moss(), 20);
}

#[test]
fn shuffling_loses_nothing() {
    let mut items: Vec<u32> = (0..10).collect();
    Noise::new(2).shuffle(&mut items);
    items.sort_unstable();
    assert_eq!(items, (0..10).collect::<Vec<_>>());
    assert_eq!(Cell::Moss(3).to_string(), "moss of age 3");
}
