//! The outline of a lesson: positions of everything that it names, so that the content check
//! can report the line and column of a name that does not exist. Kept apart from the lesson,
//! which has no positions.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::cell_texts::PageChange;
use super::course_archive::CourseFiles;
use super::toml_body::MAX_BYTES;
use super::{CellKind, Claim, Drive, FileBytes, Lesson, LinkTarget, PictureContent, Setting};

/// Positions of everything that a lesson names, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonOutline {
    /// Names and formulas in the lesson.
    pub mentions: Vec<Mention>,
    /// Positions of the headings of the steps.
    pub steps: Vec<LineColumn>,
    /// Ids of all cells, including those with errors.
    pub cell_ids: Vec<String>,
    /// Positions of the values of its inventory, by keys such as `question[2].choices[0].reply`.
    pub inventory: Vec<(String, LineColumn)>,
    /// Lines that come from other files. All positions in the outline and in cells refer to
    /// the combined text.
    pub parts: IncludedParts,
    /// Whether parsing stopped early, which a finding explains. Anything that seems to be
    /// missing may exist.
    pub incomplete: bool,
}

/// A name or formula with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Position in the combined text.
    pub at: LineColumn,
    pub place: OutlinePlace,
    pub what: MentionKind,
    /// Change of the page before the text is read. `None` for the initial state of the step.
    pub after: Option<Arc<PageChange>>,
}

/// Part of a lesson's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutlinePlace {
    /// Front matter, introduction or stage.
    #[default]
    Intro,
    /// A step, by its index.
    Step(usize),
    Notes,
    Glossary,
}

/// A name or formula that can be wrong although its syntax is right.
#[derive(Clone, Debug, PartialEq)]
pub enum MentionKind {
    /// `rig` of the front matter.
    Rig(String),
    /// A slug in `needs`.
    Need(String),
    /// Name of a parameter of the lesson, where it is defined.
    OwnParam(String),
    /// Name of a driven parameter of the rig, with its formula.
    Drive {
        drive: Drive,
        /// Position of the formula.
        formula_at: LineColumn,
    },
    Link {
        text: String,
        target: LinkTarget,
        /// Position of the target after the kind and its colon.
        target_at: LineColumn,
    },
    /// An entry of a `set` block or link.
    Set(Setting),
    /// Id of a cell in `hide` or `only`.
    StageCell(String),
    /// Name of a parameter or a cell in `drag` or `watch`.
    Part(String),
    /// Name of a parameter in `sways`.
    Sways(String),
    /// A claim about the prose, as a formula.
    Claim {
        claim: Box<Claim>,
        /// Positions of the values of its keys.
        keys: Vec<(String, LineColumn)>,
    },
    /// A formula in LaTeX.
    Math(String),
    /// Name of a listing that is a whole program.
    Listing(String),
    Cell {
        kind: Box<CellKind>,
        /// Positions of the values of its keys: `lines[0].expr`, `show[2]`.
        keys: Vec<(String, LineColumn)>,
    },
}

// Included files. As in mdBook, a line `{{#include ../parts/frames.md}}` is replaced by the lines
// of that file. The texts are combined before parsing, and positions are mapped back for
// messages.

const INCLUDE_START: &str = "{{#include";
const INCLUDE_END: &str = "}}";

/// Lines of a combined text that come from other files. Empty for a text without any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IncludedParts {
    /// Path of the including text, relative to the folder of the course.
    text: String,
    /// Included files in the order of the text.
    parts: Vec<IncludedPart>,
}

#[derive(Clone, Debug, PartialEq)]
struct IncludedPart {
    /// Path relative to the folder of the course.
    file: String,
    /// First line in the combined text, from 1.
    first_line: usize,
    /// Number of lines in the combined text.
    lines: usize,
}

