//! Files from the page: pictures as they are on the screen, films, numbers; and
//! the question where to save them.

mod film_job;
mod handout_job;
mod save;
mod screenshot;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
#[cfg(target_arch = "wasm32")]
use bindpose_notebook::export::HandoutRequest;
use bindpose_notebook::export::{Export, ExportContent, ExportFormat, Film, FilmPlan, PictureSize};
use bindpose_notebook::inventory::form_file;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Notebook, Record};
use bindpose_page::export_menu::{self, Pictured};
use bindpose_page::theme::Theme;
use bindpose_page::view::{ExportMenu, FileRequests, Motion, SaveRequest};
use bindpose_render::{Renderer, ViewId};
use eframe::egui::{Context, Rect};

use super::notice::Notices;
use super::today::today;
use film_job::FilmJob;
use handout_job::HandoutJob;
pub use handout_job::MakeStills;
use save::Saving;
use screenshot::Screenshot;

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
            _ => save(name, wanted.bytes(page.notebook.derived()), page),
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
        (None, None) => lesson.folder.clone(),
    }
}

/// The scene as PNG, of as many pixels as it says.
fn drawn(renderer: &mut Renderer, scene: &Scene) -> Result<Vec<u8>, String> {
    let view = ViewId::named("picture to save");
    let drawn = renderer.draw(view, scene);
    let image = drawn.and_then(|_| renderer.read_pixels(view));
    screenshot::encoded(&image.map_err(|error| error.to_string())?)
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
