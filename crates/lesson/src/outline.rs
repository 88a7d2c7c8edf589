//! Where a lesson names things, so that the content check can say line and
//! column of a name that leads nowhere. Kept beside the lesson, which stays
//! free of positions.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::cell_texts::PageChange;
use super::course_archive::CourseFiles;
use super::toml_body::MAX_BYTES;
use super::{CellKind, Claim, Drive, FileBytes, Lesson, LinkTarget, PictureContent, Setting};

/// Everything a lesson names, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonOutline {
    /// Names and formulas.
    pub mentions: Vec<Mention>,
    /// The headings of the steps.
    pub steps: Vec<LineColumn>,
    /// Ids of all cells, those with mistakes included.
    pub cell_ids: Vec<String>,
    /// Where the values of its inventory are: `question[2].options[0].why`.
    pub inventory: Vec<(String, LineColumn)>,
    /// Which of its lines stand in other files. All places here, and those of cells,
    /// are of the text that was put together.
    pub parts: IncludedParts,
    /// Was the text not read to its end? A finding says why; what else seems to be
    /// missing may be there.
    pub incomplete: bool,
}

/// One name or formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where it is written.
    pub at: LineColumn,
    /// In which part.
    pub place: OutlinePlace,
    /// What is written.
    pub what: Mentioned,
    /// What has been done by the time it is read; `None`: the step stands as it
    /// opens.
    pub after: Option<Arc<PageChange>>,
}

/// A part of a lesson's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutlinePlace {
    /// Front matter, introduction, stage.
    #[default]
    Intro,
    /// The step of that index.
    Step(usize),
    /// The teacher's notes.
    Notes,
    /// The glossary.
    Glossary,
}

/// What can be wrong though it is written correctly.
#[derive(Clone, Debug, PartialEq)]
pub enum Mentioned {
    /// `rig` of the front matter.
    Rig(String),
    /// A slug in `needs`.
    Need(String),
    /// The name of a parameter the lesson adds.
    OwnParam(String),
    /// The name of a parameter of the rig that follows a formula.
    Drive {
        /// Which, and its formula.
        drive: Drive,
        /// Where the formula is written.
        formula_at: LineColumn,
    },
    /// A link.
    Link {
        /// Its words.
        text: String,
        /// What it leads to.
        target: LinkTarget,
        /// Where the target is written, after the kind and its colon.
        target_at: LineColumn,
    },
    /// One entry of a `set` block or link.
    Set(Setting),
    /// An id in `hide`.
    Hide(String),
    /// A parameter or a cell in `drag` or `watch`.
    Part(String),
    /// A parameter in `sways`.
    Sways(String),
    /// What the prose says, as a formula.
    Claim {
        /// What it is.
        claim: Box<Claim>,
        /// Where the values of its keys are.
        keys: Vec<(String, LineColumn)>,
    },
    /// A formula in LaTeX.
    Math(String),
    /// The name of a whole program.
    Listing(String),
    /// A cell.
    Cell {
        /// What it is.
        kind: Box<CellKind>,
        /// Where the values of its keys are: `lines[0].expr`, `show[2]`.
        keys: Vec<(String, LineColumn)>,
    },
}

// Parts of a lesson's text that stand in files of their own: a line
// `{{#include ../parts/frames.md}}` stands for the lines of that file, as in mdBook.
// The text is put together before it is read, and places in it are told where they
// were written.

const BEGIN: &str = "{{#include";
const END: &str = "}}";

/// Which lines of a text come from other files; empty for one without parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IncludedParts {
    /// Path of the text itself, below the folder of the course.
    text: String,
    /// In their order.
    parts: Vec<IncludedPart>,
}

#[derive(Clone, Debug, PartialEq)]
struct IncludedPart {
    /// Path below the folder of the course.
    file: String,
    /// First line in the text that was put together, from 1.
    first_line: usize,
    /// How many lines it takes there.
    lines: usize,
}

