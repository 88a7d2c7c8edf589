//! Opening files in the notebook: the reader's own model, weights, numbers and saved work.

use std::path::PathBuf;
use std::sync::Arc;
#[cfg(test)]
use std::sync::mpsc::Sender;

use bindpose_diagnostic::{counted, grouped};
use bindpose_gltf::Rig;
use bindpose_notebook::{Edit, EditError, GivenFile, OWN_RIG, WeightsFile, model_name};
use eframe::egui::Context;

use super::Shell;
#[cfg(test)]
use crate::app::opening::input_file::OpenDialogAnswer;
use crate::app::opening::{FilePurpose, OpenFailure, ReadFiles, ReadModel};

/// Shown if the system has no file dialog.
const NO_DIALOG: &str = "This system has no file dialog: drop the file on the window, or give it \
    on the command line.";

impl Shell {
    /// Starts reading a model from its files, and opens its page when it is read. Then
    /// follows `link`, if any. Without files, nothing happens.
    pub fn open_files(&mut self, ctx: &Context, files: Vec<PathBuf>, link: Option<String>) {
        if link.is_some() && !files.is_empty() {
            // Drops the notice of the first attempt to follow the link, without the model.
            self.notices.clear();
        }
        self.opening.open_files(ctx, files);
        self.opening.link_after_model = link;
    }

    /// Starts reading files given as bytes, with their paths below a folder.
    pub fn open_received_files(&mut self, ctx: &Context, files: Vec<(String, Vec<u8>)>) {
        self.opening.open_file_bytes(ctx, files);
    }

    /// Opens a model in the notebook, at the lesson that uses it.
    ///
    /// # Errors
    /// Fails with a message for the reader if no lesson uses the reader's own model.
    pub fn open_model(&mut self, model: Arc<Rig>) -> Result<(), String> {
        let own = self.notebook.own().cloned();
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_model(model, self.gesture) {
            // The page shows that it waits.
            Err(EditError::NotHereYet) => return Ok(()),
            opened => opened.map_err(|refused| refused.to_string())?,
        }
        self.view.scroll.to_top = true;
        self.reset_view_after_model_change(own.as_ref());
        Ok(())
    }

    /// Works on the pending files. Returns true while a model is still being read.
    #[cfg(test)]
    pub(in crate::app) fn has_pending_files(&mut self) -> bool {
        self.opening.wait_for_job()
    }

    /// Returns a sender for the result of the next file dialog.
    #[cfg(test)]
    pub(in crate::app) fn dialog_answers(&mut self) -> Sender<OpenDialogAnswer> {
        self.opening.dialog_answers()
    }

    /// Starts reading the files named on the command line: those of a model, as
    /// [`Self::open_files`] does, and then model B. Without `link`, the model opens at the
    /// doctor's report. Nothing else opens in place of a model that fails: see
    /// [`Self::take_named_failure`].
    pub fn open_command_line_files(
        &mut self,
        ctx: &Context,
        files: Vec<PathBuf>,
        model_b: Option<PathBuf>,
        link: Option<String>,
    ) {
        if files.is_empty() {
            if let Some(file) = model_b {
                self.opening.open_model_b(ctx, file);
            }
        } else {
            self.skip_kept_model();
            let opens_report = link.is_none();
            self.open_files(ctx, files, link);
            self.opening.opens_report_with_model = opens_report;
            self.opening.model_b_after_model = model_b;
        }
        self.opening.mark_as_named();
    }

    /// Takes the failure of a file that was named on the command line, for the terminal. The
    /// window shows it, too.
    pub fn take_named_failure(&mut self) -> Option<OpenFailure> {
        self.opening.take_named_failure()
    }

    /// Applies a model, saved work or another file as soon as it is read.
    pub(super) fn apply_opened_files(&mut self, ctx: &Context) {
        if std::mem::take(&mut self.view.files.opens_file) {
            self.opening.open_dialog(ctx, FilePurpose::Numbers);
        }
        self.opening.drop_purpose = self.purpose_of_drops();
        let opened = self.opening.update(ctx);
        if self.opening.take_has_no_dialog() {
            self.notices.add_error(NO_DIALOG);
        }
        let Some((read, purpose)) = opened else {
            return;
        };
        let page = self.current_page();
        match read {
            ReadFiles::Model(opened) if purpose == FilePurpose::ModelB => self.take_model_b(opened),
            ReadFiles::Model(mut opened) => {
                let model_b_file = self.opening.model_b_after_model.take();
                let model = Arc::clone(&opened.rig);
                let weights = opened.weights.take();
                self.take_model(opened);
                let is_open = self.notebook.own().is_some_and(|own| Arc::ptr_eq(own, &model));
                if let Some((name, weights)) = weights
                    && is_open
                {
                    self.take_weights(&name, &weights);
                }
                if let Some(file) = model_b_file {
                    self.opening.open_model_b(ctx, file);
                    self.opening.mark_as_named();
                }
            }
            ReadFiles::Work(work) => self.take_work(&work),
            ReadFiles::Weights(name, weights) => self.take_weights(&name, &weights),
            ReadFiles::Course(course) => self.open_course(course),
            ReadFiles::Numbers(file) => self.take_numbers(file),
        }
        self.reset_view_after_turn(&page, ctx);
    }

