//! Description of the machine for a bug report: `bindpose --diagnose`. And a crash report
//! with version, place, last commands and machine, written when the program panics. The next
//! start offers it once. It is not sent anywhere.

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

/// Version with the commit it was built from, if known: `0.2.0 (0123456789)`.
pub(crate) const VERSION: &str = env!("BINDPOSE_VERSION");

/// Environment variables that affect the drawing of the window.
const REPORTED_VARIABLES: [&str; 17] = [
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

/// File of a new crash report. A second panic of the same run overwrites it.
const NEW_REPORT: &str = "crash.txt";
/// File of a report that was offered to the reader.
const OFFERED_REPORT: &str = "crash-told.txt";

/// Number of last commands in a report.
const MAX_COMMANDS: usize = 8;

/// Describes this machine without a window, one property a line.
pub(crate) fn describe_this_machine() -> String {
    describe_machine(&describe_headless_graphics())
}

fn describe_machine(graphics: &str) -> String {
    use std::env::consts::{ARCH, OS};
    let build = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    let system = system_name().unwrap_or_else(|| "unknown".to_owned());
    let processors = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let mut properties = vec![
        ("bindpose", format!("{VERSION}, {build}")),
        ("system", format!("{system}, {OS} {ARCH}")),
        ("processors", processors.to_string()),
        ("graphics", graphics.to_owned()),
        ("settings", describe_settings_file()),
    ];
    for name in REPORTED_VARIABLES {
        if let Ok(value) = std::env::var(name) {
            properties.push(("variable", format!("{name}={value}")));
        }
    }
    let mut text = String::new();
    for (name, value) in properties {
        let _ = writeln!(text, "{name:<12}{}", without_home(&value));
    }
    text
}

/// Formats vendor, renderer, version and limits of an OpenGL.
fn describe_graphics(limits: &GpuLimits) -> String {
    format!(
        "{}; {}; {}; textures of {} texels, {} vec4 uniforms",
        limits.vendor,
        limits.renderer,
        limits.version,
        limits.texture_size,
        limits.vertex_uniform_vec4s
    )
}

/// Describes the OpenGL used without a window. A window can have another one.
fn describe_headless_graphics() -> String {
    let description = HeadlessGl::new().and_then(|gl| {
        let renderer = Renderer::new(gl.gl())?;
        let text = describe_graphics(renderer.limits());
        renderer.destroy();
        Ok(text)
    });
    match description {
        Ok(text) => format!("{text} (without a window)"),
        Err(error) => error.to_string(),
    }
}

fn describe_settings_file() -> String {
    let Some(folder) = settings_folder() else {
        return "the system names no folder for them".to_owned();
    };
    let file = folder.join("settings.json");
    let state = match std::fs::metadata(&file) {
        Ok(metadata) => format!("{} bytes", metadata.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "not there yet".to_owned(),
        Err(error) => error.to_string(),
    };
    format!("{}, {state}", file.display())
}

/// Returns the system's name and version of itself.
fn system_name() -> Option<String> {
    match std::env::consts::OS {
        "windows" => output_of("cmd", &["/c", "ver"]),
        "macos" => output_of("sw_vers", &["-productVersion"]),
        _ => parse_pretty_name(&std::fs::read_to_string("/etc/os-release").ok()?),
    }
}

fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = std::process::Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned())
}

/// Parses the system's name in a file `os-release`.
fn parse_pretty_name(release: &str) -> Option<String> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

/// Replaces the home folder by `~`, because a report may be published.
fn without_home(text: &str) -> String {
    let home = std::env::home_dir().filter(|home| home.components().count() > 1);
    replace_home(text, home.as_deref())
}

fn replace_home(text: &str, home: Option<&Path>) -> String {
    match home.and_then(Path::to_str) {
        Some(home) => text.replace(home, "~"),
        None => text.to_owned(),
    }
}

/// Facts about this run for a crash report.
struct RunFacts {
    graphics: String,
    page: String,
    commands: VecDeque<&'static str>,
}

