//! Texts of lessons that are not opened first: two thirds of what all lessons say. Their
//! place in the program's first part is blank, and the part for other pages brings them.
//! What they are called, what they take and need, and their steps by name stay, since a
//! list of lessons says so.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use wasmparser::{DataKind, Operator, Parser, Payload};

use super::module::{section, signed, unsigned};

const LESSON: &str = "lesson.md";
const TEXTS: [&str; 3] = [LESSON, "notes.md", "inventory.toml"];
/// A lesson's head stands between two of these.
const HEAD: &str = "+++\n";
const STEP: &str = "\n## ";
const DATA: u8 = 11;
const BLANK: u8 = b' ';

/// Text that is taken out of the program's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TakenText {
    /// Where it is in memory.
    address: usize,
    /// Where it stands in the file of the module.
    at: Range<usize>,
}

/// The texts below the folder `lessons`, but for those in the folders `kept`.
pub(super) fn read(lessons: &Path, kept: &[&str]) -> Result<Vec<(PathBuf, String)>, String> {
    let told = |why: std::io::Error| format!("{}: {why}", lessons.display());
    let mut texts = Vec::new();
    for folder in fs::read_dir(lessons).map_err(told)? {
        let folder = folder.map_err(told)?.path();
        if kept.iter().any(|kept| folder.ends_with(kept)) {
            continue;
        }
        for file in TEXTS.map(|name| folder.join(name)) {
            texts.extend(fs::read_to_string(&file).ok().map(|text| (file, text)));
        }
    }
    Ok(texts)
}

/// What of these texts is taken out of the module `bytes`.
///
/// Errors: one does not stand in the module.
pub(super) fn of(bytes: &[u8], texts: &[(PathBuf, String)]) -> Result<Vec<TakenText>, String> {
    let data = data(bytes)?;
    let mut taken = Vec::new();
    for (file, text) in texts {
        let found = data.iter().find_map(|(address, at)| {
            let offset = find(&bytes[at.clone()], text.as_bytes())?;
            Some((address + offset, at.start + offset))
        });
        let (address, at) =
            found.ok_or_else(|| format!("{}: not in the program", file.display()))?;
        let all = 0..text.len();
        let blanks = if file.ends_with(LESSON) { bodies(text) } else { Vec::from([all]) };
        taken.extend(blanks.into_iter().map(|blank| TakenText {
            address: address + blank.start,
            at: at + blank.start..at + blank.end,
        }));
    }
    taken.sort_by_key(|text| text.address);
    Ok(taken)
}

/// All of a lesson's text but its head and the headings of its steps, each with the line
/// break before it.
fn bodies(text: &str) -> Vec<Range<usize>> {
    let head = text.strip_prefix(HEAD).and_then(|rest| Some(rest.find(HEAD)? + 2 * HEAD.len()));
    let mut from = head.unwrap_or(0);
    let mut bodies = Vec::new();
    let mut fenced = false;
    let start = from.saturating_sub(1);
    for (at, _) in text[start..].match_indices('\n') {
        let at = start + at;
        let line = &text[at..];
        fenced ^= line[1..].starts_with("```");
        if !fenced && line.starts_with(STEP) {
            bodies.push(from..at);
            from = at + 1 + line[1..].find('\n').map_or(line.len() - 1, |length| length + 1);
        }
    }
    bodies.push(from..text.len());
    bodies.retain(|body| !body.is_empty());
    bodies
}

/// JavaScript that takes them out of the memory of the program `wasm`.
pub(super) fn script(taken: &[TakenText]) -> String {
    let places: Vec<_> = taken.iter().map(|text| [text.address, text.at.len()]).collect();
    format!(
        "for (const [at, length] of {places:?}) \
         new Uint8Array(wasm.memory.buffer, at, length).fill({BLANK});"
    )
}

