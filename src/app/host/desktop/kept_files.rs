//! Files of earlier runs, which are opened again by their paths.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use bindpose_gltf::Rig;
use eframe::egui::Context;

/// Does nothing: a model is opened again from its own file.
pub(in crate::app) fn keep_model(_: &Arc<Rig>, _: &[PathBuf]) {}

/// Does nothing: files on a disk belong to the reader.
pub(in crate::app) fn delete_kept_model(_: &Path) {}

/// Adds a course to those of the next run. `packed` is its content. Returns true, because the
/// course is opened again from its own file.
pub(in crate::app) fn keep_course(
    courses: &mut Vec<PathBuf>,
    path: PathBuf,
    _packed: &Arc<[u8]>,
) -> bool {
    courses.retain(|known| *known != path);
    courses.push(path);
    true
}

/// Searches for missing files in a thread, because a network folder can take long to respond.
/// Nothing is received if there is no thread.
pub(in crate::app) fn find_missing_files(
    ctx: Context,
    paths: Vec<PathBuf>,
) -> Receiver<BTreeSet<PathBuf>> {
    let (sender, receiver) = channel();
    let _ = std::thread::Builder::new().name("recent files".to_owned()).spawn(move || {
        let missing = paths.into_iter().filter(|path| !path.exists());
        let _ = sender.send(missing.collect());
        ctx.request_repaint();
    });
    receiver
}
