//! Asking for a file: the system's dialog, or a small window of ours where
//! there is none.

use eframe::egui::Context;

use super::input_file::InputFile;

/// The question, open or not.
#[derive(Debug, Default)]
pub(super) struct FileChooser {
    #[cfg(not(target_arch = "wasm32"))]
    dialog: Option<super::system_dialog::SystemDialog>,
    #[cfg(target_arch = "wasm32")]
    browser: Option<std::sync::mpsc::Receiver<Vec<InputFile>>>,
    /// A path being typed, because the system has no dialog.
    pub(super) typed: Option<String>,
}

impl FileChooser {
    /// Asks, beginning in this folder; a second time while it is open does
    /// nothing.
    pub(super) fn ask(&mut self, ctx: &Context, folder: Option<&std::path::Path>) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.dialog.is_none() && self.typed.is_none() {
            let folder = folder.map(ToOwned::to_owned);
            self.dialog = Some(super::system_dialog::SystemDialog::open(ctx, folder));
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = folder;
            self.browser = Some(browser(ctx));
        }
    }

    /// What was chosen since the last frame.
    pub(super) fn chosen(&mut self) -> Option<Vec<InputFile>> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            use super::system_dialog::Answer;
            let answer = self.dialog.as_ref()?.answer()?;
            self.dialog = None;
            match answer {
                Answer::Files(files) => Some(files.into_iter().map(InputFile::Path).collect()),
                Answer::Nothing => None,
                Answer::NoDialog => {
                    self.typed = Some(String::new());
                    None
                }
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            let given = self.browser.as_ref()?.try_recv().ok()?;
            self.browser = None;
            Some(given)
        }
    }

    /// Closes our window; false when it was not open. The system's dialog is the
    /// system's.
    pub(super) fn close(&mut self) -> bool {
        self.typed.take().is_some()
    }
}

/// The browser's dialog; it never answers when nothing is chosen.
#[cfg(target_arch = "wasm32")]
fn browser(ctx: &Context) -> std::sync::mpsc::Receiver<Vec<InputFile>> {
    let (send, answer) = std::sync::mpsc::channel();
    let ctx = ctx.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let dialog = rfd::AsyncFileDialog::new().set_title("Open a model");
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
