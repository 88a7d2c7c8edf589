//! A course in one file, `course.bindpose`: a ZIP archive of its folder. Archives are not
//! trusted: sizes are limited and names checked before anything is unpacked, and nothing is
//! ever written to disk.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_diagnostic::{Diagnostic, Place};
use include_dir::Dir;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};

use super::course::COURSE_FILE;

/// File name extension of a packed course.
pub const COURSE_EXTENSION: &str = "bindpose";

/// Name of the packed course on a web site made from it.
pub const SITE_COURSE: &str = "course.bindpose";

/// Maximum size of the archive.
pub(super) const MAX_ARCHIVE_BYTES: usize = 128 << 20;
/// Maximum size of all unpacked files together.
const MAX_BYTES: usize = 128 << 20;
const MAX_FILES: usize = 2000;

/// Name of the table of formulas, laid out for hosts without the engine, in the format of
/// [`super::FormulaTable`].
pub const COURSE_FORMULAS: &str = "formulas.txt";

/// The files of a course by their paths in its folder.
pub type PackedFiles = BTreeMap<String, Arc<[u8]>>;

/// Unpacks a course.
///
/// # Errors
/// If the archive is invalid, damaged or too large, or holds no course. The error names the
/// file in the archive where possible.
pub fn unpack(bytes: &[u8]) -> Result<PackedFiles, Diagnostic> {
    if bytes.len() > MAX_ARCHIVE_BYTES {
        let expected = format!("a course of at most {} MiB", MAX_ARCHIVE_BYTES >> 20);
        return Err(Diagnostic::expected(expected, "more").help("make models and pictures smaller"));
    }
    let archive = ZipArchive::from_slice(bytes).map_err(|error| {
        Diagnostic::expected("a course: a ZIP archive with lessons.toml", error.to_string())
            .help("`bindpose pack DIR` writes one; perhaps this file was not sent whole")
    })?;
    let mut files = PackedFiles::new();
    let mut remaining = MAX_BYTES;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(|error| damaged_error("", &error))? {
        if entry.is_dir() {
            continue;
        }
        let path = entry.file_path();
        let path = std::str::from_utf8(path.as_ref()).unwrap_or("?").to_owned();
        let place = Place::Whole.within(path.clone());
        check_path(&path).map_err(|error| error.at(place.clone()))?;
        if files.len() >= MAX_FILES {
            let expected = format!("at most {MAX_FILES} files");
            return Err(Diagnostic::expected(expected, "more").help("pack fewer"));
        }
        let method = entry.compression_method();
        let content = read_entry(&archive, method, entry.wayfinder(), remaining, &path)?;
        remaining -= content.len();
        if files.insert(path.clone(), content.into()).is_some() {
            let error = Diagnostic::said("NAME_TAKEN", "it is there twice");
            return Err(error.help("keep one of the two").at(place));
        }
    }
    if !files.contains_key(COURSE_FILE) {
        let error = Diagnostic::expected(format!("a file {COURSE_FILE} at its top"), "none");
        return Err(
            error.help("pack the folder that holds the folders NN-slug: `bindpose pack DIR`")
        );
    }
    Ok(files)
}

/// Unpacks an entry of at most `remaining` bytes.
fn read_entry(
    archive: &ZipSliceArchive<&[u8]>,
    method: CompressionMethod,
    wayfinder: rawzip::ZipArchiveEntryWayfinder,
    remaining: usize,
    path: &str,
) -> Result<Vec<u8>, Diagnostic> {
    let max_bytes = remaining.min(MAX_FILE_BYTES);
    let entry = archive.get_entry(wayfinder).map_err(|error| damaged_error(path, &error))?;
    let mut bytes = Vec::new();
    let limit = max_bytes as u64 + 1;
    let read = match method {
        CompressionMethod::STORE => {
            entry.verifying_reader(entry.data()).take(limit).read_to_end(&mut bytes)
        }
        CompressionMethod::DEFLATE => {
            let inflated = flate2::bufread::DeflateDecoder::new(entry.data());
            entry.verifying_reader(inflated).take(limit).read_to_end(&mut bytes)
        }
        _ => {
            let error = Diagnostic::expected("a file stored or deflated", "another way of packing");
            let help = "pack the course again with `bindpose pack`";
            let error = error.help(help);
            return Err(error.at(Place::Whole.within(path.to_owned())));
        }
    };
    if bytes.len() > max_bytes {
        let expected = format!(
            "files of at most {} MiB, {} MiB in all",
            MAX_FILE_BYTES >> 20,
            MAX_BYTES >> 20
        );
        let error = Diagnostic::expected(expected, "more").help("make models and pictures smaller");
        return Err(error.at(Place::Whole.within(path.to_owned())));
    }
    read.map_err(|error| damaged_error(path, &error))?;
    Ok(bytes)
}