impl IncludedParts {
    /// The paths of the files, below the folder of the course, as they are named: one
    /// that is named twice comes twice.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.file.as_str())
    }

    /// Where a place of the text that was put together was written.
    pub fn written_at(&self, place: Place) -> Place {
        match place {
            Place::Text { file, at } if file == self.text => {
                let (file, line) = self.written(at.line);
                Place::text(file, LineColumn { line, ..at })
            }
            other => other,
        }
    }

    /// The line in the text that was put together of a line in the file `file`; `None`
    /// for a file that is no part of it. Of a part that stands there twice, the first.
    pub fn line_of(&self, file: &str, line: usize) -> Option<usize> {
        if file == self.text {
            let before = |part: &&IncludedPart| self.written(part.first_line - 1).1 < line;
            let parts = self.parts.iter().take_while(before);
            return Some(line + parts.map(|part| part.lines - 1).sum::<usize>());
        }
        let part = self.parts.iter().find(|part| part.file == file)?;
        Some(part.first_line + line - 1)
    }

    /// File and line of a line of the text that was put together.
    fn written(&self, line: usize) -> (&str, usize) {
        let mut added = 0;
        for part in &self.parts {
            if line < part.first_line {
                break;
            }
            if line < part.first_line + part.lines {
                return (&part.file, line - part.first_line + 1);
            }
            added += part.lines - 1;
        }
        (&self.text, line - added)
    }
}

/// Puts the text of a lesson together from its parts. What cannot be put there is a
/// finding where it is named, and leaves an empty line.
pub(super) fn with_parts(
    folder: &str,
    text: &str,
    files: &CourseFiles,
) -> (String, IncludedParts, Vec<Diagnostic>) {
    let mut parts = IncludedParts { text: format!("{folder}/lesson.md"), parts: Vec::new() };
    if !text.contains(BEGIN) {
        return (text.to_owned(), parts, Vec::new());
    }
    let mut findings = Vec::new();
    let mut whole = String::with_capacity(text.len());
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        let Some(name) = name_in(line) else {
            // `\{{#include` is what the line says.
            let shown = line.trim_start().strip_prefix('\\');
            let shown = shown.filter(|rest| name_in(rest).is_some());
            whole.push_str(shown.unwrap_or(line));
            whole.push('\n');
            lines += 1;
            continue;
        };
        match part(folder, name, files) {
            Ok((file, part)) if whole.len() + part.len() <= MAX_BYTES => {
                let count = part.lines().count().max(1);
                whole.push_str(part.trim_end_matches('\n'));
                parts.parts.push(IncludedPart { file, first_line: lines + 1, lines: count });
                lines += count;
            }
            unread => {
                let too_long = || {
                    let expected = format!("at most {MAX_BYTES} bytes with all parts");
                    let wrong = Diagnostic::expected(expected, "more");
                    wrong.help("write two lessons")
                };
                let wrong = unread.err().unwrap_or_else(too_long);
                let at = LineColumn { line: index + 1, column: line.find(name).unwrap_or(0) + 1 };
                findings.push(wrong.at(Place::text(&parts.text, at)));
                lines += 1;
            }
        }
        whole.push('\n');
    }
    (whole, parts, findings)
}

/// What a line includes, if that is all it says.
fn name_in(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix(BEGIN)?;
    let name = rest.strip_suffix(END)?;
    (name.starts_with(' ') && !name.contains(END)).then(|| name.trim())
}

