//! Teacher's notes for single steps.

use super::{Inline, Lesson, LessonBlock};

/// Notes about a step: the part below a heading such as
/// `## 3. Guess where it goes (3 minutes)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepNotes<'a> {
    /// Planned minutes. `None` if the heading gives none.
    pub minutes: Option<u32>,
    pub blocks: &'a [LessonBlock],
}

impl Lesson {
    /// Returns the notes about a step, by its index, or `None` if no heading has its number.
    pub fn step_notes(&self, step: usize) -> Option<StepNotes<'_>> {
        let mut sections = self.sections();
        let (_, heading, blocks) = sections.find(|(number, ..)| *number == Some(step + 1))?;
        Some(StepNotes { minutes: heading_minutes(&heading), blocks })
    }

    /// Notes about the whole lesson, before and after those about its steps.
    pub fn lesson_notes(&self) -> impl Iterator<Item = &[LessonBlock]> {
        self.sections().filter(|(number, ..)| number.is_none()).map(|(.., blocks)| blocks)
    }

    /// Splits the notes at their headings: the number and the text of each heading, and the
    /// blocks below it.
    fn sections(&self) -> impl Iterator<Item = (Option<usize>, String, &[LessonBlock])> {
        let mut rest = &self.notes[..];
        std::iter::from_fn(move || {
            let heading = heading_text(rest.first()?);
            let after = usize::from(heading.is_some());
            let below = rest[after..].iter();
            let end = below.take_while(|block| !is_section(block)).count() + after;
            let (section, left) = rest.split_at(end);
            rest = left;
            let words = heading.unwrap_or_default();
            Some((heading_number(&words), words, &section[after..]))
        })
    }
}

fn is_section(block: &LessonBlock) -> bool {
    heading_text(block).is_some()
}

/// Text of a heading that begins a section of the notes.
fn heading_text(block: &LessonBlock) -> Option<String> {
    let LessonBlock::Heading { level: 3, inlines } = block else {
        return None;
    };
    let words = inlines.iter().map(|inline| match inline {
        Inline::Text { text, .. }
        | Inline::Code(text)
        | Inline::Struck(text)
        | Inline::Math(text) => text.as_str(),
        Inline::Link { text, .. } => text,
        Inline::Break | Inline::Task(_) => " ",
    });
    Some(words.collect())
}

/// Number at the beginning of a heading: 3 in `3. Guess where it goes (3 minutes)`.
fn heading_number(heading: &str) -> Option<usize> {
    heading.split_once(". ")?.0.parse().ok()
}

fn heading_minutes(heading: &str) -> Option<u32> {
    let (_, time) = heading.rsplit_once('(')?;
    let (minutes, unit) = time.strip_suffix(')')?.split_once(' ')?;
    unit.starts_with("minute").then(|| minutes.parse().ok())?
}

#[cfg(test)]
mod tests {
    use crate::{LessonSet, parse_lesson};

    #[test]
    fn notes_are_assigned_by_the_numbers_in_headings() {
        let text =
            "+++\ntitle = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n## One\n\na\n\n## Two\n\nb\n";
        let notes = "# Notes\n\nAll.\n\n## 1. One (2 minutes)\n\nFirst.\n\nMore.\n\n\
                     ## 2. Two (1 minute)\n\nSecond.\n\n## If it looks odd\n\nLast.\n";
        let lesson = parse_lesson("20-a", text, notes);
        let first = lesson.step_notes(0).unwrap();
        assert_eq!((first.minutes, first.blocks.len()), (Some(2), 2));
        let second = lesson.step_notes(1).unwrap();
        assert_eq!((second.minutes, second.blocks.len()), (Some(1), 1));
        assert_eq!(lesson.step_notes(2), None);
        assert_eq!(lesson.lesson_notes().count(), 2);
        assert_eq!(parse_lesson("20-a", text, "").step_notes(0), None);
    }

    #[test]
    fn every_built_in_step_has_notes_and_minutes_add_up() {
        for lesson in LessonSet::embedded().lessons {
            let steps = 0..lesson.steps.len();
            let minutes: Option<u32> =
                steps.map(|step| lesson.step_notes(step).and_then(|notes| notes.minutes)).sum();
            assert_eq!(minutes, Some(lesson.minutes), "{}", lesson.slug);
        }
    }
}
