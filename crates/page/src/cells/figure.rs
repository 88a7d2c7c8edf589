//! A picture of a document other than the page's. The reader can move its camera and
//! change how it is displayed, but cannot change the page in it.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, Setting, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, LinkedHighlight, Navigation, apply_setting,
};
use eframe::egui::Ui;

use super::viewport;
use crate::PageContext;
use crate::requests::Requests;

/// Maximum number of settings that are kept.
const MAX_SETTINGS: usize = 64;

/// Camera and display settings of a figure.
#[derive(Default)]
pub(crate) struct FigureView {
    /// An empty lesson, because the picture belongs to no step.
    lesson: Lesson,
    /// Camera chosen by the reader. `None` for the default camera.
    camera: Option<Camera>,
    /// Selection and display settings chosen by the reader, in order.
    settings: Vec<Setting>,
}

impl FigureView {
    /// Draws a document in the available width.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        (cell, id): (&ViewportCell, String),
        (rig, document, derived): (&Arc<Rig>, &Document, &Derived),
        page: &mut PageContext<'_>,
        height: f32,
    ) {
        let mut document = document.clone();
        for setting in &self.settings {
            apply_setting(&mut document, setting, Some(rig));
        }
        let cameras: Cameras = self.camera.map(|camera| (id.clone(), camera)).into_iter().collect();
        let mut requests = Requests::default();
        let mut linked = LinkedHighlight::lit(page.linked.hovered());
        let mut figure_page = PageContext {
            lesson: &self.lesson,
            record: None,
            cameras: &cameras,
            linked: &mut linked,
            requests: &mut requests,
            ..page.with(&document, derived)
        };
        ui.push_id(&id, |ui| viewport::ui(ui, cell, &id, &mut figure_page, height));
        if !requests.is_empty() {
            self.apply_requests(requests);
            ui.ctx().request_repaint();
        }
    }

    /// Keeps changes of the camera, the selection and the display, and ignores others.
    fn apply_requests(&mut self, requests: Requests) {
        for edit in requests.edits {
            let Edit::Settings(settings) = edit else {
                continue;
            };
            let display_settings = settings.into_iter().filter(|setting| {
                matches!(
                    setting,
                    Setting::Joint(_)
                        | Setting::Vertex(_)
                        | Setting::Show(_)
                        | Setting::View(_)
                        | Setting::Tint(_)
                )
            });
            self.settings.extend(display_settings);
        }
        // Later settings override earlier ones, so old ones can be dropped.
        let excess = self.settings.len().saturating_sub(MAX_SETTINGS);
        self.settings.drain(..excess);
        for navigation in requests.navigation {
            if let Navigation::Look(_, camera) = navigation {
                self.camera = camera;
            }
        }
    }
}
