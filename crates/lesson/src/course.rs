//! What a folder of lessons says of itself, in `lessons.toml`. A folder without
//! that file has no name: its lessons stand alone, as they always did.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::keyed;
use serde::Deserialize;

use super::drawn_body::ReadBody as _;
use super::toml_body::{Body, LessonSource, MAX_BYTES};

/// In the folder of the lessons.
pub const COURSE_FILE: &str = "lessons.toml";
/// Beside it.
pub(super) const GLOSSARY: &str = "glossary.md";

keyed! {
    /// Where the built-in lessons stand beside those of a course.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BuiltInLessons {
        /// Before them.
        #[default]
        Before = "before",
        /// After them.
        After = "after",
        /// Nowhere: the course stands alone.
        LeftOut = "left-out",
    }
}

/// A folder of lessons, by what it says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// In links, before the slugs of its lessons: `hands`. Empty: it has none, as the
    /// built-in lessons have none.
    pub name: String,
    /// For people; empty where it has no name.
    pub title: String,
    /// In a sentence; may be empty.
    pub about: String,
    /// `1.2`; empty: it says none.
    pub version: String,
    /// `en`, `de-AT`; empty: it says none.
    pub language: String,
    /// May be empty.
    pub author: String,
    /// May be empty.
    pub licence: String,
    /// The version of this program that it was written for; empty: any.
    pub requires: String,
    /// Where the built-in lessons stand beside it.
    pub built_in: BuiltInLessons,
    /// Slugs of its lessons, those that come first, in this order; the others follow
    /// by number.
    pub order: Vec<String>,
}

/// The schema of `lessons.toml`.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CourseFile {
    /// The name of the course in links: 1 to 40 letters of a-z, 0-9 and hyphens.
    name: String,
    /// The title of the course, for readers.
    title: String,
    /// What the course is about, in a sentence.
    #[serde(default)]
    about: String,
    /// The version of the course: numbers with points between, such as "1.0".
    #[serde(default)]
    version: String,
    /// The language of its texts: "en", "de-AT".
    #[serde(default)]
    language: String,
    /// Who wrote it.
    #[serde(default)]
    author: String,
    /// Under which licence it may be used, such as "CC BY 4.0".
    #[serde(default)]
    licence: String,
    /// The version of Bindpose that it was written for, at least.
    #[serde(default)]
    requires: String,
    /// Where the built-in lessons stand beside those of the course.
    #[serde(default)]
    built_in: BuiltInLessons,
    /// Slugs of the lessons that come first, in this order; the others follow by number.
    #[serde(default)]
    order: Vec<String>,
}

impl Course {
    /// A folder that says nothing of itself: its lessons alone.
    pub(super) fn unnamed() -> Self {
        Self { built_in: BuiltInLessons::LeftOut, ..Self::default() }
    }

    /// Says so where it was written for a newer version of this program.
    pub fn newer(&self) -> Option<Diagnostic> {
        let here = env!("CARGO_PKG_VERSION");
        let title = format!("it was written for Bindpose {}, and this is {here}", self.requires);
        let help = "what this version does not know is shown as a finding in its place; \
                    a newer Bindpose knows all of it";
        is_newer(&self.requires, here).then(|| Diagnostic::said("NEWER", title).help(help))
    }

    /// The slug of one of its lessons among all courses: `hands.squash`.
    pub fn slug_of(&self, own: &str) -> String {
        if self.name.is_empty() { own.to_owned() } else { format!("{}.{own}", self.name) }
    }
}

