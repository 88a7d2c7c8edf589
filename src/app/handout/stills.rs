//! Pictures of cells, and whole handouts without a window.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::glow;
use image::RgbaImage;

use crate::app::handout_look::look;
use crate::app::lessons::lessons;
use crate::app::offscreen_shell::{OffscreenError, OffscreenShell};
use crate::app::opening::{Unopened, open_file};
use crate::asset::{self, Rig};
use crate::diagnostic::Diagnostic;
use crate::handout::{
    DrawPictures, HandoutRequest, NoPictures, Pages, Picture, Pictures, Wanted, WantedPictures,
    write,
};
use crate::lesson::{LessonSet, find_lesson};
use crate::notebook::export::small_png;
use crate::render::RenderError;
use crate::render::headless::HeadlessGl;

/// Pixels of a picture for each point: sharp on paper.
const SCALE: f32 = 1.5;
/// Points of the highest cell that is pictured whole.
const TALLEST: u32 = 1800;

/// What handouts are made of, and how.
#[derive(Clone, Debug)]
pub struct HandoutOptions {
    /// Lessons from this folder instead of the built-in ones.
    pub lessons: Option<PathBuf>,
    /// Of what.
    pub of: HandoutOf,
    /// A file of routes besides the lessons' own.
    pub routes: Option<PathBuf>,
    /// The model that lessons on the reader's own stand on; absent: the whale.
    pub model: Option<PathBuf>,
    /// How.
    pub request: HandoutRequest,
    /// With pictures?
    pub pictures: bool,
}

/// What a handout is of.
#[derive(Clone, Debug)]
pub enum HandoutOf {
    /// A lesson, by number, slug or folder name.
    Lesson(String),
    /// A route, by name.
    Route(String),
}

/// Why there is no handout.
#[derive(Debug, thiserror::Error)]
pub enum HandoutError {
    /// There is no such lesson.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// The model did not open.
    #[error(transparent)]
    Model(#[from] Unopened),
    /// No headless GL.
    #[error("{0}; without pictures it can be made: --without-pictures")]
    Render(#[from] RenderError),
    /// A picture was not drawn.
    #[error(transparent)]
    OffscreenShell(#[from] OffscreenError),
    /// A picture was not drawn, in words.
    #[error("{0}")]
    Page(String),
    /// What was drawn does not go into a PNG file.
    #[error("a picture could not be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// What the file of a handout is called.
///
/// # Errors
/// When there is no such lesson or route.
pub fn handout_name(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = set_of(options)?;
    Ok(match &options.of {
        HandoutOf::Lesson(lesson) => {
            let index = find_lesson(&set.lessons, lesson)?;
            format!("{}.html", set.lessons[index].folder)
        }
        HandoutOf::Route(route) => format!("{}.html", set.route(route)?.name),
    })
}

fn set_of(options: &HandoutOptions) -> Result<LessonSet, Diagnostic> {
    let mut set = lessons(options.lessons.as_deref())?;
    if let Some(file) = &options.routes {
        set.add_routes_from(file);
        if let Some(wrong) = set.outside_findings().next() {
            return Err(wrong.clone());
        }
    }
    Ok(set)
}

/// A handout as HTML.
///
/// # Errors
/// See [`HandoutError`].
pub fn handout(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = set_of(options)?;
    let own = options.model.as_deref().map(open_file).transpose()?;
    let pages = match &options.of {
        HandoutOf::Lesson(lesson) => Pages::of_lesson(&set, find_lesson(&set.lessons, lesson)?),
        HandoutOf::Route(route) => Pages::of_route(&set, set.route(route)?),
    };
    let written = |pictures: &mut dyn Pictures| {
        let rigs = |id: &str| asset::builtin(id);
        let (look, own) = (look(), own.as_ref());
        write(&set, &pages, options.request, &look, &rigs, own, pictures)
    };
    if !options.pictures {
        return Ok(written(&mut NoPictures));
    }
    let mut wanted = WantedPictures::default();
    let _ = written(&mut wanted);
    let gl = HeadlessGl::new()?;
    let mut stills = Stills::new(&gl.gl(), set.clone(), own.as_ref())?;
    let mut pictures = BTreeMap::new();
    for wanted in wanted.0 {
        let picture = stills.drawn(&wanted)?;
        pictures.insert(wanted, picture);
    }
    Ok(written(&mut pictures))
}

/// Draws cells, one by one.
struct Stills {
    offscreen: OffscreenShell,
}

impl Stills {
    fn new(
        gl: &Arc<glow::Context>,
        set: LessonSet,
        own: Option<&Arc<Rig>>,
    ) -> Result<Self, HandoutError> {
        let [width, height] = HandoutRequest::default().picture;
        let mut offscreen = OffscreenShell::new(gl, set, pixels(width, height), SCALE, false)?;
        offscreen.stand_on(own).map_err(HandoutError::Page)?;
        Ok(Self { offscreen })
    }

    fn drawn(&mut self, wanted: &Wanted) -> Result<Picture, HandoutError> {
        let link = format!("bindpose://{}/{}", wanted.lesson, wanted.step);
        let shell = &mut self.offscreen.shell;
        shell.follow(&link).map_err(HandoutError::Page)?;
        let size = pixels(wanted.width, wanted.height.unwrap_or(TALLEST));
        self.offscreen.resize(size);
        let (width, height) = (
            wanted.width as f32,
            wanted.height.map(|height| height as f32),
        );
        let (image, words) = self.offscreen.cell(&wanted.cell, width, height)?;
        let size = [image.width(), image.height()].map(|pixels| pixels as f32 / SCALE);
        let words = if words.is_empty() {
            format!("The cell {} as the notebook shows it.", wanted.cell)
        } else {
            words.join(" ")
        };
        Ok(Picture {
            png: small_png(&opaque(image))?,
            size,
            words,
        })
    }
}

impl DrawPictures for Stills {
    fn draw(&mut self, wanted: &Wanted) -> Result<Picture, String> {
        self.drawn(wanted).map_err(|error| error.to_string())
    }
}

/// What draws the pictures of handouts in the window.
pub(in crate::app) fn make_stills(
    gl: &Arc<glow::Context>,
    set: LessonSet,
    own: Option<&Arc<Rig>>,
) -> Result<Box<dyn DrawPictures>, String> {
    let stills = Stills::new(gl, set, own).map_err(|error| error.to_string())?;
    Ok(Box::new(stills))
}

fn pixels(width: u32, height: u32) -> [u32; 2] {
    [width, height].map(|points| (points as f32 * SCALE).ceil() as u32)
}

/// The page is opaque; what is read back may say otherwise at soft edges.
fn opaque(mut image: RgbaImage) -> RgbaImage {
    image.pixels_mut().for_each(|pixel| pixel[3] = 255);
    image
}
