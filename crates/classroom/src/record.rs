//! What a student says of itself, and what it is called, on the teacher’s screens and in
//! the report of its class.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::limits::{
    ADDRESS_BYTES, ANSWER_BYTES, ANSWERS, LESSONS, LINK_BYTES, NAME_CHARS, RECORD_BYTES, STEPS,
};
use super::state::AnswerKey;

/// Under which a student comes back to its own record: random, and known to its browser
/// and the room alone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemberKey(String);

/// Hexadecimal digits of a key: 128 bits.
const KEY_DIGITS: usize = 32;

impl MemberKey {
    /// A key of 128 random bits.
    pub fn from_random(bits: u128) -> Self {
        Self(format!("{bits:032x}"))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for MemberKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_key = text.len() == KEY_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_key { Ok(Self(text.to_ascii_lowercase())) } else { Err("not a key of 32 digits") }
    }
}

impl TryFrom<String> for MemberKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<MemberKey> for String {
    fn from(key: MemberKey) -> Self {
        key.0
    }
}

impl fmt::Debug for MemberKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemberKey(…)")
    }
}

/// What the teacher knows a student by; says nothing of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemberId(pub u32);

/// What a student says of itself: one record, of which the newest counts. What is large
/// in it is shared by its copies: a whole class may turn to another page between two frames
/// of the teacher's window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StudentRecord {
    /// Grows with every word of the student, and with every new line by so much that
    /// nothing which an old one still has under way is newer.
    pub version: u64,
    /// As the student typed it; empty: it said none.
    pub name: String,
    /// Link of the page before it.
    pub page: String,
    /// It goes its own way.
    pub wanders: bool,
    /// What it handed in, as links write answers: for choices and numbers the text, for
    /// a place in the picture its coordinates.
    #[serde(with = "answers_as_list")]
    pub answers: Arc<BTreeMap<AnswerKey, String>>,
    /// How far it has come with the lessons that it opened in this class, by their slugs.
    #[serde(with = "shared_lessons")]
    pub lessons: Arc<BTreeMap<String, LessonProgress>>,
}

/// How far a student has come with a lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LessonProgress {
    /// Steps that were seen, from 0.
    pub seen: BTreeSet<u16>,
    /// Those among them whose exercises are all solved.
    pub solved: BTreeSet<u16>,
    /// What was answered before and after the lesson: by the question's id the answer's
    /// place in the author's order, from 1.
    pub inventory: BTreeMap<String, u8>,
}

impl StudentRecord {
    /// No longer than the room holds, and no name that breaks a line.
    pub(crate) fn is_sound(&self) -> bool {
        let each = self.answers.iter();
        let sizes = each.map(|(key, answer)| {
            let is_sound = key.question.is_sound() && answer.len() <= ANSWER_BYTES;
            is_sound.then_some(key.question.bytes() + answer.len())
        });
        let answers: Option<usize> = sizes.sum();
        let lessons: Option<usize> =
            self.lessons.iter().map(|(lesson, progress)| progress.bytes(lesson)).sum();
        self.name.chars().count() <= NAME_CHARS
            && !self.name.chars().any(char::is_control)
            && self.page.len() <= LINK_BYTES
            && self.answers.len() <= ANSWERS
            && self.lessons.len() <= LESSONS
            && answers.zip(lessons).is_some_and(|(a, b)| a + b + self.page.len() <= RECORD_BYTES)
    }
}

impl LessonProgress {
    /// Of the lesson with that slug; `None`: more than the room holds.
    fn bytes(&self, lesson: &str) -> Option<usize> {
        let steps = [&self.seen, &self.solved];
        let is_sound = lesson.len() <= ADDRESS_BYTES
            && steps.iter().all(|of| of.len() <= STEPS)
            && self.inventory.len() <= STEPS;
        let ids: usize = self.inventory.keys().map(String::len).sum();
        let steps: usize = steps.iter().map(|of| of.len()).sum();
        is_sound.then_some(lesson.len() + ids + steps)
    }
}

/// A student, as the teacher sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudentView {
    /// Who.
    pub id: MemberId,
    /// Is it connected?
    pub is_here: bool,
    /// What it says of itself.
    pub record: StudentRecord,
}

/// JSON has only texts for keys: a list of question, round and answer.
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

/// As lessons that are not shared.
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

/// How much of the names of students is told. Who gave none is "Student 3" in any case:
/// the third who came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StudentNames {
    /// As they typed them.
    Full,
    /// "A. L."
    #[default]
    Initials,
    /// Nothing of them.
    None,
}

/// Letters of a name, at most.
const INITIALS: usize = 3;

impl StudentNames {
    /// What these students are called, who stand in the order of coming. No two are called
    /// the same: the second of them is "A. L. (2)".
    pub fn of<'a>(self, students: impl Iterator<Item = &'a StudentView>) -> Vec<String> {
        let mut taken = BTreeSet::new();
        let names = students.enumerate().map(|(index, student)| {
            let mut name = match self {
                Self::Full => student.record.name.trim().to_owned(),
                Self::Initials => initials(&student.record.name),
                Self::None => String::new(),
            };
            if name.is_empty() {
                name = format!("Student {}", index + 1);
            }
            let mut told = name.clone();
            let mut count = 1;
            while !taken.insert(told.clone()) {
                count += 1;
                told = format!("{name} ({count})");
            }
            told
        });
        names.collect()
    }
}

/// Empty where the name has neither letters nor digits.
fn initials(name: &str) -> String {
    let first = |word: &str| word.chars().find(|letter| letter.is_alphanumeric());
    let letters = name.split_whitespace().filter_map(first).take(INITIALS);
    let letters = letters.map(|letter| format!("{}.", letter.to_uppercase()));
    letters.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_as_much_of_names_as_was_chosen() {
        let typed = ["Ada Lovelace", "", " ada lind ", "Émile", "<b> -", "Student 2", "=1+1"];
        let students = typed.iter().enumerate().map(|(index, name)| StudentView {
            id: MemberId(index as u32),
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
