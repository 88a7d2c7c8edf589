//! What of a question's body can be senseless.

use bindpose_diagnostic::Diagnostic;

use super::{AskCell, AskedFor, Choice};

/// More are not read by anybody.
const MOST_CHOICES: usize = 9;
/// Every order of so many can be tried.
const MOST_IN_ORDER: usize = 6;

/// The key that is wrong, and what is wrong with it.
type Wrong = (String, Diagnostic);

/// Refuses a question that asks for nothing, for two things, or in which a wrong
/// answer has no reply.
pub(crate) fn ask_sense(cell: &AskCell) -> Result<(), Wrong> {
    let count = cell.all_asked_for().count();
    if count != 1 {
        let forms = "choices, number, words, order, vertex or joint";
        let title = format!("a question has one of {forms}, this one has {count}");
        let wrong = Diagnostic::said("QUESTION", title);
        return no("ask", wrong, &format!("write one of {forms}"));
    }
    let is = |asked: fn(&AskedFor<'_>) -> bool| cell.asked_for().as_ref().is_some_and(asked);
    let is_number = is(|asked| matches!(asked, AskedFor::Number(_)));
    let is_order = is(|asked| matches!(asked, AskedFor::Order(_)));
    for (key, given, fits) in [
        ("several", cell.several, !cell.choices.is_empty()),
        ("tolerance", cell.tolerance.is_some(), is_number),
        ("unit", !cell.unit.is_empty(), is_number),
        ("product", cell.product.is_some(), is_order),
        ("wrong", !cell.wrong.is_empty(), cell.choices.is_empty()),
    ] {
        if given && !fits {
            let title = format!("`{key}` does not go with what this question asks for");
            return no(key, Diagnostic::said("QUESTION", title), "leave it out");
        }
    }
    if is_number && cell.tolerance.is_none_or(|tolerance| tolerance.0 <= 0.0) {
        let wrong = Diagnostic::expected("a tolerance above 0", "");
        return no("tolerance", wrong, "write how far off still counts, such as 0.05");
    }
    if is_order && !(2..=MOST_IN_ORDER).contains(&cell.order.len()) {
        let expected = format!("2 to {MOST_IN_ORDER} things to put in order");
        let wrong = Diagnostic::expected(expected, cell.order.len().to_string());
        return no("order", wrong, "write order = [{ text = \"…\" }, { text = \"…\" }]");
    }
    choices_sense(cell)?;
    if cell.choices.is_empty() && cell.otherwise.is_empty() {
        let title = "what is said of a wrong answer is missing";
        let help = "add `else = \"…\"`, for every wrong answer that has no reply of its own";
        return no("ask", Diagnostic::said("QUESTION", title), help);
    }
    Ok(())
}

fn choices_sense(cell: &AskCell) -> Result<(), Wrong> {
    let choices = &cell.choices;
    if choices.is_empty() {
        return Ok(());
    }
    if !(2..=MOST_CHOICES).contains(&choices.len()) {
        let expected = format!("2 to {MOST_CHOICES} choices");
        let wrong = Diagnostic::expected(expected, choices.len().to_string());
        return no("choices", wrong, "write choices = [{ text = \"…\", right = true }, …]");
    }
    let right = choices.iter().filter(|choice| choice.right).count();
    let (expected, fits) = if cell.several {
        ("at least one right and one wrong choice", right > 0 && right < choices.len())
    } else {
        ("one right choice", right == 1)
    };
    if !fits {
        let wrong = Diagnostic::expected(expected, format!("{right} right"));
        let help = "write `right = true` in what is right, and `several = true` at the \
                    question where several are";
        return no("choices", wrong, help);
    }
    let unanswered = |choice: &Choice| !choice.right && choice.reply.is_empty();
    if let Some(index) = choices.iter().position(unanswered) {
        let title = "a wrong choice needs a reply";
        let help = "add reply = \"…\": what whoever chooses it should think of";
        let key = format!("choices[{index}]");
        return no(&key, Diagnostic::said("QUESTION", title), help);
    }
    if cell.several && cell.otherwise.is_empty() {
        let title = "what is said where only some of the right choices are chosen is missing";
        let help = "add `else = \"…\"`";
        return no("choices", Diagnostic::said("QUESTION", title), help);
    }
    Ok(())
}

fn no(key: &str, wrong: Diagnostic, help: &str) -> Result<(), Wrong> {
    Err((key.to_owned(), wrong.help(help)))
}
