//! What a class did together: counts by step, by question and by misconception.

use bindpose_lesson::{Lesson, Misconception};
use bindpose_notebook::InventoryEntry;
use bindpose_notebook::exercise::Nearness;
use bindpose_notebook::inventory::Holding;
use glam::Vec3;
use serde::Serialize;

use super::questions::{AnsweredQuestion, JudgedAnswer};
use super::{AnswerOfStudent, LessonOfStudent, has_exercise};

/// Alone, and after they have talked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct ByRound<T> {
    pub(super) alone: T,
    pub(super) after_talking: T,
}

/// A step in a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StepOfClass {
    /// From 1.
    pub(super) number: usize,
    /// Its slug.
    step: String,
    pub(super) title: String,
    pub(super) has_exercise: bool,
    /// How many saw it.
    pub(super) seen: usize,
    /// And how many solved all its exercises.
    pub(super) solved: usize,
}

impl StepOfClass {
    pub(super) fn new(lesson: &Lesson, index: usize, done: &[&LessonOfStudent]) -> Self {
        let (step, number) = (&lesson.steps[index], index + 1);
        Self {
            number,
            step: step.slug.clone(),
            title: step.title.clone(),
            has_exercise: has_exercise(lesson, index),
            seen: done.iter().filter(|one| one.seen.contains(&number)).count(),
            solved: done.iter().filter(|one| one.solved.contains(&number)).count(),
        }
    }
}

/// A question that was put to a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct QuestionOfClass {
    /// In the report, from 1.
    pub(super) number: usize,
    /// Number of its step, from 1.
    pub(super) step: usize,
    /// Id of its cell.
    cell: String,
    /// Of drawn numbers, from 1.
    draw: usize,
    kind: &'static str,
    pub(super) ask: String,
    pub(super) right_answer: Option<String>,
    pub(super) answered: ByRound<usize>,
    pub(super) right: ByRound<usize>,
    /// How many were wrong at first and right after talking.
    pub(super) changed_to_right: usize,
    /// And the other way.
    pub(super) changed_away: usize,
    /// The most frequent first; of guesses by how near they are.
    pub(super) answers: Vec<AnswerCount>,
    /// Of guesses; absent: it asks for something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distance: Option<GuessDistance>,
}

/// How often an answer was given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AnswerCount {
    pub(super) answer: String,
    pub(super) right: Option<bool>,
    pub(super) alone: usize,
    pub(super) after_talking: usize,
    /// What the lesson says of a wrong one; empty: nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) reply: String,
}

/// How far guesses are off, in world units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GuessDistance {
    /// Measured from the right place; else from the median of all guesses of the round.
    pub(super) from_right_place: bool,
    /// What still counts as right.
    pub(super) close: f32,
    /// Absent: nobody guessed in that round.
    pub(super) median: ByRound<Option<f32>>,
}

impl QuestionOfClass {
    pub(super) fn new(question: &AnsweredQuestion, done: &[&LessonOfStudent]) -> Self {
        let answers = done.iter().flat_map(|one| &one.answers);
        let of_it = answers.filter(|answer| answer.question == question.number);
        let given: Vec<&AnswerOfStudent> = of_it.collect();
        let alone: Vec<&JudgedAnswer> = given.iter().flat_map(|one| &one.alone).collect();
        let after: Vec<&JudgedAnswer> = given.iter().flat_map(|one| &one.after_talking).collect();
        let right = |of: &[&JudgedAnswer]| of.iter().filter(|one| one.right == Some(true)).count();
        let changed = |from: bool| {
            let right = |one: &Option<JudgedAnswer>| one.as_ref().and_then(|one| one.right);
            let is = |one: &&&AnswerOfStudent| {
                right(&one.alone) == Some(from) && right(&one.after_talking) == Some(!from)
            };
            given.iter().filter(is).count()
        };
        let distance = question.close.map(|close| GuessDistance {
            from_right_place: question.right_answer.is_some(),
            close,
            median: ByRound { alone: median_off(&alone), after_talking: median_off(&after) },
        });
        Self {
            number: question.number,
            step: question.step + 1,
            cell: question.cell.clone(),
            draw: question.draw + 1,
            kind: question.kind,
            ask: question.ask.clone(),
            right_answer: question.right_answer.clone(),
            answered: ByRound { alone: alone.len(), after_talking: after.len() },
            right: ByRound { alone: right(&alone), after_talking: right(&after) },
            changed_to_right: changed(false),
            changed_away: changed(true),
            answers: match question.close {
                Some(close) => by_nearness(close, &alone, &after),
                None => by_frequency(&alone, &after),
            },
            distance,
        }
    }

