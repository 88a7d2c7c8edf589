//! Targets of links.

use std::ops::Range;

use bindpose_diagnostic::Diagnostic;

use super::LessonReader;
use crate::outline::{Mention, MentionKind};
use crate::settings::{limit_of, parse_link_setting, percent_decoded};
use crate::{Expr, JointName, LinkTarget, LinkWhen, NumberFormat, Setting};

const KINDS: [&str; 11] = [
    "param", "value", "now", "start", "joint", "vertex", "set", "lesson", "term", "model", "https",
];

impl LessonReader<'_> {
    /// Parses the target of a link. `range` is the byte range of the whole link. Returns
    /// `None`, after reporting why, if there is no such target.
    pub(super) fn parse_link(
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
            self.report(
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
            "joint" => LinkTarget::Joint(self.parse_joint(rest, offset)?),
            "vertex" => LinkTarget::Vertex(self.parse_vertex(rest, offset)?),
            "set" => LinkTarget::Set(self.parse_settings(rest, offset)?),
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
                    self.report(url_offset, Diagnostic::unknown("kind of link", kind, &KINDS));
                    return None;
                };
                let format = self.number_format(text, range);
                LinkTarget::Value(self.parse_expr(rest, offset)?, format?, when)
            }
        };
        if text.is_empty() {
            self.report(
                range.start,
                Diagnostic::expected("words in a link", "none").help("write [words](…)"),
            );
        }
        let at = self.source.at(range.start + 1);
        let what = MentionKind::Link {
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
                let error = Diagnostic::expected(
                    "one number as the words of the link",
                    format!("`{text}`"),
                );
                let help = "write it with a point, such as 0.5, or leave the link out";
                self.report(range.start + 1, error.help(help));
                None
            }
            Ok(format) => Some(format),
            Err(error) => {
                let help = "write the number that is there at first, such as 0.80 or 45°";
                self.report(range.start + 1, error.help(help));
                None
            }
        }
    }

    fn parse_expr(&mut self, text: &str, offset: usize) -> Option<Expr> {
        match Expr::parse(text) {
            Ok(expr) => Some(expr),
            Err(error) => {
                self.report(offset, error);
                None
            }
        }
    }

    /// Parses the number or name of a joint; `%20` is a space.
    fn parse_joint(&mut self, text: &str, offset: usize) -> Option<JointName> {
        match JointName::from_text(&percent_decoded(text)) {
            Ok(joint) => Some(joint),
            Err(error) => {
                self.report(offset, error);
                None
            }
        }
    }

    fn parse_vertex(&mut self, text: &str, offset: usize) -> Option<u32> {
        let vertex = text.parse().ok();
        if vertex.is_none() {
            let error = Diagnostic::expected("the number of a vertex", format!("`{text}`"));
            self.report(offset, error.help("write vertex:1"));
        }
        vertex
    }

    /// Parses settings such as `inverse-bind=left-out,nod=30deg`.
    fn parse_settings(&mut self, text: &str, offset: usize) -> Option<Vec<Setting>> {
        let mut settings = Vec::new();
        let mut at = offset;
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else {
                self.report(
                    at,
                    Diagnostic::expected("name=value", format!("`{part}`"))
                        .help("write set:stage=posed,b0=45deg"),
                );
                return None;
            };
            let value_at = at + key.len() + 1;
            match parse_link_setting(key, value, limit_of(key, self.params)) {
                Ok(setting) => {
                    let place = match setting {
                        Setting::Param(..) | Setting::Data(_) => at,
                        _ => value_at,
                    };
                    self.add_mention(place, MentionKind::Set(setting.clone()));
                    settings.push(setting);
                }
                Err(error) => {
                    self.report(value_at, error);
                    return None;
                }
            }
            at += part.len() + 1;
        }
        Some(settings)
    }
}
