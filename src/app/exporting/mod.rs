//! Saves files from the page: screenshots, pictures of the model, films, handouts and numbers.

mod jobs;
#[cfg(test)]
mod tests;

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use bindpose_diagnostic::Diagnostic;
use bindpose_kit::theme::Theme;
use bindpose_notebook::export::{
    Export, ExportContent, ExportFormat, Film, FilmPlan, HandoutRequest, PictureSize,
    skin_to_export,
};
use bindpose_notebook::inventory::form_file;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Notebook, Record};
use bindpose_page::export_menu::{self, ExportSources};
use bindpose_page::view::{ExportMenuState, FileRequests, Motion, SaveRequest};
use bindpose_render::{Renderer, ViewId};
use eframe::egui;
use eframe::egui::{ColorImage, Context, Rect};
use image::{ImageFormat, RgbaImage};

use super::host::{self, FileSaver};
use super::notice::Notices;
use jobs::{FilmJob, HandoutJob};

pub use jobs::MakeStills;

/// A viewport as it was shown in this frame.
#[derive(Clone, Debug)]
pub(super) struct ShownViewport {
    pub(super) rect: Rect,
    pub(super) scene: Scene,
}

/// State of exports outside the page.
#[derive(Default)]
pub(super) struct Exporting {
    /// The first viewport of this frame.
    pub(super) first_viewport: Option<ShownViewport>,
    screenshot: Option<Screenshot>,
    film: Option<FilmJob>,
    handout: Option<HandoutJob>,
    /// Creates the renderer for pictures in handouts. `None` leaves them out.
    make_stills: Option<MakeStills>,
    saver: FileSaver,
    /// File name of a requested export of the reader's work. The shell, which has the work,
    /// takes it.
    pub(super) requested_work_file: Option<String>,
}

/// The parts of the shell that exports use in a frame.
pub(super) struct ExportPage<'a> {
    pub(super) notebook: &'a Notebook,
    pub(super) renderer: Option<&'a mut Renderer>,
    pub(super) theme: &'a Theme,
    pub(super) files: &'a mut FileRequests,
    pub(super) motion: Motion,
    pub(super) notices: &'a mut Notices,
    /// Folder of the last opened model.
    pub(super) folder: Option<PathBuf>,
}

impl Exporting {
    /// `make_stills` creates the renderer for pictures in handouts.
    pub(super) fn new(make_stills: Option<MakeStills>) -> Self {
        Self { make_stills, ..Self::default() }
    }

    /// Releases everything that depends on the GL or egui context, which is about to be
    /// replaced. Pending requests are repeated in the next one, and finished parts are kept.
    pub(super) fn leave_context(&mut self) {
        if let Some(screenshot) = &mut self.screenshot {
            screenshot.restart();
        }
        if let Some(handout) = &mut self.handout {
            handout.leave_context();
        }
    }

    /// Returns true if a screenshot of the page is about to be taken.
    pub(super) fn has_pending_screenshot(&self) -> bool {
        self.screenshot.is_some()
    }

    /// Draws the menu and the progress of exports, and continues them.
    pub(super) fn update(&mut self, ctx: &Context, page: &mut ExportPage<'_>) {
        // A frame may have several layout passes, but the work is done once.
        let is_first_pass = ctx.current_pass_index() == 0;
        if page.files.export.open {
            let pictured = self.exportable(page);
            let derived = page.notebook.derived();
            let menu = &mut page.files.export;
            if let Some(export) = export_menu::ui(ctx, page.theme, derived, &pictured, menu) {
                self.start(ctx, export, pictured, page);
            }
        }
        if is_first_pass
            && let Some(screenshot) = &mut self.screenshot
            && let Some(result) = screenshot.update(ctx)
        {
            self.screenshot = None;
            match result {
                Ok(request) => page.files.saves.push(request),
                Err(error) => page.notices.add_error(error),
            }
        }
        self.advance_film(ctx, page, is_first_pass);
        self.advance_handout(ctx, page, is_first_pass);
        for request in std::mem::take(&mut page.files.saves) {
            self.saver.save(ctx, request, page.folder.as_deref());
        }
        for outcome in self.saver.take_outcomes(ctx) {
            match outcome {
                Ok(message) => page.notices.add(message),
                Err(message) => page.notices.add_error(message),
            }
        }
    }

