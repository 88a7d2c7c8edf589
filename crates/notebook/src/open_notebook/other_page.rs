//! Pages beside the open one, as links say them: nothing that is open changes.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{CellKind, Crowd, Lesson, ViewportCell};

use super::super::computed_weights::{Edited, edited_influences};
use super::super::link::{self, own_model::take_model};
use super::super::{Cameras, Derived, Document, step_document};
use super::Notebook;

/// A page that somebody else has open.
#[derive(Debug)]
pub struct OtherPage {
    /// Index of its lesson.
    pub lesson: usize,
    /// As its link says.
    pub document: Document,
    /// What follows from that.
    pub derived: Derived,
    /// Where its pictures are seen from, where somebody has moved their cameras.
    pub cameras: Cameras,
}

impl OtherPage {
    /// The first picture of its step, with its cell's name; `None`: the step has none.
    pub fn picture<'a>(&self, lesson: &'a Lesson) -> Option<(&'a str, &'a ViewportCell)> {
        let step = lesson.steps.get(self.document.step)?;
        let shared = lesson.stage.iter().filter(|cell| !step.hide.contains(&cell.id));
        let mut cells = step.stage.iter().chain(shared).chain(step.cells());
        cells.find_map(|cell| match &cell.kind {
            CellKind::Viewport(viewport) => Some((&*cell.id, viewport)),
            _ => None,
        })
    }
}

impl Notebook {
    /// The page of a link, without what would make this machine work for others: shaders of
    /// their own, crowds. `None`: it stands on a model that is not here, or makes no sense here.
    pub fn other_page(&self, link: &str) -> Option<OtherPage> {
        let address = link::address(link).ok()?;
        let place = self.set.lessons.iter().position(|lesson| lesson.slug == address.lesson)?;
        let lesson = &self.set.lessons[place];
        let step = step_of(lesson, &address)?;
        let rig = self.rig_of(lesson, step)?;
        let (mut document, cameras) = self.read_page(address, lesson, &rig)?;
        document.state.shaders.clear();
        document.state.crowd = Crowd::default();
        let edited = Edited::Given(edited_influences(&document, &rig));
        let page = (&document, Some(lesson));
        let derived = Derived::or_last(page, (&rig, &rig), edited, self.derived.long_work());
        Some(OtherPage { lesson: place, document, derived, cameras })
    }

    /// What a link says of a page of the open lesson. `None`: it leads elsewhere,
    /// was made on another model or rig, or makes no sense here.
    pub fn read_aside(&self, link: &str) -> Option<Document> {
        let address = link::address(link).ok()?;
        let lesson = self.lesson();
        if address.lesson != lesson.slug {
            return None;
        }
        let step = step_of(lesson, &address)?;
        if lesson.rig_at(step) != lesson.rig_at(self.document.step) {
            return None;
        }
        Some(self.read_page(address, lesson, &self.rig)?.0)
    }

    fn read_page(
        &self,
        mut address: link::Address,
        lesson: &Lesson,
        rig: &Arc<Rig>,
    ) -> Option<(Document, Cameras)> {
        let step = step_of(lesson, &address)?;
        let model = take_model(&mut address.values);
        // Where somebody goes next, and the questions of a lesson, are no part of its page.
        let _ = (link::take_route(&mut address.values), link::take_form(&mut address.values));
        if model.as_deref() != self.own_here(lesson) {
            return None;
        }
        let mut document = step_document(lesson, step, Some(rig));
        let mut cameras = Cameras::new();
        link::read(&address.values, &mut document, &mut cameras, lesson, rig).ok()?;
        Some((document, cameras))
    }
}

/// Index of the step that is named there, or of the first.
fn step_of(lesson: &Lesson, address: &link::Address) -> Option<usize> {
    let Some(slug) = address.step.as_deref() else { return Some(0) };
    lesson.steps.iter().position(|step| step.slug == slug)
}
