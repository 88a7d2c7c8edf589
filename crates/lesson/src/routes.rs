//! Routes: lists of steps, of one lesson or of several, with the minutes that a
//! class has for them. They stand in `routes.toml` beside the lessons.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use toml::de::{DeTable, DeValue};

use super::toml_body::{Body, Entry, LessonSource, MAX_BYTES, in_order, integer};
use super::toml_error::unknown_key;
use super::{Lesson, find_lesson, find_step};

/// In the folder of the lessons.
pub(super) const ROUTES: &str = "routes.toml";

const ROUTE_KEYS: [&str; 4] = ["name", "title", "minutes", "steps"];
const STEP_KEYS: [&str; 2] = ["step", "minutes"];
const STEPS_HELP: &str = "write steps = [\"bind-pose/a-head-on-a-neck\", \"bone-grid\"]";

/// A list of steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// In links and on the command line: `bind-pose-45`.
    pub name: String,
    /// For people.
    pub title: String,
    /// That a class has for it.
    pub minutes: u32,
    /// In order.
    pub stops: Vec<RouteStop>,
    /// Where it is written.
    pub at: Place,
}

/// One entry of a route: a step, or a whole lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteStop {
    /// As written: `bind-pose/a-head-on-a-neck`, or `bone-grid`.
    pub target: String,
    /// To plan for this step; absent: what the lesson's notes plan.
    pub minutes: Option<u32>,
    /// Where it is written.
    pub at: Place,
}

/// A step of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutePage {
    /// Index of the lesson.
    pub lesson: usize,
    /// Index of its step.
    pub step: usize,
    /// To plan for; absent where neither the route nor the notes say it.
    pub minutes: Option<u32>,
}

impl Route {
    /// Its steps in order; entries that lead nowhere are left out.
    pub fn pages(&self, lessons: &[Lesson]) -> Vec<RoutePage> {
        let found = self.stops.iter().filter_map(|stop| stop.pages(lessons).ok());
        found.flatten().collect()
    }
}

impl RouteStop {
    /// The steps that it stands for.
    ///
    /// Errors: with the nearest names, when there is no such lesson or step.
    pub fn pages(&self, lessons: &[Lesson]) -> Result<Vec<RoutePage>, Diagnostic> {
        let (lesson, step) = match self.target.split_once('/') {
            Some((lesson, step)) => (lesson, Some(step)),
            None => (self.target.as_str(), None),
        };
        let lesson = find_lesson(lessons, lesson)?;
        let there = &lessons[lesson];
        let step = step.map(|step| find_step(there, step)).transpose()?;
        let steps = step.map_or(0..there.steps.len(), |step| step..step + 1);
        let page = |step: usize| RoutePage {
            lesson,
            step,
            minutes: self
                .minutes
                .or_else(|| there.step_notes(step).and_then(|notes| notes.minutes)),
        };
        Ok(steps.map(page).collect())
    }
}

/// The routes of a text, and what is wrong with it. `file` is what findings call
/// it.
pub(super) fn parse_routes(file: &str, text: &str) -> (Vec<Route>, Vec<Diagnostic>) {
    let source = LessonSource::new(file.to_owned(), text);
    if text.len() > MAX_BYTES {
        let wrong =
            Diagnostic::expected(format!("at most {MAX_BYTES} bytes"), text.len().to_string());
        return (Vec::new(), vec![source.error(0, wrong.help("split the text"))]);
    }
    let mut body = Body::new(&source, 0);
    body.push(text, 0);
    let mut reader = RouteReader {
        body: &body,
        file,
        source: &source,
        routes: Vec::new(),
        findings: Vec::new(),
    };
    match body.table() {
        Ok(table) => reader.file(&table),
        Err(wrong) => reader.findings.push(wrong),
    }
    (reader.routes, reader.findings)
}

struct RouteReader<'a> {
    body: &'a Body<'a>,
    file: &'a str,
    source: &'a LessonSource<'a>,
    routes: Vec<Route>,
    findings: Vec<Diagnostic>,
}

