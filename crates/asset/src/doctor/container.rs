//! A file down to its JSON: the header and chunks of a GLB, and the text in them. Reads
//! on where it can, so that one fault does not hide the rest; what is said otherwise than
//! it should be, though it is clear what is meant, is told and read as it is meant.

use serde_json::Value;

use super::catalog as fault;
use super::findings::{Findings, quoted};
use super::schema::leave_out_minus_ones;
use crate::foreign::foreign;
use crate::gltf_file::json::JsonText;
use crate::gltf_file::{ANIMATION_POINTER, CONVERT_GLTF_1, Glb, GlbChunk, point_to_nodes};

/// A file taken apart, as far as it goes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunks<'a> {
    pub(super) json: Option<&'a [u8]>,
    pub(super) bin: Option<&'a [u8]>,
    pub(super) is_glb: bool,
}

/// Takes a file apart: a GLB, or JSON by itself.
pub(super) fn chunks<'a>(bytes: &'a [u8], found: &mut Findings) -> Chunks<'a> {
    if let Some(file) = foreign(bytes) {
        found.add(&fault::NOT_GLTF, "").help(file.remedy).expected("a glTF model", file.what);
        return Chunks::default();
    }
    if let Some(frame) = Glb::of(bytes) {
        return glb(bytes, &frame, found);
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    // A byte order mark is told of later.
    if matches!(first, Some(b'{' | b'[' | 0xEF)) {
        return Chunks { json: Some(bytes), ..Chunks::default() };
    }
    let begins = match bytes.len() {
        0 => "an empty file".to_owned(),
        length => format!("{length} bytes that begin with {}", hex(&bytes[..length.min(4)])),
    };
    found.add(&fault::NOT_GLTF, "").expected("the letters glTF (67 6C 54 46), or {", begins);
    Chunks::default()
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}

fn name(chunk: &GlbChunk) -> String {
    match &chunk.kind {
        b"JSON" => "JSON".to_owned(),
        b"BIN\0" => "BIN".to_owned(),
        kind => format!("0x{:08X}", u32::from_le_bytes(*kind)),
    }
}

fn glb<'a>(bytes: &'a [u8], frame: &Glb, found: &mut Findings) -> Chunks<'a> {
    let mut chunks = Chunks { is_glb: true, ..Chunks::default() };
    let (Some(version), Some(length)) = (frame.version, frame.length) else {
        let have = format!("{} bytes", bytes.len());
        found.add(&fault::GLB_UNEXPECTED_END_OF_HEADER, "").expected("12 bytes", have);
        return chunks;
    };
    if version == 1 {
        let first = found.add(&fault::GLB_INVALID_VERSION, "");
        first.help(CONVERT_GLTF_1).expected("2", "1, which is glTF 1.0");
        return chunks;
    }
    if version != 2 {
        found.add(&fault::GLB_INVALID_VERSION, "").expected("2", version);
        return chunks;
    }
    let declared = length as usize;
    if declared < Glb::HEADER {
        found.add(&fault::GLB_LENGTH_TOO_SMALL, "").expected("at least 12", length);
    } else if declared > bytes.len() {
        length_mismatch(bytes, declared, found);
    }
    read_chunks(bytes, frame, declared, &mut chunks, found);
    chunks
}

fn length_mismatch(bytes: &[u8], declared: usize, found: &mut Findings) {
    found.add(&fault::GLB_LENGTH_MISMATCH, "").expected(
        format_args!("{} bytes, as the file has", bytes.len()),
        format_args!("{declared} bytes in its header"),
    );
}

