//! Prose: the blocks of a lesson as HTML.

use std::fmt::Write as _;

use bindpose_lesson::{
    Inline, LessonBlock, LinkTarget, LinkWhen, PieceKind, Text, find_lesson_from, find_step, pieces,
};
use bindpose_notebook::joint_index;
use bindpose_notebook::page_state::page_param;

use super::html::{HtmlPlace, OpenedStep, escaped};
use super::writer::HandoutWriter;

/// The page whose numbers stand in the prose; without it those of the text do.
type LivePage<'a> = Option<&'a OpenedStep<'a>>;

impl HandoutWriter<'_> {
    /// Writes blocks one below the other. Without a page, live numbers are the
    /// words of the text, and there are no cells.
    pub(super) fn blocks(&mut self, out: &mut String, blocks: &[LessonBlock], page: LivePage<'_>) {
        for block in blocks {
            self.block(out, block, page);
        }
    }

    fn block(&mut self, out: &mut String, block: &LessonBlock, page: LivePage<'_>) {
        match block {
            LessonBlock::Heading { level, inlines } => {
                let level = (*level + self.step_level() - 2).clamp(self.step_level() + 1, 6);
                let _ = write!(out, "<h{level}>");
                self.inlines(out, inlines, page);
                let _ = writeln!(out, "</h{level}>");
            }
            LessonBlock::Paragraph(inlines) => self.paragraph(out, "p", inlines, page),
            LessonBlock::List { first, items } => self.list(out, *first, items, page),
            LessonBlock::Quote(blocks) => {
                out.push_str("<blockquote>\n");
                self.blocks(out, blocks, page);
                out.push_str("</blockquote>\n");
            }
            LessonBlock::Table { header, right, rows } => {
                self.table(out, header, right, rows, page);
            }
            LessonBlock::Code { language, text, .. } => listing(out, language, text),
            LessonBlock::Math(tex) => {
                let svg = self.formulas.svg(tex, true);
                let _ = writeln!(out, "<div class=\"display\">{svg}</div>");
            }
            LessonBlock::Rule => out.push_str("<hr>\n"),
            LessonBlock::Cell(cell) => {
                if let Some(page) = page {
                    self.cell(out, cell, page);
                }
            }
            // `bindpose check` says what is wrong with the lesson.
            LessonBlock::Broken(_) => {}
        }
    }

    /// Writes a text of a cell; its paragraphs between two tags.
    pub(super) fn text(
        &mut self,
        out: &mut String,
        text: &Text,
        (begin, end): (&str, &str),
        page: &OpenedStep<'_>,
    ) {
        for block in text.blocks() {
            if let LessonBlock::Paragraph(inlines) = &block {
                out.push_str(begin);
                self.inlines(out, inlines, Some(page));
                out.push_str(end);
                out.push('\n');
            } else {
                self.block(out, &block, Some(page));
            }
        }
    }

    /// A text of a cell that is one paragraph.
    pub(super) fn line(&mut self, text: &Text, page: &OpenedStep<'_>) -> String {
        let mut out = String::new();
        self.inlines(&mut out, text.line(), Some(page));
        out
    }

    fn paragraph(&mut self, out: &mut String, tag: &str, inlines: &[Inline], page: LivePage<'_>) {
        let _ = write!(out, "<{tag}>");
        self.inlines(out, inlines, page);
        let _ = writeln!(out, "</{tag}>");
    }

    fn list(
        &mut self,
        out: &mut String,
        first: Option<u64>,
        items: &[Vec<LessonBlock>],
        page: LivePage<'_>,
    ) {
        let tag = if first.is_some() { "ol" } else { "ul" };
        match first {
            Some(first) if first != 1 => {
                let _ = writeln!(out, "<ol start=\"{first}\">");
            }
            _ => {
                let _ = writeln!(out, "<{tag}>");
            }
        }
        for item in items {
            if let [LessonBlock::Paragraph(inlines)] = &item[..] {
                self.paragraph(out, "li", inlines, page);
            } else {
                out.push_str("<li>");
                self.blocks(out, item, page);
                out.push_str("</li>\n");
            }
        }
        let _ = writeln!(out, "</{tag}>");
    }

    fn table(
        &mut self,
        out: &mut String,
        header: &[Vec<Inline>],
        right: &[bool],
        rows: &[Vec<Vec<Inline>>],
        page: LivePage<'_>,
    ) {
        out.push_str("<div class=\"wide\"><table class=\"text\"><thead>");
        self.row(out, "th", header, right, page);
        out.push_str("</thead><tbody>\n");
        for row in rows {
            self.row(out, "td", row, right, page);
        }
        out.push_str("</tbody></table></div>\n");
    }

    fn row(
        &mut self,
        out: &mut String,
        tag: &str,
        row: &[Vec<Inline>],
        right: &[bool],
        page: LivePage<'_>,
    ) {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let is_right = right.get(column).copied().unwrap_or(false);
            let class = if is_right { " class=\"right\"" } else { "" };
            let scope = if tag == "th" { " scope=\"col\"" } else { "" };
            let _ = write!(out, "<{tag}{scope}{class}>");
            self.inlines(out, cell, page);
            let _ = write!(out, "</{tag}>");
        }
        out.push_str("</tr>\n");
    }

    /// Writes running text.
    pub(super) fn inlines(&mut self, out: &mut String, inlines: &[Inline], page: LivePage<'_>) {
        let mut skip = 0;
        for (index, inline) in inlines.iter().enumerate() {
            match inline {
                Inline::Text { text, strong, emphasis } => {
                    words(out, &text[std::mem::take(&mut skip)..], *strong, *emphasis);
                }
                Inline::Code(text) => {
                    let _ = write!(out, "<code>{}</code>", escaped(text));
                }
                Inline::Math(tex) => {
                    let svg = self.formulas.svg(tex, false);
                    // A formula and the stop after it stay on one line.
                    let stop = leading_stop(inlines.get(index + 1));
                    skip = stop.len();
                    if stop.is_empty() {
                        out.push_str(&svg);
                    } else {
                        let _ = write!(out, "<span class=\"nb\">{svg}{}</span>", escaped(stop));
                    }
                }
                Inline::Break => out.push_str("<br>"),
                Inline::Struck(text) => {
                    let _ = write!(out, "<s>{}</s>", escaped(text));
                }
                Inline::Task(done) => out.push_str(if *done { "☑ " } else { "☐ " }),
                Inline::Link { text, target } => self.link(out, text, target, page),
            }
        }
    }

    fn link(&mut self, out: &mut String, text: &str, target: &LinkTarget, page: LivePage<'_>) {
        let words = escaped(text);
        let _ = match target {
            LinkTarget::Param(name, format) => {
                let param = page.and_then(|page| page_param(name, page.state()));
                let shown = param.map_or_else(|| text.to_owned(), |one| format.print(one.value));
                write!(out, "<span class=\"number drag\">{}</span>", escaped(&shown))
            }
            LinkTarget::Value(expr, format, when) => {
                let value = page.map(|page| match when {
                    LinkWhen::AtStart => expr.eval(page.at_start()),
                    LinkWhen::Always | LinkWhen::Now => expr.eval(&page.derived),
                });
                let shown = match value {
                    Some(Ok(value)) => format.print(value),
                    Some(Err(_)) => "—".to_owned(),
                    None => text.to_owned(),
                };
                write!(out, "<span class=\"number\">{}</span>", escaped(&shown))
            }
            LinkTarget::Joint(joint) => {
                let joint = page.and_then(|page| joint_index(joint, &page.derived.rig).ok());
                match joint.map(|joint| joint.index() % 6) {
                    Some(color) => write!(out, "<span class=\"joint j{color}\">{words}</span>"),
                    None => write!(out, "<span class=\"joint\">{words}</span>"),
                }
            }
            LinkTarget::Vertex(_) => write!(out, "<span class=\"vertex\">{words}</span>"),
            // What the program does or opens.
            LinkTarget::Set(_) | LinkTarget::Model(_) => {
                write!(out, "<span class=\"set\">{words}</span>")
            }
            LinkTarget::Lesson { lesson, step } => match self.way(lesson, step.as_deref(), page) {
                Some(way) => write!(out, "<a href=\"{}\">{words}</a>", escaped(&way)),
                None => write!(out, "<span class=\"lesson\">{words}</span>"),
            },
            LinkTarget::Term(slug) => {
                if self.use_term(slug) {
                    write!(out, "<a class=\"term\" href=\"#term={slug}\">{words}</a>")
                } else {
                    write!(out, "{words}")
                }
            }
            LinkTarget::Url(url) => write!(out, "<a href=\"{}\">{words}</a>", escaped(url)),
        };
    }

    /// The address of a lesson or of one of its steps; `None`: there is no such
    /// lesson, or this handout has nothing of it.
    fn way(&self, lesson: &str, step: Option<&str>, page: LivePage<'_>) -> Option<String> {
        let from = page.map_or("", |page| &page.lesson.slug);
        let index = find_lesson_from(&self.set.lessons, lesson, from).ok()?;
        let lesson = &self.set.lessons[index];
        let step = step.map(|step| find_step(lesson, step)).transpose().ok()?;
        if self.place != HtmlPlace::Paper {
            return Some(self.place.lesson_url(lesson, step));
        }
        let mut pages = self.pages.pages.iter();
        let page =
            pages.find(|page| page.lesson == index && step.is_none_or(|step| page.step == step))?;
        Some(self.place.lesson_url(lesson, Some(page.step)))
    }
}