static RUN: Mutex<RunFacts> = Mutex::new(RunFacts {
    graphics: String::new(),
    page: String::new(),
    commands: VecDeque::new(),
});

/// Records the OpenGL of the window. `None` without pictures.
pub(super) fn record_graphics(limits: Option<&GpuLimits>) {
    update_run(|run| {
        run.graphics = limits.map_or("no pictures".to_owned(), describe_graphics);
    });
}

/// Records the open page by its link, without the values set on it.
pub(super) fn record_page(link: &str) {
    update_run(|run| link.split('?').next().unwrap_or_default().clone_into(&mut run.page));
}

/// Records the name of a command that was run.
pub(in crate::app) fn record_command(name: &'static str) {
    update_run(|run| {
        run.commands.push_back(name);
        if run.commands.len() > MAX_COMMANDS {
            run.commands.pop_front();
        }
    });
}

/// Does not wait for the lock: a panic during an update would wait for itself.
fn update_run(update: impl FnOnce(&mut RunFacts)) {
    if let Ok(mut run) = RUN.try_lock() {
        update(&mut run);
    }
}

/// Writes the crash report. A report that cannot be written is lost.
pub(super) fn write_crash_report(panic: &PanicHookInfo<'_>) {
    let Some(folder) = settings_folder() else {
        return;
    };
    let text = format_crash_report(&panic.to_string(), &Backtrace::force_capture().to_string());
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(NEW_REPORT), text);
}

fn format_crash_report(panic: &str, backtrace: &str) -> String {
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
    let _ = writeln!(text, "{}\n{panic}\n\n{backtrace}", describe_machine(&graphics));
    text
}

/// Returns the file and the text of the crash report of an earlier run, once.
pub(super) fn take_crash_report() -> Option<(PathBuf, String)> {
    take_crash_report_in(&settings_folder()?)
}

fn take_crash_report_in(folder: &Path) -> Option<(PathBuf, String)> {
    let file = folder.join(OFFERED_REPORT);
    std::fs::rename(folder.join(NEW_REPORT), &file).ok()?;
    let text = std::fs::read_to_string(&file).ok()?;
    Some((file, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnosis_has_version_system_and_settings_but_no_home_folder() {
        let text = describe_machine("Mesa; llvmpipe; 4.5");
        let names: Vec<&str> =
            text.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names[..5], ["bindpose", "system", "processors", "graphics", "settings"]);
        assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("Mesa; llvmpipe; 4.5"));

        let home = Some(Path::new("/srv/ada"));
        let replaced = replace_home("/srv/ada/.local/share/bindpose/settings.json", home);
        assert_eq!(replaced, "~/.local/share/bindpose/settings.json");
    }

    #[test]
    fn the_systems_name_is_parsed() {
        let release = "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n";
        assert_eq!(parse_pretty_name(release).unwrap(), "Debian GNU/Linux 13 (trixie)");
        assert_eq!(parse_pretty_name("ID=none"), None);
    }

    #[test]
    fn a_crash_report_has_commands_and_page_and_is_offered_once() {
        record_page("bindpose://bind-pose/subtract?nod=0.5");
        for _ in 0..MAX_COMMANDS {
            record_command("Next");
        }
        record_command("Undo");
        let text = format_crash_report("panicked at src/x.rs:1:2:\nno such joint", "0: main");
        for part in ["bindpose://bind-pose/subtract\n", "Next, Undo\n", "no such joint", "0: main"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("nod=0.5"));
        assert_eq!(text.matches("Next").count(), MAX_COMMANDS - 1);

        let folder = tempfile::tempdir().unwrap();
        assert_eq!(take_crash_report_in(folder.path()), None);
        std::fs::write(folder.path().join(NEW_REPORT), &text).unwrap();
        let (file, report) = take_crash_report_in(folder.path()).unwrap();
        assert_eq!(report, text);
        assert_eq!(std::fs::read_to_string(file).unwrap(), text, "it stays");
        assert_eq!(take_crash_report_in(folder.path()), None);
    }
}
