//! The TOML between two lines of `+++` at the top of a lesson.

use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use toml::de::{DeTable, DeValue};

use super::bounded::LESSON_MINUTES;
use super::model::check_drive;
use super::number::MAX_NUMBER_ABS;
use super::outline::{Mention, MentionKind, OutlinePlace};
use super::settings::{quantity, set_keys};
use super::toml_body::{Body, Entry, LessonSource, RawValue, in_order, strings};
use super::toml_error::unknown_key;
use super::{Drive, Expr, LessonParam, expr};

/// The parsed front matter. Missing and invalid keys have defaults.
#[derive(Default)]
pub(crate) struct FrontMatter {
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) minutes: u32,
    pub(crate) needs: Vec<String>,
    pub(crate) rig: String,
    pub(crate) params: Vec<LessonParam>,
    pub(crate) drive: Vec<Drive>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) findings: Vec<Diagnostic>,
    /// Byte offset of the Markdown.
    pub(crate) end: usize,
    /// Set if the front matter is not closed, so that the text after it was not read.
    pub(crate) incomplete: bool,
}

pub(super) const KEYS: [&str; 7] = ["title", "about", "minutes", "needs", "rig", "params", "drive"];
pub(super) const PARAM_KEYS: [&str; 7] =
    ["label", "default", "range", "angle", "whole", "unit", "step"];
/// Maximum length of a unit, in characters.
const MAX_UNIT_CHARS: usize = 12;

const DRIVE_HELP: &str = "write bend = \"k * 45deg\" below [drive]";

/// Reads the front matter of a lesson. Errors are listed in its findings.
pub(crate) fn read(source: &LessonSource<'_>) -> FrontMatter {
    let mut front = FrontMatter::default();
    let Some(sections) = split_sections(source.text) else {
        let begin = source.text.trim_start_matches('\u{feff}');
        front.incomplete = begin.lines().next().is_some_and(|line| line.trim_end() == "+++");
        let error = if front.incomplete {
            front.end = source.text.len();
            Diagnostic::expected("a second line of +++, after the front matter", "the end")
                .help("write +++ on a line of its own below the last key")
        } else {
            Diagnostic::expected("front matter between two lines of +++ at the very top", "none")
                .help("begin with +++, then title = \"…\", minutes = 15, rig = \"…\", then +++")
        };
        front.findings.push(source.error(0, error));
        return front;
    };
    front.end = sections.markdown_start;
    let mut body = Body::new(source, sections.toml.start);
    body.push(source.text.get(sections.toml.clone()).unwrap_or_default(), sections.toml.start);
    let mut reader = FrontMatterReader { body: &body, front: &mut front };
    match body.table() {
        Ok(table) => reader.read_table(&table),
        Err(finding) => front.findings.push(finding),
    }
    front
}

/// Byte ranges of a lesson with front matter.
struct LessonSections {
    toml: Range<usize>,
    markdown_start: usize,
}

/// Splits a lesson at the lines of `+++`. Returns `None` if they are not both there.
fn split_sections(text: &str) -> Option<LessonSections> {
    let bom = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut at = bom;
    let mut start = None;
    for line in text.get(bom..)?.split_inclusive('\n') {
        let is_fence = line.trim_end() == "+++";
        match start {
            None if is_fence => start = Some(at + line.len()),
            None => return None,
            Some(start) if is_fence => {
                return Some(LessonSections { toml: start..at, markdown_start: at + line.len() });
            }
            Some(_) => {}
        }
        at += line.len();
    }
    None
}

struct FrontMatterReader<'a, 'b> {
    body: &'a Body<'a>,
    front: &'b mut FrontMatter,
}

