//! `bindpose web`: writes the notebook as a web site.

use std::path::{Path, PathBuf};
use std::{fs, io};

use bindpose_diagnostic::Diagnostic;
use bindpose_paper::site::SiteFile;

use super::CommandFailure;
use super::output::{OutputFile, print_written_file};
use crate::app::{self, SiteError, SiteOptions};

/// A file that every site has. A folder with this file was written by this command.
const SITE_MARKER: &str = "offline.js";

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
    #[arg(long, value_name = "URL", value_parser = parse_site_url)]
    url: Option<String>,
}

/// Parses the address of a web site. Returns it with a slash at the end.
fn parse_site_url(text: &str) -> Result<String, String> {
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
        let out = OutputFile::new(&args.out, args.force, &["html"])?;
        let html = app::site_in_one_file(&options)?;
        out.write(html.as_bytes())?;
        return print_written_file(out.path(), html.len());
    }
    check_site_folder(&args.out, args.force)?;
    let files = app::site_folder(&options)?;
    write_site(&args.out, &files).map_err(|error| {
        let title = format!("{} was not written: {error}", args.out.display());
        CommandFailure::cannot(Diagnostic::said("IO_ERROR", title))
    })?;
    let total_bytes = files.iter().map(|file| file.bytes.len()).sum();
    print_written_file(&args.out.join("index.html"), total_bytes)
}

/// Fails unless the folder is empty or missing or, if `force` is set, has a site. Writing a site
/// deletes everything in the folder.
fn check_site_folder(folder: &Path, force: bool) -> Result<(), CommandFailure> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if is_empty {
        return Ok(());
    }
    let display = folder.display();
    let wrong = if !folder.join(SITE_MARKER).is_file() {
        Diagnostic::said("FILE_EXISTS", format!("{display} has files of another kind"))
            .help("name a folder that is empty or not there")
    } else if !force {
        Diagnostic::said("FILE_EXISTS", format!("{display} has a site already"))
            .help("name another folder, or add --force")
    } else {
        return Ok(());
    };
    Err(CommandFailure::cannot(wrong))
}

/// Replaces the content of the folder by the files. Writes the marker of a site first, so that an
/// interrupted run can be repeated.
fn write_site(folder: &Path, files: &[SiteFile]) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let (markers, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| file.path == SITE_MARKER);
    for file in markers.into_iter().chain(others) {
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
    fn only_a_site_is_replaced_and_only_with_force() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("web");
        assert!(check_site_folder(&site, false).is_ok(), "it does not exist yet");
        write_site(&site, &[file("20-a/index.html"), file(SITE_MARKER)]).unwrap();
        assert!(check_site_folder(&site, false).is_err());
        assert!(check_site_folder(&site, true).is_ok());
        write_site(&site, &[file("index.html"), file(SITE_MARKER)]).unwrap();
        assert!(site.join("index.html").is_file());
        assert!(!site.join("20-a").exists(), "a folder of the replaced site");
        fs::write(dir.path().join("letter.txt"), "mine").unwrap();
        assert!(check_site_folder(dir.path(), true).is_err());
    }
}