/// Reads `lessons.toml`. What is wrong with it becomes findings; the lessons are
/// shown all the same, without a name if it has none that can be read.
pub(super) fn parse_course(text: &str) -> (Course, Vec<Diagnostic>) {
    let source = LessonSource::new(COURSE_FILE.to_owned(), text);
    let alone = |wrong: Diagnostic| (Course::unnamed(), vec![wrong]);
    if text.len() > MAX_BYTES {
        let found = text.len().to_string();
        let wrong = Diagnostic::expected(format!("at most {MAX_BYTES} bytes"), found);
        return alone(source.error(0, wrong.help("shorten it")));
    }
    let mut body = Body::new(&source, 0);
    body.push(text, 0);
    let table = match body.table() {
        Ok(table) => table,
        Err(wrong) => return alone(wrong),
    };
    let file = match CourseFile::read_body(&table) {
        Ok(file) => file,
        Err(error) => return alone(body.value_error(error, 0, COURSE_FILE)),
    };
    let at = |key: &str| table.get(key).map_or(0, |value| value.span().start);
    let mut findings = Vec::new();
    let mut wrong = |key: &str, wrong: Diagnostic| findings.push(body.error(at(key), wrong));
    let mut course = Course {
        name: file.name.trim().to_owned(),
        title: shown(&file.title),
        about: shown(&file.about),
        version: file.version.trim().to_owned(),
        language: file.language.trim().to_owned(),
        author: shown(&file.author),
        licence: shown(&file.licence),
        requires: file.requires.trim().to_owned(),
        built_in: file.built_in,
        order: file.order,
    };
    if !is_name(&course.name) {
        let found = format!("`{}`", course.name);
        let expected = "a name of 1 to 40 letters: a-z, 0-9 and hyphens";
        wrong("name", Diagnostic::expected(expected, found).help("write name = \"hands\""));
        course.name.clear();
    }
    if course.title.is_empty() {
        let expected = Diagnostic::expected("words in quotes for `title`", "");
        wrong("title", expected.help("write title = \"Hands\""));
        course.title.clone_from(&course.name);
    }
    let digits = |part: &str| part.len() <= 6 && part.parse::<u32>().is_ok();
    for (key, version) in [("version", &course.version), ("requires", &course.requires)] {
        if !version.is_empty() && !version.split('.').all(digits) {
            let expected = "a version: numbers with points between";
            let found = format!("`{version}`");
            let help = format!("write {key} = \"1.0\"");
            wrong(key, Diagnostic::expected(expected, found).help(help));
        }
    }
    if let Some(newer) = course.newer() {
        wrong("requires", newer);
    }
    (course, findings)
}

/// One line of at most 200 letters: nothing that a course says of itself takes more
/// room on the page than a title.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
}

/// As routes and folders have them.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=40).contains(&name.len()) && name.chars().all(fits)
}

/// Is version `wanted` above `here`? What is no version is not.
fn is_newer(wanted: &str, here: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u32>> {
        version.split('.').map(|part| part.parse().ok()).collect()
    };
    match (numbers(wanted), numbers(here)) {
        (Some(wanted), Some(here)) => {
            let length = wanted.len().max(here.len());
            let padded = |mut numbers: Vec<u32>| {
                numbers.resize(length, 0);
                numbers
            };
            padded(wanted) > padded(here)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let (_, findings) = parse_course(text);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_course_says_what_it_is() {
        let (course, findings) = parse_course(
            "title = \"Hands\"\nname = \"hands\"\nversion = \"1.2\"\nlanguage = \"en\"\n\
             author = \"A. Lecturer\"\nlicence = \"CC BY 4.0\"\nrequires = \"0.1\"\n\
             built-in = \"after\"\norder = [\"squash\"]\n",
        );
        assert_eq!(findings, []);
        assert_eq!((&*course.name, &*course.version), ("hands", "1.2"));
        assert_eq!(course.built_in, BuiltInLessons::After);
        assert_eq!(course.slug_of("squash"), "hands.squash");
        assert_eq!(Course::unnamed().slug_of("squash"), "squash");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_and_the_lessons_are_shown() {
        for (text, expected) in [
            ("name = \"hands\"", "lessons.toml:1:1: error: the key `title` is missing"),
            ("title = \"A\"\nname = \"Hands!\"", "lessons.toml:2:8: error: expected a name of"),
            ("title = \"\"\nname = \"a\"", "lessons.toml:1:9: error: expected words in quotes"),
            (
                "title = \"A\"\nname = \"a\"\nversion = \"one\"",
                "lessons.toml:3:11: error: expected a version",
            ),
            (
                "title = \"A\"\nname = \"a\"\nrequires = \"9.0\"",
                "lessons.toml:3:12: error: it was written for Bindpose 9.0",
            ),
            (
                "title = \"A\"\nname = \"a\"\ncolour = \"red\"",
                "lessons.toml:3:1: error: unknown key `colour`",
            ),
            (
                "title = \"A\"\nname = \"a\"\nbuilt-in = \"never\"",
                "lessons.toml:3:12: error: unknown name `never`",
            ),
            ("title", "lessons.toml:1"),
        ] {
            let said = said(text);
            assert!(said.iter().any(|one| one.starts_with(expected)), "{text}: {said:?}");
        }
    }

    #[test]
    fn versions_are_compared_by_numbers() {
        assert!(is_newer("0.10", "0.9") && is_newer("1", "0.9.9") && is_newer("0.1.1", "0.1"));
        assert!(!is_newer("0.1", "0.1.0") && !is_newer("", "0.1") && !is_newer("x", "0.1"));
    }
}
