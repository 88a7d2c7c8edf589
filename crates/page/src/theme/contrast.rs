//! How far colours stand apart (WCAG 2.2, 1.4.3 and 1.4.11), and colours moved
//! until they do.

use std::sync::LazyLock;

use eframe::egui::Color32;

/// Text on its ground.
pub const TEXT: f32 = 4.5;
/// Lines, marks and edges that carry a meaning.
pub const MARK: f32 = 3.0;

/// Contrast ratio, 1 to 21; colours are taken as opaque.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Light of a channel, by its byte: asked for thousands of times a frame.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let c = byte as f32 / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
});

fn luminance(color: Color32) -> f32 {
    let linear = |byte: u8| LINEAR[usize::from(byte)];
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

/// The colour nearest to `color`, toward black or white, that stands `ratio` apart
/// from every one of `grounds`; black or white where none does.
pub(super) fn apart(color: Color32, grounds: &[Color32], ratio: f32) -> Color32 {
    const STEPS: u32 = 50;
    let least = |color: Color32| {
        let ratios = grounds.iter().map(|&ground| contrast(color, ground));
        ratios.fold(f32::INFINITY, f32::min)
    };
    let toward =
        if least(Color32::WHITE) > least(Color32::BLACK) { Color32::WHITE } else { Color32::BLACK };
    let moved = |step: u32| color.lerp_to_gamma(toward, step as f32 / STEPS as f32);
    let mut candidates = (0..STEPS).map(moved);
    let found = candidates.find(|&color| least(color) >= ratio);
    found.unwrap_or(toward)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_is_21_and_a_colour_that_stands_apart_stays() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-3);
        let blue = Color32::from_rgb(0, 0x72, 0xB2);
        assert_eq!(apart(blue, &[Color32::WHITE], TEXT), blue);
        let orange = Color32::from_rgb(0xE6, 0x9F, 0);
        let moved = apart(orange, &[Color32::WHITE], TEXT);
        let ratio = contrast(moved, Color32::WHITE);
        assert!((TEXT..TEXT + 0.4).contains(&ratio), "{ratio}");
        // Nothing is far from both.
        let grey = Color32::from_gray(119);
        let best = apart(orange, &[grey, Color32::WHITE], 20.0);
        assert!(best == Color32::BLACK || best == Color32::WHITE);
    }
}
