//! Inlines, the parts of a paragraph, and the texts of cells.

use serde::Deserialize;

use super::{Expr, JointName, NumberFormat, Setting};

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    Text {
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
    /// `[ ]` or `[x]` at the beginning of a list item: whether the task is done.
    Task(bool),
    Break,
    /// `[shown](kind:target)`
    Link {
        /// Text of the link. For a number, an example of its format.
        text: String,
        target: LinkTarget,
    },
}

/// Target of a link, or the number that it shows.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkTarget {
    /// `param:NAME`: the value of a parameter, which can be dragged.
    Param(String, NumberFormat),
    /// `value:EXPR`, `now:EXPR` or `start:EXPR`: the value of a formula.
    Value(Expr, NumberFormat, LinkWhen),
    /// `joint:1`, `joint:neck`
    Joint(JointName),
    /// `vertex:6`
    Vertex(u32),
    /// `set:stage=posed,b0=45deg`: settings to apply.
    Set(Vec<Setting>),
    /// `lesson:80` or `lesson:80/step-slug`
    Lesson {
        /// Number, slug or folder, for [`crate::find_lesson`].
        lesson: String,
        /// Slug or number from 1, for [`crate::find_step`].
        step: Option<String>,
    },
    /// `term:inverse-bind-matrix`: an entry of the glossary.
    Term(String),
    /// `model:arm.ezm`: a built-in model to open, by the name of its file.
    Model(String),
    /// `https://…`
    Url(String),
}

/// State of the page for which the number of a link is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkWhen {
    /// `value:`: any state, whatever is dragged in the step.
    Always,
    /// `now:`: any state. The number updates, and its sentence stays true.
    Now,
    /// `start:`: the initial state of the step. The number does not update.
    AtStart,
}

impl LinkWhen {
    /// Parses the kind of a link. Returns `None` for links without a formula.
    pub fn of_kind(kind: &str) -> Option<Self> {
        match kind {
            "value" => Some(Self::Always),
            "now" => Some(Self::Now),
            "start" => Some(Self::AtStart),
            _ => None,
        }
    }
}

/// Converts inlines to one line of plain text. A link becomes its text.
pub fn inlines_text(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text { text, .. }
            | Inline::Code(text)
            | Inline::Struck(text)
            | Inline::Link { text, .. } => text.clone(),
            Inline::Math(tex) => math_text(tex),
            Inline::Break => " ".to_owned(),
            Inline::Task(_) => String::new(),
        })
        .collect()
}

// Conversion of TeX to plain text.

/// Converts TeX to one line of plain text that resembles the formula: `B_j^{-1}` becomes
/// `B_j⁻¹`. Commands without a corresponding character are dropped.
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
                    // `\,` is a space, and `\\` ends a row.
                    rest = rest.strip_prefix(|_: char| true).unwrap_or_default();
                    out.push(' ');
                } else if let Some((_, sign)) = SIGNS.iter().find(|(of, _)| *of == name) {
                    out.push_str(sign);
                } else if matches!(name, "begin" | "end") {
                    rest = rest.split_once('}').map_or("", |(_, after)| after);
                }
            }
            '^' => {
                let (raised, after) = split_argument(rest);
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

/// Splits off the argument of a superscript: a group in braces or one character.
fn split_argument(tex: &str) -> (&str, &str) {
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

/// Characters for commands. Commands that only affect the appearance are not listed.
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

// Texts of cells: Markdown in a string of their body.

/// A text of a cell: paragraphs, formulas and lists.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "String")]
pub struct Text {
    /// The Markdown.
    pub source: String,
    /// The parsed Markdown. Initially the source as plain text.
    pub passages: Vec<Passage>,
}

/// A block of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Passage {
    Paragraph(Vec<Inline>),
    /// `$$…$$`
    Math(String),
    /// A bulleted or numbered list.
    List {
        /// Number of the first item. `None` for bullets.
        first: Option<u64>,
        items: Vec<Vec<Inline>>,
    },
}

impl Text {
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Returns the first paragraph, which is the whole of a label.
    pub fn line(&self) -> &[Inline] {
        match &self.passages[..] {
            [Passage::Paragraph(inlines), ..] => inlines,
            _ => &[],
        }
    }

    /// Converts the text to one line of plain text.
    pub fn words(&self) -> String {
        let passages: Vec<String> = self
            .passages
            .iter()
            .map(|passage| match passage {
                Passage::Math(tex) => math_text(tex),
                other => {
                    let lines: Vec<String> =
                        other.inlines().into_iter().map(inlines_text).collect();
                    lines.join(" ")
                }
            })
            .filter(|words| !words.is_empty())
            .collect();
        passages.join(" ")
    }

    /// Inlines of all paragraphs and list items.
    pub fn inlines(&self) -> impl Iterator<Item = &[Inline]> {
        self.passages.iter().flat_map(Passage::inlines)
    }

    /// Returns the text with plain words inserted before it.
    #[must_use]
    pub fn led_by(&self, words: &str) -> Self {
        let mut led = self.clone();
        let words = plain_inline(words);
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

/// Creates a text of plain words. Markdown is parsed later.
impl From<String> for Text {
    fn from(source: String) -> Self {
        let paragraph = Passage::Paragraph(vec![plain_inline(&source)]);
        let passages = if source.is_empty() { Vec::new() } else { vec![paragraph] };
        Self { source, passages }
    }
}

impl From<&str> for Text {
    fn from(source: &str) -> Self {
        Self::from(source.to_owned())
    }
}

fn plain_inline(words: &str) -> Inline {
    Inline::Text { text: words.to_owned(), strong: false, emphasis: false }
}

// Short strings with a little markup, for messages.

/// Creates a text of one paragraph with the markup of [`inlines_of`].
pub fn short_text(text: &str) -> Text {
    Text { source: text.to_owned(), passages: vec![Passage::Paragraph(inlines_of(text))] }
}

/// Parses `` `code` ``, `$mathematics$`, `**strong**` and `*emphasis*`, but no links. A
/// marker without its partner is plain text.
pub fn inlines_of(text: &str) -> Vec<Inline> {
    type Make = fn(String) -> Inline;
    const MARKERS: [(&str, Make); 4] = [
        ("`", Inline::Code),
        ("$", Inline::Math),
        ("**", |text| Inline::Text { text, strong: true, emphasis: false }),
        ("*", |text| Inline::Text { text, strong: false, emphasis: true }),
    ];
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
            out.push(plain_inline(&text[done..start]));
        }
        out.push(piece);
        at = start + length;
        done = at;
    }
    if done < text.len() {
        out.push(plain_inline(&text[done..]));
    }
    out
}

#[cfg(test)]
mod tests {

    use super::math_text;
    use super::*;

    #[test]
    fn converts_formulas_to_plain_text() {
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
    fn parses_markers_and_keeps_unpaired_ones() {
        assert_eq!(
            inlines_of("a `b` $c$ **d** *e*"),
            [
                plain_inline("a "),
                Inline::Code("b".to_owned()),
                plain_inline(" "),
                Inline::Math("c".to_owned()),
                plain_inline(" "),
                Inline::Text { text: "d".to_owned(), strong: true, emphasis: false },
                plain_inline(" "),
                Inline::Text { text: "e".to_owned(), strong: false, emphasis: true },
            ]
        );
        for text in ["2 * 3 * 4", "5 $", "a ` b", "**"] {
            assert_eq!(inlines_of(text), [plain_inline(text)]);
        }
        assert_eq!(inlines_of(""), []);
    }
}
