//! What a report of a fault needs to say of the machine: `bindpose --diagnose`. And when the
//! program breaks off it writes down what somebody needs to mend it: which version, where, what
//! was asked of it last, on which machine. The next start offers it, once. It is sent to nobody.

use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bindpose_notebook::GpuLimits;
use bindpose_render::Renderer;
use bindpose_render::headless::HeadlessGl;

use super::preferences_file::settings_folder;

/// With the commit it was built from, where that is known: `0.2.0 (0123456789)`.
pub(crate) const VERSION: &str = env!("BINDPOSE_VERSION");

/// Variables that decide how, and where, the window is drawn.
const VARIABLES: [&str; 17] = [
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "LANG",
    "BINDPOSE_SETTINGS",
    "EGL_PLATFORM",
    "GALLIUM_DRIVER",
    "LIBGL_ALWAYS_SOFTWARE",
    "LIBGL_DRIVERS_PATH",
    "MESA_GLES_VERSION_OVERRIDE",
    "MESA_GLSL_VERSION_OVERRIDE",
    "MESA_GL_VERSION_OVERRIDE",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "WINIT_UNIX_BACKEND",
    "WINIT_X11_SCALE_FACTOR",
    "__GLX_VENDOR_LIBRARY_NAME",
];

/// The report is written here when the program breaks off; a second fault of the same run
/// takes its place.
const NEW_REPORT: &str = "crash.txt";
/// The same, once it was offered.
const TOLD_REPORT: &str = "crash-told.txt";

/// What was asked for last, at most.
const MOST_COMMANDS: usize = 8;

/// Of this machine, without a window: a line for each thing.
pub(crate) fn diagnosis() -> String {
    diagnosis_with(&graphics_without_window())
}

/// The same where `graphics` has been asked already.
fn diagnosis_with(graphics: &str) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<12}{}", without_home(value));
    };
    let build = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    line("bindpose", &format!("{VERSION}, {build}"));
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    line("system", &format!("{}, {os} {arch}", system_name().as_deref().unwrap_or("unknown")));
    let processors = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    line("processors", &processors.to_string());
    line("graphics", graphics);
    line("settings", &settings());
    for name in VARIABLES {
        if let Ok(value) = std::env::var(name) {
            line("variable", &format!("{name}={value}"));
        }
    }
    text
}

/// Of an OpenGL: who made it, which it is, and what it can.
fn graphics(limits: &GpuLimits) -> String {
    format!(
        "{}; {}; {}; textures of {} texels, {} vec4 uniforms",
        limits.vendor,
        limits.renderer,
        limits.version,
        limits.texture_size,
        limits.vertex_uniform_vec4s
    )
}

/// A window may be given another one.
fn graphics_without_window() -> String {
    let read = HeadlessGl::new().and_then(|gl| {
        let renderer = Renderer::new(gl.gl())?;
        let text = graphics(renderer.limits());
        renderer.destroy();
        Ok(text)
    });
    read.map_or_else(|why| why.to_string(), |text| format!("{text} (without a window)"))
}

