//! Questions: validity of answers, grading, and the order in which choices are
//! shown.
//!
//! An answer is a text: the typed text, the number of a vertex or a joint, or
//! 1-based positions in the author's order, joined by `+`.

use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{AnswerKind, AskCell, EvalError, Expr, JointName, NumberFormat, Text};

use super::shuffle::shuffle_indices;
use super::{Answer, Derived, Edit, joint_index};

/// Maximum length of an answer.
const MAX_ANSWER_CHARS: usize = 80;

/// Grade of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade<'a> {
    pub right: bool,
    /// Replies shown to the reader.
    pub replies: Vec<&'a Text>,
}

/// Returns true if the text is a valid answer to the question.
pub fn is_answer(cell: &AskCell, text: &str) -> bool {
    let plain = !text.trim().is_empty()
        && text.chars().count() <= MAX_ANSWER_CHARS
        && !text.contains(char::is_control);
    plain
        && match cell.answer_kind() {
            Some(AnswerKind::Choice(choices)) => {
                let chosen = places(text, choices.len());
                chosen.is_some_and(|chosen| cell.several || chosen.len() == 1)
            }
            Some(AnswerKind::Number(_)) => format(cell).read(text).is_some(),
            Some(AnswerKind::Word(_)) => true,
            Some(AnswerKind::Order(items)) => {
                places(text, items.len()).is_some_and(|order| order.len() == items.len())
            }
            Some(AnswerKind::Vertex(_)) => text.parse::<u32>().is_ok(),
            Some(AnswerKind::Joint(_)) => text.parse::<u16>().is_ok(),
            None => false,
        }
}

/// Grades an answer on the current page.
///
/// # Errors
///
/// Fails if a formula has no finite value.
pub fn judge<'a>(cell: &'a AskCell, text: &str, derived: &Derived) -> Result<Grade<'a>, EvalError> {
    if let Some(AnswerKind::Choice(choices)) = cell.answer_kind() {
        let chosen = places(text, choices.len()).unwrap_or_default();
        let mut right = true;
        let mut replies: Vec<&Text> = Vec::new();
        for (index, choice) in choices.iter().enumerate() {
            let is_chosen = chosen.contains(&index);
            right &= choice.right == is_chosen;
            if is_chosen && !choice.right {
                replies.push(&choice.reply);
            }
        }
        if right {
            replies.push(&cell.why);
        } else if replies.is_empty() {
            replies.push(&cell.otherwise);
        }
        return Ok(Grade { right, replies });
    }
    let right = match cell.answer_kind() {
        Some(AnswerKind::Number(number)) => is_near(cell, text, number.eval(derived)?),
        _ => is_same(cell, text, &right_answer(cell, derived)?, derived)?,
    };
    let mut reply = if right { &cell.why } else { &cell.otherwise };
    for wrong in &cell.wrong {
        if !right && is_same(cell, text, &wrong.answer, derived)? {
            reply = &wrong.reply;
            break;
        }
    }
    Ok(Grade { right, replies: vec![reply] })
}

/// Returns the right answer in the form in which readers give it.
///
/// # Errors
///
/// Fails if a formula has no finite value.
pub fn right_answer(cell: &AskCell, derived: &Derived) -> Result<String, EvalError> {
    Ok(match cell.answer_kind() {
        Some(AnswerKind::Choice(choices)) => {
            let right = choices.iter().enumerate().filter(|(_, choice)| choice.right);
            join_places(right.map(|(index, _)| index))
        }
        Some(AnswerKind::Number(number)) => format_answer(cell, number.eval(derived)?),
        Some(AnswerKind::Word(words)) => words.first().cloned().unwrap_or_default(),
        Some(AnswerKind::Order(items)) => join_places(0..items.len()),
        Some(AnswerKind::Vertex(vertex)) => vertex.to_string(),
        Some(AnswerKind::Joint(joint)) => {
            let index = joint_index(joint, &derived.rig)
                .ok()
                .ok_or_else(|| EvalError::UnknownJoint { name: joint.to_string(), column: 1 })?;
            index.0.to_string()
        }
        None => String::new(),
    })
}

/// Joins 0-based indices as 1-based positions.
fn join_places(indices: impl Iterator<Item = usize>) -> String {
    let places: Vec<String> = indices.map(|index| (index + 1).to_string()).collect();
    places.join("+")
}

/// Returns the number in an answer. Returns `None` if the question does not ask
/// for a number, or the answer is not one.
pub fn number_of(cell: &AskCell, text: &str) -> Option<f64> {
    matches!(cell.answer_kind(), Some(AnswerKind::Number(_))).then(|| format(cell).read(text))?
}

