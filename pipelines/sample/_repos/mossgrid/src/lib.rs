//! Moss growing over a map, and ways to walk across it.
//!
//! The grid is generic and knows nothing of moss; [`sim`] grows, [`path`]
//! walks, [`text`] reads and prints.

#[macro_use]
mod macros;

pub mod cell;
pub mod coord;
pub mod grid;
pub mod path;
pub mod region;
pub mod sim;
mod tables;
pub mod text;

#[path = "support/noise_source.rs"]
pub mod noise;

pub use self::{
    cell::Cell,
    coord::{Coord, Direction},
    grid::Grid,
};

/// Version of the map format that [`text::parse_map`] accepts.
pub const MAP_FORMAT: u32 = 1;
