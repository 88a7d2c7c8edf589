//! Packed courses in the open program, and lessons of a folder that changed while they are
//! open.

#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;

use bindpose_diagnostic::counted;
use bindpose_notebook::ReloadOutcome;
#[cfg(not(target_arch = "wasm32"))]
use eframe::egui::Context;

use super::Shell;
use crate::app::opening::UnpackedCourse;
#[cfg(target_arch = "wasm32")]
use crate::app::opening::keep_course;

/// For pictures of pages.
#[cfg(not(target_arch = "wasm32"))]
const PATIENCE: Duration = Duration::from_mins(1);

impl Shell {
    /// Shows a course that was read, at its first lesson.
    pub(super) fn take_course(&mut self, read: UnpackedCourse) {
        self.view.playing.stop();
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_course(&read.name, read.files) {
            Ok(opened) => {
                self.view.search.forget_texts();
                self.view.scroll.to_top = true;
                let course = opened.course;
                let name = [course.title, course.version].join(" ");
                let lessons = counted(opened.lessons, "lesson");
                self.notices
                    .say(format!("{}: {lessons}, after those that were here.", name.trim()));
                if let Some(remark) = opened.remark {
                    self.notices.wrong(remark);
                }
                if let Some(link) = self.opening.then.take()
                    && let Err(why) = self.follow(&link)
                {
                    self.notices.wrong(why);
                }
                #[cfg(target_arch = "wasm32")]
                if !keep_course(&mut self.courses, &read.name, read.packed) {
                    let words =
                        "It is too large for the browser to keep: open it again the next time.";
                    self.notices.say(words);
                }
                #[cfg(not(target_arch = "wasm32"))]
                if let Some(path) = read.path {
                    self.courses.retain(|known| *known != path);
                    self.courses.push(path);
                }
            }
            Err(wrong) => self.notices.wrong(format!("{}: {wrong}", read.name)),
        }
    }
}

impl Shell {
    /// Reads the lessons again if they come from a folder and have changed; the
    /// reader's page and state stay.
    pub fn read_again(&mut self) {
        let said = match self.notebook.read_again() {
            ReloadOutcome::Nothing => return,
            ReloadOutcome::Read => "The lessons were read again.".to_owned(),
            ReloadOutcome::Back(title) => format!("“{title}” has its file again, and was read."),
            ReloadOutcome::Kept(title, None) => {
                let said = format!(
                    "The file of “{title}” is gone. The page stays as it was read last, and is \
                     read again when the file is back."
                );
                return self.notices.wrong_instead(said);
            }
            ReloadOutcome::Kept(title, Some(wrong)) => {
                let said = format!(
                    "“{title}” has no steps now: {wrong}. The page stays as it was read last."
                );
                return self.notices.wrong_instead(said);
            }
            ReloadOutcome::FolderGone => {
                let said = "There are no lessons in the folder now. They stay as they were read \
                            last, and are read again when they are back.";
                return self.notices.wrong_instead(said);
            }
        };
        self.changes += 1;
        #[cfg(not(target_arch = "wasm32"))]
        self.content_check.ask();
        self.view.search.forget_texts();
        self.notices.say_instead(said);
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Shell {
    /// Takes what the check found, and begins it anew where the lessons were read.
    /// Until it is done, what was found before stays.
    pub(super) fn check_content(&mut self, ctx: &Context) {
        self.take_found(Duration::ZERO);
        self.content_check.begin(&self.notebook.set, ctx);
    }

    /// Checks the lessons and waits for it.
    pub fn check_content_now(&mut self, ctx: &Context) {
        self.take_found(PATIENCE);
        self.content_check.begin(&self.notebook.set, ctx);
        self.take_found(PATIENCE);
    }

    fn take_found(&mut self, patience: Duration) {
        if let Some(found) = self.content_check.found(patience) {
            self.notebook.findings = Some(found);
        }
    }
}
