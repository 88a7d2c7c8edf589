//! A model and the files beside it, from the disk.

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

/// All files of a model together, where nothing is known about the machine.
const MOST_BYTES: u64 = 2 << 30;
/// Bytes read between two looks at whether the task was cancelled.
const CHUNK: usize = 1 << 20;
/// Lists of folders that are read for names which are written otherwise.
const MOST_LOOKS: usize = 256;

/// Why a file could not be read.
#[derive(Debug)]
pub enum LoadError {
    /// The system said no.
    Io {
        /// As it was asked for.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A folder, a pipe, a device.
    NotAFile {
        /// As it was asked for.
        path: PathBuf,
    },
    /// More than the machine can hold.
    TooLarge {
        /// The file that was one too many.
        path: PathBuf,
        /// What could be held.
        most_mib: u64,
        /// What it would take.
        found_mib: u64,
    },
    /// It was asked to stop.
    Cancelled {
        /// As it was asked for.
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

/// Reads a model's file and those beside it that it names. Files beside it that
/// are not there, or lie outside its folder, are left out: opening the model
/// says what it misses. Sizes are looked at before anything is read.
///
/// Errors: [`LoadError`].
pub fn load(path: &Path, progress: &TaskProgress) -> Result<ModelSource, LoadError> {
    let most = memory_cap(MOST_BYTES, 4);
    load_within(path, progress, most)
}

fn load_within(path: &Path, progress: &TaskProgress, most: u64) -> Result<ModelSource, LoadError> {
    let mut reader = FileReader { progress, most, taken: 0 };
    let main = reader.read(path)?;
    progress.set(0.5);
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let named = named_files(&main);
    let count = named.len();
    let mut beside = BTreeMap::new();
    let mut looks = MOST_LOOKS;
    for (done, name) in named.into_iter().enumerate() {
        progress.set(0.5 + 0.5 * done as f32 / count as f32);
        if let Some((name, path)) = below(folder, &name, &mut looks) {
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

/// The file of that name, or of the only one of the same letters, with the name that it
/// has, if it is there and links do not lead out of the folder.
fn below(folder: &Path, name: &str, looks: &mut usize) -> Option<(String, PathBuf)> {
    let folder = folder.canonicalize().ok()?;
    let mut parts = Vec::new();
    let mut path = folder.clone();
    for part in name.split('/') {
        let there = path.join(part);
        let part = if there.exists() {
            part.to_owned()
        } else {
            *looks = looks.checked_sub(1)?;
            of_same_letters(&path, part)?
        };
        path.push(&part);
        parts.push(part);
    }
    let path = path.canonicalize().ok()?;
    path.starts_with(folder).then(|| (parts.join("/"), path))
}

/// The only entry of a folder whose name has the same letters.
fn of_same_letters(folder: &Path, name: &str) -> Option<String> {
    let names = std::fs::read_dir(folder).ok()?.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.into_string().ok()
    });
    let mut same = names.filter(|other| same_letters(other, name));
    same.next().filter(|_| same.next().is_none())
}

struct FileReader<'a> {
    progress: &'a TaskProgress,
    most: u64,
    taken: u64,
}

impl FileReader<'_> {
    fn read(&mut self, path: &Path) -> Result<Arc<[u8]>, LoadError> {
        let failed = |error: std::io::Error| LoadError::Io { path: path.to_owned(), error };
        // Looked at before it is opened: opening a pipe would wait for a writer.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(LoadError::NotAFile { path: path.to_owned() });
        }
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        self.count(path, length)?;
        // Read to where it stays: nothing is copied afterwards. It may grow or
        // shrink meanwhile; at most what it had at first counts.
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length as usize).collect();
        let room = Arc::get_mut(&mut bytes).unwrap_or_default();
        let mut done = 0;
        for piece in room.chunks_mut(CHUNK) {
            if self.progress.is_cancelled() {
                return Err(LoadError::Cancelled { path: path.to_owned() });
            }
            let mut filled = 0;
            while let Some(rest) = piece.get_mut(filled..).filter(|rest| !rest.is_empty()) {
                match file.read(rest) {
                    Ok(0) => return Ok(bytes[..done + filled].into()),
                    Ok(more) => filled += more,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(failed(error)),
                }
            }
            done += filled;
        }
        Ok(bytes)
    }

    fn count(&mut self, path: &Path, length: u64) -> Result<(), LoadError> {
        self.taken = self.taken.saturating_add(length);
        if self.taken <= self.most {
            return Ok(());
        }
        Err(LoadError::TooLarge {
            path: path.to_owned(),
            most_mib: self.most >> 20,
            found_mib: self.taken >> 20,
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
    fn a_model_brings_the_files_that_it_names_and_no_others() {
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
    fn names_of_the_same_letters_are_found_where_there_is_one() {
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
    fn what_is_no_file_too_large_or_not_wanted_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.glb");
        let load_within = |most| load_within(&path, &TaskProgress::default(), most);
        assert!(matches!(load_within(10), Err(LoadError::Io { .. })));
        fs::write(&path, [0; 11]).unwrap();
        assert!(matches!(load_within(10), Err(LoadError::TooLarge { .. })));
        assert_eq!(load_within(11).unwrap().main.len(), 11);
        let progress = TaskProgress::default();
        assert!(matches!(load(folder.path(), &progress), Err(LoadError::NotAFile { .. })));
        progress.cancel();
        assert!(matches!(load(&path, &progress), Err(LoadError::Cancelled { .. })));
    }
}
