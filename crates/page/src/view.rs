//! View state of the page. It is never saved and never undone, and nothing is lost for the
//! reader if it is dropped.

pub mod bench;
pub mod classroom;
pub mod placed;
pub mod presenter;

use std::any::{Any, TypeId};
use std::collections::HashMap;

use bindpose_kit::widgets::SkipTarget;
use bindpose_lesson::Lesson;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_notebook::export::{Export, HandoutRequest, PictureSize};
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Document, ShaderReport, Transition, VertexShader};
use bindpose_skin::{Conventions, WeightFormat};
use eframe::egui;

use super::mended_copy::MendedCopyView;
use crate::brush::BrushState;
use crate::reader_presence::{ReaderPresence, Sway};
use bench::BenchState;
use classroom::ClassroomView;
use placed::{PlacedItems, ProseScroll};
use presenter::Presenter;

/// View state of the page.
#[derive(Debug, Default)]
pub struct ViewState {
    pub cells: CellStates,
    pub parts: PartStates,
    /// Number of times that the reader has reset a lesson. Cells drop choices made before.
    pub resets: u64,
    pub playing: Playing,
    /// True in presenter mode: large type, and nothing but the lesson.
    pub presenting: bool,
    pub presenter: Presenter,
    /// Part of the step that fills the page.
    pub enlarged: Option<EnlargedPart>,
    /// Step whose cells are not folded in presenter mode, although its pictures are small then.
    pub unfolded: Option<UnfoldedStep>,
    pub note: NoteView,
    /// Reader's notation of matrices, which applies unless a step sets its own.
    pub conventions: Conventions,
    /// Rectangles of the parts of the page in this frame.
    pub item_rects: PlacedItems,
    pub bench: BenchState,
    /// True if moving a weight of a vertex scales the others so that the sum stays 1.
    pub keep_sum: bool,
    /// Copy of the page's model that the doctor has mended.
    pub mended_copy: MendedCopyView,
    pub brush: BrushState,
    pub scroll: PageScroll,
    pub files: FileRequests,
    /// Cell into which the reader has just pasted numbers of an engine, until it is drawn.
    /// When a difference is found, it is selected in the pictures.
    pub pasted_numbers_cell: Option<String>,
    pub classroom: ClassroomView,
    pub pictures: PicturePurpose,
    /// True while a browser loads the second part of the program. Work that the reader has
    /// not requested waits for it.
    pub is_loading_second_part: bool,
    /// True if the reader knows the articles that the course corrects.
    pub knows_sources: bool,
}

#[derive(Debug, Default)]
pub struct Playing {
    /// Motion by `sin(t)·amplitude`.
    pub motion: Motion,
    pub clip: ClipMotion,
    /// Interpolation of the pictures towards the document.
    pub transition: Option<Transition>,
    /// Clip that the lesson starts at the open step. `None` before it has started.
    pub autoplay: Option<Autoplay>,
    /// Sway of the open step.
    pub sway: Sway,
}

/// A clip that plays without the reader having started it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Autoplay {
    pub reader: ReaderPresence,
    /// True if the clip has ended.
    pub has_ended: bool,
}

/// Scroll position of the page, and requests to scroll in the next frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageScroll {
    /// Set when another step was opened. The prose then starts at its top.
    pub to_top: bool,
    /// Set together with [`Self::to_top`]. The stage then shows the control of the step's
    /// demonstration together with its picture.
    pub to_demonstration: bool,
    /// Set by a skip link. The focus moves there.
    pub skip_to: Option<SkipTarget>,
    /// Part of the prose that was visible in the last frame.
    pub prose: ProseScroll,
    /// Zoom factor of a pinch on the prose since the type last changed its size. 0 without
    /// a pinch.
    pub pinch_zoom: f32,
}

/// Requests to save or open files.
#[derive(Debug, Default)]
pub struct FileRequests {
    /// Files to save. The app opens the dialog and removes them.
    pub saves: Vec<SaveRequest>,
    /// True if a cell requests a file from the reader. The app opens the dialog.
    pub opens_file: bool,
    pub export: ExportMenuState,
}

/// Purpose of pictures that are not for the reader at the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct PicturePurpose {
    /// True if frames wait for all pending work, as pictures of the page need it.
    pub waits_for_work: bool,
    /// True if pictures are answers to a question. Captions must not name what was done.
    pub hides_captions: bool,
    /// True if pictures are taken for paper, without hints to click or drag.
    pub is_still: bool,
    /// True if [`PlacedItems`] records how far pictures are filled.
    pub is_measured: bool,
}

/// A step whose cells the teacher has unfolded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfoldedStep {
    /// Name of the lesson in links.
    pub lesson: String,
    pub step: usize,
}

