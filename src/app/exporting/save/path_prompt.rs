//! A path, typed where the system has no dialog.

use std::path::PathBuf;

use bindpose_page::theme::{SMALL, Theme};
use bindpose_page::view::SaveRequest;
use bindpose_page::widgets::{Emphasis, RightGroup, name_dialog, note};
use eframe::egui::{Button, Context, Id, Key, Modal, RichText, TextEdit, vec2};

use crate::app::opening::{frame, strong, with_home};
use crate::app::write_file::{failure, write_file};

/// Widest window, in points.
const WIDE: f32 = 460.0;

/// The window.
#[derive(Debug)]
pub(super) struct PathPrompt {
    request: SaveRequest,
    path: String,
    /// What is in the way, and for which path.
    wrong: Option<(String, String)>,
    /// There is a file of that name; the next click replaces it.
    exists: bool,
}

/// What became of the window in a frame.
pub(super) enum Choice {
    Open,
    Cancel,
    Saved(PathBuf),
}

impl PathPrompt {
    /// Begins in `folder`, or where the program was started.
    pub(super) fn new(request: SaveRequest, folder: Option<PathBuf>) -> Self {
        let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let path = folder.join(&request.name).display().to_string();
        Self { request, path, wrong: None, exists: false }
    }

    pub(super) fn show(&mut self, ctx: &Context, theme: &Theme) -> Choice {
        let (mut save, mut cancel) = (false, false);
        let modal = Modal::new(Id::unique("save to a path")).frame(frame(theme, theme.rule)).show(
            ctx,
            |ui| {
                name_dialog(ui, "Save to a path");
                ui.set_width(WIDE.min(ui.ctx().content_rect().width() - 64.0));
                ui.label(strong(&format!("Save {}", self.request.name), 17.0));
                let words = "This system has no file dialog. Type where to save.";
                note(ui, theme, words, SMALL, Emphasis::Quiet);
                ui.add_space(8.0);
                let edit = TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY);
                let response = ui.add(edit).accessible_name("path of the file");
                let entered = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
                if ui.memory(|memory| memory.focused().is_none()) && !entered {
                    response.request_focus();
                }
                let wrong = self.wrong.as_ref().filter(|(path, _)| *path == self.path);
                let exists = wrong.is_some() && self.exists;
                if let Some((_, words)) = wrong {
                    ui.add_space(6.0);
                    ui.label(RichText::new(words).size(SMALL).color(theme.wrong));
                }
                ui.add_space(10.0);
                ui.horizontal(|ui| {
                    let group = RightGroup::new(ui, "buttons");
                    group.show(ui, |ui| {
                        cancel = ui.button("Cancel").clicked();
                        let ready = !self.path.trim().is_empty();
                        let words = if exists { "Replace it" } else { "Save" };
                        let button = Button::new(RichText::new(words).color(theme.on_accent))
                            .min_size(vec2(72.0, 28.0))
                            .fill(if exists { theme.wrong } else { theme.accent });
                        save = ui.add_enabled(ready, button).clicked()
                            || (entered && ready && !exists);
                    });
                });
            },
        );
        if save {
            return self.save();
        }
        if cancel || modal.should_close() {
            return Choice::Cancel;
        }
        Choice::Open
    }

    fn save(&mut self) -> Choice {
        let path = with_home(self.path.trim());
        let known = self.wrong.as_ref().is_some_and(|(path, _)| *path == self.path);
        let replace = known && self.exists;
        match write_file(&path, &self.request.bytes, replace) {
            Ok(()) => Choice::Saved(path),
            Err(error) => {
                self.exists = error.kind() == std::io::ErrorKind::AlreadyExists && path.is_file();
                let words = if self.exists {
                    "There is a file of that name.".to_owned()
                } else {
                    failure(&path, &error)
                };
                self.wrong = Some((self.path.clone(), words));
                Choice::Open
            }
        }
    }
}