impl RouteReader<'_> {
    fn file(&mut self, table: &DeTable<'_>) {
        for (key, value) in in_order(table) {
            let at = key.span().start;
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("route", DeValue::Array(routes)) => {
                    for route in routes {
                        let at = route.span().start;
                        match route.get_ref() {
                            DeValue::Table(table) => self.route(at, table),
                            _ => self.expected(at, "a route", "begin each with [[route]]"),
                        }
                    }
                }
                ("route", _) => self.expected(at, "routes", "begin each with [[route]]"),
                (other, _) => self.wrong(at, unknown_key(other, "the file", &["route"])),
            }
        }
    }

    fn route(&mut self, at: usize, table: &DeTable<'_>) {
        let mut route = Route { at: self.place(at), ..Route::default() };
        for entry @ (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "name" => route.name = self.name(entry),
                "title" => route.title = self.text(entry, "Lesson 20 in 45 minutes"),
                "minutes" => route.minutes = self.minutes(entry).unwrap_or(0),
                "steps" => match value.get_ref() {
                    DeValue::Array(steps) => {
                        for step in steps {
                            route.stops.extend(self.stop(step.span().start, step.get_ref()));
                        }
                    }
                    _ => self.expected(value.span().start, "a list of steps", STEPS_HELP),
                },
                other => {
                    let wrong = unknown_key(other, "a route", &ROUTE_KEYS);
                    self.wrong(key.span().start, wrong);
                }
            }
        }
        for key in ROUTE_KEYS {
            if !table.keys().any(|found| found.get_ref() == key) {
                let wrong = Diagnostic::said("MISSING_KEY", format!("the route has no {key}"));
                let help = match key {
                    "name" => "add name = \"bind-pose-45\": a-z, 0-9 and hyphens",
                    "title" => "add title = \"Lesson 20 in 45 minutes\"",
                    "minutes" => "add minutes = 45",
                    _ => STEPS_HELP,
                };
                self.wrong(at, wrong.help(help));
            }
        }
        if self.routes.iter().any(|other| other.name == route.name) {
            let title = format!("there is a route `{}` already", route.name);
            let wrong = Diagnostic::said("NAME_TAKEN", title).help("give each a name of its own");
            self.wrong(at, wrong);
        } else if !route.name.is_empty() {
            self.routes.push(route);
        }
    }

    /// `"bind-pose/a-head-on-a-neck"`, or `{ step = "…", minutes = 3 }`.
    fn stop(&mut self, at: usize, value: &DeValue<'_>) -> Option<RouteStop> {
        let mut stop = RouteStop { target: String::new(), minutes: None, at: self.place(at) };
        match value {
            DeValue::String(target) => target.trim().clone_into(&mut stop.target),
            DeValue::Table(table) => {
                for entry @ (key, _) in in_order(table) {
                    match key.get_ref().as_ref() {
                        "step" => {
                            stop.target = self.text(entry, "bind-pose/a-head-on-a-neck");
                            stop.at = self.place(entry.1.span().start);
                        }
                        "minutes" => stop.minutes = self.minutes(entry),
                        other => {
                            let wrong = unknown_key(other, "a step of a route", &STEP_KEYS);
                            self.wrong(key.span().start, wrong);
                        }
                    }
                }
                if stop.minutes.is_some() && !stop.target.contains('/') {
                    let title = "minutes are planned for a step, not for a whole lesson";
                    let wrong = Diagnostic::said("UNEXPECTED_ARGUMENT", title);
                    self.wrong(at, wrong.help("write the steps one by one"));
                }
            }
            _ => {}
        }
        if stop.target.is_empty() {
            self.expected(at, "a step or a lesson", STEPS_HELP);
            return None;
        }
        Some(stop)
    }

    fn name(&mut self, entry: Entry<'_, '_>) -> String {
        let name = self.text(entry, "bind-pose-45");
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.chars().all(fits) {
            return name;
        }
        let at = entry.1.span().start;
        let expected = "a name of a-z, 0-9 and hyphens";
        self.expected(at, expected, "write name = \"bind-pose-45\"");
        String::new()
    }

    fn text(&mut self, (key, value): Entry<'_, '_>, example: &str) -> String {
        match value.get_ref().as_str().map(str::trim) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => {
                let key = key.get_ref();
                let expected = format!("words in quotes for `{key}`");
                let help = format!("write {key} = \"{example}\"");
                self.expected(value.span().start, &expected, &help);
                String::new()
            }
        }
    }

    fn minutes(&mut self, (_, value): Entry<'_, '_>) -> Option<u32> {
        let minutes = match value.get_ref() {
            DeValue::Integer(digits) => integer(digits).and_then(|whole| u32::try_from(whole).ok()),
            _ => None,
        };
        let minutes = minutes.filter(|minutes| (1..=600).contains(minutes));
        if minutes.is_none() {
            let at = value.span().start;
            self.expected(at, "whole minutes from 1 to 600", "write minutes = 45");
        }
        minutes
    }

    fn place(&self, in_body: usize) -> Place {
        let LineColumn { line, column } = self.source.at(in_body);
        Place::text(self.file, LineColumn { line, column })
    }

    fn expected(&mut self, in_body: usize, expected: &str, help: &str) {
        self.wrong(in_body, Diagnostic::expected(expected, "").help(help));
    }

    fn wrong(&mut self, in_body: usize, wrong: Diagnostic) {
        self.findings.push(self.body.error(in_body, wrong));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LessonSet;

    const LESSON: &str = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n\
        ## One\n\na\n\n## Two\n\nb\n";
    const NOTES: &str = "## 1. One (2 minutes)\n\nx\n\n## 2. Two (3 minutes)\n\ny\n";

    fn findings(text: &str) -> Vec<String> {
        let (_, findings) = parse_routes("routes.toml", text);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_route_lists_steps_and_whole_lessons_with_their_minutes() {
        let text = "[[route]]\nname = \"short\"\ntitle = \"Short\"\nminutes = 12\n\
            steps = [{ step = \"a/two\", minutes = 7 }, \"20\"]\n";
        let (routes, findings) = parse_routes("routes.toml", text);
        assert_eq!(findings, []);
        let set = LessonSet::from_memory(&[("20-a", LESSON, NOTES)], "");
        let pages = routes[0].pages(&set.lessons);
        let pages: Vec<_> = pages.iter().map(|page| (page.step, page.minutes)).collect();
        assert_eq!(pages, [(1, Some(7)), (0, Some(2)), (1, Some(3))]);
        assert_eq!(routes[0].title, "Short");
    }

    #[test]
    fn names_that_lead_nowhere_are_told_with_the_nearest() {
        let set = LessonSet::from_memory(&[("20-a", LESSON, NOTES)], "");
        let stop = |target: &str| RouteStop {
            target: target.to_owned(),
            minutes: None,
            at: Place::default(),
        };
        let wrong = stop("a/tow").pages(&set.lessons).unwrap_err();
        assert!(wrong.help.contains("`two`"), "{wrong}");
        assert!(stop("b").pages(&set.lessons).is_err());
    }

    #[test]
    fn what_is_wrong_with_the_file_is_told_where_it_stands() {
        for (text, expected) in [
            ("[[route]]\n", "the route has no name"),
            ("[[rout]]\n", "unknown key `rout`"),
            ("route = 3\n", "begin each with [[route]]"),
            ("[[route]]\nname = \"A b\"\n", "a-z, 0-9 and hyphens"),
            ("[[route]]\nminutes = 0\n", "whole minutes from 1 to 600"),
            ("[[route]]\nminutes = 999999\n", "1 to 600"),
            ("[[route]]\nsteps = [3]\n", "a step or a lesson"),
            ("[[route]]\nsteps = [{ stop = \"a\" }]\n", "write `step`"),
            ("[[route]]\nsteps = [{ step = \"a\", minutes = 3 }]\n", "not for a whole lesson"),
            ("[[route]]\nname = ", "routes.toml:2"),
        ] {
            let found = findings(text).join("\n");
            assert!(found.contains(expected), "{text}: {found}");
        }
        let twice = "[[route]]\nname = \"a\"\n[[route]]\nname = \"a\"\n";
        assert!(findings(twice).join("\n").contains("there is a route `a`"));
    }
}
