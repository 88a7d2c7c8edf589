//! How a file is read, in a link: `reading=stride-ignored`,
//! `bytes.BUFFER.OFFSET=0000803f`.

use std::fmt::Write as _;

use crate::asset::Rig;
use crate::notebook::Document;
use crate::notebook::file_bytes::put_bytes;

pub(super) fn write(document: &Document, begin: &Document, put: &mut impl FnMut(&str, String)) {
    if document.state.reading != begin.state.reading {
        put("reading", document.state.reading.key().to_owned());
    }
    for (buffer, offset, bytes) in document.state.bytes.runs() {
        let mut hex = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            let _ = write!(hex, "{byte:02x}");
        }
        put(&format!("bytes.{buffer}.{offset}"), hex);
    }
}

/// `place` is what follows `bytes.`; what is expected comes back as an error.
pub(super) fn read(
    place: &str,
    value: &str,
    document: &mut Document,
    rig: &Rig,
) -> Result<(), String> {
    let (buffer, offset) = place
        .split_once('.')
        .and_then(|(buffer, offset)| Some((buffer.parse().ok()?, offset.parse().ok()?)))
        .ok_or_else(|| "bytes.buffer.offset, as in bytes.0.48=0000803f".to_owned())?;
    let bytes = hex(value).ok_or_else(|| "two hexadecimal digits for each byte".to_owned())?;
    put_bytes(document, rig, buffer, offset, &bytes).map_err(|refused| refused.0)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).ok()?;
            let plain = pair.bytes().all(|digit| digit.is_ascii_hexdigit());
            plain.then(|| u8::from_str_radix(pair, 16).ok()).flatten()
        })
        .collect()
}
