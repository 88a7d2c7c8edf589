//! Buffers, pictures and buffer views: are the bytes there?

use std::borrow::Cow;

use serde_json::Value;

use super::catalog as fault;
use super::doc::{Doc, list, text, whole};
use super::findings::{Findings, quoted};
use crate::ModelSource;
use crate::foreign::foreign;
use crate::gltf_file::{MOST_BUFFER_BYTES, UriTarget, composed, has_bare_percent};

/// Media types of buffers.
const BUFFER_TYPES: [&str; 2] = ["application/octet-stream", "application/gltf-buffer"];

/// The bytes of every buffer, where they are to be had.
pub(super) fn fetch_buffers<'a>(
    root: &Value,
    bin: Option<&'a [u8]>,
    is_glb: bool,
    source: &'a ModelSource,
    found: &mut Findings,
) -> Vec<Option<Cow<'a, [u8]>>> {
    let mut total = 0_usize;
    let mut buffers = Vec::new();
    for (index, buffer) in list(root, "buffers").iter().enumerate() {
        let pointer = format!("/buffers/{index}");
        let bytes = match text(buffer, "uri") {
            Some(uri) => {
                let pointer = format!("{pointer}/uri");
                embedded(uri, is_glb, &pointer, found);
                file_name(uri, &pointer, source, found);
                target(UriTarget::of(uri), uri, &pointer, source, found)
            }
            None => from_chunk(index, bin, is_glb, &pointer, found).map(Cow::Borrowed),
        };
        total = total.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        buffers.push(bytes.filter(|_| total <= MOST_BUFFER_BYTES));
        let (Some(Some(bytes)), Some(declared)) = (buffers.last(), whole(buffer, "byteLength"))
        else {
            continue;
        };
        // The chunk itself is padded to a multiple of 4.
        if buffer.get("uri").is_none() && bytes.len() > declared.saturating_add(3) {
            found.add(&fault::BUFFER_GLB_CHUNK_TOO_BIG, pointer.as_str()).expected(
                format_args!("a BIN chunk of {declared} bytes, as byteLength says"),
                format_args!("{} bytes", bytes.len()),
            );
        }
        if bytes.len() < declared {
            let kind = foreign(bytes);
            let what = kind.map_or(String::new(), |file| format!(": {}", file.what));
            found
                .add(&fault::BUFFER_BYTE_LENGTH_MISMATCH, pointer)
                .help(kind.map_or("", |file| file.remedy))
                .expected(
                    format_args!("{declared} bytes, as byteLength says"),
                    format_args!("{} bytes{what}", bytes.len()),
                );
        }
    }
    buffers
}

/// What is odd about data that stands in its URI.
fn embedded(uri: &str, is_glb: bool, pointer: &str, found: &mut Findings) {
    let Some(data) = uri.strip_prefix("data:") else {
        return;
    };
    let kind = data.split([';', ',']).next().unwrap_or_default();
    if !BUFFER_TYPES.iter().any(|one| one.eq_ignore_ascii_case(kind)) {
        let fault = &fault::BUFFER_DATA_URI_MIME_TYPE_INVALID;
        found.add(fault, pointer).expected(BUFFER_TYPES.join(" or "), quoted(kind));
    }
    if is_glb {
        found.add(&fault::DATA_URI_GLB, pointer).expected("the BIN chunk", "data as text");
    }
}

/// The name of a file beside the model: how it is written, and whether it is the file’s.
fn file_name(uri: &str, at: &str, source: &ModelSource, found: &mut Findings) {
    let Some(UriTarget::File(path)) = UriTarget::of_file(uri) else {
        return;
    };
    if has_bare_percent(uri) {
        found.add(&fault::URI_WITH_BARE_PERCENT, at).expected("%25 for %", quoted(uri));
    }
    if uri.contains('\\') {
        found.add(&fault::URI_WITH_BACKSLASH, at).expected("/ between folders", quoted(uri));
    }
    let file = source.beside_as(&path).map(|(name, _)| name);
    if let Some(name) = file.filter(|name| *name != path) {
        let how = if composed(name) == composed(&path) {
            "whose letters are composed otherwise (ö as one character, or as o and two dots)"
        } else {
            "with other capitals"
        };
        found
            .add(&fault::FILE_NAME_DIFFERS, at)
            .expected(quoted(&path), format_args!("{}, {how}", quoted(name)));
    }
}

