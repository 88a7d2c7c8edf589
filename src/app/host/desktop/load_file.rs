//! Loads the bytes of files on this machine.

use std::path::Path;
use std::sync::Arc;

use bindpose_gltf::{LoadError, ModelSource, TaskProgress, load};
use eframe::egui::DroppedFileHandle;

use crate::app::opening::{OpenFailure, file_name};

/// Loads a file, and the files beside it that it refers to.
pub(in crate::app) fn load_file(
    path: &Path,
    progress: &TaskProgress,
) -> Result<ModelSource, OpenFailure> {
    load(path, progress).map_err(load_failure)
}

/// Reads a dropped file that has no path.
pub(in crate::app) fn read_dropped_file(
    dropped: &DroppedFileHandle,
) -> Result<Arc<[u8]>, OpenFailure> {
    match dropped.bytes() {
        Ok(bytes) => Ok(bytes.into()),
        Err(why) => Err(OpenFailure::unreadable(&file_name(dropped.path()), &why)),
    }
}

fn load_failure(error: LoadError) -> OpenFailure {
    match error {
        LoadError::Io { path, error } if error.kind() == std::io::ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(&path).display();
            OpenFailure::new(
                &file_name(&path),
                &format!("It is not in {folder}."),
                "Its drive may be unplugged: open it again when it is there, or from where it is \
                 now.",
            )
        }
        LoadError::Io { path, error } => {
            OpenFailure::unreadable(&file_name(&path), &error.to_string())
        }
        LoadError::NotAFile { path } => OpenFailure::new(
            &file_name(&path),
            "It is no file.",
            "Open a .gltf, .glb or .ezm file.",
        ),
        LoadError::TooLarge { path, most_mib, found_mib } => OpenFailure::new(
            &file_name(&path),
            &format!(
                "It is too large: {found_mib} MiB, and this machine can hold {most_mib} MiB of a \
                 model."
            ),
            "Open a smaller model, or close other programs.",
        ),
        LoadError::Cancelled { path } => OpenFailure::stopped(&file_name(&path)),
    }
}
