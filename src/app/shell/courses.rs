//! Opening packed courses, and reloading lessons of a folder that changed while they are
//! open.

use std::time::Duration;

use bindpose_diagnostic::counted;
use bindpose_notebook::ReloadOutcome;
use eframe::egui::Context;

use super::Shell;
use crate::app::host;
use crate::app::opening::UnpackedCourse;

/// Time to wait for the check when a page is drawn without a window.
const CHECK_TIMEOUT: Duration = Duration::from_mins(1);

impl Shell {
    /// Opens a course at its first lesson.
    pub(super) fn open_course(&mut self, unpacked: UnpackedCourse) {
        self.view.playing.stop();
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_course(&unpacked.name, unpacked.files) {
            Ok(opened) => {
                self.search.discard_indices();
                self.view.scroll.to_top = true;
                let course = opened.course;
                let name = [course.title, course.version].join(" ");
                let lessons = counted(opened.lessons, "lesson");
                self.notices
                    .add(format!("{}: {lessons}, after those that were here.", name.trim()));
                if let Some(remark) = opened.remark {
                    self.notices.add_error(remark);
                }
                if let Some(link) = self.opening.link_after_model.take()
                    && let Err(why) = self.open_link(&link)
                {
                    self.notices.add_error(why);
                }
                if let Some(path) = unpacked.path
                    && !host::keep_course(&mut self.courses, path, &unpacked.packed)
                {
                    let text =
                        "It is too large for the browser to keep: open it again the next time.";
                    self.notices.add(text);
                }
            }
            Err(error) => self.notices.add_error(format!("{}: {error}", unpacked.name)),
        }
    }
}

impl Shell {
    /// Reads the lessons again if they come from a folder and have changed. The reader's page
    /// and state are kept.
    pub fn reload_lessons(&mut self) {
        let text = match self.notebook.read_again() {
            ReloadOutcome::Nothing => return,
            ReloadOutcome::Read => "The lessons were read again.".to_owned(),
            ReloadOutcome::Back(title) => format!("“{title}” has its file again, and was read."),
            ReloadOutcome::Kept(title, None) => {
                return self.notices.set_status_error(format!(
                    "The file of “{title}” is gone. The page stays as it was read last, and is \
                     read again when the file is back."
                ));
            }
            ReloadOutcome::Kept(title, Some(error)) => {
                return self.notices.set_status_error(format!(
                    "“{title}” has no steps now: {error}. The page stays as it was read last."
                ));
            }
            ReloadOutcome::FolderGone => {
                return self.notices.set_status_error(
                    "There are no lessons in the folder now. They stay as they were read last, \
                     and are read again when they are back.",
                );
            }
        };
        self.changes += 1;
        self.content_check.request();
        self.search.discard_indices();
        self.notices.set_status(text);
    }
}

impl Shell {
    /// Shows the findings of a finished check, and starts a new one if the lessons were read
    /// again. The earlier findings stay until it is finished.
    pub(super) fn check_content(&mut self, ctx: &Context) {
        self.apply_findings(Duration::ZERO);
        self.content_check.start(&self.notebook.set, ctx);
    }

    /// Checks the lessons and waits for the result.
    pub fn check_content_now(&mut self, ctx: &Context) {
        self.apply_findings(CHECK_TIMEOUT);
        self.content_check.start(&self.notebook.set, ctx);
        self.apply_findings(CHECK_TIMEOUT);
    }

    fn apply_findings(&mut self, timeout: Duration) {
        if let Some(findings) = self.content_check.take_findings(timeout) {
            self.notebook.findings = Some(findings);
        }
    }
}