impl IncludedParts {
    /// Paths of the included files, relative to the folder of the course. A file that is
    /// included twice is listed twice.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.file.as_str())
    }

    /// Maps a position in the combined text to the file where it was written.
    pub fn written_at(&self, place: Place) -> Place {
        match place {
            Place::Text { file, at } if file == self.text => {
                let (file, line) = self.source_line(at.line);
                Place::text(file, LineColumn { line, ..at })
            }
            other => other,
        }
    }

    /// Maps a line of `file` to a line of the combined text. Returns `None` if the text does
    /// not include the file. If it does so twice, returns the first line.
    pub fn line_of(&self, file: &str, line: usize) -> Option<usize> {
        if file == self.text {
            let added: usize = self
                .parts
                .iter()
                .take_while(|part| self.source_line(part.first_line - 1).1 < line)
                .map(|part| part.lines - 1)
                .sum();
            return Some(line + added);
        }
        let part = self.parts.iter().find(|part| part.file == file)?;
        Some(part.first_line + line - 1)
    }

    /// File and line of a line of the combined text.
    fn source_line(&self, line: usize) -> (&str, usize) {
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

/// Inserts the included files into the text of a lesson. If a file cannot be included, its
/// line stays empty, and a finding is reported there.
pub(super) fn insert_parts(
    folder: &str,
    text: &str,
    files: &CourseFiles,
) -> (String, IncludedParts, Vec<Diagnostic>) {
    let mut parts = IncludedParts { text: format!("{folder}/lesson.md"), parts: Vec::new() };
    if !text.contains(INCLUDE_START) {
        return (text.to_owned(), parts, Vec::new());
    }
    let mut findings = Vec::new();
    let mut whole = String::with_capacity(text.len());
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        let Some(name) = included_name(line) else {
            // `\{{#include` is an escaped line.
            let unescaped =
                line.trim_start().strip_prefix('\\').filter(|rest| included_name(rest).is_some());
            whole.push_str(unescaped.unwrap_or(line));
            whole.push('\n');
            lines += 1;
            continue;
        };
        match read_part(folder, name, files) {
            Ok((file, part)) if whole.len() + part.len() <= MAX_BYTES => {
                let count = part.lines().count().max(1);
                whole.push_str(part.trim_end_matches('\n'));
                parts.parts.push(IncludedPart { file, first_line: lines + 1, lines: count });
                lines += count;
            }
            result => {
                let error = result.err().unwrap_or_else(|| {
                    let expected = format!("at most {MAX_BYTES} bytes with all parts");
                    Diagnostic::expected(expected, "more").help("write two lessons")
                });
                let at = LineColumn { line: index + 1, column: line.find(name).unwrap_or(0) + 1 };
                findings.push(error.at(Place::text(&parts.text, at)));
                lines += 1;
            }
        }
        whole.push('\n');
    }
    (whole, parts, findings)
}

/// Returns the name of the file that a line includes, or `None` for any other line.
fn included_name(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix(INCLUDE_START)?;
    let name = rest.strip_suffix(INCLUDE_END)?;
    (name.starts_with(' ') && !name.contains(INCLUDE_END)).then(|| name.trim())
}

