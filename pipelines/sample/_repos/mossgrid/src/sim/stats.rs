//! Counting what grew.

use std::fmt;

use super::World;
use crate::{cell::OLDEST, Cell, Grid};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub bare: usize,
    pub water: usize,
    pub stone: usize,
    /// Moss by age; index 0 is never used.
    pub moss: [usize; OLDEST as usize + 1],
}

/// Counts every cell of the map once.
pub fn census(cells: &Grid<Cell>) -> Census {
    let mut counted = Census::default();
    for cell in cells.rows().flatten() {
        match cell {
            Cell::Bare => counted.bare += 1,
            Cell::Water => counted.water += 1,
            Cell::Stone => counted.stone += 1,
            Cell::Moss(age) => counted.moss[usize::from(*age)] += 1,
        }
    }
    counted
}

impl Census {
    pub fn total_moss(&self) -> usize {
        self.moss.iter().sum()
    }

    /// Mean age of the moss, or nothing when there is none.
    pub fn mean_age(&self) -> Option<f64> {
        let weighted: usize = self.moss.iter().enumerate().map(|(age, n)| age * n).sum();
        match self.total_moss() {
            0 => None,
            all => Some(weighted as f64 / all as f64),
        }
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moss = self.total_moss();
        write!(f, "bare {} water {} stone {} moss {moss}", self.bare, self.water, self.stone)?;
        if let Some(age) = self.mean_age() {
            write!(f, " (ø {age:.1})")?;
        }
        Ok(())
    }
}

pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Grows a world and notes the amount of moss after every tick.
pub fn growth_curve(world: &mut World, ticks: usize) -> Vec<usize> {
    (0..ticks)
        .map(|_| {
            world.advance();
            census(&world.cells).total_moss()
        })
        .collect()
}
