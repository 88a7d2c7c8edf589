//! The container of a model: header and chunks of a GLB, and the JSON text in them.
//!
//! Reading continues after a fault where it can, so that one fault does not hide the others.
//! Unambiguous mistakes are reported and read as intended.

use bindpose_gltf::decoding::json::JsonText;
use bindpose_gltf::decoding::schema::leave_out_minus_ones;
use bindpose_gltf::decoding::values::{get_strings, quoted};
use bindpose_gltf::decoding::{ANIMATION_POINTER, CONVERT_GLTF_1, foreign, point_to_nodes};
use bindpose_gltf::{Glb, GlbChunk};
use serde_json::Value;

use super::catalog as fault;
use super::findings::Findings;

/// The parts of a file, as far as it can be read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunks<'a> {
    pub(super) json: Option<&'a [u8]>,
    pub(super) bin: Option<&'a [u8]>,
    pub(super) is_glb: bool,
}

/// Splits a GLB into its chunks. A file of JSON alone is one chunk.
pub(super) fn split_chunks<'a>(bytes: &'a [u8], findings: &mut Findings) -> Chunks<'a> {
    if let Some(file) = foreign(bytes) {
        findings.add(&fault::NOT_GLTF, "").help(file.remedy).expected("a glTF model", file.what);
        return Chunks::default();
    }
    if let Some(glb) = Glb::of(bytes) {
        return split_glb(bytes, &glb, findings);
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    // 0xEF begins a byte order mark, which `json_text` reports.
    if matches!(first, Some(b'{' | b'[' | 0xEF)) {
        return Chunks { json: Some(bytes), ..Chunks::default() };
    }
    let begins = match bytes.len() {
        0 => "an empty file".to_owned(),
        length => format!("{length} bytes that begin with {}", hex(&bytes[..length.min(4)])),
    };
    findings.add(&fault::NOT_GLTF, "").expected("the letters glTF (67 6C 54 46), or {", begins);
    Chunks::default()
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}

fn chunk_name(chunk: &GlbChunk) -> String {
    match &chunk.kind {
        b"JSON" => "JSON".to_owned(),
        b"BIN\0" => "BIN".to_owned(),
        kind => format!("0x{:08X}", u32::from_le_bytes(*kind)),
    }
}

fn split_glb<'a>(bytes: &'a [u8], glb: &Glb, findings: &mut Findings) -> Chunks<'a> {
    let mut chunks = Chunks { is_glb: true, ..Chunks::default() };
    let (Some(version), Some(length)) = (glb.version, glb.length) else {
        let shown = format!("{} bytes", bytes.len());
        findings.add(&fault::GLB_UNEXPECTED_END_OF_HEADER, "").expected("12 bytes", shown);
        return chunks;
    };
    if version == 1 {
        findings
            .add(&fault::GLB_INVALID_VERSION, "")
            .help(CONVERT_GLTF_1)
            .expected("2", "1, which is glTF 1.0");
        return chunks;
    }
    if version != 2 {
        findings.add(&fault::GLB_INVALID_VERSION, "").expected("2", version);
        return chunks;
    }
    let declared = length as usize;
    if declared < Glb::HEADER {
        findings.add(&fault::GLB_LENGTH_TOO_SMALL, "").expected("at least 12", length);
    } else if declared > bytes.len() {
        report_length_mismatch(bytes, declared, findings);
    }

    // Bytes after the declared end do not belong to the file.
    let limit = bytes.len().min(declared.max(Glb::HEADER + 1));
    let mut end = Glb::HEADER;
    for (index, chunk) in glb.chunks.iter().enumerate() {
        if chunk.start - Glb::CHUNK_HEADER >= limit {
            break;
        }
        let content = &bytes[chunk.range(bytes.len())];
        end = chunk.start.saturating_add(chunk.length);
        if end > declared {
            findings.add(&fault::GLB_CHUNK_TOO_BIG, "").expected(
                format_args!("at most {} bytes", declared.saturating_sub(chunk.start)),
                format_args!("{} bytes in the {} chunk", chunk.length, chunk_name(chunk)),
            );
        } else if !chunk.is_whole(bytes.len()) {
            findings.add(&fault::GLB_UNEXPECTED_END_OF_CHUNK_DATA, "").expected(
                format_args!("{} bytes of the {} chunk", chunk.length, chunk_name(chunk)),
                format_args!("{} bytes", content.len()),
            );
        }
        if chunk.length % 4 != 0 {
            findings.add(&fault::GLB_CHUNK_LENGTH_UNALIGNED, "").expected(
                "a multiple of 4",
                format_args!("{} bytes in the {} chunk", chunk.length, chunk_name(chunk)),
            );
        }
        add_chunk(index, chunk, content, &mut chunks, findings);
    }
    if end < limit {
        findings
            .add(&fault::GLB_UNEXPECTED_END_OF_CHUNK_HEADER, "")
            .expected("8 bytes of a chunk’s header", format_args!("{} bytes", bytes.len() - end));
        return chunks;
    }
    if declared >= Glb::HEADER && end > declared && declared < bytes.len() {
        report_length_mismatch(bytes, declared, findings);
    }
    if end == declared && end < bytes.len() {
        findings.add(&fault::GLB_EXTRA_DATA, "").expected(
            format_args!("{declared} bytes, as its header says"),
            format_args!("{} more behind them", bytes.len() - end),
        );
    }
    if glb.chunks.is_empty() {
        findings
            .add(&fault::GLB_UNEXPECTED_END_OF_CHUNK_HEADER, "")
            .expected("a JSON chunk", "the end of the file");
    }
    chunks
}

