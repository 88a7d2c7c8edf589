//! Progress of a reader: visited steps, tried and solved exercises, and
//! answers. Progress only grows. Resetting pages, which are stored elsewhere,
//! does not reduce it.

use std::collections::BTreeMap;

use bindpose_lesson::Lesson;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::exercise_cells::exercises_at;
use super::inventory::{FormRecord, InventoryForm};

/// Maximum number of stored guesses per question and variant: the first and the
/// latest ones.
const MAX_STORED_GUESSES: usize = 8;

/// Key of a lesson's inventory answers among its steps. Slugs do not contain `#`.
const FORMS_KEY: &str = "#forms";

/// Progress by slugs of lesson and step. Steps that were not visited have no
/// entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReaderProgress {
    steps: BTreeMap<String, BTreeMap<String, StepRecord>>,
    /// Answers to the inventories, by lesson.
    forms: BTreeMap<String, BTreeMap<InventoryForm, FormRecord>>,
}

/// Progress on a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepRecord {
    /// Whether it was visible for a moment, or something on it was used.
    pub seen: bool,
    /// Date of the first visit, such as `2026-11-22`. `None` if unknown.
    pub day: Option<String>,
    /// Whether one of its exercises was begun.
    pub tried: bool,
    /// Answers by cell name and number of the variant, from 1.
    pub answers: BTreeMap<String, BTreeMap<usize, ExerciseAnswer>>,
}

/// Answers to one variant of an exercise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExerciseAnswer {
    /// Whether it was solved, or a guess was right.
    pub solved: bool,
    /// Whether the solution was shown before it was solved.
    pub shown: bool,
    /// Link to the step at the last answer.
    pub link: String,
    /// Guesses of a position, oldest first.
    pub guesses: Vec<Guess>,
    /// Answers to a question in words, oldest first.
    pub given: Vec<String>,
    /// Seconds from opening the page, or from drawing the fault, to the first
    /// right answer. `None` if not measured.
    pub secs: Option<u32>,
    /// Date of the last answer. `None` if unknown.
    pub day: Option<String>,
}

/// A revealed guess.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guess {
    /// Guessed position, in world space.
    pub position: [f32; 3],
    /// Distance from the actual position, in world units.
    pub off: f32,
}

/// Progress on a step, in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepProgress {
    #[default]
    NotSeen,
    /// Seen. The highest value of a step without exercises.
    Seen,
    /// One of its exercises was begun.
    Tried,
    /// All its exercises were solved.
    Solved,
}

impl StepProgress {
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
    /// Returns the answers to a variant of an exercise, by index.
    pub fn answer(&self, cell: &str, draw: usize) -> Option<&ExerciseAnswer> {
        self.answers.get(cell)?.get(&(draw + 1))
    }
}

impl ExerciseAnswer {
    /// Adds a guess, keeping the first and the latest ones.
    pub(super) fn add_guess(&mut self, guess: Guess) {
        if self.guesses.len() == MAX_STORED_GUESSES {
            self.guesses.remove(1);
        }
        self.guesses.push(guess);
    }

    /// Adds an answer, keeping the first and the latest ones.
    pub(super) fn add_given(&mut self, words: String) {
        if self.given.len() == MAX_STORED_GUESSES {
            self.given.remove(1);
        }
        self.given.push(words);
    }
}

impl ReaderProgress {
    /// Restores progress from serialized data, each step separately. Returns
    /// false as the second value if some entries were invalid.
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
                if step == FORMS_KEY {
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

    /// Returns the record of a step, by slugs.
    pub fn record(&self, lesson: &str, step: &str) -> Option<&StepRecord> {
        self.steps.get(lesson)?.get(step)
    }

    /// Returns the progress on a step of a lesson, by index.
    pub fn of_step(&self, lesson: &Lesson, step: usize) -> StepProgress {
        let slug = lesson.steps.get(step).map(|step| step.slug.as_str());
        let Some(record) = slug.and_then(|slug| self.record(&lesson.slug, slug)) else {
            return StepProgress::NotSeen;
        };
        let mut exercises = exercises_at(lesson, step).peekable();
        if exercises.peek().is_none() {
            return if record.seen { StepProgress::Seen } else { StepProgress::NotSeen };
        }
        let is_solved = exercises.all(|(cell, _)| {
            let draws = record.answers.get(cell);
            draws.is_some_and(|draws| draws.values().any(|answer| answer.solved))
        });
        if is_solved {
            StepProgress::Solved
        } else if record.tried || !record.answers.is_empty() {
            StepProgress::Tried
        } else if record.seen {
            StepProgress::Seen
        } else {
            StepProgress::NotSeen
        }
    }

    /// Returns true if a step is solved, or seen if it has no exercise.
    pub fn is_done(&self, lesson: &Lesson, step: usize) -> bool {
        match self.of_step(lesson, step) {
            StepProgress::Solved => true,
            StepProgress::Seen => exercises_at(lesson, step).next().is_none(),
            StepProgress::NotSeen | StepProgress::Tried => false,
        }
    }

    /// Number of completed steps of a lesson.
    pub fn done(&self, lesson: &Lesson) -> usize {
        let steps = 0..lesson.steps.len();
        steps.filter(|&step| self.is_done(lesson, step)).count()
    }

    /// Returns all records with the slugs of lesson and step.
    pub fn records(&self) -> impl Iterator<Item = (&str, &str, &StepRecord)> {
        self.steps.iter().flat_map(|(lesson, steps)| {
            let steps = steps.iter();
            steps.map(|(step, record)| (lesson.as_str(), step.as_str(), record))
        })
    }

    /// Returns true if nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.forms.is_empty()
    }

    /// Returns the answers in a form of a lesson's inventory. Returns `None` if
    /// there are none.
    pub fn form(&self, lesson: &str, form: InventoryForm) -> Option<&FormRecord> {
        self.forms.get(lesson)?.get(&form)
    }

    /// Returns the answers in a form of a lesson's inventory for modification.
    pub fn form_mut(&mut self, lesson: &str, form: InventoryForm) -> &mut FormRecord {
        let forms = self.forms.entry(lesson.to_owned()).or_default();
        forms.entry(form).or_default()
    }

    /// Removes the answers in a form.
    pub fn forget_form(&mut self, lesson: &str, form: InventoryForm) {
        if let Some(forms) = self.forms.get_mut(lesson) {
            forms.remove(&form);
            if forms.is_empty() {
                self.forms.remove(lesson);
            }
        }
    }

    /// Moves the record of a renamed step, unless the new step has one. `from`
    /// and `to` are slugs of lesson and step.
    pub(super) fn rename(&mut self, from: (&str, &str), to: (&str, &str)) {
        let record = self.steps.get_mut(from.0).and_then(|steps| steps.remove(from.1));
        if let Some(record) = record {
            let steps = self.steps.entry(to.0.to_owned()).or_default();
            steps.entry(to.1.to_owned()).or_insert(record);
        }
    }

    /// Returns the record of a step for modification, by slugs.
    pub fn step_mut(&mut self, lesson: &str, step: &str) -> &mut StepRecord {
        let steps = self.steps.entry(lesson.to_owned()).or_default();
        steps.entry(step.to_owned()).or_default()
    }
}

/// Serializes a table per lesson with a record per step, and the inventory
/// answers.
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
            let entry = OfLesson { steps: self.steps.get(lesson), forms: self.forms.get(lesson) };
            map.serialize_entry(lesson, &entry)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sample::lesson;

    #[test]
    fn steps_with_exercises_are_tried_and_solved() {
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
    fn invalid_step_does_not_affect_others() {
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
    fn first_and_latest_guesses_are_kept() {
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
