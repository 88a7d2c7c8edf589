//! Pictures: those in files beside the model are put into the new one.

use serde_json::json;

use super::draft::Draft;
use crate::ModelSource;
use crate::doctor::doc::{text, whole};
use crate::gltf_file::UriTarget;

/// How pictures of a kind begin, and their media type.
const KINDS: [(&[u8], &str); 4] = [
    (b"\x89PNG", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"\xABKTX 20", "image/ktx2"),
    (b"RIFF", "image/webp"),
];

/// A picture that is not there, or of an unknown kind, keeps its URI.
pub(super) fn embed(draft: &mut Draft, source: &ModelSource) {
    for index in 0..draft.doc.list("images").len() {
        let image = draft.doc.one("images", index);
        let Some(uri) = image.and_then(|image| text(image, "uri")) else {
            continue;
        };
        let bytes = match UriTarget::of(uri) {
            UriTarget::Data(bytes) => bytes,
            UriTarget::File(path) => match source.beside(&path) {
                Some(bytes) => bytes.to_vec(),
                None => continue,
            },
            _ => continue,
        };
        let kind = KINDS.iter().find(|(begin, _)| bytes.starts_with(begin));
        let named = image.is_some_and(|image| whole(image, "bufferView").is_some());
        let Some((_, kind)) = kind.filter(|_| !named) else {
            continue;
        };
        let view = draft.push_view(bytes, None);
        if let Some(image) = draft.one_mut("images", index) {
            image.remove("uri");
            image.insert("mimeType".to_owned(), json!(kind));
            image.insert("bufferView".to_owned(), json!(view));
        }
    }
}
