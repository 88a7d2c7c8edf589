//! Which files a model needs beside it.

use super::doc::{list, text};
use super::findings::Findings;
use super::uri::{self, Stands};
use super::{container, json};
use crate::asset::Source;

/// Files at or below the model's folder that its buffers and images name, by
/// relative path, each once. None where the file cannot be read.
#[must_use]
pub fn files_beside(source: &Source) -> Vec<String> {
    let mut unheard = Findings::default();
    let chunks = container::chunks(&source.main, &mut unheard);
    let Some(parsed) = chunks.json.and_then(|text| json::parse(text).ok()) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for kind in ["buffers", "images"] {
        for thing in list(&parsed.value, kind) {
            let Some(uri) = text(thing, "uri").filter(|uri| !uri.starts_with("data:")) else {
                continue;
            };
            if let Stands::File(path) = uri::read(uri)
                && !files.iter().any(|file| file == path.as_ref())
            {
                files.push(path.into_owned());
            }
        }
    }
    files
}
