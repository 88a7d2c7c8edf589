//! Links to states of a page that is not gone to: what is kept for comparison.

use bindpose_asset::Rig;

use super::Notebook;
use crate::{Cameras, Document, link, step_document};

impl Notebook {
    /// The link to a state of some page on the rig that its lesson stands on;
    /// `None`: there is no such lesson.
    pub fn link_to(&self, document: &Document, rig: &Rig) -> Option<String> {
        let mut lessons = self.set.lessons.iter();
        let lesson = lessons.find(|lesson| lesson.slug == document.lesson)?;
        let link = link::write(document, &Cameras::new(), lesson, rig);
        Some(match self.own_here(lesson) {
            Some(model) => link::own_model::name_model(&link, model),
            None => link,
        })
    }

    /// What a link says of a page of the open lesson. `None`: it leads elsewhere,
    /// was made on another model or rig, or makes no sense here.
    pub fn read_aside(&self, link: &str) -> Option<Document> {
        let mut address = link::address(link).ok()?;
        let lesson = self.lesson();
        if address.lesson != lesson.slug {
            return None;
        }
        let slug = address.step?;
        let step = lesson.steps.iter().position(|step| step.slug == slug)?;
        if lesson.rig_at(step) != lesson.rig_at(self.document.step) {
            return None;
        }
        let model = link::own_model::take_model(&mut address.values);
        if model.as_deref() != self.own_here(lesson) {
            return None;
        }
        let mut document = step_document(lesson, step, Some(&self.rig));
        let mut cameras = Cameras::new();
        let values = &address.values;
        link::read(values, &mut document, &mut cameras, lesson, &self.rig).ok()?;
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::LessonSet;

    use super::*;

    #[test]
    fn a_state_comes_back_from_its_link_and_of_another_lesson_none_does() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).expect("it has lessons");
        notebook.follow("bindpose://bind-pose/edit-it-yourself?nod=0.5", 0).expect("a page");
        let kept = notebook.document().clone();
        let link = notebook.link_to(&kept, &notebook.derived().stored_rig).expect("a link");
        notebook.follow("bindpose://bind-pose/guess-where-it-goes", 0).expect("a page");
        assert_eq!(notebook.read_aside(&link), Some(kept));
        assert_eq!(notebook.read_aside("bindpose://bind-pose/gone?nod=0.5"), None);
        notebook.follow("bindpose://bone-grid", 0).expect("a page");
        assert_eq!(notebook.read_aside(&link), None);
    }
}
