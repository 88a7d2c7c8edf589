//! Where the HTML stands: what its steps are called there, and what leads to them.

use bindpose_lesson::Lesson;

/// Where the HTML stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HtmlPlace {
    /// One file to print.
    Paper,
    /// The pages of a site, a folder each.
    Pages,
    /// A site that is one file.
    OneFile,
}

impl HtmlPlace {
    /// The name of a step, which is the fragment of its address. In a site the
    /// notebook's own address bar has the same, so that a browser scrolls to the
    /// step before the notebook runs, without any script.
    pub fn step_id(self, lesson: &Lesson, step: usize) -> String {
        let step = lesson.steps.get(step).map_or("", |step| &step.slug);
        match self {
            Self::Paper => format!("{}.{step}", lesson.slug),
            Self::Pages => format!("step={step}"),
            Self::OneFile => format!("lesson={}&step={step}", lesson.slug),
        }
    }

    /// The address of a lesson of a site, or of one of its steps, on the page of
    /// any lesson.
    pub fn lesson_url(self, lesson: &Lesson, step: Option<usize>) -> String {
        let fragment = step.map(|step| format!("#{}", self.step_id(lesson, step)));
        match self {
            Self::Paper => fragment.unwrap_or_default(),
            Self::Pages => format!("../{}/{}", lesson.folder, fragment.unwrap_or_default()),
            Self::OneFile => fragment.unwrap_or_else(|| format!("#lesson={}", lesson.slug)),
        }
    }
}
