//! The blocks and inlines of lesson text as HTML.

use std::fmt::Write as _;

use bindpose_lesson::{
    Inline, LessonBlock, LinkTarget, LinkWhen, PieceKind, Text, find_lesson_from, find_step, pieces,
};
use bindpose_notebook::joint_index;
use bindpose_notebook::page_state::page_param;

use super::html::{HtmlTarget, escaped};
use super::pages::OpenedStep;
use super::writer::HandoutWriter;

/// Number of joint colors in the style sheet.
const JOINT_COLORS: usize = 6;

/// Listings with more lines may be split between two pages. Keeping them whole could leave most of
/// a page empty.
const MAX_UNSPLIT_LISTING_LINES: usize = 24;

/// HTML around each paragraph of a cell's text.
#[derive(Clone, Copy)]
pub(super) enum ParagraphStyle {
    Plain,
    /// De-emphasized.
    Quiet,
    Strong,
    /// No element around the paragraph.
    Bare,
}

impl HandoutWriter<'_> {
    /// Writes blocks one after the other.
    ///
    /// Live numbers show their values in `opened`. Without it they show the words of their links,
    /// and cells are omitted.
    pub(super) fn write_blocks(
        &mut self,
        out: &mut String,
        blocks: &[LessonBlock],
        opened: Option<&OpenedStep<'_>>,
    ) {
        for block in blocks {
            self.write_block(out, block, opened);
        }
    }

    fn write_block(
        &mut self,
        out: &mut String,
        block: &LessonBlock,
        opened: Option<&OpenedStep<'_>>,
    ) {
        match block {
            LessonBlock::Heading { level, inlines } => {
                let step_level = self.step_heading_level();
                let level = (*level + step_level - 2).clamp(step_level + 1, 6);
                let _ = write!(out, "<h{level}>");
                self.write_inlines(out, inlines, opened);
                let _ = writeln!(out, "</h{level}>");
            }
            LessonBlock::Paragraph(inlines) => self.write_paragraph(out, "p", inlines, opened),
            LessonBlock::List { first, items } => self.write_list(out, *first, items, opened),
            LessonBlock::Quote(blocks) => {
                out.push_str("<blockquote>\n");
                self.write_blocks(out, blocks, opened);
                out.push_str("</blockquote>\n");
            }
            LessonBlock::Table { header, right, rows } => {
                out.push_str("<div class=\"wide\"><table class=\"text\"><thead>");
                self.write_table_row(out, "th", header, right, opened);
                out.push_str("</thead><tbody>\n");
                for row in rows {
                    self.write_table_row(out, "td", row, right, opened);
                }
                out.push_str("</tbody></table></div>\n");
            }
            LessonBlock::Code { language, text, .. } => write_listing(out, language, text),
            LessonBlock::Math(tex) => {
                let svg = self.formulas.formula_svg(tex, true);
                let _ = writeln!(out, "<div class=\"display\">{svg}</div>");
            }
            LessonBlock::Rule => out.push_str("<hr>\n"),
            LessonBlock::Cell(cell) => {
                if let Some(opened) = opened {
                    self.write_cell(out, cell, opened);
                }
            }
            // `bindpose check` reports the error in the lesson.
            LessonBlock::Broken(_) => {}
        }
    }

    /// Writes a text of a cell, which may have several blocks.
    pub(super) fn write_text(
        &mut self,
        out: &mut String,
        text: &Text,
        style: ParagraphStyle,
        opened: &OpenedStep<'_>,
    ) {
        let (begin, end) = match style {
            ParagraphStyle::Plain => ("<p>", "</p>"),
            ParagraphStyle::Quiet => ("<p class=\"quiet\">", "</p>"),
            ParagraphStyle::Strong => ("<p><strong>", "</strong></p>"),
            ParagraphStyle::Bare => ("", ""),
        };
        for block in text.blocks() {
            if let LessonBlock::Paragraph(inlines) = &block {
                out.push_str(begin);
                self.write_inlines(out, inlines, Some(opened));
                out.push_str(end);
                out.push('\n');
            } else {
                self.write_block(out, &block, Some(opened));
            }
        }
    }

    /// Returns a text of a cell that is a single paragraph as HTML, without an element around it.
    pub(super) fn line_html(&mut self, text: &Text, opened: &OpenedStep<'_>) -> String {
        let mut out = String::new();
        self.write_inlines(&mut out, text.line(), Some(opened));
        out
    }

    fn write_paragraph(
        &mut self,
        out: &mut String,
        tag: &str,
        inlines: &[Inline],
        opened: Option<&OpenedStep<'_>>,
    ) {
        let _ = write!(out, "<{tag}>");
        self.write_inlines(out, inlines, opened);
        let _ = writeln!(out, "</{tag}>");
    }

    /// Writes a list, numbered from `first` or with bullets if that is `None`.
    fn write_list(
        &mut self,
        out: &mut String,
        first: Option<u64>,
        items: &[Vec<LessonBlock>],
        opened: Option<&OpenedStep<'_>>,
    ) {
        let tag = if first.is_some() { "ol" } else { "ul" };
        match first {
            None | Some(1) => {
                let _ = writeln!(out, "<{tag}>");
            }
            Some(first) => {
                let _ = writeln!(out, "<ol start=\"{first}\">");
            }
        }
        for item in items {
            if let [LessonBlock::Paragraph(inlines)] = &item[..] {
                self.write_paragraph(out, "li", inlines, opened);
            } else {
                out.push_str("<li>");
                self.write_blocks(out, item, opened);
                out.push_str("</li>\n");
            }
        }
        let _ = writeln!(out, "</{tag}>");
    }

    /// Writes a row of a table. `tag` is that of its cells, `right` the right-aligned columns.
    fn write_table_row(
        &mut self,
        out: &mut String,
        tag: &str,
        row: &[Vec<Inline>],
        right: &[bool],
        opened: Option<&OpenedStep<'_>>,
    ) {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let is_right = right.get(column).copied().unwrap_or(false);
            let class = if is_right { " class=\"right\"" } else { "" };
            let scope = if tag == "th" { " scope=\"col\"" } else { "" };
            let _ = write!(out, "<{tag}{scope}{class}>");
            self.write_inlines(out, cell, opened);
            let _ = write!(out, "</{tag}>");
        }
        out.push_str("</tr>\n");
    }

    pub(super) fn write_inlines(
        &mut self,
        out: &mut String,
        inlines: &[Inline],
        opened: Option<&OpenedStep<'_>>,
    ) {
        // Bytes of the next text that were already written together with a formula.
        let mut written_bytes = 0;
        for (index, inline) in inlines.iter().enumerate() {
            match inline {
                Inline::Text { text, strong, emphasis } => {
                    write_words(
                        out,
                        &text[std::mem::take(&mut written_bytes)..],
                        *strong,
                        *emphasis,
                    );
                }
                Inline::Code(text) => {
                    let _ = write!(out, "<code>{}</code>", escaped(text));
                }
                Inline::Math(tex) => {
                    let svg = self.formulas.formula_svg(tex, false);
                    // Keep a formula and the punctuation after it on one line.
                    let punctuation = leading_punctuation(inlines.get(index + 1));
                    written_bytes = punctuation.len();
                    if punctuation.is_empty() {
                        out.push_str(&svg);
                    } else {
                        let punctuation = escaped(punctuation);
                        let _ = write!(out, "<span class=\"nb\">{svg}{punctuation}</span>");
                    }
                }
                Inline::Break => out.push_str("<br>"),
                Inline::Struck(text) => {
                    let _ = write!(out, "<s>{}</s>", escaped(text));
                }
                Inline::Task(done) => out.push_str(if *done { "☑ " } else { "☐ " }),
                Inline::Link { text, target } => self.write_link(out, text, target, opened),
            }
        }
    }

    fn write_link(
        &mut self,
        out: &mut String,
        text: &str,
        target: &LinkTarget,
        opened: Option<&OpenedStep<'_>>,
    ) {
        let words = escaped(text);
        let _ = match target {
            LinkTarget::Param(name, format) => {
                let param = opened.and_then(|opened| page_param(name, opened.page_state()));
                let shown = match param {
                    Some(param) => format.print(param.value),
                    None => text.to_owned(),
                };
                write!(out, "<span class=\"number drag\">{}</span>", escaped(&shown))
            }
            LinkTarget::Value(expr, format, when) => {
                let value = opened.map(|opened| match when {
                    LinkWhen::AtStart => expr.eval(opened.derived_at_start()),
                    LinkWhen::Always | LinkWhen::Now => expr.eval(&opened.derived),
                });
                let shown = match value {
                    Some(Ok(value)) => format.print(value),
                    Some(Err(_)) => "—".to_owned(),
                    None => text.to_owned(),
                };
                write!(out, "<span class=\"number\">{}</span>", escaped(&shown))
            }
            LinkTarget::Joint(joint) => {
                let joint = opened.and_then(|opened| joint_index(joint, &opened.derived.rig).ok());
                match joint.map(|joint| joint.index() % JOINT_COLORS) {
                    Some(color) => write!(out, "<span class=\"joint j{color}\">{words}</span>"),
                    None => write!(out, "<span class=\"joint\">{words}</span>"),
                }
            }
            LinkTarget::Vertex(_) => write!(out, "<span class=\"vertex\">{words}</span>"),
            // These links work only in the notebook.
            LinkTarget::Set(_) | LinkTarget::Model(_) => {
                write!(out, "<span class=\"set\">{words}</span>")
            }
            LinkTarget::Lesson { lesson, step } => {
                match self.lesson_link_url(lesson, step.as_deref(), opened) {
                    Some(url) => write!(out, "<a href=\"{}\">{words}</a>", escaped(&url)),
                    None => write!(out, "<span class=\"lesson\">{words}</span>"),
                }
            }
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

    /// Returns the URL of a lesson or of one of its steps. Returns `None` if there is no such
    /// lesson, or the handout does not contain it.
    fn lesson_link_url(
        &self,
        lesson: &str,
        step: Option<&str>,
        opened: Option<&OpenedStep<'_>>,
    ) -> Option<String> {
        let from = opened.map_or("", |opened| &opened.lesson.slug);
        let index = find_lesson_from(&self.set.lessons, lesson, from).ok()?;
        let lesson = &self.set.lessons[index];
        let step = step.map(|step| find_step(lesson, step)).transpose().ok()?;
        if self.target != HtmlTarget::Paper {
            return Some(self.target.lesson_url(lesson, step));
        }
        let page = self
            .pages
            .pages
            .iter()
            .find(|page| page.lesson == index && step.is_none_or(|step| page.step == step))?;
        Some(self.target.lesson_url(lesson, Some(page.step)))
    }
}

fn write_words(out: &mut String, text: &str, strong: bool, emphasis: bool) {
    let text = escaped(text);
    let _ = match (strong, emphasis) {
        (false, false) => write!(out, "{text}"),
        (true, false) => write!(out, "<strong>{text}</strong>"),
        (false, true) => write!(out, "<em>{text}</em>"),
        (true, true) => write!(out, "<strong><em>{text}</em></strong>"),
    };
}

/// Returns the punctuation at the beginning of plain text, or an empty string for other inlines.
fn leading_punctuation(inline: Option<&Inline>) -> &str {
    const PUNCTUATION: [char; 8] = ['.', ',', ';', ':', ')', '!', '?', '’'];
    match inline {
        Some(Inline::Text { text, strong: false, emphasis: false }) => {
            let rest = text.trim_start_matches(PUNCTUATION);
            &text[..text.len() - rest.len()]
        }
        _ => "",
    }
}

/// Writes a code listing with syntax highlighting. The classes `s1`, `s2`, … are the kinds of its
/// pieces.
fn write_listing(out: &mut String, language: &str, text: &str) {
    let is_long = text.lines().count() > MAX_UNSPLIT_LISTING_LINES;
    let class = if is_long { " class=\"long\"" } else { "" };
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
