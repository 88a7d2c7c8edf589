//! Appearance of the whole page: theme, text size, motion.

use bindpose_kit::theme::{self, Theme};
use bindpose_kit::touch;
use bindpose_notebook::{Preferences, ZOOM_RANGE};
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{self, Context, Vec2};

use crate::app::SystemSettings;

/// Enlargement of the page while a task fills it.
const TASK_ALONE_ZOOM: f32 = 1.5;
/// Maximum enlargement of the page while a cell fills it.
const MAX_CELL_ALONE_ZOOM: f32 = 1.75;
/// Width that an enlarged page keeps, in points.
const MIN_CELL_ALONE_WIDTH_PTS: f32 = 580.0;

/// Part of a step that fills the page in large type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LargeType {
    Tasks,
    Cell,
}

/// Appearance chosen by the reader and the system, and the theme that results.
#[derive(Debug)]
pub(super) struct Appearance {
    pub(super) theme: Theme,
    /// The reader's choice. `None` follows the system.
    pub(super) dark: Option<bool>,
    pub(super) zoom: f32,
    /// Zoom of presenter mode, where 1 fits the screen.
    presenter_zoom: f32,
    screen_scale: ScreenScale,
    /// The reader's choice. `None` follows the system.
    pub(super) less_motion: Option<bool>,
    pub(super) system: SystemSettings,
    /// Settings last applied to the context. `None` if the context is new.
    applied: Option<ContextStyle>,
}

/// Appearance settings of an egui context.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ContextStyle {
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
            presenter_zoom: 1.0,
            screen_scale: ScreenScale::default(),
            less_motion: preferences.less_motion,
            system: SystemSettings::default(),
            applied: None,
        }
    }

    pub(super) fn has_less_motion(&self) -> bool {
        self.less_motion.unwrap_or(self.system.less_motion)
    }

    /// Forgets the settings applied so far, because the page moves to another context.
    pub(super) fn forget_context(&mut self) {
        self.applied = None;
    }

    /// Multiplies the zoom by a factor and returns the new zoom. A factor of 0 restores the
    /// default. The window and presenter mode have separate zooms.
    pub(super) fn zoom_by(&mut self, factor: f32, presenting: bool) -> f32 {
        let (min, max) = ZOOM_RANGE;
        let zoom = if presenting { &mut self.presenter_zoom } else { &mut self.zoom };
        let new_zoom = if factor > 0.0 { *zoom * factor } else { 1.0 };
        // Rounded, so that zooming in and out again passes the same sizes.
        *zoom = ((new_zoom * 20.0).round() / 20.0).clamp(min, max);
        *zoom
    }

    /// Applies theme, text size and motion to the context if they changed. `large_type` is
    /// the part that fills the page, if any.
    pub(super) fn apply_to(
        &mut self,
        ctx: &Context,
        presenting: bool,
        large_type: Option<LargeType>,
    ) {
        let window_is_dark = ctx.system_theme() == Some(egui::Theme::Dark);
        let dark = self.dark.or(self.system.dark).unwrap_or(window_is_dark);
        let page_zoom = if presenting {
            self.presenter_zoom * self.screen_scale.update(ctx)
        } else {
            (self.zoom * self.system.text_scale).min(ZOOM_RANGE.1)
        };
        let enlargement = match large_type {
            None => 1.0,
            Some(LargeType::Tasks) => TASK_ALONE_ZOOM,
            Some(LargeType::Cell) => {
                let width = ctx.content_rect().width() * ctx.zoom_factor() / page_zoom;
                (width / MIN_CELL_ALONE_WIDTH_PTS).clamp(1.0, MAX_CELL_ALONE_ZOOM)
            }
        };
        let zoom = page_zoom * enlargement;
        let less_motion = self.has_less_motion();
        let touched = touch::is_touch_active(ctx);
        let more_contrast = self.system.more_contrast;
        let context_style = ContextStyle { dark, zoom, less_motion, touched, more_contrast };
        if self.applied == Some(context_style) {
            return;
        }
        self.applied = Some(context_style);
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
        ctx.options_mut(|options| touch::set_click_limits(&mut options.input_options, touched));
        let egui_theme = egui::Theme::from_dark_mode(dark);
        ctx.set_theme(egui_theme);
        ctx.set_style_of(egui_theme, style);
        ctx.set_zoom_factor(zoom);
    }
}

/// Height of the page in presenter mode, in points. Body text is 1/36 of it, and so 1/36
/// of the screen's height on every screen.
const PRESENTER_PAGE_HEIGHT: f32 = 36.0 * theme::BODY_SIZE;
/// Minimum width of the page in presenter mode, in points. It limits the scale on a screen
/// that is higher than wide.
const MIN_PRESENTER_PAGE_WIDTH: f32 = 720.0;

/// Zoom factor of presenter mode for the current screen.
#[derive(Debug, Default)]
struct ScreenScale {
    /// Page sizes in points before and after the scale was applied.
    page_sizes: [Vec2; 2],
    scale: f32,
}

impl ScreenScale {
    /// Returns the scale, computed again if the screen has another size.
    fn update(&mut self, ctx: &Context) -> f32 {
        let page = ctx.content_rect().size();
        let is_known_size =
            self.page_sizes.iter().any(|size| (*size - page).abs().max_elem() < 1.5);
        if self.scale <= 0.0 || !is_known_size {
            let screen = page * ctx.zoom_factor();
            self.scale = compute_presenter_scale(screen);
            self.page_sizes = [page, screen / self.scale];
        }
        self.scale
    }
}

/// `screen` is the screen's size in the system's points.
fn compute_presenter_scale(screen: Vec2) -> f32 {
    let scale = (screen.y / PRESENTER_PAGE_HEIGHT).min(screen.x / MIN_PRESENTER_PAGE_WIDTH);
    // Keeps text readable in a small window.
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
            let body = theme::BODY_SIZE * compute_presenter_scale(Vec2::new(width, height));
            assert!(body >= height / 36.0 - 0.01, "{body} of {height}");
        }
        assert!(compute_presenter_scale(Vec2::new(200.0, 100.0)) > 0.5);
    }
}
