//! Reads the reader's files on a thread.

use std::path::Path;
use std::sync::Arc;

use bindpose_doctor::examine;
use bindpose_gltf::{MaterialImage, Rig, Task, TaskProgress};
use eframe::egui::Context;

use crate::app::opening::{
    InputFile, LOADING_FRACTION, OpenFailure, ReadFiles, ReadModel, ReadOutcome, build_model,
    find_model, load_source, read_accompanying_files, read_file_without_model,
};

/// Starts reading files. The images of a model are decoded afterwards.
pub(in crate::app) fn start_reading(ctx: &Context, files: Vec<InputFile>) -> Task<ReadOutcome> {
    let image_ctx = ctx.clone();
    let task_ctx = ctx.clone();
    Task::start(
        "open",
        move |progress: &TaskProgress| {
            let outcome = read_files(&files, progress);
            if let Ok(ReadFiles::Model(opened)) = &outcome {
                decode_images(image_ctx, &opened.rig);
            }
            outcome
        },
        move || task_ctx.request_repaint(),
    )
}

/// Reads the files on this thread.
fn read_files(files: &[InputFile], progress: &TaskProgress) -> Result<ReadFiles, OpenFailure> {
    match read_file_without_model(files)? {
        Some(content) => Ok(content),
        None => read_model(files, progress).map(ReadFiles::Model),
    }
}

/// Reads the model among these files.
fn read_model(files: &[InputFile], progress: &TaskProgress) -> Result<ReadModel, OpenFailure> {
    let (model, ignored_models) = find_model(files)?;
    let (source, missing_files) = load_source(model, files, &progress.part(0.0, LOADING_FRACTION))?;
    let progress = progress.part(LOADING_FRACTION, 1.0);
    match bindpose_gltf::open(&source, &progress) {
        Ok(rig) => {
            let accompanying = read_accompanying_files(model, files, &source);
            Ok(build_model(model, rig, accompanying, &ignored_models, &missing_files))
        }
        Err(error) => {
            let findings = examine(&source, &progress).findings;
            Err(OpenFailure::from(error).with_findings(findings).with_missing_files(missing_files))
        }
    }
}

/// Reads a file and the files that it refers to, on this thread.
pub(in crate::app) fn open_file(path: &Path) -> Result<Arc<Rig>, OpenFailure> {
    let files = [InputFile::Path(path.to_owned())];
    read_model(&files, &TaskProgress::default()).map(|model| model.rig)
}

/// Decodes the images of a model in a thread. The model is drawn in plain colours until
/// then.
fn decode_images(ctx: Context, rig: &Arc<Rig>) {
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    let thread_rig = Arc::clone(rig);
    let thread = std::thread::Builder::new().name("images".to_owned()).spawn(move || {
        for image in &thread_rig.mesh.images {
            image.pixels();
            ctx.request_repaint();
        }
    });
    if thread.is_err() {
        // Without a thread they are decoded here.
        for image in &rig.mesh.images {
            image.pixels();
        }
    }
}
