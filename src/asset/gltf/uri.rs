//! What a URI in a file stands for: embedded data, or a file beside the model.

use std::borrow::Cow;

use super::error::{GltfError, GltfErrorKind};
use crate::asset::encoded::{base64, percent_decoded};

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