/// Files that pictures are in. What is in them is not looked at.
pub(super) fn examine_pictures(doc: &Doc<'_>, source: &ModelSource, found: &mut Findings) {
    for (index, image) in doc.each("images") {
        if let Some(uri) = text(image, "uri")
            && let Some(file) = UriTarget::of_file(uri)
        {
            let pointer = format!("/images/{index}/uri");
            file_name(uri, &pointer, source, found);
            target(file, uri, &pointer, source, found);
        }
    }
}

fn target<'a>(
    target: UriTarget,
    uri: &str,
    pointer: &str,
    source: &'a ModelSource,
    found: &mut Findings,
) -> Option<Cow<'a, [u8]>> {
    match target {
        UriTarget::Data(bytes) => Some(Cow::Owned(bytes)),
        UriTarget::File(path) => {
            let bytes = source.beside(&path);
            if bytes.is_none() {
                let expected = "a file beside the model";
                found.add(&fault::IO_ERROR, pointer).expected(expected, quoted(&path));
            }
            bytes.map(|bytes| Cow::Borrowed(bytes.as_ref()))
        }
        UriTarget::Elsewhere => {
            let expected = "a file in the model’s own folder, by its name";
            found.add(&fault::NON_RELATIVE_URI, pointer).expected(expected, quoted(uri));
            found.add(&fault::IO_ERROR, pointer).expected("a file that can be read", quoted(uri));
            None
        }
        UriTarget::Broken(why) => {
            let expected = "embedded data, or the name of a file";
            let shown = format!("{}: {why}", quoted(uri));
            found.add(&fault::INVALID_URI, pointer).expected(expected, shown);
            None
        }
    }
}

fn from_chunk<'a>(
    index: usize,
    bin: Option<&'a [u8]>,
    is_glb: bool,
    pointer: &str,
    found: &mut Findings,
) -> Option<&'a [u8]> {
    if index != 0 || !is_glb {
        return None;
    }
    if bin.is_none() {
        found.add(&fault::BUFFER_MISSING_GLB_DATA, pointer).expected("a BIN chunk", "nothing");
    }
    bin
}

/// Views against their buffers.
pub(super) fn examine_views(doc: &Doc<'_>, found: &mut Findings) {
    for (index, view) in doc.each("bufferViews") {
        let pointer = format!("/bufferViews/{index}");
        let Some(length) = whole(view, "byteLength") else {
            continue;
        };
        let offset = whole(view, "byteOffset").unwrap_or(0);
        let buffer = whole(view, "buffer");
        let declared = buffer
            .and_then(|buffer| doc.one("buffers", buffer))
            .and_then(|buffer| whole(buffer, "byteLength"));
        // A buffer without data is a place that an extension fills.
        if let Some(buffer) = buffer
            && view.get("extensions").is_none()
            && doc
                .one("buffers", buffer)
                .is_some_and(|one| one.is_object() && one.get("uri").is_none())
            && doc.buffers[buffer].is_none()
        {
            let at = format!("/buffers/{buffer}");
            let shown = format!("nothing, and buffer view {index} refers to it");
            found.add(&fault::BUFFER_WITHOUT_URI, at).expected("a URI", shown);
        }
        if let (Some(buffer), Some(declared)) = (buffer, declared)
            && offset.checked_add(length).is_none_or(|end| end > declared)
        {
            found.add(&fault::BUFFER_VIEW_TOO_LONG, format_args!("{pointer}/byteLength")).expected(
                format_args!("an end within the {declared} bytes of buffer {buffer}"),
                format_args!("{length} bytes from {offset}"),
            );
        }
        if let Some(stride) = whole(view, "byteStride")
            && stride > length
        {
            found
                .add(&fault::BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, format_args!("{pointer}/byteStride"))
                .expected(format_args!("at most the view’s {length} bytes"), stride);
        }
    }
}
