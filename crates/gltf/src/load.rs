//! Loads a model and the files that it references from the disk.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};

use super::budget::memory_cap;
use super::gltf::named_files;
use super::gltf_file::same_letters;
use super::{ModelSource, TaskProgress};

/// Limit for all files of a model together if the free memory is unknown.
const MAX_TOTAL_BYTES: u64 = 2 << 30;
/// Bytes read between two checks for cancellation.
const CHUNK_BYTES: usize = 1 << 20;
/// Limit for folder listings while resolving names with another spelling.
const MAX_FOLDER_LISTINGS: usize = 256;

/// Reason why a file could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The operating system reported an error.
    Io {
        /// Path as the caller passed it, or of a file beside it.
        path: PathBuf,
        /// Error of the operating system.
        error: std::io::Error,
    },
    /// The path names a folder, a pipe or a device.
    NotAFile {
        /// Path as the caller passed it.
        path: PathBuf,
    },
    /// The files need more memory than a model may take.
    TooLarge {
        /// File that exceeded the limit.
        path: PathBuf,
        /// Limit for all files together, in MiB.
        most_mib: u64,
        /// Size of all files up to this one, in MiB.
        found_mib: u64,
    },
    /// Loading was cancelled by [`TaskProgress::cancel`].
    Cancelled {
        /// File that was being read.
        path: PathBuf,
    },
}

impl From<&LoadError> for Diagnostic {
    fn from(error: &LoadError) -> Self {
        let (path, wrong) = match error {
            LoadError::Io { path, error } => {
                let expected = "a file that can be read";
                let title = format!("expected {expected}, found: {error}");
                let wrong = Self::expected(expected, error.to_string()).title(title);
                (path, wrong.help("check the name and who may read it"))
            }
            LoadError::NotAFile { path } => {
                let wrong = Self::expected("a file", "something else");
                (path, wrong.help("name a .gltf or .glb file"))
            }
            LoadError::TooLarge { path, most_mib, found_mib } => {
                let expected = format!("at most {most_mib} MiB with the files beside it");
                let wrong = Self::expected(expected, format!("{found_mib} MiB"));
                (path, wrong.help("open a smaller model, or close other programs"))
            }
            LoadError::Cancelled { path } => (path, Self::said("CANCELLED", "reading was stopped")),
        };
        wrong.at(Place::Whole.within(path.display().to_string()))
    }
}

impl From<LoadError> for Diagnostic {
    fn from(error: LoadError) -> Self {
        Self::from(&error)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self).fmt(f)
    }
}

impl std::error::Error for LoadError {}

/// Loads a model and the files that it references.
///
/// Referenced files that are missing, or outside the model's folder, are skipped. Opening
/// the model then reports them. Sizes are checked before anything is read.
///
/// # Errors
///
/// Returns a [`LoadError`] if the model's own file cannot be read, if the files together
/// are too large, or if `progress` was cancelled.
pub fn load(path: &Path, progress: &TaskProgress) -> Result<ModelSource, LoadError> {
    load_within(path, progress, memory_cap(MAX_TOTAL_BYTES, 4))
}

