//! How far a reader has come: which steps were seen, which exercises were tried
//! and solved, with what answer. It grows only; the pages themselves are kept
//! elsewhere, and putting them back takes nothing away here.

use std::collections::BTreeMap;

use bindpose_lesson::Lesson;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::exercise_cells::exercises_at;
use super::inventory::{FormRecord, InventoryForm};

/// Guesses kept of one question with one draw: the first, and the latest.
const MOST_GUESSES: usize = 8;

/// Where the answers of a lesson's inventory stand among its steps; no slug has `#`.
const FORMS: &str = "#forms";

/// By lesson and step, by their slugs. Nothing is held of a step that was not
/// seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReaderProgress {
    steps: BTreeMap<String, BTreeMap<String, StepRecord>>,
    /// Answers to the inventories, by lesson.
    forms: BTreeMap<String, BTreeMap<InventoryForm, FormRecord>>,
}

/// What is remembered of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepRecord {
    /// Has it stood for a moment, or was something on it used?
    pub seen: bool,
    /// The day when it was first seen, `2026-11-22`; `None`: not known.
    pub day: Option<String>,
    /// Was one of its exercises begun?
    pub tried: bool,
    /// Of its exercises, by the name of their cell and the number of the draw,
    /// from 1.
    pub answers: BTreeMap<String, BTreeMap<usize, ExerciseAnswer>>,
}

/// What is remembered of an exercise with one draw of its numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExerciseAnswer {
    /// Was it solved, or a guess right?
    pub solved: bool,
    /// Was the solution shown before it was solved?
    pub shown: bool,
    /// A link to the step as it stood when it was answered last.
    pub link: String,
    /// Guesses about a place, the first one first.
    pub guesses: Vec<Guess>,
    /// Answers to a question in words, the first one first.
    pub given: Vec<String>,
    /// Seconds from when the page was opened, or the fault drawn, to the first right
    /// answer; `None`: not measured.
    pub secs: Option<u32>,
    /// The day of the last answer; `None`: not known.
    pub day: Option<String>,
}

/// A guess that was revealed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guess {
    /// World space.
    pub position: [f32; 3],
    /// How far it was from the truth, in world units.
    pub off: f32,
}

/// How far a reader has come with a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepProgress {
    /// Not seen.
    #[default]
    NotSeen,
    /// Seen. A step without an exercise comes no further.
    Seen,
    /// One of its exercises was begun.
    Tried,
    /// All its exercises were solved.
    Solved,
}

impl StepProgress {
    /// For the reader.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotSeen => "not seen",
            Self::Seen => "seen",
            Self::Tried => "tried",
            Self::Solved => "solved",
        }
    }
}

impl StepRecord {
    /// What is remembered of an exercise with a draw, by index.
    pub fn answer(&self, cell: &str, draw: usize) -> Option<&ExerciseAnswer> {
        self.answers.get(cell)?.get(&(draw + 1))
    }
}

impl ExerciseAnswer {
    /// Adds a guess; of many, the first and the latest are kept.
    pub(super) fn add_guess(&mut self, guess: Guess) {
        if self.guesses.len() == MOST_GUESSES {
            self.guesses.remove(1);
        }
        self.guesses.push(guess);
    }

    /// Adds an answer to a question; of many, the first and the latest are kept.
    pub(super) fn add_given(&mut self, words: String) {
        if self.given.len() == MOST_GUESSES {
            self.given.remove(1);
        }
        self.given.push(words);
    }
}

impl ReaderProgress {
    /// Reads what serde wrote, each step by itself; the second value says
    /// whether all of it made sense.
    pub fn from_value(value: &Value) -> (Self, bool) {
        let mut progress = Self::default();
        let Value::Object(lessons) = value else {
            return (progress, value.is_null());
        };
        let mut sound = true;
        for (lesson, steps) in lessons {
            let Value::Object(steps) = steps else {
                sound = false;
                continue;
            };
            for (step, record) in steps {
                if step == FORMS {
                    match Deserialize::deserialize(record) {
                        Ok(forms) => drop(progress.forms.insert(lesson.clone(), forms)),
                        Err(_) => sound = false,
                    }
                    continue;
                }
                match StepRecord::deserialize(record) {
                    Ok(record) => *progress.step_mut(lesson, step) = record,
                    Err(_) => sound = false,
                }
            }
        }
        (progress, sound)
    }

    /// What is remembered of a step, by slugs.
    pub fn record(&self, lesson: &str, step: &str) -> Option<&StepRecord> {
        self.steps.get(lesson)?.get(step)
    }

    /// How far the reader has come with a step of a lesson, by index.
    pub fn of_step(&self, lesson: &Lesson, step: usize) -> StepProgress {
        let slug = lesson.steps.get(step).map(|step| step.slug.as_str());
        let Some(record) = slug.and_then(|slug| self.record(&lesson.slug, slug)) else {
            return StepProgress::NotSeen;
        };
        let mut exercises = exercises_at(lesson, step).peekable();
        if exercises.peek().is_none() {
            return if record.seen { StepProgress::Seen } else { StepProgress::NotSeen };
        }
        let solved = |cell: &str| {
            let answers = record.answers.get(cell);
            answers.is_some_and(|draws| draws.values().any(|answer| answer.solved))
        };
        if exercises.all(|(cell, _)| solved(cell)) {
            StepProgress::Solved
        } else if record.tried || !record.answers.is_empty() {
            StepProgress::Tried
        } else if record.seen {
            StepProgress::Seen
        } else {
            StepProgress::NotSeen
        }
    }

    /// Is there nothing more to do at a step: solved, or seen where there is no
    /// exercise?
    pub fn is_done(&self, lesson: &Lesson, step: usize) -> bool {
        match self.of_step(lesson, step) {
            StepProgress::Solved => true,
            StepProgress::Seen => exercises_at(lesson, step).next().is_none(),
            StepProgress::NotSeen | StepProgress::Tried => false,
        }
    }