    /// The wrong answer that most gave, in the round where most did.
    pub(super) fn usual_mistake(&self) -> Option<&AnswerCount> {
        let most = |one: &&AnswerCount| one.alone.max(one.after_talking);
        let wrong = self.answers.iter().filter(|one| one.right == Some(false));
        // Of the same many, the first in the list.
        wrong.rev().max_by_key(most).filter(|one| !one.reply.is_empty())
    }
}

/// The most frequent answer first.
fn by_frequency(alone: &[&JudgedAnswer], after: &[&JudgedAnswer]) -> Vec<AnswerCount> {
    let mut counts: Vec<AnswerCount> = Vec::new();
    let both = alone.iter().map(|one| (one, true)).chain(after.iter().map(|one| (one, false)));
    for (given, is_alone) in both {
        let known = counts.iter().position(|one| one.answer == given.answer);
        let at = known.unwrap_or_else(|| {
            counts.push(AnswerCount {
                answer: given.answer.clone(),
                right: given.right,
                alone: 0,
                after_talking: 0,
                reply: given.reply.clone(),
            });
            counts.len() - 1
        });
        let count = &mut counts[at];
        *(if is_alone { &mut count.alone } else { &mut count.after_talking }) += 1;
    }
    counts.sort_by_key(|one| std::cmp::Reverse((one.after_talking, one.alone)));
    counts
}

/// The nearest first; none where the right place is not known.
fn by_nearness(close: f32, alone: &[&JudgedAnswer], after: &[&JudgedAnswer]) -> Vec<AnswerCount> {
    const ALL: [Nearness; 4] = [Nearness::SpotOn, Nearness::Close, Nearness::NotFar, Nearness::Far];
    let counts = ALL.into_iter().map(|nearness| {
        let count = |of: &[&JudgedAnswer]| {
            let off = of.iter().filter_map(|one| one.off);
            off.filter(|off| Nearness::from_distance(*off, close) == nearness).count()
        };
        AnswerCount {
            answer: nearness.words().to_owned(),
            right: Some(nearness.is_right()),
            alone: count(alone),
            after_talking: count(after),
            reply: String::new(),
        }
    });
    counts.filter(|one| one.alone + one.after_talking > 0).collect()
}

/// From the right place; where that is not known, from the median of all places.
fn median_off(guesses: &[&JudgedAnswer]) -> Option<f32> {
    let places: Vec<Vec3> = guesses.iter().filter_map(|one| one.place).collect();
    let axis = |axis: usize| median(places.iter().map(|place| place[axis]).collect());
    let middle = Vec3::new(axis(0)?, axis(1)?, axis(2)?);
    let offs = guesses.iter().filter_map(|one| one.off.or(Some(one.place?.distance(middle))));
    median(offs.collect())
}

fn median(mut numbers: Vec<f32>) -> Option<f32> {
    numbers.sort_by(f32::total_cmp);
    let above = numbers.len() / 2;
    let last = *numbers.get(above)?;
    let first = if numbers.len().is_multiple_of(2) { numbers[above - 1] } else { last };
    Some(f32::midpoint(first, last))
}

/// A misconception in a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct MisconceptionOfClass {
    /// Its id.
    pub(super) misconception: String,
    pub(super) belief: String,
    /// How many held it before the lesson, of how many who answered.
    pub(super) held_before: usize,
    pub(super) answered_before: usize,
    /// And after it.
    pub(super) held_after: usize,
    pub(super) answered_after: usize,
    /// How many held it before and after.
    pub(super) remains: usize,
}

impl MisconceptionOfClass {
    pub(super) fn new(of: &Misconception, done: &[&LessonOfStudent]) -> Self {
        let inventories = done.iter().filter_map(|one| one.inventory.as_ref());
        let holdings: Vec<(Holding, Holding)> =
            inventories.filter_map(|inventory| holdings(inventory, &of.id)).collect();
        let count = |is: fn(&&(Holding, Holding)) -> bool| holdings.iter().filter(is).count();
        Self {
            misconception: of.id.clone(),
            belief: of.belief.clone(),
            held_before: count(|(before, _)| *before == Holding::Held),
            answered_before: count(|(before, _)| *before != Holding::NotAnswered),
            held_after: count(|(_, after)| *after == Holding::Held),
            answered_after: count(|(_, after)| *after != Holding::NotAnswered),
            remains: count(|both| **both == (Holding::Held, Holding::Held)),
        }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answered_before + self.answered_after > 0
    }
}

fn holdings(inventory: &InventoryEntry, id: &str) -> Option<(Holding, Holding)> {
    let mut all = inventory.misconceptions.iter();
    let one = all.find(|one| one.misconception == id)?;
    Some((one.before, one.after))
}
