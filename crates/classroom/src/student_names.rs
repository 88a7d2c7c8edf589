//! What students are called, on the teacher's screens and in the report of their class.

use std::collections::BTreeSet;

use serde::Serialize;

use super::record::StudentView;

/// How much of their names is told. Who gave none is "Student 3" in any case: the
/// third who came.
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
    use crate::{MemberId, StudentRecord};

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
