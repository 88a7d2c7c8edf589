//! Files from the page: pictures as they are on the screen, films, numbers; and
//! the question where to save them.

mod save;
#[cfg(test)]
mod tests;

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::export::{
    Export, ExportContent, ExportFormat, Film, FilmPlan, PictureSize, skin_to_export,
};
use bindpose_notebook::inventory::form_file;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Notebook, Record};
use bindpose_page::export_menu::{self, Pictured};
use bindpose_page::theme::Theme;
use bindpose_page::view::{ExportMenu, FileRequests, Motion, SaveRequest};
use bindpose_render::{Renderer, ViewId};
use eframe::egui;
use eframe::egui::{ColorImage, Context, Rect};
use image::{ImageFormat, RgbaImage};

use super::notice::Notices;
use save::{FilmJob, HandoutJob, Saving};

#[cfg(target_arch = "wasm32")]
use bindpose_notebook::export::HandoutRequest;

pub use save::MakeStills;

/// A picture on the page, as it was shown in this frame.
#[derive(Clone, Debug)]
pub(super) struct ShownViewport {
    pub(super) rect: Rect,
    pub(super) scene: Scene,
}

/// Everything about export that is not the page's.
#[derive(Default)]
pub(super) struct Exporting {
    /// The first picture of this frame.
    pub(super) first_viewport: Option<ShownViewport>,
    shot: Option<Screenshot>,
    film: Option<FilmJob>,
    handout: Option<HandoutJob>,
    /// What draws the pictures of handouts; absent: they go without.
    stills: Option<MakeStills>,
    saving: Saving,
    /// Name of the file for the reader's work, which the shell knows, until it takes
    /// this.
    pub(super) wanted_work: Option<String>,
}

/// What it works with in a frame.
pub(super) struct ExportPage<'a> {
    pub(super) notebook: &'a Notebook,
    pub(super) renderer: Option<&'a mut Renderer>,
    pub(super) theme: &'a Theme,
    pub(super) files: &'a mut FileRequests,
    pub(super) motion: Motion,
    pub(super) notices: &'a mut Notices,
    /// Where the last model came from.
    pub(super) folder: Option<PathBuf>,
}

impl Exporting {
    /// With what draws the pictures of handouts.
    pub(super) fn new(stills: Option<MakeStills>) -> Self {
        Self { stills, ..Self::default() }
    }

    /// GL and the page's context go away: what hangs on them is asked for again in
    /// the next ones, and what is made already stays.
    pub(super) fn leave_context(&mut self) {
        if let Some(shot) = &mut self.shot {
            shot.begin_anew();
        }
        if let Some(handout) = &mut self.handout {
            handout.leave_context();
        }
    }

    /// Is the page about to be taken as a picture?
    pub(super) fn takes_picture(&self) -> bool {
        self.shot.is_some()
    }

    /// Shows the menu and what is under way, and goes on with it.
    pub(super) fn update(&mut self, ctx: &Context, page: &mut ExportPage<'_>) {
        // Layout may run twice in a frame; work is done once.
        let once = ctx.current_pass_index() == 0;
        if page.files.export.open {
            let pictured = self.pictured(page);
            let (theme, derived) = (page.theme, page.notebook.derived());
            let menu = &mut page.files.export;
            if let Some(wanted) = export_menu::ui(ctx, theme, derived, &pictured, menu) {
                self.begin(ctx, wanted, pictured, page);
            }
        }
        if once && let Some(shot) = &mut self.shot {
            match shot.update(ctx) {
                None => {}
                Some(Ok(request)) => {
                    self.shot = None;
                    page.files.saves.push(request);
                }
                Some(Err(why)) => {
                    self.shot = None;
                    page.notices.wrong(why);
                }
            }
        }
        self.advance_film(ctx, page, once);
        self.advance_handout(ctx, page, once);
        for request in std::mem::take(&mut page.files.saves) {
            self.saving.ask(ctx, request, page.folder.as_deref());
        }
        for outcome in self.saving.update(ctx) {
            match outcome {
                Ok(words) => page.notices.say(words),
                Err(words) => page.notices.wrong(words),
            }
        }
    }

