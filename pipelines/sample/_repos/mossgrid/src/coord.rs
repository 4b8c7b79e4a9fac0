//! Positions and compass directions. `y` grows downwards, as text does.

use std::{fmt, str::FromStr};

use crate::grid::Grid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Coord {
    pub const fn new(x: i32, y: i32) -> Self {
        Coord { x, y }
    }

    /// The cell one step away; it may lie outside any grid.
    pub fn step(self, towards: Direction) -> Coord {
        let (dx, dy) = towards.delta();
        Coord::new(self.x + dx, self.y + dy)
    }

    /// Number of steps needed when only the four straight moves are allowed.
    pub fn manhattan(self, other: Coord) -> u32 {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y)
    }

    /// Number of steps needed when diagonal moves count as one.
    pub fn chebyshev(self, other: Coord) -> u32 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// Brings a position back onto a grid whose edges are glued together.
    pub fn wrap_into<T>(self, grid: &Grid<T>) -> Coord {
        Coord::new(self.x.rem_euclid(grid.width() as i32), self.y.rem_euclid(grid.height() as i32))
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Coord {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let (x, y) =
            s.split_once(',').ok_or_else(|| format!("position {s:?} is not of the form x,y"))?;
        let number =
            |part: &str| part.trim().parse::<i32>().map_err(|e| format!("position {s:?}: {e}"));
        Ok(Coord::new(number(x)?, number(y)?))
    }
}

impl Direction {
    /// Clockwise, starting in the north.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    fn delta(self) -> (i32, i32) {
        match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (1, -1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, -1),
        }
    }

    pub fn is_diagonal(self) -> bool {
        let (dx, dy) = self.delta();
        dx != 0 && dy != 0
    }

    /// Turns by `eighths` of a full circle, clockwise when positive.
    pub fn turned(self, eighths: i32) -> Direction {
        let index = (self as i32 + eighths).rem_euclid(8);
        Direction::ALL[index as usize]
    }
}