    /// Makes a handout of the open lesson or route, and prints it.
    pub(super) fn print(&mut self, notebook: &Notebook, request: HandoutRequest) {
        let job = HandoutJob::new("handout.html".to_owned(), notebook, request, self.make_stills);
        self.handout = Some(job.with_printing(true));
    }

    /// Cancels running exports and closes the menu. Returns false if there was nothing to cancel.
    pub(super) fn cancel(&mut self, menu: &mut ExportMenuState) -> bool {
        let was_open = std::mem::take(&mut menu.open);
        self.film.take().is_some() | self.handout.take().is_some() | was_open
    }

    /// The pictures, films and files that can be exported now.
    fn exportable(&self, page: &ExportPage<'_>) -> ExportSources {
        let drawn = self.first_viewport.as_ref().filter(|_| page.renderer.is_some());
        let motion = page.motion;
        ExportSources {
            size: drawn.map(|viewport| viewport.scene.size),
            film: FilmPlan::from_notebook(page.notebook, (motion.amplitude_rad, motion.speed)),
            handout: handout_name(page.notebook),
            skin: skin_to_export(
                &page.notebook.derived().rig,
                Some(page.notebook.document().state.joint),
            ),
        }
    }

    fn start(
        &mut self,
        ctx: &Context,
        export: Export,
        pictured: ExportSources,
        page: &mut ExportPage<'_>,
    ) {
        let name = export_menu::file_name(export, page.notebook.derived(), &pictured);
        let size = page.files.export.size;
        match (export.content, &self.first_viewport, pictured.film) {
            (ExportContent::Page, _, _) => {
                page.notices.clear();
                self.screenshot = Some(Screenshot::of_page(name));
            }
            (ExportContent::Viewport, Some(viewport), _) if size != PictureSize::AsShown => {
                let scene = viewport.scene.resized(size.of(viewport.scene.size));
                match page.renderer.as_deref_mut().map(|renderer| scene_png(renderer, &scene)) {
                    Some(Ok(bytes)) => page.files.saves.push(SaveRequest { name, bytes }),
                    Some(Err(error)) => {
                        page.notices.add_error(format!("“{name}” was not made: {error}"));
                    }
                    None => {}
                }
            }
            (ExportContent::Viewport, Some(viewport), _) => {
                page.notices.clear();
                self.screenshot = Some(Screenshot::of_rect(name, viewport.rect));
            }
            (ExportContent::Film, Some(viewport), Some(plan)) => {
                let film = Film::new(plan, page.notebook, &viewport.scene, size);
                self.film = Some(FilmJob::new(name, film));
            }
            (ExportContent::Handout, ..) => {
                let request = page.files.export.handout;
                let job = HandoutJob::new(name, page.notebook, request, self.make_stills);
                let to_print = std::mem::take(&mut page.files.export.to_print);
                self.handout = Some(job.with_printing(to_print));
            }
            (ExportContent::Work, ..) => self.requested_work_file = Some(name),
            (ExportContent::Record, ..) => {
                let bytes = record_bytes(export.format, page.notebook);
                request_save(name, bytes, page);
            }
            _ => {
                let bytes = export.bytes(page.notebook.derived(), pictured.skin);
                request_save(name, bytes, page);
            }
        }
        ctx.request_repaint();
    }