fn settings() -> String {
    let Some(folder) = settings_folder() else {
        return "the system names no folder for them".to_owned();
    };
    let file = folder.join("settings.json");
    let state = match std::fs::metadata(&file) {
        Ok(found) => format!("{} bytes", found.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "not there yet".to_owned(),
        Err(error) => error.to_string(),
    };
    format!("{}, {state}", file.display())
}

/// As the system calls itself.
fn system_name() -> Option<String> {
    let told = |program: &str, arguments: &[&str]| {
        let output = std::process::Command::new(program).args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    match std::env::consts::OS {
        "windows" => told("cmd", &["/c", "ver"]),
        "macos" => told("sw_vers", &["-productVersion"]),
        _ => pretty_name(&std::fs::read_to_string("/etc/os-release").ok()?),
    }
}

/// Out of a file `os-release`.
fn pretty_name(release: &str) -> Option<String> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

/// A report may be shown to anybody: whose home it was is nobody’s business.
fn without_home(text: &str) -> String {
    let home = std::env::home_dir().filter(|home| home.components().count() > 1);
    short_of_home(text, home.as_deref())
}

fn short_of_home(text: &str, home: Option<&Path>) -> String {
    match home.and_then(Path::to_str) {
        Some(home) => text.replace(home, "~"),
        None => text.to_owned(),
    }
}

/// What is known of this run.
struct KnownRun {
    graphics: String,
    page: String,
    commands: VecDeque<&'static str>,
}

static RUN: Mutex<KnownRun> = Mutex::new(KnownRun {
    graphics: String::new(),
    page: String::new(),
    commands: VecDeque::new(),
});

/// What the window is drawn by; `None`: it has no pictures.
pub(super) fn note_graphics(limits: Option<&GpuLimits>) {
    note(|run| run.graphics = limits.map_or("no pictures".to_owned(), graphics));
}

/// The open page, as a link; what is set on it is left out.
pub(super) fn note_page(link: &str) {
    note(|run| link.split('?').next().unwrap_or_default().clone_into(&mut run.page));
}

/// What a key or a button has asked for.
pub(super) fn note_command(name: &'static str) {
    note(|run| {
        run.commands.push_back(name);
        if run.commands.len() > MOST_COMMANDS {
            run.commands.pop_front();
        }
    });
}

/// A fault in the middle of this must not wait for itself.
fn note(put: impl FnOnce(&mut KnownRun)) {
    if let Ok(mut run) = RUN.try_lock() {
        put(&mut run);
    }
}

/// Writes the report; what cannot be written is lost.
pub(super) fn write_crash_report(fault: &PanicHookInfo<'_>) {
    let Some(folder) = settings_folder() else {
        return;
    };
    let text = crash_report(&fault.to_string(), &Backtrace::force_capture().to_string());
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(NEW_REPORT), text);
}

fn crash_report(fault: &str, way: &str) -> String {
    let mut text = String::from(
        "Bindpose crashed. This report helps whoever maintains it to fix that. Nothing was \
         sent.\n\n",
    );
    let mut graphics = "not known".to_owned();
    if let Ok(run) = RUN.try_lock() {
        graphics.clone_from(&run.graphics);
        let commands: Vec<&str> = run.commands.iter().copied().collect();
        let _ = writeln!(text, "page        {}", run.page);
        let _ = writeln!(text, "asked last  {}\n", commands.join(", "));
    }
    let _ = writeln!(text, "{}\n{fault}\n\n{way}", diagnosis_with(&graphics));
    text
}

/// What an earlier run has left, for the first that asks: where it lies, and its text.
pub(super) fn take_crash_report() -> Option<(PathBuf, String)> {
    take_from(&settings_folder()?)
}

fn take_from(folder: &Path) -> Option<(PathBuf, String)> {
    let told = folder.join(TOLD_REPORT);
    std::fs::rename(folder.join(NEW_REPORT), &told).ok()?;
    let text = std::fs::read_to_string(&told).ok()?;
    Some((told, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_the_system_and_where_settings_are_stand_in_it_and_no_home() {
        let text = diagnosis_with("Mesa; llvmpipe; 4.5");
        let names: Vec<&str> =
            text.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names[..5], ["bindpose", "system", "processors", "graphics", "settings"]);
        assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("Mesa; llvmpipe; 4.5"));

        let home = Some(Path::new("/srv/ada"));
        let shown = short_of_home("/srv/ada/.local/share/bindpose/settings.json", home);
        assert_eq!(shown, "~/.local/share/bindpose/settings.json");
    }

    #[test]
    fn a_system_is_named_as_it_names_itself() {
        let release = "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n";
        assert_eq!(pretty_name(release).unwrap(), "Debian GNU/Linux 13 (trixie)");
        assert_eq!(pretty_name("ID=none"), None);
    }

    #[test]
    fn a_report_says_what_was_asked_where_and_on_what_and_is_offered_once() {
        note_page("bindpose://bind-pose/subtract?nod=0.5");
        for _ in 0..MOST_COMMANDS {
            note_command("Next");
        }
        note_command("Undo");
        let text = crash_report("panicked at src/x.rs:1:2:\nno such joint", "0: main");
        for part in ["bindpose://bind-pose/subtract\n", "Next, Undo\n", "no such joint", "0: main"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("nod=0.5"));
        assert_eq!(text.matches("Next").count(), MOST_COMMANDS - 1);

        let folder = tempfile::tempdir().unwrap();
        assert_eq!(take_from(folder.path()), None);
        std::fs::write(folder.path().join(NEW_REPORT), &text).unwrap();
        let (file, found) = take_from(folder.path()).unwrap();
        assert_eq!(found, text);
        assert_eq!(std::fs::read_to_string(file).unwrap(), text, "it stays");
        assert_eq!(take_from(folder.path()), None);
    }
}
