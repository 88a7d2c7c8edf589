//! Makes handouts and films over several frames.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bindpose_fetch as fetch;
use bindpose_gltf::Rig;
use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::Tip as _;
use bindpose_lesson::LessonSet;
use bindpose_notebook::Notebook;
use bindpose_notebook::export::{Film, GifError, GifPalette, GifWriter, HandoutRequest};
use bindpose_paper::handout::{
    HandoutPages, HandoutPicture, PictureRenderer, PictureRequest, PictureRequests, PictureSource,
    write,
};
use bindpose_render::{PixelRead, RenderError, Renderer, ViewId};
use bindpose_rigs::builtin;
use eframe::egui::{Context, ProgressBar};
use eframe::glow;
use image::RgbaImage;

use crate::app::handout::look::handout_look;
use crate::app::host;
use crate::app::opening::{draw_card, strong_text};

// Handouts, of which every frame draws one picture.

/// Creates the renderer for the pictures of handouts, from GL, lessons, and the reader's own
/// model.
pub type MakeStills = fn(
    &Arc<glow::Context>,
    LessonSet,
    Option<&Arc<Rig>>,
) -> Result<Box<dyn PictureRenderer>, String>;

/// A handout in progress.
pub(super) struct HandoutJob {
    /// Name of the file.
    pub(super) name: String,
    /// Whether it is printed instead of saved.
    pub(super) to_print: bool,
    set: LessonSet,
    pages: HandoutPages,
    request: HandoutRequest,
    own_rig: Option<Arc<Rig>>,
    /// Requested pictures, in the order of the text.
    picture_requests: Vec<PictureRequest>,
    /// Whether all files were loaded when the pictures were listed. A cell whose rig is missing
    /// requests no picture.
    is_list_complete: bool,
    pictures: BTreeMap<PictureRequest, HandoutPicture>,
    make_stills: Option<MakeStills>,
    stills: Option<Box<dyn PictureRenderer>>,
}

impl HandoutJob {
    /// Starts a handout of the followed route, or else of the open lesson.
    pub(super) fn new(
        name: String,
        notebook: &Notebook,
        request: HandoutRequest,
        make_stills: Option<MakeStills>,
    ) -> Self {
        let mut job = Self {
            name,
            to_print: false,
            set: notebook.set.clone(),
            pages: HandoutPages::in_sight(notebook),
            request,
            own_rig: notebook.own().cloned(),
            picture_requests: Vec::new(),
            is_list_complete: false,
            pictures: BTreeMap::new(),
            make_stills,
            stills: None,
        };
        job.list_pictures();
        job
    }

    /// Lists the pictures of the handout. Requests files that it needs and that are not loaded.
    fn list_pictures(&mut self) {
        let mut requests = PictureRequests::default();
        let _ = self.html(&mut requests);
        self.picture_requests = requests.0;
        self.is_list_complete = !fetch::is_any_pending();
    }

    /// Drops the renderer, which depends on the GL context. Finished pictures are kept.
    pub(super) fn leave_context(&mut self) {
        self.stills = None;
    }

    pub(super) fn with_printing(self, to_print: bool) -> Self {
        Self { to_print, ..self }
    }

    /// Draws the next picture. Returns the file when all pictures are drawn, and when the rigs
    /// and faces of formulas that a browser fetches are loaded.
    pub(super) fn advance(
        &mut self,
        renderer: Option<&mut Renderer>,
    ) -> Result<Option<Vec<u8>>, String> {
        if fetch::is_any_pending() {
            return Ok(None);
        }
        if !self.is_list_complete {
            self.list_pictures();
            return Ok(None);
        }
        let next = self.picture_requests.get(self.pictures.len());
        let (Some(next), Some(renderer), Some(make_stills)) = (next, renderer, self.make_stills)
        else {
            let mut pictures = std::mem::take(&mut self.pictures);
            return Ok(Some(self.html(&mut pictures).into_bytes()));
        };
        let stills = match &mut self.stills {
            Some(stills) => stills,
            empty => {
                let set = self.set.clone();
                empty.insert(make_stills(&renderer.gl(), set, self.own_rig.as_ref())?)
            }
        };
        let picture = stills.draw(next)?;
        self.pictures.insert(next.clone(), picture);
        Ok(None)
    }

    fn html(&self, pictures: &mut dyn PictureSource) -> String {
        let own_rig = self.own_rig.as_ref();
        write(&self.set, &self.pages, self.request, &handout_look(), &builtin, own_rig, pictures)
    }

    /// Draws the progress. Returns true if the reader cancels.
    pub(super) fn is_cancelled(&self, ctx: &Context, theme: &Theme) -> bool {
        let progress = JobProgress {
            title: "Making the handout",
            done_count: self.pictures.len(),
            count: self.picture_requests.len(),
            unit: "pictures",
        };
        progress.show(ctx, theme, "handout")
    }
}

/// Progress of a job, shown in a card over the page.
struct JobProgress {
    title: &'static str,
    done_count: usize,
    count: usize,
    unit: &'static str,
}

