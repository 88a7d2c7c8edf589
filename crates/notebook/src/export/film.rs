//! Films of a clip, or of angles that swing.

use std::f64::consts::TAU;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{AnglesCell, CellKind, Lesson};
use bindpose_skin::SharedInfluences;

use super::PictureSize;
use crate::playback::TIME_PARAM;
use crate::scene::Scene;
use crate::{Derived, Document, Notebook};

/// Smallest time between frames, in hundredths of a second as GIF counts it. 20 frames per
/// second are exact, and played at that speed by every browser.
const MIN_STEP_CS: u16 = 5;
/// Maximum number of frames. Longer films have fewer frames per second.
const MAX_FRAMES: u32 = 240;
/// Longest side of a frame on the page, in pixels.
const DEFAULT_MAX_SIDE_PX: u32 = 640;
/// The slowest swing takes a minute.
const MIN_SPEED_RAD_PER_SEC: f64 = TAU / 60.0;

/// The content and timing of a film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmPlan {
    /// Label such as `clip “swim”` or `angles, sin(t) · 0.80`.
    pub title: String,
    /// Number of frames, at least 1.
    pub frames: u32,
    /// Time between frames, in hundredths of a second.
    pub step_cs: u16,
    movement: Movement,
}

#[derive(Clone, Debug, PartialEq)]
enum Movement {
    /// A clip, played once.
    Clip { index: usize, length_secs: f64 },
    /// `sin(2π t) · amplitude`, once.
    Angles { names: Vec<String>, amplitude_rad: f64 },
}

impl FilmPlan {
    /// Plans a film of the selected clip; else of the angles that the page plays; else of the
    /// first clip; else of all angles. Returns `None` if nothing can move.
    ///
    /// `swing` is the amplitude in radians and the speed in radians per second of angles,
    /// unless the lesson has parameters for them.
    pub fn from_notebook(notebook: &Notebook, swing: (f64, f64)) -> Option<Self> {
        let (default_amplitude_rad, default_speed) = swing;
        let document = notebook.document();
        let rig = &notebook.derived().rig;
        let playing = playing_angles(notebook.lesson(), document.step);
        let chosen = document.state.playback.clip.filter(|&clip| clip < rig.clips.len());
        let first = (!rig.clips.is_empty() && playing.is_none()).then_some(0);
        if let Some(index) = chosen.or(first) {
            return Some(Self::of_clip(document, rig, index));
        }
        let derived = notebook.derived();
        let mut names = match playing {
            Some(cell) if !cell.params.is_empty() => cell.params.clone(),
            _ => rig.angles().map(|param| param.name.clone()).collect(),
        };
        // Driven angles follow their formula, as in the cell.
        names.retain(|name| {
            let is_angle = rig.param(name).is_some_and(|param| param.kind.is_angle());
            is_angle && derived.driven(name).is_none()
        });
        let amplitude_rad = derived.param("amplitude").unwrap_or(default_amplitude_rad);
        let speed = derived.param("speed").unwrap_or(default_speed);
        let (frames, step_cs) = frame_timing(TAU / speed.abs().max(MIN_SPEED_RAD_PER_SEC));
        (!names.is_empty()).then(|| Self {
            title: format!("angles, sin(t) · {amplitude_rad:.2}"),
            frames,
            step_cs,
            movement: Movement::Angles { names, amplitude_rad },
        })
    }

    pub(super) fn of_clip(document: &Document, rig: &Rig, index: usize) -> Self {
        let mut playing = document.clone();
        playing.state.playback.clip = Some(index);
        let length_secs = playing.length_secs(rig);
        let (frames, step_cs) = frame_timing(length_secs);
        let name = rig.clips.get(index).map_or("", |clip| clip.name.as_str());
        Self {
            title: if name.is_empty() {
                format!("clip {index}")
            } else {
                format!("clip “{name}”")
            },
            frames,
            step_cs,
            movement: Movement::Clip { index, length_secs },
        }
    }

    /// Duration of the film.
    pub fn secs(&self) -> f64 {
        f64::from(self.frames) * f64::from(self.step_cs) / 100.0
    }

    /// Returns the document of the page at a frame. The frame after the last one equals the
    /// first.
    fn document_at(&self, document: &Document, frame: u32) -> Document {
        let mut document = document.clone();
        let part = f64::from(frame) / f64::from(self.frames);
        match &self.movement {
            Movement::Clip { index, length_secs } => {
                document.state.playback.clip = Some(*index);
                document.state.params.insert(TIME_PARAM.to_owned(), part * length_secs);
            }
            Movement::Angles { names, amplitude_rad } => {
                let angle_rad = (TAU * part).sin() * amplitude_rad;
                let angles = names.iter().map(|name| (name.clone(), angle_rad));
                document.state.params.extend(angles);
            }
        }
        document
    }
}

/// Returns the number of frames, and the time between them in hundredths of a second.
fn frame_timing(secs: f64) -> (u32, u16) {
    let hundredths = (secs * 100.0).clamp(1.0, 60_000.0);
    let slow = (hundredths / f64::from(MAX_FRAMES)).ceil() as u16;
    let step_cs = slow.max(MIN_STEP_CS);
    let frames = (hundredths / f64::from(step_cs)).round() as u32;
    (frames.clamp(1, MAX_FRAMES), step_cs)
}

