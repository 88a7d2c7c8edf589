//! Which files beside it a model names.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::document::json_and_bin;
use crate::gltf_file::UriTarget;
use crate::gltf_file::json::JsonText;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Root {
    buffers: Vec<NamedFile>,
    images: Vec<NamedFile>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedFile {
    uri: Option<String>,
}

/// Relative paths of the buffers and images that a glTF file names, each once;
/// those that lead out of the model's folder are not among them. Empty where the
/// JSON cannot be read.
pub fn named_files(bytes: &[u8]) -> BTreeSet<String> {
    let json = json_and_bin(bytes).map_or(&[][..], |(json, _)| json);
    let json = JsonText::of(json).text;
    // Most files hold everything, and need not be parsed for this.
    if !json.windows(5).any(|five| five == b"\"uri\"") {
        return BTreeSet::new();
    }
    let root: Root = serde_json::from_slice(json).unwrap_or_default();
    let named = root.buffers.into_iter().chain(root.images);
    named
        .filter_map(|named| match UriTarget::of_file(&named.uri?) {
            Some(UriTarget::File(path)) => Some(path),
            _ => None,
        })
        .collect()
}
