//! Whole files or none.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file. What is there already stays unless `replace` says otherwise,
/// and then until the new one is complete.
///
/// # Errors
/// In the system's words; `AlreadyExists` when a file is there that must stay.
pub(crate) fn write_file(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    let exists = path.symlink_metadata().is_ok();
    if exists && !replace {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let target = if exists {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        path.with_file_name(name)
    } else {
        path.to_owned()
    };
    let mut options = OpenOptions::new();
    options.write(true);
    let mut file = if exists {
        options.create(true).truncate(true).open(&target)?
    } else {
        options.create_new(true).open(&target)?
    };
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| {
        if exists {
            fs::rename(&target, path)
        } else {
            Ok(())
        }
    });
    if done.is_err() {
        // No half of a file is left; if it cannot be removed either, the first
        // error says more.
        let _ = fs::remove_file(&target);
    }
    done
}

/// Why a file was not saved, for people.
pub(super) fn failure(path: &Path, error: &std::io::Error) -> String {
    format!("{} was not saved: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_when_that_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_file(&path, b"one", false).unwrap();
        let refused = write_file(&path, b"two", false).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_file(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing beside it"
        );
        assert!(write_file(&folder.path().join("no/such/a.csv"), b"x", true).is_err());
    }
}
