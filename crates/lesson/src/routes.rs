//! Routes: lists of steps from one or several lessons, with the planned minutes. They are
//! read from `routes.toml` in the folder of the lessons.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use toml::de::{DeTable, DeValue};

use super::plain_name::is_plain_name;
use super::toml_body::{Body, Entry, LessonSource, MAX_BYTES, in_order, integer};
use super::toml_error::unknown_key;
use super::{Lesson, find_lesson, find_step};

pub(super) const ROUTES: &str = "routes.toml";

const ROUTE_KEYS: [&str; 6] = ["name", "title", "minutes", "steps", "needs", "intro"];
const REQUIRED_ROUTE_KEYS: [&str; 4] = ["name", "title", "minutes", "steps"];
const STEP_KEYS: [&str; 2] = ["step", "minutes"];
const NEEDS_HELP: &str = "write needs = [\"bind-pose\"]";
const STEPS_HELP: &str = "write steps = [\"bind-pose/a-head-on-a-neck\", \"bone-grid\"]";

/// A list of steps for one class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Name in links and on the command line: `bind-pose-45`.
    pub name: String,
    pub title: String,
    /// Paragraph above the first step, for readers who have not seen the steps before it.
    /// Empty if there is none.
    pub intro: String,
    /// Total time, in minutes.
    pub minutes: u32,
    pub stops: Vec<RouteStop>,
    /// Lessons that the class already knows, named as in stops.
    pub needs: Vec<String>,
    /// Position of the route in its file.
    pub at: Place,
}

/// One entry of a route: a step, or a whole lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteStop {
    /// As written: `bind-pose/a-head-on-a-neck`, or `bone-grid`.
    pub target: String,
    /// Planned minutes. `None` to use those of the lesson's notes.
    pub minutes: Option<u32>,
    /// Position of the entry in its file.
    pub at: Place,
}

/// A step of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutePage {
    /// Index of the lesson.
    pub lesson: usize,
    /// Index of its step.
    pub step: usize,
    /// Planned minutes. `None` if neither the route nor the notes give any.
    pub minutes: Option<u32>,
}

impl Route {
    /// The steps of the route in order, without entries that lead nowhere.
    pub fn pages(&self, lessons: &[Lesson]) -> Vec<RoutePage> {
        self.stops.iter().filter_map(|stop| stop.pages(lessons).ok()).flatten().collect()
    }
}

impl RouteStop {
    /// Returns the step, or all steps of the lesson.
    ///
    /// # Errors
    /// If there is no such lesson or step. The error suggests the nearest names.
    pub fn pages(&self, lessons: &[Lesson]) -> Result<Vec<RoutePage>, Diagnostic> {
        let (lesson, step) = match self.target.split_once('/') {
            Some((lesson, step)) => (lesson, Some(step)),
            None => (self.target.as_str(), None),
        };
        let lesson_index = find_lesson(lessons, lesson)?;
        let lesson = &lessons[lesson_index];
        let steps = match step {
            Some(step) => {
                let step = find_step(lesson, step)?;
                step..step + 1
            }
            None => 0..lesson.steps.len(),
        };
        Ok(steps
            .map(|step| RoutePage {
                lesson: lesson_index,
                step,
                minutes: self
                    .minutes
                    .or_else(|| lesson.step_notes(step).and_then(|notes| notes.minutes)),
            })
            .collect())
    }
}