fn damaged_error(path: &str, error: &dyn std::fmt::Display) -> Diagnostic {
    let error = Diagnostic::said("DAMAGED", format!("the course is damaged: {error}"))
        .help("ask for it again; perhaps it was not sent whole");
    if path.is_empty() {
        return error;
    }
    error.at(Place::Whole.within(path.to_owned()))
}

/// Packs files into a course. Equal files give an equal archive.
///
/// # Errors
/// If the files exceed the limits of [`unpack`].
#[cfg(not(target_arch = "wasm32"))]
pub fn pack(files: &PackedFiles) -> Result<Vec<u8>, Diagnostic> {
    use std::io::Write as _;

    let total_bytes: usize = files.values().map(|bytes| bytes.len()).sum();
    if total_bytes > MAX_BYTES || files.len() > MAX_FILES {
        let expected = format!("at most {MAX_FILES} files of {} MiB together", MAX_BYTES >> 20);
        let found = format!("{} of {} MiB", files.len(), total_bytes.div_ceil(1 << 20));
        return Err(Diagnostic::expected(expected, found).help("make models and pictures smaller"));
    }
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (path, bytes) in files {
        let (mut entry, config) = archive
            .new_file(path)
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .map_err(|error| packing_failed(&error))?;
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::best());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).map_err(|error| packing_failed(&error))?;
        let (encoder, descriptor) = writer.finish().map_err(|error| packing_failed(&error))?;
        encoder.finish().map_err(|error| packing_failed(&error))?;
        entry.finish(descriptor).map_err(|error| packing_failed(&error))?;
    }
    archive.finish().map_err(|error| packing_failed(&error))
}

#[cfg(not(target_arch = "wasm32"))]
fn packing_failed(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::said("IO_ERROR", format!("it cannot be packed: {error}"))
}

// Files of lessons: models, pictures, tables of numbers. They are read on first use, and
// only from within the folder of the lessons.

/// Maximum size of a file of a lesson.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// Maximum length of a path, in bytes.
const MAX_PATH_BYTES: usize = 200;

/// The files of a course by their paths in its folder: `20-hands/hand.glb`.
#[derive(Clone, Default)]
pub struct CourseFiles(Arc<CourseFileStore>);

#[derive(Default)]
struct CourseFileStore {
    stored: Stored,
    /// Files that were read, so that each is read once and its bytes are shared.
    read: Mutex<BTreeMap<String, FileBytes>>,
}

/// Content of a file, or why it cannot be read.
pub type FileBytes = Result<Arc<[u8]>, Diagnostic>;

#[derive(Default)]
enum Stored {
    #[default]
    Nowhere,
    InProgram(&'static Dir<'static>),
    #[cfg(not(target_arch = "wasm32"))]
    InFolder(std::path::PathBuf),
    InMemory(BTreeMap<String, Arc<[u8]>>),
}

impl CourseFiles {
    pub(super) fn in_program(dir: &'static Dir<'static>) -> Self {
        Self::stored(Stored::InProgram(dir))
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn in_folder(folder: &std::path::Path) -> Self {
        Self::stored(Stored::InFolder(folder.to_owned()))
    }

    /// Files in memory, such as those of an unpacked course.
    pub fn in_memory(files: BTreeMap<String, Arc<[u8]>>) -> Self {
        Self::stored(Stored::InMemory(files))
    }

    fn stored(stored: Stored) -> Self {
        Self(Arc::new(CourseFileStore { stored, read: Mutex::default() }))
    }

    /// Returns the content of a file. All calls share the same bytes.
    ///
    /// # Errors
    /// If the file does not exist, is outside the folder, is too large, or cannot be read.
    pub fn read(&self, path: &str) -> Result<Arc<[u8]>, Diagnostic> {
        check_path(path)?;
        let mut read = self.0.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(path) {
            return known.clone();
        }
        let content = self.0.stored.content(path);
        read.insert(path.to_owned(), content.clone());
        content
    }

    /// Whether a file exists at the path.
    pub fn has(&self, path: &str) -> bool {
        check_path(path).is_ok() && self.0.stored.has(path)
    }

    /// Returns the text of a file, or `None` if there is none.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`], and one if the text is not UTF-8.
    pub(super) fn text(&self, path: &str) -> Result<Option<String>, Diagnostic> {
        if !self.has(path) {
            return Ok(None);
        }
        let bytes = self.read(path)?;
        let text = std::str::from_utf8(&bytes).ok().ok_or_else(|| {
            Diagnostic::expected("text in UTF-8", "other bytes").help("save the file as UTF-8")
        })?;
        Ok(Some(text.to_owned()))
    }
}

impl fmt::Debug for CourseFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CourseFiles").finish_non_exhaustive()
    }
}

