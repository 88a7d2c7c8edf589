//! The TOML between two lines of `+++` at the top of a lesson.

use bindpose_diagnostic::Diagnostic;
use toml::de::{DeTable, DeValue};

use super::model::unfit_drive;
use super::number::NUMBER_LIMIT;
use super::outline::{Mention, Mentioned, OutlinePlace};
use super::settings::{quantity, set_keys};
use super::toml_body::{Body, Entry, LessonSource, WrittenValue, in_order, strings};
use super::toml_error::unknown_key;
use super::{Drive, Expr, LessonParam, expr};

/// What the front matter says; what is missing or wrong has defaults.
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
    /// Where the Markdown begins.
    pub(crate) end: usize,
    /// It is not closed: nothing after it was read.
    pub(crate) incomplete: bool,
}

pub(super) const KEYS: [&str; 7] = ["title", "about", "minutes", "needs", "rig", "params", "drive"];
pub(super) const PARAM_KEYS: [&str; 7] =
    ["label", "default", "range", "angle", "whole", "unit", "step"];
/// Longer units are no units.
const MAX_UNIT: usize = 12;

const DRIVE_HELP: &str = "write bend = \"k * 45deg\" below [drive]";

/// Reads the front matter at the top of a lesson.
pub(crate) fn read(source: &LessonSource<'_>) -> FrontMatter {
    let mut front = FrontMatter::default();
    let Some((start, length, end)) = split(source.text) else {
        let begin = source.text.trim_start_matches('\u{feff}');
        front.incomplete = begin.lines().next().is_some_and(|line| line.trim_end() == "+++");
        let wrong = if front.incomplete {
            front.end = source.text.len();
            Diagnostic::expected("a second line of +++, after the front matter", "the end")
                .help("write +++ on a line of its own below the last key")
        } else {
            Diagnostic::expected("front matter between two lines of +++ at the very top", "none")
                .help("begin with +++, then title = \"…\", minutes = 15, rig = \"…\", then +++")
        };
        front.findings.push(source.error(0, wrong));
        return front;
    };
    front.end = end;
    let mut body = Body::new(source, start);
    body.push(source.text.get(start..start + length).unwrap_or_default(), start);
    let mut reader = FrontMatterReader { body: &body, front: &mut front };
    match body.table() {
        Ok(table) => reader.table(&table),
        Err(finding) => front.findings.push(finding),
    }
    front
}

