//! Concept inventory of a lesson: misconceptions, and questions with choices about them, in
//! `inventory.toml` in the folder of the lesson. A wrong choice is what somebody with a
//! misconception would choose.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use serde::Deserialize;

use super::{AskCell, Choice, Decimals, Expr, Settings, Text, ViewportCell, short_text};
use crate::CourseFiles;
use crate::cell_validation::{InvalidCell, check_choices, reject};
use crate::drawn_body::ReadBody as _;
use crate::plain_name::{MAX_NAME_CHARS, is_plain_name};
use crate::toml_body::{Body, LessonSource, MAX_BYTES};

/// Name of the file, in the folder of a lesson.
pub const INVENTORY_FILE: &str = "inventory.toml";

/// Content of `inventory.toml`. Empty for a lesson without the file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Inventory {
    /// False beliefs of learners that this lesson corrects.
    #[serde(rename = "misconception")]
    pub misconceptions: Vec<Misconception>,
    /// Two or more for each of these misconceptions.
    #[serde(rename = "question")]
    pub questions: Vec<InventoryQuestion>,
}

/// A false belief of learners.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Misconception {
    /// Its name in questions and records: "M-01".
    pub id: String,
    /// The false belief, as a learner would state it.
    pub belief: String,
    /// The correct statement.
    pub truth: String,
    /// The step where that is seen, by slug or number; one of another lesson has that
    /// before it: `gltf-joint-matrices/the-bind-shape`.
    #[serde(default)]
    pub step: Option<String>,
}

/// A question about a misconception.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[cfg_attr(not(target_arch = "wasm32"), schemars(with = "QuestionBody"))]
#[serde(from = "QuestionBody")]
pub struct InventoryQuestion {
    /// Id in records and links.
    pub id: String,
    pub misconception: String,
    /// The question, with one right choice. The texts of its choices are empty if they are
    /// pictures or values.
    pub ask: AskCell,
    /// Origins of the choices, in the same order.
    pub origins: Vec<ChoiceOrigin>,
    /// Name of a built-in rig. `None` for the rig of the lesson.
    pub rig: Option<String>,
    /// State of the rig, starting from its rest pose.
    pub set: Settings,
    /// The figure, or the view of the choices if they are pictures.
    pub viewport: Option<ViewportCell>,
    /// Whether the choices are pictures.
    pub pictures: bool,
    /// Formula of the right choice, if the choices are values.
    pub value: Option<Expr>,
    pub decimals: Decimals,
    pub unit: String,
}

/// Why a reader would choose an answer, and how its value or picture is computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChoiceOrigin {
    /// Id of the misconception that leads to a wrong choice.
    pub misconception: Option<String>,
    /// Settings that change the value or the picture of a wrong choice.
    pub set: Settings,
    /// Formula for the value of a wrong choice, in place of that of the question.
    pub value: Option<Expr>,
}

/// A question as written: the keys of an `ask` block and those of the inventory. Older files
/// have `options` in place of `choices`, each with its `why`, the right one too.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct QuestionBody {
    /// Its name in records: letters a-z, digits and hyphens.
    id: String,
    /// Id of the misconception that it is about.
    misconception: String,
    /// The question.
    ask: Text,
    /// Explanation of the right answer.
    #[serde(default)]
    why: Text,
    /// The answers: one is right.
    #[serde(alias = "options")]
    choices: Vec<ChoiceBody>,
    /// Name of the built-in rig that figure and values are of; absent: that of the lesson.
    #[serde(default)]
    rig: Option<String>,
    /// State of that rig, starting from its rest pose.
    #[serde(default)]
    set: Settings,
    /// The figure; absent: none, unless the answers are pictures.
    #[serde(default)]
    viewport: Option<ViewportCell>,
    /// Whether the answers are pictures of `viewport`, each with its own `set`.
    #[serde(default)]
    pictures: bool,
    /// A formula of a number or a matrix: the right answer is its value, and each wrong
    /// one its value after the `set` of that, or that of its own formula.
    #[serde(default)]
    value: Option<Expr>,
    /// Digits after the point of values.
    #[serde(default = "default_decimals")]
    decimals: Decimals,
    /// After a number: `°` is for radians shown in degrees.
    #[serde(default)]
    unit: String,
}

