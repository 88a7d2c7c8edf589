//! The notebook in a window.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bindpose_lesson::LessonSet;
use bindpose_notebook::{KeptPage, Notebook, Preferences, link};
use bindpose_render::MovingPictures;
use eframe::egui::{self, ViewportBuilder};

use super::diagnosis;
use super::handout::make_stills;
use super::packed_courses::{add_courses, is_course};
use super::preferences_file::PreferencesFile;
use super::preferences_saver::{PreferencesSaver, SaverHandle};
use super::shell::{Shell, ShellError, ShellOptions};
use super::system_settings::SystemSettingsEvents;

const ICON: &[u8] = include_bytes!("../../assets/icon/bindpose-128.png");

/// What a frame of a drag may spend on giving the page to the saver.
const DRAG_COST: Duration = Duration::from_millis(2);

/// What to open and how.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// Lessons of these folders and packed courses; without any, the built-in ones.
    /// Folders are read again when
    /// they change.
    pub lessons: Vec<PathBuf>,
    /// A file of routes besides the lessons' own.
    pub routes: Option<PathBuf>,
    /// A lesson by number, slug or folder name.
    pub lesson: Option<String>,
    /// A step of it, by slug or number from 1.
    pub step: Option<String>,
    /// Files of a model to open; on the page asked for, if that stands on the
    /// reader's model. Empty: none.
    pub model: Vec<PathBuf>,
    /// A file of a second model, to be held against the one that stands.
    pub compare: Option<PathBuf>,
    /// A link to a page; before `lesson` and `step`.
    pub link: Option<String>,
    /// The dark theme, or the light one; absent: as remembered.
    pub dark: Option<bool>,
}

/// Why the notebook did not open: what is missing, and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No screen.
    #[error(
        "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); \
         start it from a desktop, or see the pages as pictures: bindpose tour --out tour"
    )]
    NoDisplay,
    /// A display is named, but nothing there answers.
    #[error(
        "the display does not answer (DISPLAY is “{0}”); \
         start it from a desktop, or see the pages as pictures: bindpose tour --out tour"
    )]
    SilentDisplay(String),
    /// The lesson, step or link does not exist.
    #[error("{0}")]
    Page(String),
    /// The window system or GL refused.
    #[error("the window could not be opened: {0}; the notebook needs OpenGL 3.3. {REMEDY}")]
    Window(String),
}

/// Where there is no OpenGL to open a window with.
const REMEDY: &str = if cfg!(target_os = "linux") {
    "On Debian or Ubuntu: apt-get install libegl1 libgl1 libgl1-mesa-dri libxkbcommon-x11-0 \
     libxcursor1 libxi6 libxrandr2. Or see the same in a browser: bindpose serve"
} else {
    "Update the graphics driver; on a remote desktop, start it at the computer itself. Or see \
     the same in a browser: bindpose serve"
};

