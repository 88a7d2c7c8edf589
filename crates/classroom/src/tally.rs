//! What a class answered.

use std::collections::BTreeMap;

use super::question::{AnswerKey, QuestionAddress, Round};
use super::record::{MemberId, StudentView};

/// What a class answered to one question in both rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    answers: BTreeMap<MemberId, [Option<String>; 2]>,
    /// Those who are connected, whether they answered or not.
    present: Vec<MemberId>,
}

impl Tally {
    pub(crate) fn new<'a>(
        question: &QuestionAddress,
        students: impl Iterator<Item = &'a StudentView>,
    ) -> Self {
        let mut tally = Self::default();
        let key = |round| AnswerKey { question: question.clone(), round };
        let keys = [Round::First, Round::Second].map(key);
        for student in students {
            let both = keys.each_ref().map(|key| student.record.answers.get(key).cloned());
            if both.iter().any(Option::is_some) {
                tally.answers.insert(student.id, both);
            }
            if student.is_here {
                tally.present.push(student.id);
            }
        }
        tally
    }

    /// Has nobody answered?
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Who answered what in that round.
    pub fn answers(&self, round: Round) -> impl Iterator<Item = (MemberId, &str)> {
        self.answers
            .iter()
            .filter_map(move |(id, both)| Some((*id, both[round as usize].as_deref()?)))
    }

    /// How often each answer was given in that round.
    pub fn counts(&self, round: Round) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for (_, answer) in self.answers(round) {
            *counts.entry(answer).or_insert(0) += 1;
        }
        counts
    }

    /// How many went from one answer to another between the rounds, or stayed with it.
    pub fn shifts(&self) -> BTreeMap<(&str, &str), usize> {
        let mut shifts = BTreeMap::new();
        for both in self.answers.values() {
            if let [Some(first), Some(second)] = both {
                *shifts.entry((first.as_str(), second.as_str())).or_insert(0) += 1;
            }
        }
        shifts
    }

    /// Who is connected and has not answered in that round.
    pub fn missing(&self, round: Round) -> impl Iterator<Item = MemberId> {
        let has = move |id: &MemberId| {
            self.answers.get(id).is_some_and(|both| both[round as usize].is_some())
        };
        self.present.iter().copied().filter(move |id| !has(id))
    }
}
