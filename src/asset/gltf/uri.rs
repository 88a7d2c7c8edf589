//! What a URI in a file stands for: embedded data, or a file beside the model.

use std::borrow::Cow;

use super::error::{GltfError, GltfErrorKind};

/// Answers with the content of a file beside the model, by relative path.
pub(in crate::asset) type Resolve<'a> = &'a dyn Fn(&str) -> Option<Cow<'a, [u8]>>;

/// The bytes behind a URI: a `data:` URI, or a file at or below the model's own
/// folder.
pub(super) fn from_uri<'a>(
    uri: &str,
    path: &str,
    resolve: Resolve<'a>,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let error = |kind, expected: &str, remedy: &str| {
        let shown: String = uri.chars().take(80).collect();
        GltfError::new(kind, path, expected, format_args!("“{shown}”"), remedy)
    };
    if let Some(rest) = uri.strip_prefix("data:") {
        return rest
            .split_once(',')
            .filter(|(head, _)| head.ends_with(";base64"))
            .and_then(|(_, data)| base64(data))
            .map(Cow::Owned)
            .ok_or_else(|| {
                error(
                    GltfErrorKind::Invalid,
                    "base64 data",
                    "the embedded data is damaged; export the file again",
                )
            });
    }
    let Some(relative) = relative_path(uri) else {
        return Err(error(
            GltfErrorKind::Unsupported,
            "a file in the model's own folder",
            "put the file beside the model and name it by a relative path",
        ));
    };
    resolve(&relative).ok_or_else(|| {
        error(
            GltfErrorKind::Missing,
            "a file that can be read",
            "put the file beside the model, or open a .glb, which holds everything",
        )
    })
}

/// The file that a URI names, relative to the model's folder and with `/`;
/// `None` when it lies elsewhere, or the URI is damaged.
pub(super) fn relative_path(uri: &str) -> Option<String> {
    let decoded = percent_decoded(uri)?;
    let leads_out = decoded.contains([':', '\\', '\0'])
        || decoded.starts_with('/')
        || decoded.split('/').any(|part| part == "..");
    let parts = decoded.split('/').filter(|part| !["", "."].contains(part));
    let relative = parts.collect::<Vec<_>>().join("/");
    (!leads_out && !relative.is_empty()).then_some(relative)
}

/// The bytes behind a URI, or `None` where [`from_uri`] says what is wrong.
pub(in crate::asset) fn bytes_of_uri<'a>(uri: &str, resolve: Resolve<'a>) -> Option<Cow<'a, [u8]>> {
    from_uri(uri, "", resolve).ok()
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digits = tail
                .get(..2)
                .filter(|two| two.iter().all(u8::is_ascii_hexdigit))?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = tail.get(2..)?;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

fn base64(text: &str) -> Option<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris_are_decoded_and_damaged_ones_refused() {
        let none = |_: &str| None;
        let read = |uri: &str| from_uri(uri, "/buffers/0/uri", &none);
        let uri = "data:application/octet-stream;base64,AAH/QUI=";
        assert_eq!(*read(uri).unwrap(), [0, 1, 255, 65, 66]);
        for bad in ["data:,abc", "data:x;base64,*", "data:"] {
            assert_eq!(read(bad).unwrap_err().kind, GltfErrorKind::Invalid, "{bad}");
        }
    }

    #[test]
    fn uris_stay_below_the_models_folder() {
        let any = |name: &str| Some(Cow::Owned(name.as_bytes().to_vec()));
        let read = |uri: &str| from_uri(uri, "/buffers/0/uri", &any);
        assert_eq!(*read("./a%20b//c.bin").unwrap(), *b"a b/c.bin");
        for bad in [
            "../x",
            "a/%2e%2e/x",
            "/etc/passwd",
            "file:///x",
            "c:\\x",
            "%zz",
            "%+f",
            "%4",
            "",
            "./",
        ] {
            assert_eq!(
                read(bad).unwrap_err().kind,
                GltfErrorKind::Unsupported,
                "{bad}"
            );
        }
    }
}
