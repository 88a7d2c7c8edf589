//! Files that a browser returns only asynchronously. `read_files.rs` replaces them by their bytes
//! first, so that these functions are not reached.

use std::path::Path;
use std::sync::Arc;

use bindpose_gltf::{ModelSource, TaskProgress};
use eframe::egui::DroppedFileHandle;

use crate::app::opening::{OpenFailure, file_name};

const NOT_SYNCHRONOUS: &str = "the browser keeps it";

pub(in crate::app) fn load_file(path: &Path, _: &TaskProgress) -> Result<ModelSource, OpenFailure> {
    Err(OpenFailure::unreadable(&file_name(path), NOT_SYNCHRONOUS))
}

pub(in crate::app) fn read_dropped_file(
    dropped: &DroppedFileHandle,
) -> Result<Arc<[u8]>, OpenFailure> {
    Err(OpenFailure::unreadable(&file_name(dropped.path()), NOT_SYNCHRONOUS))
}
