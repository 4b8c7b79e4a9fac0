//! Maps as text: one character per cell, `·` and `█` accepted for ground and stone.

use crate::{cell::Cell, Coord, Grid};

/// Reads a map. All lines must have the same length; empty lines at the end are ignored.
pub fn parse_map(text: &str) -> Result<Grid<Cell>, String> {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    let width = lines.first().map_or(0, |line| line.chars().count());
    ensure!(width > 0, "the map is empty");
    let mut cells = Vec::with_capacity(width * lines.len());
    for (y, line) in lines.iter().enumerate() {
        let found = line.chars().count();
        ensure!(found == width, "line {}: {found} cells instead of {width}", y + 1);
        for (x, glyph) in line.chars().enumerate() {
            let plain = plain_glyph(glyph);
            let cell = Cell::from_glyph(plain).ok_or_else(|| {
                format!("line {}, column {}: unknown cell {glyph:?}", y + 1, x + 1)
            })?;
            cells.push(cell);
        }
    }
    let mut cells = cells.into_iter();
    Ok(Grid::from_fn(width, lines.len(), |_| cells.next().unwrap_or_default()))
}

fn plain_glyph(glyph: char) -> char {
    match glyph {
        '·' | ' ' => '.',
        '█' => '#',
        '≈' => '~',
        other => other,
    }
}

/// Prints a map with marks laid over it; later marks win.
pub fn render(map: &Grid<Cell>, marks: &[(Coord, char)]) -> String {
    let mut glyphs = map.map(|_, cell| cell.glyph());
    for (at, mark) in marks {
        glyphs.replace(*at, *mark);
    }
    let mut text = String::new();
    for row in glyphs.rows() {
        text.extend(row);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_and_read_back() -> Result<(), String> {
        let text = "..~~#\n.123#\n";
        assert_eq!(render(&parse_map(text)?, &[]), text);
        Ok(())
    }
}