fn report_length_mismatch(bytes: &[u8], declared: usize, findings: &mut Findings) {
    findings.add(&fault::GLB_LENGTH_MISMATCH, "").expected(
        format_args!("{} bytes, as the file has", bytes.len()),
        format_args!("{declared} bytes in its header"),
    );
}

/// Stores the content of a chunk by its type, and checks its position.
fn add_chunk<'a>(
    index: usize,
    chunk: &GlbChunk,
    content: &'a [u8],
    chunks: &mut Chunks<'a>,
    findings: &mut Findings,
) {
    let name = chunk_name(chunk);
    if index == 0 && chunk.kind != *b"JSON" {
        findings.add(&fault::GLB_UNEXPECTED_FIRST_CHUNK, "").expected("a JSON chunk", &name);
    }
    let slot = match &chunk.kind {
        b"JSON" => &mut chunks.json,
        b"BIN\0" => &mut chunks.bin,
        _ => {
            findings.add(&fault::GLB_UNKNOWN_CHUNK_TYPE, "").expected("JSON or BIN", name);
            return;
        }
    };
    if slot.is_some() {
        findings
            .add(&fault::GLB_DUPLICATE_CHUNK, "")
            .expected(format_args!("one {name} chunk"), format_args!("another as chunk {index}"));
        return;
    }
    if content.is_empty() && chunk.kind == *b"JSON" {
        findings.add(&fault::GLB_EMPTY_CHUNK, "").expected("JSON", "0 bytes");
    }
    if chunk.kind == *b"BIN\0" && index > 1 {
        findings
            .add(&fault::GLB_UNEXPECTED_BIN_CHUNK, "")
            .expected("the BIN chunk as chunk 1", format_args!("as chunk {index}"));
    }
    *slot = Some(content);
}

/// Returns the text of the JSON without a byte order mark and padding zeros, which it reports.
pub(super) fn json_text<'a>(bytes: &'a [u8], findings: &mut Findings) -> &'a [u8] {
    let JsonText { text, has_mark, has_zeros } = JsonText::of(bytes);
    if has_mark {
        findings.add(&fault::BYTE_ORDER_MARK, "").expected("{ first", "EF BB BF before it");
    }
    if has_zeros {
        let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
        let shown = format!("{zeros} zeros at its end");
        findings.add(&fault::JSON_PADDED_WITH_ZEROS, "").expected("spaces, if anything", shown);
    }
    text
}

/// Removes indices of −1 and rewrites animation pointers to nodes as plain channels.
pub(super) fn normalize_json(root: &mut Value, findings: &mut Findings) {
    for pointer in leave_out_minus_ones(root) {
        findings
            .add(&fault::MINUS_ONE_FOR_NONE, pointer)
            .expected("no such property, for none", "−1");
    }
    let is_declared = get_strings(root, "extensionsUsed").contains(ANIMATION_POINTER);
    for channel in point_to_nodes(root) {
        if !channel.is_of_node {
            findings.add(&fault::CHANNEL_POINTS_ELSEWHERE, channel.at).expected(
                "the translation, rotation, scale or weights of a node",
                quoted(&channel.pointer),
            );
        } else if !is_declared {
            findings
                .add(
                    &fault::UNDECLARED_EXTENSION,
                    format!("{}/extensions/{ANIMATION_POINTER}", channel.at),
                )
                .expected("its name in /extensionsUsed", quoted(ANIMATION_POINTER));
        }
    }
}
