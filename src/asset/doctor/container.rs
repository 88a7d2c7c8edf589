//! GLB: header and chunks. Reads on where it can, so that one fault does not
//! hide the rest.

use super::catalog::container as fault;
use super::findings::Findings;

const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// A file taken apart, as far as it goes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunks<'a> {
    pub(super) json: Option<&'a [u8]>,
    pub(super) bin: Option<&'a [u8]>,
    pub(super) is_glb: bool,
}

/// Takes a file apart: a GLB, or JSON by itself.
pub(super) fn chunks<'a>(bytes: &'a [u8], found: &mut Findings) -> Chunks<'a> {
    if bytes.starts_with(b"glTF") {
        return glb(bytes, found);
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    // A byte order mark is refused later, by the reader of JSON.
    if matches!(first, Some(b'{' | b'[' | 0xEF)) {
        return Chunks {
            json: Some(bytes),
            ..Chunks::default()
        };
    }
    let begins = match bytes.len() {
        0 => "an empty file".to_owned(),
        length => format!(
            "{length} bytes that begin with {}",
            hex(&bytes[..length.min(4)])
        ),
    };
    found.add(
        &fault::NOT_GLTF,
        "",
        "the letters glTF (67 6C 54 46), or {",
        begins,
    );
    Chunks::default()
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

fn name(kind: u32) -> String {
    match kind {
        JSON => "JSON".to_owned(),
        BIN => "BIN".to_owned(),
        _ => format!("0x{kind:08X}"),
    }
}

fn glb<'a>(bytes: &'a [u8], found: &mut Findings) -> Chunks<'a> {
    let mut chunks = Chunks {
        is_glb: true,
        ..Chunks::default()
    };
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        let have = format!("{} bytes", bytes.len());
        found.add(&fault::GLB_UNEXPECTED_END_OF_HEADER, "", "12 bytes", have);
        return chunks;
    };
    if version != 2 {
        found.add(&fault::GLB_INVALID_VERSION, "", "2", version);
        return chunks;
    }
    let declared = length as usize;
    if declared < HEADER {
        found.add(&fault::GLB_LENGTH_TOO_SMALL, "", "at least 12", length);
    } else if declared > bytes.len() {
        length_mismatch(bytes, declared, found);
    }
    read_chunks(bytes, declared, &mut chunks, found);
    chunks
}

fn length_mismatch(bytes: &[u8], declared: usize, found: &mut Findings) {
    found.add(
        &fault::GLB_LENGTH_MISMATCH,
        "",
        format_args!("{} bytes, as the file has", bytes.len()),
        format_args!("{declared} bytes in its header"),
    );
}

fn read_chunks<'a>(
    bytes: &'a [u8],
    declared: usize,
    chunks: &mut Chunks<'a>,
    found: &mut Findings,
) {
    let mut at = HEADER;
    let mut place = 0_usize;
    // Behind the declared end nothing belongs to the file.
    while at < bytes.len().min(declared.max(HEADER + 1)) {
        let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else {
            found.add(
                &fault::GLB_UNEXPECTED_END_OF_CHUNK_HEADER,
                "",
                "8 bytes of a chunk’s header",
                format_args!("{} bytes", bytes.len() - at),
            );
            return;
        };
        let from = at + CHUNK_HEADER;
        let end = from.saturating_add(length as usize);
        let content = &bytes[from..end.min(bytes.len())];
        if end > declared {
            found.add(
                &fault::GLB_CHUNK_TOO_BIG,
                "",
                format_args!("at most {} bytes", declared.saturating_sub(from)),
                format_args!("{length} bytes in the {} chunk", name(kind)),
            );
        } else if end > bytes.len() {
            found.add(
                &fault::GLB_UNEXPECTED_END_OF_CHUNK_DATA,
                "",
                format_args!("{length} bytes of the {} chunk", name(kind)),
                format_args!("{} bytes", content.len()),
            );
        }
        if length % 4 != 0 {
            found.add(
                &fault::GLB_CHUNK_LENGTH_UNALIGNED,
                "",
                "a multiple of 4",
                format_args!("{length} bytes in the {} chunk", name(kind)),
            );
        }
        place_chunk((place, kind, content), chunks, found);
        at = end;
        place += 1;
    }
    if declared >= HEADER && at > declared && declared < bytes.len() {
        length_mismatch(bytes, declared, found);
    }
    if at == declared && at < bytes.len() {
        found.add(
            &fault::GLB_EXTRA_DATA,
            "",
            format_args!("{declared} bytes, as its header says"),
            format_args!("{} more behind them", bytes.len() - at),
        );
    }
    if chunks.json.is_none() && place == 0 {
        found.add(
            &fault::GLB_UNEXPECTED_END_OF_CHUNK_HEADER,
            "",
            "a JSON chunk",
            "the end of the file",
        );
    }
}

fn place_chunk<'a>(
    (place, kind, content): (usize, u32, &'a [u8]),
    chunks: &mut Chunks<'a>,
    found: &mut Findings,
) {
    if place == 0 && kind != JSON {
        found.add(
            &fault::GLB_UNEXPECTED_FIRST_CHUNK,
            "",
            "a JSON chunk",
            name(kind),
        );
    }
    let slot = match kind {
        JSON => &mut chunks.json,
        BIN => &mut chunks.bin,
        _ => {
            found.add(
                &fault::GLB_UNKNOWN_CHUNK_TYPE,
                "",
                "JSON or BIN",
                name(kind),
            );
            return;
        }
    };
    if slot.is_some() {
        found.add(
            &fault::GLB_DUPLICATE_CHUNK,
            "",
            format_args!("one {} chunk", name(kind)),
            format_args!("another as chunk {place}"),
        );
        return;
    }
    if content.is_empty() && kind == JSON {
        found.add(&fault::GLB_EMPTY_CHUNK, "", "JSON", "0 bytes");
    }
    if kind == BIN && place > 1 {
        found.add(
            &fault::GLB_UNEXPECTED_BIN_CHUNK,
            "",
            "the BIN chunk as chunk 1",
            format_args!("as chunk {place}"),
        );
    }
    *slot = Some(content);
}