fn load_within(
    path: &Path,
    progress: &TaskProgress,
    max_bytes: u64,
) -> Result<ModelSource, LoadError> {
    let mut reader = FileReader { progress, max_bytes, total_bytes: 0 };
    let main = reader.read(path)?;
    progress.set(0.5);
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let referenced = named_files(&main);
    let count = referenced.len();
    let mut beside = BTreeMap::new();
    let mut listings_left = MAX_FOLDER_LISTINGS;
    for (done, name) in referenced.into_iter().enumerate() {
        progress.set(0.5 + 0.5 * done as f32 / count as f32);
        if let Some((name, path)) = resolve_below(folder, &name, &mut listings_left) {
            match reader.read(&path) {
                Ok(bytes) => {
                    beside.insert(name, bytes);
                }
                Err(LoadError::Io { .. } | LoadError::NotAFile { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
    progress.set(1.0);
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(ModelSource { name: name.to_string_lossy().into_owned(), main, beside })
}

/// Finds a referenced file below the model's folder, and returns its relative path as
/// spelled on the disk together with its absolute path.
///
/// A part of the path that does not exist may be spelled differently, in case or Unicode
/// composition, if exactly one entry of the folder matches. Returns `None` if there is no
/// such file, or if symbolic links lead out of the folder.
fn resolve_below(
    folder: &Path,
    name: &str,
    listings_left: &mut usize,
) -> Option<(String, PathBuf)> {
    let folder = folder.canonicalize().ok()?;
    let mut parts = Vec::new();
    let mut path = folder.clone();
    for part in name.split('/') {
        let part = if path.join(part).exists() {
            part.to_owned()
        } else {
            *listings_left = listings_left.checked_sub(1)?;
            find_respelled(&path, part)?
        };
        path.push(&part);
        parts.push(part);
    }
    let path = path.canonicalize().ok()?;
    path.starts_with(folder).then(|| (parts.join("/"), path))
}

/// Returns the only entry of a folder whose name differs in case or composition at most.
fn find_respelled(folder: &Path, name: &str) -> Option<String> {
    let mut matches = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|other| same_letters(other, name));
    matches.next().filter(|_| matches.next().is_none())
}

struct FileReader<'a> {
    progress: &'a TaskProgress,
    max_bytes: u64,
    /// Size of all files read so far.
    total_bytes: u64,
}

impl FileReader<'_> {
    fn read(&mut self, path: &Path) -> Result<Arc<[u8]>, LoadError> {
        let io_error = |error| LoadError::Io { path: path.to_owned(), error };
        // Checked before opening, because opening a pipe would wait for a writer.
        if !std::fs::metadata(path).map_err(io_error)?.is_file() {
            return Err(LoadError::NotAFile { path: path.to_owned() });
        }
        let mut file = File::open(path).map_err(io_error)?;
        let length = file.metadata().map_err(io_error)?.len();
        self.charge(path, length)?;
        // Read straight into the final allocation to avoid a copy. The file may grow or
        // shrink meanwhile. No more than its initial length is read.
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length as usize).collect();
        let buffer = Arc::get_mut(&mut bytes).unwrap_or_default();
        let mut done = 0;
        for piece in buffer.chunks_mut(CHUNK_BYTES) {
            if self.progress.is_cancelled() {
                return Err(LoadError::Cancelled { path: path.to_owned() });
            }
            let mut filled = 0;
            while let Some(rest) = piece.get_mut(filled..).filter(|rest| !rest.is_empty()) {
                match file.read(rest) {
                    Ok(0) => return Ok(bytes[..done + filled].into()),
                    Ok(more) => filled += more,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(io_error(error)),
                }
            }
            done += filled;
        }
        Ok(bytes)
    }

    fn charge(&mut self, path: &Path, length: u64) -> Result<(), LoadError> {
        self.total_bytes = self.total_bytes.saturating_add(length);
        if self.total_bytes <= self.max_bytes {
            return Ok(());
        }
        Err(LoadError::TooLarge {
            path: path.to_owned(),
            most_mib: self.max_bytes >> 20,
            found_mib: self.total_bytes >> 20,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(source: &ModelSource) -> Vec<&str> {
        source.beside.keys().map(String::as_str).collect()
    }

    #[test]
    fn only_referenced_files_are_loaded() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.bin"), b"secret").unwrap();
        let folder = outside.path().join("model");
        fs::create_dir_all(folder.join("a b")).unwrap();
        fs::write(folder.join("a b/c.bin"), b"inside").unwrap();
        fs::write(folder.join("other.bin"), b"other").unwrap();
        let json = br#"{ "buffers": [{ "uri": "a%20b/c.bin" }, { "uri": "../secret.bin" }],
            "images": [{ "uri": "gone.png" }, { "uri": "data:,x" }, { "uri": "a%20b" }] }"#;
        fs::write(folder.join("m.gltf"), json).unwrap();
        let source = load(&folder.join("m.gltf"), &TaskProgress::default()).unwrap();
        assert_eq!((&*source.name, names(&source)), ("m.gltf", vec!["a b/c.bin"]));
        assert_eq!(&**source.beside("a b/c.bin").unwrap(), b"inside");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_with_another_spelling_are_found_if_unambiguous() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("Bilder")).unwrap();
        for name in ["Bilder/Ko\u{308}rper.bin", "A.bin", "b.bin", "B.bin", "10%.bin"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let json =
            "{ \"buffers\": [{ \"uri\": \"bilder\\\\K\u{f6}rper.bin\" }, { \"uri\": \"a.bin\" },
            { \"uri\": \"b.BIN\" }, { \"uri\": \"10%.bin\" }] }";
        fs::write(folder.path().join("m.gltf"), json).unwrap();
        let source = load(&folder.path().join("m.gltf"), &TaskProgress::default()).unwrap();
        assert_eq!(names(&source), ["10%.bin", "A.bin", "Bilder/Ko\u{308}rper.bin"]);
        for name in ["a.bin", "bilder/K\u{f6}rper.bin", "10%.bin"] {
            assert!(source.beside(name).is_some(), "{name}");
        }
        assert!(source.beside("b.BIN").is_none());
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_of_the_folder() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.bin"), b"secret").unwrap();
        let folder = outside.path().join("model");
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink("../secret.bin", folder.join("in.bin")).unwrap();
        fs::write(folder.join("m.gltf"), br#"{ "buffers": [{ "uri": "in.bin" }] }"#).unwrap();
        let source = load(&folder.join("m.gltf"), &TaskProgress::default()).unwrap();
        assert!(source.beside.is_empty());
    }

    #[test]
    fn missing_large_and_cancelled_files_and_folders_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.glb");
        let progress = TaskProgress::default();
        assert!(matches!(load_within(&path, &progress, 10), Err(LoadError::Io { .. })));
        fs::write(&path, [0; 11]).unwrap();
        assert!(matches!(load_within(&path, &progress, 10), Err(LoadError::TooLarge { .. })));
        assert_eq!(load_within(&path, &progress, 11).unwrap().main.len(), 11);
        assert!(matches!(load(folder.path(), &progress), Err(LoadError::NotAFile { .. })));
        progress.cancel();
        assert!(matches!(load(&path, &progress), Err(LoadError::Cancelled { .. })));
    }
}