/// The path of a part below the folder of the course, and its text.
fn part(folder: &str, name: &str, files: &CourseFiles) -> Result<(String, String), Diagnostic> {
    // Beside the lessons, and never beyond.
    let file = match name.strip_prefix("../") {
        Some(beside) => beside.to_owned(),
        None => format!("{folder}/{name}"),
    };
    let bytes = files.read(&file).map_err(|wrong| {
        wrong.help("write {{#include part.md}} for a file of the lesson’s folder, or {{#include ../parts/part.md}} for one beside the lessons")
    })?;
    let text = std::str::from_utf8(&bytes).ok().ok_or_else(|| {
        let wrong = Diagnostic::expected("text in UTF-8", "other bytes");
        wrong.help(format!("save {name} as UTF-8"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.lines().any(|line| name_in(line).is_some()) {
        let wrong = Diagnostic::expected("a part without parts", "another {{#include … }}");
        return Err(wrong.help("include both in lesson.md, one after the other"));
    }
    let text = text.replace("\r\n", "\n");
    // As many lines as it has, and one that a part without any leaves.
    Ok((file, text.trim_end_matches('\n').to_owned()))
}

// The pictures of a lesson, read from its folder.

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

    fn files() -> CourseFiles {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().into());
        CourseFiles::in_memory(
            [
                file("parts/two.md", "first\nsecond\n"),
                file("parts/none.md", ""),
                file("parts/round.md", "{{#include ../parts/two.md}}\n"),
                file("10-a/own.md", "own\r\n"),
                ("parts/odd.md".to_owned(), [0xff_u8].as_slice().into()),
            ]
            .into_iter()
            .collect(),
        )
    }

    fn at(line: usize) -> Place {
        Place::text("10-a/lesson.md", LineColumn { line, column: 3 })
    }

    #[test]
    fn lines_stand_for_files_and_places_are_told_where_they_were_written() {
        let text = "a\n{{#include ../parts/two.md}}\nb\n  {{#include own.md}}\n\
            {{#include ../parts/none.md}}\nc\n";
        let (whole, parts, findings) = with_parts("10-a", text, &files());
        assert_eq!(findings, []);
        assert_eq!(whole, "a\nfirst\nsecond\nb\nown\n\nc\n");
        let written = [
            ("10-a/lesson.md", 1),
            ("parts/two.md", 1),
            ("parts/two.md", 2),
            ("10-a/lesson.md", 3),
            ("10-a/own.md", 1),
            ("parts/none.md", 1),
            ("10-a/lesson.md", 6),
        ];
        for (index, (file, line)) in written.into_iter().enumerate() {
            let expected = Place::text(file, LineColumn { line, column: 3 });
            assert_eq!(parts.written_at(at(index + 1)), expected, "line {index}");
            assert_eq!(parts.line_of(file, line), Some(index + 1), "{file}:{line}");
        }
        assert_eq!(parts.line_of("20-b/lesson.md", 1), None);
        let elsewhere = Place::text("10-a/notes.md", LineColumn { line: 2, column: 1 });
        assert_eq!(parts.written_at(elsewhere.clone()), elsewhere);
    }

    #[test]
    fn what_is_no_line_of_its_own_or_escaped_is_text() {
        let text = "see {{#include a}} there\n\\{{#include own.md}}\n{{#includes own.md}}\n";
        let (whole, parts, findings) = with_parts("10-a", text, &files());
        assert_eq!(findings, []);
        assert_eq!(whole, text.replace('\\', ""));
        assert_eq!(parts.files().count(), 0);
    }

    #[test]
    fn what_cannot_be_included_is_told_where_it_is_named() {
        for (name, expected) in [
            ("gone.md", "no file"),
            ("../../lesson.md", "below the folder"),
            ("/etc/passwd", "below the folder"),
            ("../parts/round.md", "a part without parts"),
            ("../parts/odd.md", "UTF-8"),
        ] {
            let text = format!("a\n{{{{#include {name}}}}}\nb\n");
            let (whole, _, findings) = with_parts("10-a", &text, &files());
            assert_eq!(whole, "a\n\nb\n", "{name}");
            let [wrong] = &findings[..] else {
                panic!("{name}: {findings:?}");
            };
            assert!(wrong.sentence().contains(expected), "{wrong}");
            let place = Place::text("10-a/lesson.md", LineColumn { line: 2, column: 12 });
            assert_eq!(wrong.at, place);
        }
    }

    #[test]
    fn parts_that_are_too_long_together_are_refused() {
        let long = "x".repeat(MAX_BYTES / 2);
        let files =
            CourseFiles::in_memory([("10-a/long.md".to_owned(), long.into_bytes().into())].into());
        let text = "{{#include long.md}}\n".repeat(1000);
        let (whole, _, findings) = with_parts("10-a", &text, &files);
        assert!(whole.len() < MAX_BYTES + 1000, "{}", whole.len());
        assert!(findings.len() >= 998, "{}", findings.len());
    }

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