impl Stored {
    fn has(&self, path: &str) -> bool {
        match self {
            Self::Nowhere => false,
            Self::InProgram(dir) => dir.get_file(path).is_some(),
            #[cfg(not(target_arch = "wasm32"))]
            Self::InFolder(folder) => folder.join(path).exists(),
            Self::InMemory(files) => files.contains_key(path),
        }
    }

    fn content(&self, path: &str) -> Result<Arc<[u8]>, Diagnostic> {
        match self {
            Self::Nowhere => Err(missing_file_error(path)),
            Self::InProgram(dir) => {
                let file = dir.get_file(path).ok_or_else(|| missing_file_error(path))?;
                Ok(file.contents().into())
            }
            #[cfg(not(target_arch = "wasm32"))]
            Self::InFolder(folder) => on_disk::read(folder, path),
            Self::InMemory(files) => {
                files.get(path).cloned().ok_or_else(|| missing_file_error(path))
            }
        }
    }
}

/// Rejects a path that is absolute, contains `..`, or is not separated by `/`.
pub(super) fn check_path(path: &str) -> Result<(), Diagnostic> {
    let has_odd_chars = path.contains(|c: char| c.is_control() || matches!(c, '\\' | ':'));
    let stays_inside = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    if path.len() <= MAX_PATH_BYTES && !has_odd_chars && stays_inside {
        return Ok(());
    }
    let shown: String = path.chars().take(80).collect();
    let expected = "a file below the folder of the lesson";
    Err(Diagnostic::expected(expected, format!("`{shown}`"))
        .help("put the file into the folder of the lesson, and write its name, such as hand.glb"))
}

fn missing_file_error(path: &str) -> Diagnostic {
    Diagnostic::said("MISSING", format!("there is no file `{path}`"))
        .help("put it into the folder of the lesson, or write the name of one that is there")
}

#[cfg(not(target_arch = "wasm32"))]
mod on_disk {
    use std::io::Read as _;
    use std::path::Path;
    use std::sync::Arc;

    use bindpose_diagnostic::Diagnostic;

    use super::{MAX_FILE_BYTES, missing_file_error};