/// A choice as written in the file.
#[derive(Default, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ChoiceBody {
    /// Text of the answer; absent where it is a value or a picture.
    text: Text,
    /// Whether it is the right answer.
    right: bool,
    /// Explains why the answer is wrong.
    #[serde(alias = "why")]
    reply: Text,
    /// A formula that proves an answer in words: not 0 where it is right, 0 where it is
    /// wrong.
    when: Option<Expr>,
    /// Misconception that leads to a wrong answer.
    misconception: Option<String>,
    /// Settings that change the value or the picture of a wrong answer.
    set: Settings,
    /// Formula for the value of a wrong answer.
    value: Option<Expr>,
}

fn default_decimals() -> Decimals {
    Decimals(2)
}

impl From<QuestionBody> for InventoryQuestion {
    fn from(body: QuestionBody) -> Self {
        let mut ask = AskCell {
            ask: with_markup(body.ask),
            why: with_markup(body.why),
            ..AskCell::default()
        };
        let mut origins = Vec::new();
        for ChoiceBody { text, right, reply, when, misconception, set, value } in body.choices {
            let mut reply = with_markup(reply);
            if right && ask.why.is_empty() {
                ask.why = std::mem::take(&mut reply);
            }
            ask.choices.push(Choice { text: with_markup(text), right, reply, when });
            origins.push(ChoiceOrigin { misconception, set, value });
        }
        Self {
            id: body.id,
            misconception: body.misconception,
            ask,
            origins,
            rig: body.rig,
            set: body.set,
            viewport: body.viewport,
            pictures: body.pictures,
            value: body.value,
            decimals: body.decimals,
            unit: body.unit,
        }
    }
}

/// Parses the markup of a text that was read as plain words.
fn with_markup(text: Text) -> Text {
    if text.is_empty() { text } else { short_text(&text.source) }
}

impl Misconception {
    /// Returns the lesson and the step that show the truth. `own` is the slug of the lesson
    /// with this misconception.
    pub fn place<'a>(&'a self, own: &'a str) -> Option<(&'a str, &'a str)> {
        let step = self.step.as_deref()?;
        Some(step.split_once('/').unwrap_or((own, step)))
    }
}

impl Inventory {
    pub fn is_empty(&self) -> bool {
        self.misconceptions.is_empty() && self.questions.is_empty()
    }

    /// Returns the question with this id.
    pub fn question(&self, id: &str) -> Option<&InventoryQuestion> {
        self.questions.iter().find(|question| question.id == id)
    }
}

impl InventoryQuestion {
    /// Choices with their origins, in the author's order.
    pub fn choices(&self) -> impl Iterator<Item = (&Choice, &ChoiceOrigin)> {
        self.ask.choices.iter().zip(&self.origins)
    }

    /// Returns why a choice is right or wrong.
    pub fn reason<'a>(&'a self, choice: &'a Choice) -> &'a Text {
        if choice.right { &self.ask.why } else { &choice.reply }
    }
}

/// An inventory as read from its file.
#[derive(Default)]
pub(super) struct ReadInventory {
    pub(super) inventory: Inventory,
    /// Positions of the values, by keys such as `question[2].choices[0].reply`.
    pub(super) keys: Vec<(String, LineColumn)>,
    pub(super) findings: Vec<Diagnostic>,
}