    /// Returns the purpose of files dropped on the page. On a page that compares models they
    /// are model B, on a page that takes numbers of an engine they are numbers.
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
        let description = describe_model(&opened.rig);
        let before = self.notebook.document().clone();
        let model = Arc::clone(&opened.rig);
        let opens_report = std::mem::take(&mut self.opening.opens_report_with_model);
        if opens_report {
            // Before the model opens, so that undo at this step removes the model.
            self.open_report_page();
        }
        if let Err(refused) = self.open_model(opened.rig) {
            self.notices.add_error(refused);
            return;
        }
        if self.notebook.awaited().is_some() {
            return;
        }
        self.notices.add(description);
        if let Some(remark) = opened.remark {
            self.notices.add(remark);
        }
        let Some(link) = self.opening.link_after_model.take() else {
            self.reopen_page_on(&model, &before);
            if opens_report {
                self.open_report_page();
            }
            return;
        };
        // The link was tried once without its model.
        self.kept_pages.pages.retain(|kept| kept.page.link != link);
        if let Err(why) = self.open_link(&link) {
            self.notices.add_error(why);
        }
    }

    /// Opens the step with the doctor's report on the reader's model, if there is one.
    fn open_report_page(&mut self) {
        if let Some(page) = self.notebook.report_page() {
            // Without that step, the model opens at the step where the reader was last.
            let _ = self.notebook.go(&page);
        }
    }

    /// Gives numbers of an engine to the cell of this step that takes them.
    fn take_numbers(&mut self, file: GivenFile) {
        let Some(cell) = self.cell_for_numbers() else {
            self.notices.add_error(format!(
                "“{}” has numbers of an engine: open the step that holds them against the page, and \
                 give it there. “What your engine has” in lesson 160 is one.",
                file.name
            ));
            return;
        };
        let edit = Edit::GiveFile(cell.clone(), file);
        self.give_numbers(cell, &edit);
    }

    /// Applies weights to the open model, as one undo step.
    pub(super) fn take_weights(&mut self, name: &str, weights: &WeightsFile) {
        if self.notebook.awaited().is_some() || self.notebook.derived().awaits_weights() {
            self.notices.add_error(format!(
                "“{name}” was not put on the model, whose weights are not here yet: open it again \
                 when they are."
            ));
            return;
        }
        let changes = match weights.fitting(self.notebook.derived()) {
            Ok(changes) => changes,
            Err(misfit) => {
                self.opening.report_misfit(name, misfit);
                return;
            }
        };
        if changes.is_empty() {
            self.notices.add(format!("{name}: all weights are as they are here already."));
            return;
        }
        let text = match changes.len() {
            1 => format!("{name}: one vertex has other weights now."),
            count => {
                format!("{name}: {} vertices have other weights now.", grouped(count))
            }
        };
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.edit(&Edit::OpenWeights(changes), self.gesture) {
            Ok(()) => self.notices.add(text),
            Err(refused) => self.notices.add_error(refused.to_string()),
        }
    }

    fn take_model_b(&mut self, opened: ReadModel) {
        let description = describe_model(&opened.rig);
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_model_b(opened.rig, self.gesture) {
            // The page shows that it waits.
            Err(EditError::NotHereYet) => return,
            Err(refused) => return self.notices.add_error(refused.to_string()),
            Ok(()) => {}
        }
        self.notices.add(format!("Model B is {description}"));
        if let Some((name, _)) = opened.weights {
            self.notices
                .add(format!("“{name}” was left aside: weights are put on the model of the page."));
        }
        if let Some(remark) = opened.remark {
            self.notices.add(remark);
        }
    }

    /// Drops the view state of the model that was open before, if another is open now.
    pub(super) fn reset_view_after_model_change(&mut self, before: Option<&Arc<Rig>>) {
        if before.map(Arc::as_ptr) == self.notebook.own().map(Arc::as_ptr) {
            return;
        }
        self.view.playing.motion.playing = false;
        let lessons = &self.notebook.set.lessons;
        self.view.cells.forget_lessons(|slug| {
            lessons.iter().any(|lesson| lesson.slug == slug && lesson.rig == OWN_RIG)
        });
    }
}

/// Formats the name of the model and its numbers of joints, vertices and triangles.
fn describe_model(rig: &Rig) -> String {
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
    fn opening_a_model_resets_the_view_even_at_the_same_step_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.glb");
        let files = bindpose_rigs::asset_files().unwrap();
        let arm = files.into_iter().find(|file| file.path == "arm/arm.glb");
        std::fs::write(&path, arm.unwrap().bytes).unwrap();
        let mut harness = testing::page([1280.0, 800.0], Vec::new());
        let shell = harness.state_mut().shell();
        shell.open_link("bindpose://bone-grid/from-the-root-to-the-vertex").unwrap();
        harness.run();
        let shell = harness.state_mut().shell();
        shell.notices.offer("Of the other page.", Command::Undo);
        let (_, step) = shell.current_page();
        harness.run();
        assert!(harness.query_by_label("Of the other page.").is_some());
        let ctx = harness.ctx.clone();
        let shell = harness.state_mut().shell();
        shell.opening.open_model_b(&ctx, path);
        while harness.state_mut().shell().has_pending_files() {
            harness.step();
        }
        harness.run();
        let page = harness.state_mut().shell().current_page();
        assert_eq!(page, ("your-model".to_owned(), step), "the same number");
        assert!(harness.query_by_label("Of the other page.").is_none());
    }
}
