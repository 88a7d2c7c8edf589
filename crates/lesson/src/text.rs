//! Texts of cells: the same Markdown as prose, in a string of their body.

use serde::Deserialize;

use super::inline::{Inline, inlines_text};
use super::math_text::math_text;

/// What a cell says: paragraphs, formulas and lists.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "String")]
pub struct Text {
    /// As it is written.
    pub source: String,
    /// As it is read.
    pub passages: Vec<Passage>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Passage {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// `$$…$$`
    Math(String),
    /// Bullets, or numbers starting at `first`.
    List {
        /// `None` for bullets.
        first: Option<u64>,
        /// Each a paragraph.
        items: Vec<Vec<Inline>>,
    },
}

impl Text {
    /// Says nothing?
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// All of a text that is one paragraph, as labels are.
    pub fn line(&self) -> &[Inline] {
        match &self.passages[..] {
            [Passage::Paragraph(inlines), ..] => inlines,
            _ => &[],
        }
    }

    /// In one line of plain text: what readers see, without what it does.
    pub fn words(&self) -> String {
        let passages = self.passages.iter().map(|passage| match passage {
            Passage::Math(tex) => math_text(tex),
            other => {
                let lines = other.inlines().into_iter().map(inlines_text);
                lines.collect::<Vec<_>>().join(" ")
            }
        });
        let words: Vec<String> = passages.filter(|words| !words.is_empty()).collect();
        words.join(" ")
    }

    /// Its paragraphs and the items of its lists.
    pub fn inlines(&self) -> impl Iterator<Item = &[Inline]> {
        self.passages.iter().flat_map(Passage::inlines)
    }

    /// The same text after other words.
    #[must_use]
    pub fn led_by(&self, words: &str) -> Self {
        let mut led = self.clone();
        let words = plain(words);
        match led.passages.first_mut() {
            Some(Passage::Paragraph(inlines)) => inlines.insert(0, words),
            _ => led.passages.insert(0, Passage::Paragraph(vec![words])),
        }
        led
    }
}

impl Passage {
    fn inlines(&self) -> Vec<&[Inline]> {
        match self {
            Self::Paragraph(inlines) => vec![inlines],
            Self::Math(_) => Vec::new(),
            Self::List { items, .. } => items.iter().map(Vec::as_slice).collect(),
        }
    }
}

/// Plain words, until they are read as Markdown.
impl From<String> for Text {
    fn from(source: String) -> Self {
        let paragraph = Passage::Paragraph(vec![plain(&source)]);
        let passages = if source.is_empty() { Vec::new() } else { vec![paragraph] };
        Self { source, passages }
    }
}

impl From<&str> for Text {
    fn from(source: &str) -> Self {
        Self::from(source.to_owned())
    }
}

fn plain(words: &str) -> Inline {
    Inline::Text { text: words.to_owned(), strong: false, emphasis: false }
}
