//! Prose that comes paragraph by paragraph.

use std::ops::Range;

use bindpose_lesson::{Cell, CellKind, Lesson, LessonBlock, LinkTarget};
use bindpose_notebook::demonstration::of_block;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::{FADE, TIME};

/// How far the prose of a step has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProseReading {
    lesson: String,
    step: usize,
    /// Paragraphs that have come; 0 until the step was first seen.
    shown: usize,
    /// Set when one came, and on the way back to a step, of which all stand there: the
    /// newest is scrolled to.
    pub came: bool,
}

impl ProseReading {
    /// How many paragraphs of this step are shown: at first, as many as `least`.
    pub fn shown(&mut self, lesson: &str, step: usize, least: usize) -> usize {
        if self.lesson != lesson || self.step != step {
            *self = Self { lesson: lesson.to_owned(), step, shown: least, came: false };
        }
        self.shown = self.shown.max(least);
        self.shown
    }

    /// One more, or one fewer; not fewer than `least`, not more than `all`. False
    /// if there is none.
    pub fn turn(&mut self, forward: bool, least: usize, all: usize) -> bool {
        let shown = if forward {
            (self.shown + 1).min(all)
        } else {
            self.shown.saturating_sub(1).max(least)
        };
        self.came = shown != self.shown;
        self.shown = shown;
        self.came
    }

    /// All of the step that is now entered, as on the way back.
    pub fn all_of(&mut self, lesson: &str, step: usize, all: usize) {
        *self = Self { lesson: lesson.to_owned(), step, shown: all, came: all > 1 };
    }
}

/// What comes at once: a paragraph with the formulas, lists and listings that
/// belong to it; a card by itself.
pub fn paragraphs(blocks: &[LessonBlock]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let after_heading = index.checked_sub(1).and_then(|before| blocks.get(before));
        let after_heading = matches!(after_heading, Some(LessonBlock::Heading { .. }));
        let begins = match block {
            LessonBlock::Heading { .. } => true,
            LessonBlock::Paragraph(_) | LessonBlock::Cell(_) => !after_heading,
            _ => false,
        };
        match parts.last_mut() {
            Some(last) if !begins => last.end = index + 1,
            _ => parts.push(index..index + 1),
        }
    }
    parts
}

/// The prose of a step: the introduction stands above the first.
pub fn prose(lesson: &Lesson, step: usize) -> [&[LessonBlock]; 2] {
    let own = lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
    let intro = if step == 0 { &lesson.intro[..] } else { &[] };
    [intro, own]
}

/// How many paragraphs a step has.
pub fn count(lesson: &Lesson, step: usize) -> usize {
    let parts = prose(lesson, step).map(|blocks| paragraphs(blocks).len());
    parts.iter().sum()
}

/// How many paragraphs of a step are never hidden: one, and all up to the last
/// with a number to drag that can be dragged nowhere else.
pub fn least(lesson: &Lesson, step: usize) -> usize {
    let parts = prose(lesson, step).map(|blocks| {
        let parts = paragraphs(blocks).into_iter();
        parts.map(move |part| &blocks[part])
    });
    let needed = parts.into_iter().flatten().enumerate().filter(|(_, part)| {
        let targets = part.iter().flat_map(of_block);
        targets.into_iter().any(|target| match target {
            LinkTarget::Param(name, _) => !cells_at(lesson, step).any(|cell| offers(cell, name)),
            _ => false,
        })
    });
    needed.last().map_or(1, |(index, _)| index + 1)
}

/// Can this parameter be dragged in this cell?
fn offers(cell: &Cell, name: &str) -> bool {
    match &cell.kind {
        CellKind::Angles(angles) => {
            let listed =
                angles.params.is_empty() || angles.params.iter().any(|param| param == name);
            if name == "all" { angles.all } else { listed }
        }
        CellKind::Timeline(_) => name == TIME || name == FADE,
        CellKind::Plot(plot) => plot.sweep == name,
        CellKind::Budget(budget) => {
            let limit = budget.limit.as_deref().unwrap_or("vec4s");
            limit == name || budget.others.as_deref() == Some(name)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;

    use super::*;

    fn words(text: &str) -> LessonBlock {
        LessonBlock::Heading {
            level: 3,
            inlines: vec![bindpose_lesson::Inline::Code(text.to_owned())],
        }
    }

    #[test]
    fn what_belongs_to_a_paragraph_comes_with_it() {
        let paragraph = || LessonBlock::Paragraph(Vec::new());
        let formula = || LessonBlock::Math("x".to_owned());
        let blocks = [paragraph(), formula(), words("then"), paragraph(), paragraph(), formula()];
        assert_eq!(paragraphs(&blocks), [0..2, 2..4, 4..6]);
        assert_eq!(paragraphs(&[formula(), paragraph()]), [0..1, 1..2]);
    }

    #[test]
    fn a_number_that_is_dragged_nowhere_else_is_never_hidden() {
        let set = LessonSet::embedded();
        let mut hides = 0;
        for lesson in &set.lessons {
            for step in 0..lesson.steps.len() {
                let (least, all) = (least(lesson, step), count(lesson, step));
                assert!((1..=all).contains(&least), "{} {step}", lesson.slug);
                hides += usize::from(least < all);
            }
        }
        assert!(hides > 50, "most steps have something to come: {hides}");
    }

    #[test]
    fn reading_goes_on_and_back_and_begins_anew_at_another_step() {
        let mut reading = ProseReading::default();
        assert_eq!(reading.shown("a", 1, 1), 1);
        assert!(reading.turn(true, 1, 2) && !reading.turn(true, 1, 2));
        assert!(reading.turn(false, 1, 2) && !reading.turn(false, 1, 2));
        reading.all_of("a", 0, 4);
        assert!(reading.came, "on the way back the newest is wanted in sight");
        assert_eq!(reading.shown("a", 0, 1), 4);
        assert_eq!(reading.shown("b", 0, 2), 2);
        assert!(!reading.came, "a step is read from its top");
    }
}
