//! A model and the files beside it, from disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::{Failure, Source};
use crate::asset::doctor::files_beside;

/// Larger files are refused before they are read.
const MOST_BYTES: u64 = 1 << 30;

/// Reads a model and what it names beside it.
pub(super) fn source(file: &Path) -> Result<Source, Failure> {
    let shown = file.display();
    let about = std::fs::metadata(file).map_err(|error| {
        Failure::Failed(match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("there is no file {shown}; check the name and the folder")
            }
            _ => format!("{shown} cannot be read: {error}"),
        })
    })?;
    if about.is_dir() {
        return Err(Failure::Failed(format!(
            "{shown} is a folder; give the .gltf or .glb file in it"
        )));
    }
    let main = read(file)
        .map_err(|why| Failure::Failed(format!("{shown} cannot be read: {why}")))?;
    let mut source = Source {
        name: file
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default(),
        main,
        beside: BTreeMap::new(),
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    for name in files_beside(&source) {
        // One that cannot be read is a finding, not a failure.
        if let Ok(bytes) = read(&folder.join(&name)) {
            source.beside.insert(name, bytes);
        }
    }
    Ok(source)
}

fn read(file: &Path) -> Result<Arc<[u8]>, String> {
    let about = std::fs::metadata(file).map_err(|error| error.to_string())?;
    if about.len() > MOST_BYTES {
        return Err(format!(
            "it has {} bytes, and this program reads at most {MOST_BYTES}",
            about.len()
        ));
    }
    if !about.is_file() {
        return Err("it is not a file".to_owned());
    }
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    Ok(bytes.into())
}