/// Opens the notebook and returns when its window is closed.
///
/// Errors: [`AppError`].
pub fn run(options: &AppOptions) -> Result<(), AppError> {
    let (preferences_file, preferences, complaint) = PreferencesFile::open();
    let mut set = LessonSet::from_paths(&options.lessons)
        .map_err(|wrong| AppError::Page(wrong.to_string()))?;
    let (given, models): (Vec<PathBuf>, Vec<PathBuf>) =
        options.model.iter().cloned().partition(|path| is_course(path));
    // Who names lessons wants these.
    let last = preferences.courses.iter().filter(|_| options.lessons.is_empty());
    let last: Vec<PathBuf> = last.cloned().collect();
    let courses =
        add_courses(&mut set, &last, &given).map_err(|wrong| AppError::Page(wrong.to_string()))?;
    if let Some(file) = &options.routes {
        set.add_routes_from(file);
        let wrong = set.outside_findings().next().map(ToString::to_string);
        wrong.map_or(Ok(()), |wrong| Err(AppError::Page(wrong)))?;
    }
    let mut link = page_link(options, &models, &set)?.or(courses.link);
    if link.is_none() && models.is_empty() && !options.lessons.is_empty() {
        link = first_own_page(&set, preferences.page.as_ref());
    }
    if !has_display() {
        return Err(AppError::NoDisplay);
    }
    let mut viewport = ViewportBuilder::default()
        .with_title("Bindpose")
        .with_app_id("bindpose")
        .with_min_inner_size([320.0, 240.0])
        .with_inner_size(preferences.window_size.unwrap_or([1440.0, 900.0]));
    if let Some(position) = preferences.window_position {
        viewport = viewport.with_position(position);
    }
    if let Ok(icon) = eframe::icon_data::from_png_bytes(ICON) {
        viewport = viewport.with_icon(icon);
    }
    let native = eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Glow,
        persist_window: false,
        // The page has no depth of its own; viewports bring theirs.
        depth_buffer: 0,
        multisampling: 0,
        ..eframe::NativeOptions::default()
    };
    let (dark, watches) = (options.dark, !options.lessons.is_empty());
    // Who asks for a page, a model or lessons of their own wants these.
    let shows_cover = link.is_none() && models.is_empty() && !watches;
    let (asked, then) = ((models, options.compare.clone()), options.link.clone());
    // Ends after the window, however that ends: then all is written.
    let saver = PreferencesSaver::start(preferences_file);
    let saver_of_window = saver.handle();
    #[cfg(unix)]
    super::preferences_saver::save_before_the_end(saver.handle());
    let start = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
        let mut shell = open_shell(
            cc,
            ShellOptions {
                set,
                preferences: Preferences {
                    dark: dark.or(preferences.dark),
                    courses: courses.files,
                    page: link.map(asked_for).or_else(|| preferences.page.clone()),
                    ..preferences.clone()
                },
                stills: Some(make_stills),
                moving: MovingPictures::InTime,
                ..ShellOptions::default()
            },
        )?;
        saver_of_window.tells(&cc.egui_ctx);
        if shows_cover {
            shell.open_cover();
        }
        shell.open_asked(&cc.egui_ctx, asked, then);
        for complaint in complaint.into_iter().chain(courses.complaints) {
            shell.warn(complaint);
        }
        Ok(Box::new(NotebookWindow {
            shell,
            system: SystemSettingsEvents::listen(&cc.egui_ctx),
            watches,
            saver: saver_of_window,
            preferences,
            looked: Instant::now(),
            kept_changes: None,
            keeping_took: Duration::ZERO,
        }))
    };
    before_the_window(|| eframe::run_native("bindpose", native, Box::new(start))).map_err(
        |failure| match failure {
            WindowFailure::Display => {
                AppError::SilentDisplay(std::env::var("DISPLAY").unwrap_or_default())
            }
            WindowFailure::Other(why) => AppError::Window(why),
        },
    )
}

/// On OpenGL that is too old for pictures the page works all the same, and says so. A report
/// that an earlier run has left is offered.
fn open_shell(
    cc: &eframe::CreationContext<'_>,
    options: ShellOptions,
) -> Result<Shell, ShellError> {
    let mut shell = match Shell::new(&cc.egui_ctx, cc.gl.clone(), options.clone()) {
        Err(ShellError::Render(why)) => {
            let mut shell = Shell::new(&cc.egui_ctx, None, options)?;
            shell.warn(format!("There are no pictures: {why}. Everything else works."));
            shell
        }
        opened => opened?,
    };
    bring_into_sight(cc);
    diagnosis::note_graphics(shell.limits());
    if let Some((file, text)) = diagnosis::take_crash_report() {
        shell.offer_crash_report(&file, text);
    }
    Ok(shell)
}

/// The screen that the window stood on may be gone: then it comes onto the first one. Wayland
/// places windows by itself, and tells nobody where.
fn bring_into_sight(cc: &eframe::CreationContext<'_>) {
    let Some(window) = cc.winit_window() else {
        return;
    };
    let screens = window.available_monitors();
    let screens: Vec<ScreenRect> =
        screens.map(|screen| (screen.position().into(), screen.size().into())).collect();
    let first = window.available_monitors().next();
    if let (Ok(corner), Some(first)) = (window.outer_position(), first)
        && !can_be_taken((corner.into(), window.outer_size().into()), &screens)
    {
        window.set_outer_position(first.position());
    }
}

