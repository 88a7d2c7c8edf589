//! File dialogs of the system, to open files.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use bindpose_lesson::COURSE_EXTENSION;
use eframe::egui::Context;

use crate::app::opening::input_file::{
    FilePurpose, InputFile, MODEL_EXTENSIONS, NUMBERS_EXTENSIONS, OpenDialogAnswer,
    WEIGHTS_EXTENSIONS,
};

/// Opens a file dialog of the system in a folder, and waits for it in a thread.
pub(in crate::app) fn open_file_dialog(
    ctx: &Context,
    purpose: FilePurpose,
    folder: Option<&Path>,
) -> Receiver<OpenDialogAnswer> {
    let mut dialog = rfd::AsyncFileDialog::new().set_title(purpose.title());
    for (kind, endings) in file_filters(purpose) {
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
                files.iter().map(|file| InputFile::Path(file.path().to_owned())).collect(),
            ),
            // A closed dialog of the desktop portal returns an empty list, so this is an
            // error of the portal. Other systems always have a dialog.
            None if cfg!(all(unix, not(target_os = "macos"))) => OpenDialogAnswer::NoDialog,
            None => OpenDialogAnswer::Closed,
        });
        ctx.request_repaint();
    });
    receiver
}

/// Returns the filters of a file dialog with their extensions, the default first.
fn file_filters(purpose: FilePurpose) -> Vec<(&'static str, Vec<&'static str>)> {
    let numbers = ("Numbers of an engine", NUMBERS_EXTENSIONS.to_vec());
    let mut filters = match purpose {
        FilePurpose::Page => {
            let extensions =
                [&MODEL_EXTENSIONS[..], &WEIGHTS_EXTENSIONS, &[COURSE_EXTENSION]].concat();
            vec![("Models, weights and courses", extensions), numbers]
        }
        FilePurpose::ModelB => vec![("Models", MODEL_EXTENSIONS.to_vec())],
        FilePurpose::Numbers => vec![numbers],
    };
    filters.push(("All files", vec!["*"]));
    filters
}
