//! A course in one file, `course.bindpose`: a ZIP archive of what its folder holds. It
//! may come from anybody, so sizes are bounded and names checked before anything is
//! unpacked, and nothing is ever written to the disk.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_diagnostic::{Diagnostic, Place};
use include_dir::Dir;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};

use super::course::COURSE_FILE;

/// The ending of its name.
pub const COURSE_ENDING: &str = "bindpose";

/// What a site calls the course that it was made of.
pub const SITE_COURSE: &str = "course.bindpose";

/// The archive itself.
pub(super) const MAX_ARCHIVE_BYTES: usize = 128 << 20;
/// All files together, unpacked.
const MAX_BYTES: usize = 128 << 20;
/// More are not a course.
const MAX_FILES: usize = 2000;

/// The formulas of its lessons, laid out for where there is no engine: in the format
/// of [`super::FormulaTable`].
pub const COURSE_FORMULAS: &str = "formulas.txt";

/// The files of a course, by their paths: what its folder holds.
pub type PackedFiles = BTreeMap<String, Arc<[u8]>>;

/// Unpacks a course.
///
/// Fails when it is no ZIP archive, is damaged, holds no course, or is too large. Names the
/// file in it where it can.
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
    let mut room = MAX_BYTES;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(|error| damaged("", &error))? {
        if entry.is_dir() {
            continue;
        }
        let path = entry.file_path();
        let path = std::str::from_utf8(path.as_ref()).unwrap_or("?").to_owned();
        let at = |wrong: Diagnostic| wrong.at(Place::Whole.within(path.clone()));
        check_path(&path).map_err(at)?;
        if files.len() >= MAX_FILES {
            let expected = format!("at most {MAX_FILES} files");
            return Err(Diagnostic::expected(expected, "more").help("pack fewer"));
        }
        let (method, wayfinder) = (entry.compression_method(), entry.wayfinder());
        let content = content(&archive, method, wayfinder, room, &path)?;
        room -= content.len();
        if files.insert(path.clone(), content.into()).is_some() {
            let wrong = Diagnostic::said("NAME_TAKEN", "it is there twice");
            return Err(at(wrong.help("keep one of the two")));
        }
    }
    if !files.contains_key(COURSE_FILE) {
        let wrong = Diagnostic::expected(format!("a file {COURSE_FILE} at its top"), "none");
        return Err(
            wrong.help("pack the folder that holds the folders NN-slug: `bindpose pack DIR`")
        );
    }
    Ok(files)
}

/// What an entry holds, of at most `room` bytes.
fn content(
    archive: &ZipSliceArchive<&[u8]>,
    method: CompressionMethod,
    wayfinder: rawzip::ZipArchiveEntryWayfinder,
    room: usize,
    path: &str,
) -> Result<Vec<u8>, Diagnostic> {
    let most = room.min(MAX_FILE_BYTES);
    let entry = archive.get_entry(wayfinder).map_err(|error| damaged(path, &error))?;
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    let read = match method {
        CompressionMethod::STORE => {
            entry.verifying_reader(entry.data()).take(limit).read_to_end(&mut bytes)
        }
        CompressionMethod::DEFLATE => {
            let inflated = flate2::bufread::DeflateDecoder::new(entry.data());
            entry.verifying_reader(inflated).take(limit).read_to_end(&mut bytes)
        }
        _ => {
            let wrong = Diagnostic::expected("a file stored or deflated", "another way of packing");
            let wrong = wrong.help("pack the course again with `bindpose pack`");
            return Err(wrong.at(Place::Whole.within(path.to_owned())));
        }
    };
    if bytes.len() > most {
        let expected = format!(
            "files of at most {} MiB, {} MiB in all",
            MAX_FILE_BYTES >> 20,
            MAX_BYTES >> 20
        );
        let wrong = Diagnostic::expected(expected, "more").help("make models and pictures smaller");
        return Err(wrong.at(Place::Whole.within(path.to_owned())));
    }
    read.map_err(|error| damaged(path, &error))?;
    Ok(bytes)
}

fn damaged(path: &str, error: &dyn std::fmt::Display) -> Diagnostic {
    let wrong = Diagnostic::said("DAMAGED", format!("the course is damaged: {error}"))
        .help("ask for it again; perhaps it was not sent whole");
    if path.is_empty() {
        return wrong;
    }
    wrong.at(Place::Whole.within(path.to_owned()))
}