/// Left and top, width and height, in pixels of the desktop.
type ScreenRect = ([i32; 2], [u32; 2]);

/// Is enough of the upper edge of a window on one of the screens to drag it by?
fn can_be_taken((corner, size): ScreenRect, screens: &[ScreenRect]) -> bool {
    const ENOUGH: [i32; 2] = [100, 24];
    let edge = [size[0] as i32, ENOUGH[1]];
    screens.iter().any(|(from, screen)| {
        (0..2).all(|axis| {
            let low = corner[axis].max(from[axis]);
            let high = (corner[axis] + edge[axis]).min(from[axis] + screen[axis] as i32);
            high - low >= ENOUGH[axis].min(edge[axis])
        })
    })
}

/// Is there anything to open a window on?
fn has_display() -> bool {
    let named = |name: &str| std::env::var_os(name).is_some_and(|display| !display.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

fn asked_for(link: String) -> KeptPage {
    KeptPage { link, ..KeptPage::default() }
}

/// The page that the options ask for, as a link; an unknown one is an error
/// before any window opens.
fn page_link(
    options: &AppOptions,
    models: &[PathBuf],
    set: &LessonSet,
) -> Result<Option<String>, AppError> {
    let link = asked_page(options, set)?;
    if let (Some(model), Some(link)) = (models.first(), &link) {
        super::opening::page_fits(set, link)
            .map_err(|why| AppError::Page(format!("{}: {why}", model.display())))?;
    }
    Ok(link)
}

fn asked_page(options: &AppOptions, set: &LessonSet) -> Result<Option<String>, AppError> {
    if let Some(link) = &options.link {
        // Followed once before any window opens, so that a wrong one is told.
        if let Some(mut notebook) = Notebook::new(set.clone(), bindpose_asset::builtin) {
            notebook.follow(link, 0).map_err(|wrong| AppError::Page(wrong.to_string()))?;
        }
        return Ok(Some(link.clone()));
    }
    let Some(lesson) = &options.lesson else {
        return Ok(None);
    };
    set.page_link(lesson, options.step.as_deref())
        .map(Some)
        .map_err(|error| AppError::Page(error.to_string()))
}

/// Links to the first page of the lessons that were named. Returns `None` if the last page
/// is one of theirs: the author goes on there.
fn first_own_page(set: &LessonSet, last_page: Option<&KeptPage>) -> Option<String> {
    let own_slugs = || set.own_lessons().map(|index| set.lessons[index].slug.as_str());
    let last_lesson = last_page.and_then(|page| link::address(&page.link).ok());
    if last_lesson.is_some_and(|last| own_slugs().any(|slug| slug == last.lesson)) {
        return None;
    }
    set.page_link(own_slugs().next()?, None).ok()
}

/// Why no window stands.
enum WindowFailure {
    Display,
    Other(String),
}

/// Set when the first frame has been drawn.
static OPENED: AtomicBool = AtomicBool::new(false);

/// Runs `work`. winit panics, rather than errs, when a library of the window
/// system is missing; such a panic becomes its message. One that comes later is
/// a fault of ours and goes on.
fn before_the_window(work: impl FnOnce() -> eframe::Result) -> Result<(), WindowFailure> {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        if OPENED.load(Ordering::Relaxed) {
            usual(info);
            diagnosis::write_crash_report(info);
        }
    }));
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(eframe::Error::WinitEventLoop(_) | eframe::Error::Winit(_))) => {
            Err(WindowFailure::Display)
        }
        Ok(Err(error)) => Err(WindowFailure::Other(error.to_string())),
        Err(panic) if OPENED.load(Ordering::Relaxed) => resume_unwind(panic),
        Err(panic) => Err(WindowFailure::Other(
            panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()))
                .unwrap_or_else(|| "an unknown fault".to_owned()),
        )),
    }
}

struct NotebookWindow {
    shell: Shell,
    system: SystemSettingsEvents,
    /// Lessons come from a folder that is looked at once a second.
    watches: bool,
    saver: SaverHandle,
    /// What was last given to be saved.
    preferences: Preferences,
    looked: Instant,
    /// [`Shell::changes`] when that was.
    kept_changes: Option<u64>,
    keeping_took: Duration,
}

