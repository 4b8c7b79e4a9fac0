//! Distance fields: every cell knows how far the nearest goal is.

use super::{astar::step_cost, frontier::Frontier};
use crate::{cell::Cell, Coord, Grid};

/// Cost from every cell to the nearest of `goals`; nothing where no goal can be reached.
pub fn distance_field(map: &Grid<Cell>, goals: &[Coord]) -> Grid<Option<u32>> {
    let mut field = Grid::new(map.width(), map.height(), None);
    let mut frontier = Frontier::new();
    for goal in goals {
        if field.replace(*goal, Some(0)).is_some() {
            frontier.push(0, *goal);
        }
    }
    while let Some((so_far, at)) = frontier.pop() {
        if field.get(at) != Some(&Some(so_far)) {
            continue;
        }
        for (towards, next) in map.neighbours(at, true) {
            if map.get(next).and_then(|cell| cell.entry_cost()).is_none() {
                continue;
            }
            // The walker goes from `next` to `at`, so the step is priced that way round.
            let Some(cost) = step_cost(map, next, towards.turned(4)) else { continue };
            let total = so_far + cost;
            let known = field.get(next).copied().flatten();
            if known.is_none_or(|k| total < k) {
                field.replace(next, Some(total));
                frontier.push(total, next);
            }
        }
    }
    field
}

/// Follows the field downhill until no neighbour is closer to a goal.
pub fn descend(map: &Grid<Cell>, field: &Grid<Option<u32>>, start: Coord) -> Vec<Coord> {
    let height = |at: Coord| field.get(at).copied().flatten();
    let mut trail = vec![start];
    let mut at = start;
    while let Some(here) = height(at).filter(|h| *h > 0) {
        let lower = map
            .neighbours(at, true)
            .into_iter()
            .filter(|(towards, _)| step_cost(map, at, *towards).is_some())
            .filter_map(|(_, next)| height(next).map(|h| (h, next)))
            .min_by_key(|(h, next)| (*h, *next));
        match lower {
            Some((h, next)) if h < here => at = next,
            _ => break,
        }
        trail.push(at);
    }
    trail
}

/// Cells that a walker with this budget can reach, in row order.
pub fn within_budget(field: &Grid<Option<u32>>, budget: u32) -> Vec<Coord> {
    field
        .coords()
        .filter(|at| matches!(field.get(*at), Some(Some(cost)) if *cost <= budget))
        .collect()
}
