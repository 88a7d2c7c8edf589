//! A film in the making: some frames of it in every frame of the page.

use std::time::Duration;

use bindpose_notebook::export::{Film, GifError, GifPalette, GifWriter};
use bindpose_page::theme::Theme;
use bindpose_page::widgets::Tip as _;
use bindpose_render::{PixelRead, RenderError, Renderer, ViewId};
use eframe::egui::{Context, ProgressBar};
use image::RgbaImage;

use crate::app::opening::{card, strong};

/// What a frame of the page may spend on it.
const SPEND: Duration = Duration::from_millis(12);
/// Frames that the palette is made from, spread over the film.
const SAMPLES: u32 = 8;

/// What is done, and what is left.
pub(super) struct FilmJob {
    /// Of the file.
    pub(super) name: String,
    film: Film,
    samples: Vec<RgbaImage>,
    writer: Option<GifWriter>,
    /// The next frame to write.
    frame: u32,
    /// The frame that is on its way back from the graphics card.
    reading: Option<PixelRead>,
}

/// What came of a piece of work.
enum FilmStep {
    Done(Vec<u8>),
    /// There is more to do now.
    More,
    /// A picture is not there yet.
    Waits,
}

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub(super) enum FilmError {
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Gif(#[from] GifError),
}

impl FilmJob {
    pub(super) fn new(name: String, film: Film) -> Self {
        Self { name, film, samples: Vec::new(), writer: None, frame: 0, reading: None }
    }

    /// Works for some milliseconds; the file when it is done.
    pub(super) fn advance(
        &mut self,
        renderer: &mut Renderer,
    ) -> Result<Option<Vec<u8>>, FilmError> {
        let began = web_time();
        loop {
            match self.one_step(renderer)? {
                FilmStep::Done(file) => return Ok(Some(file)),
                FilmStep::Waits => return Ok(None),
                FilmStep::More => {}
            }
            if web_time().saturating_sub(began) >= SPEND {
                return Ok(None);
            }
        }
    }

    fn one_step(&mut self, renderer: &mut Renderer) -> Result<FilmStep, FilmError> {
        let frames = self.film.plan.frames;
        let samples = SAMPLES.min(frames);
        let sampled = self.samples.len() as u32;
        if self.writer.is_none() && sampled < samples {
            let frame = sampled * frames / samples;
            let Some(picture) = self.picture(renderer, frame)? else {
                return Ok(FilmStep::Waits);
            };
            self.samples.push(picture);
            return Ok(FilmStep::More);
        }
        if self.writer.is_none() {
            let size = self.samples.first().map_or([1, 1], |s| [s.width(), s.height()]);
            let palette = GifPalette::from_frames(&std::mem::take(&mut self.samples));
            self.writer = Some(GifWriter::new(size, palette)?);
            return Ok(FilmStep::More);
        }
        if self.frame < frames {
            let Some(picture) = self.picture(renderer, self.frame)? else {
                return Ok(FilmStep::Waits);
            };
            if let Some(writer) = &mut self.writer {
                writer.push(&picture, self.film.plan.step_cs)?;
            }
            self.frame += 1;
            return Ok(FilmStep::More);
        }
        match self.writer.take() {
            Some(writer) => Ok(FilmStep::Done(writer.finish()?)),
            None => Ok(FilmStep::More),
        }
    }

    /// A frame of the film, once it is there. A browser would stand still if it
    /// waited; elsewhere several come in one frame of the page.
    fn picture(
        &mut self,
        renderer: &mut Renderer,
        frame: u32,
    ) -> Result<Option<RgbaImage>, RenderError> {
        let view = ViewId::named("film");
        if self.reading.is_none() {
            renderer.draw(view, &self.film.scene_at(frame))?;
            if !cfg!(target_arch = "wasm32") {
                return renderer.read_pixels(view).map(Some);
            }
            self.reading = Some(renderer.begin_to_read(view)?);
        }
        let picture = self.reading.as_ref().and_then(PixelRead::picture);
        if picture.is_some() {
            self.reading = None;
        }
        Ok(picture)
    }

    /// How far it is; true when the reader wants it to stop.
    pub(super) fn show(&self, ctx: &Context, theme: &Theme) -> bool {
        let mut cancel = false;
        let frames = self.film.plan.frames;
        card(ctx, theme, "filming", |ui| {
            let told = ui.label(strong("Making the moving picture", 15.0));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let bar = ProgressBar::new(self.frame as f32 / frames.max(1) as f32)
                    .desired_width(150.0)
                    .fill(theme.accent);
                ui.add(bar).labelled_by(told.id);
                ui.label(format!("{} of {frames} frames", self.frame));
                cancel = ui.button("Cancel").tip("Cancel (Esc)").clicked();
            });
        });
        cancel
    }
}

/// Since some moment; browsers have no `Instant` of the standard library.
fn web_time() -> Duration {
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static BEGAN: OnceLock<Instant> = OnceLock::new();
        BEGAN.get_or_init(Instant::now).elapsed()
    }
    #[cfg(target_arch = "wasm32")]
    {
        Duration::from_secs_f64((js_sys::Date::now() / 1000.0).max(0.0))
    }
}
