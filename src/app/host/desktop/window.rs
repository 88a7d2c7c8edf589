//! The notebook in a window.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bindpose_lesson::LessonSet;
use bindpose_notebook::{KeptPage, Notebook, Preferences, link};
use bindpose_render::MovingPictures;
use eframe::egui::{self, ViewportBuilder};

use super::diagnosis;
use super::model_page::check_page_uses_own_model;
use super::packed_courses::{add_courses, is_course};
use super::preferences_file::PreferencesFile;
use super::preferences_saver::{PreferencesSaver, SaverHandle};
use super::system_settings::SystemSettingsEvents;
use crate::app::handout::make_stills;
use crate::app::shell::{Shell, ShellError, ShellOptions};

const ICON: &[u8] = include_bytes!("../../../../assets/icon/bindpose-128.png");

/// Maximum time of a frame during a drag for handing the preferences to the saver.
const MAX_SAVE_TIME_IN_DRAG: Duration = Duration::from_millis(2);

/// Options of the window: what to open, and the theme.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// Folders of lessons and packed courses; the built-in lessons if empty. Folders are read
    /// again when they change.
    pub lessons: Vec<PathBuf>,
    /// A file of routes besides the lessons' own.
    pub routes: Option<PathBuf>,
    /// A lesson by number, slug or folder name.
    pub lesson: Option<String>,
    /// A step of it, by slug or number from 1.
    pub step: Option<String>,
    /// Files of a model to open, on the requested page if that uses the reader's model.
    pub model: Vec<PathBuf>,
    /// A file of a second model to compare with the first.
    pub compare: Option<PathBuf>,
    /// A link to a page. It takes precedence over `lesson` and `step`.
    pub link: Option<String>,
    /// True for the dark theme, false for the light one. `None` for the saved choice.
    pub dark: Option<bool>,
    /// Prints the message about a file that did not open, where the command was given.
    pub print_failure: Option<fn(&str)>,
}

/// Reason why the notebook did not open, with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is no display.
    #[error(
        "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); \
         start it from a desktop, or see the pages as pictures: bindpose tour --out tour"
    )]
    NoDisplay,
    /// The named display does not respond.
    #[error(
        "the display does not answer (DISPLAY is “{0}”); \
         start it from a desktop, or see the pages as pictures: bindpose tour --out tour"
    )]
    SilentDisplay(String),
    /// The lesson, step or link does not exist.
    #[error("{0}")]
    Page(String),
    /// The window system or GL failed.
    #[error("the window could not be opened: {0}; the notebook needs OpenGL 3.3. {REMEDY}")]
    Window(String),
}

/// Remedy if a window cannot be opened with OpenGL.
const REMEDY: &str = if cfg!(target_os = "linux") {
    "On Debian or Ubuntu: apt-get install libegl1 libgl1 libgl1-mesa-dri libxkbcommon-x11-0 \
     libxcursor1 libxi6 libxrandr2. Or see the same in a browser: bindpose serve"
} else {
    "Update the graphics driver; on a remote desktop, start it at the computer itself. Or see \
     the same in a browser: bindpose serve"
};