/// Reads the inventory of the lesson in a folder. Without the file, the result is empty. If
/// the file is invalid, there are only findings.
pub(super) fn read_inventory(folder: &str, files: &CourseFiles) -> ReadInventory {
    let file = format!("{folder}/{INVENTORY_FILE}");
    let read = match files.text(&file) {
        Ok(Some(text)) => parse(&file, &text),
        Ok(None) => Ok(ReadInventory::default()),
        Err(error) => Err(error.at(Place::text(&file, LineColumn { line: 1, column: 1 }))),
    };
    read.unwrap_or_else(|error| ReadInventory { findings: vec![error], ..<_>::default() })
}

fn parse(file: &str, text: &str) -> Result<ReadInventory, Diagnostic> {
    let source = LessonSource::new(file.to_owned(), text);
    if text.len() > MAX_BYTES {
        let found = text.len().to_string();
        let error = Diagnostic::expected(format!("at most {MAX_BYTES} bytes"), found);
        return Err(source.error(0, error.help("shorten it")));
    }
    let mut body = Body::new(&source, 0);
    body.push(text, 0);
    let table = body.table()?;
    let inventory =
        Inventory::read_body(&table).map_err(|error| body.value_error(error, 0, INVENTORY_FILE))?;
    let keys: Vec<_> = body
        .keys(&table)
        .into_iter()
        .map(|(key, at)| (key.replace(".options", ".choices"), at))
        .collect();
    let findings = check_inventory(&inventory)
        .into_iter()
        .map(|InvalidCell { key, error }| error.at(Place::text(file, position_of(&key, &keys))))
        .collect();
    Ok(ReadInventory { inventory, keys, findings })
}

/// Returns the position of a key. A missing key has the position of the table around it.
fn position_of(key: &str, keys: &[(String, LineColumn)]) -> LineColumn {
    let table = key.rsplit_once('.').map(|(table, _)| table);
    [Some(key), table]
        .into_iter()
        .flatten()
        .find_map(|key| keys.iter().find(|(known, _)| known == key))
        .map_or_else(LineColumn::default, |&(_, at)| at)
}

// Validation beyond what the types ensure.

/// Maximum length of a text, because longer texts do not fit beside a figure.
const MAX_TEXT_CHARS: usize = 400;

fn check_inventory(inventory: &Inventory) -> Vec<InvalidCell> {
    let mut found = Vec::new();
    for (index, one) in inventory.misconceptions.iter().enumerate() {
        let mut earlier = inventory.misconceptions[..index].iter();
        let checks = [
            check_words("id", &one.id),
            check_words("belief", &one.belief),
            check_words("truth", &one.truth),
            check_unique("misconception", &one.id, earlier.any(|other| other.id == one.id)),
        ];
        let path = format!("misconception[{index}]");
        found.extend(checks.into_iter().filter_map(Result::err).map(|error| error.below(&path)));
    }
    for (index, question) in inventory.questions.iter().enumerate() {
        let mut earlier = inventory.questions[..index].iter();
        let mut checks = vec![
            check_id(&question.id),
            check_unique("question", &question.id, earlier.any(|other| other.id == question.id)),
            check_words("ask", &question.ask.ask.source),
            check_choices(&question.ask),
            check_answers(question),
        ];
        checks.extend((0..question.origins.len()).map(|choice| {
            check_choice(question, choice)
                .map_err(|error| error.below(&format!("choices[{choice}]")))
        }));
        let path = format!("question[{index}]");
        found.extend(checks.into_iter().filter_map(Result::err).map(|error| error.below(&path)));
    }
    found
}

fn check_answers(question: &InventoryQuestion) -> Result<(), InvalidCell> {
    if question.ask.why.is_empty() {
        let error = Diagnostic::expected("a reason, in words", "");
        return reject("why", error, "write why = \"…\"");
    }
    check_words("why", &question.ask.why.source)?;
    if question.pictures && question.viewport.is_none() {
        let error = Diagnostic::expected("a viewport to draw the pictures with", "");
        return reject("pictures", error, "write viewport = { view = \"front\" }");
    }
    if question.pictures && question.value.is_some() {
        let title = "the answers are pictures or values, not both";
        return reject("value", Diagnostic::said("QUESTION", title), "ask two questions");
    }
    Ok(())
}

