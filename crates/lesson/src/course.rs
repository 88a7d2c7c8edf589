//! Metadata of a course, from `lessons.toml`. A folder without that file is a course without
//! a name, and excludes the built-in lessons.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::keyed;
use serde::Deserialize;

use super::drawn_body::ReadBody as _;
use super::plain_name::{MAX_NAME_CHARS, is_plain_name};
use super::toml_body::{Body, LessonSource, MAX_BYTES};

/// Name of the metadata file in the folder of the lessons.
pub const COURSE_FILE: &str = "lessons.toml";
/// Name of the glossary in the folder of the lessons.
pub(super) const GLOSSARY: &str = "glossary.md";

keyed! {
    /// Position of the built-in lessons relative to those of a course.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BuiltInLessons {
        /// Before the lessons of the course.
        #[default]
        Before = "before",
        /// After the lessons of the course.
        After = "after",
        LeftOut = "left-out",
    }
}

/// Metadata of a course. Texts that are not given are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Prefix of the slugs of its lessons in links: `hands`. Empty for the built-in lessons
    /// and for folders without metadata.
    pub name: String,
    /// Title shown to readers. Empty if the course has no name.
    pub title: String,
    /// Description in one sentence.
    pub about: String,
    /// Version such as `1.2`.
    pub version: String,
    /// Language code such as `en` or `de-AT`.
    pub language: String,
    pub author: String,
    pub licence: String,
    /// Oldest version of Bindpose that the course supports. Empty for any.
    pub requires: String,
    /// Position of the built-in lessons.
    pub built_in: BuiltInLessons,
    /// Slugs of the lessons that come first, in this order. The others follow by number.
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
    /// The subject of the course, in a sentence.
    #[serde(default)]
    about: String,
    /// The version of the course: numbers with points between, such as "1.0".
    #[serde(default)]
    version: String,
    /// The language of its texts: "en", "de-AT".
    #[serde(default)]
    language: String,
    /// The authors of the course.
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
    /// The metadata of a folder without `lessons.toml`.
    pub(super) fn unnamed() -> Self {
        Self { built_in: BuiltInLessons::LeftOut, ..Self::default() }
    }

    /// Returns a warning if the course requires a newer version of Bindpose.
    pub fn newer(&self) -> Option<Diagnostic> {
        let here = env!("CARGO_PKG_VERSION");
        let title = format!("it was written for Bindpose {}, and this is {here}", self.requires);
        let help = "what this version does not know is shown as a finding in its place; \
                    a newer Bindpose knows all of it";
        is_newer(&self.requires, here).then(|| Diagnostic::said("NEWER", title).help(help))
    }

    /// Slug of one of its lessons in a set: `hands.squash`.
    pub fn slug_of(&self, own: &str) -> String {
        if self.name.is_empty() { own.to_owned() } else { format!("{}.{own}", self.name) }
    }
}

/// Parses `lessons.toml`. Errors become findings. If the metadata cannot be read, the
/// lessons open without it.
pub(super) fn parse_course(text: &str) -> (Course, Vec<Diagnostic>) {
    let source = LessonSource::new(COURSE_FILE.to_owned(), text);
    let mut body = Body::new(&source, 0);
    body.push(text, 0);
    match parse_file(&source, &body) {
        Ok(parsed) => parsed,
        Err(error) => (Course::unnamed(), vec![error]),
    }
}

fn parse_file(
    source: &LessonSource<'_>,
    body: &Body<'_>,
) -> Result<(Course, Vec<Diagnostic>), Diagnostic> {
    let text = source.text;
    if text.len() > MAX_BYTES {
        let found = text.len().to_string();
        let error = Diagnostic::expected(format!("at most {MAX_BYTES} bytes"), found);
        return Err(source.error(0, error.help("shorten it")));
    }
    let table = body.table()?;
    let file =
        CourseFile::read_body(&table).map_err(|error| body.value_error(error, 0, COURSE_FILE))?;
    let mut wrong_values = Vec::new();
    let mut course = Course {
        name: file.name.trim().to_owned(),
        title: shorten(&file.title),
        about: shorten(&file.about),
        version: file.version.trim().to_owned(),
        language: file.language.trim().to_owned(),
        author: shorten(&file.author),
        licence: shorten(&file.licence),
        requires: file.requires.trim().to_owned(),
        built_in: file.built_in,
        order: file.order,
    };
    if !is_plain_name(&course.name) || course.name.len() > MAX_NAME_CHARS {
        let found = format!("`{}`", course.name);
        let expected = format!("a name of 1 to {MAX_NAME_CHARS} letters: a-z, 0-9 and hyphens");
        let error = Diagnostic::expected(expected, found).help("write name = \"hands\"");
        wrong_values.push(("name", error));
        course.name.clear();
    }
    if course.title.is_empty() {
        let error = Diagnostic::expected("words in quotes for `title`", "");
        wrong_values.push(("title", error.help("write title = \"Hands\"")));
        course.title.clone_from(&course.name);
    }
    for (key, version) in [("version", &course.version), ("requires", &course.requires)] {
        let is_version =
            version.split('.').all(|part| part.len() <= 6 && part.parse::<u32>().is_ok());
        if !version.is_empty() && !is_version {
            let expected = "a version: numbers with points between";
            let found = format!("`{version}`");
            let help = format!("write {key} = \"1.0\"");
            wrong_values.push((key, Diagnostic::expected(expected, found).help(help)));
        }
    }
    if let Some(newer) = course.newer() {
        wrong_values.push(("requires", newer));
    }
    let findings = wrong_values
        .into_iter()
        .map(|(key, error)| {
            let at = table.get(key).map_or(0, |value| value.span().start);
            body.error(at, error)
        })
        .collect();
    Ok((course, findings))
}

/// Joins the lines of a text and limits it to 200 characters, so that it takes no more space
/// than a title.
fn shorten(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
}

/// Whether version `wanted` is newer than `here`. False if either is no version.
fn is_newer(wanted: &str, here: &str) -> bool {
    let (Some(mut wanted), Some(mut here)) = (parse_version(wanted), parse_version(here)) else {
        return false;
    };
    let length = wanted.len().max(here.len());
    wanted.resize(length, 0);
    here.resize(length, 0);
    wanted > here
}

fn parse_version(version: &str) -> Option<Vec<u32>> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        let (_, findings) = parse_course(text);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn parses_metadata_of_a_course() {
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
    fn reports_errors_and_still_opens_the_lessons() {
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
            let said = messages(text);
            assert!(said.iter().any(|one| one.starts_with(expected)), "{text}: {said:?}");
        }
    }

    #[test]
    fn compares_versions_numerically() {
        assert!(is_newer("0.10", "0.9") && is_newer("1", "0.9.9") && is_newer("0.1.1", "0.1"));
        assert!(!is_newer("0.1", "0.1.0") && !is_newer("", "0.1") && !is_newer("x", "0.1"));
    }
}