/// Start and length of the TOML, and where the rest begins.
fn split(text: &str) -> Option<(usize, usize, usize)> {
    let bom = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut at = bom;
    let mut start = None;
    for line in text.get(bom..)?.split_inclusive('\n') {
        let fence = line.trim_end() == "+++";
        match start {
            None if fence => start = Some(at + line.len()),
            None => return None,
            Some(start) if fence => return Some((start, at - start, at + line.len())),
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
    fn table(&mut self, table: &DeTable<'_>) {
        for entry @ (key, value) in in_order(table) {
            let at = value.span().start;
            match key.get_ref().as_ref() {
                "title" => self.front.title = self.text(entry, "The bind-pose problem"),
                "about" => {
                    self.front.about = self.text(entry, "Why every joint needs two matrices.");
                }
                "rig" => {
                    self.front.rig = self.text(entry, "bone_grid");
                    if !self.front.rig.is_empty() {
                        self.mention(at + 1, Mentioned::Rig(self.front.rig.clone()));
                    }
                }
                "minutes" => match super::toml_body::number(value.get_ref()) {
                    Some(minutes) if minutes.fract() == 0.0 && (1.0..=600.0).contains(&minutes) => {
                        self.front.minutes = minutes as u32;
                    }
                    _ => self.expected(at, "whole minutes from 1 to 600", "write minutes = 15"),
                },
                "needs" => match strings(value.get_ref()) {
                    Some(slugs) => {
                        for (slug, at) in slugs {
                            self.front.needs.push(slug.to_owned());
                            self.mention(at + 1, Mentioned::Need(slug.to_owned()));
                        }
                    }
                    None => self.expected(
                        at,
                        "a list of slugs of lessons",
                        "write needs = [\"bind-pose\"], or needs = []",
                    ),
                },
                "params" => match value.get_ref() {
                    DeValue::Table(params) => {
                        for entry in in_order(params) {
                            self.param(entry);
                        }
                    }
                    _ => self.expected(at, "parameters", "write [params.amplitude]"),
                },
                "drive" => match value.get_ref() {
                    DeValue::Table(driven) => self.drive(driven),
                    _ => self.expected(at, "parameters of the rig", DRIVE_HELP),
                },
                unknown => {
                    self.wrong(key.span().start, unknown_key(unknown, "the front matter", &KEYS));
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
                self.said(0, "MISSING_KEY", title, format!("add {example}"));
            }
        }
    }

    fn param(&mut self, (key, value): Entry<'_, '_>) {
        let name = key.get_ref().as_ref();
        let at = key.span().start;
        let mut chars = name.chars();
        let plain = chars.next().is_some_and(|c| c.is_ascii_lowercase())
            && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !plain {
            let wrong = Diagnostic::expected("a name of a-z, 0-9 and _", format!("`{name}`"));
            let help = "formulas must be able to name it: write [params.vec4s]";
            return self.wrong(at, wrong.help(help));
        }
        if matches!(name, "all" | "time" | "fade" | expr::HERE)
            || set_keys().any(|key| key == name)
            || expr::is_reserved(name)
        {
            let title = format!("the name `{name}` has a meaning of its own");
            return self.said(at, "NAME_TAKEN", title, "choose another name");
        }
        let DeValue::Table(table) = value.get_ref() else {
            return self.expected(at, "a parameter", format!("write [params.{name}]"));
        };
        let mut param = LessonParam {
            name: name.to_owned(),
            label: name.to_owned(),
            default: f64::NAN,
            range: (f64::NAN, f64::NAN),
            ..LessonParam::default()
        };
        for entry in in_order(table) {
            self.param_key(&mut param, entry);
        }
        for (key, example) in [("default", "default = 0.8"), ("range", "range = [0.0, 1.5]")] {
            if !table.keys().any(|found| found.get_ref() == key) {
                let title = format!("the parameter `{name}` has no {key}");
                self.said(at, "MISSING_KEY", title, format!("add {example}"));
            }
        }
        if param.angle && !param.unit.is_empty() {
            let title = format!("`{name}` is an angle, which is shown in degrees");
            self.said(at, "UNUSED_KEY", title, "leave `unit` or `angle` out");
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
            self.said(at, "VALUE_NOT_IN_RANGE", title, &help);
        }
        self.mention(at, Mentioned::OwnParam(name.to_owned()));
        self.front.params.push(param);
    }

    fn param_key(&mut self, param: &mut LessonParam, entry @ (key, value): Entry<'_, '_>) {
        let at = value.span().start;
        match key.get_ref().as_ref() {
            "label" => param.label = self.text(entry, "amplitude"),
            "default" => match quantity(&WrittenValue::from_toml(value.get_ref()), NUMBER_LIMIT) {
                Ok(default) => param.default = default,
                Err(wrong) => self.wrong(at, wrong),
            },
            "range" => {
                let ends = value.get_ref().as_array().map(|ends| {
                    let ends = ends.iter().map(|end| WrittenValue::from_toml(end.get_ref()));
                    ends.map(|end| quantity(&end, NUMBER_LIMIT).unwrap_or(f64::NAN))
                        .collect::<Vec<_>>()
                });
                match ends.as_deref() {
                    Some(&[low, high]) if low < high => param.range = (low, high),
                    _ => self.expected(
                        at,
                        "a range: two numbers, the smaller first",
                        "write range = [0.0, 1.5]",
                    ),
                }
            }
            "angle" | "whole" => match value.get_ref() {
                DeValue::Boolean(yes) if key.get_ref() == "angle" => param.angle = *yes,
                DeValue::Boolean(yes) => param.whole = *yes,
                _ => self.expected(at, "true or false", "write true, or leave it out"),
            },
            "unit" => match value.get_ref().as_str().map(str::trim) {
                Some(unit) if unit.starts_with('°') || unit == "deg" => {
                    self.expected(at, "a unit of no angle", "write angle = true in its place");
                }
                Some(unit)
                    if (1..=MAX_UNIT).contains(&unit.chars().count())
                        && (unit == "%" || !unit.starts_with('%')) =>
                {
                    unit.clone_into(&mut param.unit);
                }
                _ => self.expected(
                    at,
                    &format!("a unit of 1 to {MAX_UNIT} characters"),
                    "write unit = \"cm\", or leave it out",
                ),
            },
            "step" => match quantity(&WrittenValue::from_toml(value.get_ref()), NUMBER_LIMIT) {
                Ok(step) if step > 0.0 => param.step = Some(step),
                Ok(_) => self.expected(at, "a step above 0", "write step = 0.05"),
                Err(wrong) => self.wrong(at, wrong),
            },
            unknown => {
                self.wrong(key.span().start, unknown_key(unknown, "a parameter", &PARAM_KEYS));
            }
        }
    }

    fn drive(&mut self, table: &DeTable<'_>) {
        let entries = in_order(table);
        let driven: Vec<&str> = entries.iter().map(|(key, _)| key.get_ref().as_ref()).collect();
        for (key, value) in &entries {
            let at = value.span().start;
            let Some(text) = value.get_ref().as_str() else {
                self.expected(at, "a formula in quotes", DRIVE_HELP);
                continue;
            };
            let parsed = Expr::parse(text).and_then(|formula| {
                let unfit = unfit_drive(&formula, &driven);
                unfit.map_or(Ok(formula), Err)
            });
            match parsed {
                Ok(formula) => {
                    let drive = Drive { param: key.get_ref().clone().into_owned(), formula };
                    let what = Mentioned::Drive {
                        drive: drive.clone(),
                        // Behind the quote of the string.
                        formula_at: self.body.at(at + 1),
                    };
                    self.mention(key.span().start, what);
                    self.front.drive.push(drive);
                }
                Err(wrong) => self.wrong(at + 1, wrong),
            }
        }
    }

    fn text(&mut self, (key, value): Entry<'_, '_>, example: &str) -> String {
        match value.get_ref().as_str().map(str::trim) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => {
                let key = key.get_ref();
                self.expected(
                    value.span().start,
                    &format!("words in quotes for `{key}`"),
                    format!("write {key} = \"{example}\""),
                );
                String::new()
            }
        }
    }

    fn expected(&mut self, in_body: usize, expected: &str, help: impl Into<String>) {
        self.wrong(in_body, Diagnostic::expected(expected, "").help(help));
    }

    fn said(&mut self, in_body: usize, code: &'static str, title: String, help: impl Into<String>) {
        self.wrong(in_body, Diagnostic::said(code, title).help(help));
    }

    fn wrong(&mut self, in_body: usize, wrong: Diagnostic) {
        self.front.findings.push(self.body.error(in_body, wrong));
    }

    fn mention(&mut self, in_body: usize, what: Mentioned) {
        self.front.mentions.push(Mention {
            at: self.body.at(in_body),
            place: OutlinePlace::Intro,
            what,
            after: None,
        });
    }
}
