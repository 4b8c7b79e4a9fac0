//! What happens to a cell in one tick.

use super::stats::share;
use crate::{cell::OLDEST, noise::Noise, Cell, Coord, Grid};

pub trait Rule {
    /// The next state of the cell at `at`; `cells` is the map before this rule.
    fn apply(&self, cells: &Grid<Cell>, at: Coord, cell: Cell, noise: &mut Noise) -> Cell;
}

/// Moss creeps onto bare ground beside it, faster near water.
pub struct Spread {
    pub dry_percent: u32,
    pub wet_percent: u32,
}

/// Old moss splits the stone it grows around.
pub struct SplitStone;

impl Rule for Spread {
    fn apply(&self, cells: &Grid<Cell>, at: Coord, cell: Cell, noise: &mut Noise) -> Cell {
        if cell != Cell::Bare || moss_around(cells, at) == 0 {
            return cell.aged();
        }
        let percent = if water_within(cells, at, 2) { self.wet_percent } else { self.dry_percent };
        if noise.below(100) < percent {
            Cell::Moss(1)
        } else {
            cell
        }
    }
}

impl Rule for SplitStone {
    fn apply(&self, cells: &Grid<Cell>, at: Coord, cell: Cell, _: &mut Noise) -> Cell {
        let grip = || {
            let around = cells.neighbours(at, true);
            let old = |c: &Cell| *c == Cell::Moss(OLDEST);
            let held = around.iter().filter(|(_, c)| cells.get(*c).is_some_and(old)).count();
            share(held, around.len())
        };
        if cell == Cell::Stone && grip() > 0.6 {
            Cell::Bare
        } else {
            cell
        }
    }
}

/// The rules of a fresh world, in the order they are applied.
pub fn standard() -> Vec<Box<dyn Rule>> {
    vec![Box::new(Spread { dry_percent: 8, wet_percent: 45 }), Box::new(SplitStone)]
}

fn moss_around(cells: &Grid<Cell>, at: Coord) -> usize {
    cells
        .neighbours(at, false)
        .into_iter()
        .filter(|(_, next)| matches!(cells.get(*next), Some(Cell::Moss(_))))
        .count()
}

fn water_within(cells: &Grid<Cell>, at: Coord, reach: i32) -> bool {
    (-reach..=reach).any(|dy| {
        (-reach..=reach).any(|dx| {
            let probe = Coord::new(at.x + dx, at.y + dy);
            cells.get(probe).is_some_and(|cell| cell.is_wet())
        })
    })
}
