//! Numbers from the files of a lesson's folder, for its plots.

use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::{
    CellKind, DataTable, FileBytes, Lesson, LessonOutline, Mentioned, PlotData, csv_table,
};

/// Reads the tables that the plots of a lesson ask for, also those that its outline
/// mentions to the content check; `read` gives the bytes of a
/// file of its folder, or says why there are none. What is wrong becomes a finding of
/// the lesson, each file's once.
pub fn read_data_files(
    lesson: &mut Lesson,
    outline: &mut LessonOutline,
    read: &dyn Fn(&str) -> FileBytes,
) {
    let folder = lesson.folder.clone();
    let mut known: BTreeMap<String, Option<DataTable>> = BTreeMap::new();
    let mut findings = Vec::new();
    // Those of the text are mentioned too, in its order and with their places.
    for mention in &mut outline.mentions {
        let Mentioned::Cell { kind, keys } = &mut mention.what else {
            continue;
        };
        let Some((name, table)) = data_file(kind) else {
            continue;
        };
        let at = keys.iter().find(|(key, _)| key == "data");
        let at = at.map_or(mention.at, |&(_, at)| at);
        let read_once = || {
            let here = Place::text(format!("{folder}/lesson.md"), at);
            // A file that is not there is wrong where it is named.
            let bytes = read(name).map_err(|wrong| wrong.at(here));
            let text = bytes.and_then(|bytes| text(&folder, name, &bytes));
            let place = format!("{folder}/{name}");
            text.and_then(|text| csv_table(&place, &text))
                .map_err(|wrong| findings.push(wrong))
                .ok()
        };
        table.clone_from(known.entry(name.to_owned()).or_insert_with(read_once));
    }
    for cell in lesson.cells_mut() {
        if let Some((name, table)) = data_file(&mut cell.kind) {
            *table = known.get(name).cloned().flatten();
        }
    }
    lesson.findings.extend(findings);
}

/// The file that a plot names, and what was read there.
fn data_file(kind: &mut CellKind) -> Option<(&str, &mut Option<DataTable>)> {
    let CellKind::Plot(plot) = kind else {
        return None;
    };
    match &mut plot.data {
        Some(PlotData::File(name, table)) => Some((name, table)),
        _ => None,
    }
}

fn text(folder: &str, name: &str, bytes: &[u8]) -> Result<String, Diagnostic> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| {
        let valid = error.valid_up_to();
        Diagnostic::expected("a text in UTF-8", format!("another byte after {valid}"))
            .help("save the table as CSV with UTF-8")
            .at(Place::text(format!("{folder}/{name}"), LineColumn { line: 1, column: 1 }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_outlined;

    const LESSON: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n```plot\ndata = \"m.csv\"\nlines = [{ label = \"h\", column = \"h\" }]\n```\n```plot\ndata = \"m.csv\"\nlines = [{ label = \"h\", column = \"h\" }]\n```\n";

    fn read(answer: &FileBytes) -> (Lesson, LessonOutline) {
        let (mut lesson, mut outline) = parse_outlined("20-x", LESSON, "");
        assert_eq!(lesson.findings, []);
        read_data_files(&mut lesson, &mut outline, &|name| {
            assert_eq!(name, "m.csv");
            answer.clone()
        });
        (lesson, outline)
    }

    #[test]
    fn every_plot_has_the_table_of_its_file() {
        let (lesson, outline) = read(&Ok(b"t,h\n0,1.5\n".as_slice().into()));
        assert_eq!(lesson.findings, []);
        let mentioned = outline.mentions.iter().filter_map(|mention| match &mention.what {
            Mentioned::Cell { kind, .. } => Some(&**kind),
            _ => None,
        });
        let mut tables = 0;
        for kind in lesson.cells().map(|cell| &cell.kind).chain(mentioned) {
            if let CellKind::Plot(plot) = kind {
                let table = plot.data.as_ref().and_then(PlotData::table);
                let column = table.expect("read").column("h").expect("numbers");
                assert_eq!(column, [Some(1.5)]);
                tables += 1;
            }
        }
        assert_eq!(tables, 4, "two plots, shown and mentioned");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_once() {
        for (answer, code) in [
            (Ok(b"t,h\n0\n".as_slice().into()), "UNEXPECTED"),
            (Ok([0xff].as_slice().into()), "UNEXPECTED"),
            (Err(Diagnostic::said("MISSING", "no file")), "MISSING"),
        ] {
            let (lesson, _) = read(&answer);
            assert_eq!(lesson.findings.len(), 1);
            assert_eq!(lesson.findings[0].code, code);
        }
    }
}
