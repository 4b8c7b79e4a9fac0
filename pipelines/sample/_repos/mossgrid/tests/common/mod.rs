//! Maps that several tests share.

use mossgrid::{text::parse_map, Cell, Grid};

pub fn pond() -> Grid<Cell> {
    parse_map("........\n..~~....\n..~~..1.\n........\n").expect("the pond is a valid map")
}

pub fn maze() -> Grid<Cell> {
    parse_map(".#...\n.#.#.\n.#.#.\n...#.\n").expect("the maze is a valid map")
}
