//! Reads `inventory.toml`.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::sense::senseless;
use super::{INVENTORY_FILE, Inventory};
use crate::CourseFiles;
use crate::drawn_body::ReadBody as _;
use crate::source::{LessonSource, MAX_BYTES};
use crate::toml_body::Body;

/// Every key of the file with the place of its value: `question[2].options[0].why`.
pub(crate) type Keys = Vec<(String, LineColumn)>;

/// The inventory of the lesson in a folder, where its values are written, and what is
/// wrong with it. Without the file all three are empty; of one that cannot be read,
/// the first two.
pub(crate) fn read_inventory(
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
    let findings = senseless(&inventory).into_iter().map(|(key, wrong)| {
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
