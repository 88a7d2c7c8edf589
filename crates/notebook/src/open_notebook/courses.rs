//! Courses opened in addition to the notebook's own lessons, which they follow.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Course, PackedFiles};

use super::super::PageAddress;
use super::Notebook;

/// Result of opening a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedCourse {
    pub course: Course,
    pub lessons: usize,
    /// Message for the reader if the course was written for a newer version.
    pub remark: Option<String>,
}

impl Notebook {
    /// Opens a packed course at its first lesson, replacing an older one of the
    /// same name. `file` is its file name.
    ///
    /// # Errors
    ///
    /// Fails if it has no lesson, or its first lesson cannot be shown. The open
    /// page then stays open.
    pub fn open_course(
        &mut self,
        file: &str,
        files: PackedFiles,
    ) -> Result<OpenedCourse, Diagnostic> {
        let (set, first) = self.set.with_course(file, files)?;
        let course = set.course_of(first).cloned().unwrap_or_default();
        let lessons =
            (0..set.lessons.len()).filter(|&lesson| set.course_of(lesson) == Some(&course)).count();
        let slug = set.lessons[first].slug.clone();
        let remark = course.newer().map(|finding| format!("{}; {}.", finding.title, finding.help));
        let before = self.set.clone();
        self.reload(set);
        if let Err(wrong) = self.go(&PageAddress::lesson(&slug)) {
            self.reload(before);
            return Err(wrong.into());
        }
        Ok(OpenedCourse { course, lessons, remark })
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;
    use bindpose_rigs::builtin;

    use super::*;

    const LESSON: &str =
        "+++\ntitle = \"Hands\"\nminutes = 5\nrig = \"RIG\"\n+++\n\n## One\n\nWords.\n";

    fn files(version: &str, rig: &str) -> PackedFiles {
        let about = format!(
            "name = \"hands\"\ntitle = \"Hands\"\nversion = \"{version}\"\nrequires = \"{version}\"\n"
        );
        [
            ("lessons.toml", about),
            ("20-bind-pose/lesson.md", LESSON.replace("RIG", rig)),
            ("30-more/lesson.md", LESSON.replace("RIG", "arm")),
        ]
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text.into_bytes().into()))
        .collect()
    }

    fn notebook() -> Notebook {
        Notebook::new(LessonSet::embedded(), builtin).unwrap()
    }

    #[test]
    fn course_follows_other_lessons_with_own_slugs() {
        let mut notebook = notebook();
        let built_in = notebook.set.lessons.len();
        let opened = notebook.open_course("h.bindpose", files("0.1", "arm")).unwrap();
        assert_eq!((opened.lessons, opened.remark), (2, None));
        assert_eq!(notebook.set.lessons.len(), built_in + 2);
        assert_eq!(notebook.link(), "bindpose://hands.bind-pose/one");
        notebook.follow("bindpose://bind-pose", 1).unwrap();
        assert_eq!(notebook.lesson().folder, "020-bind-pose");
        assert_eq!(notebook.lesson().slug, "bind-pose");
        notebook.follow("bindpose://hands.bind-pose?bend=0.5", 2).unwrap();
        assert!(notebook.link().starts_with("bindpose://hands.bind-pose/one?"));
        let kept = notebook.kept_links();

        let opened = notebook.open_course("h.bindpose", files("9.0", "arm")).unwrap();
        assert!(opened.remark.unwrap().contains("Bindpose 9.0"));
        assert_eq!(notebook.set.lessons.len(), built_in + 2, "in its own place");
        assert_eq!(notebook.kept_links(), kept, "what was changed there is kept");
    }

    #[test]
    fn broken_course_changes_nothing() {
        let mut notebook = notebook();
        let (before, page) = (notebook.set.lessons.len(), notebook.link());
        let wrong = notebook.open_course("h.bindpose", files("1.0", "gone.glb"));
        assert!(wrong.unwrap_err().to_string().contains("gone.glb"));
        assert_eq!((notebook.set.lessons.len(), notebook.link()), (before, page));
        let none = PackedFiles::new();
        assert!(notebook.open_course("h.bindpose", none).is_err());
        let mut unnamed = files("1.0", "arm");
        unnamed.insert("lessons.toml".to_owned(), b"title = \"Hands\"".as_slice().into());
        let wrong = notebook.open_course("h.bindpose", unnamed).unwrap_err();
        assert!(wrong.to_string().contains("name of the course"), "{wrong}");
        let refused = notebook.follow("bindpose://hands.bind-pose", 1).unwrap_err();
        assert!(refused.to_string().contains("course `hands` is not open"), "{refused}");
    }
}
