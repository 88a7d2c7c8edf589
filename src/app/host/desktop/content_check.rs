//! Background check of lessons read from a folder, so that their author sees the findings
//! of `bindpose check` on the page.

use std::time::Duration;

use bindpose_check::check_lessons;
use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Task;
use bindpose_lesson::LessonSet;
use eframe::egui::Context;

/// The check of the lessons that are open.
#[derive(Debug)]
pub(in crate::app) struct ContentCheck {
    /// True if the lessons were read since the last check started.
    is_due: bool,

    task: Option<Task<Vec<Diagnostic>>>,
}

impl Default for ContentCheck {
    fn default() -> Self {
        Self { is_due: true, task: None }
    }
}

impl ContentCheck {
    /// Requests a check, because the lessons were read again.
    pub(in crate::app) fn request(&mut self) {
        self.is_due = true;
    }

    /// Starts a requested check. A running one ends first, so that frequent saving does not
    /// pile them up.
    pub(in crate::app) fn start(&mut self, set: &LessonSet, ctx: &Context) {
        if self.task.is_some() || !std::mem::take(&mut self.is_due) || !set.is_on_disk() {
            return;
        }
        let set = set.clone();
        let ctx = ctx.clone();
        self.task = Some(Task::start(
            "content check",
            move |_| check_lessons(&set, &bindpose_rigs::builtin),
            move || ctx.request_repaint(),
        ));
    }

    /// Takes the findings of a finished check. Waits for it until the timeout.
    pub(in crate::app) fn take_findings(&mut self, timeout: Duration) -> Option<Vec<Diagnostic>> {
        let findings = self.task.as_ref()?.answer(timeout)?;
        self.task = None;
        findings.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::SystemTime;

    use bindpose_lesson::LessonSet;
    use bindpose_notebook::{Edit, Preferences};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use crate::app::testing::{Page, page_with};

    const LESSON_HEADER: &str =
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n```viewport main\n```\n\n";

    /// Writes the lesson with a modification time after that of the version before.
    fn write_lesson(dir: &Path, steps: &str) {
        let folder = dir.join("10-own");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("notes.md"), "Notes.\n").unwrap();
        let text = folder.join("lesson.md");
        std::fs::write(&text, format!("{LESSON_HEADER}{steps}")).unwrap();
        let file = std::fs::File::open(&text).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
    }

    fn reload_lessons(harness: &mut Harness<'_, Page>) {
        let ctx = harness.ctx.clone();
        let shell = harness.state_mut().shell();
        shell.reload_lessons();
        shell.check_content_now(&ctx);
        harness.run();
    }

    fn b1(harness: &mut Harness<'_, Page>) -> Option<f64> {
        harness.state_mut().shell().notebook().derived().param("b1")
    }

    #[test]
    fn findings_appear_at_their_step_until_the_lesson_is_corrected() {
        let dir = tempfile::tempdir().unwrap();
        let two = "## Two\n\nJoint [9](joint:9).\n";
        write_lesson(dir.path(), &format!("## One\n\n[4](value:joints())\n\n{two}"));
        let set = LessonSet::from_dir(dir.path());
        let mut harness = page_with([1280.0, 800.0], set, Preferences::default());
        let ctx = harness.ctx.clone();
        harness.state_mut().shell().check_content_now(&ctx);
        harness.run();
        harness.get_by_label("1 finding at this step, 1 elsewhere");
        harness.get_by_label("line 12 · at the start of this step this prints 3, the text says 4");

        let shell = harness.state_mut().shell();
        shell.open_link("bindpose://own/two").unwrap();
        harness.run();
        harness.get_by_label("line 16 · there is no joint 9");

        // Adds a step in between, and corrects the first mistake.
        let between = "## Between\n\nWords.\n\n";
        write_lesson(dir.path(), &format!("## One\n\n[3](value:joints())\n\n{between}{two}"));
        reload_lessons(&mut harness);
        assert_eq!(harness.state_mut().document().step, 2, "the page stays where it was");
        harness.get_by_label("1 finding at this step");
        harness.get_by_label("line 20 · there is no joint 9");

        write_lesson(
            dir.path(),
            &format!(
                "## One\n\n[3](value:joints())\n\n{between}## Two\n\nWords.\n\n```set\nb1 = 0.5\n```\n"
            ),
        );
        reload_lessons(&mut harness);
        assert!(harness.query_by_label_contains("finding").is_none(), "all is mended");
        assert_eq!(b1(&mut harness), Some(0.5), "what the step sets came at once");
        let shell = harness.state_mut().shell();
        shell.edit(&Edit::param("b1", 1.0)).unwrap();
        harness.run();
        write_lesson(dir.path(), "## Two\n\nWords.\n\n```set\nb1 = 0.25\n```\n");
        reload_lessons(&mut harness);
        assert_eq!(b1(&mut harness), Some(1.0), "the reader's own stays");

        std::fs::remove_dir_all(dir.path().join("10-own")).unwrap();
        write_lesson(&dir.path().join("another"), "## One\n\nWords.\n");
        std::fs::rename(dir.path().join("another/10-own"), dir.path().join("20-own2")).unwrap();
        reload_lessons(&mut harness);
        harness.get_by_label_contains("is gone");
        write_lesson(dir.path(), "## Two\n\nWords.\n");
        reload_lessons(&mut harness);
        harness.get_by_label_contains("has its file again");
        assert!(harness.query_by_label_contains("is gone").is_none(), "that is no longer so");
    }

    #[test]
    fn lessons_of_the_program_are_not_checked_while_they_are_read() {
        let mut harness = page_with([900.0, 700.0], LessonSet::embedded(), Preferences::default());
        let ctx = harness.ctx.clone();
        let shell = harness.state_mut().shell();
        shell.check_content_now(&ctx);
        assert!(shell.notebook().findings.is_none());
    }
}
