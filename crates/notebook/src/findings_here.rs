//! What is wrong with lessons, sorted by where the reader stands.

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_lesson::{Lesson, LessonBlock, LessonSet};

/// What is wrong at a step, and how much elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FindingsHere<'a> {
    /// At this step, or of its lesson as a whole, by place.
    pub here: Vec<&'a Diagnostic>,
    /// The same, but for what the page shows in the place of a block.
    pub listed: Vec<&'a Diagnostic>,
    /// At other steps and in other files.
    pub elsewhere: usize,
}

impl<'a> FindingsHere<'a> {
    /// Of all findings of the lessons, or of what was found when they were read.
    pub fn new(findings: &'a [Diagnostic], set: &LessonSet, lesson: &Lesson, step: usize) -> Self {
        let outlined = set.outlined();
        let outline = outlined.into_iter().find(|(other, _)| other.slug == lesson.slug);
        let headings = outline.map_or(&[][..], |(_, outline)| &outline.steps);
        let notes = format!("{}/notes.md", lesson.folder);
        // Its line in the text that was put together of the parts.
        let line_in_text = |file: &str, line: usize| {
            let text = format!("{}/lesson.md", lesson.folder);
            let Some((_, outline)) = outline else {
                return is_file(file, &text).then_some(line);
            };
            let mut files = outline.parts.files().chain([text.as_str()]);
            let file = files.find(|name| is_file(file, name))?;
            outline.parts.line_of(file, line)
        };
        let is_here = |finding: &&Diagnostic| match &finding.at {
            Place::Text { file, at } if let Some(line) = line_in_text(file, at.line) => {
                let before = headings.iter().filter(|heading| heading.line <= line);
                // What stands before the first step is of the whole lesson.
                before.count().checked_sub(1).is_none_or(|at| at == step)
            }
            Place::Text { file, .. } => is_file(file, &notes),
            _ => false,
        };
        let here: Vec<&Diagnostic> = findings.iter().filter(is_here).collect();
        let in_place = |finding: &&&Diagnostic| {
            broken(lesson).any(|index| {
                let same = |broken: &Diagnostic| {
                    let (at, there) = (text_at(broken), text_at(finding));
                    at == there && broken.sentence() == finding.sentence()
                };
                lesson.findings.get(index).is_some_and(same)
            })
        };
        Self {
            elsewhere: findings.len() - here.len(),
            listed: here.iter().filter(|one| !in_place(one)).copied().collect(),
            here,
        }
    }
}

/// Findings name files from the folder of the lessons on, and perhaps with it.
fn is_file(file: &str, name: &str) -> bool {
    let before = file.strip_suffix(name);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn text_at(finding: &Diagnostic) -> Option<bindpose_diagnostic::LineColumn> {
    match &finding.at {
        Place::Text { at, .. } => Some(*at),
        _ => None,
    }
}

/// The findings that the page shows where their block would stand.
fn broken(lesson: &Lesson) -> impl Iterator<Item = usize> + '_ {
    let steps = lesson.steps.iter().flat_map(|step| &step.blocks);
    let blocks = lesson.intro.iter().chain(steps);
    blocks.filter_map(|block| match block {
        LessonBlock::Broken(finding) => Some(*finding),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::DiskChange;

    use super::*;
    use crate::check::check;

    #[test]
    fn findings_in_included_parts_stand_at_the_step_that_includes_them() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n```viewport main\n```\n\n";
        let body = "## One\n\n{{#include ../parts/long.md}}\n\n## Two\n\n[x](joint:9)\n";
        write("10-a/lesson.md", &format!("{head}{body}"));
        write("10-a/notes.md", "Notes.\n");
        write("parts/long.md", "One.\n\nTwo.\n\n[y](joint:8) and [3](value:2).\n");
        let mut set = LessonSet::from_dir(dir.path());
        let findings = check(&set, &bindpose_asset::builtin);
        let mut places: Vec<String> = findings.iter().map(|one| one.to_string()).collect();
        places.sort();
        for (place, end) in places.iter().zip([
            "10-a/lesson.md:16:11:",
            "parts/long.md:5:11:",
            "parts/long.md:5:19:",
        ]) {
            assert!(place.contains(end), "{end} in {place}");
        }
        let first = FindingsHere::new(&findings, &set, &set.lessons[0], 0);
        assert_eq!((first.here.len(), first.elsewhere), (2, 1), "{places:?}");
        let second = FindingsHere::new(&findings, &set, &set.lessons[0], 1);
        assert_eq!((second.here.len(), second.elsewhere), (1, 2), "{places:?}");
        // A part that changes is read again.
        let changes = |set: &mut LessonSet| matches!(set.read_changes(), DiskChange::Read(_));
        assert!(!changes(&mut set));
        write("parts/long.md", "One, two.\n");
        assert!(changes(&mut set));
        assert_eq!(check(&set, &bindpose_asset::builtin).len(), 1);
        assert!(!changes(&mut set));
    }

    #[test]
    fn findings_stand_at_their_step_and_others_are_counted() {
        let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\nneeds = [\"gone\"]\n+++\n\n```viewport main\n```\n\n";
        let one = "## One\n\n[4](value:joints())\n\n";
        let two = "## Two\n\nWords.\n\n```angles\nparams = 3\n```\n\n[x](joint:9)\n";
        let text = format!("{head}{one}{two}");
        let set = LessonSet::from_memory(
            &[("10-a", &text, "Notes."), ("20-b", &text, "[x](joint:9)")],
            "",
        );
        let findings = check(&set, &bindpose_asset::builtin);
        let sentences = |found: &[&Diagnostic]| -> Vec<String> {
            found.iter().map(|one| one.sentence()).collect()
        };
        let first = FindingsHere::new(&findings, &set, &set.lessons[0], 0);
        let said = sentences(&first.listed);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("no lesson `gone`"), "of the whole lesson: {said:?}");
        assert!(said[1].contains("prints 3"), "{said:?}");
        let second = FindingsHere::new(&findings, &set, &set.lessons[0], 1);
        let said = sentences(&second.listed);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[1].contains("no joint 9"), "{said:?}");
        assert_eq!(second.here.len(), 3, "one is shown in the place of its block");
        assert_eq!(first.here.len() + first.elsewhere, findings.len());
        let notes = FindingsHere::new(&findings, &set, &set.lessons[1], 0);
        assert!(sentences(&notes.here).iter().any(|said| said.contains("no joint 9")));
    }
}
