//! A dense rectangle of values in row order.

use crate::coord::{Coord, Direction};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    items: Vec<T>,
}

impl<T> Grid<T> {
    /// Calls `make` once per cell, row by row.
    pub fn from_fn(width: usize, height: usize, mut make: impl FnMut(Coord) -> T) -> Self {
        let mut items = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                items.push(make(Coord::new(x as i32, y as i32)));
            }
        }
        Grid { width, height, items }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// Where a position is kept, or nothing when it is off the map.
    pub fn index_of(&self, at: Coord) -> Option<usize> {
        let inside =
            at.x >= 0 && at.y >= 0 && (at.x as usize) < self.width && (at.y as usize) < self.height;
        inside.then(|| at.y as usize * self.width + at.x as usize)
    }

    pub fn get(&self, at: Coord) -> Option<&T> {
        self.index_of(at).map(|i| &self.items[i])
    }

    /// Stores a value and hands back the old one; off the map nothing happens.
    pub fn replace(&mut self, at: Coord, value: T) -> Option<T> {
        let index = self.index_of(at)?;
        Some(std::mem::replace(&mut self.items[index], value))
    }

    /// Positions next to `at` that are on the map, clockwise from the north.
    pub fn neighbours(&self, at: Coord, diagonals: bool) -> Vec<(Direction, Coord)> {
        Direction::ALL
            .into_iter()
            .filter(|d| diagonals || !d.is_diagonal())
            .map(|d| (d, at.step(d)))
            .filter(|(_, c)| self.index_of(*c).is_some())
            .collect()
    }

    pub fn coords(&self) -> impl Iterator<Item = Coord> + '_ {
        let width = self.width.max(1);
        (0..self.items.len()).map(move |i| Coord::new((i % width) as i32, (i / width) as i32))
    }

    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.items.chunks(self.width.max(1))
    }

    /// A grid of the same shape whose values are computed from position and value.
    pub fn map<U>(&self, mut change: impl FnMut(Coord, &T) -> U) -> Grid<U> {
        let items = self.coords().zip(&self.items).map(|(at, item)| change(at, item)).collect();
        Grid { width: self.width, height: self.height, items }
    }

    pub fn count_where(&self, wanted: impl Fn(&T) -> bool) -> usize {
        self.items.iter().filter(|item| wanted(item)).count()
    }
}

impl<T: Clone> Grid<T> {
    pub fn new(width: usize, height: usize, fill: T) -> Self {
        Grid { width, height, items: vec![fill; width * height] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_have_three_neighbours() {
        let grid = Grid::new(4, 4, 0);
        assert_eq!(grid.neighbours(Coord::new(0, 0), true).len(), 3);
        assert_eq!(grid.neighbours(Coord::new(3, 3), false).len(), 2);
    }
}
