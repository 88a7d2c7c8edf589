//! View state: may be lost without harm. Never saved, never undone.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::export::{Export, HandoutRequest, PictureSize};
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::model_difference::{ModelComparison, OtherModel};
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Document, ShaderReport, Transition, VertexShader};
use bindpose_skin::{Conventions, WeightFormat};
use eframe::egui;

use super::mended_copy::MendedCopyView;
use super::work::PageWork;
use crate::bench::BenchState;
use crate::brush::BrushView;
use crate::classroom::ClassroomView;
use crate::link_window::LinkView;
use crate::presenter::Presenter;
use crate::reader_presence::{ReaderPresence, Sway};
use crate::search::SearchState;
use crate::stage::arrangement::Search;
use crate::stage::placed::{PlacedItems, ProseInView};
use crate::widgets::SkipTarget;

/// Motion, what is open.
#[derive(Debug, Default)]
pub struct ViewState {
    /// What cells keep.
    pub cells: CellStates,
    /// How often the reader has reset a lesson: what was chosen in a cell before
    /// is of no use.
    pub resets: u64,
    /// What moves.
    pub playing: Playing,
    /// Large type, nothing but the lesson.
    pub presenting: bool,
    /// What that mode adds.
    pub presenter: Presenter,
    /// What has all of the page.
    pub enlarged: Option<EnlargedPart>,
    /// Lists and windows that are open.
    pub windows: OpenWindows,
    /// The field for the reader's own note.
    pub note: NoteView,
    /// The window that finds things.
    pub search: SearchState,
    /// The window with the links to the page.
    pub links: LinkView,
    /// How the stage divides its room, by lesson and step.
    pub stages: HashMap<(String, usize), Search>,
    /// How the reader has matrices written down, where a step does not say.
    pub conventions: Conventions,
    /// Where the parts of the page stand in this frame.
    pub placed: PlacedItems,
    /// What the bench keeps across steps.
    pub bench: BenchState,
    /// While one weight of a vertex is moved, do the others make up the rest to 1?
    pub keep_sum: bool,
    /// The model that the page's is held against.
    pub model_b: ModelBView,
    /// What the doctor has mended of the page's model.
    pub mended: MendedCopyView,
    /// The brush for weights.
    pub brush: BrushView,
    /// Where the page is scrolled to.
    pub scroll: PageScroll,
    /// Files that go in and out.
    pub files: FileRequests,
    /// The cell that the reader has just given numbers of an engine: what they differ in
    /// is chosen in the pictures when it is found. Until that cell is drawn.
    pub numbers_given: Option<String>,
    /// The class that the page is part of.
    pub classroom: ClassroomView,
    /// What pictures are for.
    pub pictures: PicturePurpose,
    /// Is the second part of the program on its way, in a browser? What nobody has asked
    /// for waits for it.
    pub awaits_rest: bool,
    /// Has the reader said that they know the articles that the course corrects?
    pub knows_sources: bool,
}

/// What moves in the pictures.
#[derive(Debug, Default)]
pub struct Playing {
    /// `sin(t)·amplitude`.
    pub motion: Motion,
    /// A clip in motion.
    pub clip: ClipMotion,
    /// Pictures are on their way to what the page says.
    pub transition: Option<Transition>,
    /// What its lesson lets play on the open step; absent until that has begun.
    pub by_itself: Option<PlaysByItself>,
    /// The sway of the open step.
    pub sway: Sway,
}

/// A clip that nobody has started.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaysByItself {
    /// For whom it plays.
    pub reader: ReaderPresence,
    /// Has it come to an end?
    pub over: bool,
}

/// Lists and windows that are open. Search and links, which keep more, say it themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenWindows {
    /// Is the list of lessons shown beside the page?
    pub contents: bool,
    /// Is it shown over the page, where there is no room beside it?
    pub contents_over: bool,
    /// Is the window with the teacher's notes open?
    pub notes: bool,
    /// Is the list of keys open?
    pub keys: bool,
    /// Are the licences of what the program is made of shown?
    pub licences: bool,
}

/// Where the page is scrolled to, and where the next frame scrolls it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageScroll {
    /// Set when another step was entered: prose starts at its top.
    pub to_top: bool,
    /// Set at the same time: the stage shows what is dragged with what is watched.
    pub to_demonstration: bool,
    /// Set by a skip link: the focus goes there.
    pub skip_to: Option<SkipTarget>,
    /// How much of the prose was in view in the last frame.
    pub prose: ProseInView,
    /// By how much two fingers on the prose have moved apart since its type last changed
    /// its size; 0: there are none.
    pub pinched: f32,
}

/// Files that the reader wants out of the program, or is asked for.
#[derive(Debug, Default)]
pub struct FileRequests {
    /// Files that the reader wants to keep; the app asks where, and takes them.
    pub saves: Vec<SaveRequest>,
    /// A cell wants a file from the reader; the app asks for it.
    pub asked: bool,
    /// The menu for files.
    pub export: ExportMenu,
}

