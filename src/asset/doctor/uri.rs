//! Where a buffer's bytes are: embedded, or in a file beside the model.

use std::borrow::Cow;

/// What a URI stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stands<'a> {
    /// Embedded data, decoded.
    Data(Vec<u8>),
    /// A file at or below the model's folder, by relative path.
    File(Cow<'a, str>),
    /// Something elsewhere.
    Elsewhere,
    /// Nothing: not a URI; in words why.
    Broken(&'static str),
}

/// Reads a URI (RFC 3986, RFC 2397).
pub(super) fn read(uri: &str) -> Stands<'_> {
    if let Some(data) = uri.strip_prefix("data:") {
        return embedded(data);
    }
    if has_scheme(uri) || uri.starts_with('/') || uri.contains('\\') {
        return Stands::Elsewhere;
    }
    let Some(path) = percent_decoded(uri) else {
        return Stands::Broken("% must be followed by two hexadecimal digits");
    };
    if path.is_empty() {
        return Stands::Broken("the name is empty");
    }
    if path.contains(['\0', '\\', ':']) || path.starts_with('/') {
        return Stands::Elsewhere;
    }
    if path.split('/').any(|part| part == "..") {
        return Stands::Elsewhere;
    }
    Stands::File(path)
}

/// `http:`, `file:`, `c:`.
fn has_scheme(uri: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(letters)
    })
}

fn embedded(data: &str) -> Stands<'_> {
    let Some((head, body)) = data.split_once(',') else {
        return Stands::Broken("there is no comma before the data");
    };
    let Some(kind) = head.strip_suffix(";base64") else {
        return Stands::Broken("the data must be base64");
    };
    // After the media type come parameters, each a name and a value.
    if kind.split(';').skip(1).any(|part| !part.contains('=')) {
        return Stands::Broken("there is a semicolon too many before the data");
    }
    match base64(body) {
        Some(bytes) => Stands::Data(bytes),
        None => Stands::Broken("the data holds letters that base64 does not have"),
    }
}

fn percent_decoded(uri: &str) -> Option<Cow<'_, str>> {
    if !uri.contains('%') {
        return Some(Cow::Borrowed(uri));
    }
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = tail.get(2..)?;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut held, mut bits) = (0_u32, 0_u32);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
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

/// Bytes as a data URI.
pub(super) fn data_uri(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut uri = "data:application/octet-stream;base64,".to_owned();
    uri.reserve(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let held = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(held >> (18 - 6 * place) & 63) as usize];
            uri.push(if place <= three.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_comes_back_as_it_went_out() {
        for length in 0..9 {
            let bytes: Vec<u8> = (0..length).map(|x| x * 41 + 7).collect();
            assert_eq!(read(&data_uri(&bytes)), Stands::Data(bytes));
        }
    }

    #[test]
    fn broken_uris_say_why_and_others_stay_below_the_folder() {
        for broken in [
            "data:application/octet-stream;;base64,AA==",
            "data:x,abc",
            "data:x;base64,*",
            "data:",
            "a%2",
            "",
        ] {
            assert!(matches!(read(broken), Stands::Broken(_)), "{broken}");
        }
        for elsewhere in [
            "http://a.b/c.bin",
            "../x",
            "a/%2e%2e/x",
            "/x",
            "c:\\x",
            "%5cx",
        ] {
            assert_eq!(read(elsewhere), Stands::Elsewhere, "{elsewhere}");
        }
        assert_eq!(read("a%20b/c.bin"), Stands::File("a b/c.bin".into()));
    }
}
