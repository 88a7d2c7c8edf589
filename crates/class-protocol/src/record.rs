//! The record of a student, and students' names on the teacher's screens and in reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::limits::{
    MAX_ADDRESS_BYTES, MAX_ANSWER_BYTES, MAX_ANSWERS, MAX_LESSONS, MAX_LINK_BYTES, MAX_NAME_CHARS,
    MAX_RECORD_BYTES, MAX_STEPS,
};
use super::state::AnswerKey;

/// The secret key by which a student reconnects to its own record. Random, and known only to
/// the student's browser and the room.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StudentKey(String);

/// Length of a key of 128 bits in hexadecimal digits.
const KEY_DIGITS: usize = 32;

impl StudentKey {
    /// Creates a key from 128 random bits.
    pub fn from_random(bits: u128) -> Self {
        Self(format!("{bits:032x}"))
    }

    /// Returns the hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StudentKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_key = text.len() == KEY_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_key { Ok(Self(text.to_ascii_lowercase())) } else { Err("not a key of 32 digits") }
    }
}

impl TryFrom<String> for StudentKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<StudentKey> for String {
    fn from(key: StudentKey) -> Self {
        key.0
    }
}

impl fmt::Debug for StudentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemberKey(…)")
    }
}

/// The public id of a student, which does not reveal its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StudentId(pub u32);

/// The state of a student, written by the student alone. The latest version is valid.
///
/// Copies share the large fields, because a whole class may turn to another page between two
/// frames of the teacher's window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StudentRecord {
    /// Grows with every message of the student. A new connection adds so much that messages
    /// still under way on the old one are never newer.
    pub version: u64,
    /// The name as the student typed it. Empty if it gave none.
    pub name: String,
    /// Link of the page that is open.
    pub page: String,
    /// Whether the student has left the page of the class.
    pub wanders: bool,
    /// The submitted answers, formatted as in links: the text of choices and numbers, and the
    /// coordinates of points in a picture.
    #[serde(with = "answers_as_list")]
    pub answers: Arc<BTreeMap<AnswerKey, String>>,
    /// The progress in each lesson opened during this class, by slug.
    #[serde(with = "shared_lessons")]
    pub lessons: Arc<BTreeMap<String, LessonProgress>>,
}

/// The progress of a student in a lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LessonProgress {
    /// Indices of the opened steps, from 0.
    pub seen: BTreeSet<u16>,
    /// Indices of the opened steps whose exercises are all solved.
    pub solved: BTreeSet<u16>,
    /// Answers to the inventory before and after the lesson, by question id. An answer is its
    /// position in the author's order, from 1.
    pub inventory: BTreeMap<String, u8>,
}

impl StudentRecord {
    /// Returns whether the student has given no name and no answer, and has opened no lesson.
    pub(crate) fn is_blank(&self) -> bool {
        self.name.trim().is_empty() && self.answers.is_empty() && self.lessons.is_empty()
    }

    /// Returns whether the record respects the limits of the room, and the name is on one line.
    pub(crate) fn is_sound(&self) -> bool {
        let mut total_bytes = self.page.len();
        for (key, answer) in self.answers.iter() {
            if !key.question.is_sound() || answer.len() > MAX_ANSWER_BYTES {
                return false;
            }
            total_bytes += key.question.bytes() + answer.len();
        }
        for (lesson, progress) in self.lessons.iter() {
            if lesson.len() > MAX_ADDRESS_BYTES || !progress.is_sound() {
                return false;
            }
            total_bytes += lesson.len() + progress.bytes();
        }
        self.name.chars().count() <= MAX_NAME_CHARS
            && !self.name.chars().any(char::is_control)
            && self.page.len() <= MAX_LINK_BYTES
            && self.answers.len() <= MAX_ANSWERS
            && self.lessons.len() <= MAX_LESSONS
            && total_bytes <= MAX_RECORD_BYTES
    }
}