fn check_choice(question: &InventoryQuestion, index: usize) -> Result<(), InvalidCell> {
    let choice = &question.ask.choices[index];
    let origin = &question.origins[index];
    let text = &choice.text.source;
    let is_changed = origin.value.is_some() || !origin.set.0.is_empty();
    if question.value.is_none() && !question.pictures {
        check_words("text", text)?;
        if question.ask.choices[..index].iter().any(|other| other.text.source == *text) {
            let error = Diagnostic::said("QUESTION", "two answers are the same");
            return reject("text", error, "leave one of them out");
        }
        if is_changed {
            let key = if origin.value.is_some() { "value" } else { "set" };
            let title = "an answer in words has no value and no picture";
            let help = "write `value` or `pictures` in the question, or `when` here";
            return reject(key, Diagnostic::said("QUESTION", title), help);
        }
    } else if !text.is_empty() {
        let title = "an answer that is a value or a picture has no words";
        let help = "leave `text` out; what is to be said of it is its `reply`, or the `why` of \
                    the question";
        return reject("text", Diagnostic::said("QUESTION", title), help);
    } else if choice.when.is_some() {
        let title = "an answer that is a value or a picture is proven by that";
        return reject("when", Diagnostic::said("QUESTION", title), "leave `when` out");
    } else if choice.right && is_changed {
        let title = "the right answer is the value or the picture of its question";
        let help = "write what it takes in the question";
        return reject("right", Diagnostic::said("QUESTION", title), help);
    } else if !choice.right && !is_changed {
        let title = "what makes its value another one is missing";
        let help = "write value = \"…\" or set = { … }";
        return reject("value", Diagnostic::said("QUESTION", title), help);
    } else if question.pictures && origin.value.is_some() {
        let title = "a picture has no value";
        return reject("value", Diagnostic::said("QUESTION", title), "write set = { … }");
    }
    if choice.right == origin.misconception.is_some() {
        let title = "a wrong answer names the misconception that leads to it, and a right one none";
        let help = "write misconception = \"M-01\" in those that are wrong";
        return reject("misconception", Diagnostic::said("QUESTION", title), help);
    }
    // A missing reply is rejected with the choices.
    if choice.reply.is_empty() { Ok(()) } else { check_words("reply", &choice.reply.source) }
}

fn check_words(key: &str, text: &str) -> Result<(), InvalidCell> {
    if text.trim().is_empty() {
        let error = Diagnostic::expected("words in quotes", "");
        return reject(key, error, "write a short sentence");
    }
    if text.contains('$') {
        let title = "a formula in LaTeX does not stand in an inventory";
        let help = "write it in signs, or as code: `world(1) * inverse(bind(1))`";
        return reject(key, Diagnostic::said("QUESTION", title), help);
    }
    let count = text.chars().count();
    if count > MAX_TEXT_CHARS {
        let expected = format!("at most {MAX_TEXT_CHARS} characters");
        return reject(key, Diagnostic::expected(expected, count.to_string()), "shorten it");
    }
    Ok(())
}

fn check_unique(what: &str, id: &str, is_taken: bool) -> Result<(), InvalidCell> {
    if !is_taken {
        return Ok(());
    }
    let title = format!("there is a {what} `{id}` above");
    reject("id", Diagnostic::said("NAME_TAKEN", title), "give each a name of its own")
}

