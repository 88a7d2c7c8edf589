//! Where a buffer's bytes are: embedded, or in a file beside the model.

use percent_encoding::percent_decode_str;

use crate::asset::encoded::{base64, percent_decoded};

/// What a URI stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// Embedded data, decoded.
    Data(Vec<u8>),
    /// A file at or below the model's folder, by relative path.
    File(String),
    /// Something elsewhere.
    Elsewhere,
    /// Nothing: not a URI; in words why.
    Broken(&'static str),
}

/// Reads a URI (RFC 3986, RFC 2397).
pub(super) fn read(uri: &str) -> Stands {
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

fn embedded(data: &str) -> Stands {
    let Some((head, body)) = data.split_once(',') else {
        return Stands::Broken("there is no comma before the data");
    };
    let coded = head.strip_suffix(";base64");
    // After the media type come parameters, each a name and a value.
    let mut parameters = coded.unwrap_or(head).split(';').skip(1);
    if parameters.any(|part| !part.contains('=')) {
        return Stands::Broken("there is a semicolon too many before the data");
    }
    if coded.is_none() {
        return Stands::Data(percent_decode_str(body).collect());
    }
    match base64(body) {
        Some(bytes) => Stands::Data(bytes),
        None => Stands::Broken("the data holds letters that base64 does not have"),
    }
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
            let bytes: Vec<u8> = (0..length)
                .map(|x: u8| x.wrapping_mul(41).wrapping_add(7))
                .collect();
            assert_eq!(read(&data_uri(&bytes)), Stands::Data(bytes));
        }
    }

    #[test]
    fn data_may_be_written_without_base64() {
        let data = read("data:application/octet-stream;charset=x,a%00%FF%2C");
        assert_eq!(data, Stands::Data(b"a\0\xFF,".to_vec()));
    }

    #[test]
    fn broken_uris_say_why_and_others_stay_below_the_folder() {
        for broken in [
            "data:application/octet-stream;;base64,AA==",
            "data:x;base64,*",
            "data:x;base64,-_",
            "data:",
            "a%2",
            "a%+2",
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
