//! The concept inventory of a lesson: misconceptions that it is about, and questions
//! whose wrong answers are what somebody with a misconception would choose. Stands in
//! `inventory.toml` in the folder of the lesson.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use serde::Deserialize;

use super::{Expr, Settings, ViewportCell};
use crate::CourseFiles;
use crate::drawn_body::ReadBody as _;
use crate::toml_body::{Body, LessonSource, MAX_BYTES};

/// The file, in the folder of a lesson.
pub const INVENTORY_FILE: &str = "inventory.toml";

/// What `inventory.toml` says; empty where a lesson has none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Inventory {
    /// What learners believe that is not so, and that this lesson is about.
    #[serde(rename = "misconception")]
    pub misconceptions: Vec<Misconception>,
    /// Two or more for each of these misconceptions.
    #[serde(rename = "question")]
    pub questions: Vec<InventoryQuestion>,
}

/// What learners believe that is not so.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Misconception {
    /// Its name in questions and records: "M-01".
    pub id: String,
    /// What is believed, as somebody who does would say it.
    pub belief: String,
    /// What is so.
    pub truth: String,
    /// The step where that is seen, by slug or number; one of another lesson has that
    /// before it: `gltf-joint-matrices/the-bind-shape`. `None`: none is named.
    #[serde(default)]
    pub step: Option<String>,
}

/// A question with one right answer among several.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InventoryQuestion {
    /// Its name in records: letters a-z, digits and hyphens.
    pub id: String,
    /// Id of the misconception that it is about.
    pub misconception: String,
    /// What is asked.
    pub ask: String,
    /// Name of the built-in rig that figure and values are of; absent: that of the lesson.
    #[serde(default)]
    pub rig: Option<String>,
    /// How that rig stands, from its rest pose.
    #[serde(default)]
    pub set: Settings,
    /// The figure; absent: none, unless the answers are pictures.
    #[serde(default)]
    pub viewport: Option<ViewportCell>,
    /// Are the answers pictures of `viewport`, each as its `set` says?
    #[serde(default)]
    pub pictures: bool,
    /// A formula of a number or a matrix: the right answer is its value, and each wrong
    /// one its value after the `set` of that, or that of its own formula.
    #[serde(default)]
    pub value: Option<Expr>,
    /// Digits after the point of values.
    #[serde(default = "usual_decimals")]
    pub decimals: usize,
    /// After a number: `°` is for radians shown in degrees.
    #[serde(default)]
    pub unit: String,
    /// The answers: one is right.
    pub options: Vec<InventoryOption>,
}

/// An answer to choose.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct InventoryOption {
    /// What it says; absent where it is a value or a picture.
    pub text: String,
    /// Is it right?
    pub right: bool,
    /// Why it is right, or wrong.
    pub why: String,
    /// Of a wrong answer, the misconception that leads to it.
    pub misconception: Option<String>,
    /// A formula that proves an answer in words: not 0 where it is right, 0 where it is
    /// wrong.
    pub when: Option<Expr>,
    /// Of a wrong answer, what makes its value or its picture another one.
    pub set: Settings,
    /// Of a wrong answer, the formula for its value.
    pub value: Option<Expr>,
}

fn usual_decimals() -> usize {
    2
}

impl Misconception {
    /// The lesson and the step where what is so is seen; `own`: the slug of the lesson
    /// that this one stands in.
    pub fn place<'a>(&'a self, own: &'a str) -> Option<(&'a str, &'a str)> {
        let step = self.step.as_deref()?;
        Some(step.split_once('/').unwrap_or((own, step)))
    }
}

impl Inventory {
    /// Nothing stands in it?
    pub fn is_empty(&self) -> bool {
        self.misconceptions.is_empty() && self.questions.is_empty()
    }

    /// The question of that id.
    pub fn question(&self, id: &str) -> Option<&InventoryQuestion> {
        self.questions.iter().find(|question| question.id == id)
    }
}

// Reads `inventory.toml`.

/// Every key of the file with the place of its value: `question[2].options[0].why`.
pub(crate) type Keys = Vec<(String, LineColumn)>;

/// The inventory of the lesson in a folder, where its values are written, and what is
/// wrong with it. Without the file all three are empty; of one that cannot be read,
/// the first two.
pub(super) fn read_inventory(
    folder: &str,
    files: &CourseFiles,
) -> (Inventory, Keys, Vec<Diagnostic>) {
    let file = format!("{folder}/{INVENTORY_FILE}");
    match files.text(&file) {
        Ok(Some(text)) => match parse(&file, &text) {
            Ok(read) => read,
            Err(wrong) => (Inventory::default(), Keys::new(), vec![wrong]),
        },
        Ok(None) => <_>::default(),
        Err(wrong) => {
            let start = LineColumn { line: 1, column: 1 };
            let wrong = wrong.at(Place::text(&file, start));
            (Inventory::default(), Keys::new(), vec![wrong])
        }
    }
}

