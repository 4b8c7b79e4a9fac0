//! Ways to walk across a map.

pub mod astar;
pub mod flow;
mod frontier;
pub mod heuristic;

pub use self::astar::find_route;
pub use self::frontier::Frontier;

use crate::coord::Coord;

/// Factor of a diagonal step over a straight one, in thousandths (√2 ≈ 1.414).
pub const DIAGONAL: u32 = 1414;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub cells: Vec<Coord>,
    /// Sum of entry costs in thousandths, diagonals counted √2 times.
    pub cost: u32,
}

impl Route {
    /// Only the cells where the direction changes, and both ends.
    pub fn corners(&self) -> Vec<Coord> {
        let cells = &self.cells;
        let mut kept = Vec::new();
        for (i, at) in cells.iter().enumerate() {
            let straight = i > 0
                && i + 1 < cells.len()
                && at.x - cells[i - 1].x == cells[i + 1].x - at.x
                && at.y - cells[i - 1].y == cells[i + 1].y - at.y;
            if !straight {
                kept.push(*at);
            }
        }
        kept
    }

    /// How much longer the route is than the bird's way, 1.0 when it is as short as can be.
    pub fn detour(&self) -> f64 {
        match (self.cells.first(), self.cells.last()) {
            (Some(a), Some(b)) if a != b => {
                f64::from(self.cost) / f64::from(heuristic::octile(*a, *b))
            }
            _ => 1.0,
        }
    }
}