/// The module `program` without the texts, and the module `part` with them: they come into
/// memory as it is joined. `part` has no data of its own.
pub(super) fn moved(
    program: &[u8],
    part: &[u8],
    taken: &[TakenText],
) -> Result<(Vec<u8>, Vec<u8>), String> {
    if !data(part)?.is_empty() {
        return Err("wasm-split gives a part data: see xtask/src/web/lesson_texts.rs".to_owned());
    }
    let mut without = program.to_vec();
    let mut segments = unsigned(taken.len());
    for text in taken {
        let bytes = &mut without[text.at.clone()];
        // Active, in the first memory, at a constant.
        segments.extend([0, 0x41]);
        segments.extend(signed(text.address));
        segments.push(0x0b);
        segments.extend(unsigned(bytes.len()));
        segments.extend(&*bytes);
        bytes.fill(BLANK);
    }
    Ok((without, [part, &section(DATA, &segments)].concat()))
}

/// The data of a module, by where it comes to be in memory.
fn data(bytes: &[u8]) -> Result<BTreeMap<usize, Range<usize>>, String> {
    let mut found = BTreeMap::new();
    for payload in Parser::new(0).parse_all(bytes) {
        let Payload::DataSection(segments) = payload.map_err(|why| why.to_string())? else {
            continue;
        };
        for segment in segments {
            let segment = segment.map_err(|why| why.to_string())?;
            let DataKind::Active { offset_expr, .. } = segment.kind else { continue };
            let offset = offset_expr.get_operators_reader().read();
            if let Ok(Operator::I32Const { value }) = offset {
                let end = segment.range.end;
                found.insert(value as usize, end - segment.data.len()..end);
            }
        }
    }
    Ok(found)
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len().max(1)).position(|part| part == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "+++\ntitle = \"T\"\n+++\nWords.\n\n## One\n\n```glsl\n## none\n```\n## Two\nEnd.\n";

    /// With a memory, and data at 1024.
    fn module(data_bytes: &[u8]) -> Vec<u8> {
        let mut segment = vec![1, 0, 0x41];
        segment.extend(signed(1024));
        segment.push(0x0b);
        segment.extend(unsigned(data_bytes.len()));
        segment.extend(data_bytes);
        let memory = section(5, &[1, 0, 1]);
        [b"\0asm\x01\0\0\0".as_slice(), &memory, &section(DATA, &segment)].concat()
    }

    #[test]
    fn of_a_lesson_its_head_and_headings_stay() {
        let mut text = TEXT.as_bytes().to_vec();
        bodies(TEXT).into_iter().for_each(|body| text[body].fill(BLANK));
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.len(), TEXT.len());
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, ["+++", "title = \"T\"", "+++", "## One", "## Two"]);
        assert!(text.contains("\n## One\n") && text.contains("\n## Two\n"));
    }

    #[test]
    fn texts_go_from_the_program_to_the_part_and_come_back_to_their_place() {
        let text = |file: &str, text: &str| (PathBuf::from(file), text.to_owned());
        let texts = [text("20-b/lesson.md", TEXT), text("20-b/notes.md", "of the second")];
        let memory = [b"..of the first..", TEXT.as_bytes(), b"of the second.."].concat();
        let program = module(&memory);
        let taken = of(&program, &texts).unwrap();
        let part = b"\0asm\x01\0\0\0";
        let (without, with) = moved(&program, part, &taken).unwrap();
        assert_eq!(without.len(), program.len());
        let holds = |bytes: &[u8], text: &str| find(bytes, text.as_bytes()).is_some();
        assert!(holds(&without, "of the first") && holds(&without, "\n## Two\n"));
        assert!(!holds(&without, "of the second") && !holds(&without, "Words."));
        // As an engine does it when the part is joined.
        let mut joined = without[data(&without).unwrap()[&1024].clone()].to_vec();
        for (address, at) in data(&with).unwrap() {
            joined[address - 1024..][..at.len()].copy_from_slice(&with[at]);
        }
        assert_eq!(joined, memory);
        assert!(script(&taken).contains("fill(32)"));
        assert!(of(&module(b"another"), &texts).unwrap_err().contains("20-b"));
    }
}