/// Reads an included file. Returns its path relative to the folder of the course, and its
/// text.
fn read_part(
    folder: &str,
    name: &str,
    files: &CourseFiles,
) -> Result<(String, String), Diagnostic> {
    // `..` can only lead to the folder of the course, and not beyond it.
    let file = match name.strip_prefix("../") {
        Some(beside) => beside.to_owned(),
        None => format!("{folder}/{name}"),
    };
    let bytes = files.read(&file).map_err(|error| {
        error.help("write {{#include part.md}} for a file of the lesson’s folder, or {{#include ../parts/part.md}} for one beside the lessons")
    })?;
    let text = std::str::from_utf8(&bytes).ok().ok_or_else(|| {
        let error = Diagnostic::expected("text in UTF-8", "other bytes");
        error.help(format!("save {name} as UTF-8"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.lines().any(|line| included_name(line).is_some()) {
        let error = Diagnostic::expected("a part without parts", "another {{#include … }}");
        return Err(error.help("include both in lesson.md, one after the other"));
    }
    let text = text.replace("\r\n", "\n");
    // The line of the include itself ends the text.
    Ok((file, text.trim_end_matches('\n').to_owned()))
}

// Pictures of a lesson.

/// Reads the pictures in the cells of a lesson, also for their copies in the outline, which
/// the content check uses. `read` returns the bytes of a file in the folder of the lesson.
/// Errors become findings of the lesson, one per file, where it is first named.
pub fn read_picture_files(
    lesson: &mut Lesson,
    outline: &mut LessonOutline,
    read: &dyn Fn(&str) -> FileBytes,
) {
    let text = format!("{}/lesson.md", lesson.folder);
    let mut known: BTreeMap<String, Option<PictureContent>> = BTreeMap::new();
    let mut findings = Vec::new();
    // The outline mentions all cells in the order of the text, with their positions.
    for mention in &mut outline.mentions {
        let MentionKind::Cell { kind, keys } = &mut mention.what else {
            continue;
        };
        let CellKind::Picture(picture) = &mut **kind else {
            continue;
        };
        for (key, file) in picture.files_mut() {
            let at = keys.iter().find(|(name, _)| name == key).map_or(mention.at, |&(_, at)| at);
            let name = &file.name;
            let content = known.entry(name.clone()).or_insert_with(|| {
                let at = Place::text(&text, at);
                read_picture(name, read).map_err(|error| findings.push(error.at(at))).ok()
            });
            file.content.clone_from(content);
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

fn read_picture(
    name: &str,
    read: &dyn Fn(&str) -> FileBytes,
) -> Result<PictureContent, Diagnostic> {
    PictureContent::of_file(read(name)?).map_err(|error| {
        let title = format!("`{name}` cannot be shown: {}", error.sentence());
        error.title(title)
    })
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
    fn includes_files_and_maps_positions_back() {
        let text = "a\n{{#include ../parts/two.md}}\nb\n  {{#include own.md}}\n\
            {{#include ../parts/none.md}}\nc\n";
        let (whole, parts, findings) = insert_parts("10-a", text, &files());
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
    fn escaped_and_inline_includes_are_text() {
        let text = "see {{#include a}} there\n\\{{#include own.md}}\n{{#includes own.md}}\n";
        let (whole, parts, findings) = insert_parts("10-a", text, &files());
        assert_eq!(findings, []);
        assert_eq!(whole, text.replace('\\', ""));
        assert_eq!(parts.files().count(), 0);
    }

    #[test]
    fn reports_failed_includes_at_their_line() {
        for (name, expected) in [
            ("gone.md", "no file"),
            ("../../lesson.md", "below the folder"),
            ("/etc/passwd", "below the folder"),
            ("../parts/round.md", "a part without parts"),
            ("../parts/odd.md", "UTF-8"),
        ] {
            let text = format!("a\n{{{{#include {name}}}}}\nb\n");
            let (whole, _, findings) = insert_parts("10-a", &text, &files());
            assert_eq!(whole, "a\n\nb\n", "{name}");
            let [error] = &findings[..] else {
                panic!("{name}: {findings:?}");
            };
            assert!(error.sentence().contains(expected), "{error}");
            let place = Place::text("10-a/lesson.md", LineColumn { line: 2, column: 12 });
            assert_eq!(error.at, place);
        }
    }

    #[test]
    fn rejects_parts_that_are_too_long_together() {
        let long = "x".repeat(MAX_BYTES / 2);
        let files =
            CourseFiles::in_memory([("10-a/long.md".to_owned(), long.into_bytes().into())].into());
        let text = "{{#include long.md}}\n".repeat(1000);
        let (whole, _, findings) = insert_parts("10-a", &text, &files);
        assert!(whole.len() < MAX_BYTES + 1000, "{}", whole.len());
        assert!(findings.len() >= 998, "{}", findings.len());
    }

    const LESSON: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n\n\
        ![Two rings](a.png)\n\n![The same](a.png)\n\n\
        ```picture\nfile = \"a.png\"\nalt = \"Three.\"\ndark = \"b.png\"\n```\n";

    #[test]
    fn reads_each_file_once_and_reports_it_where_it_is_named() {
        let mut png = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(4, 3).write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = png.into_inner();
        let (mut lesson, mut outline) = parse_outlined("20-x", LESSON, "");
        assert_eq!(lesson.findings, []);
        let asked = std::cell::RefCell::new(Vec::new());
        read_picture_files(&mut lesson, &mut outline, &|name| {
            asked.borrow_mut().push(name.to_owned());
            match name {
                "a.png" => Ok(png.clone().into()),
                _ => Ok(b"GIF".as_slice().into()),
            }
        });
        assert_eq!(asked.into_inner(), ["a.png", "b.png"]);
        let sizes: Vec<_> = lesson
            .cells()
            .filter_map(|cell| match &cell.kind {
                CellKind::Picture(picture) => picture.file.content.as_ref(),
                _ => None,
            })
            .map(|content| content.size)
            .collect();
        assert_eq!(sizes, [[4.0, 3.0]; 3]);
        let [error] = &lesson.findings[..] else {
            panic!("{:?}", lesson.findings);
        };
        let said = error.to_string();
        assert!(said.starts_with("20-x/lesson.md:15:8:"), "{said}");
        assert!(said.contains("`b.png` cannot be shown"), "{said}");
    }

    #[test]
    fn reports_a_missing_file_once() {
        let (mut lesson, mut outline) = parse_outlined("20-x", LESSON, "");
        read_picture_files(&mut lesson, &mut outline, &|name| {
            Err(Diagnostic::said("MISSING", format!("no {name}")))
        });
        let codes: Vec<_> = lesson.findings.iter().map(|error| error.code).collect();
        assert_eq!(codes, ["MISSING"; 2]);
        let first = lesson.findings[0].to_string();
        assert!(first.starts_with("20-x/lesson.md:8:14:"), "{first}");
    }
}
