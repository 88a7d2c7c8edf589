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
