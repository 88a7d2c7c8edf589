//! The reader's own model in the open program.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::Shell;
use crate::app::opening::{Opened, Read};
use crate::asset::Rig;
use crate::notebook::{OWN_RIG, Refused, model_name};

impl Shell {
    /// Begins to read a model from its files; the page follows when it is read.
    /// Then `link` is followed, if it is given. Without files, nothing happens.
    pub fn open_files(&mut self, ctx: &Context, files: Vec<PathBuf>, link: Option<String>) {
        if link.is_some() && !files.is_empty() {
            // The page was followed once already, without its model.
            self.notices.clear();
        }
        self.opening.begin_files(ctx, files);
        self.opening.then = link;
    }

    /// Begins to read files of which only paths, below a folder, and bytes are known.
    #[cfg(target_arch = "wasm32")]
    pub(in crate::app) fn open_given(&mut self, ctx: &Context, files: Vec<(String, Vec<u8>)>) {
        self.opening.begin_given(ctx, files);
    }

    /// Puts a model into the notebook, at the lesson that stands on it.
    ///
    /// # Errors
    /// In words, when no lesson stands on the reader's model.
    pub fn open_model(&mut self, model: Arc<Rig>) -> Result<(), String> {
        let own = self.notebook.own().cloned();
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_model(model, self.gesture) {
            // The page says so.
            Err(Refused::NotHereYet) => return Ok(()),
            opened => opened.map_err(|refused| refused.to_string())?,
        }
        self.view.scroll_to_top = true;
        self.after_model(own.as_ref());
        Ok(())
    }

    /// Waits for what is being read; is there still a model to open?
    #[cfg(test)]
    pub(in crate::app) fn opens(&mut self) -> bool {
        self.opening.work()
    }

    /// As if the system had no file dialog.
    #[cfg(test)]
    pub(in crate::app) fn without_dialog(&mut self) {
        self.opening.type_path();
    }

    /// Shows a model, or takes up saved work, as soon as it is read.
    pub(super) fn take_opened(&mut self, ctx: &Context) {
        match self.opening.update(ctx) {
            Some(Read::Model(opened)) => self.take_model(opened),
            Some(Read::Work(work)) => self.take_work(&work),
            Some(Read::Course(course)) => self.take_course(course),
            None => {}
        }
    }

    fn take_model(&mut self, opened: Opened) {
        let words = words(&opened.rig);
        let (before, model) = (self.notebook.document().clone(), Arc::clone(&opened.rig));
        if let Err(refused) = self.open_model(opened.rig) {
            self.notices.wrong(refused);
            return;
        }
        if self.notebook.awaited().is_some() {
            return;
        }
        self.notices.say(words);
        if let Some(remark) = opened.remark {
            self.notices.say(remark);
        }
        let Some(link) = self.opening.then.take() else {
            self.take_up_page_on(&model, &before);
            return;
        };
        // It was tried once without its model.
        self.kept.pages.retain(|kept| kept.page.link != link);
        if let Err(why) = self.follow(&link) {
            self.notices.wrong(why);
        }
    }

    /// What the view remembers of another model is of no use.
    pub(super) fn after_model(&mut self, before: Option<&Arc<Rig>>) {
        if before.map(Arc::as_ptr) == self.notebook.own().map(Arc::as_ptr) {
            return;
        }
        let stands_on_it = |slug: &str| {
            let mut lessons = self.notebook.set.lessons.iter();
            lessons.any(|lesson| lesson.slug == slug && lesson.rig == OWN_RIG)
        };
        self.view.motion.playing = false;
        self.view.cells.forget_lessons(stands_on_it);
    }
}

/// What stands there now.
fn words(rig: &Rig) -> String {
    let counted = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    format!(
        "{}: {}, {}, {}.",
        model_name(rig),
        counted(rig.joint_count(), "joint", "joints"),
        counted(rig.mesh.positions.len(), "vertex", "vertices"),
        counted(rig.mesh.triangles.len(), "triangle", "triangles"),
    )
}
