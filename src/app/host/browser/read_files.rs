//! Reads the reader's files between frames, because a browser has no threads.

use bindpose_doctor::examination;
use bindpose_gltf::{Task, TaskProgress, between_frames};
use eframe::egui::Context;

use super::decode_images::decode_images;
use super::kept_files::MODELS;
use crate::app::opening::{
    InputFile, LOADING_FRACTION, OpenFailure, ReadFiles, ReadOutcome, build_model, find_model,
    load_source, read_accompanying_files, read_file_without_model,
};

/// Starts reading files. The images of a model are decoded afterwards.
pub(in crate::app) fn start_reading(ctx: &Context, files: Vec<InputFile>) -> Task<ReadOutcome> {
    let image_ctx = ctx.clone();
    let task_ctx = ctx.clone();
    Task::between_frames(
        async move |progress: TaskProgress| {
            let outcome = read_files(files, &progress).await;
            if let Ok(ReadFiles::Model(opened)) = &outcome {
                decode_images(image_ctx, &opened.rig);
            }
            outcome
        },
        move || task_ctx.request_repaint(),
    )
}

async fn read_files(files: Vec<InputFile>, progress: &TaskProgress) -> ReadOutcome {
    let files = fetch_bytes(files).await?;
    if let Some(content) = read_file_without_model(&files)? {
        return Ok(content);
    }
    let (model, ignored_models) = find_model(&files)?;
    let (source, missing_files) =
        load_source(model, &files, &progress.part(0.0, LOADING_FRACTION))?;
    let progress = progress.part(LOADING_FRACTION, 1.0);
    between_frames::pause().await;
    match between_frames::open(&source, &progress).await {
        Ok(rig) => {
            let accompanying = read_accompanying_files(model, &files, &source);
            let model = build_model(model, rig, accompanying, &ignored_models, &missing_files);
            Ok(ReadFiles::Model(model))
        }
        Err(error) => {
            let report = between_frames::finish(examination(&source, &progress)).await;
            let failure = OpenFailure::from(error).with_findings(report.findings);
            Err(failure.with_missing_files(missing_files))
        }
    }
}

/// Replaces dropped and kept files by their bytes, which a browser returns asynchronously.
async fn fetch_bytes(files: Vec<InputFile>) -> Result<Vec<InputFile>, OpenFailure> {
    let mut fetched = Vec::with_capacity(files.len());
    for file in files {
        let name = file.name();
        fetched.push(match file {
            InputFile::Dropped(dropped) => {
                let result = dropped.bytes_async().await;
                let bytes = result.map_err(|why| OpenFailure::unreadable(&name, &why))?;
                InputFile::Bytes(name, bytes.into())
            }
            InputFile::Path(_) => {
                let kept = MODELS.files(&name).await.unwrap_or_default();
                if kept.is_empty() {
                    return Err(OpenFailure::new(
                        &name,
                        "The browser keeps no copy of it.",
                        "Open it from where it is on your device.",
                    ));
                }
                for (name, bytes) in kept {
                    fetched.push(InputFile::Bytes(name, bytes));
                }
                continue;
            }
            other => other,
        });
    }
    Ok(fetched)
}