impl JobProgress {
    /// Returns true if the reader cancels.
    fn show(&self, ctx: &Context, theme: &Theme, id: &'static str) -> bool {
        let mut is_cancelled = false;
        draw_card(ctx, theme, id, |ui| {
            let title = ui.label(strong_text(self.title, 15.0));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let bar = ProgressBar::new(self.done_count as f32 / self.count.max(1) as f32)
                    .desired_width(150.0)
                    .fill(theme.accent);
                ui.add(bar).labelled_by(title.id);
                ui.label(format!("{} of {} {}", self.done_count, self.count, self.unit));
                is_cancelled = ui.button("Cancel").tip("Cancel (Esc)").clicked();
            });
        });
        is_cancelled
    }
}

// Films, of which every frame of the page draws some frames.

/// Time per frame of the page to spend on a film.
const FILM_TIME_PER_FRAME: Duration = Duration::from_millis(12);

/// Maximum number of frames, spread over the film, that the palette is computed from.
const MAX_PALETTE_SAMPLES: u32 = 8;

/// A film in progress.
pub(super) struct FilmJob {
    /// Name of the file.
    pub(super) name: String,
    film: Film,
    palette_samples: Vec<RgbaImage>,
    writer: Option<GifWriter>,
    /// Index of the next frame to write.
    next_frame: u32,
    /// The frame being transferred from the graphics card.
    pending_read: Option<PixelRead>,
}

/// Result of one step of a film.
enum FilmStep {
    Done(Vec<u8>),
    /// The next step can follow immediately.
    Continue,
    /// A picture is not available yet.
    Waiting,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum FilmError {
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Gif(#[from] GifError),
}

impl FilmJob {
    pub(super) fn new(name: String, film: Film) -> Self {
        Self {
            name,
            film,
            palette_samples: Vec::new(),
            writer: None,
            next_frame: 0,
            pending_read: None,
        }
    }

    /// Works for [`FILM_TIME_PER_FRAME`]. Returns the file when it is complete.
    pub(super) fn advance(
        &mut self,
        renderer: &mut Renderer,
    ) -> Result<Option<Vec<u8>>, FilmError> {
        let start = host::monotonic_time();
        loop {
            match self.advance_one_step(renderer)? {
                FilmStep::Done(file) => return Ok(Some(file)),
                FilmStep::Waiting => return Ok(None),
                FilmStep::Continue => {}
            }
            if host::monotonic_time().saturating_sub(start) >= FILM_TIME_PER_FRAME {
                return Ok(None);
            }
        }
    }

    fn advance_one_step(&mut self, renderer: &mut Renderer) -> Result<FilmStep, FilmError> {
        let frame_count = self.film.plan.frames;
        let sample_count = MAX_PALETTE_SAMPLES.min(frame_count);
        let sample_index = self.palette_samples.len() as u32;
        if self.writer.is_none() && sample_index < sample_count {
            let frame = sample_index * frame_count / sample_count;
            let Some(picture) = self.picture(renderer, frame)? else {
                return Ok(FilmStep::Waiting);
            };
            self.palette_samples.push(picture);
            return Ok(FilmStep::Continue);
        }
        if self.writer.is_none() {
            let size = self
                .palette_samples
                .first()
                .map_or([1, 1], |sample| [sample.width(), sample.height()]);
            let palette = GifPalette::from_frames(&std::mem::take(&mut self.palette_samples));
            self.writer = Some(GifWriter::new(size, palette)?);
            return Ok(FilmStep::Continue);
        }
        if self.next_frame < frame_count {
            let Some(picture) = self.picture(renderer, self.next_frame)? else {
                return Ok(FilmStep::Waiting);
            };
            if let Some(writer) = &mut self.writer {
                writer.push(&picture, self.film.plan.step_cs)?;
            }
            self.next_frame += 1;
            return Ok(FilmStep::Continue);
        }
        match self.writer.take() {
            Some(writer) => Ok(FilmStep::Done(writer.finish()?)),
            None => Ok(FilmStep::Continue),
        }
    }

    /// Draws a frame of the film. Returns `None` until it has been transferred from the graphics
    /// card. Waiting for that would block a browser; on a desktop it allows several frames of
    /// the film per frame of the page.
    fn picture(
        &mut self,
        renderer: &mut Renderer,
        frame: u32,
    ) -> Result<Option<RgbaImage>, RenderError> {
        let view = ViewId::named("film");
        if self.pending_read.is_none() {
            renderer.draw(view, &self.film.scene_at(frame))?;
            if host::CAN_WAIT_FOR_PIXELS {
                return renderer.read_pixels(view).map(Some);
            }
            self.pending_read = Some(renderer.begin_to_read(view)?);
        }
        let picture = self.pending_read.as_ref().and_then(PixelRead::picture);
        if picture.is_some() {
            self.pending_read = None;
        }
        Ok(picture)
    }

    /// Draws the progress. Returns true if the reader cancels.
    pub(super) fn is_cancelled(&self, ctx: &Context, theme: &Theme) -> bool {
        let progress = JobProgress {
            title: "Making the moving picture",
            done_count: self.next_frame as usize,
            count: self.film.plan.frames as usize,
            unit: "frames",
        };
        progress.show(ctx, theme, "filming")
    }
}
