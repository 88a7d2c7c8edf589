//! The files that lessons bring along: models, pictures, tables of numbers. They are
//! read when they are first asked for, and from below the folder of the lessons alone.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use include_dir::Dir;

use bindpose_diagnostic::Diagnostic;

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
