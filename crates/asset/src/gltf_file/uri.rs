//! Where the bytes behind a URI are: in the URI itself, as base64 mostly, or in a file
//! beside the model (RFC 3986, RFC 2397).

use percent_encoding::percent_decode_str;
#[cfg(not(target_arch = "wasm32"))]
use unicode_normalization::UnicodeNormalization as _;

/// What a URI stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UriTarget {
    /// Embedded data, decoded.
    Data(Vec<u8>),
    /// A file at or below the model's folder, by relative path with `/`.
    File(String),
    /// Something elsewhere.
    Elsewhere,
    /// Nothing: not a URI; in words why.
    Broken(&'static str),
}

impl UriTarget {
    pub(crate) fn of(uri: &str) -> Self {
        match uri.strip_prefix("data:") {
            Some(data) => embedded(data),
            None => file(uri),
        }
    }

    /// As [`Self::of`], but `None` for embedded data, which is not decoded.
    pub(crate) fn of_file(uri: &str) -> Option<Self> {
        (!uri.starts_with("data:")).then(|| file(uri))
    }
}

fn file(uri: &str) -> UriTarget {
    if has_scheme(uri) {
        return UriTarget::Elsewhere;
    }
    let slashes = uri.replace('\\', "/");
    // A % that begins no code stays as it is.
    let Ok(path) = percent_decode_str(&slashes).decode_utf8() else {
        return UriTarget::Broken("its percent codes are no UTF-8");
    };
    let leads_out = path.contains(['\0', '\\', ':'])
        || path.starts_with('/')
        || path.split('/').any(|part| part == "..");
    if leads_out {
        return UriTarget::Elsewhere;
    }
    let parts = path.split('/').filter(|part| !["", "."].contains(part));
    let relative = parts.collect::<Vec<_>>().join("/");
    if relative.is_empty() {
        return UriTarget::Broken("the name is empty");
    }
    UriTarget::File(relative)
}

/// Is there a % that begins no code of two hexadecimal digits (RFC 3986, section 2.1)?
pub(crate) fn has_bare_percent(uri: &str) -> bool {
    let is_code = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    !uri.split('%').skip(1).all(is_code)
}

/// Are these one name to a reader, though their letters may be composed otherwise (ö, or
/// o and two dots), or capitals in one of them?
pub fn same_letters(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        return one.eq_ignore_ascii_case(other);
    }
    composed(one).to_lowercase() == composed(other).to_lowercase()
}

/// With the fewest characters (Unicode's normal form C).
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// The browser brings the tables.
#[cfg(target_arch = "wasm32")]
pub(crate) fn composed(name: &str) -> String {
    js_sys::JsString::from(name).normalize("NFC").into()
}

/// `http:`, `file:`, `c:`.
fn has_scheme(uri: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(letters)
    })
}

/// Base64 where the URI says so, text with percent signs otherwise.
fn embedded(data: &str) -> UriTarget {
    let Some((head, body)) = data.split_once(',') else {
        return UriTarget::Broken("there is no comma before the data");
    };
    let (kind, is_base64) = match head.strip_suffix(";base64") {
        Some(kind) => (kind, true),
        None => (head, false),
    };
    // After the media type come parameters, each a name and a value.
    if kind.split(';').skip(1).any(|part| !part.contains('=')) {
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

/// Bytes as a data URI.
pub(crate) fn data_uri(bytes: &[u8]) -> String {
    let mut uri = "data:application/octet-stream;base64,".to_owned();
    push_base64(&mut uri, bytes);
    uri
}

/// The bytes that base64 stands for, with or without its padding; `None` for
/// letters that it does not have (RFC 4648, section 4).
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
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

/// Six bits a character, as data in addresses is written: what `base64` reads.
pub fn base64_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    push_base64(&mut text, bytes);
    text
}

fn push_base64(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
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
    fn data_comes_back_as_it_went_out() {
        for length in 0..9 {
            let bytes: Vec<u8> =
                (0..length).map(|x: u8| x.wrapping_mul(41).wrapping_add(7)).collect();
            assert_eq!(UriTarget::of(&data_uri(&bytes)), UriTarget::Data(bytes));
        }
    }

    #[test]
    fn broken_uris_say_why_and_others_stay_below_the_folder() {
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
    fn names_are_the_same_however_their_letters_are_composed_or_capitals() {
        assert!(same_letters("K\u{f6}rper.bin", "Ko\u{308}rper.bin"));
        assert!(same_letters("Skin.PNG", "skin.png"));
        assert!(!same_letters("Korper.bin", "K\u{f6}rper.bin"));
        assert_eq!(composed("Ko\u{308}rper"), "K\u{f6}rper");
    }

    #[test]
    fn what_is_written_as_base64_is_read_back() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64_text(bytes.as_bytes()), text);
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()));
        }
    }
}