fn read_chunks<'a>(
    bytes: &'a [u8],
    frame: &Glb,
    declared: usize,
    chunks: &mut Chunks<'a>,
    found: &mut Findings,
) {
    // Behind the declared end nothing belongs to the file.
    let limit = bytes.len().min(declared.max(Glb::HEADER + 1));
    let inside = |chunk: &&GlbChunk| chunk.start - Glb::CHUNK_HEADER < limit;
    let mut at = Glb::HEADER;
    for (place, chunk) in frame.chunks.iter().take_while(inside).enumerate() {
        let content = &bytes[chunk.range(bytes.len())];
        at = chunk.start.saturating_add(chunk.length);
        if at > declared {
            found.add(&fault::GLB_CHUNK_TOO_BIG, "").expected(
                format_args!("at most {} bytes", declared.saturating_sub(chunk.start)),
                format_args!("{} bytes in the {} chunk", chunk.length, name(chunk)),
            );
        } else if !chunk.is_whole(bytes.len()) {
            found.add(&fault::GLB_UNEXPECTED_END_OF_CHUNK_DATA, "").expected(
                format_args!("{} bytes of the {} chunk", chunk.length, name(chunk)),
                format_args!("{} bytes", content.len()),
            );
        }
        if chunk.length % 4 != 0 {
            found.add(&fault::GLB_CHUNK_LENGTH_UNALIGNED, "").expected(
                "a multiple of 4",
                format_args!("{} bytes in the {} chunk", chunk.length, name(chunk)),
            );
        }
        place_chunk((place, chunk, content), chunks, found);
    }
    if at < limit {
        found
            .add(&fault::GLB_UNEXPECTED_END_OF_CHUNK_HEADER, "")
            .expected("8 bytes of a chunk’s header", format_args!("{} bytes", bytes.len() - at));
        return;
    }
    if declared >= Glb::HEADER && at > declared && declared < bytes.len() {
        length_mismatch(bytes, declared, found);
    }
    if at == declared && at < bytes.len() {
        found.add(&fault::GLB_EXTRA_DATA, "").expected(
            format_args!("{declared} bytes, as its header says"),
            format_args!("{} more behind them", bytes.len() - at),
        );
    }
    if frame.chunks.is_empty() {
        found
            .add(&fault::GLB_UNEXPECTED_END_OF_CHUNK_HEADER, "")
            .expected("a JSON chunk", "the end of the file");
    }
}

fn place_chunk<'a>(
    (place, chunk, content): (usize, &GlbChunk, &'a [u8]),
    chunks: &mut Chunks<'a>,
    found: &mut Findings,
) {
    if place == 0 && chunk.kind != *b"JSON" {
        found.add(&fault::GLB_UNEXPECTED_FIRST_CHUNK, "").expected("a JSON chunk", name(chunk));
    }
    let slot = match &chunk.kind {
        b"JSON" => &mut chunks.json,
        b"BIN\0" => &mut chunks.bin,
        _ => {
            found.add(&fault::GLB_UNKNOWN_CHUNK_TYPE, "").expected("JSON or BIN", name(chunk));
            return;
        }
    };
    if slot.is_some() {
        found.add(&fault::GLB_DUPLICATE_CHUNK, "").expected(
            format_args!("one {} chunk", name(chunk)),
            format_args!("another as chunk {place}"),
        );
        return;
    }
    if content.is_empty() && chunk.kind == *b"JSON" {
        found.add(&fault::GLB_EMPTY_CHUNK, "").expected("JSON", "0 bytes");
    }
    if chunk.kind == *b"BIN\0" && place > 1 {
        found
            .add(&fault::GLB_UNEXPECTED_BIN_CHUNK, "")
            .expected("the BIN chunk as chunk 1", format_args!("as chunk {place}"));
    }
    *slot = Some(content);
}

/// The text of the JSON without what does not belong to it.
pub(super) fn json_text<'a>(bytes: &'a [u8], found: &mut Findings) -> &'a [u8] {
    let JsonText { text, has_mark, has_zeros } = JsonText::of(bytes);
    if has_mark {
        found.add(&fault::BYTE_ORDER_MARK, "").expected("{ first", "EF BB BF before it");
    }
    if has_zeros {
        let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
        let shown = format!("{zeros} zeros at its end");
        found.add(&fault::JSON_PADDED_WITH_ZEROS, "").expected("spaces, if anything", shown);
    }
    text
}

/// The JSON without −1 for none, and with the channels of nodes that are pointers.
pub(super) fn read_as_meant(root: &mut Value, found: &mut Findings) {
    for at in leave_out_minus_ones(root) {
        found.add(&fault::MINUS_ONE_FOR_NONE, at).expected("no such property, for none", "−1");
    }
    let used = root.get("extensionsUsed").and_then(Value::as_array);
    let is_declared = used.is_some_and(|used| used.iter().any(|name| name == ANIMATION_POINTER));
    for channel in point_to_nodes(root) {
        if !channel.is_of_node {
            found.add(&fault::CHANNEL_POINTS_ELSEWHERE, channel.at).expected(
                "the translation, rotation, scale or weights of a node",
                quoted(&channel.pointer),
            );
        } else if !is_declared {
            let at = format!("{}/extensions/{ANIMATION_POINTER}", channel.at);
            let expected = "its name in /extensionsUsed";
            found
                .add(&fault::UNDECLARED_EXTENSION, at)
                .expected(expected, quoted(ANIMATION_POINTER));
        }
    }
}
