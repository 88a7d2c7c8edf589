//! Reading files in the background.

use std::time::Duration;

use bindpose_gltf::{Broken, Task};
use eframe::egui::Context;

use super::input_file::{FilePurpose, InputFile, OpenFailure};
use super::read::ReadOutcome;
use crate::app::host;

/// Origin of a request to read files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadRequester {
    /// The reader, in the window.
    Reader,
    /// The command line that started the program.
    CommandLine,
    /// A page of an earlier run, which needs its model.
    KeptPage,
}

/// Job that reads files in the background. Dropping it cancels the job.
#[derive(Debug)]
pub(super) struct ReadJob {
    /// Name of the first file.
    pub(super) name: String,
    pub(super) files: Vec<InputFile>,
    pub(super) purpose: FilePurpose,
    pub(super) requester: ReadRequester,
    /// Time of the page's clock at which it was first shown.
    pub(super) since_secs: Option<f64>,
    task: Task<ReadOutcome>,
}

impl ReadJob {
    /// Starts a job in the background.
    pub(super) fn start(ctx: &Context, files: Vec<InputFile>, purpose: FilePurpose) -> Self {
        let name = files.first().map(InputFile::name).unwrap_or_default();
        let task = host::start_reading(ctx, files.clone());
        Self { name, files, purpose, requester: ReadRequester::Reader, since_secs: None, task }
    }

    /// Returns the progress, 0 to 1.
    pub(super) fn fraction(&self) -> f32 {
        self.task.fraction()
    }

    /// Waits until the files are read. The outcome can still be taken afterwards.
    #[cfg(test)]
    pub(super) fn wait(&mut self) {
        // Long enough for slow machines; only a hang reaches it.
        let timeout = Duration::from_mins(5);
        let outcome = self.task.answer(timeout).expect("in time");
        let (task, _, sender) = Task::new();
        sender.send(outcome.expect("an answer")).expect("it is here");
        self.task = task;
    }

    /// Takes the outcome. Returns `None` while the files are being read.
    pub(super) fn outcome(&mut self) -> Option<ReadOutcome> {
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
