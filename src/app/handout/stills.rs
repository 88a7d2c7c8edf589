//! Pictures of cells, and whole handouts without a window.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::glow;
use image::RgbaImage;

use super::look;
use crate::app::lessons::lessons;
use crate::app::opening::{Unopened, open_file};
use crate::app::studio::{Studio, StudioError};
use crate::asset::{self, Rig};
use crate::diagnostic::Diagnostic;
use crate::handout::{
    HandoutRequest, NoPictures, Pages, Picture, Pictures, Wanted, WantedPictures, write,
};
use crate::lesson::{LessonSet, find_lesson};
use crate::notebook::export::small_png;
use crate::render::RenderError;
use crate::render::headless::HeadlessGl;

/// Pixels of a picture for each point: sharp on paper.
const SCALE: f32 = 2.0;
/// Points of the highest cell that is pictured whole.
const TALLEST: u32 = 1800;

/// What handouts are made of, and how.
#[derive(Clone, Debug)]
pub struct HandoutOptions {
    /// Lessons from this folder instead of the built-in ones.
    pub lessons: Option<PathBuf>,
    /// By number, slug or folder name.
    pub lesson: String,
    /// The model that lessons on the reader's own stand on; absent: the whale.
    pub model: Option<PathBuf>,
    /// How.
    pub request: HandoutRequest,
    /// With pictures?
    pub pictures: bool,
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
    Studio(#[from] StudioError),
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
/// When there is no such lesson.
pub fn handout_names(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = lessons(options.lessons.as_deref())?;
    let index = find_lesson(&set.lessons, &options.lesson)?;
    Ok(format!("{}.html", set.lessons[index].folder))
}

/// A handout as HTML.
///
/// # Errors
/// See [`HandoutError`].
pub fn handout(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = lessons(options.lessons.as_deref())?;
    let own = options.model.as_deref().map(open_file).transpose()?;
    let pages = Pages::of_lesson(&set, find_lesson(&set.lessons, &options.lesson)?);
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
    let mut stills = Stills::new(&gl.gl(), set.clone(), options.request, own.as_ref())?;
    let mut pictures = BTreeMap::new();
    for wanted in wanted.0 {
        let picture = stills.draw(&wanted)?;
        pictures.insert(wanted, picture);
    }
    Ok(written(&mut pictures))
}

/// Draws cells, one by one.
pub(in crate::app) struct Stills {
    studio: Studio,
}

impl Stills {
    pub(in crate::app) fn new(
        gl: &Arc<glow::Context>,
        set: LessonSet,
        request: HandoutRequest,
        own: Option<&Arc<Rig>>,
    ) -> Result<Self, HandoutError> {
        let [width, height] = request.picture;
        let pixels = |points: u32| (points as f32 * SCALE) as u32;
        let size = [pixels(width), pixels(height.max(TALLEST))];
        let mut studio = Studio::new(gl, set, size, SCALE, false)?;
        studio.stand_on(own).map_err(HandoutError::Page)?;
        Ok(Self { studio })
    }

    /// One picture.
    pub(in crate::app) fn draw(&mut self, wanted: &Wanted) -> Result<Picture, HandoutError> {
        let link = format!("bindpose://{}/{}", wanted.lesson, wanted.step);
        let shell = &mut self.studio.shell;
        shell.follow(&link).map_err(HandoutError::Page)?;
        let (width, height) = (
            wanted.width as f32,
            wanted.height.map(|height| height as f32),
        );
        let (image, words) = self.studio.cell(&wanted.cell, width, height)?;
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

/// The page is opaque; what is read back may say otherwise at soft edges.
fn opaque(mut image: RgbaImage) -> RgbaImage {
    image.pixels_mut().for_each(|pixel| pixel[3] = 255);
    image
}
