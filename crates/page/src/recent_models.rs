//! The list of recently opened models.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bindpose_kit::theme::{DENSE_SIZE, SMALL_SIZE, Theme};
use bindpose_kit::widgets::{Tip as _, icon_line};
use bindpose_notebook::MAX_RECENT_MODELS;
use eframe::egui::{self, FontId, Key, Response, Ui, WidgetInfo};

/// Note after the name of a missing file.
const MISSING_NOTE: &str = "not there now";

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecentModels {
    /// Paths of the models, the newest first.
    paths: Vec<PathBuf>,
    /// Files that did not exist at the last check.
    missing: BTreeSet<PathBuf>,
    /// Number of changes of the list.
    changes: u64,
    /// Model that the reader wants to open. The app removes it.
    pub requested: Option<PathBuf>,
    /// Models that the reader has removed from the list. The app takes them.
    pub removed: Vec<PathBuf>,
}

impl RecentModels {
    /// Creates the list from saved paths, the newest first.
    pub fn new(paths: &[PathBuf]) -> Self {
        let mut recent = Self::default();
        for path in paths.iter().rev() {
            recent.add(path);
        }
        recent
    }

    /// Returns the paths, the newest first.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns the number of changes of the list.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Adds a file at the top.
    pub fn add(&mut self, path: &Path) {
        self.remove(path);
        self.paths.insert(0, path.to_owned());
        self.paths.truncate(MAX_RECENT_MODELS);
    }

    /// Removes a file from the list.
    pub fn remove(&mut self, path: &Path) {
        self.changes += 1;
        self.paths.retain(|other| other != path);
        self.missing.remove(path);
    }

    /// Sets the files that do not exist now. They stay in the list, because a drive may only be
    /// unplugged.
    pub fn set_missing(&mut self, missing: BTreeSet<PathBuf>) {
        self.missing = missing;
    }

    /// Returns the newest path with this file name.
    pub fn find_by_name(&self, name: &str) -> Option<&Path> {
        self.paths.iter().find(|path| file_name(path) == name).map(PathBuf::as_path)
    }

    /// Returns the folder of the newest file, if it exists.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.paths.first()?.parent()?;
        folder.is_dir().then(|| folder.to_owned())
    }
}

/// Draws a line per file. A click opens the file, the Delete key or the context menu removes
/// it from the list.
pub fn ui(ui: &mut Ui, theme: &Theme, recent: &mut RecentModels, indent: f32) {
    let mut clicked = None;
    let mut removed = None;
    for path in &recent.paths {
        let response = line_ui(ui, theme, recent, path, indent);
        if response.clicked() {
            clicked = Some(path.clone());
        }
        let by_key = response.has_focus() && ui.input(|input| input.key_pressed(Key::Delete));
        let mut by_menu = false;
        response.context_menu(|ui| by_menu = ui.button("Take off the list").clicked());
        if by_key || by_menu {
            removed = Some(path.clone());
        }
    }
    if clicked.is_some() {
        recent.requested = clicked;
    }
    if let Some(path) = removed {
        recent.remove(&path);
        recent.removed.push(path);
        ui.ctx().request_repaint();
    }
}

fn line_ui(
    ui: &mut Ui,
    theme: &Theme,
    recent: &RecentModels,
    path: &Path,
    indent: f32,
) -> Response {
    let name = file_name(path);
    let is_missing = recent.missing.contains(path);
    let same_name_count = recent.paths.iter().filter(|other| file_name(other) == name).count();
    // Files with the same name are distinguished by their folders.
    let folder = if same_name_count > 1 {
        path.parent().and_then(Path::file_name).map(OsStr::to_string_lossy)
    } else {
        None
    };
    let mut parts = vec![(&*name, indent, FontId::proportional(SMALL_SIZE))];
    if let Some(folder) = &folder {
        parts.push((&**folder, 8.0, FontId::proportional(DENSE_SIZE)));
    }
    if is_missing {
        parts.push((MISSING_NOTE, 8.0, FontId::proportional(DENSE_SIZE)));
    }
    let job = icon_line(parts, theme.quiet);
    let button = egui::Button::new(job).frame_when_inactive(false).truncate();
    let response = ui.add(button);
    response.widget_info(|| {
        let missing = if is_missing { ", which is not there now" } else { "" };
        let label = format!("Open {name} again{missing}");
        WidgetInfo::labeled(egui::Role::Button, true, label)
    });
    response.tip(format!(
        "{}\nDelete, or the menu of the other button, takes it off the list",
        path.display()
    ))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_path_is_first_without_duplicates_and_ten_are_kept() {
        let mut recent = RecentModels::new(&["a.glb", "b.glb", "a.glb"].map(PathBuf::from));
        assert_eq!(recent.paths(), ["a.glb", "b.glb"].map(PathBuf::from));
        recent.add(Path::new("b.glb"));
        assert_eq!(recent.paths(), ["b.glb", "a.glb"].map(PathBuf::from));
        recent.remove(Path::new("b.glb"));
        assert_eq!(recent.paths(), [PathBuf::from("a.glb")]);
        for number in 0..20 {
            recent.add(Path::new(&format!("{number}.glb")));
        }
        assert_eq!(recent.paths().len(), 10);
        assert_eq!(recent.paths()[0], Path::new("19.glb"));
        assert_eq!(recent.find_by_name("12.glb"), Some(Path::new("12.glb")));
    }
}