/// Files as one, which is the same for the same files.
///
/// Fails when they are more than [`unpack`] takes.
#[cfg(not(target_arch = "wasm32"))]
pub fn pack(files: &PackedFiles) -> Result<Vec<u8>, Diagnostic> {
    use std::io::Write as _;

    let failed = |error: &dyn std::fmt::Display| {
        Diagnostic::said("IO_ERROR", format!("it cannot be packed: {error}"))
    };
    let all: usize = files.values().map(|bytes| bytes.len()).sum();
    if all > MAX_BYTES || files.len() > MAX_FILES {
        let expected = format!("at most {MAX_FILES} files of {} MiB together", MAX_BYTES >> 20);
        let found = format!("{} of {} MiB", files.len(), all.div_ceil(1 << 20));
        return Err(Diagnostic::expected(expected, found).help("make models and pictures smaller"));
    }
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (path, bytes) in files {
        let (mut entry, config) = archive
            .new_file(path)
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .map_err(|error| failed(&error))?;
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::best());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).map_err(|error| failed(&error))?;
        let (encoder, descriptor) = writer.finish().map_err(|error| failed(&error))?;
        encoder.finish().map_err(|error| failed(&error))?;
        entry.finish(descriptor).map_err(|error| failed(&error))?;
    }
    archive.finish().map_err(|error| failed(&error))
}

// The files that lessons bring along: models, pictures, tables of numbers. They are
// read when they are first asked for, and from below the folder of the lessons alone.

/// The longest file that a lesson can name, in bytes.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// A longer path is refused.
const MAX_PATH: usize = 200;

/// Files by their path below the folder of the lessons: `20-hands/hand.glb`.
#[derive(Clone, Default)]
pub struct CourseFiles(Arc<CourseFileStore>);

#[derive(Default)]
struct CourseFileStore {
    stored: Stored,
    /// What was asked for, so that it is read once and shared.
    read: Mutex<BTreeMap<String, FileBytes>>,
}

/// What a file holds, or why it cannot be read.
pub type FileBytes = Result<Arc<[u8]>, Diagnostic>;

/// Where they lie.
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

    /// Files that are in memory, as those of an unpacked course.
    pub fn in_memory(files: BTreeMap<String, Arc<[u8]>>) -> Self {
        Self::stored(Stored::InMemory(files))
    }

    fn stored(stored: Stored) -> Self {
        Self(Arc::new(CourseFileStore { stored, read: Mutex::default() }))
    }

    /// The content of a file; the same bytes, shared, at every call.
    ///
    /// Fails when it is not there, lies elsewhere, is too long, or cannot be read.
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

    /// Is there a file of that path?
    pub fn has(&self, path: &str) -> bool {
        check_path(path).is_ok() && self.0.stored.has(path)
    }

    /// The text of a file; `None` where there is none.
    ///
    /// Errors: as [`Self::read`], and when it is not UTF-8.
    pub(super) fn text(&self, path: &str) -> Result<Option<String>, Diagnostic> {
        if !self.has(path) {
            return Ok(None);
        }
        let bytes = self.read(path)?;
        let text = std::str::from_utf8(&bytes).ok();
        let wrong = || Diagnostic::expected("text in UTF-8", "other bytes");
        let text = text.ok_or_else(|| wrong().help("save the file as UTF-8"))?;
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
            Self::Nowhere => Err(missing(path)),
            Self::InProgram(dir) => {
                let file = dir.get_file(path).ok_or_else(|| missing(path))?;
                Ok(file.contents().into())
            }
            #[cfg(not(target_arch = "wasm32"))]
            Self::InFolder(folder) => on_disk::read(folder, path),
            Self::InMemory(files) => files.get(path).cloned().ok_or_else(|| missing(path)),
        }
    }
}

/// Fails when it is not a path below the folder: absolute, upwards, or not written with `/`.
pub(super) fn check_path(path: &str) -> Result<(), Diagnostic> {
    let odd = |c: char| c.is_control() || matches!(c, '\\' | ':');
    let part_fits = |part: &str| !part.is_empty() && part != "." && part != "..";
    if path.len() <= MAX_PATH && !path.contains(odd) && path.split('/').all(part_fits) {
        return Ok(());
    }
    let shown: String = path.chars().take(80).collect();
    let expected = "a file below the folder of the lesson";
    Err(Diagnostic::expected(expected, format!("`{shown}`"))
        .help("put the file into the folder of the lesson, and write its name, such as hand.glb"))
}

