//! The teacher's notes, step by step.

use super::{Inline, Lesson, LessonBlock};

/// What the notes say of one step: the part below a heading such as
/// `## 3. Guess where it goes (3 minutes)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepNotes<'a> {
    /// Time to plan for; absent where the heading says none.
    pub minutes: Option<u32>,
    /// What stands below the heading.
    pub blocks: &'a [LessonBlock],
}

impl Lesson {
    /// The notes of a step, by its index. `None` where no heading has its number.
    pub fn step_notes(&self, step: usize) -> Option<StepNotes<'_>> {
        let mut sections = self.sections();
        let (_, heading, blocks) = sections.find(|(number, ..)| *number == Some(step + 1))?;
        Some(StepNotes { minutes: minutes(&heading), blocks })
    }

    /// What the notes say of the lesson as a whole: before its steps, and after
    /// them.
    pub fn lesson_notes(&self) -> impl Iterator<Item = &[LessonBlock]> {
        let of_all = self.sections().filter(|(number, ..)| number.is_none());
        of_all.map(|(.., blocks)| blocks)
    }

    /// The number that a heading begins with, its words, and what stands below it.
    fn sections(&self) -> impl Iterator<Item = (Option<usize>, String, &[LessonBlock])> {
        let mut rest = &self.notes[..];
        std::iter::from_fn(move || {
            let heading = heading(rest.first()?);
            let after = usize::from(heading.is_some());
            let below = rest[after..].iter();
            let end = below.take_while(|block| !is_section(block)).count() + after;
            let (section, left) = rest.split_at(end);
            rest = left;
            let words = heading.unwrap_or_default();
            Some((number(&words), words, &section[after..]))
        })
    }
}

fn is_section(block: &LessonBlock) -> bool {
    heading(block).is_some()
}

/// The words of a heading that begins a part of the notes.
fn heading(block: &LessonBlock) -> Option<String> {
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

/// 3, of `3. Guess where it goes (3 minutes)`.
fn number(heading: &str) -> Option<usize> {
    heading.split_once(". ")?.0.parse().ok()
}

fn minutes(heading: &str) -> Option<u32> {
    let (_, time) = heading.rsplit_once('(')?;
    let (minutes, unit) = time.strip_suffix(')')?.split_once(' ')?;
    unit.starts_with("minute").then(|| minutes.parse().ok())?
}

#[cfg(test)]
mod tests {
    use crate::{LessonSet, parse_lesson};

    #[test]
    fn notes_are_told_apart_by_the_numbers_of_their_headings() {
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
    fn every_step_of_our_lessons_has_notes_and_their_minutes_add_up() {
        for lesson in LessonSet::embedded().lessons {
            let steps = 0..lesson.steps.len();
            let minutes: Option<u32> =
                steps.map(|step| lesson.step_notes(step).and_then(|notes| notes.minutes)).sum();
            assert_eq!(minutes, Some(lesson.minutes), "{}", lesson.slug);
        }
    }
}
