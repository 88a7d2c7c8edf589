//! Contrast ratios (WCAG 2.2, 1.4.3 and 1.4.11), and adjustment of colours to a ratio.

use std::sync::LazyLock;

use eframe::egui::Color32;

/// Minimum contrast ratio of text.
pub const TEXT: f32 = 4.5;
/// Minimum contrast ratio of lines, marks and edges that carry a meaning.
pub const MARK: f32 = 3.0;

/// Returns the contrast ratio, 1 to 21. Alpha is ignored.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let a_luminance = luminance(a);
    let b_luminance = luminance(b);
    (a_luminance.max(b_luminance) + 0.05) / (a_luminance.min(b_luminance) + 0.05)
}

/// Linear values of the 256 sRGB bytes. A table, because a frame needs thousands of them.
static LINEAR_FROM_SRGB: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let c = byte as f32 / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
});

fn luminance(color: Color32) -> f32 {
    let [r, g, b] =
        [color.r(), color.g(), color.b()].map(|byte| LINEAR_FROM_SRGB[usize::from(byte)]);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Moves a colour toward black or white until it has the contrast `ratio` to all
/// backgrounds. Returns black or white if no colour between has it.
pub(super) fn with_contrast(color: Color32, backgrounds: &[Color32], ratio: f32) -> Color32 {
    const STEPS: u32 = 50;
    let target =
        if min_contrast(Color32::WHITE, backgrounds) > min_contrast(Color32::BLACK, backgrounds) {
            Color32::WHITE
        } else {
            Color32::BLACK
        };
    for step in 0..STEPS {
        let candidate = color.lerp_to_gamma(target, step as f32 / STEPS as f32);
        if min_contrast(candidate, backgrounds) >= ratio {
            return candidate;
        }
    }
    target
}

fn min_contrast(color: Color32, backgrounds: &[Color32]) -> f32 {
    let ratios = backgrounds.iter().map(|&background| contrast(color, background));
    ratios.fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_is_21_and_colours_with_contrast_stay() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-3);
        let blue = Color32::from_rgb(0, 0x72, 0xB2);
        assert_eq!(with_contrast(blue, &[Color32::WHITE], TEXT), blue);
        let orange = Color32::from_rgb(0xE6, 0x9F, 0);
        let darker = with_contrast(orange, &[Color32::WHITE], TEXT);
        let ratio = contrast(darker, Color32::WHITE);
        assert!((TEXT..TEXT + 0.4).contains(&ratio), "{ratio}");
        // No colour has this contrast to both.
        let grey = Color32::from_gray(119);
        let best = with_contrast(orange, &[grey, Color32::WHITE], 20.0);
        assert!(best == Color32::BLACK || best == Color32::WHITE);
    }
}
