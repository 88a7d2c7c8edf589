//! What a paragraph is made of.

use serde::Deserialize;

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

// TeX as a line of plain text, as near to what is seen as letters come.

/// `B_j^{-1}` becomes `B_j⁻¹`; what has no letters is left out.
pub fn math_text(tex: &str) -> String {
    let mut out = String::new();
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let name = rest.find(|c: char| !c.is_ascii_alphabetic());
                let (name, after) = rest.split_at(name.unwrap_or(rest.len()));
                rest = after;
                if name.is_empty() {
                    // `\,` is space, `\\` ends a row.
                    rest = rest.strip_prefix(|_: char| true).unwrap_or_default();
                    out.push(' ');
                } else if let Some((_, sign)) = SIGNS.iter().find(|(of, _)| *of == name) {
                    out.push_str(sign);
                } else if matches!(name, "begin" | "end") {
                    rest = rest.split_once('}').map_or("", |(_, after)| after);
                }
            }
            '^' => {
                let (raised, after) = argument(rest);
                rest = after;
                if let Some((_, sign)) = SUPERSCRIPTS.iter().find(|(of, _)| *of == raised) {
                    out.push_str(sign);
                } else {
                    out.push('^');
                    out.push_str(&math_text(raised));
                }
            }
            '-' => out.push('−'),
            '\'' => out.push('′'),
            '&' | '~' => out.push(' '),
            '{' | '}' => {}
            c => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in braces, or one character; and what follows.
fn argument(tex: &str) -> (&str, &str) {
    let Some(inside) = tex.strip_prefix('{') else {
        let length = tex.chars().next().map_or(0, char::len_utf8);
        return tex.split_at(length);
    };
    let mut depth = 1_usize;
    let end = inside.find(|c| {
        depth = match c {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        };
        depth == 0
    });
    end.map_or((inside, ""), |end| (&inside[..end], &inside[end + 1..]))
}

const SUPERSCRIPTS: [(&str, &str); 5] =
    [("-1", "⁻¹"), ("2", "²"), ("3", "³"), ("T", "ᵀ"), ("\\prime", "′")];

/// Other commands say how a thing looks, and are left out.
const SIGNS: [(&str, &str); 27] = [
    ("sum", "Σ"),
    ("cdot", "·"),
    ("times", "×"),
    ("leftarrow", "←"),
    ("rightarrow", "→"),
    ("to", "→"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("le", "≤"),
    ("ge", "≥"),
    ("approx", "≈"),
    ("pm", "±"),
    ("ldots", "…"),
    ("dots", "…"),
    ("prime", "′"),
    ("quad", " "),
    ("qquad", " "),
    ("sqrt", "√"),
    ("alpha", "α"),
    ("theta", "θ"),
    ("varphi", "φ"),
    ("omega", "ω"),
    ("pi", "π"),
    ("sin", "sin "),
    ("cos", "cos "),
    ("det", "det "),
    ("in", "∈"),
];

// Texts of cells: the same Markdown as prose, in a string of their body.

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

// Short strings with a little markup, where a lesson gives no blocks: what is
// said of a mistake.

/// A text of one paragraph, written so.
pub fn short_text(text: &str) -> Text {
    Text { source: text.to_owned(), passages: vec![Passage::Paragraph(inlines_of(text))] }
}

/// Text with `` `code` ``, `$mathematics$`, `**strong**` and `*emphasis*`, but
/// no links. Splits at the markers; one without its partner is just a character.
pub fn inlines_of(text: &str) -> Vec<Inline> {
    type Make = fn(String) -> Inline;
    const MARKERS: [(&str, Make); 4] = [
        ("`", Inline::Code),
        ("$", Inline::Math),
        ("**", |text| words(text, true, false)),
        ("*", |text| words(text, false, true)),
    ];
    let plain = |text: &str| words(text.to_owned(), false, false);
    let mut out = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['`', '$', '*']) {
        let start = at + found;
        let marked = MARKERS.iter().find_map(|(marker, make)| {
            let inside = text[start..].strip_prefix(marker)?;
            let length = inside.find(marker)?;
            let closed = length > 0 && !inside.starts_with(' ');
            closed.then(|| (make(inside[..length].to_owned()), length + 2 * marker.len()))
        });
        let Some((piece, length)) = marked else {
            at = start + 1;
            continue;
        };
        if done < start {
            out.push(plain(&text[done..start]));
        }
        out.push(piece);
        at = start + length;
        done = at;
    }
    if done < text.len() {
        out.push(plain(&text[done..]));
    }
    out
}

fn words(text: String, strong: bool, emphasis: bool) -> Inline {
    Inline::Text { text, strong, emphasis }
}

#[cfg(test)]
mod tests {

    use super::math_text;
    use super::*;

    #[test]
    fn formulas_become_a_line_that_can_be_read() {
        for (tex, text) in [
            (r"B_j^{-1}", "B_j⁻¹"),
            (r"S = \sum_j w_j\, M_j", "S = Σ_j w_j M_j"),
            (r"p_{\mathrm{joint}}", "p_joint"),
            (r"n' = \cos\theta \cdot n", "n′ = cos θ · n"),
            (r"\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}", "1 0 0 1"),
            (r"2^{n+1}", "2^n+1"),
        ] {
            assert_eq!(math_text(tex), text, "{tex}");
        }
        for broken in ["{", "}", "\\", "^", "^{", "\\begin", "_"] {
            let _ = math_text(broken);
        }
    }

    #[test]
    fn markers_mark_and_lone_ones_are_characters() {
        let plain = |text: &str| words(text.to_owned(), false, false);
        assert_eq!(
            inlines_of("a `b` $c$ **d** *e*"),
            [
                plain("a "),
                Inline::Code("b".to_owned()),
                plain(" "),
                Inline::Math("c".to_owned()),
                plain(" "),
                words("d".to_owned(), true, false),
                plain(" "),
                words("e".to_owned(), false, true),
            ]
        );
        for text in ["2 * 3 * 4", "5 $", "a ` b", "**"] {
            assert_eq!(inlines_of(text), [plain(text)]);
        }
        assert_eq!(inlines_of(""), []);
    }
}
