//! The smallest example of every kind of cell, as `docs/cells/examples.toml` has it.

use std::collections::BTreeMap;

use serde::Deserialize;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{CourseFiles, LessonSet};

const EXAMPLES: &str = include_str!("../../docs/cells/examples.toml");
/// What examples with a picture show.
pub(super) const PICTURE: (&str, &[u8]) =
    ("finger.svg", include_bytes!("../../docs/cells/finger.svg"));

/// An example of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CellExample {
    /// What it stands on.
    pub(super) rig: String,
    /// More for the front matter of its lesson.
    #[serde(default)]
    pub(super) front: String,
    /// What its step sets.
    #[serde(default)]
    pub(super) set: String,
    /// The prose before it; absent: a few words.
    #[serde(default = "words")]
    pub(super) text: String,
    /// TOML between the lines of the fence.
    pub(super) body: String,
}

fn words() -> String {
    "An example.".to_owned()
}

/// All of them, by kind; `set` is one.
///
/// Fails when the file is not as it should be, which a test would find.
pub(super) fn cell_examples() -> Result<BTreeMap<String, CellExample>, Diagnostic> {
    toml::from_str(EXAMPLES).map_err(|error| {
        let title = format!("docs/cells/examples.toml: {error}");
        Diagnostic::said("EXAMPLES", title).help("correct the file")
    })
}

/// Lessons made of examples: folder, text and notes each, with the files that examples
/// name.
pub(super) fn example_set(lessons: &[(&str, &str, &str)]) -> LessonSet {
    let (name, bytes) = PICTURE;
    let files = lessons.iter().map(|(folder, ..)| (format!("{folder}/{name}"), bytes.into()));
    LessonSet::from_memory_with(lessons, "", CourseFiles::in_memory(files.collect()))
}

impl CellExample {
    /// As it is written in a lesson.
    pub(super) fn fenced(&self, kind: &str) -> String {
        format!("```{kind}\n{}```\n", self.body)
    }

    /// A lesson that has nothing but this, `lesson.md`; the cell is called `example`.
    pub(super) fn lesson(&self, kind: &str) -> String {
        let Self { rig, front, set, text, body } = self;
        let set = if kind == "set" { body } else { set };
        let set = match set.trim_end() {
            "" => String::new(),
            set => format!("```set\n{set}\n```\n\n"),
        };
        let picture = match kind {
            "viewport" => "",
            _ => "```viewport picture\n```\n\n",
        };
        let example = match kind {
            "set" => String::new(),
            _ => format!("```{kind} example\n{body}```\n"),
        };
        format!(
            "+++\ntitle = \"{kind}\"\nminutes = 1\nrig = \"{rig}\"\n{front}+++\n\n{picture}\
             ## Example\n\n{set}{text}\n\n{example}"
        )
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::written_parts;
    use bindpose_notebook::check;

    use super::*;

    #[test]
    fn every_kind_has_an_example_in_which_the_check_finds_nothing() {
        let examples = cell_examples().expect("examples");
        let parts = written_parts();
        let kinds: Vec<&str> =
            parts.iter().filter(|part| part.is_fenced).map(|part| part.name).collect();
        for kind in &kinds {
            assert!(
                examples.contains_key(*kind),
                "write [{kind}] with rig and body into docs/cells/examples.toml, then run \
                 `cargo xtask gallery`"
            );
        }
        for (kind, example) in &examples {
            assert!(kinds.contains(&&**kind), "there is no kind `{kind}`");
            let lesson = example.lesson(kind);
            let lesson = [("10-example", &*lesson, "Notes.\n")];
            let set = example_set(&lesson);
            let findings = check::check(&set, &|id| builtin(id));
            // A lesson of one cell in memory has no glossary beside it.
            let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
            assert_eq!(findings, Vec::<String>::new(), "{kind}:\n{lesson:?}");
        }
    }
}
