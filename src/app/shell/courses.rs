//! Packed courses in the open program.

use bindpose_diagnostic::counted;

use super::Shell;
#[cfg(target_arch = "wasm32")]
use crate::app::kept_courses;
use crate::app::opening::ReadCourse;

impl Shell {
    /// Shows a course that was read, at its first lesson.
    pub(super) fn take_course(&mut self, read: ReadCourse) {
        self.view.stop();
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.open_course(&read.name, read.files) {
            Ok(opened) => {
                self.view.search.forget_texts();
                self.view.scroll_to_top = true;
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
                if !kept_courses::keep(&mut self.courses, &read.name, read.packed) {
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
