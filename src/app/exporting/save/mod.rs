//! Where to save: the system's dialog on a thread, a download in the browser.

#[cfg(target_arch = "wasm32")]
mod download;
#[cfg(not(target_arch = "wasm32"))]
mod system_dialog;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bindpose_asset::{Rig, builtin};
use bindpose_lesson::LessonSet;
use bindpose_notebook::Notebook;
use bindpose_notebook::export::{Film, GifError, GifPalette, GifWriter, HandoutRequest};
use bindpose_page::theme::Theme;
use bindpose_page::widgets::Tip as _;
use bindpose_paper::handout::{
    HandoutPages, HandoutPicture, PictureRenderer, PictureRequest, PictureRequests, PictureSource,
    write,
};
use bindpose_render::{PixelRead, RenderError, Renderer, ViewId};
use bindpose_shipped as shipped;
use eframe::egui::{Context, ProgressBar};
use eframe::glow;
use image::RgbaImage;

use crate::app::handout::look::look;
use crate::app::opening::{card, strong};

#[cfg(target_arch = "wasm32")]
pub(super) use download::{Saving, print};
#[cfg(not(target_arch = "wasm32"))]
pub(super) use system_dialog::Saving;

// A handout in the making: one picture of it in every frame of the page.

/// What makes something that draws the pictures of handouts: with GL, of these
/// lessons, on the reader's model.
pub type MakeStills = fn(
    &Arc<glow::Context>,
    LessonSet,
    Option<&Arc<Rig>>,
) -> Result<Box<dyn PictureRenderer>, String>;

/// What is done, and what is left.
pub(super) struct HandoutJob {
    /// Of the file.
    pub(super) name: String,
    /// Is it to be printed, rather than saved?
    pub(super) to_print: bool,
    set: LessonSet,
    pages: HandoutPages,
    request: HandoutRequest,
    own: Option<Arc<Rig>>,
    /// In the order of the text.
    wanted: Vec<PictureRequest>,
    /// Were all files here when that was found out? What lacks its rig wants no picture.
    is_all_here: bool,
    pictures: BTreeMap<PictureRequest, HandoutPicture>,
    make: Option<MakeStills>,
    stills: Option<Box<dyn PictureRenderer>>,
}

impl HandoutJob {
    /// Of the route that is followed, or of the open lesson.
    pub(super) fn new(
        name: String,
        notebook: &Notebook,
        request: HandoutRequest,
        make: Option<MakeStills>,
    ) -> Self {
        let mut job = Self {
            name,
            to_print: false,
            set: notebook.set.clone(),
            pages: HandoutPages::in_sight(notebook),
            request,
            own: notebook.own().cloned(),
            wanted: Vec::new(),
            is_all_here: false,
            pictures: BTreeMap::new(),
            make,
            stills: None,
        };
        job.find_wanted();
        job
    }

    /// Which pictures it has. What it is written with and is not here is asked for.
    fn find_wanted(&mut self) {
        let mut wanted = PictureRequests::default();
        let _ = self.written(&mut wanted);
        self.wanted = wanted.0;
        self.is_all_here = !shipped::is_any_coming();
    }

    /// What draws is made anew for the next picture; those that are drawn stay.
    pub(super) fn leave_context(&mut self) {
        self.stills = None;
    }

    /// Is it to be printed, rather than saved?
    pub(super) fn with_printing(self, to_print: bool) -> Self {
        Self { to_print, ..self }
    }

    /// Draws the next picture; the file when all are there, and the rigs and the faces of
    /// formulas, which a browser fetches when they are first asked for.
    pub(super) fn advance(
        &mut self,
        renderer: Option<&mut Renderer>,
    ) -> Result<Option<Vec<u8>>, String> {
        if shipped::is_any_coming() {
            return Ok(None);
        }
        if !self.is_all_here {
            self.find_wanted();
            return Ok(None);
        }
        let next = self.wanted.get(self.pictures.len());
        let (Some(next), Some(renderer), Some(make)) = (next, renderer, self.make) else {
            let mut pictures = std::mem::take(&mut self.pictures);
            return Ok(Some(self.written(&mut pictures).into_bytes()));
        };
        let stills = match &mut self.stills {
            Some(stills) => stills,
            none => none.insert(make(&renderer.gl(), self.set.clone(), self.own.as_ref())?),
        };
        let picture = stills.draw(next)?;
        self.pictures.insert(next.clone(), picture);
        Ok(None)
    }

    fn written(&self, pictures: &mut dyn PictureSource) -> String {
        let own = self.own.as_ref();
        write(&self.set, &self.pages, self.request, &look(), &builtin, own, pictures)
    }

    /// How far it is; true when the reader wants it to stop.
    pub(super) fn show(&self, ctx: &Context, theme: &Theme) -> bool {
        let mut cancel = false;
        let (done, all) = (self.pictures.len(), self.wanted.len());
        card(ctx, theme, "handout", |ui| {
            let told = ui.label(strong("Making the handout", 15.0));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let bar = ProgressBar::new(done as f32 / all.max(1) as f32)
                    .desired_width(150.0)
                    .fill(theme.accent);
                ui.add(bar).labelled_by(told.id);
                ui.label(format!("{done} of {all} pictures"));
                cancel = ui.button("Cancel").tip("Cancel (Esc)").clicked();
            });
        });
        cancel
    }
}

// A film in the making: some frames of it in every frame of the page.

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
