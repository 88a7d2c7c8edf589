//! The answers of a class as rows: the commonest each in one of its own, many numbers by
//! how large they are.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bindpose_classroom::{Round, Tally};
use bindpose_notebook::number_text::fixed;

/// Answers in rows of their own, at most; what is rarer is counted together.
const ROWS: usize = 6;
/// Rows of numbers.
const BINS: usize = 8;

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerRow {
    /// What the answer says.
    pub words: String,
    /// How often it was given in the first round and in the second.
    pub counts: [usize; 2],
    /// Is it right, or the right one among them?
    pub right: bool,
    /// Those with the least come first.
    pub rank: usize,
}

impl AnswerRow {
    fn add(&mut self, counts: [usize; 2], right: bool) {
        self.counts[0] += counts[0];
        self.counts[1] += counts[1];
        self.right |= right;
    }
}

/// What answers to a question are.
pub(crate) struct AnswerMeaning<'a> {
    /// What an answer says; answers that say the same are one row.
    pub words: &'a dyn Fn(&str) -> String,
    /// Which come first: those with the least rank, of these the commonest.
    pub rank: &'a dyn Fn(&str) -> usize,
    /// Is it right?
    pub is_right: &'a dyn Fn(&str) -> bool,
    /// What is right says that; `None`: the page shows it in another way.
    pub right: &'a dyn Fn() -> Option<String>,
    /// The number that it is; `None`: it is none.
    pub number: &'a dyn Fn(&str) -> Option<f64>,
    /// What led to a wrong answer; `None`: nobody knows.
    pub reply: &'a dyn Fn(&str) -> Option<String>,
}

/// The rows of both rounds.
pub(super) fn answer_rows(tally: &Tally, meaning: &AnswerMeaning<'_>) -> Vec<AnswerRow> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (place, round) in [Round::First, Round::Second].into_iter().enumerate() {
        for (answer, count) in tally.counts(round) {
            counts.entry(answer).or_default()[place] = count;
        }
    }
    if counts.len() > ROWS
        && let Some(rows) = by_size(&counts, meaning)
    {
        return rows;
    }
    let mut rows: Vec<AnswerRow> = Vec::new();
    for (answer, counts) in counts {
        let (words, right) = ((meaning.words)(answer), (meaning.is_right)(answer));
        if let Some(row) = rows.iter_mut().find(|row| row.words == words) {
            row.add(counts, right);
        } else {
            let rank = (meaning.rank)(answer);
            rows.push(AnswerRow { words, counts, right, rank });
        }
    }
    rows.sort_by_key(|row| (row.rank, Reverse((row.counts[1], row.counts[0]))));
    let rare = rows.split_off(rows.len().min(ROWS));
    if !rare.is_empty() {
        let sum = |place: usize| rare.iter().map(|row| row.counts[place]).sum();
        rows.push(AnswerRow {
            words: "other answers".to_owned(),
            counts: [sum(0), sum(1)],
            right: rare.iter().any(|row| row.right),
            rank: 0,
        });
    }
    rows
}

/// Numbers by how large they are, from the smallest; `None`: not all are numbers.
fn by_size(
    counts: &BTreeMap<&str, [usize; 2]>,
    meaning: &AnswerMeaning<'_>,
) -> Option<Vec<AnswerRow>> {
    let number = |text: &&str| (meaning.number)(text).filter(|number| number.abs() < 1e9);
    let numbers: Vec<f64> = counts.keys().map(number).collect::<Option<_>>()?;
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = (most - least) / BINS as f64;
    let mut rows: Vec<AnswerRow> = (0..BINS)
        .map(|bin| {
            let [from, to] = [bin, bin + 1].map(|edge| least + width * edge as f64);
            let words = format!("{} to {}", fixed(from, 2), fixed(to, 2));
            AnswerRow { words, counts: [0, 0], right: false, rank: 0 }
        })
        .collect();
    for ((answer, counts), number) in counts.iter().zip(numbers) {
        let bin = (((number - least) / width) as usize).min(BINS - 1);
        rows[bin].add(*counts, (meaning.is_right)(answer));
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_classroom::{
        MemberId, QuestionAddress, RoomCode, StudentView, TeacherClient, TeacherSecret, Told,
    };

    use super::*;

    fn tally(answers: &[&str]) -> Tally {
        let question = QuestionAddress { lesson: "l".into(), cell: "c".into(), draw: 0 };
        let (code, secret) = (RoomCode::from_random(1), TeacherSecret::from_random(2));
        let mut teacher = TeacherClient::new(code, secret);
        let student = |(id, answer): (usize, &&str)| {
            let key =
                bindpose_classroom::AnswerKey { question: question.clone(), round: Round::First };
            let mut student = StudentView {
                id: MemberId(id as u32),
                is_here: true,
                record: bindpose_classroom::StudentRecord::default(),
            };
            Arc::make_mut(&mut student.record.answers).insert(key, (*answer).to_owned());
            student
        };
        let changed = answers.iter().enumerate().map(student).collect();
        teacher.hear(Told::Students { changed });
        teacher.tally(&question)
    }

    fn rows(answers: &[&str]) -> Vec<(String, usize, bool)> {
        let meaning = AnswerMeaning {
            words: &str::to_owned,
            rank: &|_| 0,
            is_right: &|text| text == "3",
            right: &|| None,
            number: &|text| text.parse().ok(),
            reply: &|_| None,
        };
        let rows = answer_rows(&tally(answers), &meaning);
        rows.into_iter().map(|row| (row.words, row.counts[0], row.right)).collect()
    }

    #[test]
    fn few_answers_stand_by_how_often_they_were_given() {
        let row = |words: &str, count, right| (words.to_owned(), count, right);
        assert_eq!(rows(&["3", "b", "3"]), [row("3", 2, true), row("b", 1, false)]);
        assert_eq!(rows(&[]), []);
        let many = rows(&["a", "a", "b", "b", "c", "d", "e", "f", "3"]);
        assert_eq!(many.len(), ROWS + 1);
        assert_eq!(many.last(), Some(&row("other answers", 1, false)));
        assert_eq!(many.iter().map(|row| row.1).sum::<usize>(), 9);
    }

    #[test]
    fn answers_that_say_the_same_are_one_row() {
        let meaning = AnswerMeaning {
            words: &|text| if text.starts_with('3') { "close" } else { "far" }.to_owned(),
            rank: &|text| usize::from(!text.starts_with('9')),
            is_right: &|text| text.starts_with('3'),
            right: &|| None,
            number: &|_| None,
            reply: &|_| None,
        };
        let rows = answer_rows(&tally(&["3.1", "3.2", "9", "3.3"]), &meaning);
        let rows: Vec<_> = rows.iter().map(|row| (&*row.words, row.counts, row.right)).collect();
        assert_eq!(rows, [("far", [1, 0], false), ("close", [3, 0], true)]);
    }

    #[test]
    fn many_numbers_stand_by_how_large_they_are() {
        let rows = rows(&["0", "1", "2", "3", "4", "5", "6", "8", "8"]);
        assert_eq!(rows.len(), BINS);
        assert_eq!(rows[0], ("0.00 to 1.00".to_owned(), 1, false));
        assert_eq!(rows[3], ("3.00 to 4.00".to_owned(), 1, true));
        assert_eq!(rows[7].1, 2, "the largest is no bin of its own");
    }
}
