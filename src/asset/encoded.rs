//! Bytes and names as text in files: base64 and percent signs.

use percent_encoding::percent_decode_str;

/// `%20` and the like as what they stand for; `None` where they are damaged
/// (RFC 3986, section 2.1).
pub(super) fn percent_decoded(uri: &str) -> Option<String> {
    let whole = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    let decoded = percent_decode_str(uri).decode_utf8().ok()?;
    uri.split('%')
        .skip(1)
        .all(whole)
        .then(|| decoded.into_owned())
}

/// The bytes that base64 stands for, with or without its padding; `None` for
/// letters that it does not have (RFC 4648, section 4).
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0_u32);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(value)) & 0xFFFF;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    Some(bytes)
}