impl LessonProgress {
    fn is_sound(&self) -> bool {
        self.seen.len() <= MAX_STEPS
            && self.solved.len() <= MAX_STEPS
            && self.inventory.len() <= MAX_STEPS
    }

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> usize {
        let ids: usize = self.inventory.keys().map(String::len).sum();
        self.seen.len() + self.solved.len() + ids
    }
}

/// A student as seen by the teacher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudentView {
    pub id: StudentId,
    /// Whether the student is connected.
    pub is_here: bool,
    pub record: StudentRecord,
}

/// Serializes answers as a list of pairs, because keys of JSON objects must be strings.
mod answers_as_list {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::AnswerKey;

    type Answers = Arc<BTreeMap<AnswerKey, String>>;

    pub(super) fn serialize<S: Serializer>(
        answers: &Answers,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(answers.iter())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Answers, D::Error> {
        let list = Vec::deserialize(deserializer)?;
        Ok(Arc::new(list.into_iter().collect()))
    }
}

/// Serializes lessons as if they were not in an `Arc`.
mod shared_lessons {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::LessonProgress;

    type Lessons = Arc<BTreeMap<String, LessonProgress>>;

    pub(super) fn serialize<S: Serializer>(
        lessons: &Lessons,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        lessons.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Lessons, D::Error> {
        BTreeMap::deserialize(deserializer).map(Arc::new)
    }
}

/// The part of students' names that is displayed. Without a name, the third student to join is
/// "Student 3".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StudentNames {
    /// The names as typed.
    Full,
    /// The initials: "A. L."
    #[default]
    Initials,
    /// No names: "Student 3".
    None,
}

const MAX_INITIALS: usize = 3;

impl StudentNames {
    /// Formats the names of students, in the order in which they joined. The names are unique:
    /// a second "A. L." is "A. L. (2)".
    pub fn of<'a>(self, students: impl Iterator<Item = &'a StudentView>) -> Vec<String> {
        let mut used = BTreeSet::new();
        let mut names = Vec::new();
        for (index, student) in students.enumerate() {
            let mut name = match self {
                Self::Full => student.record.name.trim().to_owned(),
                Self::Initials => initials(&student.record.name),
                Self::None => String::new(),
            };
            if name.is_empty() {
                name = format!("Student {}", index + 1);
            }
            let mut unique_name = name.clone();
            let mut count = 1;
            while !used.insert(unique_name.clone()) {
                count += 1;
                unique_name = format!("{name} ({count})");
            }
            names.push(unique_name);
        }
        names
    }
}

/// Returns the initials of a name. Empty if it has neither letters nor digits.
fn initials(name: &str) -> String {
    name.split_whitespace()
        .filter_map(|word| word.chars().find(|letter| letter.is_alphanumeric()))
        .take(MAX_INITIALS)
        .map(|letter| format!("{}.", letter.to_uppercase()))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_full_abbreviated_or_hidden_and_always_unique() {
        let typed = ["Ada Lovelace", "", " ada lind ", "Émile", "<b> -", "Student 2", "=1+1"];
        let students = typed.iter().enumerate().map(|(index, name)| StudentView {
            id: StudentId(index as u32),
            is_here: true,
            record: StudentRecord { name: (*name).to_owned(), ..StudentRecord::default() },
        });
        let students: Vec<StudentView> = students.collect();
        let names = |names: StudentNames| names.of(students.iter());
        assert_eq!(
            names(StudentNames::Full),
            ["Ada Lovelace", "Student 2", "ada lind", "Émile", "<b> -", "Student 2 (2)", "=1+1"]
        );
        assert_eq!(
            names(StudentNames::Initials),
            ["A. L.", "Student 2", "A. L. (2)", "É.", "B.", "S. 2.", "1."]
        );
        let none = names(StudentNames::None);
        assert_eq!((&*none[0], &*none[6], none.len()), ("Student 1", "Student 7", 7));
    }
}
