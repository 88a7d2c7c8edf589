//! Buffers, images and buffer views: whether their bytes are available.

use std::borrow::Cow;

use bindpose_gltf::decoding::values::{get_list, get_str, get_usize, quoted};
use bindpose_gltf::decoding::{MAX_BUFFER_BYTES, composed, foreign, has_bare_percent};
use bindpose_gltf::{ModelSource, UriTarget};
use serde_json::Value;

use super::catalog as fault;
use super::document::RawDocument;
use super::findings::Findings;

const BUFFER_MEDIA_TYPES: [&str; 2] = ["application/octet-stream", "application/gltf-buffer"];

/// Loads the bytes of every buffer. `None` for buffers whose bytes are not available.
pub(super) fn fetch_buffers<'a>(
    root: &Value,
    bin: Option<&'a [u8]>,
    is_glb: bool,
    source: &'a ModelSource,
    findings: &mut Findings,
) -> Vec<Option<Cow<'a, [u8]>>> {
    let mut total_bytes = 0_usize;
    let mut buffers = Vec::new();
    for (index, buffer) in get_list(root, "buffers").iter().enumerate() {
        let pointer = format!("/buffers/{index}");
        let bytes = if let Some(uri) = get_str(buffer, "uri") {
            let pointer = format!("{pointer}/uri");
            examine_data_uri(uri, is_glb, &pointer, findings);
            examine_file_name(uri, &pointer, source, findings);
            fetch_target(UriTarget::of(uri), uri, &pointer, source, findings)
        } else if index == 0 && is_glb {
            if bin.is_none() {
                findings
                    .add(&fault::BUFFER_MISSING_GLB_DATA, pointer.as_str())
                    .expected("a BIN chunk", "nothing");
            }
            bin.map(Cow::Borrowed)
        } else {
            None
        };
        total_bytes = total_bytes.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        let bytes = bytes.filter(|_| total_bytes <= MAX_BUFFER_BYTES);
        if let Some(bytes) = &bytes
            && let Some(declared) = get_usize(buffer, "byteLength")
        {
            examine_length(buffer, bytes, declared, &pointer, findings);
        }
        buffers.push(bytes);
    }
    buffers
}

fn examine_length(
    buffer: &Value,
    bytes: &[u8],
    declared: usize,
    pointer: &str,
    findings: &mut Findings,
) {
    // A BIN chunk is padded to a multiple of 4.
    if buffer.get("uri").is_none() && bytes.len() > declared.saturating_add(3) {
        findings.add(&fault::BUFFER_GLB_CHUNK_TOO_BIG, pointer).expected(
            format_args!("a BIN chunk of {declared} bytes, as byteLength says"),
            format_args!("{} bytes", bytes.len()),
        );
    }
    if bytes.len() < declared {
        let kind = foreign(bytes);
        let what = kind.map_or(String::new(), |file| format!(": {}", file.what));
        findings
            .add(&fault::BUFFER_BYTE_LENGTH_MISMATCH, pointer)
            .help(kind.map_or("", |file| file.remedy))
            .expected(
                format_args!("{declared} bytes, as byteLength says"),
                format_args!("{} bytes{what}", bytes.len()),
            );
    }
}

/// Checks the media type of a data URI, and that a GLB has none.
fn examine_data_uri(uri: &str, is_glb: bool, pointer: &str, findings: &mut Findings) {
    let Some(data) = uri.strip_prefix("data:") else {
        return;
    };
    let media_type = data.split([';', ',']).next().unwrap_or_default();
    if !BUFFER_MEDIA_TYPES.iter().any(|known| known.eq_ignore_ascii_case(media_type)) {
        findings
            .add(&fault::BUFFER_DATA_URI_MIME_TYPE_INVALID, pointer)
            .expected(BUFFER_MEDIA_TYPES.join(" or "), quoted(media_type));
    }
    if is_glb {
        findings.add(&fault::DATA_URI_GLB, pointer).expected("the BIN chunk", "data as text");
    }
}

