//! When the program breaks off it writes down what somebody needs to mend it: which version,
//! where, what was asked of it last, on which machine. The next start offers it, once. It is
//! sent to nobody.

use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bindpose_notebook::GpuLimits;

use super::diagnosis::{diagnosis_with, graphics};
use super::preferences_file::settings_folder;

/// Written when the program breaks off; a second fault of the same run takes its place.
const NEW: &str = "crash.txt";
/// The same, once it was offered.
const TOLD: &str = "crash-told.txt";

/// What was asked for last, at most.
const MOST_COMMANDS: usize = 8;

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
pub(super) fn write(fault: &PanicHookInfo<'_>) {
    let Some(folder) = settings_folder() else {
        return;
    };
    let text = report(&fault.to_string(), &Backtrace::force_capture().to_string());
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(NEW), text);
}

fn report(fault: &str, way: &str) -> String {
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
pub(super) fn take() -> Option<(PathBuf, String)> {
    take_from(&settings_folder()?)
}

fn take_from(folder: &Path) -> Option<(PathBuf, String)> {
    let told = folder.join(TOLD);
    std::fs::rename(folder.join(NEW), &told).ok()?;
    let text = std::fs::read_to_string(&told).ok()?;
    Some((told, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_was_asked_where_and_on_what_and_is_offered_once() {
        note_page("bindpose://bind-pose/subtract?nod=0.5");
        for _ in 0..MOST_COMMANDS {
            note_command("Next");
        }
        note_command("Undo");
        let text = report("panicked at src/x.rs:1:2:\nno such joint", "0: main");
        for part in ["bindpose://bind-pose/subtract\n", "Next, Undo\n", "no such joint", "0: main"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("nod=0.5"));
        assert_eq!(text.matches("Next").count(), MOST_COMMANDS - 1);

        let folder = tempfile::tempdir().unwrap();
        assert_eq!(take_from(folder.path()), None);
        std::fs::write(folder.path().join(NEW), &text).unwrap();
        let (file, found) = take_from(folder.path()).unwrap();
        assert_eq!(found, text);
        assert_eq!(std::fs::read_to_string(file).unwrap(), text, "it stays");
        assert_eq!(take_from(folder.path()), None);
    }
}