impl FrontMatterReader<'_, '_> {
    fn read_table(&mut self, table: &DeTable<'_>) {
        for entry in in_order(table) {
            let Entry { key, value } = entry;
            let at = value.span().start;
            match key.get_ref().as_ref() {
                "title" => self.front.title = self.read_text(entry, "The bind-pose problem"),
                "about" => {
                    self.front.about = self.read_text(entry, "Why every joint needs two matrices.");
                }
                "rig" => {
                    self.front.rig = self.read_text(entry, "bone_grid");
                    if !self.front.rig.is_empty() {
                        self.add_mention(at + 1, MentionKind::Rig(self.front.rig.clone()));
                    }
                }
                "minutes" => match super::toml_body::number(value.get_ref()) {
                    Some(minutes)
                        if minutes.fract() == 0.0 && LESSON_MINUTES.contains(&(minutes as u32)) =>
                    {
                        self.front.minutes = minutes as u32;
                    }
                    _ => {
                        let (min, max) = LESSON_MINUTES.into_inner();
                        let expected = format!("whole minutes from {min} to {max}");
                        self.report_expected(at, &expected, "write minutes = 15");
                    }
                },
                "needs" => match strings(value.get_ref()) {
                    Some(slugs) => {
                        for (slug, at) in slugs {
                            self.front.needs.push(slug.to_owned());
                            self.add_mention(at + 1, MentionKind::Need(slug.to_owned()));
                        }
                    }
                    None => self.report_expected(
                        at,
                        "a list of slugs of lessons",
                        "write needs = [\"bind-pose\"], or needs = []",
                    ),
                },
                "params" => match value.get_ref() {
                    DeValue::Table(params) => {
                        for entry in in_order(params) {
                            self.read_param(entry);
                        }
                    }
                    _ => self.report_expected(at, "parameters", "write [params.amplitude]"),
                },
                "drive" => match value.get_ref() {
                    DeValue::Table(driven) => self.read_drive(driven),
                    _ => self.report_expected(at, "parameters of the rig", DRIVE_HELP),
                },
                unknown => {
                    self.report(key.span().start, unknown_key(unknown, "the front matter", &KEYS));
                }
            }
        }
        for (key, example) in [
            ("title", "title = \"The bind-pose problem\""),
            ("minutes", "minutes = 15"),
            ("rig", "rig = \"bone_grid\""),
        ] {
            if !table.keys().any(|found| found.get_ref() == key) {
                let title = format!("the front matter has no `{key}`");
                self.report_error(0, "MISSING_KEY", title, format!("add {example}"));
            }
        }
    }

    fn read_param(&mut self, entry: Entry<'_, '_>) {
        let Entry { key, value } = entry;
        let name = key.get_ref().as_ref();
        let at = key.span().start;
        let mut chars = name.chars();
        let is_identifier = chars.next().is_some_and(|c| c.is_ascii_lowercase())
            && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !is_identifier {
            let error = Diagnostic::expected("a name of a-z, 0-9 and _", format!("`{name}`"));
            let help = "formulas must be able to name it: write [params.vec4s]";
            return self.report(at, error.help(help));
        }
        if matches!(name, "all" | "time" | "fade" | expr::HERE)
            || set_keys().any(|key| key == name)
            || expr::is_reserved(name)
        {
            let title = format!("the name `{name}` has a meaning of its own");
            return self.report_error(at, "NAME_TAKEN", title, "choose another name");
        }
        let DeValue::Table(table) = value.get_ref() else {
            return self.report_expected(at, "a parameter", format!("write [params.{name}]"));
        };
        let mut param = LessonParam {
            name: name.to_owned(),
            label: name.to_owned(),
            default: f64::NAN,
            range: (f64::NAN, f64::NAN),
            ..LessonParam::default()
        };
        for entry in in_order(table) {
            self.read_param_key(&mut param, entry);
        }
        for (key, example) in [("default", "default = 0.8"), ("range", "range = [0.0, 1.5]")] {
            if !table.keys().any(|found| found.get_ref() == key) {
                let title = format!("the parameter `{name}` has no {key}");
                self.report_error(at, "MISSING_KEY", title, format!("add {example}"));
            }
        }
        if param.angle && !param.unit.is_empty() {
            let title = format!("`{name}` is an angle, which is shown in degrees");
            self.report_error(at, "UNUSED_KEY", title, "leave `unit` or `angle` out");
        }
        if param.default.is_nan() {
            param.default = 0.0;
        }
        if param.range.0.is_nan() {
            param.range = (param.default.min(0.0), param.default.max(1.0));
        } else if !(param.range.0..=param.range.1).contains(&param.default) {
            let title = format!("the default of `{name}` is outside its range");
            let in_degrees = param.angle
                && (param.range.0..=param.range.1).contains(&param.default.to_radians());
            let help = if in_degrees {
                format!("a number alone is in radians: write \"{}deg\"", param.default)
            } else {
                "widen the range, or choose a default within it".to_owned()
            };
            self.report_error(at, "VALUE_NOT_IN_RANGE", title, &help);
        }
        self.add_mention(at, MentionKind::OwnParam(name.to_owned()));
        self.front.params.push(param);
    }

