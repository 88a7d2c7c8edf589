//! The file dialog to open files.

use std::path::Path;
use std::sync::mpsc::{Receiver, TryRecvError};

use eframe::egui::Context;

use super::input_file::{FilePurpose, InputFile, OpenDialogAnswer};
use crate::app::host;

/// File dialog, open or closed.
#[derive(Debug, Default)]
pub(super) struct FileChooser {
    /// Purpose of the open dialog.
    purpose: FilePurpose,
    dialog: Option<Receiver<OpenDialogAnswer>>,
    /// True if the system has no dialog and the reader was not notified yet.
    pub(super) has_no_dialog: bool,
    /// Replaces the next dialog.
    #[cfg(test)]
    pub(super) next_dialog: Option<Receiver<OpenDialogAnswer>>,
}

impl FileChooser {
    /// Opens the dialog in this folder. Does nothing while one is known to be open, also for
    /// another purpose.
    pub(super) fn open(&mut self, ctx: &Context, purpose: FilePurpose, folder: Option<&Path>) {
        if self.dialog.is_some() && host::CAN_REPORT_CLOSED_DIALOG {
            return;
        }
        self.purpose = purpose;
        #[cfg(test)]
        if let Some(dialog) = self.next_dialog.take() {
            self.dialog = Some(dialog);
            return;
        }
        self.dialog = Some(host::open_file_dialog(ctx, purpose, folder));
    }

    /// Takes the files chosen since the last frame, with their purpose.
    pub(super) fn take_chosen(&mut self) -> Option<(Vec<InputFile>, FilePurpose)> {
        let answer = match self.dialog.as_ref()?.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => OpenDialogAnswer::NoDialog,
        };
        self.dialog = None;
        match answer {
            OpenDialogAnswer::Files(files) => Some((files, self.purpose)),
            OpenDialogAnswer::Closed => None,
            OpenDialogAnswer::NoDialog => {
                self.has_no_dialog = true;
                None
            }
        }
    }
}
