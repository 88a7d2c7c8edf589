//! Resolves URIs to embedded data, usually base64, or to files beside the model (RFC 3986,
//! RFC 2397).

use percent_encoding::percent_decode_str;
#[cfg(not(target_arch = "wasm32"))]
use unicode_normalization::UnicodeNormalization as _;

/// Target of a URI in a glTF file.
#[derive(Debug, PartialEq, Eq)]
pub enum UriTarget {
    /// Embedded data, decoded.
    Data(Vec<u8>),
    /// A file in the model's folder or below it, by relative path with `/`.
    File(String),
    /// A location outside of the model's folder, which is never accessed.
    Elsewhere,
    /// An invalid URI, with the reason.
    Broken(&'static str),
}

impl UriTarget {
    /// Resolves a URI. Never accesses the file system.
    pub fn of(uri: &str) -> Self {
        match uri.strip_prefix("data:") {
            Some(data) => decode_data(data),
            None => resolve_file(uri),
        }
    }

    /// Like [`Self::of`], but returns `None` for embedded data, without decoding it.
    pub fn of_file(uri: &str) -> Option<Self> {
        (!uri.starts_with("data:")).then(|| resolve_file(uri))
    }
}

fn resolve_file(uri: &str) -> UriTarget {
    if has_scheme(uri) {
        return UriTarget::Elsewhere;
    }
    let slashes = uri.replace('\\', "/");
    // A % without two hexadecimal digits is taken literally.
    let Ok(path) = percent_decode_str(&slashes).decode_utf8() else {
        return UriTarget::Broken("its percent codes are no UTF-8");
    };
    let leaves_folder = path.contains(['\0', '\\', ':'])
        || path.starts_with('/')
        || path.split('/').any(|part| part == "..");
    if leaves_folder {
        return UriTarget::Elsewhere;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !["", "."].contains(part)).collect();
    if parts.is_empty() {
        return UriTarget::Broken("the name is empty");
    }
    UriTarget::File(parts.join("/"))
}

/// Returns whether a % is not followed by two hexadecimal digits (RFC 3986, section 2.1).
pub fn has_bare_percent(uri: &str) -> bool {
    uri.split('%').skip(1).any(|rest| {
        let digits = rest.as_bytes().get(..2);
        !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Returns whether two names are equal except for case and Unicode composition. An ö can be
/// one character, or an o followed by a combining diaeresis.
pub fn same_letters(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        return one.eq_ignore_ascii_case(other);
    }
    composed(one).to_lowercase() == composed(other).to_lowercase()
}

/// Converts to Unicode's normalization form C.
#[cfg(not(target_arch = "wasm32"))]
pub fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Converts to Unicode's normalization form C. The browser has the tables for it.
#[cfg(target_arch = "wasm32")]
pub fn composed(name: &str) -> String {
    js_sys::JsString::from(name).normalize("NFC").into()
}

/// Returns whether a URI begins with a scheme such as `http:`, or with a drive letter.
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Decodes a data URI, without its scheme: base64, or text with percent codes.
fn decode_data(data: &str) -> UriTarget {
    let Some((head, body)) = data.split_once(',') else {
        return UriTarget::Broken("there is no comma before the data");
    };
    let (media_type, is_base64) = match head.strip_suffix(";base64") {
        Some(media_type) => (media_type, true),
        None => (head, false),
    };
    // Parameters of the media type have the form `name=value`.
    if media_type.split(';').skip(1).any(|parameter| !parameter.contains('=')) {
        return UriTarget::Broken("there is a semicolon too many before the data");
    }
    if !is_base64 {
        return UriTarget::Data(percent_decode_str(body).collect());
    }
    match base64(body) {
        Some(bytes) => UriTarget::Data(bytes),
        None => UriTarget::Broken("the data holds letters that base64 does not have"),
    }
}

/// Encodes bytes as a data URI.
pub fn data_uri(bytes: &[u8]) -> String {
    let mut uri = "data:application/octet-stream;base64,".to_owned();
    push_base64(&mut uri, bytes);
    uri
}

/// Decodes base64, with or without padding (RFC 4648, section 4). Returns `None` if there is
/// a character outside of the alphabet.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut pending = 0_u32;
    let mut pending_bits = 0_u32;
    for character in text.trim_end_matches('=').bytes() {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        pending = (pending << 6 | u32::from(value)) & 0xFFFF;
        pending_bits += 6;
        if pending_bits >= 8 {
            pending_bits -= 8;
            bytes.push((pending >> pending_bits) as u8);
        }
    }
    Some(bytes)
}

/// Encodes bytes as base64, with padding (RFC 4648, section 4).
pub fn base64_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    push_base64(&mut text, bytes);
    text
}

fn push_base64(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [a, b, c] = std::array::from_fn(|i| u32::from(chunk.get(i).copied().unwrap_or(0)));
        let bits = a << 16 | b << 8 | c;
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            let is_padding = digit > chunk.len();
            out.push(if is_padding { '=' } else { char::from(DIGITS[value as usize]) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris_are_decoded_unchanged() {
        for length in 0..9 {
            let bytes: Vec<u8> =
                (0..length).map(|x: u8| x.wrapping_mul(41).wrapping_add(7)).collect();
            assert_eq!(UriTarget::of(&data_uri(&bytes)), UriTarget::Data(bytes));
        }
    }

    #[test]
    fn invalid_and_outside_uris_are_rejected() {
        for broken in [
            "data:application/octet-stream;;base64,AA==",
            "data:x;base64,*",
            "data:x;base64,-_",
            "data:",
            "a%FF",
            "",
            "./",
        ] {
            assert!(matches!(UriTarget::of(broken), UriTarget::Broken(_)), "{broken}");
        }
        for elsewhere in [
            "http://a.b/c.bin",
            "../x",
            "..\\x",
            "a/%2e%2e/x",
            "/x",
            "\\\\server\\x",
            "file:///x",
            "c:\\x",
            "%5cx",
        ] {
            assert_eq!(UriTarget::of(elsewhere), UriTarget::Elsewhere, "{elsewhere}");
        }
        assert_eq!(UriTarget::of("./a%20b//c.bin"), UriTarget::File("a b/c.bin".into()));
        for (odd, path) in
            [("a 10%.bin", "a 10%.bin"), ("a%2", "a%2"), ("a%20%", "a %"), ("b\\c.png", "b/c.png")]
        {
            assert_eq!(UriTarget::of(odd), UriTarget::File(path.into()), "{odd}");
            assert_eq!(has_bare_percent(odd), path.contains('%'), "{odd}");
        }
        let plain = UriTarget::of("data:application/octet-stream;charset=x,a%00%FF%2C");
        assert_eq!(plain, UriTarget::Data(b"a\0\xFF,".to_vec()));
    }

    #[test]
    fn names_are_compared_without_case_and_composition() {
        assert!(same_letters("K\u{f6}rper.bin", "Ko\u{308}rper.bin"));
        assert!(same_letters("Skin.PNG", "skin.png"));
        assert!(!same_letters("Korper.bin", "K\u{f6}rper.bin"));
        assert_eq!(composed("Ko\u{308}rper"), "K\u{f6}rper");
    }

    #[test]
    fn base64_matches_the_examples_of_its_rfc() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64_text(bytes.as_bytes()), text);
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()));
        }
    }
}
