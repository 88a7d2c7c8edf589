//! What links lead to.

use std::ops::Range;

use bindpose_diagnostic::Diagnostic;

use super::LessonReader;
use crate::outline::{Mention, Mentioned};
use crate::settings::{limit_of, percent_decoded, setting_of_link};
use crate::{Expr, JointName, LinkTarget, LinkWhen, NumberFormat, Setting};

const KINDS: [&str; 11] = [
    "param", "value", "now", "start", "joint", "vertex", "set", "lesson", "term", "model", "https",
];

impl LessonReader<'_> {
    /// The target of a link at `range` of the file; `None`, with a finding, when
    /// there is none.
    pub(super) fn link(
        &mut self,
        text: &str,
        url: &str,
        range: &Range<usize>,
    ) -> Option<LinkTarget> {
        let written = self.source.text.get(range.clone()).unwrap_or_default();
        let url_at = written.rfind("](").map_or(0, |at| at + 2);
        let in_brackets = written.get(url_at..).is_some_and(|rest| rest.starts_with('<'));
        let url_offset = range.start + url_at + usize::from(in_brackets);
        let Some((kind, rest)) = url.split_once(':') else {
            self.wrong(
                url_offset,
                Diagnostic::expected("a kind of link and a colon", format!("`{url}`")).help(
                    "write param:amplitude, value:x(v2), joint:1, vertex:6, set:…, lesson:80, term:joint or https://…",
                ),
            );
            return None;
        };
        let offset = url_offset + kind.len() + 1;
        let target = match kind {
            "param" => LinkTarget::Param(rest.to_owned(), self.number_format(text, range)?),
            "joint" => LinkTarget::Joint(self.joint(rest, offset)?),
            "vertex" => LinkTarget::Vertex(self.vertex(rest, offset)?),
            "set" => LinkTarget::Set(self.settings(rest, offset)?),
            "lesson" => {
                let (lesson, step) = match rest.split_once('/') {
                    Some((lesson, step)) => (lesson, Some(step.to_owned())),
                    None => (rest, None),
                };
                LinkTarget::Lesson { lesson: lesson.to_owned(), step }
            }
            "term" => LinkTarget::Term(rest.to_owned()),
            "model" => LinkTarget::Model(rest.to_owned()),
            "https" | "http" => LinkTarget::Url(url.to_owned()),
            _ => {
                let Some(when) = LinkWhen::of_kind(kind) else {
                    self.wrong(url_offset, Diagnostic::unknown("kind of link", kind, &KINDS));
                    return None;
                };
                let format = self.number_format(text, range);
                LinkTarget::Value(self.expr(rest, offset)?, format?, when)
            }
        };
        if text.is_empty() {
            self.wrong(
                range.start,
                Diagnostic::expected("words in a link", "none").help("write [words](…)"),
            );
        }
        let at = self.source.at(range.start + 1);
        let what = Mentioned::Link {
            text: text.to_owned(),
            target: target.clone(),
            target_at: self.source.at(offset),
        };
        self.mentions.push(Mention { at, place: self.place, what, after: None });
        Some(target)
    }

    fn number_format(&mut self, text: &str, range: &Range<usize>) -> Option<NumberFormat> {
        match NumberFormat::parse(text) {
            Ok(format) if format.suffix.contains(|c: char| c.is_ascii_digit()) => {
                let wrong = Diagnostic::expected(
                    "one number as the words of the link",
                    format!("`{text}`"),
                );
                let help = "write it with a point, such as 0.5, or leave the link out";
                self.wrong(range.start + 1, wrong.help(help));
                None
            }
            Ok(format) => Some(format),
            Err(wrong) => {
                let help = "write the number that is there at first, such as 0.80 or 45°";
                self.wrong(range.start + 1, wrong.help(help));
                None
            }
        }
    }

    fn expr(&mut self, text: &str, offset: usize) -> Option<Expr> {
        match Expr::parse(text) {
            Ok(expr) => Some(expr),
            Err(wrong) => {
                self.wrong(offset, wrong);
                None
            }
        }
    }

    /// `1`, or a name, in which `%20` is a space.
    fn joint(&mut self, text: &str, offset: usize) -> Option<JointName> {
        match JointName::from_text(&percent_decoded(text)) {
            Ok(joint) => Some(joint),
            Err(wrong) => {
                self.wrong(offset, wrong);
                None
            }
        }
    }

    fn vertex(&mut self, text: &str, offset: usize) -> Option<u32> {
        let vertex = text.parse().ok();
        if vertex.is_none() {
            let wrong = Diagnostic::expected("the number of a vertex", format!("`{text}`"));
            self.wrong(offset, wrong.help("write vertex:1"));
        }
        vertex
    }

    /// `inverse-bind=left-out,nod=30deg`
    fn settings(&mut self, text: &str, offset: usize) -> Option<Vec<Setting>> {
        let mut settings = Vec::new();
        let mut at = offset;
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else {
                self.wrong(
                    at,
                    Diagnostic::expected("name=value", format!("`{part}`"))
                        .help("write set:stage=posed,b0=45deg"),
                );
                return None;
            };
            let value_at = at + key.len() + 1;
            match setting_of_link(key, value, limit_of(key, self.params)) {
                Ok(setting) => {
                    let place = match setting {
                        Setting::Param(..) | Setting::Data(_) => at,
                        _ => value_at,
                    };
                    self.mention(place, Mentioned::Set(setting.clone()));
                    settings.push(setting);
                }
                Err(wrong) => {
                    self.wrong(value_at, wrong);
                    return None;
                }
            }
            at += part.len() + 1;
        }
        Some(settings)
    }
}
