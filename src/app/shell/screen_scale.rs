//! How large everything is in presenter mode: it grows with the screen.

use eframe::egui::{Context, Vec2};

use bindpose_page::theme;

/// Height of the page in presenter mode, in points: body text is 1/36 of it, and
/// so of the screen, whatever its size.
const PRESENTED_HEIGHT: f32 = 36.0 * theme::BODY;
/// On a screen that is higher than wide, width counts: it has at least so much.
const PRESENTED_WIDTH: f32 = 720.0;

/// How large everything is in presenter mode on the screen that there is.
#[derive(Debug, Default)]
pub(super) struct ScreenScale {
    /// Of the page in points: when the scale was chosen, and as it is with it.
    chosen_at: [Vec2; 2],
    scale: f32,
}

impl ScreenScale {
    /// Chosen anew when the screen has another size.
    pub(super) fn of(&mut self, ctx: &Context) -> f32 {
        let page = ctx.content_rect().size();
        let same = |size: &Vec2| (*size - page).abs().max_elem() < 1.5;
        if self.scale <= 0.0 || !self.chosen_at.iter().any(same) {
            let screen = page * ctx.zoom_factor();
            self.scale = scale(screen);
            self.chosen_at = [page, screen / self.scale];
        }
        self.scale
    }
}

/// On a screen of this size, in the system's points.
fn scale(screen: Vec2) -> f32 {
    let scale = (screen.y / PRESENTED_HEIGHT).min(screen.x / PRESENTED_WIDTH);
    // As small as a window may be, letters stay letters.
    scale.max(0.75)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_text_is_a_thirty_sixth_of_the_screen_or_more() {
        for (width, height) in
            [(1280.0, 720.0), (1920.0, 1080.0), (3840.0, 2160.0), (1024.0, 768.0)]
        {
            let body = theme::BODY * scale(Vec2::new(width, height));
            assert!(body >= height / 36.0 - 0.01, "{body} of {height}");
        }
        assert!(scale(Vec2::new(200.0, 100.0)) > 0.5);
    }
}