fn check_id(id: &str) -> Result<(), InvalidCell> {
    if is_plain_name(id) && id.len() <= MAX_NAME_CHARS {
        return Ok(());
    }
    let error = Diagnostic::expected("a name of a-z, 0-9 and hyphens", format!("`{id}`"));
    reject("id", error, "write id = \"grid-at-rest\"")
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
choices = [
    { text = "four", right = true },
    { text = "five", misconception = "M-01", reply = "Count again." },
]
why = "Count."

[[question]]
id = "height"
misconception = "M-01"
rig = "bone_grid"
set = { b1 = "90deg" }
ask = "How high is v9?"
value = "y(v9)"
choices = [
    { right = true },
    { misconception = "M-01", value = "y(v9)+1", reply = "One less." },
]
why = "So it is."
"#;

    fn said(text: &str) -> Vec<String> {
        let findings = match parse("20-a/inventory.toml", text) {
            Ok(read) => read.findings,
            Err(error) => vec![error],
        };
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn questions_are_read_with_the_places_of_their_values() {
        let ReadInventory { inventory, keys, findings } =
            parse("20-a/inventory.toml", SOUND).unwrap();
        assert_eq!(findings, []);
        assert_eq!(inventory.misconceptions[0].id, "M-01");
        let question = inventory.question("height").unwrap();
        assert_eq!((question.decimals, question.ask.choices.len()), (Decimals(2), 2));
        let at = keys.iter().find(|(key, _)| key == "question[1].value");
        assert_eq!(at.unwrap().1, LineColumn { line: 23, column: 9 });
    }

    #[test]
    fn what_makes_no_sense_is_told_at_its_line_and_column() {
        for (old, new, expected) in [
            ("ask = \"How m", "asks = \"How m", "10:1: error: unknown key `asks`"),
            ("id = \"sum\"", "id = \"Sum 1\"", "8:6: error: expected a name of a-z"),
            ("id = \"height\"", "id = \"sum\"", "18:6: error: there is a question `sum` above"),
            ("id = \"M-01\"\nbelief", "id = \"\"\nbelief", "3:6: error: expected words in quotes"),
            ("How much is 2", "How much is $2", "10:7: error: a formula"),
            ("text = \"five\", ", "", "13:5: error: expected words"),
            ("text = \"five\"", "text = \"four\"", "13:14: error: two answers are the same"),
            ("why = \"Count.\"", "", "error: expected a reason"),
            ("why = \"Count.\"", "why = \"\"", "15:7: error: expected a reason"),
            (", reply = \"Count again.\"", "", "13:5: error: a wrong choice needs a reply"),
            (", right = true", "", "11:11: error: expected one right choice, found 0 right"),
            (
                "text = \"five\", misconception = \"M-01\"",
                "text = \"five\"",
                "13:5: error: a wrong answer names",
            ),
            ("value = \"y(v9)\"", "pictures = true", "expected a viewport"),
            ("value = \"y(v9)\"", "value = \"y(v9\"", "23:"),
            (
                "misconception = \"M-01\", value = \"y(v9)+1\"",
                "misconception = \"M-01\"",
                "26:5: error: what makes its value another",
            ),
            (
                "{ right = true }",
                "{ right = true, text = \"3\" }",
                "25:28: error: an answer that is a value",
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
        assert!(said(&many).join("").contains("at most 9 decimals"), "{:?}", said(&many));
    }

    #[test]
    fn older_files_are_read_alike() {
        let older = SOUND
            .replace("choices = [", "options = [")
            .replace("reply = ", "why = ")
            .replace("why = \"Count.\"\n", "")
            .replace("why = \"So it is.\"\n", "")
            .replace("\"four\", right = true }", "\"four\", right = true, why = \"Count.\" }")
            .replace("{ right = true }", "{ right = true, why = \"So it is.\" }");
        let read = parse("20-a/inventory.toml", &older).unwrap();
        assert_eq!(read.findings, []);
        assert_eq!(read.inventory, parse("20-a/inventory.toml", SOUND).unwrap().inventory);
        let without_reason = older.replacen(", why = \"Count again.\"", "", 1);
        assert!(said(&without_reason).join("").contains("13:5: error: a wrong choice needs"));
    }
}
