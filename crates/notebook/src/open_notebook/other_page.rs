//! Other pages opened from links, for example those of a class. The open page
//! does not change.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{CellKind, Crowd, Lesson, ViewportCell};

use super::super::computed_weights::{InfluencesSource, edited_influences};
use super::super::link::{self, own_model::take_model};
use super::super::{Cameras, Derived, Document, step_document};
use super::Notebook;

/// A page that another person has open.
#[derive(Debug)]
pub struct OtherPage {
    pub lesson: usize,
    /// Document encoded in the link.
    pub document: Document,
    pub derived: Derived,
    /// Cameras of viewports that were moved by hand.
    pub cameras: Cameras,
}

impl OtherPage {
    /// Returns the first viewport of the step and its cell name. Returns `None`
    /// if the step has none.
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
    /// Opens the page of a link, without custom shaders and crowds, which could
    /// overload this machine. Returns `None` if the link is invalid here or its
    /// model is not open.
    pub fn other_page(&self, link: &str) -> Option<OtherPage> {
        let address = link::address(link).ok()?;
        let place = self.set.lessons.iter().position(|lesson| lesson.slug == address.lesson)?;
        let lesson = &self.set.lessons[place];
        let step = step_of(lesson, &address)?;
        let rig = self.rig_of(lesson, step)?;
        let (mut document, cameras) = self.read_page(address, lesson, &rig)?;
        document.state.shaders.clear();
        document.state.crowd = Crowd::default();
        let source = InfluencesSource::Given(edited_influences(&document, &rig));
        let long_work = self.derived.long_work();
        let derived =
            Derived::with_fallback(&document, Some(lesson), &rig, &rig, source, long_work);
        Some(OtherPage { lesson: place, document, derived, cameras })
    }

    /// Reads the page of a link to the open lesson. Returns `None` if it leads
    /// to another lesson, model or rig, or is invalid here.
    pub fn parse_link_document(&self, link: &str) -> Option<Document> {
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
        // The next stop on a route and the form in place of the page are not
        // part of a page.
        let _ = link::take_route(&mut address.values);
        let _ = link::take_form(&mut address.values);
        if model.as_deref() != self.own_model_name(lesson) {
            return None;
        }
        let mut document = step_document(lesson, step, Some(rig));
        let mut cameras = Cameras::new();
        link::read(&address.values, &mut document, &mut cameras, lesson, rig).ok()?;
        Some((document, cameras))
    }
}

/// Returns the index of the step named in the address, or of the first step.
fn step_of(lesson: &Lesson, address: &link::Address) -> Option<usize> {
    let Some(slug) = address.step.as_deref() else { return Some(0) };
    lesson.steps.iter().position(|step| step.slug == slug)
}
