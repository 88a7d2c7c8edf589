//! A page for tests of cells, without a window or GL.

use std::sync::{Arc, Mutex};

use bindpose_gltf::{ModelSource, Rig, RigOrigin, SceneGraph};
use bindpose_kit::theme::{self, Theme};
use bindpose_lesson::{Lesson, LessonSet};
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, GpuLimits, LinkedHighlight, ModelsB, Navigation, StepStart,
    apply, test_sample,
};
use bindpose_rigs::builtin;
use bindpose_skin::Skeleton;
use eframe::egui::{Rect, Shape, Ui};
use egui_kittest::Harness;

use crate::PageContext;
use crate::requests::Requests;
use crate::view::{NoViewports, PicturePurpose, ViewState, Viewports};

/// Returns a built-in rig with scaled root joints.
pub(crate) fn scaled_rig(rig: &str, factor: f32) -> Arc<Rig> {
    let rig = builtin(rig).expect("a built-in rig");
    let mut joints = rig.skeleton.joints().to_vec();
    for root in joints.iter_mut().filter(|joint| joint.parent.is_none()) {
        root.parent_from_joint_at_rest.translation *= factor;
        root.parent_from_joint_at_rest.scale *= factor;
    }
    Arc::new(Rig { skeleton: Skeleton::new(joints).expect("a valid skeleton"), ..(*rig).clone() })
}

/// State of a page, with the edits and navigation that the page has requested.
pub(crate) struct Page {
    pub(crate) document: Document,
    pub(crate) cameras: Cameras,
    pub(crate) before: Option<Document>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) navigation: Vec<Navigation>,
    pub(crate) limits: Option<GpuLimits>,
    pub(crate) linked: LinkedHighlight,
    pub(crate) viewports: Box<dyn Viewports>,
    pub(crate) rig: Arc<Rig>,
    pub(crate) lesson: Lesson,
    pub(crate) set: LessonSet,
    pub(crate) view: ViewState,
    pub(crate) can_sway: bool,
}

impl Page {
    pub(crate) fn new(rig: &str) -> Self {
        Self::with_rig(builtin(rig).expect("a built-in rig"))
    }

    pub(crate) fn with_params(mut self, params: &[(&str, f64)]) -> Self {
        for (name, value) in params {
            self.document.state.params.insert((*name).to_owned(), *value);
        }
        self
    }

    pub(crate) fn with_rig(rig: Arc<Rig>) -> Self {
        Self {
            document: Document::default(),
            cameras: Cameras::new(),
            before: None,
            edits: Vec::new(),
            navigation: Vec::new(),
            limits: None,
            linked: LinkedHighlight::default(),
            viewports: Box::new(NoViewports),
            rig,
            lesson: test_sample::lesson(),
            set: LessonSet::from_memory(&[], ""),
            view: ViewState {
                pictures: PicturePurpose { waits_for_work: true, ..PicturePurpose::default() },
                ..ViewState::default()
            },
            can_sway: true,
        }
    }

    pub(crate) fn lesson(&mut self, lesson: Lesson) {
        self.lesson = lesson;
    }

    pub(crate) fn vertex_count(&self) -> u32 {
        self.rig.mesh.positions.len() as u32
    }

    pub(crate) fn derived(&self) -> Derived {
        Derived::of_document(&self.document, Some(&self.lesson), &self.rig)
    }

    /// Draws a cell and applies its edits and navigation, as the app does.
    fn show(&mut self, ui: &mut Ui, cell: impl FnOnce(&mut Ui, &mut PageContext<'_>)) {
        let derived = self.derived();
        let mut requests = Requests::default();
        let mut page = PageContext {
            lesson: &self.lesson,
            document: &self.document,
            before: self.before.as_ref(),
            derived: &derived,
            start: &StepStart::default(),
            set: &self.set,
            theme: &Theme::light(),
            linked: &mut self.linked,
            cameras: &self.cameras,
            requests: &mut requests,
            view: &mut self.view,
            viewports: self.viewports.as_mut(),
            limits: self.limits.as_ref(),
            record: None,
            models_b: ModelsB::default(),
            can_sway: self.can_sway,
            at_rest: None,
        };
        cell(ui, &mut page);
        for edit in requests.edits {
            apply(&mut self.document, &edit, &self.lesson, &self.rig).expect("a valid edit");
            self.edits.push(edit);
        }
        for navigation in requests.navigation {
            if let Navigation::Look(viewport, camera) = &navigation {
                match camera {
                    Some(camera) => self.cameras.insert(viewport.clone(), *camera),
                    None => self.cameras.remove(viewport),
                };
            }
            self.navigation.push(navigation);
        }
        if self.linked.turn() {
            ui.ctx().request_repaint();
        }
    }
}

/// Returns the arm as from a file whose skin does not contain the root joint, which is
/// then a node above the skin.
pub(crate) fn arm_with_parent_node() -> Rig {
    let mut rig = (*builtin("arm").expect("built in")).clone();
    let mut graph = SceneGraph::of_skeleton(&rig.skeleton);
    graph.skins[0].joints.remove(0);
    graph.skins[0].ours.remove(0);
    rig.origin = Some(Arc::new(RigOrigin {
        source: ModelSource::alone("arm.glb", Vec::new()),
        graph,
        notes: Vec::new(),
    }));
    rig
}

/// Creates a window of 700 × 500 points that contains a cell.
pub(crate) fn harness(
    page: Page,
    cell: impl Fn(&mut Ui, &mut PageContext<'_>) + 'static,
) -> Harness<'static, Page> {
    Harness::builder()
        .with_size([700.0, 500.0])
        .with_context_setup(|context| {
            context.set_fonts(theme::fonts());
            context.set_style_of(eframe::egui::Theme::Light, Theme::light().style());
            context.set_theme(eframe::egui::Theme::Light);
        })
        .build_ui_state(
            move |ui, page: &mut Page| {
                page.view.before_frame();
                page.show(ui, &cell);
                page.view.playing.after_frame();
            },
            page,
        )
}

/// Records the last scene instead of drawing it.
pub(crate) struct SceneRecorder(pub(crate) Arc<Mutex<Option<Scene>>>);

impl Viewports for SceneRecorder {
    fn shape(&mut self, _: &str, _: Rect, scene: Scene) -> Result<Shape, String> {
        *self.0.lock().unwrap() = Some(scene);
        Ok(Shape::Noop)
    }

    fn read_back_vertices(&mut self, _: &Scene) -> Result<GpuVertices, String> {
        Err("nothing is computed here".to_owned())
    }
}
