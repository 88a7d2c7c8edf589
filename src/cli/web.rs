//! `bindpose web`: the notebook as pages for browsers.

use std::path::{Path, PathBuf};
use std::{fs, io};

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::inventory;
use bindpose_paper::handout::{HandoutRequest, PaperSize};
use bindpose_paper::site::SiteFile;

use super::arguments::size;
use super::output::{OutputForm, WrittenFile, make_folder, to_stdout};
use super::{CommandFailure, arguments};
use crate::app::{self, HandoutOf, HandoutOptions, SiteError, SiteOptions};

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
    /// Where the pages will be, `https://example.org/skinning/`: for previews of links in
    /// chats, and for search engines
    #[arg(long, value_name = "URL", value_parser = site_url)]
    url: Option<String>,
}

/// An address of the web, with the slash at its end.
fn site_url(text: &str) -> Result<String, String> {
    let is_web = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    if !is_web || text.contains(['?', '#', '"', '<', ' ']) {
        return Err("expected an address such as https://example.org/skinning/".to_owned());
    }
    Ok(format!("{}/", text.trim_end_matches('/')))
}

pub(super) fn run(args: &WebArgs) -> Result<(), CommandFailure> {
    let options = SiteOptions {
        program: args.program.clone(),
        pictures: !args.without_pictures,
        course: args.course.clone(),
        url: args.url.clone(),
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

// `bindpose handout`: a lesson as a page to print, or its questions.

#[derive(Debug, clap::Args)]
pub(super) struct HandoutArgs {
    /// A number, a slug or a folder name
    #[arg(required_unless_present = "route")]
    lesson: Option<String>,
    /// Instead of a lesson, the steps of a route, by its name
    #[arg(long, value_name = "NAME", conflicts_with = "lesson")]
    route: Option<String>,
    /// Instead of its steps, its questions: before or after
    #[arg(long, value_name = "FORM", value_parser = ["before", "after"], conflicts_with = "route")]
    form: Option<String>,
    /// Read routes from this file too
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,
    /// The folder for the file NN-slug.html or NN-slug-FORM.html; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// The paper it is printed on: a4 or letter
    #[arg(long, value_name = "PAPER", default_value = "a4")]
    size: String,
    /// Leave out the solutions of the exercises
    #[arg(long)]
    without_solutions: bool,
    /// Size of a picture, in points
    #[arg(long, value_name = "WxH", default_value = "640x400", value_parser = size)]
    picture: [u32; 2],
    /// Leave out the pictures
    #[arg(long)]
    without_pictures: bool,
    /// The model that a lesson on the reader’s own stands on
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run_handout(args: &HandoutArgs) -> Result<(), CommandFailure> {
    let options = HandoutOptions {
        lessons: args.lessons.clone(),
        of: of(args),
        routes: args.routes.clone(),
        model: args.model.clone(),
        request: HandoutRequest {
            paper: arguments::one_of::<PaperSize>("size", &args.size)?,
            solutions: !args.without_solutions,
            picture: picture(args.picture)?,
        },
        pictures: !args.without_pictures,
    };
    let name = app::handout_name(&options)?;
    make_folder(&args.out)?;
    let out = WrittenFile::new(args.out.join(name), args.force, &["html"])?;
    let html = app::handout(&options)?;
    out.write(html.as_bytes())?;
    told(out.path(), html.len())
}

fn of(args: &HandoutArgs) -> HandoutOf {
    let lesson = args.lesson.clone().unwrap_or_default();
    let form = args.form.as_deref().and_then(inventory::InventoryForm::from_key);
    match (&args.route, form) {
        (Some(route), _) => HandoutOf::Route(route.clone()),
        (None, Some(form)) => HandoutOf::Form(lesson, form),
        (None, None) => HandoutOf::Lesson(lesson),
    }
}

fn picture(sides: [u32; 2]) -> Result<[u32; 2], CommandFailure> {
    let (least, most) = HandoutRequest::PICTURE_RANGE;
    if sides.iter().all(|side| (least..=most).contains(side)) {
        return Ok(sides);
    }
    let [width, height] = sides;
    let expected = format!("{least} to {most} points wide and high");
    let wrong = Diagnostic::expected(expected, format!("{width} × {height}"));
    Err(CommandFailure::argument(format!("--picture {width}x{height}"), wrong))
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
