//! Asking for a file by the system's dialog.

#[cfg(not(target_arch = "wasm32"))]
use std::path::PathBuf;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::mpsc::TryRecvError;
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::Context;

use super::input_file::{FilePurpose, InputFile};

/// The question, open or not.
#[derive(Debug, Default)]
pub(super) struct FileChooser {
    /// What it is open for.
    purpose: FilePurpose,
    #[cfg(not(target_arch = "wasm32"))]
    dialog: Option<SystemDialog>,
    #[cfg(target_arch = "wasm32")]
    browser: Option<Receiver<Vec<InputFile>>>,
    /// The system turned out to have no dialog, until that is said.
    pub(super) has_none: bool,
    /// Stands in the place of the system's next dialog.
    #[cfg(test)]
    pub(super) next_dialog: Option<SystemDialog>,
}

impl FileChooser {
    /// Asks, beginning in this folder; a second time while it is open does
    /// nothing, whatever that is for.
    pub(super) fn ask(
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
            let dialog = SystemDialog::open(ctx, purpose, folder);
            self.dialog = Some(dialog);
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = folder;
            // Nobody can tell whether an earlier one was closed: this takes its place.
            (self.browser, self.purpose) = (Some(browser(ctx, purpose)), purpose);
        }
    }

    /// What was chosen since the last frame, and what for.
    pub(super) fn chosen(&mut self) -> Option<(Vec<InputFile>, FilePurpose)> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let answer = self.dialog.as_ref()?.answer()?;
            self.dialog = None;
            match answer {
                OpenDialogAnswer::Files(files) => {
                    let files = files.into_iter().map(InputFile::Path);
                    Some((files.collect(), self.purpose))
                }
                OpenDialogAnswer::Nothing => None,
                OpenDialogAnswer::NoDialog => {
                    self.has_none = true;
                    None
                }
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            let given = self.browser.as_ref()?.try_recv().ok()?;
            self.browser = None;
            Some((given, self.purpose))
        }
    }
}

/// The system's dialog, which stands open on a thread of its own.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(super) struct SystemDialog(pub(super) Receiver<OpenDialogAnswer>);

/// What came of it.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(in crate::app) enum OpenDialogAnswer {
    /// At least one.
    Files(Vec<PathBuf>),
    /// It was closed.
    Nothing,
    /// The system has none.
    NoDialog,
}

#[cfg(not(target_arch = "wasm32"))]
impl SystemDialog {
    /// Opens it, beginning in this folder.
    fn open(ctx: &Context, purpose: FilePurpose, folder: Option<PathBuf>) -> Self {
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
    fn answer(&self) -> Option<OpenDialogAnswer> {
        match self.0.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(OpenDialogAnswer::NoDialog),
        }
    }
}

/// The browser's dialog; it never answers when nothing is chosen.
#[cfg(target_arch = "wasm32")]
fn browser(ctx: &Context, purpose: FilePurpose) -> Receiver<Vec<InputFile>> {
    let (send, answer) = channel();
    let ctx = ctx.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let dialog = rfd::AsyncFileDialog::new().set_title(purpose.title());
        let files = dialog.pick_files().await.unwrap_or_default();
        let mut given = Vec::with_capacity(files.len());
        for file in files {
            given.push(InputFile::Bytes(file.file_name(), file.read().await.into()));
        }
        let _ = send.send(given);
        ctx.request_repaint();
    });
    answer
}
