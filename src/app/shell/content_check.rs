//! Lessons of a folder are checked when they were read, so that their author sees on
//! the page what `bindpose check` would say.

use std::time::Duration;

use bindpose_asset::Task;
use bindpose_check::check_lessons;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::LessonSet;
use eframe::egui::Context;

/// The check of the lessons that are open.
#[derive(Debug)]
pub(super) struct ContentCheck {
    /// Were they read since it was last begun?
    due: bool,
    task: Option<Task<Vec<Diagnostic>>>,
}

impl Default for ContentCheck {
    fn default() -> Self {
        Self { due: true, task: None }
    }
}

impl ContentCheck {
    /// The lessons were read again.
    pub(super) fn ask(&mut self) {
        self.due = true;
    }

    /// Begins it where it is due. One that is under way ends first: saving often must
    /// not pile them up.
    pub(super) fn begin(&mut self, set: &LessonSet, ctx: &Context) {
        if self.task.is_some() || !std::mem::take(&mut self.due) || !set.is_on_disk() {
            return;
        }
        let (set, ctx) = (set.clone(), ctx.clone());
        self.task = Some(Task::start(
            "content check",
            move |_| check_lessons(&set, &bindpose_asset::builtin),
            move || ctx.request_repaint(),
        ));
    }

    /// What it found, once; waits for it at most so long.
    pub(super) fn found(&mut self, patience: Duration) -> Option<Vec<Diagnostic>> {
        let answer = self.task.as_ref()?.answer(patience)?;
        self.task = None;
        answer.ok()
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

    const HEAD: &str =
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n```viewport main\n```\n\n";

    /// Writes the lesson, later than before by the file's own time.
    fn write(dir: &Path, steps: &str) {
        let folder = dir.join("10-own");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("notes.md"), "Notes.\n").unwrap();
        let text = folder.join("lesson.md");
        std::fs::write(&text, format!("{HEAD}{steps}")).unwrap();
        let file = std::fs::File::open(&text).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
    }

    fn read_again(harness: &mut Harness<'_, Page>) {
        let ctx = harness.ctx.clone();
        let shell = harness.state_mut().shell();
        shell.read_again();
        shell.check_content_now(&ctx);
        harness.run();
    }

    #[test]
    fn findings_of_the_check_stand_at_their_step_and_go_when_mended() {
        let dir = tempfile::tempdir().unwrap();
        let two = "## Two\n\nJoint [9](joint:9).\n";
        write(dir.path(), &format!("## One\n\n[4](value:joints())\n\n{two}"));
        let set = LessonSet::from_dir(dir.path());
        let mut harness = page_with([1280.0, 800.0], set, Preferences::default());
        let ctx = harness.ctx.clone();
        harness.state_mut().shell().check_content_now(&ctx);
        harness.run();
        harness.get_by_label("1 finding at this step, 1 elsewhere");
        harness.get_by_label("line 12 · at the start of this step this prints 3, the text says 4");

        let shell = harness.state_mut().shell();
        shell.follow("bindpose://own/two").unwrap();
        harness.run();
        harness.get_by_label("line 16 · there is no joint 9");

        // A step more stands before, and the first mistake is mended.
        let between = "## Between\n\nWords.\n\n";
        write(dir.path(), &format!("## One\n\n[3](value:joints())\n\n{between}{two}"));
        read_again(&mut harness);
        assert_eq!(harness.state_mut().document().step, 2, "the page stays where it was");
        harness.get_by_label("1 finding at this step");
        harness.get_by_label("line 20 · there is no joint 9");

        write(
            dir.path(),
            &format!(
                "## One\n\n[3](value:joints())\n\n{between}## Two\n\nWords.\n\n```set\nb1 = 0.5\n```\n"
            ),
        );
        read_again(&mut harness);
        assert!(harness.query_by_label_contains("finding").is_none(), "all is mended");
        let b1 = |harness: &mut Harness<'_, Page>| {
            harness.state_mut().shell().notebook().derived().param("b1")
        };
        assert_eq!(b1(&mut harness), Some(0.5), "what the step sets came at once");
        let shell = harness.state_mut().shell();
        shell.edit(&Edit::param("b1", 1.0)).unwrap();
        harness.run();
        write(dir.path(), "## Two\n\nWords.\n\n```set\nb1 = 0.25\n```\n");
        read_again(&mut harness);
        assert_eq!(b1(&mut harness), Some(1.0), "the reader's own stays");

        std::fs::remove_dir_all(dir.path().join("10-own")).unwrap();
        write(&dir.path().join("another"), "## One\n\nWords.\n");
        std::fs::rename(dir.path().join("another/10-own"), dir.path().join("20-own2")).unwrap();
        read_again(&mut harness);
        harness.get_by_label_contains("is gone");
        write(dir.path(), "## Two\n\nWords.\n");
        read_again(&mut harness);
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
