//! Moves the texts of lessons that are not opened first, two thirds of all texts, from the first
//! part of the program to the part for other pages. They are blank in the first part. Front matter
//! and headings of steps stay, because lists of lessons show them.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use wasmparser::{DataKind, Operator, Parser, Payload};

use super::module::{section, signed, unsigned};

#[path = "../../../crates/lesson/src/site_folder.rs"]
mod site_folder;

use site_folder::site_folder;

const LESSON_FILE: &str = "lesson.md";
const TEXT_FILES: [&str; 3] = [LESSON_FILE, "notes.md", "inventory.toml"];
/// Line before and after the front matter of a lesson.
const FRONT_MATTER_FENCE: &str = "+++\n";
/// Beginning of a step, after the previous line.
const STEP_HEADING: &str = "\n## ";
/// Kind of the data section of a module.
const DATA_SECTION: u8 = 11;
const BLANK: u8 = b' ';

/// Text that is moved out of the program's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TakenText {
    /// Address in memory.
    address: usize,
    /// Range in the file of the module.
    file_range: Range<usize>,
}

/// Data of a module, as ranges of the file by their addresses in memory.
type DataSegments = BTreeMap<usize, Range<usize>>;

/// Reads the texts of lessons, except those of the lessons `kept`, which are named as in
/// addresses: `20-bind-pose` for the folder `020-bind-pose`. Fails if one of these is missing.
pub(super) fn read_texts(lessons: &Path, kept: &[&str]) -> Result<Vec<(PathBuf, String)>, String> {
    let mut texts = Vec::new();
    let mut kept_count = 0;
    let folders = fs::read_dir(lessons).map_err(|error| folder_error(lessons, &error))?;
    for folder in folders {
        let folder = folder.map_err(|error| folder_error(lessons, &error))?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if kept.contains(&site_folder(&name)) {
            kept_count += 1;
            continue;
        }
        for file in TEXT_FILES.map(|name| folder.join(name)) {
            texts.extend(fs::read_to_string(&file).ok().map(|text| (file, text)));
        }
    }
    if kept_count < kept.len() {
        return Err(format!("{}: not all of {kept:?} are there", lessons.display()));
    }
    Ok(texts)
}

fn folder_error(folder: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", folder.display())
}

/// Finds the parts of texts that are moved out of a module.
///
/// # Errors
///
/// A message if a text is not in the data of the module.
pub(super) fn find_taken_texts(
    module: &[u8],
    texts: &[(PathBuf, String)],
) -> Result<Vec<TakenText>, String> {
    let segments = read_data(module)?;
    let mut taken = Vec::new();
    for (file, text) in texts {
        let (address, start) = segments
            .iter()
            .find_map(|(address, range)| {
                let offset = find(&module[range.clone()], text.as_bytes())?;
                Some((address + offset, range.start + offset))
            })
            .ok_or_else(|| format!("{}: not in the program", file.display()))?;
        let blanks = if file.ends_with(LESSON_FILE) {
            find_bodies(text)
        } else {
            std::iter::once(0..text.len()).collect()
        };
        taken.extend(blanks.into_iter().map(|blank| TakenText {
            address: address + blank.start,
            file_range: start + blank.start..start + blank.end,
        }));
    }
    taken.sort_by_key(|text| text.address);
    Ok(taken)
}

/// Finds the text of a lesson without its front matter and the headings of its steps, each with the
/// line break before it.
fn find_bodies(text: &str) -> Vec<Range<usize>> {
    let mut body_start = text
        .strip_prefix(FRONT_MATTER_FENCE)
        .and_then(|rest| Some(rest.find(FRONT_MATTER_FENCE)? + 2 * FRONT_MATTER_FENCE.len()))
        .unwrap_or(0);
    let mut bodies = Vec::new();
    let mut is_fenced = false;
    let search_start = body_start.saturating_sub(1);
    for (offset, _) in text[search_start..].match_indices('\n') {
        let line_break = search_start + offset;
        let line = &text[line_break..];
        is_fenced ^= line[1..].starts_with("```");
        if !is_fenced && line.starts_with(STEP_HEADING) {
            bodies.push(body_start..line_break);
            let heading_length = line[1..].find('\n').map_or(line.len() - 1, |length| length + 1);
            body_start = line_break + 1 + heading_length;
        }
    }
    bodies.push(body_start..text.len());
    bodies.retain(|body| !body.is_empty());
    bodies
}

