//! The text of the shader: as the page gives it, and as the reader has it.

use bindpose_notebook::ShaderReport;
use bindpose_notebook::glsl::ShaderKind;

/// What a reader has before them.
pub(super) struct ShaderSource {
    pub(super) kind: ShaderKind,
    /// As the page gives it.
    pub(super) own: String,
    /// As it is now.
    pub(super) text: String,
    /// Of the last picture, if the text is the reader's.
    pub(super) report: Option<ShaderReport>,
}