/// Checks how a URI writes the name of a file, and whether the file has exactly that name.
fn examine_file_name(uri: &str, pointer: &str, source: &ModelSource, findings: &mut Findings) {
    let Some(UriTarget::File(path)) = UriTarget::of_file(uri) else {
        return;
    };
    if has_bare_percent(uri) {
        findings.add(&fault::URI_WITH_BARE_PERCENT, pointer).expected("%25 for %", quoted(uri));
    }
    if uri.contains('\\') {
        findings
            .add(&fault::URI_WITH_BACKSLASH, pointer)
            .expected("/ between folders", quoted(uri));
    }
    if let Some((name, _)) = source.beside_as(&path)
        && *name != path
    {
        let how = if composed(name) == composed(&path) {
            "whose letters are composed otherwise (ö as one character, or as o and two dots)"
        } else {
            "with other capitals"
        };
        findings
            .add(&fault::FILE_NAME_DIFFERS, pointer)
            .expected(quoted(&path), format_args!("{}, {how}", quoted(name)));
    }
}

/// Checks that the files of images are available. Does not look at their contents.
pub(super) fn examine_images(doc: &RawDocument<'_>, source: &ModelSource, findings: &mut Findings) {
    for (index, image) in doc.entries("images") {
        if let Some(uri) = get_str(image, "uri")
            && let Some(file) = UriTarget::of_file(uri)
        {
            let pointer = format!("/images/{index}/uri");
            examine_file_name(uri, &pointer, source, findings);
            fetch_target(file, uri, &pointer, source, findings);
        }
    }
}

/// Returns the bytes that a URI refers to, or reports why there are none.
fn fetch_target<'a>(
    target: UriTarget,
    uri: &str,
    pointer: &str,
    source: &'a ModelSource,
    findings: &mut Findings,
) -> Option<Cow<'a, [u8]>> {
    match target {
        UriTarget::Data(bytes) => Some(Cow::Owned(bytes)),
        UriTarget::File(path) => {
            let bytes = source.beside(&path);
            if bytes.is_none() {
                findings
                    .add(&fault::IO_ERROR, pointer)
                    .expected("a file beside the model", quoted(&path));
            }
            bytes.map(|bytes| Cow::Borrowed(bytes.as_ref()))
        }
        UriTarget::Elsewhere => {
            findings
                .add(&fault::NON_RELATIVE_URI, pointer)
                .expected("a file in the model’s own folder, by its name", quoted(uri));
            findings
                .add(&fault::IO_ERROR, pointer)
                .expected("a file that can be read", quoted(uri));
            None
        }
        UriTarget::Broken(why) => {
            findings.add(&fault::INVALID_URI, pointer).expected(
                "embedded data, or the name of a file",
                format_args!("{}: {why}", quoted(uri)),
            );
            None
        }
    }
}

/// Checks that buffer views lie within their buffers.
pub(super) fn examine_views(doc: &RawDocument<'_>, findings: &mut Findings) {
    for (index, view) in doc.entries("bufferViews") {
        let pointer = format!("/bufferViews/{index}");
        let Some(length) = get_usize(view, "byteLength") else {
            continue;
        };
        let offset = get_usize(view, "byteOffset").unwrap_or(0);
        if let Some(buffer_index) = get_usize(view, "buffer")
            && let Some(buffer) = doc.get("buffers", buffer_index)
        {
            // A buffer without a URI is legal if an extension fills it.
            if view.get("extensions").is_none()
                && buffer.is_object()
                && buffer.get("uri").is_none()
                && doc.buffers[buffer_index].is_none()
            {
                findings
                    .add(&fault::BUFFER_WITHOUT_URI, format_args!("/buffers/{buffer_index}"))
                    .expected(
                        "a URI",
                        format_args!("nothing, and buffer view {index} refers to it"),
                    );
            }
            if let Some(declared) = get_usize(buffer, "byteLength")
                && offset.checked_add(length).is_none_or(|end| end > declared)
            {
                findings
                    .add(&fault::BUFFER_VIEW_TOO_LONG, format_args!("{pointer}/byteLength"))
                    .expected(
                        format_args!("an end within the {declared} bytes of buffer {buffer_index}"),
                        format_args!("{length} bytes from {offset}"),
                    );
            }
        }
        if let Some(stride) = get_usize(view, "byteStride")
            && stride > length
        {
            findings
                .add(&fault::BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, format_args!("{pointer}/byteStride"))
                .expected(format_args!("at most the view’s {length} bytes"), stride);
        }
    }
}
