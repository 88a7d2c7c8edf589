//! File dialogs of the browser, to open files.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::Context;

use crate::app::opening::input_file::{FilePurpose, InputFile, OpenDialogAnswer};

/// Opens the browser's file dialog. It has no folder to begin in.
pub(in crate::app) fn open_file_dialog(
    ctx: &Context,
    purpose: FilePurpose,
    _: Option<&Path>,
) -> Receiver<OpenDialogAnswer> {
    let (sender, receiver) = channel();
    let ctx = ctx.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let dialog = rfd::AsyncFileDialog::new().set_title(purpose.title());
        let answer = match dialog.pick_files().await {
            Some(files) => {
                let mut input_files = Vec::with_capacity(files.len());
                for file in files {
                    input_files.push(InputFile::Bytes(file.file_name(), file.read().await.into()));
                }
                OpenDialogAnswer::Files(input_files)
            }
            None => OpenDialogAnswer::Closed,
        };
        let _ = sender.send(answer);
        ctx.request_repaint();
    });
    receiver
}
