//! The list of models that were opened before.

use std::path::{Path, PathBuf};

use eframe::egui::{self, FontId, Ui, WidgetInfo};

use crate::ui::theme::{DENSE, SMALL, Theme};
use crate::ui::widgets::icon_line;

/// Files kept in the list.
const MOST: usize = 10;

/// Paths of models, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecentModels {
    paths: Vec<String>,
    /// The one the reader wants again, until the program takes it.
    pub asked: Option<String>,
}

impl RecentModels {
    /// The list as remembered.
    #[must_use]
    pub fn new(paths: &[String]) -> Self {
        let mut recent = Self::default();
        for path in paths.iter().rev() {
            recent.add(Path::new(path));
        }
        recent
    }

    /// The newest first.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Puts a file at the top. A path that is no text cannot be remembered.
    pub fn add(&mut self, path: &Path) {
        let Some(path) = path.to_str() else { return };
        self.forget(path);
        self.paths.insert(0, path.to_owned());
        self.paths.truncate(MOST);
    }

    /// Takes a file off the list.
    pub fn forget(&mut self, path: &str) {
        self.paths.retain(|other| other != path);
    }

    /// Where the newest lies.
    #[must_use]
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = Path::new(self.paths.first()?).parent()?;
        folder.is_dir().then(|| folder.to_owned())
    }
}

/// A line a file; a click asks for it.
pub fn ui(ui: &mut Ui, theme: &Theme, recent: &mut RecentModels, indent: f32) {
    let mut asked = None;
    for path in &recent.paths {
        let name = Path::new(path).file_name();
        let name = name.map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        let namesakes = recent.paths.iter().filter(|other| {
            Path::new(other)
                .file_name()
                .is_some_and(|other| *other == *name)
        });
        // Of two with the same name, the folder tells which is which.
        let folder = Path::new(path).parent().and_then(Path::file_name);
        let folder = folder.filter(|_| namesakes.count() > 1);
        let folder = folder.map(std::ffi::OsStr::to_string_lossy);
        let parts = std::iter::once((&*name, indent, FontId::proportional(SMALL)));
        let folder = folder.iter();
        let folder = folder.map(|folder| (&**folder, 8.0, FontId::proportional(DENSE)));
        let job = icon_line(parts.chain(folder), theme.quiet);
        let button = egui::Button::new(job).frame_when_inactive(false).truncate();
        let response = ui.add(button);
        response.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Button, true, format!("Open {name} again"))
        });
        if response.on_hover_text(path).clicked() {
            asked = Some(path.clone());
        }
    }
    if asked.is_some() {
        recent.asked = asked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_stands_first_once_and_ten_are_kept() {
        let mut recent =
            RecentModels::new(&["a.glb".to_owned(), "b.glb".to_owned(), "a.glb".to_owned()]);
        assert_eq!(recent.paths(), ["a.glb", "b.glb"]);
        recent.add(Path::new("b.glb"));
        assert_eq!(recent.paths(), ["b.glb", "a.glb"]);
        recent.forget("b.glb");
        assert_eq!(recent.paths(), ["a.glb"]);
        for number in 0..20 {
            recent.add(Path::new(&format!("{number}.glb")));
        }
        assert_eq!(recent.paths().len(), 10);
        assert_eq!(recent.paths()[0], "19.glb");
    }
}