fn words(out: &mut String, text: &str, strong: bool, emphasis: bool) {
    let text = escaped(text);
    let _ = match (strong, emphasis) {
        (false, false) => write!(out, "{text}"),
        (true, false) => write!(out, "<strong>{text}</strong>"),
        (false, true) => write!(out, "<em>{text}</em>"),
        (true, true) => write!(out, "<strong><em>{text}</em></strong>"),
    };
}

/// The stops at the beginning of plain text.
fn leading_stop(inline: Option<&Inline>) -> &str {
    match inline {
        Some(Inline::Text { text, strong: false, emphasis: false }) => {
            let is_stop = |c: char| matches!(c, '.' | ',' | ';' | ':' | ')' | '!' | '?' | '’');
            let end = text.find(|c| !is_stop(c)).unwrap_or(text.len());
            &text[..end]
        }
        _ => "",
    }
}

/// Lines of a listing that may be torn apart between two pages: kept whole, it
/// would leave most of a page empty.
const LONG_LISTING: usize = 24;

/// A listing with its pieces marked by what they are.
pub(super) fn listing(out: &mut String, language: &str, text: &str) {
    let long = text.lines().count() > LONG_LISTING;
    let class = if long { " class=\"long\"" } else { "" };
    let _ = write!(out, "<pre{class}><code>");
    for (kind, range) in pieces(language, text) {
        let piece = escaped(&text[range]);
        let _ = match kind {
            PieceKind::Plain => write!(out, "{piece}"),
            kind => write!(out, "<span class=\"s{}\">{piece}</span>", kind as usize),
        };
    }
    out.push_str("</code></pre>\n");
}
