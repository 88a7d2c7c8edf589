//! What a paragraph is made of.

use super::math_text::math_text;
use super::{Expr, JointName, NumberFormat, Setting};

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Plain words.
    Text {
        /// The words.
        text: String,
        /// `**bold**`
        strong: bool,
        /// `*italic*`
        emphasis: bool,
    },
    /// `` `code` ``
    Code(String),
    /// `$…$`
    Math(String),
    /// `~~struck out~~`
    Struck(String),
    /// `[ ]` or `[x]` at the beginning of an item: is it done?
    Task(bool),
    /// A line break that the text asks for.
    Break,
    /// `[shown](kind:target)`
    Link {
        /// The words shown; for numbers, their format.
        text: String,
        /// What it does.
        target: LinkTarget,
    },
}

/// What a link leads to or shows.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkTarget {
    /// `param:NAME`: a number to drag.
    Param(String, NumberFormat),
    /// `value:EXPR`, `now:EXPR` or `start:EXPR`: a number that the notebook
    /// works out.
    Value(Expr, NumberFormat, LinkWhen),
    /// `joint:1`, `joint:neck`
    Joint(JointName),
    /// `vertex:6`
    Vertex(u32),
    /// `set:stage=posed,b0=45deg`: puts things to values.
    Set(Vec<Setting>),
    /// `lesson:80` or `lesson:80/step-slug`
    Lesson {
        /// Number, slug or folder, as [`crate::find_lesson`] takes it.
        lesson: String,
        /// Slug or number from 1, as [`crate::find_step`] takes it.
        step: Option<String>,
    },
    /// `term:inverse-bind-matrix`: an entry of the glossary.
    Term(String),
    /// `model:arm.ezm`: opens a model that comes with the notebook, by the name of
    /// its file.
    Model(String),
    /// `https://…`
    Url(String),
}

/// When the number of a link holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkWhen {
    /// `value:`: always, whatever its step asks to drag.
    Always,
    /// `now:`: it follows what is dragged, and its sentence is true at every
    /// value.
    Now,
    /// `start:`: at the start of its step; it stays as it is there.
    AtStart,
}

impl LinkWhen {
    /// Of a kind of link, as it is written; `None` for links that show no number
    /// worked out.
    pub fn of_kind(kind: &str) -> Option<Self> {
        match kind {
            "value" => Some(Self::Always),
            "now" => Some(Self::Now),
            "start" => Some(Self::AtStart),
            _ => None,
        }
    }
}

/// Inlines as a line of plain text: what readers see, without what it does. Links
/// are their words.
pub fn inlines_text(inlines: &[Inline]) -> String {
    let texts = inlines.iter().map(|inline| match inline {
        Inline::Text { text, .. }
        | Inline::Code(text)
        | Inline::Struck(text)
        | Inline::Link { text, .. } => text.clone(),
        Inline::Math(tex) => math_text(tex),
        Inline::Break => " ".to_owned(),
        Inline::Task(_) => String::new(),
    });
    texts.collect()
}