/// Returns JavaScript that blanks the texts in the memory of the program `wasm`.
pub(super) fn blanking_script(taken: &[TakenText]) -> String {
    let places: Vec<_> = taken.iter().map(|text| [text.address, text.file_range.len()]).collect();
    format!(
        "for (const [at, length] of {places:?}) \
         new Uint8Array(wasm.memory.buffer, at, length).fill({BLANK});"
    )
}

/// Returns the module `program` without the texts, and the module `part` with them. The texts are
/// copied to memory when the part is joined. `part` has no data of its own.
pub(super) fn move_texts(
    program: &[u8],
    part: &[u8],
    taken: &[TakenText],
) -> Result<(Vec<u8>, Vec<u8>), String> {
    if !read_data(part)?.is_empty() {
        return Err("wasm-split gives a part data: see xtask/src/web/lesson_texts.rs".to_owned());
    }
    let mut blanked_program = program.to_vec();
    let mut segments = unsigned(taken.len());
    for text in taken {
        let bytes = &mut blanked_program[text.file_range.clone()];
        // An active segment, in the first memory, at a constant address.
        segments.extend([0, 0x41]);
        segments.extend(signed(text.address));
        segments.push(0x0b);
        segments.extend(unsigned(bytes.len()));
        segments.extend(&*bytes);
        bytes.fill(BLANK);
    }
    Ok((blanked_program, [part, &section(DATA_SECTION, &segments)].concat()))
}

fn read_data(module: &[u8]) -> Result<DataSegments, String> {
    let mut ranges = DataSegments::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::DataSection(segments) = payload.map_err(|error| error.to_string())? else {
            continue;
        };
        for segment in segments {
            let segment = segment.map_err(|error| error.to_string())?;
            let DataKind::Active { offset_expr, .. } = segment.kind else { continue };
            let offset = offset_expr.get_operators_reader().read();
            if let Ok(Operator::I32Const { value }) = offset {
                let end = segment.range.end;
                ranges.insert(value as usize, end - segment.data.len()..end);
            }
        }
    }
    Ok(ranges)
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len().max(1)).position(|part| part == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "+++\ntitle = \"T\"\n+++\nWords.\n\n## One\n\n```glsl\n## none\n```\n## Two\nEnd.\n";

    /// Makes a module with a memory, and data at 1024.
    fn module(data_bytes: &[u8]) -> Vec<u8> {
        let mut segment = vec![1, 0, 0x41];
        segment.extend(signed(1024));
        segment.push(0x0b);
        segment.extend(unsigned(data_bytes.len()));
        segment.extend(data_bytes);
        let memory = section(5, &[1, 0, 1]);
        [b"\0asm\x01\0\0\0".as_slice(), &memory, &section(DATA_SECTION, &segment)].concat()
    }

    fn contains(bytes: &[u8], text: &str) -> bool {
        find(bytes, text.as_bytes()).is_some()
    }

    #[test]
    fn front_matter_and_headings_stay() {
        let mut text = TEXT.as_bytes().to_vec();
        for body in find_bodies(TEXT) {
            text[body].fill(BLANK);
        }
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.len(), TEXT.len());
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["+++", "title = \"T\"", "+++", "## One", "## Two"]);
        assert!(text.contains("\n## One\n") && text.contains("\n## Two\n"));
    }

    #[test]
    fn moved_texts_return_to_their_address() {
        let texts = [("20-b/lesson.md", TEXT), ("20-b/notes.md", "of the second")]
            .map(|(file, text)| (PathBuf::from(file), text.to_owned()));
        let memory = [b"..of the first..", TEXT.as_bytes(), b"of the second.."].concat();
        let program = module(&memory);
        let taken = find_taken_texts(&program, &texts).unwrap();
        let part = b"\0asm\x01\0\0\0";
        let (without, with) = move_texts(&program, part, &taken).unwrap();
        assert_eq!(without.len(), program.len());
        assert!(contains(&without, "of the first") && contains(&without, "\n## Two\n"));
        assert!(!contains(&without, "of the second") && !contains(&without, "Words."));
        // Copies the data as an engine does when the part is joined.
        let mut joined = without[read_data(&without).unwrap()[&1024].clone()].to_vec();
        for (address, range) in read_data(&with).unwrap() {
            joined[address - 1024..][..range.len()].copy_from_slice(&with[range]);
        }
        assert_eq!(joined, memory);
        assert!(blanking_script(&taken).contains("fill(32)"));
        assert!(find_taken_texts(&module(b"another"), &texts).unwrap_err().contains("20-b"));
    }
}
