//! What of the look of the page was last put into the context.

/// How the page looks as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Applied {
    pub(super) dark: bool,
    pub(super) zoom: f32,
    pub(super) less_motion: bool,
    pub(super) touched: bool,
    pub(super) more_contrast: bool,
}
