//! A picture of something else than the page: it can be looked at from all sides, and
//! nothing that is done there changes the page.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{Lesson, Setting, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, LinkedHighlight, Navigation, apply_setting,
};
use eframe::egui::Ui;

use super::viewport;
use crate::PageContext;

/// How a reader looks at a figure.
#[derive(Default)]
pub(crate) struct FigureLook {
    /// What is drawn there belongs to no step.
    lesson: Lesson,
    /// Where the reader looks from; `None`: as it is framed.
    camera: Option<Camera>,
    /// What the reader has chosen, and what the picture is to show.
    looks: Vec<Setting>,
}

impl FigureLook {
    /// Shows what follows from a document on a rig, in the width that is left.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        (cell, id): (&ViewportCell, String),
        (rig, document, derived): (&Arc<Rig>, &Document, &Derived),
        page: &mut PageContext<'_>,
        height: f32,
    ) {
        let mut document = document.clone();
        for look in &self.looks {
            apply_setting(&mut document, look, Some(rig));
        }
        let camera = self.camera.map(|camera| (id.clone(), camera));
        let cameras: Cameras = camera.into_iter().collect();
        let (mut edits, mut navigation) = (Vec::new(), Vec::new());
        let mut linked = LinkedHighlight::lit(page.linked.hovered());
        let mut other = PageContext {
            lesson: &self.lesson,
            record: None,
            cameras: &cameras,
            linked: &mut linked,
            edits: &mut edits,
            navigation: &mut navigation,
            ..page.with(&document, derived)
        };
        ui.push_id(&id, |ui| viewport::ui(ui, cell, &id, &mut other, height));
        if !edits.is_empty() || !navigation.is_empty() {
            self.take(edits, navigation);
            ui.ctx().request_repaint();
        }
    }

    /// Takes up what was done in a picture, as far as it only looks.
    fn take(&mut self, edits: Vec<Edit>, navigation: Vec<Navigation>) {
        for edit in edits {
            let Edit::Settings(settings) = edit else {
                continue;
            };
            let only_looks = |setting: &Setting| {
                matches!(
                    setting,
                    Setting::Joint(_)
                        | Setting::Vertex(_)
                        | Setting::Show(_)
                        | Setting::View(_)
                        | Setting::Tint(_)
                )
            };
            self.looks.extend(settings.into_iter().filter(only_looks));
        }
        // The last of a kind counts.
        let excess = self.looks.len().saturating_sub(64);
        self.looks.drain(..excess);
        for one in navigation {
            if let Navigation::Look(_, camera) = one {
                self.camera = camera;
            }
        }
    }
}