    /// Makes a handout of what is open, and prints it.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn print(&mut self, notebook: &Notebook, request: HandoutRequest) {
        let job = HandoutJob::new("handout.html".to_owned(), notebook, request, self.stills);
        self.handout = Some(job.with_printing(true));
    }

    /// Stops what is under way; false when there was nothing.
    pub(super) fn cancel(&mut self, menu: &mut ExportMenu) -> bool {
        let open = std::mem::take(&mut menu.open);
        self.film.take().is_some() | self.handout.take().is_some() | open
    }

    fn pictured(&self, page: &ExportPage<'_>) -> Pictured {
        let drawn = self.first_viewport.as_ref().filter(|_| page.renderer.is_some());
        let motion = page.motion;
        Pictured {
            size: drawn.map(|seen| seen.scene.size),
            film: FilmPlan::from_notebook(page.notebook, (motion.amplitude_rad, motion.speed)),
            handout: handout_name(page.notebook),
            skin: skin_to_export(
                &page.notebook.derived().rig,
                Some(page.notebook.document().state.joint),
            ),
        }
    }

    fn begin(
        &mut self,
        ctx: &Context,
        wanted: Export,
        pictured: Pictured,
        page: &mut ExportPage<'_>,
    ) {
        let name = export_menu::file_name(wanted, page.notebook.derived(), &pictured);
        let size = page.files.export.size;
        match (wanted.content, &self.first_viewport, pictured.film) {
            (ExportContent::Page, _, _) => {
                page.notices.clear();
                self.shot = Some(Screenshot::of_page(name));
            }
            (ExportContent::Viewport, Some(seen), _) if size != PictureSize::AsShown => {
                let scene = seen.scene.resized(size.of(seen.scene.size));
                match page.renderer.as_deref_mut().map(|gl| drawn(gl, &scene)) {
                    Some(Ok(bytes)) => page.files.saves.push(SaveRequest { name, bytes }),
                    Some(Err(why)) => page.notices.wrong(format!("“{name}” was not made: {why}")),
                    None => {}
                }
            }
            (ExportContent::Viewport, Some(seen), _) => {
                page.notices.clear();
                self.shot = Some(Screenshot::of_rect(name, seen.rect));
            }
            (ExportContent::Film, Some(seen), Some(plan)) => {
                let film = Film::new(plan, page.notebook, &seen.scene, size);
                self.film = Some(FilmJob::new(name, film));
            }
            (ExportContent::Handout, ..) => {
                let request = page.files.export.handout;
                let job = HandoutJob::new(name, page.notebook, request, self.stills);
                let to_print = std::mem::take(&mut page.files.export.to_print);
                self.handout = Some(job.with_printing(to_print));
            }
            (ExportContent::Work, ..) => self.wanted_work = Some(name),
            (ExportContent::Record, ..) => save(name, record(wanted.format, page.notebook), page),
            _ => save(name, wanted.bytes(page.notebook.derived(), pictured.skin), page),
        }
        ctx.request_repaint();
    }

    fn advance_handout(&mut self, ctx: &Context, page: &mut ExportPage<'_>, once: bool) {
        let Some(job) = &mut self.handout else {
            return;
        };
        if job.show(ctx, page.theme) {
            self.handout = None;
            page.notices.say("The handout was stopped.");
            return;
        }
        ctx.request_repaint();
        if !once {
            return;
        }
        match job.advance(page.renderer.as_deref_mut()) {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                let name = std::mem::take(&mut job.name);
                let made = SaveRequest { name, bytes };
                if job.to_print {
                    print(&made, page);
                } else {
                    page.files.saves.push(made);
                }
                self.handout = None;
            }
            Err(why) => {
                page.notices.wrong(format!("“{}” was not made: {why}", job.name));
                self.handout = None;
            }
        }
    }

    fn advance_film(&mut self, ctx: &Context, page: &mut ExportPage<'_>, once: bool) {
        let Some(job) = &mut self.film else {
            return;
        };
        if job.show(ctx, page.theme) {
            self.film = None;
            page.notices.say("The moving picture was stopped.");
            return;
        }
        ctx.request_repaint();
        let Some(renderer) = page.renderer.as_deref_mut().filter(|_| once) else {
            return;
        };
        match job.advance(renderer) {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                let name = std::mem::take(&mut job.name);
                page.files.saves.push(SaveRequest { name, bytes });
                self.film = None;
            }
            Err(why) => {
                page.notices.wrong(format!("“{}” was not made: {why}", job.name));
                self.film = None;
            }
        }
    }
}

/// The form that is open, else the route that is followed, else the open lesson.
fn handout_name(notebook: &Notebook) -> String {
    let lesson = notebook.lesson();
    match (notebook.forms().open, notebook.route()) {
        (Some(open), _) => form_file(lesson, open.form),
        (None, Some(route)) => route.name.clone(),
        (None, None) => lesson.site_folder().to_owned(),
    }
}

/// The scene as PNG, of as many pixels as it says.
fn drawn(renderer: &mut Renderer, scene: &Scene) -> Result<Vec<u8>, String> {
    let view = ViewId::named("picture to save");
    let drawn = renderer.draw(view, scene);
    let image = drawn.and_then(|_| renderer.read_pixels(view));
    encoded_png(&image.map_err(|error| error.to_string())?)
}

