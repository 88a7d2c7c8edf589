//! Pictures for handouts, each drawn beside the page by the page itself, and whole handouts without a window.

#[cfg(test)]
mod form_tests;
pub(super) mod look;
#[cfg(test)]
mod tests;
#[cfg(not(target_arch = "wasm32"))]
mod without_window;

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::LessonSet;
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{
    DrawPictures, HandoutPicture, HandoutRequest, PicturedPart, WantedPicture,
};
use eframe::glow;
use image::RgbaImage;

use crate::app::offscreen_shell::{OffscreenError, OffscreenShell};
#[cfg(not(target_arch = "wasm32"))]
pub use without_window::{HandoutError, HandoutOf, HandoutOptions, handout, handout_name};

/// Pixels of a picture for each point: sharp on paper.
const SCALE: f32 = 1.5;
/// Points of the highest cell that is pictured whole.
const TALLEST: u32 = 1800;

/// Why a picture was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum StillError {
    /// GL or the notebook refused.
    #[error(transparent)]
    Offscreen(#[from] OffscreenError),
    /// There is no such page, in words.
    #[error("{0}")]
    Page(String),
    /// What was drawn does not go into a PNG file.
    #[error("a picture could not be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
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
    ) -> Result<Self, StillError> {
        let [width, height] = HandoutRequest::default().picture;
        let mut offscreen = OffscreenShell::new(gl, set, pixels(width, height), SCALE, false)?;
        offscreen.stand_on(own).map_err(StillError::Page)?;
        Ok(Self { offscreen })
    }

    fn drawn(&mut self, wanted: &WantedPicture) -> Result<HandoutPicture, StillError> {
        let link = match &wanted.part {
            PicturedPart::Cell { step, .. } => format!("bindpose://{}/{step}", wanted.lesson),
            PicturedPart::Question { .. } => format!("bindpose://{}", wanted.lesson),
        };
        let shell = &mut self.offscreen.shell;
        shell.follow(&link).map_err(StillError::Page)?;
        let size = pixels(wanted.width, wanted.height.unwrap_or(TALLEST));
        self.offscreen.resize(size);
        let (width, height) = (wanted.width as f32, wanted.height.map(|height| height as f32));
        let (image, words) = match &wanted.part {
            PicturedPart::Cell { cell, .. } => self.offscreen.cell(cell, width, height)?,
            PicturedPart::Question { question, option } => {
                let height = height.unwrap_or(width);
                self.offscreen.question(question, *option, [width, height])?
            }
        };
        let size = [image.width(), image.height()].map(|pixels| pixels as f32 / SCALE);
        let words = match &wanted.part {
            _ if !words.is_empty() => words.join(" "),
            PicturedPart::Cell { cell, .. } => format!("The cell {cell} as the notebook shows it."),
            PicturedPart::Question { .. } => "The model as the notebook shows it.".to_owned(),
        };
        Ok(HandoutPicture { png: small_png(&opaque(image))?, size, words })
    }
}

impl DrawPictures for Stills {
    fn draw(&mut self, wanted: &WantedPicture) -> Result<HandoutPicture, String> {
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
