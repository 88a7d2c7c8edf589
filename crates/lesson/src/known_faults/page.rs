//! `docs/faults.md`: all known faults, out of the catalogue.
//! `UPDATE_SNAPSHOTS=1` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use super::known_faults;

const HEAD: &str = "# Faults of skinning

<!-- Written by a test out of assets/words/faults.toml: UPDATE_SNAPSHOTS=1 cargo test -p bindpose-lesson known_faults -->

Bugs that people have met, as switches: a cell `faults` of a lesson shows them, and a step, a link or a variant of a comparison puts their settings. Where a fault lives, it is at work: in what is read of the file, in the matrices, on the way to the shader or in the shader itself; picture and numbers follow. Each pair of them is told apart by a number of the page, which a test proves on the built-in rigs.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut place = None;
    for fault in known_faults() {
        if place != Some(fault.place) {
            place = Some(fault.place);
            let heading = fault.place.label();
            write!(
                page,
                "\n## {}{}\n\n| fault | settings | looks like | what tells it | seen |\n| --- | --- | --- | --- | --- |\n",
                heading[..1].to_uppercase(),
                &heading[1..]
            )
            .unwrap();
        }
        let belief = if fault.belief.is_empty() {
            String::new()
        } else {
            format!(" Believed: “{}”", fault.belief)
        };
        writeln!(
            page,
            "| {}<br>`{}` | `{}` | {} | {} | {}{belief} |",
            fault.title,
            fault.id,
            fault.written(),
            fault.looks,
            fault.tell,
            fault.seen
        )
        .unwrap();
    }
    page
}

#[test]
fn the_page_of_known_faults_is_that_of_the_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/faults.md");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "UPDATE_SNAPSHOTS=1 cargo test -p bindpose-lesson known_faults writes it anew";
    assert!(stored == page(), "docs/faults.md is not that of the catalogue; {hint}");
}
