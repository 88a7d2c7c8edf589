//! The vertex shader as text, for the page that shows and edits it, and what
//! became of a reader's text.

/// The vertex shader of a surface, in the two parts in which it is compiled:
/// first the prelude, then the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexShader {
    /// What comes in and goes out, the view, and helpers. Fixed.
    pub prelude: String,
    /// How the palette is read, how joints are blended, what moves normals, and
    /// `main`. `scene::SkinningOptions::shader` takes its place.
    pub body: String,
}

/// What became of the reader's vertex shader when a view was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderReport {
    /// Why it does not draw; empty: it draws the picture.
    pub findings: Vec<ShaderFinding>,
    /// What is odd about what it computes, though it draws.
    pub notes: Vec<String>,
    /// What drew.
    pub drawn_with: DrawnWith,
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderFinding {
    /// Line of the body, from 1; absent where it is about the whole.
    pub line: Option<usize>,
    /// In the driver's words, or ours.
    pub message: String,
}

impl ShaderFinding {
    /// Of a line.
    pub fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    /// Of the whole.
    pub fn of_all(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }
}

/// Which text a picture was drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawnWith {
    /// The reader's text as it is now.
    #[default]
    Reader,
    /// The reader's last text in this view that worked.
    LastGood,
    /// The text of [`VertexShader`], for want of one that worked.
    Ours,
}