/// Opens the notebook and returns when its window is closed.
///
/// # Errors
/// See [`AppError`].
pub fn run(options: &AppOptions) -> Result<(), AppError> {
    let (preferences_file, preferences, complaint) = PreferencesFile::open();
    let mut set = LessonSet::from_paths(&options.lessons)
        .map_err(|error| AppError::Page(error.to_string()))?;
    let (named_courses, models): (Vec<PathBuf>, Vec<PathBuf>) =
        options.model.iter().cloned().partition(|path| is_course(path));
    // Courses of the last run are opened only if no lessons are named.
    let last_courses =
        if options.lessons.is_empty() { preferences.courses.clone() } else { Vec::new() };
    let courses = add_courses(&mut set, &last_courses, &named_courses)
        .map_err(|error| AppError::Page(error.to_string()))?;
    if let Some(file) = &options.routes {
        set.add_routes_from(file);
        if let Some(finding) = set.outside_findings().next() {
            return Err(AppError::Page(finding.to_string()));
        }
    }
    let named_link = page_link(options, &models, &set)?;
    let mut link = named_link.clone().or(courses.link);
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
        // The page needs no depth buffer; viewports have their own.
        depth_buffer: 0,
        multisampling: 0,
        ..eframe::NativeOptions::default()
    };
    let dark = options.dark;
    let print_failure = options.print_failure;
    let watches_lessons = !options.lessons.is_empty();
    // A named page, model or lesson is opened instead of the cover.
    let shows_cover = link.is_none() && models.is_empty() && !watches_lessons;
    let model_b = options.compare.clone();
    // Dropped after the window, however that ends, so that everything is saved.
    let saver = PreferencesSaver::start(preferences_file);
    let saver_handle = saver.handle();
    #[cfg(unix)]
    super::preferences_saver::save_before_termination(saver.handle());
    let create_window = move |cc: &eframe::CreationContext<'_>| -> Result<
        Box<dyn eframe::App>,
        Box<dyn std::error::Error + Send + Sync>,
    > {
        let mut shell = open_shell(
            cc,
            ShellOptions {
                set,
                preferences: Preferences {
                    dark: dark.or(preferences.dark),
                    courses: courses.files,
                    page: link.map(kept_page_at).or_else(|| preferences.page.clone()),
                    ..preferences.clone()
                },
                make_stills: Some(make_stills),
                moving: MovingPictures::InTime,
                ..ShellOptions::default()
            },
        )?;
        saver_handle.set_context(&cc.egui_ctx);
        if shows_cover {
            shell.open_cover();
        }
        shell.open_command_line_files(&cc.egui_ctx, models, model_b, named_link);
        for complaint in complaint.into_iter().chain(courses.complaints) {
            shell.show_error(complaint);
        }
        Ok(Box::new(NotebookWindow {
            shell,
            system: SystemSettingsEvents::listen(&cc.egui_ctx),
            watches_lessons,
            print_failure,
            saver: saver_handle,
            saved_preferences: preferences,
            last_reload: Instant::now(),
            saved_changes: None,
            last_save_time: Duration::ZERO,
        }))
    };
    catch_startup_panic(|| eframe::run_native("bindpose", native, Box::new(create_window)))
}

/// Creates the shell. If OpenGL is too old for pictures, the page works without them and
/// shows a notice. Also offers the crash report of an earlier run.
fn open_shell(
    cc: &eframe::CreationContext<'_>,
    options: ShellOptions,
) -> Result<Shell, ShellError> {
    let mut shell = match Shell::new(&cc.egui_ctx, cc.gl.clone(), options.clone()) {
        Err(ShellError::Render(why)) => {
            let mut shell = Shell::new(&cc.egui_ctx, None, options)?;
            shell.show_error(format!("There are no pictures: {why}. Everything else works."));
            shell
        }
        opened => opened?,
    };
    move_into_view(cc);
    diagnosis::record_graphics(shell.limits());
    if let Some((file, report)) = diagnosis::take_crash_report() {
        shell.offer_crash_report(&file, report);
    }
    Ok(shell)
}

/// Moves the window to the first screen if it is not on any screen, because its screen was
/// removed. Wayland places windows by itself, and does not report their position.
fn move_into_view(cc: &eframe::CreationContext<'_>) {
    let Some(window) = cc.winit_window() else {
        return;
    };
    let screens: Vec<DesktopRect> = window
        .available_monitors()
        .map(|screen| DesktopRect {
            position: screen.position().into(),
            size: screen.size().into(),
        })
        .collect();
    let Some(first) = window.available_monitors().next() else { return };
    let Ok(position) = window.outer_position() else { return };
    let window_rect = DesktopRect { position: position.into(), size: window.outer_size().into() };
    if !can_be_dragged(window_rect, &screens) {
        window.set_outer_position(first.position());
    }
}

/// Rectangle in pixels of the desktop.
#[derive(Clone, Copy)]
struct DesktopRect {
    /// Left and top.
    position: [i32; 2],
    /// Width and height.
    size: [u32; 2],
}