/// What pictures are for, where they are not for the reader at the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct PicturePurpose {
    /// Frames wait for all that is worked out beside the page, as pictures of it
    /// need.
    pub waits: bool,
    /// Pictures are answers to a question: no words say what was done in them.
    pub unnamed: bool,
    /// Pictures are taken for paper: nothing asks for a click.
    pub still: bool,
}

/// The field for the reader's own note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteView {
    /// Is it open, as the reader has asked at this step? Absent: open where there
    /// is a note, but not on a projector.
    pub asked: Option<bool>,
    /// Set when it was opened: it takes the focus.
    pub takes_focus: bool,
    /// What was written in this frame; the app takes it.
    pub written: Option<String>,
}

impl NoteView {
    /// Is the field shown?
    pub fn is_shown(&self, note: &str, presenting: bool) -> bool {
        self.asked.unwrap_or(!presenting && !note.is_empty())
    }

    /// Opens the field, or folds it away.
    pub fn toggle(&mut self, note: &str, presenting: bool) {
        let opens = !self.is_shown(note, presenting);
        self.asked = Some(opens);
        self.takes_focus = opens;
    }

    /// At another step, or on a projector or off it, nothing has been asked yet.
    pub fn forget(&mut self) {
        self.asked = None;
        self.takes_focus = false;
    }
}

/// The menu for files: open or not, and what is chosen in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportMenu {
    /// Is it open?
    pub open: bool,
    /// What is chosen.
    pub chosen: Export,
    /// How large a picture is made, still or moving.
    pub size: PictureSize,
    /// How a rig's weights are written; `None`: as floats. A quantiser puts it too.
    pub weights: Option<WeightFormat>,
    /// How a handout is made.
    pub handout: HandoutRequest,
    /// Is the handout that is made to be printed, rather than saved?
    pub to_print: bool,
}

/// A file that the reader wants to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveRequest {
    /// What it is called unless the reader says otherwise, without folders:
    /// `whale-palette.npy`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Moves joints while it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Running?
    pub playing: bool,
    /// Is there a cell on the page, in this frame, that can play?
    pub driven: bool,
    /// Argument of the sine.
    pub time_secs: f64,
    /// Used where the lesson has no parameter `amplitude`; radians.
    pub amplitude_rad: f64,
    /// Used where the lesson has no parameter `speed`; 1 is one radian of phase
    /// a second.
    pub speed: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self { playing: false, driven: false, time_secs: 0.0, amplitude_rad: 0.8, speed: 1.0 }
    }
}

/// Plays a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipMotion {
    /// Running?
    pub playing: bool,
    /// Has it come to a frame since it was started?
    pub begun: bool,
    /// Is there a timeline on the page, in this frame, with a clip to play?
    pub driven: bool,
    /// Seconds of the clip in a second.
    pub speed: f64,
}

impl Default for ClipMotion {
    fn default() -> Self {
        Self { playing: false, begun: false, driven: false, speed: 1.0 }
    }
}

impl ViewState {
    /// Before a frame: nothing on the page has said yet that it can play.
    pub fn before_frame(&mut self) {
        self.playing.motion.driven = false;
        self.playing.clip.driven = false;
        self.placed.clear();
        self.mended.before_frame();
    }

    /// May things move by themselves on this page? Not in pictures of a page, on
    /// projectors, nor for readers who want less motion.
    pub(crate) fn wants_motion(&self, ui: &egui::Ui) -> bool {
        ui.style().animation_time > 0.0 && !self.pictures.waits && !self.presenting
    }

    /// Gives the pictures of a step all of the page, or takes it from what has it.
    pub fn toggle_pictures(&mut self, lesson: &Lesson, step: usize) {
        let has_pictures = lesson.on_stage(step).any(|cell| cell.kind.draws_scene());
        let pictures = EnlargedPart { lesson: lesson.slug.clone(), step, cell: None };
        self.enlarged = Some(pictures).filter(|_| has_pictures && self.enlarged.is_none());
    }
}

impl Playing {
    /// After a frame: what nothing on the page can play, stands still.
    pub fn after_frame(&mut self) {
        self.motion.playing &= self.motion.driven;
        self.clip.playing &= self.clip.driven;
    }

    /// Starts or stops the clip, or, without one, `sin(t)·amplitude`.
    pub fn toggle(&mut self) {
        if self.clip.driven {
            self.clip.playing = !self.clip.playing;
        } else {
            self.motion.playing = !self.motion.playing;
        }
    }

    /// The page is about to change at once, and pictures go there from where they
    /// are, `document`.
    pub fn move_from(&mut self, document: &Document, now_secs: f64) {
        self.stop();
        self.transition = Some(Transition::new(document, now_secs));
    }

    /// Stands still.
    pub fn stop(&mut self) {
        self.motion.playing = false;
        self.clip.playing = false;
    }
}

