//! Lower bounds on the cost between two cells.

use super::DIAGONAL;
use crate::{coord::Coord, tables};

pub type Heuristic = fn(Coord, Coord) -> u32;

/// Exact cost over open ground with diagonal moves, from the table where it reaches.
pub fn octile(a: Coord, b: Coord) -> u32 {
    let (dx, dy) = (a.x.abs_diff(b.x) as usize, a.y.abs_diff(b.y) as usize);
    match tables::OCTILE.get(dy).and_then(|row| row.get(dx)) {
        Some(cost) => u32::from(*cost),
        None => octile_by_formula(dx as u32, dy as u32),
    }
}

pub(crate) fn octile_by_formula(dx: u32, dy: u32) -> u32 {
    let (long, short) = (dx.max(dy), dx.min(dy));
    DIAGONAL * short + 1000 * (long - short)
}

pub fn straight_moves_only(a: Coord, b: Coord) -> u32 {
    1000 * a.manhattan(b)
}

/// Turns the search into plain uniform-cost search.
pub fn know_nothing(_: Coord, _: Coord) -> u32 {
    0
}

/// Finds a bound by the name used on the command line.
pub fn by_name(name: &str) -> Result<Heuristic, String> {
    const KNOWN: [(&str, Heuristic); 3] =
        [("octile", octile), ("straight", straight_moves_only), ("none", know_nothing)];
    KNOWN
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, bound)| *bound)
        .ok_or_else(|| format!("no heuristic is called {name:?}"))
}

#[cfg(test)]
mod tests {
    use super::{octile_by_formula, tables};

    #[test]
    fn table_agrees_with_formula() {
        for (dy, row) in tables::OCTILE.iter().enumerate() {
            for (dx, cost) in row.iter().enumerate() {
                assert_eq!(u32::from(*cost), octile_by_formula(dx as u32, dy as u32));
            }
        }
    }
}
