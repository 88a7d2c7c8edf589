//! The reader's own model in the open program.

use std::path::PathBuf;
use std::sync::Arc;
#[cfg(test)]
use std::sync::mpsc::Sender;

use bindpose_asset::Rig;
use bindpose_diagnostic::{counted, grouped};
use bindpose_notebook::{Edit, EditError, GivenFile, OWN_RIG, WeightsFile, model_name};
use eframe::egui::Context;

use super::Shell;
#[cfg(test)]
use crate::app::opening::OpenDialogAnswer;
use crate::app::opening::{FilePurpose, ReadFiles, ReadModel};

/// Said where a file is asked for and nobody can choose one.
const NO_DIALOG: &str = "This system has no file dialog: drop the file on the window, or give it \
    on the command line.";

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
    /// Errors: in words, when no lesson stands on the reader's model.
    pub fn open_model(&mut self, model: Arc<Rig>) -> Result<(), String> {
        let own = self.notebook.own().cloned();
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_model(model, self.gesture) {
            // The page says so.
            Err(EditError::NotHereYet) => return Ok(()),
            opened => opened.map_err(|refused| refused.to_string())?,
        }
        self.view.scroll.to_top = true;
        self.after_model(own.as_ref());
        Ok(())
    }

    /// Waits for what is being read; is there still a model to open?
    #[cfg(test)]
    pub(in crate::app) fn opens(&mut self) -> bool {
        self.opening.work()
    }

    /// What comes of the next file dialog is what is sent here.
    #[cfg(test)]
    pub(in crate::app) fn dialog_answers(&mut self) -> Sender<OpenDialogAnswer> {
        self.opening.dialog_answers()
    }

    /// Begins to read what the program is opened with: the files of a model, as
    /// [`Self::open_files`] does, and then a file to stand beside it.
    pub fn open_asked(
        &mut self,
        ctx: &Context,
        (files, beside): (Vec<PathBuf>, Option<PathBuf>),
        link: Option<String>,
    ) {
        if !files.is_empty() {
            self.leave_kept_model();
        }
        self.open_files(ctx, files, link);
        let Some(file) = beside else { return };
        if self.opening.is_reading() {
            self.opening.then_beside = Some(file);
        } else {
            self.opening.begin_beside(ctx, file);
        }
    }

    /// Shows a model, or takes up saved work, as soon as it is read.
    pub(super) fn take_opened(&mut self, ctx: &Context) {
        if std::mem::take(&mut self.view.files.asked) {
            self.opening.ask(ctx, FilePurpose::Numbers);
        }
        self.opening.drops = self.purpose_of_drops();
        let opened = self.opening.update(ctx);
        if self.opening.found_no_dialog() {
            self.notices.wrong(NO_DIALOG);
        }
        let Some((read, purpose)) = opened else {
            return;
        };
        let page = self.page_in_sight();
        match read {
            ReadFiles::Model(opened) if purpose == FilePurpose::ModelB => self.take_model_b(opened),
            ReadFiles::Model(mut opened) => {
                let beside = self.opening.then_beside.take();
                let (model, weights) = (Arc::clone(&opened.rig), opened.weights.take());
                self.take_model(opened);
                let stands = (self.notebook.own()).is_some_and(|own| Arc::ptr_eq(own, &model));
                if let Some((name, weights)) = weights
                    && stands
                {
                    self.take_weights(&name, &weights);
                }
                if let Some(beside) = beside {
                    self.opening.begin_beside(ctx, beside);
                }
            }
            ReadFiles::Work(work) => self.take_work(&work),
            ReadFiles::Weights(name, weights) => self.take_weights(&name, &weights),
            ReadFiles::Course(course) => self.take_course(course),
            ReadFiles::Numbers(file) => self.take_numbers(file),
        }
        self.turned_from(&page, ctx);
    }

    /// What is dropped on a page that compares is the other model; on one that takes
    /// numbers, those.
    fn purpose_of_drops(&self) -> FilePurpose {
        if self.notebook.compares_models() {
            FilePurpose::ModelB
        } else if self.cell_for_numbers().is_some() {
            FilePurpose::Numbers
        } else {
            FilePurpose::Page
        }
    }

    fn take_model(&mut self, opened: ReadModel) {
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

    /// Gives numbers of an engine to the cell of this step that takes them.
    fn take_numbers(&mut self, file: GivenFile) {
        let Some(cell) = self.cell_for_numbers() else {
            self.notices.wrong(format!(
                "“{}” has numbers of an engine: open the step that holds them against the page, and \
                 give it there. “What your engine has” in lesson 160 is one.",
                file.name
            ));
            return;
        };
        let edit = Edit::GiveFile(cell.clone(), Some(file));
        self.give_numbers(cell, &edit);
    }

    /// Puts weights on the model that is open, as one step of undo.
    pub(super) fn take_weights(&mut self, name: &str, weights: &WeightsFile) {
        if self.notebook.awaited().is_some() || self.notebook.derived().awaits_weights() {
            self.notices.wrong(format!(
                "“{name}” was not put on the model, whose weights are not here yet: open it again \
                 when they are."
            ));
            return;
        }
        let changes = match weights.fitting(self.notebook.derived()) {
            Ok(changes) => changes,
            Err(misfit) => {
                self.opening.tell_misfit(name, misfit);
                return;
            }
        };
        if changes.is_empty() {
            let words = format!("{name}: all weights are as they are here already.");
            self.notices.say(words);
            return;
        }
        let words = match changes.len() {
            1 => format!("{name}: one vertex has other weights now."),
            count => {
                let count = grouped(count);
                format!("{name}: {count} vertices have other weights now.")
            }
        };
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.edit(&Edit::OpenWeights(changes), self.gesture) {
            Ok(()) => self.notices.say(words),
            Err(refused) => self.notices.wrong(refused.to_string()),
        }
    }

    fn take_model_b(&mut self, opened: ReadModel) {
        let words = words(&opened.rig);
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_model_b(opened.rig, self.gesture) {
            // The page says so.
            Err(EditError::NotHereYet) => return,
            Err(refused) => return self.notices.wrong(refused.to_string()),
            Ok(()) => {}
        }
        self.notices.say(format!("Model B is {words}"));
        if let Some((name, _)) = opened.weights {
            self.notices
                .say(format!("“{name}” was left aside: weights are put on the model of the page."));
        }
        if let Some(remark) = opened.remark {
            self.notices.say(remark);
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
        self.view.playing.motion.playing = false;
        self.view.cells.forget_lessons(stands_on_it);
    }
}

/// What stands there now.
fn words(rig: &Rig) -> String {
    format!(
        "{}: {}, {}, {}.",
        model_name(rig),
        counted(rig.joint_count(), "joint"),
        counted(rig.mesh.positions.len(), "vertex"),
        counted(rig.mesh.triangles.len(), "triangle"),
    )
}

#[cfg(test)]
mod tests {
    use bindpose_page::command::Command;
    use egui_kittest::kittest::Queryable as _;

    use crate::app::testing;

    #[test]
    fn a_second_model_turns_the_page_also_to_a_step_of_the_same_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.glb");
        let files = bindpose_asset::asset_files().unwrap();
        let arm = files.into_iter().find(|file| file.path == "arm/arm.glb");
        std::fs::write(&path, arm.unwrap().bytes).unwrap();
        let mut harness = testing::page([1280.0, 800.0], Vec::new());
        let shell = harness.state_mut().shell();
        shell.follow("bindpose://bone-grid/from-the-root-to-the-vertex").unwrap();
        harness.run();
        let shell = harness.state_mut().shell();
        shell.notices.offer("Of the other page.", Command::Undo);
        let (_, step) = shell.page_in_sight();
        harness.run();
        assert!(harness.query_by_label("Of the other page.").is_some());
        let ctx = harness.ctx.clone();
        let shell = harness.state_mut().shell();
        shell.opening.begin_beside(&ctx, path);
        while harness.state_mut().shell().opens() {
            harness.step();
        }
        harness.run();
        let now = harness.state_mut().shell().page_in_sight();
        assert_eq!(now, ("your-model".to_owned(), step), "the same number");
        assert!(harness.query_by_label("Of the other page.").is_none());
    }
}
