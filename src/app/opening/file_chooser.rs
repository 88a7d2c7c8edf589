//! Asking for a file by the system's dialog.

use eframe::egui::Context;

use super::input_file::{FilePurpose, InputFile};

/// The question, open or not.
#[derive(Debug, Default)]
pub(super) struct FileChooser {
    /// What it is open for.
    purpose: FilePurpose,
    #[cfg(not(target_arch = "wasm32"))]
    dialog: Option<super::system_dialog::SystemDialog>,
    #[cfg(target_arch = "wasm32")]
    browser: Option<std::sync::mpsc::Receiver<Vec<InputFile>>>,
    /// The system turned out to have no dialog, until that is said.
    pub(super) has_none: bool,
    /// Stands in the place of the system's next dialog.
    #[cfg(test)]
    pub(super) next_dialog: Option<super::system_dialog::SystemDialog>,
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
            let dialog = super::system_dialog::SystemDialog::open(ctx, purpose, folder);
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
            use super::system_dialog::OpenDialogAnswer;
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

/// The browser's dialog; it never answers when nothing is chosen.
#[cfg(target_arch = "wasm32")]
fn browser(ctx: &Context, purpose: FilePurpose) -> std::sync::mpsc::Receiver<Vec<InputFile>> {
    let (send, answer) = std::sync::mpsc::channel();
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
