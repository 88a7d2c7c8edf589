//! Findings in lessons, sorted by the step that they concern.

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_lesson::{Lesson, LessonBlock, LessonSet};

/// Findings at a step, and the number of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepFindings<'a> {
    /// Findings at this step or in its lesson as a whole, by position.
    pub here: Vec<&'a Diagnostic>,
    /// The same, except those that the page shows in place of a block.
    pub listed: Vec<&'a Diagnostic>,
    /// Number of findings at other steps and in other files.
    pub elsewhere: usize,
}

impl<'a> StepFindings<'a> {
    /// Sorts all findings of the lessons, or those from parsing them.
    pub fn new(findings: &'a [Diagnostic], set: &LessonSet, lesson: &Lesson, step: usize) -> Self {
        let outlined = set.outlined();
        let outline =
            outlined.into_iter().find(|(other, _)| other.slug == lesson.slug).map(|found| found.1);
        let headings = outline.map_or(&[][..], |outline| &outline.steps);
        let text = format!("{}/lesson.md", lesson.folder);
        let notes = format!("{}/notes.md", lesson.folder);
        let mut here: Vec<&Diagnostic> = Vec::new();
        for finding in findings {
            let Place::Text { file, at } = &finding.at else {
                continue;
            };
            // Line in the text assembled from the parts.
            let line = match outline {
                Some(outline) => outline
                    .parts
                    .files()
                    .chain([text.as_str()])
                    .find(|name| is_file(file, name))
                    .and_then(|name| outline.parts.line_of(name, at.line)),
                None => is_file(file, &text).then_some(at.line),
            };
            let is_here = match line {
                Some(line) => {
                    // Text before the first step belongs to the whole lesson.
                    let headings_before =
                        headings.iter().filter(|heading| heading.line <= line).count();
                    headings_before.checked_sub(1).is_none_or(|index| index == step)
                }
                None => is_file(file, &notes),
            };
            if is_here {
                here.push(finding);
            }
        }
        Self {
            elsewhere: findings.len() - here.len(),
            listed: here.iter().filter(|finding| !is_in_place(finding, lesson)).copied().collect(),
            here,
        }
    }
}

/// Returns true if the page shows the finding in place of a block.
fn is_in_place(finding: &Diagnostic, lesson: &Lesson) -> bool {
    findings_in_place(lesson).filter_map(|index| lesson.findings.get(index)).any(|broken| {
        text_at(broken) == text_at(finding) && broken.sentence() == finding.sentence()
    })
}

/// Compares paths. Findings name files relative to the lessons' folder, or with
/// it.
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

/// Returns the indices of findings that the page shows in place of a block.
fn findings_in_place(lesson: &Lesson) -> impl Iterator<Item = usize> + '_ {
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
    fn findings_in_included_parts_belong_to_including_step() {
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
        let first = StepFindings::new(&findings, &set, &set.lessons[0], 0);
        assert_eq!((first.here.len(), first.elsewhere), (2, 1), "{places:?}");
        let second = StepFindings::new(&findings, &set, &set.lessons[0], 1);
        assert_eq!((second.here.len(), second.elsewhere), (1, 2), "{places:?}");
        // A changed part is parsed again.
        let changes = |set: &mut LessonSet| matches!(set.read_changes(), DiskChange::Read(_));
        assert!(!changes(&mut set));
        write("parts/long.md", "One, two.\n");
        assert!(changes(&mut set));
        assert_eq!(check(&set, &bindpose_asset::builtin).len(), 1);
        assert!(!changes(&mut set));
    }

    #[test]
    fn findings_are_listed_at_their_step_and_others_counted() {
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
        let first = StepFindings::new(&findings, &set, &set.lessons[0], 0);
        let said = sentences(&first.listed);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("no lesson `gone`"), "of the whole lesson: {said:?}");
        assert!(said[1].contains("prints 3"), "{said:?}");
        let second = StepFindings::new(&findings, &set, &set.lessons[0], 1);
        let said = sentences(&second.listed);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[1].contains("no joint 9"), "{said:?}");
        assert_eq!(second.here.len(), 3, "one is shown in the place of its block");
        assert_eq!(first.here.len() + first.elsewhere, findings.len());
        let notes = StepFindings::new(&findings, &set, &set.lessons[1], 0);
        assert!(sentences(&notes.here).iter().any(|said| said.contains("no joint 9")));
    }
}