    /// Reads a file within a folder. Links must not lead out of it.
    pub(super) fn read(folder: &Path, path: &str) -> Result<Arc<[u8]>, Diagnostic> {
        let folder = folder.canonicalize().map_err(|error| read_error(path, &error))?;
        let full = folder.join(path).canonicalize().map_err(|error| read_error(path, &error))?;
        if !full.starts_with(&folder) {
            let expected = "a file below the folder of the lessons";
            let error = Diagnostic::expected(expected, format!("`{path}`, a link out of it"));
            return Err(error.help("put the file itself there"));
        }
        // Checked before opening, because opening a pipe would wait for a writer.
        if !full.metadata().map_err(|error| read_error(path, &error))?.is_file() {
            let error = Diagnostic::expected("a file", format!("`{path}`, which is none"));
            return Err(error.help("put a file in its place"));
        }
        let file = std::fs::File::open(&full).map_err(|error| read_error(path, &error))?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| read_error(path, &error))?;
        if bytes.len() > MAX_FILE_BYTES {
            let expected = format!("a file of at most {} MiB", MAX_FILE_BYTES >> 20);
            let error = Diagnostic::expected(expected, format!("`{path}`, which is longer"));
            return Err(error.help("make it smaller"));
        }
        Ok(bytes.into())
    }

    fn read_error(path: &str, error: &std::io::Error) -> Diagnostic {
        match error.kind() {
            std::io::ErrorKind::NotFound => missing_file_error(path),
            _ => Diagnostic::said("IO_ERROR", format!("`{path}` cannot be read: {error}"))
                .help("check its permissions"),
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn files(all: &[(&str, &[u8])]) -> PackedFiles {
        let all = all.iter();
        all.map(|&(path, bytes)| (path.to_owned(), bytes.into())).collect()
    }

    fn course() -> PackedFiles {
        files(&[
            ("lessons.toml", b"name = \"a\"\ntitle = \"A\"\n"),
            ("10-a/lesson.md", b"+++\n"),
            ("10-a/hand.glb", &[7; 5000]),
        ])
    }

    fn rejection(bytes: &[u8]) -> String {
        unpack(bytes).unwrap_err().to_string()
    }

    #[test]
    fn packing_is_reversible_and_deterministic() {
        let packed = pack(&course()).unwrap();
        assert!(packed.starts_with(b"PK") && packed.len() < 1000);
        assert_eq!(unpack(&packed).unwrap(), course());
        assert_eq!(pack(&course()).unwrap(), packed);
    }

    #[test]
    fn rejects_archives_without_a_course() {
        assert!(rejection(b"").contains("a ZIP archive"), "{}", rejection(b""));
        assert!(rejection(b"hello").contains("a ZIP archive"));
        let packed = pack(&files(&[("10-a/lesson.md", b"+++")])).unwrap();
        assert!(rejection(&packed).contains("lessons.toml"), "{}", rejection(&packed));
        let packed = pack(&course()).unwrap();
        assert!(unpack(&packed[..packed.len() / 2]).is_err());
    }

    #[test]
    fn rejects_paths_that_lead_out_of_the_course() {
        for path in ["../evil", "/etc/passwd", "a\\b", "C:evil"] {
            let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
            let name = rawzip::path::EntryPath::verbatim(path.as_bytes());
            let (mut entry, config) = archive.new_file(name).start().unwrap();
            let writer = config.wrap(&mut entry);
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
            let packed = archive.finish().unwrap();
            assert!(rejection(&packed).contains("below the folder"), "{}", rejection(&packed));
        }
    }

    #[test]
    fn rejects_zip_bombs_early_and_reports_damage() {
        let zeros = vec![0; MAX_FILE_BYTES + 1];
        let packed = pack(&files(&[("lessons.toml", b""), ("10-a/a.bin", &zeros)])).unwrap();
        assert!(packed.len() < 1 << 20);
        assert!(rejection(&packed).contains("64 MiB"), "{}", rejection(&packed));

        let mut packed = pack(&course()).unwrap();
        // The content of the first entry begins after its name.
        packed[30 + "10-a/hand.glb".len()] ^= 0x55;
        assert!(rejection(&packed).contains("damaged"), "{}", rejection(&packed));
    }

    #[test]
    fn damaged_archives_are_rejected_or_unchanged() {
        let packed = pack(&course()).unwrap();
        for index in 0..packed.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut other = packed.clone();
                other[index] ^= change;
                let _ = unpack(&other);
            }
        }
    }

    #[test]
    fn accepts_only_paths_within_the_folder() {
        for path in ["hand.glb", "20-hands/hand.glb", "a b/ü.png"] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
        let long = "x".repeat(MAX_PATH_BYTES + 1);
        for path in
            ["", "/etc/passwd", "../a", "a/../b", "a//b", "./a", "C:/a", "a\\b", "a\n", &long]
        {
            assert!(check_path(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_file_is_read_once_and_shared() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.bin"), b"one").unwrap();
        let files = CourseFiles::in_folder(dir.path());
        assert!(files.has("a.bin") && !files.has("b.bin") && !files.has("../a.bin"));
        let first = files.read("a.bin").unwrap();
        std::fs::write(dir.path().join("a.bin"), b"two").unwrap();
        assert!(Arc::ptr_eq(&first, &files.clone().read("a.bin").unwrap()));
        assert_eq!(&*first, b"one");
        assert_eq!(files.read("b.bin").unwrap_err().code, "MISSING");
        assert_eq!(files.text("b.bin"), Ok(None));
    }

    #[cfg(unix)]
    #[test]
    fn rejects_links_folders_and_files_outside() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("lessons");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::write(dir.path().join("secret"), b"s").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), folder.join("link")).unwrap();
        let files = CourseFiles::in_folder(&folder);
        let message = |path: &str| files.read(path).unwrap_err().to_string();
        assert!(message("link").contains("out of it"), "{}", message("link"));
        assert!(message("sub").contains("a file"), "{}", message("sub"));
        assert!(message("../secret").contains("below the folder"), "{}", message("../secret"));
    }
}
