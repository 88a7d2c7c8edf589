//! Saves files through the system's dialog. A thread waits for the answer and writes the file.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use bindpose_page::view::SaveRequest;
use eframe::egui::Context;

use super::write_file::{describe_write_error, write_file};

/// Minimum time that a reader needs to close a dialog. A system without a dialog returns sooner.
const MIN_CHOICE_TIME: Duration = Duration::from_millis(400);

/// Saves files, one dialog after the other.
#[derive(Debug, Default)]
pub(in crate::app) struct FileSaver {
    open_dialog: Option<Receiver<SaveDialogAnswer>>,
    queue: Vec<QueuedSave>,
}

/// A file that waits for the open dialog to close.
#[derive(Debug)]
struct QueuedSave {
    request: SaveRequest,
    folder: Option<PathBuf>,
}

#[derive(Debug)]
enum SaveDialogAnswer {
    Saved(Result<PathBuf, String>),
    /// The reader closed the dialog.
    Cancelled,
    /// The system has no dialog. Holds the name of the file.
    NoDialog(String),
}

impl FileSaver {
    /// Asks the reader where to save a file, after any earlier file.
    pub(in crate::app) fn save(
        &mut self,
        ctx: &Context,
        request: SaveRequest,
        folder: Option<&Path>,
    ) {
        if self.open_dialog.is_some() {
            self.queue.push(QueuedSave { request, folder: folder.map(Path::to_owned) });
        } else {
            self.open_dialog = Some(open_save_dialog(ctx, request, folder));
        }
    }

    /// Returns messages about files since the last frame.
    pub(in crate::app) fn take_outcomes(&mut self, ctx: &Context) -> Vec<Result<String, String>> {
        let mut outcomes = Vec::new();
        match self.open_dialog.as_ref().map(Receiver::try_recv) {
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Ok(answer)) => {
                self.open_dialog = None;
                match answer {
                    SaveDialogAnswer::Saved(Ok(path)) => {
                        outcomes.push(Ok(format!("Saved {}", path.display())));
                    }
                    SaveDialogAnswer::Saved(Err(message)) => outcomes.push(Err(message)),
                    SaveDialogAnswer::Cancelled => {}
                    SaveDialogAnswer::NoDialog(name) => outcomes.push(Err(no_dialog(&name))),
                }
            }
            Some(Err(TryRecvError::Disconnected)) => {
                self.open_dialog = None;
                outcomes.push(Err("The file was not saved: the dialog broke off.".to_owned()));
            }
        }
        if self.open_dialog.is_none() && !self.queue.is_empty() {
            let QueuedSave { request, folder } = self.queue.remove(0);
            self.save(ctx, request, folder.as_deref());
        }
        outcomes
    }
}

/// Returns false: a handout is saved, and printed from a browser.
pub(in crate::app) fn print_page(_: &SaveRequest) -> bool {
    false
}

fn no_dialog(name: &str) -> String {
    format!(
        "“{name}” was not saved: this system has no file dialog. Install xdg-desktop-portal, or \
         write the file on the command line (bindpose --help)."
    )
}

fn open_save_dialog(
    ctx: &Context,
    request: SaveRequest,
    folder: Option<&Path>,
) -> Receiver<SaveDialogAnswer> {
    let opened_at = Instant::now();
    // Some systems require that the thread of the window opens the dialog.
    let mut dialog = rfd::AsyncFileDialog::new().set_title("Save").set_file_name(&request.name);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let chosen = dialog.save_file();
    let (sender, answer) = channel();
    let ctx = ctx.clone();
    // If the thread cannot start, the sender is dropped, which the receiver reports.
    let _ = std::thread::Builder::new().name("save".to_owned()).spawn(move || {
        let answer = match pollster::block_on(chosen) {
            Some(file) => {
                let path = file.path().to_owned();
                // The dialog has asked whether an existing file may be replaced.
                let written = write_file(&path, &request.bytes, true);
                SaveDialogAnswer::Saved(match written {
                    Ok(()) => Ok(path),
                    Err(error) => Err(describe_write_error(&path, &error)),
                })
            }
            None if cfg!(all(unix, not(target_os = "macos")))
                && opened_at.elapsed() < MIN_CHOICE_TIME =>
            {
                SaveDialogAnswer::NoDialog(request.name)
            }
            None => SaveDialogAnswer::Cancelled,
        };
        let _ = sender.send(answer);
        ctx.request_repaint();
    });
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_dialog_is_reported_with_help() {
        let (sender, answer) = channel();
        let mut saver = FileSaver { open_dialog: Some(answer), queue: Vec::new() };
        sender.send(SaveDialogAnswer::NoDialog("posed.glb".to_owned())).unwrap();
        let outcomes = saver.take_outcomes(&Context::default());
        let [Err(message)] = outcomes.as_slice() else { panic!("{outcomes:?}") };
        assert!(message.starts_with("“posed.glb” was not saved: this system has no file dialog."));
        assert!(saver.open_dialog.is_none());
    }
}
