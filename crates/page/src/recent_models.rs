//! The list of models that were opened before.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bindpose_notebook::MAX_RECENT_MODELS;
use eframe::egui::{self, FontId, Key, Response, Ui, WidgetInfo};

use crate::theme::{DENSE, SMALL, Theme};
use crate::widgets::Tip as _;
use crate::widgets::icon_line;

/// What stands behind the name of a file that is not there.
const MISSING: &str = "not there now";

/// Paths of models, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecentModels {
    paths: Vec<PathBuf>,
    /// Those that were not there when last looked for.
    missing: BTreeSet<PathBuf>,
    /// How often the list has changed.
    changes: u64,
    /// The one the reader wants again, until the program takes it.
    pub asked: Option<PathBuf>,
    /// Those that the reader took off the list, until the program takes them.
    pub taken_off: Vec<PathBuf>,
}

impl RecentModels {
    /// The list as remembered.
    pub fn new(paths: &[PathBuf]) -> Self {
        let mut recent = Self::default();
        for path in paths.iter().rev() {
            recent.add(path);
        }
        recent
    }

    /// The newest first.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Grows whenever the list has changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Puts a file at the top.
    pub fn add(&mut self, path: &Path) {
        self.forget(path);
        self.paths.insert(0, path.to_owned());
        self.paths.truncate(MAX_RECENT_MODELS);
    }

    /// Takes a file off the list.
    pub fn forget(&mut self, path: &Path) {
        self.changes += 1;
        self.paths.retain(|other| other != path);
        self.missing.remove(path);
    }

    /// Says which files are not there: a drive may be unplugged. They stay.
    pub fn set_missing(&mut self, missing: BTreeSet<PathBuf>) {
        self.missing = missing;
    }

    /// The newest file of this name.
    pub fn named(&self, name: &str) -> Option<&Path> {
        let mut paths = self.paths.iter();
        let found = paths.find(|path| file_name(path) == name);
        found.map(PathBuf::as_path)
    }

    /// Where the newest lies.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.paths.first()?.parent()?;
        folder.is_dir().then(|| folder.to_owned())
    }
}

/// A line a file; a click asks for it, the Delete key or its menu takes it off.
pub fn ui(ui: &mut Ui, theme: &Theme, recent: &mut RecentModels, indent: f32) {
    let (mut asked, mut off) = (None, None);
    for path in &recent.paths {
        let response = line(ui, theme, recent, path, indent);
        if response.clicked() {
            asked = Some(path.clone());
        }
        let by_key = response.has_focus() && ui.input(|input| input.key_pressed(Key::Delete));
        let mut by_menu = false;
        response.context_menu(|ui| by_menu = ui.button("Take off the list").clicked());
        if by_key || by_menu {
            off = Some(path.clone());
        }
    }
    if asked.is_some() {
        recent.asked = asked;
    }
    if let Some(path) = off {
        recent.forget(&path);
        recent.taken_off.push(path);
        ui.ctx().request_repaint();
    }
}

fn line(ui: &mut Ui, theme: &Theme, recent: &RecentModels, path: &Path, indent: f32) -> Response {
    let name = file_name(path);
    let missing = recent.missing.contains(path);
    let mut namesakes = recent.paths.iter().filter(|other| file_name(other) == name);
    // Of two with the same name, the folder tells which is which.
    let folder = path.parent().and_then(Path::file_name);
    let folder = folder.filter(|_| namesakes.nth(1).is_some());
    let folder = folder.map(OsStr::to_string_lossy);
    let parts = std::iter::once((&*name, indent, FontId::proportional(SMALL)));
    let behind = folder.as_deref().into_iter().chain(missing.then_some(MISSING));
    let behind = behind.map(|words| (words, 8.0, FontId::proportional(DENSE)));
    let job = icon_line(parts.chain(behind), theme.quiet);
    let button = egui::Button::new(job).frame_when_inactive(false).truncate();
    let response = ui.add(button);
    response.widget_info(|| {
        let missing = if missing { ", which is not there now" } else { "" };
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
    fn the_newest_stands_first_once_and_ten_are_kept() {
        let mut recent = RecentModels::new(&["a.glb", "b.glb", "a.glb"].map(PathBuf::from));
        let paths = |recent: &RecentModels| recent.paths().to_vec();
        let named = |names: &[&str]| -> Vec<PathBuf> { names.iter().map(PathBuf::from).collect() };
        assert_eq!(paths(&recent), named(&["a.glb", "b.glb"]));
        recent.add(Path::new("b.glb"));
        assert_eq!(paths(&recent), named(&["b.glb", "a.glb"]));
        recent.forget(Path::new("b.glb"));
        assert_eq!(paths(&recent), named(&["a.glb"]));
        for number in 0..20 {
            recent.add(Path::new(&format!("{number}.glb")));
        }
        assert_eq!(recent.paths().len(), 10);
        assert_eq!(recent.paths()[0], Path::new("19.glb"));
        assert_eq!(recent.named("12.glb"), Some(Path::new("12.glb")));
    }
}