/// Field for the reader's own note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteView {
    /// True if the reader has opened the field at this step, false if they have closed it.
    /// `None` means open if there is a note, but not in presenter mode.
    pub is_opened: Option<bool>,
    /// Set when the field is opened. It then requests the focus.
    pub takes_focus: bool,
    /// Text written in this frame. The app removes it.
    pub new_text: Option<String>,
}

impl NoteView {
    /// Returns true if the field is open.
    pub fn is_shown(&self, note: &str, presenting: bool) -> bool {
        self.is_opened.unwrap_or(!presenting && !note.is_empty())
    }

    /// Opens or closes the field.
    pub fn toggle(&mut self, note: &str, presenting: bool) {
        let opens = !self.is_shown(note, presenting);
        self.is_opened = Some(opens);
        self.takes_focus = opens;
    }

    /// Resets the reader's choice, at another step or when presenter mode starts or ends.
    pub fn forget(&mut self) {
        self.is_opened = None;
        self.takes_focus = false;
    }
}

/// State of the export menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportMenuState {
    pub open: bool,
    pub chosen: Export,
    /// Size of pictures and films.
    pub size: PictureSize,
    /// Format of a rig's weights. `None` means floats. A quantiser cell sets it, too.
    pub weights: Option<WeightFormat>,
    pub handout: HandoutRequest,
    /// True if the handout is printed rather than saved.
    pub to_print: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveRequest {
    /// Suggested name without folders, such as `whale-palette.npy`.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Motion of joints by a sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub playing: bool,
    /// True if a cell on the page of this frame can play the motion.
    pub has_control: bool,
    /// Argument of the sine.
    pub time_secs: f64,
    /// Amplitude if the lesson has no parameter `amplitude`.
    pub amplitude_rad: f64,
    /// Speed if the lesson has no parameter `speed`. 1 is one radian of phase a second.
    pub speed: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self { playing: false, has_control: false, time_secs: 0.0, amplitude_rad: 0.8, speed: 1.0 }
    }
}

/// Motion by a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipMotion {
    pub playing: bool,
    /// True if a frame was drawn since the clip was started.
    pub has_begun: bool,
    /// True if a timeline on the page of this frame has a clip to play.
    pub driven: bool,
    /// Seconds of the clip per second.
    pub speed: f64,
}

impl Default for ClipMotion {
    fn default() -> Self {
        Self { playing: false, has_begun: false, driven: false, speed: 1.0 }
    }
}

impl ViewState {
    /// Resets the values that cells set in each frame.
    pub fn before_frame(&mut self) {
        self.playing.motion.has_control = false;
        self.playing.clip.driven = false;
        self.item_rects.clear();
        self.mended_copy.before_frame();
    }

    /// Returns true if motion may start by itself: not in pictures of the page, while a
    /// presenter holds the page, or for readers who prefer reduced motion.
    pub(crate) fn wants_motion(&self, ui: &egui::Ui) -> bool {
        ui.style().animation_time > 0.0
            && !self.pictures.waits_for_work
            && self.presenter.frozen.is_none()
    }

    /// Enlarges the pictures of a step to the page, or ends any enlargement.
    pub fn toggle_pictures(&mut self, lesson: &Lesson, step: usize) {
        let has_pictures = lesson.on_stage(step).any(|cell| cell.kind.draws_scene());
        self.enlarged = if has_pictures && self.enlarged.is_none() {
            let lesson = lesson.slug.clone();
            Some(EnlargedPart { lesson, step, cells: EnlargedCells::Pictures })
        } else {
            None
        };
    }

    /// Enlarges the tasks of a step to the page, or puts them back.
    pub fn toggle_tasks(&mut self, lesson: &Lesson, step: usize) {
        let has_tasks = exercises_at(lesson, step).next().is_some();
        self.enlarged = if has_tasks && !self.shows_tasks_alone(&lesson.slug, step) {
            let lesson = lesson.slug.clone();
            Some(EnlargedPart { lesson, step, cells: EnlargedCells::Tasks })
        } else {
            None
        };
    }

    /// Returns true if the tasks of this step fill the page.
    pub fn shows_tasks_alone(&self, lesson: &str, step: usize) -> bool {
        matches!(self.enlarged_at(lesson, step), Some(EnlargedCells::Tasks))
    }

    /// Returns true if one cell of this step fills the page.
    pub fn shows_cell_alone(&self, lesson: &str, step: usize) -> bool {
        matches!(self.enlarged_at(lesson, step), Some(EnlargedCells::Cell(_)))
    }

    /// Returns the cells of a step that fill the page.
    fn enlarged_at(&self, lesson: &str, step: usize) -> Option<&EnlargedCells> {
        let enlarged = self.enlarged.as_ref()?;
        (enlarged.lesson == lesson && enlarged.step == step).then_some(&enlarged.cells)
    }
}

impl Playing {
    /// Stops the motions that no cell of the frame can play.
    pub fn after_frame(&mut self) {
        self.motion.playing &= self.motion.has_control;
        self.clip.playing &= self.clip.driven;
    }

