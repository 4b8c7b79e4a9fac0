//! The world and its clock.

pub mod rules;
pub mod stats;

use self::{
    rules::Rule,
    stats::{census, Census},
};
use crate::{noise::Noise, Cell, Coord, Grid};

pub struct World {
    pub cells: Grid<Cell>,
    noise: Noise,
    rules: Vec<Box<dyn Rule>>,
    tick: u64,
    seed: u64,
}

impl World {
    pub fn new(cells: Grid<Cell>, seed: u64) -> Self {
        World { cells, noise: Noise::new(seed), rules: rules::standard(), tick: 0, seed }
    }

    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Starts over on another map with the old seed.
    pub fn reset(&mut self, cells: Grid<Cell>) {
        self.cells = cells;
        self.noise = Noise::new(self.seed);
        self.tick = 0;
    }

    /// One tick: every rule sees the map as the rule before it left it.
    /// Returns how many cells changed over the whole tick.
    pub fn advance(&mut self) -> usize {
        let before = self.cells.clone();
        let rules = std::mem::take(&mut self.rules);
        for rule in &rules {
            let current = self.cells.clone();
            self.cells = current.map(|at, cell| rule.apply(&current, at, *cell, &mut self.noise));
        }
        self.rules = rules;
        self.tick += 1;
        before.coords().filter(|at| before.get(*at) != self.cells.get(*at)).count()
    }

    /// Advances until `quiet` ticks in a row changed nothing, at most `limit` ticks.
    pub fn run_until_quiet(&mut self, quiet: u32, limit: u64) -> Census {
        let mut still = 0;
        for _ in 0..limit {
            still = if self.advance() == 0 { still + 1 } else { 0 };
            if still >= quiet {
                break;
            }
        }
        census(&self.cells)
    }

    /// Drops young moss on `count` bare cells picked at random; fewer when there is no room.
    pub fn scatter_spores(&mut self, count: usize) -> Vec<Coord> {
        let mut free: Vec<Coord> =
            self.cells.coords().filter(|at| self.cells.get(*at) == Some(&Cell::Bare)).collect();
        self.noise.shuffle(&mut free);
        free.truncate(count);
        for at in &free {
            self.cells.replace(*at, Cell::Moss(1));
        }
        free
    }
}
