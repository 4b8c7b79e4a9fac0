//! What one square of the map holds.

use std::fmt;

/// Moss older than this no longer ages.
pub const OLDEST: u8 = 9;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cell {
    #[default]
    Bare,
    Water,
    Stone,
    /// Moss and its age, 1 to [`OLDEST`].
    Moss(u8),
}

impl Cell {
    pub fn glyph(self) -> char {
        match self {
            Cell::Bare => '.',
            Cell::Water => '~',
            Cell::Stone => '#',
            Cell::Moss(age) => char::from(b'0' + age.clamp(1, OLDEST)),
        }
    }

    /// The reverse of [`Cell::glyph`].
    pub fn from_glyph(glyph: char) -> Option<Cell> {
        match glyph {
            '.' => Some(Cell::Bare),
            '~' => Some(Cell::Water),
            '#' => Some(Cell::Stone),
            '1'..='9' => Some(Cell::Moss(glyph as u8 - b'0')),
            _ => None,
        }
    }

    /// Cost of stepping onto the cell, in thousandths; nothing when it cannot be entered.
    /// Old moss is soft underfoot and slows a walker down to half speed.
    pub fn entry_cost(self) -> Option<u32> {
        match self {
            Cell::Bare => Some(1000),
            Cell::Moss(age) => Some(1000 + 1000 * u32::from(age) / u32::from(OLDEST)),
            Cell::Water | Cell::Stone => None,
        }
    }

    pub fn is_wet(self) -> bool {
        matches!(self, Cell::Water)
    }

    /// One tick older; everything but moss stays what it is.
    pub fn aged(self) -> Cell {
        match self {
            Cell::Moss(age) if age < OLDEST => Cell::Moss(age + 1),
            other => other,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Moss(age) => write!(f, "moss of age {age}"),
            Cell::Bare => f.write_str("bare ground"),
            Cell::Water => f.write_str("water"),
            Cell::Stone => f.write_str("stone"),
        }
    }
}