/// Returns true if enough of the window's upper edge is on one of the screens to drag it.
fn can_be_dragged(window: DesktopRect, screens: &[DesktopRect]) -> bool {
    const MIN_VISIBLE_PX: [i32; 2] = [100, 24];
    let edge = [window.size[0] as i32, MIN_VISIBLE_PX[1]];
    screens.iter().any(|screen| {
        (0..2).all(|axis| {
            let start = window.position[axis].max(screen.position[axis]);
            let end = (window.position[axis] + edge[axis])
                .min(screen.position[axis] + screen.size[axis] as i32);
            end - start >= MIN_VISIBLE_PX[axis].min(edge[axis])
        })
    })
}

fn has_display() -> bool {
    let uses_display_variables = cfg!(all(unix, not(target_os = "macos")));
    !uses_display_variables
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|display| !display.is_empty()))
}

fn kept_page_at(link: String) -> KeptPage {
    KeptPage { link, ..KeptPage::default() }
}

/// Returns a link to the page named by the options. An unknown page is an error, reported
/// before a window opens.
fn page_link(
    options: &AppOptions,
    models: &[PathBuf],
    set: &LessonSet,
) -> Result<Option<String>, AppError> {
    let link = named_page_link(options, set)?;
    if let (Some(model), Some(link)) = (models.first(), &link) {
        check_page_uses_own_model(set, link)
            .map_err(|why| AppError::Page(format!("{}: {why}", model.display())))?;
    }
    Ok(link)
}