    /// Starts or stops the clip or, if the page has none, the motion by a sine.
    pub fn toggle(&mut self) {
        if self.clip.driven {
            self.clip.playing = !self.clip.playing;
        } else {
            self.motion.playing = !self.motion.playing;
        }
    }

    /// Stops all motion and starts a transition of the pictures from `document`. Called before
    /// the page changes at once.
    pub fn move_from(&mut self, document: &Document, now_secs: f64) {
        self.stop();
        self.transition = Some(Transition::new(document, now_secs));
    }

    /// Stops the clip and the motion by a sine.
    pub fn stop(&mut self) {
        self.motion.playing = false;
        self.clip.playing = false;
    }
}

/// Part of a step that fills the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnlargedPart {
    pub lesson: String,
    pub step: usize,
    pub cells: EnlargedCells,
}

/// Cells that fill the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnlargedCells {
    /// All pictures of the stage.
    Pictures,
    /// The questions, guesses, exercises and diagnoses of the step, in large type.
    Tasks,
    /// A cell, by id.
    Cell(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraState {
    pub camera: Camera,
    /// True if the reader has moved the camera. Otherwise each frame frames it anew.
    pub is_held: bool,
}

/// Renderer of scenes. The app implements it with OpenGL, [`NoViewports`] without.
pub trait Viewports {
    /// Returns a shape that draws the scene in `rect`.
    ///
    /// # Errors
    /// Returns a message for the reader: what is missing and what to do.
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String>;

    /// Returns the vertex positions that the GPU computes for the scene.
    ///
    /// Waits for the GPU, so it must only be called when the scene has changed.
    ///
    /// # Errors
    /// Returns a message for the reader: what is missing and what to do.
    fn read_back_vertices(&mut self, scene: &Scene) -> Result<GpuVertices, String>;

    /// Returns the vertex shader that draws the scene's surface unless the reader writes
    /// their own.
    ///
    /// # Errors
    /// Returns a message for the reader: what is missing and what to do.
    fn vertex_shader(&self, scene: &Scene) -> Result<VertexShader, String> {
        let _ = scene;
        Err("The shader's text needs OpenGL 3.3, which is not there.".to_owned())
    }

    /// Returns the result of compiling a reader's shader. Returns `None` if no viewport was
    /// drawn with it.
    fn shader_report(&self, text: &str) -> Option<ShaderReport> {
        let _ = text;
        None
    }
}

/// Renderer without OpenGL. Its errors explain what is missing.
#[derive(Debug, Default)]
pub struct NoViewports;

impl Viewports for NoViewports {
    fn shape(&mut self, _: &str, _: egui::Rect, _: Scene) -> Result<egui::Shape, String> {
        Err("The picture needs OpenGL 3.3, which is not there. Everything else works.".to_owned())
    }

    fn read_back_vertices(&mut self, _: &Scene) -> Result<GpuVertices, String> {
        Err("That needs OpenGL 3.3, which is not there.".to_owned())
    }
}

/// State that a part of the page keeps between frames, by type.
#[derive(Debug, Default)]
pub struct PartStates(HashMap<TypeId, Box<dyn Any>>);

impl PartStates {
    /// Returns the state of this type, which starts as the default.
    pub fn get<T: Default + 'static>(&mut self) -> &mut T {
        let state = self.0.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
        match state.downcast_mut() {
            Some(state) => state,
            None => unreachable!("the key is its type"),
        }
    }
}

/// State that cells keep between frames, by slug of the lesson and id of the cell.
#[derive(Debug, Default)]
pub struct CellStates(HashMap<(String, String), PartStates>);

impl CellStates {
    /// Returns the state of this type of a cell, which starts as the default.
    pub fn get<T: Default + 'static>(&mut self, lesson: &str, cell: &str) -> &mut T {
        self.0.entry((lesson.to_owned(), cell.to_owned())).or_default().get()
    }

    /// Removes the states of all cells of some lessons, by slug.
    pub fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(lesson, _), _| !is_forgotten(lesson));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_of_each_lesson_has_a_state_of_every_type() {
        let mut states = CellStates::default();
        *states.get("arm", "tree") = true;
        *states.get("arm", "tree") = 3_u32;
        assert!(*states.get::<bool>("arm", "tree"));
        assert_eq!(states.get::<u32>("arm", "tree"), &3);
        assert!(!*states.get::<bool>("arm", "tree-2"));
        assert!(!*states.get::<bool>("own", "tree"));
    }

    #[test]
    fn forgetting_a_lesson_keeps_the_others() {
        let mut states = CellStates::default();
        *states.get("arm", "tree") = 3_u32;
        *states.get("own", "tree") = 4_u32;
        states.forget_lessons(|slug| slug == "own");
        assert_eq!(states.get::<u32>("arm", "tree"), &3);
        assert_eq!(states.get::<u32>("own", "tree"), &0);
    }
}