/// Parses `routes.toml` into routes and findings. `file` is its name in findings.
pub(super) fn parse_routes(file: &str, text: &str) -> (Vec<Route>, Vec<Diagnostic>) {
    let source = LessonSource::new(file.to_owned(), text);
    if text.len() > MAX_BYTES {
        let error =
            Diagnostic::expected(format!("at most {MAX_BYTES} bytes"), text.len().to_string());
        return (Vec::new(), vec![source.error(0, error.help("split the text"))]);
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
        Ok(table) => reader.read_file(&table),
        Err(error) => reader.findings.push(error),
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
    fn read_file(&mut self, table: &DeTable<'_>) {
        for Entry { key, value } in in_order(table) {
            let at = key.span().start;
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("route", DeValue::Array(routes)) => {
                    for route in routes {
                        let at = route.span().start;
                        match route.get_ref() {
                            DeValue::Table(table) => self.read_route(at, table),
                            _ => self.report_expected(at, "a route", "begin each with [[route]]"),
                        }
                    }
                }
                ("route", _) => self.report_expected(at, "routes", "begin each with [[route]]"),
                (other, _) => self.report(at, unknown_key(other, "the file", &["route"])),
            }
        }
    }

    fn read_route(&mut self, at: usize, table: &DeTable<'_>) {
        let mut route = Route { at: self.place(at), ..Route::default() };
        for entry in in_order(table) {
            let Entry { key, value } = entry;
            match key.get_ref().as_ref() {
                "name" => route.name = self.read_name(entry),
                "title" => route.title = self.read_text(entry, "Lesson 20 in 45 minutes"),
                "intro" => route.intro = self.read_text(entry, "This route begins in the middle."),
                "minutes" => route.minutes = self.read_minutes(entry).unwrap_or(0),
                "steps" => match value.get_ref() {
                    DeValue::Array(steps) => {
                        for step in steps {
                            route.stops.extend(self.read_stop(step.span().start, step.get_ref()));
                        }
                    }
                    _ => self.report_expected(value.span().start, "a list of steps", STEPS_HELP),
                },
                "needs" => route.needs = self.read_needs(value.span().start, value.get_ref()),
                other => {
                    let error = unknown_key(other, "a route", &ROUTE_KEYS);
                    self.report(key.span().start, error);
                }
            }
        }
        for key in REQUIRED_ROUTE_KEYS {
            if !table.keys().any(|found| found.get_ref() == key) {
                let error = Diagnostic::said("MISSING_KEY", format!("the route has no {key}"));
                let help = match key {
                    "name" => "add name = \"bind-pose-45\": a-z, 0-9 and hyphens",
                    "title" => "add title = \"Lesson 20 in 45 minutes\"",
                    "minutes" => "add minutes = 45",
                    _ => STEPS_HELP,
                };
                self.report(at, error.help(help));
            }
        }
        if self.routes.iter().any(|other| other.name == route.name) {
            let title = format!("there is a route `{}` already", route.name);
            let error = Diagnostic::said("NAME_TAKEN", title).help("give each a name of its own");
            self.report(at, error);
        } else if !route.name.is_empty() {
            self.routes.push(route);
        }
    }

    /// Reads the names of lessons.
    fn read_needs(&mut self, at: usize, value: &DeValue<'_>) -> Vec<String> {
        let mut needs = Vec::new();
        if let DeValue::Array(lessons) = value {
            for lesson in lessons {
                match lesson.get_ref().as_str() {
                    Some(name) => needs.push(name.to_owned()),
                    None => self.report_expected(lesson.span().start, "a lesson", NEEDS_HELP),
                }
            }
        } else {
            self.report_expected(at, "a list of lessons", NEEDS_HELP);
        }
        needs
    }

    /// Reads `"bind-pose/a-head-on-a-neck"`, or `{ step = "…", minutes = 3 }`.
    fn read_stop(&mut self, at: usize, value: &DeValue<'_>) -> Option<RouteStop> {
        let mut stop = RouteStop { target: String::new(), minutes: None, at: self.place(at) };
        match value {
            DeValue::String(target) => target.trim().clone_into(&mut stop.target),
            DeValue::Table(table) => {
                for entry in in_order(table) {
                    match entry.key.get_ref().as_ref() {
                        "step" => {
                            stop.target = self.read_text(entry, "bind-pose/a-head-on-a-neck");
                            stop.at = self.place(entry.value.span().start);
                        }
                        "minutes" => stop.minutes = self.read_minutes(entry),
                        other => {
                            let error = unknown_key(other, "a step of a route", &STEP_KEYS);
                            self.report(entry.key.span().start, error);
                        }
                    }
                }
                if stop.minutes.is_some() && !stop.target.contains('/') {
                    let title = "minutes are planned for a step, not for a whole lesson";
                    let error = Diagnostic::said("UNEXPECTED_ARGUMENT", title);
                    self.report(at, error.help("write the steps one by one"));
                }
            }
            _ => {}
        }
        if stop.target.is_empty() {
            self.report_expected(at, "a step or a lesson", STEPS_HELP);
            return None;
        }
        Some(stop)
    }

    fn read_name(&mut self, entry: Entry<'_, '_>) -> String {
        let name = self.read_text(entry, "bind-pose-45");
        if name.is_empty() || is_plain_name(&name) {
            return name;
        }
        let at = entry.value.span().start;
        let expected = "a name of a-z, 0-9 and hyphens";
        self.report_expected(at, expected, "write name = \"bind-pose-45\"");
        String::new()
    }

    fn read_text(&mut self, entry: Entry<'_, '_>, example: &str) -> String {
        let Entry { key, value } = entry;
        match value.get_ref().as_str().map(str::trim) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => {
                let key = key.get_ref();
                let expected = format!("words in quotes for `{key}`");
                let help = format!("write {key} = \"{example}\"");
                self.report_expected(value.span().start, &expected, &help);
                String::new()
            }
        }
    }

    fn read_minutes(&mut self, entry: Entry<'_, '_>) -> Option<u32> {
        let value = entry.value;
        let minutes = match value.get_ref() {
            DeValue::Integer(digits) => integer(digits)
                .and_then(|whole| u32::try_from(whole).ok())
                .filter(|minutes| (1..=600).contains(minutes)),
            _ => None,
        };
        if minutes.is_none() {
            let at = value.span().start;
            self.report_expected(at, "whole minutes from 1 to 600", "write minutes = 45");
        }
        minutes
    }

    fn place(&self, in_body: usize) -> Place {
        let LineColumn { line, column } = self.source.at(in_body);
        Place::text(self.file, LineColumn { line, column })
    }

    fn report_expected(&mut self, in_body: usize, expected: &str, help: &str) {
        self.report(in_body, Diagnostic::expected(expected, "").help(help));
    }

    fn report(&mut self, in_body: usize, error: Diagnostic) {
        self.findings.push(self.body.error(in_body, error));
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
        assert_eq!(routes[0].needs, [""; 0]);
    }

    #[test]
    fn suggests_the_nearest_names_for_unknown_ones() {
        let set = LessonSet::from_memory(&[("20-a", LESSON, NOTES)], "");
        let stop = |target: &str| RouteStop {
            target: target.to_owned(),
            minutes: None,
            at: Place::default(),
        };
        let error = stop("a/tow").pages(&set.lessons).unwrap_err();
        assert!(error.help.contains("`two`"), "{error}");
        assert!(stop("b").pages(&set.lessons).is_err());
    }

    #[test]
    fn reports_errors_in_the_file_at_their_position() {
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
            ("[[route]]\nneeds = 3\n", "a list of lessons"),
            ("[[route]]\nneeds = [20]\n", "a lesson"),
            ("[[route]]\nname = ", "routes.toml:2"),
        ] {
            let found = findings(text).join("\n");
            assert!(found.contains(expected), "{text}: {found}");
        }
        let twice = "[[route]]\nname = \"a\"\n[[route]]\nname = \"a\"\n";
        assert!(findings(twice).join("\n").contains("there is a route `a`"));
    }
}
