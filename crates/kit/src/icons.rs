//! Glyphs of the Phosphor icon font (MIT, see `assets/fonts`).
//!
//! The file `assets/fonts/Phosphor-subset.ttf` contains these glyphs only.

pub const LIST: &str = "\u{e2f0}";
pub const CARET_LEFT: &str = "\u{e138}";
pub const CARET_DOWN: &str = "\u{e136}";
pub const CARET_RIGHT: &str = "\u{e13a}";
pub const ARROW_RIGHT: &str = "\u{e06c}";
pub const ARROW_U_UP_LEFT: &str = "\u{e08a}";
pub const ARROW_U_UP_RIGHT: &str = "\u{e08c}";
pub const ARROW_COUNTER_CLOCKWISE: &str = "\u{e038}";
pub const LINK_SIMPLE: &str = "\u{e2e6}";
pub const PRESENTATION: &str = "\u{e654}";
pub const SUN: &str = "\u{e472}";
pub const MOON: &str = "\u{e330}";
pub const PLAY: &str = "\u{e3d0}";
pub const PAUSE: &str = "\u{e39e}";
pub const COPY: &str = "\u{e1ca}";
pub const X: &str = "\u{e4f6}";
pub const EYE: &str = "\u{e220}";
pub const CUBE: &str = "\u{e1da}";
pub const CORNERS_OUT: &str = "\u{e1d0}";
pub const CROSSHAIR_SIMPLE: &str = "\u{e1d8}";
pub const KEYBOARD: &str = "\u{e2d8}";
pub const CHALKBOARD_TEACHER: &str = "\u{e600}";
pub const FOLDER_OPEN: &str = "\u{e256}";
pub const EXPORT: &str = "\u{eaf0}";
pub const MAGNIFYING_GLASS: &str = "\u{e30c}";