    fn advance_handout(&mut self, ctx: &Context, page: &mut ExportPage<'_>, is_first_pass: bool) {
        let Some(job) = &mut self.handout else {
            return;
        };
        if job.is_cancelled(ctx, page.theme) {
            self.handout = None;
            page.notices.add("The handout was stopped.");
            return;
        }
        ctx.request_repaint();
        if !is_first_pass {
            return;
        }
        match job.advance(page.renderer.as_deref_mut()) {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                let name = std::mem::take(&mut job.name);
                let file = SaveRequest { name, bytes };
                if job.to_print {
                    print_file(&file, page);
                } else {
                    page.files.saves.push(file);
                }
                self.handout = None;
            }
            Err(error) => {
                page.notices.add_error(format!("“{}” was not made: {error}", job.name));
                self.handout = None;
            }
        }
    }

    fn advance_film(&mut self, ctx: &Context, page: &mut ExportPage<'_>, is_first_pass: bool) {
        let Some(job) = &mut self.film else {
            return;
        };
        if job.is_cancelled(ctx, page.theme) {
            self.film = None;
            page.notices.add("The moving picture was stopped.");
            return;
        }
        ctx.request_repaint();
        let Some(renderer) = page.renderer.as_deref_mut().filter(|_| is_first_pass) else {
            return;
        };
        match job.advance(renderer) {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                let name = std::mem::take(&mut job.name);
                page.files.saves.push(SaveRequest { name, bytes });
                self.film = None;
            }
            Err(error) => {
                page.notices.add_error(format!("“{}” was not made: {error}", job.name));
                self.film = None;
            }
        }
    }
}

/// Name of the handout of the open form, else of the followed route, else of the open lesson.
fn handout_name(notebook: &Notebook) -> String {
    let lesson = notebook.lesson();
    match (notebook.forms().open, notebook.route()) {
        (Some(open), _) => form_file(lesson, open.form),
        (None, Some(route)) => route.name.clone(),
        (None, None) => lesson.site_folder().to_owned(),
    }
}

/// Draws a scene in its own size as PNG.
fn scene_png(renderer: &mut Renderer, scene: &Scene) -> Result<Vec<u8>, String> {
    let view = ViewId::named("picture to save");
    let image = renderer.draw(view, scene).and_then(|_| renderer.read_pixels(view));
    encode_png(&image.map_err(|error| error.to_string())?)
}

fn request_save(name: String, bytes: Result<Vec<u8>, Diagnostic>, page: &mut ExportPage<'_>) {
    match bytes {
        Ok(bytes) => page.files.saves.push(SaveRequest { name, bytes }),
        Err(error) => page.notices.add_error(format!("“{name}” was not made: {error}")),
    }
}

/// Opens the browser's print dialog. Outside a browser, shows how to print the handout.
fn print_file(file: &SaveRequest, page: &mut ExportPage<'_>) {
    if host::print_page(file) {
        return;
    }
    let name = &file.name;
    page.notices
        .add_error(format!("“{name}” was not printed: save it, and print it from a browser."));
}

fn record_bytes(format: ExportFormat, notebook: &Notebook) -> Result<Vec<u8>, Diagnostic> {
    let record = Record::new(&notebook.set.lessons, &notebook.progress, &notebook.marks, today());
    match format {
        ExportFormat::Json => Ok(record.json()?),
        _ => Ok(record.markdown()),
    }
}

// Screenshots of the page, or of a part of it.

/// Frames before a screenshot, after which the menu is off the screen.
const FRAMES_BEFORE_SCREENSHOT: u32 = 2;

/// Time after which an unanswered request has failed.
const SCREENSHOT_TIMEOUT_SECS: f64 = 5.0;

/// A requested screenshot.
struct Screenshot {
    name: String,
    /// Part of the page in points. `None` for the whole page.
    rect: Option<Rect>,
    waited_frames: u32,
    pending: Option<PendingScreenshot>,
}

struct PendingScreenshot {
    requested_secs: f64,
    image: Receiver<Arc<ColorImage>>,
}

