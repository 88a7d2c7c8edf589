//! How the page looks as a whole: theme, size of text, motion.

use bindpose_notebook::ZOOM_RANGE;
use bindpose_page::theme::Theme;
use bindpose_page::touch;
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{self, Context};

use super::Shell;
use super::applied::Applied;
use crate::app::SystemSettings;

impl Shell {
    /// What the system asks for, where the reader has not said otherwise.
    pub fn follow_system(&mut self, settings: SystemSettings) {
        self.system = settings;
    }

    /// Are there to be no animations?
    pub fn less_motion(&self) -> bool {
        self.less_motion.unwrap_or(self.system.less_motion)
    }

    pub(super) fn toggle_motion(&mut self) {
        let less = !self.less_motion();
        self.less_motion = Some(less);
        self.notices.say_instead(if less {
            "Less motion: nothing glides or fades."
        } else {
            "Motion as usual."
        });
    }

    /// Theme, text size and motion into the context, when they changed.
    pub(super) fn restyle(&mut self, ctx: &Context) {
        let system = ctx.system_theme() == Some(egui::Theme::Dark);
        let dark = self.dark.unwrap_or(system);
        let zoom = if self.view.presenting {
            self.presented_zoom * self.screen_scale.of(ctx)
        } else {
            (self.zoom * self.system.text_scale).min(ZOOM_RANGE.1)
        };
        let less_motion = self.less_motion();
        let touched = touch::is_at_work(ctx);
        let wanted =
            Applied { dark, zoom, less_motion, touched, more_contrast: self.system.more_contrast };
        if self.applied == Some(wanted) {
            return;
        }
        self.applied = Some(wanted);
        self.theme = Theme::new(dark);
        if self.system.more_contrast {
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