fn missing(path: &str) -> Diagnostic {
    Diagnostic::said("MISSING", format!("there is no file `{path}`"))
        .help("put it into the folder of the lesson, or write the name of one that is there")
}

#[cfg(not(target_arch = "wasm32"))]
mod on_disk {
    use std::io::Read as _;
    use std::path::Path;
    use std::sync::Arc;

    use bindpose_diagnostic::Diagnostic;

    use super::{MAX_FILE_BYTES, missing};

    /// A file below a folder; links do not lead out of it.
    pub(super) fn read(folder: &Path, path: &str) -> Result<Arc<[u8]>, Diagnostic> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => missing(path),
            _ => Diagnostic::said("IO_ERROR", format!("`{path}` cannot be read: {error}"))
                .help("check its permissions"),
        };
        let folder = folder.canonicalize().map_err(failed)?;
        let full = folder.join(path).canonicalize().map_err(failed)?;
        if !full.starts_with(&folder) {
            let expected = "a file below the folder of the lessons";
            let wrong = Diagnostic::expected(expected, format!("`{path}`, a link out of it"));
            return Err(wrong.help("put the file itself there"));
        }
        // Looked at before it is opened: opening a pipe would wait for a writer.
        if !full.metadata().map_err(failed)?.is_file() {
            let wrong = Diagnostic::expected("a file", format!("`{path}`, which is none"));
            return Err(wrong.help("put a file in its place"));
        }
        let file = std::fs::File::open(&full).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > MAX_FILE_BYTES {
            let expected = format!("a file of at most {} MiB", MAX_FILE_BYTES >> 20);
            let wrong = Diagnostic::expected(expected, format!("`{path}`, which is longer"));
            return Err(wrong.help("make it smaller"));
        }
        Ok(bytes.into())
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

    fn said(bytes: &[u8]) -> String {
        unpack(bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_packed_comes_out_again_and_twice_packed_is_the_same() {
        let packed = pack(&course()).unwrap();
        assert!(packed.starts_with(b"PK") && packed.len() < 1000);
        assert_eq!(unpack(&packed).unwrap(), course());
        assert_eq!(pack(&course()).unwrap(), packed);
    }

    #[test]
    fn what_is_no_course_says_so() {
        assert!(said(b"").contains("a ZIP archive"), "{}", said(b""));
        assert!(said(b"hello").contains("a ZIP archive"));
        let packed = pack(&files(&[("10-a/lesson.md", b"+++")])).unwrap();
        assert!(said(&packed).contains("lessons.toml"), "{}", said(&packed));
        let packed = pack(&course()).unwrap();
        assert!(unpack(&packed[..packed.len() / 2]).is_err());
    }

    #[test]
    fn names_that_lead_out_of_it_are_refused() {
        for path in ["../evil", "/etc/passwd", "a\\b", "C:evil"] {
            let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
            let name = rawzip::path::EntryPath::verbatim(path.as_bytes());
            let (mut entry, config) = archive.new_file(name).start().unwrap();
            let writer = config.wrap(&mut entry);
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
            let packed = archive.finish().unwrap();
            assert!(said(&packed).contains("below the folder"), "{}", said(&packed));
        }
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_large_and_damage_is_told() {
        let zeros = vec![0; MAX_FILE_BYTES + 1];
        let packed = pack(&files(&[("lessons.toml", b""), ("10-a/a.bin", &zeros)])).unwrap();
        assert!(packed.len() < 1 << 20);
        assert!(said(&packed).contains("64 MiB"), "{}", said(&packed));

        let mut packed = pack(&course()).unwrap();
        // The content of the first entry begins after its name.
        packed[30 + "10-a/hand.glb".len()] ^= 0x55;
        assert!(said(&packed).contains("damaged"), "{}", said(&packed));
    }

    #[test]
    fn any_damage_is_told_or_does_no_harm() {
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
    fn paths_lead_below_the_folder_and_nowhere_else() {
        for path in ["hand.glb", "20-hands/hand.glb", "a b/ü.png"] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
        let long = "x".repeat(MAX_PATH + 1);
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
    fn links_folders_and_what_lies_outside_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("lessons");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::write(dir.path().join("secret"), b"s").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), folder.join("link")).unwrap();
        let files = CourseFiles::in_folder(&folder);
        let said = |path: &str| files.read(path).unwrap_err().to_string();
        assert!(said("link").contains("out of it"), "{}", said("link"));
        assert!(said("sub").contains("a file"), "{}", said("sub"));
        assert!(said("../secret").contains("below the folder"), "{}", said("../secret"));
    }
}
