//! The system's dialog, on a thread of its own, which also writes the file.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use bindpose_page::view::SaveRequest;
use eframe::egui::Context;

use crate::app::write_file::{failure, write_file};

/// An answer sooner than this is no choice of the reader: a system without a
/// dialog answers at once.
const SHORTEST_CHOICE: Duration = Duration::from_millis(400);

/// Requests on their way to the disk.
#[derive(Debug, Default)]
pub(in crate::app::exporting) struct Saving {
    asked: Option<Receiver<SaveDialogAnswer>>,
    waiting: Vec<(SaveRequest, Option<PathBuf>)>,
}

/// What came of a dialog.
#[derive(Debug)]
enum SaveDialogAnswer {
    Saved(Result<PathBuf, String>),
    /// It was closed.
    Nothing,
    /// The system has none for the file of this name.
    NoDialog(String),
}

impl Saving {
    /// Asks where; one after the other.
    pub(in crate::app::exporting) fn ask(
        &mut self,
        ctx: &Context,
        request: SaveRequest,
        folder: Option<&Path>,
    ) {
        if self.asked.is_some() {
            self.waiting.push((request, folder.map(Path::to_owned)));
        } else {
            self.asked = Some(dialog(ctx, request, folder));
        }
    }

    /// What came about since the last frame.
    pub(in crate::app::exporting) fn update(
        &mut self,
        ctx: &Context,
    ) -> Vec<Result<String, String>> {
        let mut outcomes = Vec::new();
        let answer = self.asked.as_ref().map(Receiver::try_recv);
        match answer {
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Ok(answer)) => {
                self.asked = None;
                match answer {
                    SaveDialogAnswer::Saved(Ok(path)) => {
                        outcomes.push(Ok(format!("Saved {}", path.display())));
                    }
                    SaveDialogAnswer::Saved(Err(why)) => outcomes.push(Err(why)),
                    SaveDialogAnswer::Nothing => {}
                    SaveDialogAnswer::NoDialog(name) => outcomes.push(Err(no_dialog(&name))),
                }
            }
            Some(Err(TryRecvError::Disconnected)) => {
                self.asked = None;
                outcomes.push(Err("The file was not saved: the dialog broke off.".to_owned()));
            }
        }
        if self.asked.is_none() && !self.waiting.is_empty() {
            let (next, folder) = self.waiting.remove(0);
            self.ask(ctx, next, folder.as_deref());
        }
        outcomes
    }
}

fn no_dialog(name: &str) -> String {
    format!(
        "“{name}” was not saved: this system has no file dialog. Install xdg-desktop-portal, or \
         write the file on the command line (bindpose --help)."
    )
}

fn dialog(
    ctx: &Context,
    request: SaveRequest,
    folder: Option<&Path>,
) -> Receiver<SaveDialogAnswer> {
    let asked = Instant::now();
    // Some systems want it shown from the thread of the window.
    let mut dialog = rfd::AsyncFileDialog::new().set_title("Save").set_file_name(&request.name);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let chosen = dialog.save_file();
    let (send, answer) = channel();
    let ctx = ctx.clone();
    let wait = move || {
        let answer = match pollster::block_on(chosen) {
            Some(file) => {
                let path = file.path().to_owned();
                // The dialog has asked whether a file may be replaced.
                let written = write_file(&path, &request.bytes, true);
                SaveDialogAnswer::Saved(match written {
                    Ok(()) => Ok(path),
                    Err(error) => Err(failure(&path, &error)),
                })
            }
            None if cfg!(all(unix, not(target_os = "macos")))
                && asked.elapsed() < SHORTEST_CHOICE =>
            {
                SaveDialogAnswer::NoDialog(request.name)
            }
            None => SaveDialogAnswer::Nothing,
        };
        let _ = send.send(answer);
        ctx.request_repaint();
    };
    // Without a thread the sender is gone, and that is an answer.
    let _ = std::thread::Builder::new().name("save".to_owned()).spawn(wait);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_dialog_what_to_do_is_said() {
        let (send, asked) = channel();
        let mut saving = Saving { asked: Some(asked), waiting: Vec::new() };
        send.send(SaveDialogAnswer::NoDialog("posed.glb".to_owned())).unwrap();
        let outcomes = saving.update(&Context::default());
        let [Err(words)] = outcomes.as_slice() else { panic!("{outcomes:?}") };
        assert!(words.starts_with("“posed.glb” was not saved: this system has no file dialog."));
        assert!(saving.asked.is_none());
    }
}
