//! A QR code for a terminal: two rows of modules a line, light on dark, as most
//! terminals are; readers take both.

use qrcode::{Color, QrCode};

/// Around the code, in modules, as the standard asks.
const QUIET: usize = 4;

/// The code of `text`; empty where it is too long for one.
pub(super) fn text(text: &str) -> String {
    let Ok(code) = QrCode::new(text) else {
        return String::new();
    };
    let width = code.width();
    let light = |x: usize, y: usize| {
        let inside = (QUIET..QUIET + width).contains(&x) && (QUIET..QUIET + width).contains(&y);
        !inside || code[(x - QUIET, y - QUIET)] == Color::Light
    };
    let side = width + 2 * QUIET;
    let mut lines = String::new();
    for y in (0..side).step_by(2) {
        for x in 0..side {
            lines.push(match (light(x, y), y + 1 >= side || light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_square_and_has_its_corners() {
        let code = text("http://192.168.1.20:8080/");
        let lines: Vec<Vec<char>> = code.lines().map(|line| line.chars().collect()).collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        // Quiet all around, then the dark edge of the finder pattern, 7 long.
        assert!(lines[..2].iter().flatten().all(|&half| half == '█'));
        let finder: String = lines[2][4..11].iter().collect();
        assert_eq!(finder, " ▄▄▄▄▄ ");
    }
}
