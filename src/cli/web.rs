//! `bindpose web`: the notebook as pages for browsers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bindpose_diagnostic::Diagnostic;
use bindpose_paper::site::SiteFile;

use super::CommandFailure;
use super::output::WrittenFile;
use super::output::{OutputForm, to_stdout};
use crate::app::{self, SiteError, SiteOptions};

/// A folder that has it was written here.
const OURS: &str = "offline.js";

#[derive(Debug, clap::Args)]
pub(super) struct WebArgs {
    /// The folder of a course, which holds lessons.toml; absent: the built-in lessons
    #[arg(value_name = "DIR")]
    course: Option<PathBuf>,
    /// The folder with the notebook for browsers, as wasm-bindgen writes it
    #[arg(long, value_name = "DIR")]
    program: PathBuf,
    /// The folder to write; with --one-file, the file
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Write one HTML file that opens without a server
    #[arg(long)]
    one_file: bool,
    /// Replace what an earlier run wrote there
    #[arg(long)]
    force: bool,
    /// Leave out the pictures, which stand in for the notebook where it cannot run
    #[arg(long)]
    without_pictures: bool,
}

pub(super) fn run(args: &WebArgs) -> Result<(), CommandFailure> {
    let options = SiteOptions {
        program: args.program.clone(),
        pictures: !args.without_pictures,
        course: args.course.clone(),
    };
    if args.one_file {
        let out = WrittenFile::new(&args.out, args.force, &["html"])?;
        let html = app::site_in_one_file(&options)?;
        out.write(html.as_bytes())?;
        return told(out.path(), html.len());
    }
    let out = &args.out;
    may_write(out, args.force)?;
    let files = app::site_folder(&options)?;
    let not_written = |why: io::Error| {
        let title = format!("{} was not written: {why}", out.display());
        CommandFailure::cannot(Diagnostic::said("IO_ERROR", title))
    };
    write(out, &files).map_err(not_written)?;
    let bytes = files.iter().map(|file| file.bytes.len()).sum();
    told(&out.join("index.html"), bytes)
}

fn told(path: &Path, bytes: usize) -> Result<(), CommandFailure> {
    to_stdout(OutputForm::Text, |stdout| {
        let kib = bytes.div_ceil(1024);
        writeln!(stdout, "{} ({kib} KiB)", path.display())
    })
}

/// May the folder be written? What is in it goes, so it must be empty or a site.
fn may_write(folder: &Path, force: bool) -> Result<(), CommandFailure> {
    let Ok(mut entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    let display = folder.display();
    let wrong = match (entries.next(), folder.join(OURS).is_file()) {
        (None, _) => return Ok(()),
        (Some(_), true) if force => return Ok(()),
        (Some(_), true) => Diagnostic::said("FILE_EXISTS", format!("{display} has a site already"))
            .help("name another folder, or add --force"),
        (Some(_), false) => {
            Diagnostic::said("FILE_EXISTS", format!("{display} has files of another kind"))
                .help("name a folder that is empty or not there")
        }
    };
    Err(CommandFailure::cannot(wrong))
}

/// Writes the files in place of what was there. The one that says that the folder
/// is a site comes first, so that a run that breaks off can be repeated.
fn write(folder: &Path, files: &[SiteFile]) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let (ours, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.path == OURS);
    for file in ours.into_iter().chain(others) {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.bytes)?;
    }
    Ok(())
}

impl From<SiteError> for CommandFailure {
    fn from(error: SiteError) -> Self {
        match error {
            SiteError::Lessons(wrong) => Self::cannot(wrong),
            other => Self::failed(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> SiteFile {
        SiteFile { path: path.to_owned(), bytes: path.as_bytes().to_vec() }
    }

    #[test]
    fn a_site_replaces_a_site_when_told_to_and_nothing_else_ever() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("web");
        assert!(may_write(&site, false).is_ok(), "not there yet");
        write(&site, &[file("20-a/index.html"), file(OURS)]).unwrap();
        assert!(may_write(&site, false).is_err());
        assert!(may_write(&site, true).is_ok());
        write(&site, &[file("index.html"), file(OURS)]).unwrap();
        assert!(site.join("index.html").is_file());
        assert!(!site.join("20-a").exists(), "of the site before");
        fs::write(dir.path().join("letter.txt"), "mine").unwrap();
        assert!(may_write(dir.path(), true).is_err());
    }
}
