//! Every kind of cell with what it is, its keys, its smallest example and its picture:
//! `docs/cells.md`, which `cargo xtask gallery` writes.

use std::fmt::Write as _;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{WrittenPart, written_parts};
use bindpose_paper::handout::{PicturedPart, WantedPicture};
use bindpose_render::headless::HeadlessGl;
use serde_json::Value;

use super::cell_examples::{CellExample, cell_examples, example_set};
use super::handout::make_stills;

/// Points of a picture.
const WIDTH: u32 = 560;
const HEIGHT: u32 = 320;

const HEAD: &str = "# All cells\n\n\
    What a lesson is made of beside its prose: live cells, each a fenced block. \
    [lesson-format.md](lesson-format.md) says how a lesson is written; this page has every \
    kind with its keys, the smallest example and what that looks like. All keys may be left \
    out but those marked *required*. `cargo xtask gallery` writes the page.\n";

/// The page, in Markdown.
///
/// Fails when an example is missing or cannot be read.
pub(crate) fn gallery_text() -> Result<String, Diagnostic> {
    let examples = cell_examples()?;
    let parts = written_parts();
    let cells: Vec<&WrittenPart> = cells(&parts).collect();
    let mut text = HEAD.to_owned();
    let names: Vec<String> = cells.iter().map(|part| format!("[{0}](#{0})", part.name)).collect();
    let _ = writeln!(text, "\n{}", names.join(" · "));
    for part in cells {
        let name = part.name;
        let example = examples.get(name).ok_or_else(|| {
            Diagnostic::said("EXAMPLES", format!("the cell `{name}` has no example"))
                .help(format!("write [{name}] into docs/cells/examples.toml"))
        })?;
        let _ = writeln!(text, "\n## {name}\n\n{}\n", part.about);
        let _ = writeln!(text, "````markdown\n{}````\n", example.fenced(name));
        let _ = writeln!(text, "![{name}, on the rig {}](cells/{name}.png)\n", example.rig);
        text.push_str("| key | is |\n| --- | --- |\n");
        for (key, schema) in part.keys() {
            let required = if part.requires(key) { "*required*: " } else { "" };
            let about = schema.get("description").and_then(Value::as_str);
            let about = about.unwrap_or_default().replace('|', "\\|");
            let _ = writeln!(text, "| `{key}` | {required}{about}{} |", names_in_words(schema));
        }
    }
    Ok(text)
}

/// The pictures of all kinds, as PNG files, by kind.
///
/// Fails when nothing can be drawn here.
pub(crate) fn gallery_pictures() -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let failed = |error: String| Diagnostic::said("FAILED", error);
    let examples = cell_examples()?;
    let parts = written_parts();
    let shown: Vec<(&str, &CellExample)> =
        cells(&parts).filter_map(|part| Some((part.name, examples.get(part.name)?))).collect();
    let texts: Vec<(String, String)> =
        shown.iter().map(|(kind, example)| (format!("10-{kind}"), example.lesson(kind))).collect();
    let lessons: Vec<(&str, &str, &str)> =
        texts.iter().map(|(folder, lesson)| (&**folder, &**lesson, "")).collect();
    let set = example_set(&lessons);
    let gl = HeadlessGl::new().map_err(|error| failed(error.to_string()))?;
    let mut stills = make_stills(&gl.gl(), set, None).map_err(failed)?;
    let drawn = shown.into_iter().map(|(kind, _)| {
        let is_picture = matches!(kind, "viewport" | "compare");
        let picture = stills.draw(&WantedPicture {
            lesson: kind.to_owned(),
            part: PicturedPart::Cell { step: "example".to_owned(), cell: "example".to_owned() },
            width: WIDTH,
            height: is_picture.then_some(HEIGHT),
        });
        Ok((kind.to_owned(), picture.map_err(failed)?.png))
    });
    drawn.collect()
}

fn cells(parts: &[WrittenPart]) -> impl Iterator<Item = &WrittenPart> {
    parts.iter().filter(|part| part.is_cell())
}

/// The names that a key takes, one or several of them.
fn names_in_words(schema: &Value) -> String {
    let of = |schema: &Value| schema.get("enum").and_then(Value::as_array).cloned();
    let (names, words) = match (of(schema), schema.get("items").and_then(of)) {
        (Some(names), _) => (names, "One of"),
        (None, Some(names)) => (names, "Any of"),
        (None, None) => return String::new(),
    };
    let names: Vec<String> =
        names.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
    format!(" {words} {}.", names.join(", "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// No picture is larger, in bytes.
    const MAX_PICTURE: u64 = 60_000;

    #[test]
    fn the_page_of_all_cells_is_as_it_would_be_written_now() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let there = fs::read_to_string(docs.join("cells.md")).unwrap_or_default();
        assert!(
            there == gallery_text().expect("a page"),
            "docs/cells.md is not what the cells are now: run `cargo xtask gallery`"
        );
        let parts = written_parts();
        let kinds: BTreeSet<String> = cells(&parts).map(|part| part.name.to_owned()).collect();
        let pictures = fs::read_dir(docs.join("cells")).expect("a folder");
        let pictures = pictures.filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            Some(name.strip_suffix(".png")?.to_owned())
        });
        assert_eq!(
            pictures.collect::<BTreeSet<String>>(),
            kinds,
            "one picture for each kind: run `cargo xtask gallery`"
        );
        for kind in kinds {
            let picture = docs.join(format!("cells/{kind}.png"));
            let size = fs::metadata(&picture).expect("a picture").len();
            assert!(size < MAX_PICTURE, "{kind}: {size} bytes");
        }
    }
}