impl PendingScreenshot {
    fn request(ctx: &Context, now_secs: f64) -> Self {
        let (sender, image) = channel();
        let repaint_ctx = ctx.clone();
        ctx.request_screenshot(move |image| {
            let _ = sender.send(image);
            repaint_ctx.request_repaint();
        });
        Self { requested_secs: now_secs, image }
    }
}

impl Screenshot {
    fn of_page(name: String) -> Self {
        Self { name, rect: None, waited_frames: 0, pending: None }
    }

    fn of_rect(name: String, rect: Rect) -> Self {
        Self { rect: Some(rect), ..Self::of_page(name) }
    }

    /// Discards the request of a context that is gone. The next update makes a new one.
    fn restart(&mut self) {
        self.waited_frames = 0;
        self.pending = None;
    }

    /// Called once per frame. Requests the screenshot, and returns the result when there is one.
    fn update(&mut self, ctx: &Context) -> Option<Result<SaveRequest, String>> {
        let now_secs = ctx.input(|input| input.time);
        let Some(pending) = &self.pending else {
            self.waited_frames += 1;
            if self.waited_frames > FRAMES_BEFORE_SCREENSHOT {
                self.pending = Some(PendingScreenshot::request(ctx, now_secs));
            }
            ctx.request_repaint();
            return None;
        };
        if let Ok(image) = pending.image.try_recv() {
            let bytes = screenshot_png(&image, self.rect, ctx.pixels_per_point());
            let name = std::mem::take(&mut self.name);
            return Some(bytes.map(|bytes| SaveRequest { name, bytes }));
        }
        if now_secs - pending.requested_secs > SCREENSHOT_TIMEOUT_SECS {
            return Some(Err(host::SCREENSHOT_ERROR.to_owned()));
        }
        ctx.request_repaint();
        None
    }
}

/// Encodes the part of a screenshot inside `rect`, which is in points.
fn screenshot_png(
    image: &ColorImage,
    rect: Option<Rect>,
    pixels_per_point: f32,
) -> Result<Vec<u8>, String> {
    let [width, height] = image.size;
    let whole = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
    let part = rect.map_or(whole, |rect| {
        let pixels = Rect::from_min_max(
            (rect.min.to_vec2() * pixels_per_point).round().to_pos2(),
            (rect.max.to_vec2() * pixels_per_point).round().to_pos2(),
        );
        pixels.intersect(whole)
    });
    if !(part.width() >= 1.0 && part.height() >= 1.0) {
        return Err("The picture is out of view; scroll to it and try again.".to_owned());
    }
    let left = part.left() as usize;
    let top = part.top() as usize;
    let picture = RgbaImage::from_fn(part.width() as u32, part.height() as u32, |x, y| {
        let index = (top + y as usize) * width + left + x as usize;
        let color = image.pixels.get(index).copied().unwrap_or_default();
        image::Rgba([color.r(), color.g(), color.b(), 255])
    });
    encode_png(&picture)
}

fn encode_png(picture: &RgbaImage) -> Result<Vec<u8>, String> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| format!("The picture could not be written as PNG: {error}"))?;
    Ok(bytes.into_inner())
}

// The date of a reader's record.

/// Formats the current date in UTC, as in `2026-11-22`. Returns `None` if the system has no
/// clock.
pub fn today() -> Option<String> {
    host::unix_time_secs().map(|secs| format_date(secs / (24 * 60 * 60)))
}

fn is_leap_year(year: u64) -> bool {
    (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
}

/// Formats a date given as the number of days since 1970-01-01.
fn format_date(days_since_1970: u64) -> String {
    let mut year = 1970;
    let mut remaining_days = days_since_1970;
    while remaining_days >= 365 + u64::from(is_leap_year(year)) {
        remaining_days -= 365 + u64::from(is_leap_year(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap_year(year));
    let mut month = 1;
    for month_days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if remaining_days < month_days {
            break;
        }
        remaining_days -= month_days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", remaining_days + 1)
}