/// Returns the first cell with a play button for angles on the stage of a step.
fn playing_angles(lesson: &Lesson, step: usize) -> Option<&AnglesCell> {
    let of_step = lesson.steps.get(step).into_iter().flat_map(|step| &step.stage);
    lesson.stage.iter().chain(of_step).find_map(|cell| match &cell.kind {
        CellKind::Angles(angles) if angles.play => Some(angles),
        _ => None,
    })
}

/// A film of a picture. Owns its data, so that changes of the page do not affect it.
#[derive(Clone, Debug)]
pub struct Film {
    pub plan: FilmPlan,
    document: Document,
    lesson: Lesson,
    stored_rig: Arc<Rig>,
    influences: SharedInfluences,
    scene: Scene,
}

impl Film {
    /// Creates a film of a picture on the page.
    pub fn new(plan: FilmPlan, notebook: &Notebook, picture: &Scene, size: PictureSize) -> Self {
        let scene = picture.resized(film_size(picture.size, size));
        let derived = notebook.derived();
        Self {
            plan,
            document: notebook.document().clone(),
            lesson: notebook.lesson().clone(),
            stored_rig: Arc::clone(&derived.stored_rig),
            influences: derived.faultless_influences().clone(),
            scene,
        }
    }

    /// Size in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.scene.size
    }

    /// Returns the scene of a frame.
    pub fn scene_at(&self, frame: u32) -> Scene {
        let document = self.plan.document_at(&self.document, frame);
        let influences = self.influences.clone();
        let derived = Derived::new(&document, Some(&self.lesson), &self.stored_rig, influences);
        Scene {
            morphed: derived.morphed().cloned(),
            palette: Arc::clone(&derived.palette),
            crowd: derived.crowd().cloned(),
            ..self.scene.clone()
        }
    }
}

/// Returns the size in pixels of a film of a picture with this size on the page. The size
/// [`PictureSize::AsShown`] is reduced to sides of at most 640 pixels.
pub fn film_size(picture_px: [u32; 2], size: PictureSize) -> [u32; 2] {
    let longest = picture_px[0].max(picture_px[1]).max(1);
    let scale = (f64::from(DEFAULT_MAX_SIDE_PX) / f64::from(longest)).min(1.0);
    size.of(picture_px.map(|side| ((f64::from(side) * scale).round() as u32).max(1)))
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{LessonSet, Setting};
    use bindpose_rigs::builtin;
    use bindpose_skin::SkinStage;
    use glam::Mat4;

    use super::*;
    use crate::{Edit, PageAddress};

    #[test]
    fn film_swings_once_and_ends_where_it_begins() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.follow("bindpose://bind-pose", 1).unwrap();
        // The first page shows the mesh as stored, which no joint moves.
        let blended = Edit::set(Setting::Stage(SkinStage::Blended));
        notebook.edit(&blended, 1).unwrap();
        let plan = FilmPlan::from_notebook(&notebook, (0.8, 1.0)).unwrap();
        assert!(plan.frames > 50 && plan.frames <= 240);
        let rig = &notebook.derived().rig;
        let palette: Arc<[Mat4]> = Arc::clone(&notebook.derived().palette);
        let picture = crate::scene::Scene {
            size: [1280, 720],
            ..crate::scene::Scene::plain(&rig.mesh, palette)
        };
        let film = Film::new(plan, &notebook, &picture, PictureSize::AsShown);
        assert_eq!(film.size(), [640, 360]);
        let large = Film::new(film.plan.clone(), &notebook, &picture, PictureSize::FullHd);
        assert_eq!(large.size(), [1920, 1080]);
        assert_eq!(large.scene_at(0).camera, picture.camera, "the same proportion");
        let wide = picture.resized([2560, 720]);
        assert_eq!(wide.camera, picture.camera, "room at the sides");
        let square = picture.resized([720, 720]);
        let taller = square.camera.height / picture.camera.height;
        assert!((taller - 16.0 / 9.0).abs() < 1e-5, "nothing is cut off: {taller}");
        let palette = |frame: u32| film.scene_at(frame).palette;
        let apart = |a: &[Mat4], b: &[Mat4]| {
            let pairs = a.iter().zip(b);
            pairs
                .map(|(a, b)| (a.w_axis - b.w_axis).length() + (a.x_axis - b.x_axis).length())
                .fold(0.0, f32::max)
        };
        let quarter = film.plan.frames / 4;
        let moved = apart(&palette(0), &palette(quarter));
        assert!(moved > 0.2, "it moves: {moved} in {quarter} frames");
        assert!(apart(&palette(0), &palette(film.plan.frames)) < 1e-4, "it comes round");
    }

    #[test]
    fn selected_clip_is_filmed() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        let lessons = notebook.set.lessons.iter();
        let whale = lessons.clone().find(|lesson| lesson.rig == "whale").unwrap();
        let page = PageAddress::lesson(&whale.slug);
        notebook.go(&page).unwrap();
        let clips = &notebook.derived().rig.clips;
        assert!(!clips.is_empty());
        let (title, secs) =
            (format!("clip “{}”", clips[0].name), f64::from(clips[0].duration_secs));
        let plan = FilmPlan::of_clip(notebook.document(), &notebook.derived().rig, 0);
        assert_eq!(plan.title, title);
        assert!((plan.secs() - secs).abs() < 0.1, "{} {secs}", plan.secs());
    }
}
