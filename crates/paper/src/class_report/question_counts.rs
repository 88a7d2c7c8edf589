//! What a class answered to a question: how often, how near, and who changed.

use bindpose_notebook::exercise::Nearness;
use glam::Vec3;

use super::asked_cell::AnsweredQuestion;
use super::report::{
    AnswerCount, AnswerOfStudent, ByRound, GuessDistance, JudgedAnswer, LessonOfStudent,
    QuestionOfClass,
};

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
