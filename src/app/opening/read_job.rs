//! Reading beside the frame.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::Context;

use super::input_file::InputFile;
use super::read::{self, Opened};
use super::unopened::Unopened;
use crate::asset::{MaterialImage, Progress};

pub(super) type Outcome = Result<Opened, Unopened>;

/// A model that is being read.
#[derive(Debug)]
pub(super) struct ReadJob {
    /// What is read.
    pub(super) name: String,
    /// How far it is.
    pub(super) progress: Progress,
    /// When it was first seen, on the clock of the page.
    pub(super) since_secs: Option<f64>,
    answer: Receiver<Outcome>,
}

impl ReadJob {
    /// On a thread of its own; where there are none, in one go when the browser
    /// has the bytes.
    pub(super) fn start(ctx: &Context, given: Vec<InputFile>) -> Self {
        let name = given.first().map(InputFile::name).unwrap_or_default();
        let progress = Progress::default();
        let (send, answer) = channel();
        let (of_worker, ctx) = (progress.clone(), ctx.clone());
        #[cfg(not(target_arch = "wasm32"))]
        {
            let unable = send.clone();
            let work = move || {
                let outcome = read::opened(&given, &of_worker);
                // The model is shown at once, in plain colours; then its images.
                let opened = outcome.as_ref().ok();
                let rig = opened.map(|opened| Arc::clone(&opened.rig));
                let images = rig.iter().flat_map(|rig| &rig.mesh.images);
                images.clone().for_each(MaterialImage::promise);
                // The receiver is gone when the job was cancelled.
                let _ = send.send(outcome);
                ctx.request_repaint();
                for image in images {
                    image.pixels();
                    ctx.request_repaint();
                }
            };
            let thread = std::thread::Builder::new().name("open".to_owned());
            if let Err(error) = thread.spawn(work) {
                let what = format!("The system gives no thread to read it on ({error}).");
                let _ = unable.send(Err(Unopened::new(&name, &what, "Close other programs.")));
            }
        }
        #[cfg(target_arch = "wasm32")]
        wasm_bindgen_futures::spawn_local(async move {
            let outcome = match read::fetched(given).await {
                Ok(given) => read::opened(&given, &of_worker),
                Err(unopened) => Err(unopened),
            };
            let _ = send.send(outcome);
            ctx.request_repaint();
        });
        Self {
            name,
            progress,
            since_secs: None,
            answer,
        }
    }

    /// Asks the worker to stop.
    pub(super) fn cancel(&self) {
        self.progress.cancel();
    }

    /// Until it is read; what came of it is still to be taken.
    #[cfg(test)]
    pub(super) fn wait(&mut self) {
        // No measure of speed: only a hang takes this long.
        let patience = std::time::Duration::from_mins(5);
        let outcome = self.answer.recv_timeout(patience).expect("an answer");
        let (send, answer) = channel();
        send.send(outcome).expect("the receiver is here");
        self.answer = answer;
    }

    /// What came of it; `None` while it is being read.
    pub(super) fn outcome(&mut self) -> Option<Outcome> {
        match self.answer.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Unopened::new(
                &self.name,
                "Reading it stopped by a fault of this program.",
                "Please report it, with the file if you can.",
            ))),
        }
    }
}