fn parse(file: &str, text: &str) -> Result<(Inventory, Keys, Vec<Diagnostic>), Diagnostic> {
    let source = LessonSource::new(file.to_owned(), text);
    if text.len() > MAX_BYTES {
        let found = text.len().to_string();
        let wrong = Diagnostic::expected(format!("at most {MAX_BYTES} bytes"), found);
        return Err(source.error(0, wrong.help("shorten it")));
    }
    let mut body = Body::new(&source, 0);
    body.push(text, 0);
    let table = body.table()?;
    let inventory =
        Inventory::read_body(&table).map_err(|error| body.value_error(error, 0, INVENTORY_FILE))?;
    let keys = body.keys(&table);
    let findings = senseless_inventory(&inventory).into_iter().map(|(key, wrong)| {
        let place = keys.iter().find(|(known, _)| *known == key);
        // A key that is missing is told where what lacks it begins.
        let above = || {
            let (above, _) = key.rsplit_once('.')?;
            keys.iter().find(|(known, _)| known == above)
        };
        let at = place.or_else(above).map_or_else(LineColumn::default, |(_, at)| *at);
        wrong.at(Place::text(file, at))
    });
    let findings = findings.collect();
    Ok((inventory, keys, findings))
}

// What an inventory may say together, beyond what its schema says of single values.

/// How many answers a question has.
const ANSWERS: std::ops::RangeInclusive<usize> = 2..=6;
/// More digits tell nobody anything.
const MOST_DECIMALS: usize = 6;
/// Longer texts do not fit beside a figure.
const MOST_CHARACTERS: usize = 400;

/// What makes no sense, each with the key at which it is told.
fn senseless_inventory(inventory: &Inventory) -> Vec<(String, Diagnostic)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = r#"
[[misconception]]
id = "M-01"
belief = "Two and two are five."
truth = "They are four."

[[question]]
id = "sum"
misconception = "M-01"
ask = "How much is 2 + 2?"
options = [
    { text = "four", right = true, why = "Count." },
    { text = "five", misconception = "M-01", why = "Count again." },
]

[[question]]
id = "height"
misconception = "M-01"
rig = "bone_grid"
set = { b1 = "90deg" }
ask = "How high is v9?"
value = "y(v9)"
options = [
    { right = true, why = "So it is." },
    { misconception = "M-01", value = "y(v9)+1", why = "One less." },
]
"#;

    fn said(text: &str) -> Vec<String> {
        let findings = match parse("20-a/inventory.toml", text) {
            Ok((_, _, findings)) => findings,
            Err(wrong) => vec![wrong],
        };
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn questions_are_read_with_the_places_of_their_values() {
        let (inventory, keys, findings) = parse("20-a/inventory.toml", SOUND).unwrap();
        assert_eq!(findings, []);
        assert_eq!(inventory.misconceptions[0].id, "M-01");
        let question = inventory.question("height").unwrap();
        assert_eq!((question.decimals, question.options.len()), (2, 2));
        let at = keys.iter().find(|(key, _)| key == "question[1].value");
        assert_eq!(at.unwrap().1, LineColumn { line: 22, column: 9 });
    }

    #[test]
    fn what_makes_no_sense_is_told_at_its_line_and_column() {
        for (old, new, expected) in [
            ("ask = \"How m", "asks = \"How m", "10:1: error: unknown key `asks`"),
            ("id = \"sum\"", "id = \"Sum 1\"", "8:6: error: expected a name of a-z"),
            ("id = \"height\"", "id = \"sum\"", "17:6: error: there is a question `sum` above"),
            ("id = \"M-01\"\nbelief", "id = \"\"\nbelief", "3:6: error: expected words in quotes"),
            ("How much is 2", "How much is $2", "10:7: error: a formula"),
            ("text = \"five\", ", "", "13:5: error: expected words"),
            ("text = \"five\"", "text = \"four\"", "13:14: error: two answers are the same"),
            (", why = \"Count.\"", "", "12:5: error: expected a reason"),
            (
                "right = true, why = \"Count.\"",
                "why = \"Count.\"",
                "11:11: error: 0 of the answers",
            ),
            (
                "text = \"five\", misconception = \"M-01\"",
                "text = \"five\"",
                "13:5: error: a wrong answer names",
            ),
            ("value = \"y(v9)\"", "pictures = true", "expected a viewport"),
            ("value = \"y(v9)\"", "value = \"y(v9\"", "22:"),
            (
                "misconception = \"M-01\", value = \"y(v9)+1\"",
                "misconception = \"M-01\"",
                "25:5: error: what makes its value another",
            ),
            (
                "{ right = true, why = \"So",
                "{ right = true, text = \"3\", why = \"So",
                "24:28: error: an answer that is a value",
            ),
        ] {
            let text = SOUND.replacen(old, new, 1);
            let found = said(&text).join("\n");
            assert!(found.contains(expected), "{new}: {found}");
        }
        assert!(said("[[question]]\nid = ").join("").contains("inventory.toml:2"));
        let many = SOUND
            .replace("decimals", "")
            .replace("value = \"y(v9)\"", "value = \"y(v9)\"\ndecimals = 20");
        assert!(said(&many).join("").contains("at most 6 digits"), "{:?}", said(&many));
    }
}
