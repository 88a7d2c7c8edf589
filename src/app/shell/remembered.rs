//! What the program remembers from one run to the next.

use bindpose_notebook::Preferences;

use super::Shell;

impl Shell {
    /// Grows whenever something was done that may have to be remembered.
    pub fn changes(&self) -> u64 {
        self.changes + self.opening.recent.changes()
    }

    /// What to remember. Window size and position are the window's.
    pub fn preferences(&self) -> Preferences {
        let (page, waiting) = self.pages_to_remember();
        Preferences {
            dark: self.dark,
            zoom: self.zoom,
            less_motion: self.less_motion,
            contents: self.view.contents,
            conventions: self.view.conventions,
            bench: self.view.bench.open,
            snapshots: self.snapshot_links(),
            progress: self.notebook.progress.clone(),
            marks: self.notebook.marks.clone(),
            page: Some(page),
            route: self.notebook.route_name().map(str::to_owned),
            kept: self.notebook.kept_links(),
            model: self.model_file(),
            waiting,
            recent: self.opening.recent.paths().to_vec(),
            courses: self.courses.clone(),
            site: self.view.links.site.clone(),
            ..Preferences::default()
        }
    }
}