    /// How many steps of a lesson are done.
    pub fn done(&self, lesson: &Lesson) -> usize {
        let steps = 0..lesson.steps.len();
        steps.filter(|&step| self.is_done(lesson, step)).count()
    }

    /// All that is remembered: slugs of lesson and step, and the record.
    pub fn records(&self) -> impl Iterator<Item = (&str, &str, &StepRecord)> {
        self.steps.iter().flat_map(|(lesson, steps)| {
            let steps = steps.iter();
            steps.map(|(step, record)| (lesson.as_str(), step.as_str(), record))
        })
    }

    /// Nothing was seen?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.forms.is_empty()
    }

    /// What was answered in a form of a lesson's inventory; `None`: nothing yet.
    pub fn form(&self, lesson: &str, form: InventoryForm) -> Option<&FormRecord> {
        self.forms.get(lesson)?.get(&form)
    }

    /// For what is answered in a form of a lesson's inventory.
    pub fn form_mut(&mut self, lesson: &str, form: InventoryForm) -> &mut FormRecord {
        let forms = self.forms.entry(lesson.to_owned()).or_default();
        forms.entry(form).or_default()
    }

    /// Forgets what was answered there.
    pub fn forget_form(&mut self, lesson: &str, form: InventoryForm) {
        if let Some(forms) = self.forms.get_mut(lesson) {
            forms.remove(&form);
            if forms.is_empty() {
                self.forms.remove(lesson);
            }
        }
    }

    /// What was remembered of a step that is called otherwise now is remembered of it, unless
    /// something is already. Both are slugs of lesson and step.
    pub(super) fn rename(&mut self, from: (&str, &str), to: (&str, &str)) {
        let record = self.steps.get_mut(from.0).and_then(|steps| steps.remove(from.1));
        if let Some(record) = record {
            let steps = self.steps.entry(to.0.to_owned()).or_default();
            steps.entry(to.1.to_owned()).or_insert(record);
        }
    }

    /// For what is noted of a step, by slugs.
    pub fn step_mut(&mut self, lesson: &str, step: &str) -> &mut StepRecord {
        let steps = self.steps.entry(lesson.to_owned()).or_default();
        steps.entry(step.to_owned()).or_default()
    }
}

/// A table a lesson: a record a step, and its forms.
impl Serialize for ReaderProgress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct OfLesson<'a> {
            #[serde(flatten)]
            steps: Option<&'a BTreeMap<String, StepRecord>>,
            #[serde(rename = "#forms", skip_serializing_if = "Option::is_none")]
            forms: Option<&'a BTreeMap<InventoryForm, FormRecord>>,
        }
        let mut lessons: Vec<&String> = self.steps.keys().chain(self.forms.keys()).collect();
        lessons.sort();
        lessons.dedup();
        let mut map = serializer.serialize_map(Some(lessons.len()))?;
        for lesson in lessons {
            let (steps, forms) = (self.steps.get(lesson), self.forms.get(lesson));
            map.serialize_entry(lesson, &OfLesson { steps, forms })?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sample::lesson;

    #[test]
    fn a_step_without_an_exercise_is_seen_and_one_with_it_tried_and_solved() {
        let lesson = lesson();
        let (first, second) = (lesson.steps[0].slug.clone(), lesson.steps[1].slug.clone());
        let mut progress = ReaderProgress::default();
        let of = |progress: &ReaderProgress, step| {
            (progress.of_step(&lesson, step), progress.is_done(&lesson, step))
        };
        assert_eq!(of(&progress, 0), (StepProgress::NotSeen, false));
        progress.step_mut("sample", &first).seen = true;
        progress.step_mut("sample", &second).seen = true;
        assert_eq!(of(&progress, 0), (StepProgress::Seen, false));
        assert_eq!(of(&progress, 1), (StepProgress::Seen, true));
        progress.step_mut("sample", &first).tried = true;
        progress.step_mut("sample", &second).tried = true;
        assert_eq!(of(&progress, 0), (StepProgress::Tried, false));
        assert_eq!(of(&progress, 1), (StepProgress::Seen, true), "no exercise");
        let answers = &mut progress.step_mut("sample", &first).answers;
        let answer = answers.entry("aim".to_owned()).or_default();
        answer.entry(2).or_default().solved = true;
        assert_eq!(of(&progress, 0), (StepProgress::Solved, true), "any draw");
        assert_eq!(of(&progress, 99), (StepProgress::NotSeen, false));
    }

    #[test]
    fn what_is_wrong_with_one_step_is_lost_and_no_other() {
        let value = serde_json::json!({
            "arm": { "one": { "seen": true }, "two": 3, "three": { "seen": "yes" } },
            "leg": 3
        });
        let (read, sound) = ReaderProgress::from_value(&value);
        assert!(!sound);
        assert!(read.record("arm", "one").is_some_and(|record| record.seen));
        assert_eq!(read.record("arm", "two"), None);
        let again = ReaderProgress::from_value(&serde_json::to_value(&read).unwrap());
        assert_eq!(again, (read, true));
        assert_eq!(ReaderProgress::from_value(&Value::Null), (ReaderProgress::default(), true));
    }

    #[test]
    fn the_first_guess_and_the_latest_are_kept() {
        let mut answer = ExerciseAnswer::default();
        for off in 0..20_u8 {
            let position = [0.0; 3];
            let off = off.into();
            answer.add_guess(Guess { position, off });
        }
        let kept: Vec<f32> = answer.guesses.iter().map(|guess| guess.off).collect();
        assert_eq!(kept, [0.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0]);
    }
}
