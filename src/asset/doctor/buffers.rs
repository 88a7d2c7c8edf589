//! Buffers and buffer views: are the bytes there?

use std::borrow::Cow;

use serde_json::Value;

use super::catalog::data as fault;
use super::doc::{Doc, list, text, whole};
use super::findings::{Findings, quoted};
use crate::asset::Source;
use crate::asset::gltf_file::UriTarget;

/// All buffers of a file together, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// The bytes of every buffer, where they are to be had.
pub(super) fn fetch<'a>(
    root: &Value,
    bin: Option<&'a [u8]>,
    is_glb: bool,
    source: &'a Source,
    found: &mut Findings,
) -> Vec<Option<Cow<'a, [u8]>>> {
    let mut total = 0_usize;
    let mut buffers = Vec::new();
    for (index, buffer) in list(root, "buffers").iter().enumerate() {
        let pointer = format!("/buffers/{index}");
        let bytes = match text(buffer, "uri") {
            Some(uri) => from_uri(uri, &format!("{pointer}/uri"), source, found),
            None => from_chunk(index, bin, is_glb, &pointer, found).map(Cow::Borrowed),
        };
        total = total.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        buffers.push(bytes.filter(|_| total <= MOST_BYTES));
        let (Some(Some(bytes)), Some(declared)) = (buffers.last(), whole(buffer, "byteLength"))
        else {
            continue;
        };
        if bytes.len() < declared {
            found.add(
                &fault::BUFFER_BYTE_LENGTH_MISMATCH,
                pointer,
                format!("{declared} bytes, as byteLength says"),
                format!("{} bytes", bytes.len()),
            );
        }
    }
    buffers
}

fn from_uri<'a>(
    uri: &str,
    pointer: &str,
    source: &'a Source,
    found: &mut Findings,
) -> Option<Cow<'a, [u8]>> {
    match UriTarget::of(uri) {
        UriTarget::Data(bytes) => Some(Cow::Owned(bytes)),
        UriTarget::File(path) => {
            let bytes = source.beside(&path);
            if bytes.is_none() {
                let expected = "a file beside the model";
                found.add(&fault::IO_ERROR, pointer, expected, quoted(&path));
            }
            bytes.map(|bytes| Cow::Borrowed(bytes.as_ref()))
        }
        UriTarget::Elsewhere => {
            let expected = "a file in the model’s own folder, by its name";
            found.add(&fault::NON_RELATIVE_URI, pointer, expected, quoted(uri));
            let expected = "a file that can be read";
            found.add(&fault::IO_ERROR, pointer, expected, quoted(uri));
            None
        }
        UriTarget::Broken(why) => {
            let expected = "embedded data, or the name of a file";
            let shown = format!("{}: {why}", quoted(uri));
            found.add(&fault::INVALID_URI, pointer, expected, shown);
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
    let (fault, expected) = match (index, bin) {
        (0, Some(bin)) => return Some(bin),
        (0, None) if is_glb => (&fault::BUFFER_MISSING_GLB_DATA, "a BIN chunk"),
        (_, _) if is_glb => (&fault::BUFFER_NON_FIRST_GLB, "a URI"),
        _ => (&fault::BUFFER_WITHOUT_URI, "a URI"),
    };
    found.add(fault, pointer, expected, "nothing");
    None
}

/// Views against their buffers.
pub(super) fn examine_views(doc: &Doc<'_>, found: &mut Findings) {
    for (index, view) in doc.list("bufferViews").iter().enumerate() {
        let pointer = format!("/bufferViews/{index}");
        let Some(length) = whole(view, "byteLength") else {
            continue;
        };
        let offset = whole(view, "byteOffset").unwrap_or(0);
        let buffer = whole(view, "buffer");
        let declared = buffer
            .and_then(|buffer| doc.one("buffers", buffer))
            .and_then(|buffer| whole(buffer, "byteLength"));
        if let (Some(buffer), Some(declared)) = (buffer, declared)
            && offset.checked_add(length).is_none_or(|end| end > declared)
        {
            found.add(
                &fault::BUFFER_VIEW_TOO_LONG,
                format!("{pointer}/byteLength"),
                format!("an end within the {declared} bytes of buffer {buffer}"),
                format!("{length} bytes from {offset}"),
            );
        }
        if let Some(stride) = whole(view, "byteStride")
            && stride > length
        {
            found.add(
                &fault::BUFFER_VIEW_TOO_BIG_BYTE_STRIDE,
                format!("{pointer}/byteStride"),
                format!("at most the view’s {length} bytes"),
                stride.to_string(),
            );
        }
    }
}
