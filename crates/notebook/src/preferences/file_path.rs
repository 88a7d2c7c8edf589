//! Paths of files in JSON. One that is no text is written by its bytes.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Of a path that is no text: its bytes, percent-encoded.
const BYTES_KEY: &str = "bytes";

/// Text, or a table with the bytes; `None` where the system's names are neither.
pub(super) fn path_value(path: &Path) -> Option<Value> {
    match path.to_str() {
        Some(text) => Some(text.into()),
        None => bytes_value(path),
    }
}

/// What [`path_value`] has written.
pub(super) fn path_from(value: &Value) -> Option<PathBuf> {
    match value.as_str() {
        Some(text) => Some(text.into()),
        None => path_from_bytes(value[BYTES_KEY].as_str()?),
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no paths of bytes")]
fn bytes_value(path: &Path) -> Option<Value> {
    use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = percent_encode(path.as_os_str().as_bytes(), NON_ALPHANUMERIC);
    Some(serde_json::json!({ BYTES_KEY: bytes.to_string() }))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no paths of bytes")]
fn path_from_bytes(text: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes = percent_encoding::percent_decode_str(text).collect();
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn bytes_value(_: &Path) -> Option<Value> {
    None
}

#[cfg(not(unix))]
fn path_from_bytes(_: &str) -> Option<PathBuf> {
    None
}