    fn read_param_key(&mut self, param: &mut LessonParam, entry: Entry<'_, '_>) {
        let Entry { key, value } = entry;
        let at = value.span().start;
        match key.get_ref().as_ref() {
            "label" => param.label = self.read_text(entry, "amplitude"),
            "default" => match quantity(&RawValue::from_toml(value.get_ref()), MAX_NUMBER_ABS) {
                Ok(default) => param.default = default,
                Err(error) => self.report(at, error),
            },
            "range" => {
                let ends = value.get_ref().as_array().map(|ends| {
                    ends.iter()
                        .map(|end| {
                            let end = RawValue::from_toml(end.get_ref());
                            quantity(&end, MAX_NUMBER_ABS).unwrap_or(f64::NAN)
                        })
                        .collect::<Vec<_>>()
                });
                match ends.as_deref() {
                    Some(&[low, high]) if low < high => param.range = (low, high),
                    _ => self.report_expected(
                        at,
                        "a range: two numbers, the smaller first",
                        "write range = [0.0, 1.5]",
                    ),
                }
            }
            "angle" | "whole" => match value.get_ref() {
                DeValue::Boolean(yes) if key.get_ref() == "angle" => param.angle = *yes,
                DeValue::Boolean(yes) => param.whole = *yes,
                _ => self.report_expected(at, "true or false", "write true, or leave it out"),
            },
            "unit" => match value.get_ref().as_str().map(str::trim) {
                Some(unit) if unit.starts_with('°') || unit == "deg" => {
                    self.report_expected(
                        at,
                        "a unit of no angle",
                        "write angle = true in its place",
                    );
                }
                Some(unit)
                    if (1..=MAX_UNIT_CHARS).contains(&unit.chars().count())
                        && (unit == "%" || !unit.starts_with('%')) =>
                {
                    unit.clone_into(&mut param.unit);
                }
                _ => self.report_expected(
                    at,
                    &format!("a unit of 1 to {MAX_UNIT_CHARS} characters"),
                    "write unit = \"cm\", or leave it out",
                ),
            },
            "step" => match quantity(&RawValue::from_toml(value.get_ref()), MAX_NUMBER_ABS) {
                Ok(step) if step > 0.0 => param.step = Some(step),
                Ok(_) => self.report_expected(at, "a step above 0", "write step = 0.05"),
                Err(error) => self.report(at, error),
            },
            unknown => {
                self.report(key.span().start, unknown_key(unknown, "a parameter", &PARAM_KEYS));
            }
        }
    }

    fn read_drive(&mut self, table: &DeTable<'_>) {
        let entries = in_order(table);
        let driven: Vec<&str> = entries.iter().map(|entry| entry.key.get_ref().as_ref()).collect();
        for Entry { key, value } in entries {
            let at = value.span().start;
            let Some(text) = value.get_ref().as_str() else {
                self.report_expected(at, "a formula in quotes", DRIVE_HELP);
                continue;
            };
            let parsed = Expr::parse(text)
                .and_then(|formula| check_drive(&formula, &driven).map(|()| formula));
            match parsed {
                Ok(formula) => {
                    let drive = Drive { param: key.get_ref().clone().into_owned(), formula };
                    let what = MentionKind::Drive {
                        drive: drive.clone(),
                        // After the quote of the string.
                        formula_at: self.body.at(at + 1),
                    };
                    self.add_mention(key.span().start, what);
                    self.front.drive.push(drive);
                }
                Err(error) => self.report(at + 1, error),
            }
        }
    }

    /// Reads words in quotes, reporting anything else.
    fn read_text(&mut self, entry: Entry<'_, '_>, example: &str) -> String {
        let Entry { key, value } = entry;
        match value.get_ref().as_str().map(str::trim) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => {
                let key = key.get_ref();
                self.report_expected(
                    value.span().start,
                    &format!("words in quotes for `{key}`"),
                    format!("write {key} = \"{example}\""),
                );
                String::new()
            }
        }
    }

    fn report_expected(&mut self, in_body: usize, expected: &str, help: impl Into<String>) {
        self.report(in_body, Diagnostic::expected(expected, "").help(help));
    }

    fn report_error(
        &mut self,
        in_body: usize,
        code: &'static str,
        title: String,
        help: impl Into<String>,
    ) {
        self.report(in_body, Diagnostic::said(code, title).help(help));
    }

    fn report(&mut self, in_body: usize, error: Diagnostic) {
        self.front.findings.push(self.body.error(in_body, error));
    }

    fn add_mention(&mut self, in_body: usize, what: MentionKind) {
        self.front.mentions.push(Mention {
            at: self.body.at(in_body),
            place: OutlinePlace::Intro,
            what,
            after: None,
        });
    }
}
