//! Accessibility settings of the system or the browser: less motion, larger text, more contrast,
//! and a dark theme.

/// Settings of the desktop or the browser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemSettings {
    /// Whether animations are off.
    pub less_motion: bool,
    /// Size of text relative to the normal size.
    pub text_scale: f32,
    /// Whether text and lines have more contrast.
    pub more_contrast: bool,
    /// Whether the theme is dark. `None` if only the window reports it.
    pub dark: Option<bool>,
}

impl Default for SystemSettings {
    fn default() -> Self {
        Self { less_motion: false, text_scale: 1.0, more_contrast: false, dark: None }
    }
}