fn named_page_link(options: &AppOptions, set: &LessonSet) -> Result<Option<String>, AppError> {
    if let Some(link) = &options.link {
        // Followed once before a window opens, so that a wrong link is reported.
        if let Some(mut notebook) = Notebook::new(set.clone(), bindpose_rigs::builtin) {
            notebook.follow(link, 0).map_err(|error| AppError::Page(error.to_string()))?;
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

/// Returns a link to the first page of the named lessons. Returns `None` if the last page is
/// one of theirs, so that their author continues there.
fn first_own_page(set: &LessonSet, last_page: Option<&KeptPage>) -> Option<String> {
    let own_slugs: Vec<&str> =
        set.own_lessons().map(|index| set.lessons[index].slug.as_str()).collect();
    let last_lesson = last_page.and_then(|page| link::address(&page.link).ok());
    if last_lesson.is_some_and(|last| own_slugs.contains(&last.lesson.as_str())) {
        return None;
    }
    set.page_link(own_slugs.first()?, None).ok()
}

/// True once the first frame was drawn.
static HAS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Runs the window. winit panics if a library of the window system is missing; such a panic
/// before the first frame is returned as an error. Later panics are faults of this program:
/// they write a crash report and continue.
fn catch_startup_panic(run_window: impl FnOnce() -> eframe::Result) -> Result<(), AppError> {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
    let default_hook = take_hook();
    set_hook(Box::new(move |info| {
        if HAS_DRAWN.load(Ordering::Relaxed) {
            default_hook(info);
            diagnosis::write_crash_report(info);
        }
    }));
    match catch_unwind(AssertUnwindSafe(run_window)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(eframe::Error::WinitEventLoop(_) | eframe::Error::Winit(_))) => {
            Err(AppError::SilentDisplay(std::env::var("DISPLAY").unwrap_or_default()))
        }
        Ok(Err(error)) => Err(AppError::Window(error.to_string())),
        Err(panic) if HAS_DRAWN.load(Ordering::Relaxed) => resume_unwind(panic),
        Err(panic) => Err(AppError::Window(
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
    /// True if lessons are read from a folder, which is checked once a second.
    watches_lessons: bool,
    /// See [`AppOptions::print_failure`].
    print_failure: Option<fn(&str)>,
    saver: SaverHandle,
    /// Preferences last given to the saver.
    saved_preferences: Preferences,
    last_reload: Instant,
    /// [`Shell::changes`] at that time.
    saved_changes: Option<u64>,
    last_save_time: Duration,
}

impl NotebookWindow {
    /// Gives the preferences and the window's place to the saver if they changed in this
    /// frame.
    fn save_changes(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let is_dragging = ctx.input(|input| input.pointer.any_down());
        let mut window_size = self.saved_preferences.window_size;
        let mut window_position = self.saved_preferences.window_position;
        ctx.input(|input| {
            let viewport = input.viewport();
            // The next run does not restore a full screen.
            if viewport.fullscreen == Some(true) {
                return;
            }
            if let Some(rect) = viewport.inner_rect {
                window_size = Some((rect.size() * zoom).into());
            }
            if let Some(rect) = viewport.outer_rect {
                window_position = Some((rect.min.to_vec2() * zoom).into());
            }
        });
        let changes = self.shell.changes();
        let is_same_page = self.saved_changes == Some(changes);
        let is_same_window = window_size == self.saved_preferences.window_size
            && window_position == self.saved_preferences.window_position;
        // A page with very many edits is saved at the end of a drag.
        let is_too_slow = is_dragging && self.last_save_time > MAX_SAVE_TIME_IN_DRAG;
        if (is_same_page && is_same_window) || is_too_slow {
            return;
        }
        let start = Instant::now();
        let preferences = Preferences { window_size, window_position, ..self.shell.preferences() };
        if let Some(page) = &preferences.page {
            diagnosis::record_page(&page.link);
        }
        self.saved_changes = Some(changes);
        if preferences != self.saved_preferences {
            self.saved_preferences.clone_from(&preferences);
            self.saver.save_soon(preferences);
        }
        self.last_save_time = start.elapsed();
    }
}

impl eframe::App for NotebookWindow {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        if self.watches_lessons {
            // Files are checked once a second. That frame does no other work.
            ctx.request_repaint_after(Duration::from_secs(1));
            if self.last_reload.elapsed() >= Duration::from_secs(1) {
                self.last_reload = Instant::now();
                self.shell.reload_lessons();
            }
        }
        self.shell.set_save_failure(self.saver.failure());
        if let Some(settings) = self.system.last() {
            self.shell.set_system_settings(settings);
        }
        self.shell.ui(ui);
        if let Some(failure) = self.shell.take_named_failure()
            && let Some(print_failure) = self.print_failure
        {
            print_failure(&failure.to_string());
        }
        if self.shell.take_save_retry() {
            self.saver.try_again();
        }
        HAS_DRAWN.store(true, Ordering::Relaxed);
        self.save_changes(&ctx);
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
        let first_page = Some("bindpose://fingers/one".to_owned());
        assert_eq!(first_own_page(&set, None), first_page);
        let built_in_page = kept_page_at("bindpose://bind-pose/something-is-wrong".to_owned());
        assert_eq!(first_own_page(&set, Some(&built_in_page)), first_page);
        let own_page = kept_page_at("bindpose://fist/two".to_owned());
        assert_eq!(first_own_page(&set, Some(&own_page)), None);
    }

    #[test]
    fn a_window_can_be_dragged_if_its_upper_edge_is_on_a_screen() {
        let screens = [
            DesktopRect { position: [0, 0], size: [1920, 1080] },
            DesktopRect { position: [1920, -200], size: [1280, 1024] },
        ];
        let size = [1440, 900];
        for position in [[0, 0], [-1300, 500], [1800, 100], [2500, -200]] {
            assert!(can_be_dragged(DesktopRect { position, size }, &screens), "{position:?}");
        }
        for (position, why) in [
            ([4000, 3000], "its screen is gone"),
            ([-1400, 100], "40 pixels are not enough"),
            ([100, -20], "the edge is above the screen"),
            ([100, 1070], "and below it"),
        ] {
            assert!(!can_be_dragged(DesktopRect { position, size }, &screens), "{why}");
        }
        assert!(!can_be_dragged(DesktopRect { position: [0, 0], size }, &[]));
        let small = DesktopRect { position: [10, 10], size: [60, 40] };
        assert!(can_be_dragged(small, &screens), "a small one, whole");
    }
}
