//! From a lesson's inlines to running text.

use std::fmt::Write as _;

use bindpose_lesson::{Inline, LinkTarget, Unset};
use bindpose_notebook::page_state::page_param;
use eframe::egui::{Color32, Ui};

use super::links;
use super::typeset::{Face, TextRun};
use crate::PageContext;
use crate::math::{self, Setting, spoken};

/// Text ready to be set, and the links in it.
pub(super) struct Inlines<'a> {
    pub(super) run: TextRun,
    pub(super) links: Vec<(&'a str, &'a LinkTarget)>,
    /// What a screen reader says.
    pub(super) spoken: String,
}

/// Writes inlines with the page's present values; formulas get no wider than
/// `room` points.
pub(super) fn inlines<'a>(
    ui: &Ui,
    inlines: &'a [Inline],
    face: Face,
    room: f32,
    page: &PageContext<'_>,
) -> Inlines<'a> {
    let mut out = Inlines { run: TextRun::new(face), links: Vec::new(), spoken: String::new() };
    for inline in inlines {
        match inline {
            Inline::Text { text, strong, emphasis } => {
                out.run.words(text, *strong, *emphasis, face.color);
                out.spoken.push_str(text);
            }
            Inline::Code(text) => {
                out.run.code(text, page.theme.ink);
                out.spoken.push_str(text);
            }
            Inline::Math(tex) => {
                push_math(ui, &mut out.run, tex, face.color, room, page.theme.wrong);
                out.spoken.push_str(&spoken(tex));
            }
            Inline::Struck(text) => {
                out.run.struck(text, page.theme.quiet);
                let _ = write!(out.spoken, "struck out: {text}");
            }
            // Its mark stands before the item.
            Inline::Task(done) => out.spoken.push_str(if *done { "done: " } else { "to do: " }),
            Inline::Break => {
                out.run.line_break();
                out.spoken.push(' ');
            }
            Inline::Link { text, target } => {
                let words = link_words(text, target, page);
                let (color, strong) = links::color(target, face.color, page);
                let mark = matches!(target, LinkTarget::Set(_));
                out.run.link(out.links.len(), mark, |run| {
                    run.words(&words, strong, false, color);
                });
                out.links.push((text, target));
                out.spoken.push_str(&words);
            }
        }
    }
    out
}

/// TeX that can't be read stays as it is, in the colour of what is wrong; where it
/// is not known whether it can, in that of the text.
fn push_math(ui: &Ui, run: &mut TextRun, tex: &str, ink: Color32, room: f32, wrong: Color32) {
    match math::formula(ui.ctx(), tex, Setting::Inline) {
        Ok(formula) => run.math(formula, ink, room),
        Err(unset) => match &*unset {
            Unset::Wrong(_) => run.code(tex, wrong),
            Unset::Unknown => run.code(tex, ink),
        },
    }
}

/// What a link shows now: live numbers print their value. A number that has no
/// value keeps the words of the lesson.
pub(super) fn link_words(text: &str, target: &LinkTarget, page: &PageContext<'_>) -> String {
    match target {
        LinkTarget::Param(name, format) => page_param(name, page.now())
            .map_or_else(|| text.to_owned(), |param| format.print(param.value)),
        LinkTarget::Value(expr, format, when) => expr
            .eval(links::numbers(*when, page))
            .map_or_else(|_| "—".to_owned(), |value| format.print(value)),
        _ => text.to_owned(),
    }
}
