//! A* over cells, eight directions, no squeezing between two blocked corners.

use super::{frontier::Frontier, heuristic::Heuristic, Route, DIAGONAL};
use crate::{cell::Cell, Coord, Direction, Grid};

/// Cost of a single step, or nothing when the step is not allowed.
///
/// A diagonal needs both cells beside it open: a walker has shoulders.
pub fn step_cost(map: &Grid<Cell>, from: Coord, towards: Direction) -> Option<u32> {
    let open = |at: Coord| map.get(at).and_then(|cell| cell.entry_cost());
    let cost = open(from.step(towards))?;
    if !towards.is_diagonal() {
        return Some(cost);
    }
    open(from.step(towards.turned(-1)))?;
    open(from.step(towards.turned(1)))?;
    Some(cost * DIAGONAL / 1000)
}

/// The cheapest way between two cells, both included.
pub fn find_route(
    map: &Grid<Cell>,
    start: Coord,
    goal: Coord,
    bound: Heuristic,
) -> Result<Option<Route>, String> {
    ensure!(map.index_of(start).is_some(), "start {start} is off the map");
    ensure!(map.index_of(goal).is_some(), "goal {goal} is off the map");
    let mut best: Grid<Option<(u32, Coord)>> = Grid::new(map.width(), map.height(), None);
    let mut frontier = Frontier::new();
    best.replace(start, Some((0, start)));
    frontier.push(bound(start, goal), (0, start));
    while let Some((_, (so_far, at))) = frontier.pop() {
        if at == goal {
            return Ok(Some(Route { cells: walk_back(&best, goal), cost: so_far }));
        }
        if !matches!(best.get(at), Some(Some((known, _))) if *known == so_far) {
            continue;
        }
        for (towards, next) in map.neighbours(at, true) {
            let Some(cost) = step_cost(map, at, towards) else { continue };
            let total = so_far + cost;
            if matches!(best.get(next), Some(Some((known, _))) if *known <= total) {
                continue;
            }
            best.replace(next, Some((total, at)));
            frontier.push(total + bound(next, goal), (total, next));
        }
    }
    Ok(None)
}

fn walk_back(best: &Grid<Option<(u32, Coord)>>, goal: Coord) -> Vec<Coord> {
    let mut cells = vec![goal];
    let mut at = goal;
    while let Some(Some((_, before))) = best.get(at) {
        if *before == at {
            break;
        }
        at = *before;
        cells.push(at);
    }
    cells.reverse();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::heuristic::{know_nothing, octile};
    use crate::text::parse_map;

    #[test]
    fn bounds_do_not_change_the_cost() -> Result<(), String> {
        let map = parse_map(".....\n.##9.\n..#..\n~....\n")?;
        let ends = (Coord::new(0, 0), Coord::new(4, 3));
        let informed = find_route(&map, ends.0, ends.1, octile)?;
        let blind = find_route(&map, ends.0, ends.1, know_nothing)?;
        assert_eq!(informed.map(|r| r.cost), blind.map(|r| r.cost));
        Ok(())
    }

    #[test]
    fn no_squeezing_between_corners() -> Result<(), String> {
        let map = parse_map(".#\n#.\n")?;
        assert_eq!(find_route(&map, Coord::new(0, 0), Coord::new(1, 1), octile)?, None);
        Ok(())
    }
}
