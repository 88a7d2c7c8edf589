//! How the page looks as a whole: theme, size of text, motion.

use bindpose_notebook::{Preferences, ZOOM_RANGE};
use bindpose_page::theme::{self, Theme};
use bindpose_page::touch;
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{self, Context, Vec2};

use crate::app::SystemSettings;

/// What the reader and the system ask of the look of the page, and what follows.
#[derive(Debug)]
pub(super) struct Appearance {
    pub(super) theme: Theme,
    /// As asked for; `None`: as the system has it.
    pub(super) dark: Option<bool>,
    pub(super) zoom: f32,
    /// The same in presenter mode, where 1 fits the screen.
    presented_zoom: f32,
    screen_scale: ScreenScale,
    /// As asked for; `None`: as the system has it.
    pub(super) less_motion: Option<bool>,
    pub(super) system: SystemSettings,
    /// What was last put into the context.
    applied: Option<AppliedLook>,
}

/// What of the look was last put into the context.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AppliedLook {
    dark: bool,
    zoom: f32,
    less_motion: bool,
    touched: bool,
    more_contrast: bool,
}

impl Appearance {
    pub(super) fn new(preferences: &Preferences) -> Self {
        Self {
            theme: Theme::light(),
            dark: preferences.dark,
            zoom: preferences.zoom,
            presented_zoom: 1.0,
            screen_scale: ScreenScale::default(),
            less_motion: preferences.less_motion,
            system: SystemSettings::default(),
            applied: None,
        }
    }

    pub(super) fn has_less_motion(&self) -> bool {
        self.less_motion.unwrap_or(self.system.less_motion)
    }

    /// Nothing of it is in the context that the page goes on in.
    pub(super) fn leave_context(&mut self) {
        self.applied = None;
    }

    /// Larger or smaller by a factor; 0: as at first. The window and presenter mode have
    /// sizes of their own. The new one.
    pub(super) fn zoom_by(&mut self, factor: f32, presenting: bool) -> f32 {
        let (low, high) = ZOOM_RANGE;
        let zoom = if presenting { &mut self.presented_zoom } else { &mut self.zoom };
        let wanted = if factor > 0.0 { *zoom * factor } else { 1.0 };
        // Close to a whole number of tenths, so that the way back is the same.
        *zoom = ((wanted * 20.0).round() / 20.0).clamp(low, high);
        *zoom
    }

    /// Theme, text size and motion into the context, when they changed.
    pub(super) fn put_into(&mut self, ctx: &Context, presenting: bool) {
        let of_window = ctx.system_theme() == Some(egui::Theme::Dark);
        let dark = self.dark.or(self.system.dark).unwrap_or(of_window);
        let zoom = if presenting {
            self.presented_zoom * self.screen_scale.of(ctx)
        } else {
            (self.zoom * self.system.text_scale).min(ZOOM_RANGE.1)
        };
        let less_motion = self.has_less_motion();
        let touched = touch::is_at_work(ctx);
        let more_contrast = self.system.more_contrast;
        let wanted = AppliedLook { dark, zoom, less_motion, touched, more_contrast };
        if self.applied == Some(wanted) {
            return;
        }
        self.applied = Some(wanted);
        self.theme = Theme::new(dark);
        if more_contrast {
            self.theme = self.theme.clone().with_more_contrast();
        }
        let mut style = self.theme.style();
        if less_motion {
            style.animation_time = 0.0;
            style.scroll_animation = ScrollAnimation::none();
            style.visuals.text_cursor.blink = false;
        }
        if touched {
            touch::enlarge(&mut style);
        }
        ctx.options_mut(|options| touch::steady(&mut options.input_options, touched));
        let which = egui::Theme::from_dark_mode(dark);
        ctx.set_theme(which);
        ctx.set_style_of(which, style);
        ctx.set_zoom_factor(zoom);
    }
}

/// Height of the page in presenter mode, in points: body text is 1/36 of it, and
/// so of the screen, whatever its size.
const PRESENTED_HEIGHT: f32 = 36.0 * theme::BODY;
/// On a screen that is higher than wide, width counts: it has at least so much.
const PRESENTED_WIDTH: f32 = 720.0;

/// How large everything is in presenter mode on the screen that there is.
#[derive(Debug, Default)]
struct ScreenScale {
    /// Of the page in points: when the scale was chosen, and as it is with it.
    chosen_at: [Vec2; 2],
    scale: f32,
}

impl ScreenScale {
    /// Chosen anew when the screen has another size.
    fn of(&mut self, ctx: &Context) -> f32 {
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
