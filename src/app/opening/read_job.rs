//! Reading beside the frame.

#[cfg(not(target_arch = "wasm32"))]
use std::sync::Arc;
use std::time::Duration;

use bindpose_asset::TaskProgress;
use bindpose_asset::{Broken, Task};
#[cfg(not(target_arch = "wasm32"))]
use bindpose_asset::{MaterialImage, Rig};
use eframe::egui::Context;

#[cfg(target_arch = "wasm32")]
use super::browser_images;
use super::input_file::InputFile;
use super::purpose::FilePurpose;
use super::read::{self, ReadFiles};
use super::unopened::OpenFailure;

pub(super) type Outcome = Result<ReadFiles, OpenFailure>;

/// A model that is being read. Dropped, its worker is asked to stop.
#[derive(Debug)]
pub(super) struct ReadJob {
    /// What is read.
    pub(super) name: String,
    /// All that was given.
    pub(super) given: Vec<InputFile>,
    /// What it was asked for.
    pub(super) purpose: FilePurpose,
    /// Was it asked for by a page that is kept, not by the reader?
    pub(super) for_kept: bool,
    /// When it was first seen, on the clock of the page.
    pub(super) since_secs: Option<f64>,
    task: Task<Outcome>,
}

impl ReadJob {
    /// On a thread of its own; in a browser, which has none, between frames.
    pub(super) fn start(ctx: &Context, given: Vec<InputFile>, purpose: FilePurpose) -> Self {
        let name = given.first().map(InputFile::name).unwrap_or_default();
        let ctx = ctx.clone();
        let all = given.clone();
        #[cfg(not(target_arch = "wasm32"))]
        let task = {
            let waiting = ctx.clone();
            let work = move |progress: &TaskProgress| {
                let outcome = read::read(&given, progress);
                if let Ok(ReadFiles::Model(opened)) = &outcome {
                    decode_images(ctx, &opened.rig);
                }
                outcome
            };
            Task::start("open", work, move || waiting.request_repaint())
        };
        #[cfg(target_arch = "wasm32")]
        let task = {
            let waiting = ctx.clone();
            let work = async move |progress: TaskProgress| {
                let outcome = read::read_between_frames(given, &progress).await;
                if let Ok(ReadFiles::Model(opened)) = &outcome {
                    browser_images::decode(ctx, &opened.rig);
                }
                outcome
            };
            Task::between_frames(work, move || waiting.request_repaint())
        };
        Self { name, given: all, purpose, for_kept: false, since_secs: None, task }
    }

    /// How far it is, 0 to 1.
    pub(super) fn fraction(&self) -> f32 {
        self.task.fraction()
    }

    /// Until it is read; what came of it is still to be taken.
    #[cfg(test)]
    pub(super) fn wait(&mut self) {
        // No measure of speed: only a hang takes this long.
        let patience = Duration::from_mins(5);
        let outcome = self.task.answer(patience).expect("in time");
        let (task, _, send) = Task::new();
        send.send(outcome.expect("an answer")).expect("it is here");
        self.task = task;
    }

    /// What came of it; `None` while it is being read.
    pub(super) fn outcome(&mut self) -> Option<Outcome> {
        let answer = self.task.answer(Duration::ZERO)?;
        Some(answer.unwrap_or_else(|Broken| {
            Err(OpenFailure::new(
                &self.name,
                "Reading it stopped: by a fault of this program, or the system gives no thread.",
                "Please report it, with the file if you can.",
            ))
        }))
    }
}

/// Decodes the images of a model on a thread of its own: the model is shown at
/// once, in plain colours, and painted when they are there.
#[cfg(not(target_arch = "wasm32"))]
fn decode_images(ctx: Context, rig: &Arc<Rig>) {
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    let of_thread = Arc::clone(rig);
    let work = move || {
        for image in &of_thread.mesh.images {
            image.pixels();
            ctx.request_repaint();
        }
    };
    let thread = std::thread::Builder::new().name("images".to_owned());
    if thread.spawn(work).is_err() {
        // The system gives no thread: then here.
        for image in &rig.mesh.images {
            image.pixels();
        }
    }
}