/// Formats an answer for records and handouts.
pub fn answer_words(cell: &AskCell, text: &str) -> String {
    match cell.answer_kind() {
        Some(AnswerKind::Choice(choices)) => {
            let places = places(text, choices.len()).unwrap_or_default();
            let words: Vec<String> =
                places.into_iter().map(|place| choices[place].text.words()).collect();
            words.join("; ")
        }
        Some(AnswerKind::Order(items)) => {
            let places = places(text, items.len()).unwrap_or_default();
            let words: Vec<String> =
                places.into_iter().map(|place| items[place].text.words()).collect();
            words.join(", ")
        }
        Some(AnswerKind::Vertex(_)) => format!("v{text}"),
        Some(AnswerKind::Joint(_)) => format!("joint {text}"),
        Some(AnswerKind::Number(_)) if !text.contains(cell.unit.trim()) => {
            format!("{text}{}", cell.unit)
        }
        _ => text.to_owned(),
    }
}

/// Creates the edit that submits an answer, or stores a draft if `given` is
/// false.
pub fn answer(cell: &str, text: impl Into<String>, given: bool) -> Edit {
    let text = text.into();
    Edit::Answer(cell.to_owned(), Answer { text, given })
}

/// Returns the order in which answers are shown, as indices into the author's
/// list. It is the same for every reader of a step, but differs between
/// variants. Items to be sorted are never shown in the right order.
pub fn shown_order(cell: &AskCell, name: &str, draw: usize) -> Vec<usize> {
    let (count, sorted_is_right) = match cell.answer_kind() {
        Some(AnswerKind::Choice(choices)) => (choices.len(), false),
        Some(AnswerKind::Order(items)) => (items.len(), true),
        _ => return Vec::new(),
    };
    let mut order = shuffle_indices(&format!("{name}/{draw}/{}", cell.ask.source), count);
    if sorted_is_right && order.is_sorted() {
        order.rotate_left(1);
    }
    order
}

/// Parses 1-based positions into 0-based indices. Returns `None` if the text is
/// invalid, or a position is repeated or too large.
pub fn places(text: &str, count: usize) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = Vec::new();
    for place in text.split('+') {
        let place: usize = place.trim().parse().ok()?;
        places.push(place.checked_sub(1).filter(|&index| index < count)?);
    }
    let mut once = places.clone();
    once.sort_unstable();
    once.dedup();
    (once.len() == places.len()).then_some(places)
}

/// Returns true if a typed number is within the tolerance.
fn is_near(cell: &AskCell, given: &str, goal: f64) -> bool {
    let tolerance = cell.tolerance.map_or(0.0, |tolerance| tolerance.0);
    let given = format(cell).read(given);
    // The numbers come from f32, so accept values at the very edge.
    given.is_some_and(|given| (given - goal).abs() <= tolerance * (1.0 + 1e-4))
}

/// Returns true if two texts are the same answer.
fn is_same(cell: &AskCell, given: &str, other: &str, derived: &Derived) -> Result<bool, EvalError> {
    Ok(match cell.answer_kind() {
        Some(AnswerKind::Number(_)) => {
            let other = match format(cell).read(other) {
                Some(other) => other,
                None => match Expr::parse(other) {
                    Ok(other) => other.eval(derived)?,
                    Err(_) => return Ok(false),
                },
            };
            is_near(cell, given, other)
        }
        Some(AnswerKind::Word(words)) => {
            let is_right = words.iter().any(|word| normalize(word) == normalize(given));
            let is_other_usual = words.first().is_some_and(|word| word == other);
            (is_other_usual && is_right) || normalize(given) == normalize(other)
        }
        Some(AnswerKind::Order(items)) => {
            places(given, items.len()).is_some()
                && places(given, items.len()) == places(other, items.len())
        }
        Some(AnswerKind::Joint(_)) => given.trim() == joint_as_number(other, derived),
        _ => given.trim() == other.trim(),
    })
}

/// Returns the number of a joint that the author may have named. An unknown
/// name is returned as it is.
fn joint_as_number(joint: &str, derived: &Derived) -> String {
    let named = JointName::from_text(joint).ok();
    let found = named.and_then(|joint| joint_index(&joint, &derived.rig).ok());
    found.map_or_else(|| joint.trim().to_owned(), |joint| joint.0.to_string())
}

/// Converts a wrong answer that the author expects into the form in which
/// readers give it.
pub fn as_given(cell: &AskCell, answer: &str, derived: &Derived) -> String {
    match cell.answer_kind() {
        Some(AnswerKind::Joint(_)) => joint_as_number(answer, derived),
        _ => answer.to_owned(),
    }
}