/// What of a step has all of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnlargedPart {
    /// Slug of the lesson.
    pub lesson: String,
    /// From 0.
    pub step: usize,
    /// Id of a cell; `None`: the pictures of the stage.
    pub cell: Option<String>,
}

/// A camera and whether the reader has taken hold of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraState {
    /// Where it looks from now.
    pub camera: Camera,
    /// Moved by hand. Otherwise it is framed anew in every frame.
    pub held: bool,
}

/// Draws scenes; implemented by the app over the renderer, and by nothing in
/// tests without GL.
pub trait Viewports {
    /// A shape that shows the scene in `rect`.
    ///
    /// Errors: in words for the reader: what is missing and what to do.
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String>;

    /// Where the GPU puts each vertex of the scene. Waits for the GPU: for when
    /// something has changed, not for every frame.
    ///
    /// Errors: in words for the reader: what is missing and what to do.
    fn skinned(&mut self, scene: &Scene) -> Result<GpuVertices, String>;

    /// The vertex shader that draws the scene's surface unless the reader gives
    /// a text of their own.
    ///
    /// Errors: in words for the reader: what is missing and what to do.
    fn vertex_shader(&self, scene: &Scene) -> Result<VertexShader, String> {
        let _ = scene;
        Err("The shader's text needs OpenGL 3.3, which is not there.".to_owned())
    }

    /// What became of this text of a reader when a viewport was last drawn with
    /// it. Absent where none was.
    fn shader_report(&self, text: &str) -> Option<ShaderReport> {
        let _ = text;
        None
    }
}

/// No GL: the page works, viewports say what is missing.
#[derive(Debug, Default)]
pub struct NoViewports;

impl Viewports for NoViewports {
    fn shape(&mut self, _: &str, _: egui::Rect, _: Scene) -> Result<egui::Shape, String> {
        Err("The picture needs OpenGL 3.3, which is not there. Everything else works.".to_owned())
    }

    fn skinned(&mut self, _: &Scene) -> Result<GpuVertices, String> {
        Err("That needs OpenGL 3.3, which is not there.".to_owned())
    }
}

// The comparison of two models that the page keeps.

/// What was compared last. What is under way for other models is asked to stop, and does
/// with its next piece.
#[derive(Debug, Default)]
pub struct ModelBView(Option<LastModelB>);

#[derive(Debug)]
struct LastModelB {
    a: Arc<Rig>,
    b: OtherModel,
    comparison: PageWork<Option<Arc<ModelComparison>>>,
}

impl ModelBView {
    /// That of these models, begun where it is not the last one.
    pub(crate) fn comparison(
        &mut self,
        (a, b): (&Arc<Rig>, &OtherModel),
        begin: impl FnOnce() -> PageWork<Option<Arc<ModelComparison>>>,
    ) -> &mut PageWork<Option<Arc<ModelComparison>>> {
        let is_of = |last: &LastModelB| Arc::ptr_eq(&last.a, a) && last.b.is_as(b);
        let last = self.0.take().filter(is_of).unwrap_or_else(|| LastModelB {
            a: Arc::clone(a),
            b: b.clone(),
            comparison: begin(),
        });
        &mut self.0.insert(last).comparison
    }
}

// What cells keep from frame to frame: each cell any type of its own. May be
// lost without harm; never saved, never undone.

/// By slug of the lesson, id of the cell and type.
#[derive(Debug, Default)]
pub struct CellStates(HashMap<(String, String, TypeId), Box<dyn Any>>);

impl CellStates {
    /// What a cell of a lesson keeps of this type; the default at first.
    pub fn get<T: Default + 'static>(&mut self, lesson: &str, cell: &str) -> &mut T {
        let key = (lesson.to_owned(), cell.to_owned(), TypeId::of::<T>());
        let state = self.0.entry(key).or_insert_with(|| Box::<T>::default());
        match state.downcast_mut() {
            Some(state) => state,
            None => unreachable!("the key has its type"),
        }
    }

    /// Forgets what the cells of some lessons keep, by slug.
    pub fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(lesson, ..), _| !is_forgotten(lesson));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_of_each_lesson_keeps_its_own_of_every_type() {
        let mut states = CellStates::default();
        *states.get("arm", "tree") = true;
        *states.get("arm", "tree") = 3_u32;
        assert!(*states.get::<bool>("arm", "tree"));
        assert_eq!(states.get::<u32>("arm", "tree"), &3);
        assert!(!*states.get::<bool>("arm", "tree-2"));
        assert!(!*states.get::<bool>("own", "tree"));
    }

    #[test]
    fn a_lesson_is_forgotten_alone() {
        let mut states = CellStates::default();
        *states.get("arm", "tree") = 3_u32;
        *states.get("own", "tree") = 4_u32;
        states.forget_lessons(|slug| slug == "own");
        assert_eq!(states.get::<u32>("arm", "tree"), &3);
        assert_eq!(states.get::<u32>("own", "tree"), &0);
    }
}