impl NotebookWindow {
    /// Gives what is to be remembered, the window included, to the saver, if it
    /// changed in this frame.
    fn remember(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let (inner, outer, held) = ctx.input(|input| {
            let viewport = input.viewport();
            let held = input.pointer.any_down();
            (viewport.inner_rect, viewport.outer_rect, held)
        });
        // A full screen is no window to come back to.
        let full = ctx.input(|input| input.viewport().fullscreen);
        let (inner, outer) = match full {
            Some(true) => (None, None),
            _ => (inner, outer),
        };
        let size = inner.map(|rect| (rect.size() * zoom).into()).or(self.preferences.window_size);
        let position = outer
            .map(|rect| (rect.min.to_vec2() * zoom).into())
            .or(self.preferences.window_position);
        let changes = self.shell.changes();
        let same_page = self.kept_changes == Some(changes);
        let window = (size, position);
        let same_window =
            window == (self.preferences.window_size, self.preferences.window_position);
        // A page with very many edits waits for the end of a drag, which is a frame.
        if (same_page && same_window) || (held && self.keeping_took > DRAG_COST) {
            return;
        }
        let began = Instant::now();
        let preferences = Preferences {
            window_size: size,
            window_position: position,
            ..self.shell.preferences()
        };
        if let Some(page) = &preferences.page {
            diagnosis::note_page(&page.link);
        }
        self.kept_changes = Some(changes);
        if preferences != self.preferences {
            self.preferences.clone_from(&preferences);
            self.saver.keep(preferences);
        }
        self.keeping_took = began.elapsed();
    }
}

impl eframe::App for NotebookWindow {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        if self.watches {
            // Files are looked at once a second; that frame costs nothing else.
            ctx.request_repaint_after(Duration::from_secs(1));
            if self.looked.elapsed() >= Duration::from_secs(1) {
                self.looked = Instant::now();
                self.shell.read_again();
            }
        }
        self.shell.set_save_failure(self.saver.failure());
        if let Some(settings) = self.system.last() {
            self.shell.follow_system(settings);
        }
        self.shell.ui(ui);
        if self.shell.take_save_retry() {
            self.saver.try_again();
        }
        OPENED.store(true, Ordering::Relaxed);
        self.remember(&ctx);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.saver.save_now();
        self.shell.destroy();
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_lessons_open_at_their_first_page_or_where_the_author_was_last() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("lessons.toml", "built-in = \"after\"\n");
        for (number, slug) in [("10", "fingers"), ("20", "fist")] {
            let text = format!(
                "+++\ntitle = \"{slug}\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nText.\n\n## Two\n\nText.\n"
            );
            write(&format!("{number}-{slug}/lesson.md"), &text);
        }
        let set = LessonSet::from_dir(folder.path());
        let last = |link: &str| asked_for(link.to_owned());
        let first = Some("bindpose://fingers/one".to_owned());
        assert_eq!(first_own_page(&set, None), first);
        assert_eq!(
            first_own_page(&set, Some(&last("bindpose://bind-pose/something-is-wrong"))),
            first
        );
        assert_eq!(first_own_page(&set, Some(&last("bindpose://fist/two"))), None);
    }

    #[test]
    fn a_window_is_in_sight_where_its_upper_edge_can_be_taken() {
        let screens = [([0, 0], [1920, 1080]), ([1920, -200], [1280, 1024])];
        let taken = |corner| can_be_taken((corner, [1440, 900]), &screens);
        assert!(taken([0, 0]) && taken([-1300, 500]) && taken([1800, 100]) && taken([2500, -200]));
        assert!(!taken([4000, 3000]), "its screen is gone");
        assert!(!taken([-1400, 100]), "40 pixels are not enough");
        assert!(!taken([100, -20]), "the edge is above the screen");
        assert!(!taken([100, 1070]), "and below it");
        assert!(!can_be_taken(([0, 0], [1440, 900]), &[]));
        assert!(can_be_taken(([10, 10], [60, 40]), &screens), "a small one, whole");
    }
}