fn save(name: String, bytes: Result<Vec<u8>, Diagnostic>, page: &mut ExportPage<'_>) {
    match bytes {
        Ok(bytes) => page.files.saves.push(SaveRequest { name, bytes }),
        Err(why) => page.notices.wrong(format!("“{name}” was not made: {why}")),
    }
}

/// Opens the browser's dialog; elsewhere a handout is printed from a browser.
fn print(made: &SaveRequest, page: &mut ExportPage<'_>) {
    #[cfg(target_arch = "wasm32")]
    if save::print(made).is_ok() {
        return;
    }
    let name = &made.name;
    page.notices.wrong(format!("“{name}” was not printed: save it, and print it from a browser."));
}

fn record(format: ExportFormat, notebook: &Notebook) -> Result<Vec<u8>, Diagnostic> {
    let record = Record::new(&notebook.set.lessons, &notebook.progress, &notebook.marks, today());
    match format {
        ExportFormat::Json => Ok(record.json()?),
        _ => Ok(record.markdown()),
    }
}

// The page, or a part of it, as it is on the screen.

/// Frames until the menu that asked is off the screen.
const FRAMES_BEFORE: u32 = 2;
/// A request without an answer by then has failed.
const TIMEOUT_SECS: f64 = 5.0;

/// A picture that is asked for.
struct Screenshot {
    name: String,
    /// In points; `None`: the whole page.
    rect: Option<Rect>,
    frames: u32,
    asked: Option<(f64, Receiver<Arc<ColorImage>>)>,
}

impl Screenshot {
    fn of_page(name: String) -> Self {
        Self { name, rect: None, frames: 0, asked: None }
    }

    fn of_rect(name: String, rect: Rect) -> Self {
        Self { rect: Some(rect), ..Self::of_page(name) }
    }

    /// Nobody answers any more: asks again.
    fn begin_anew(&mut self) {
        (self.frames, self.asked) = (0, None);
    }

    /// Once a frame: waits, asks, takes what comes.
    fn update(&mut self, ctx: &Context) -> Option<Result<SaveRequest, String>> {
        let now = ctx.input(|input| input.time);
        let Some((asked_secs, taken)) = &self.asked else {
            self.frames += 1;
            if self.frames > FRAMES_BEFORE {
                self.asked = Some((now, ask(ctx)));
            }
            ctx.request_repaint();
            return None;
        };
        if let Ok(image) = taken.try_recv() {
            let bytes = screenshot_png(&image, self.rect, ctx.pixels_per_point());
            let name = std::mem::take(&mut self.name);
            return Some(bytes.map(|bytes| SaveRequest { name, bytes }));
        }
        if now - asked_secs > TIMEOUT_SECS {
            let words = if cfg!(target_arch = "wasm32") {
                "The browser gave no picture of the page. Try again while its tab is in front."
            } else {
                "The window gave no picture of itself. `bindpose shot` draws pages without one."
            };
            return Some(Err(words.to_owned()));
        }
        ctx.request_repaint();
        None
    }
}

fn ask(ctx: &Context) -> Receiver<Arc<ColorImage>> {
    let (send, taken) = channel();
    let waker = ctx.clone();
    ctx.request_screenshot(move |image| {
        let _ = send.send(image);
        waker.request_repaint();
    });
    taken
}

/// The part inside `rect`, which is in points.
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
    let (left, top) = (part.left() as usize, part.top() as usize);
    let picture = RgbaImage::from_fn(part.width() as u32, part.height() as u32, |x, y| {
        let at = (top + y as usize) * width + left + x as usize;
        let color = image.pixels.get(at).copied().unwrap_or_default();
        image::Rgba([color.r(), color.g(), color.b(), 255])
    });
    encoded_png(&picture)
}

/// As PNG.
fn encoded_png(picture: &RgbaImage) -> Result<Vec<u8>, String> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| format!("The picture could not be written as PNG: {error}"))?;
    Ok(bytes.into_inner())
}

// The day, for what is noted in a reader's record.

/// As `2026-11-22`, by Greenwich; `None` where the system has no clock.
pub(crate) fn today() -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    let secs = Some((js_sys::Date::now() / 1000.0) as u64);
    #[cfg(not(target_arch = "wasm32"))]
    let secs = {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.ok().map(|since| since.as_secs())
    };
    secs.map(|secs| date(secs / (24 * 60 * 60)))
}

/// The date of a day, counted from 1970-01-01.
fn date(day: u64) -> String {
    let leap = |year: u64| {
        (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
    };
    let (mut year, mut left) = (1970, day);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}
