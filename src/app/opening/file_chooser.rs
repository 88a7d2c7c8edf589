//! File dialogs of the system and of browsers.

#[cfg(not(target_arch = "wasm32"))]
use std::path::PathBuf;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::mpsc::TryRecvError;
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::Context;

use super::input_file::{FilePurpose, InputFile};

/// File dialog, open or closed.
#[derive(Debug, Default)]
pub(super) struct FileChooser {
    /// Purpose of the open dialog.
    purpose: FilePurpose,
    #[cfg(not(target_arch = "wasm32"))]
    dialog: Option<SystemDialog>,
    #[cfg(target_arch = "wasm32")]
    browser_dialog: Option<Receiver<Vec<InputFile>>>,
    /// True if the system has no dialog and the reader was not notified yet.
    pub(super) has_no_dialog: bool,
    /// Replaces the system's next dialog.
    #[cfg(test)]
    pub(super) next_dialog: Option<SystemDialog>,
}

impl FileChooser {
    /// Opens the dialog in this folder. Does nothing while one is open, also for another
    /// purpose.
    pub(super) fn open(
        &mut self,
        ctx: &Context,
        purpose: FilePurpose,
        folder: Option<&std::path::Path>,
    ) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.dialog.is_none() {
            self.purpose = purpose;
            #[cfg(test)]
            if let Some(dialog) = self.next_dialog.take() {
                self.dialog = Some(dialog);
                return;
            }
            let folder = folder.map(ToOwned::to_owned);
            self.dialog = Some(SystemDialog::open(ctx, purpose, folder));
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = folder;
            // A browser does not report that a dialog was closed, so this replaces an earlier one.
            self.browser_dialog = Some(open_browser_dialog(ctx, purpose));
            self.purpose = purpose;
        }
    }

    /// Takes the files chosen since the last frame, with their purpose.
    pub(super) fn take_chosen(&mut self) -> Option<(Vec<InputFile>, FilePurpose)> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let answer = self.dialog.as_ref()?.answer()?;
            self.dialog = None;
            match answer {
                OpenDialogAnswer::Files(files) => {
                    let files = files.into_iter().map(InputFile::Path);
                    Some((files.collect(), self.purpose))
                }
                OpenDialogAnswer::Closed => None,
                OpenDialogAnswer::NoDialog => {
                    self.has_no_dialog = true;
                    None
                }
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            let files = self.browser_dialog.as_ref()?.try_recv().ok()?;
            self.browser_dialog = None;
            Some((files, self.purpose))
        }
    }
}

/// Open dialog of the system, in a thread.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(super) struct SystemDialog(pub(super) Receiver<OpenDialogAnswer>);

/// Result of a file dialog.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(in crate::app) enum OpenDialogAnswer {
    /// At least one file.
    Files(Vec<PathBuf>),
    /// Closed without a choice.
    Closed,
    /// The system has no file dialog.
    NoDialog,
}

#[cfg(not(target_arch = "wasm32"))]
impl SystemDialog {
    fn open(ctx: &Context, purpose: FilePurpose, folder: Option<PathBuf>) -> Self {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(purpose.title());
        for (kind, endings) in purpose.filters() {
            dialog = dialog.add_filter(kind, &endings);
        }
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        // Some systems require that the dialog is created on the thread of the window.
        let files = dialog.pick_files();
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        // Without a thread the sender is dropped, which counts as a missing dialog.
        let _ = std::thread::Builder::new().name("dialog".to_owned()).spawn(move || {
            let files = pollster::block_on(files);
            let _ = sender.send(match files {
                Some(files) if files.is_empty() => OpenDialogAnswer::Closed,
                Some(files) => OpenDialogAnswer::Files(
                    files.iter().map(|file| file.path().to_owned()).collect(),
                ),
                // A closed dialog of the desktop portal returns an empty list, so this is an
                // error of the portal. Other systems always have a dialog.
                None if cfg!(all(unix, not(target_os = "macos"))) => OpenDialogAnswer::NoDialog,
                None => OpenDialogAnswer::Closed,
            });
            ctx.request_repaint();
        });
        Self(receiver)
    }

    /// Returns the result, or `None` while the dialog is open.
    fn answer(&self) -> Option<OpenDialogAnswer> {
        match self.0.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(OpenDialogAnswer::NoDialog),
        }
    }
}

/// Opens the browser's dialog. Its receiver gets nothing if no file is chosen.
#[cfg(target_arch = "wasm32")]
fn open_browser_dialog(ctx: &Context, purpose: FilePurpose) -> Receiver<Vec<InputFile>> {
    let (sender, receiver) = channel();
    let ctx = ctx.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let dialog = rfd::AsyncFileDialog::new().set_title(purpose.title());
        let files = dialog.pick_files().await.unwrap_or_default();
        let mut input_files = Vec::with_capacity(files.len());
        for file in files {
            input_files.push(InputFile::Bytes(file.file_name(), file.read().await.into()));
        }
        let _ = sender.send(input_files);
        ctx.request_repaint();
    });
    receiver
}
