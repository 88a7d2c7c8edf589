//! The system's file dialog, on a thread of its own.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::Context;

use super::input_file::FilePurpose;

/// A dialog that stands open.
#[derive(Debug)]
pub(super) struct SystemDialog(pub(super) Receiver<OpenDialogAnswer>);

/// What came of it.
#[derive(Debug)]
pub(in crate::app) enum OpenDialogAnswer {
    /// At least one.
    Files(Vec<PathBuf>),
    /// It was closed.
    Nothing,
    /// The system has none.
    NoDialog,
}

impl SystemDialog {
    /// Opens it, beginning in this folder.
    pub(super) fn open(ctx: &Context, purpose: FilePurpose, folder: Option<PathBuf>) -> Self {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(purpose.title());
        for (kind, endings) in purpose.filters() {
            dialog = dialog.add_filter(kind, &endings);
        }
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        // Some systems want it made on the thread of the window.
        let files = dialog.pick_files();
        let (send, answer) = channel();
        let ctx = ctx.clone();
        let wait = move || {
            let files = pollster::block_on(files);
            let _ = send.send(match files {
                Some(files) if files.is_empty() => OpenDialogAnswer::Nothing,
                Some(files) => OpenDialogAnswer::Files(
                    files.iter().map(|file| file.path().to_owned()).collect(),
                ),
                // Under the desktop portal, closing gives an empty list; elsewhere
                // there always is a dialog.
                None if cfg!(all(unix, not(target_os = "macos"))) => OpenDialogAnswer::NoDialog,
                None => OpenDialogAnswer::Nothing,
            });
            ctx.request_repaint();
        };
        // Without a thread the sender is gone, and that is an answer.
        let _ = std::thread::Builder::new().name("dialog".to_owned()).spawn(wait);
        Self(answer)
    }

    /// `None` while it is open.
    pub(super) fn answer(&self) -> Option<OpenDialogAnswer> {
        match self.0.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(OpenDialogAnswer::NoDialog),
        }
    }
}
