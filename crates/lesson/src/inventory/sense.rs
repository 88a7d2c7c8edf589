//! What an inventory may say together, beyond what its schema says of single values.

use bindpose_diagnostic::Diagnostic;

use super::{Inventory, InventoryOption, InventoryQuestion};

/// How many answers a question has.
const ANSWERS: std::ops::RangeInclusive<usize> = 2..=6;
/// More digits tell nobody anything.
const MOST_DECIMALS: usize = 6;
/// Longer texts do not fit beside a figure.
const MOST_CHARACTERS: usize = 400;

/// What makes no sense, each with the key at which it is told.
pub(super) fn senseless(inventory: &Inventory) -> Vec<(String, Diagnostic)> {
    let mut found = Vec::new();
    for (index, one) in inventory.misconceptions.iter().enumerate() {
        let key = |name: &str| format!("misconception[{index}].{name}");
        for (name, text) in [("id", &one.id), ("belief", &one.belief), ("truth", &one.truth)] {
            found.extend(words(text).map(|wrong| (key(name), wrong)));
        }
        let mut before = inventory.misconceptions[..index].iter();
        if before.any(|other| other.id == one.id) {
            found.push((key("id"), taken("misconception", &one.id)));
        }
    }
    for (index, question) in inventory.questions.iter().enumerate() {
        let key = |name: &str| format!("question[{index}].{name}");
        if !is_name(&question.id) {
            let expected = "a name of a-z, 0-9 and hyphens";
            let wrong = Diagnostic::expected(expected, format!("`{}`", question.id));
            found.push((key("id"), wrong.help("write id = \"grid-at-rest\"")));
        }
        let mut before = inventory.questions[..index].iter();
        if before.any(|other| other.id == question.id) {
            found.push((key("id"), taken("question", &question.id)));
        }
        found.extend(words(&question.ask).map(|wrong| (key("ask"), wrong)));
        of_question(question, &key, &mut found);
        for (place, option) in question.options.iter().enumerate() {
            let key = |name: &str| key(&format!("options[{place}].{name}"));
            of_option(question, option, &key, &mut found);
            let mut before = question.options[..place].iter();
            if !option.text.is_empty() && before.any(|other| other.text == option.text) {
                let wrong = Diagnostic::said("QUESTION", "two answers are the same");
                found.push((key("text"), wrong.help("leave one of them out")));
            }
        }
    }
    found
}

type KeyOf<'a> = &'a dyn Fn(&str) -> String;

fn of_question(
    question: &InventoryQuestion,
    key: KeyOf<'_>,
    found: &mut Vec<(String, Diagnostic)>,
) {
    let mut wrong = |name: &str, wrong: Diagnostic| found.push((key(name), wrong));
    let count = question.options.len();
    if !ANSWERS.contains(&count) {
        let (least, most) = (ANSWERS.start(), ANSWERS.end());
        let expected =
            Diagnostic::expected(format!("{least} to {most} answers"), count.to_string());
        wrong("options", expected.help("three or four are enough"));
    }
    let right = question.options.iter().filter(|option| option.right).count();
    if right != 1 {
        let title = format!("{right} of the answers are right");
        let help = "mark one with right = true";
        wrong("options", Diagnostic::said("QUESTION", title).help(help));
    }
    if question.pictures && question.viewport.is_none() {
        let expected = Diagnostic::expected("a viewport to draw the pictures with", "");
        wrong("pictures", expected.help("write viewport = { view = \"front\" }"));
    }
    if question.pictures && question.value.is_some() {
        let title = "the answers are pictures or values, not both";
        wrong("value", Diagnostic::said("QUESTION", title).help("ask two questions"));
    }
    if question.decimals > MOST_DECIMALS {
        let expected = format!("at most {MOST_DECIMALS} digits");
        let found = question.decimals.to_string();
        let expected = Diagnostic::expected(expected, found);
        wrong("decimals", expected.help("write decimals = 2"));
    }
}

fn of_option(
    question: &InventoryQuestion,
    option: &InventoryOption,
    key: KeyOf<'_>,
    found: &mut Vec<(String, Diagnostic)>,
) {
    let mut wrong = |name: &str, wrong: Diagnostic| found.push((key(name), wrong));
    let in_words = question.value.is_none() && !question.pictures;
    if in_words {
        if let Some(empty) = words(&option.text) {
            wrong("text", empty);
        }
        for (name, is_there) in
            [("value", option.value.is_some()), ("set", !option.set.0.is_empty())]
        {
            if is_there {
                let title = "an answer in words has no value and no picture";
                let help = "write `value` or `pictures` in the question, or `when` here";
                wrong(name, Diagnostic::said("QUESTION", title).help(help));
            }
        }
    } else {
        if !option.text.is_empty() {
            let title = "an answer that is a value or a picture has no words";
            let help = "leave `text` out; what is to be said of it is its `why`";
            wrong("text", Diagnostic::said("QUESTION", title).help(help));
        }
        if option.when.is_some() {
            let title = "an answer that is a value or a picture is proven by that";
            wrong("when", Diagnostic::said("QUESTION", title).help("leave `when` out"));
        }
        let changed = option.value.is_some() || !option.set.0.is_empty();
        if option.right && changed {
            let title = "the right answer is the value or the picture of its question";
            let help = "write what it takes in the question";
            wrong("right", Diagnostic::said("QUESTION", title).help(help));
        } else if !option.right && !changed {
            let title = "what makes its value another one is missing";
            let help = "write value = \"…\" or set = { … }";
            wrong("value", Diagnostic::said("QUESTION", title).help(help));
        }
        if question.pictures && option.value.is_some() {
            let title = "a picture has no value";
            wrong("value", Diagnostic::said("QUESTION", title).help("write set = { … }"));
        }
    }
    if let Some(empty) = words(&option.why) {
        let reason = Diagnostic::expected("a reason, in words", "");
        let empty = if option.why.is_empty() { reason } else { empty };
        wrong("why", empty.help("write why = \"…\""));
    }
    if option.right == option.misconception.is_some() {
        let title = "a wrong answer names the misconception that leads to it, and a right one none";
        let help = "write misconception = \"M-01\" in those that are wrong";
        wrong("misconception", Diagnostic::said("QUESTION", title).help(help));
    }
}

/// What is wrong with a text.
fn words(text: &str) -> Option<Diagnostic> {
    if text.trim().is_empty() {
        return Some(Diagnostic::expected("words in quotes", "").help("write a short sentence"));
    }
    if text.contains('$') {
        let title = "a formula in LaTeX does not stand in an inventory";
        let help = "write it in signs, or as code: `world(1) * inverse(bind(1))`";
        return Some(Diagnostic::said("QUESTION", title).help(help));
    }
    let count = text.chars().count();
    (count > MOST_CHARACTERS).then(|| {
        let expected = format!("at most {MOST_CHARACTERS} characters");
        Diagnostic::expected(expected, count.to_string()).help("shorten it")
    })
}

fn taken(what: &str, id: &str) -> Diagnostic {
    let title = format!("there is a {what} `{id}` above");
    Diagnostic::said("NAME_TAKEN", title).help("give each a name of its own")
}

/// As records and links have it.
fn is_name(id: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=40).contains(&id.len()) && id.chars().all(fits)
}