/// Removes differences in spelling: case, spaces and hyphens.
fn normalize(word: &str) -> String {
    let letters = word.chars().filter(|c| !c.is_whitespace() && *c != '-');
    letters.flat_map(char::to_lowercase).collect()
}

/// Number format of a question.
pub fn format(cell: &AskCell) -> NumberFormat {
    NumberFormat { decimals: 0, prefix: String::new(), suffix: cell.unit.clone() }
}

/// Formats a number with up to four decimals.
fn format_answer(cell: &AskCell, value: f64) -> String {
    let text = fixed(value * format(cell).shown_per_stored(), 4);
    format!("{}{}", text.trim_end_matches('0').trim_end_matches('.'), cell.unit)
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::CellKind;

    use super::*;
    use crate::test_sample::notebook_of;
    use crate::{Notebook, StepProgress};

    const LESSON: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\
        ## S\n\nProse.\n\n```ask which\nask = \"Which?\"\nwhy = \"So.\"\nchoices = [\
        { text = \"$a$\", right = true }, { text = \"b\", reply = \"No.\" }, \
        { text = \"c\", reply = \"No.\" }]\n```\n\n```ask turn\nask = \"How far?\"\n\
        why = \"So.\"\nelse = \"No.\"\nnumber = \"b1+pi/2\"\ntolerance = \"1deg\"\nunit = \"°\"\n```\n";

    fn notebook() -> Notebook {
        notebook_of(&[("20-t", LESSON)])
    }

    fn cell(notebook: &Notebook, name: &str) -> AskCell {
        let mut cells = notebook.lesson().cells().filter(|cell| cell.id == name);
        match cells.next().map(|cell| &cell.kind) {
            Some(CellKind::Ask(asked)) => asked.with(0).clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn answers_are_recorded_undone_linked_and_kept() {
        let mut notebook = notebook();
        let give = |notebook: &mut Notebook, cell: &str, text: &str, gesture| {
            notebook.edit(&answer(cell, text, true), gesture).expect("an answer");
            assert!(notebook.note_answers());
        };
        give(&mut notebook, "which", "2", 1);
        assert_eq!(notebook.progress.of_step(notebook.lesson(), 0), StepProgress::Tried);
        give(&mut notebook, "which", "1", 2);
        give(&mut notebook, "turn", "90°", 3);
        assert_eq!(notebook.progress.of_step(notebook.lesson(), 0), StepProgress::Solved);
        let record = notebook.record().expect("noted").answer("which", 0).cloned();
        let record = record.expect("answered");
        assert_eq!((record.given, record.solved), (vec!["b".to_owned(), "a".to_owned()], true));

        let link = notebook.link();
        assert!(link.contains("answer.which=1,given"), "{link}");
        let mut other = self::notebook();
        other.follow(&link, 1).expect("its own link");
        assert_eq!(other.document().state, notebook.document().state);
        assert!(!other.note_answers(), "a link brought it");

        notebook.undo();
        assert!(!notebook.document().state.answers.contains_key("turn"));
        for (cell, text) in [("which", "4"), ("which", "1+2"), ("turn", "far"), ("none", "1")] {
            assert!(notebook.edit(&answer(cell, text, true), 9).is_err(), "{cell} {text}");
        }
    }

    #[test]
    fn numbers_are_parsed_with_unit_and_tolerance() {
        let notebook = notebook();
        let turn = cell(&notebook, "turn");
        let right =
            |text: &str| judge(&turn, text, notebook.derived()).is_ok_and(|judged| judged.right);
        for text in ["90", "90°", "pi/2", "90.9", "180/2", "89,5"] {
            assert!(right(text), "{text}");
        }
        for text in ["91.1", "-90", "", "x"] {
            assert!(!right(text), "{text}");
        }
        assert_eq!(right_answer(&turn, notebook.derived()).as_deref(), Ok("90°"));
    }

    #[test]
    fn shuffle_is_deterministic_and_never_in_order() {
        let notebook = notebook();
        let which = cell(&notebook, "which");
        let order = shown_order(&which, "which", 0);
        assert_eq!(order, shown_order(&which, "which", 0));
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2]);
        let orders: std::collections::BTreeSet<_> =
            (0..20).map(|draw| shown_order(&which, "which", draw)).collect();
        assert!(orders.len() > 3, "{orders:?}");
        let items =
            AskCell { order: vec![bindpose_lesson::OrderItem::default(); 2], ..AskCell::default() };
        for draw in 0..20 {
            assert_eq!(shown_order(&items, "it", draw), [1, 0]);
        }
    }
}
