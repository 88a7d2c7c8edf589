//! The pictures of a lesson, read from its folder.

use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::{CellKind, FileBytes, Lesson, LessonOutline, Mentioned, PictureContent};

/// Reads the pictures that the cells of a lesson show, also those that its outline
/// mentions to the content check; `read` gives the bytes of a file of its folder, or
/// says why there are none. What is wrong becomes a finding of the lesson where the
/// file is named first, each file's once.
pub fn read_picture_files(
    lesson: &mut Lesson,
    outline: &mut LessonOutline,
    read: &dyn Fn(&str) -> FileBytes,
) {
    let text = format!("{}/lesson.md", lesson.folder);
    let mut known: BTreeMap<String, Option<PictureContent>> = BTreeMap::new();
    let mut findings = Vec::new();
    // Those of the text are mentioned too, in its order and with their places.
    for mention in &mut outline.mentions {
        let Mentioned::Cell { kind, keys } = &mut mention.what else {
            continue;
        };
        let CellKind::Picture(picture) = &mut **kind else {
            continue;
        };
        for (key, file) in picture.files_mut() {
            let at = keys.iter().find(|(name, _)| name == key);
            let at = at.map_or(mention.at, |&(_, at)| at);
            let name = &file.name;
            let read_once = || {
                content(name, read).map_err(|wrong| findings.push(placed(wrong, &text, at))).ok()
            };
            file.content.clone_from(known.entry(name.clone()).or_insert_with(read_once));
        }
    }
    for cell in lesson.cells_mut() {
        if let CellKind::Picture(picture) = &mut cell.kind {
            for (_, file) in picture.files_mut() {
                file.content = known.get(&file.name).cloned().flatten();
            }
        }
    }
    lesson.findings.extend(findings);
}

fn content(name: &str, read: &dyn Fn(&str) -> FileBytes) -> Result<PictureContent, Diagnostic> {
    PictureContent::of_file(read(name)?).map_err(|wrong| {
        let title = format!("`{name}` cannot be shown: {}", wrong.sentence());
        wrong.title(title)
    })
}

fn placed(wrong: Diagnostic, file: &str, at: LineColumn) -> Diagnostic {
    wrong.at(Place::text(file, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_outlined;

    const LESSON: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n\n\
        ![Two rings](a.svg)\n\n![The same](a.svg)\n\n\
        ```picture\nfile = \"a.svg\"\nalt = \"Three.\"\ndark = \"b.svg\"\n```\n";
    const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'/>";

    #[test]
    fn each_file_is_read_once_and_told_where_it_is_named() {
        let (mut lesson, mut outline) = parse_outlined("20-x", LESSON, "");
        assert_eq!(lesson.findings, []);
        let asked = std::cell::RefCell::new(Vec::new());
        read_picture_files(&mut lesson, &mut outline, &|name| {
            asked.borrow_mut().push(name.to_owned());
            match name {
                "a.svg" => Ok(SVG.as_bytes().into()),
                _ => Ok(b"GIF".as_slice().into()),
            }
        });
        assert_eq!(asked.into_inner(), ["a.svg", "b.svg"]);
        let sizes: Vec<_> = lesson
            .cells()
            .filter_map(|cell| match &cell.kind {
                CellKind::Picture(picture) => picture.file.content.as_ref(),
                _ => None,
            })
            .map(|content| content.size)
            .collect();
        assert_eq!(sizes, [[4.0, 3.0]; 3]);
        let [wrong] = &lesson.findings[..] else {
            panic!("{:?}", lesson.findings);
        };
        let said = wrong.to_string();
        assert!(said.starts_with("20-x/lesson.md:15:8:"), "{said}");
        assert!(said.contains("`b.svg` cannot be shown"), "{said}");
    }

    #[test]
    fn a_missing_file_is_told_once() {
        let (mut lesson, mut outline) = parse_outlined("20-x", LESSON, "");
        read_picture_files(&mut lesson, &mut outline, &|name| {
            Err(Diagnostic::said("MISSING", format!("no {name}")))
        });
        let codes: Vec<_> = lesson.findings.iter().map(|wrong| wrong.code).collect();
        assert_eq!(codes, ["MISSING"; 2]);
        let first = lesson.findings[0].to_string();
        assert!(first.starts_with("20-x/lesson.md:8:14:"), "{first}");
    }
}
