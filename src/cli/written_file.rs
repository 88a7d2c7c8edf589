//! Files that commands write, by one rule: what is there stays without
//! `--force`, the folder must be there, and the name must end as the content
//! asks for. Devices and pipes may have any name.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use bindpose_diagnostic::Diagnostic;

use super::Failure;
use crate::app::{folder_of, is_stream, write_file};

/// A file that will be written.
pub(super) struct WrittenFile {
    path: PathBuf,
    replace: bool,
}

impl WrittenFile {
    /// Refused before any work is done; `endings` without their point.
    pub(super) fn new(
        path: impl Into<PathBuf>,
        replace: bool,
        endings: &[&str],
    ) -> Result<Self, Failure> {
        let file = Self { path: path.into(), replace };
        if is_stream(&file.path) {
            return Ok(file);
        }
        let ending = file.path.extension().unwrap_or_default();
        if !endings.iter().any(|fits| ending.eq_ignore_ascii_case(fits)) {
            let endings: Vec<String> = endings.iter().map(|end| format!(".{end}")).collect();
            let expected = format!("a name that ends in {}", endings.join(" or "));
            let wrong = Diagnostic::expected(expected, "");
            return Err(Failure::argument(file.path.display().to_string(), wrong));
        }
        if !folder_of(&file.path).is_dir() {
            return Err(file.refused(&ErrorKind::NotFound.into()));
        }
        if !replace && file.path.symlink_metadata().is_ok() {
            return Err(file.refused(&ErrorKind::AlreadyExists.into()));
        }
        Ok(file)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        write_file(&self.path, bytes, self.replace).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &std::io::Error) -> Failure {
        let (file, folder) = (self.path.display(), folder_of(&self.path).display());
        let wrong = match error.kind() {
            ErrorKind::AlreadyExists => {
                Diagnostic::said("FILE_EXISTS", format!("{file} is there already"))
                    .help("name another file, or add --force")
            }
            ErrorKind::NotFound => {
                Diagnostic::said("NO_FOLDER", format!("there is no folder {folder} for {file}"))
                    .help("make it first, or name another")
            }
            _ => Diagnostic::said("IO_ERROR", format!("{file} was not written: {error}")),
        };
        Failure::cannot(wrong)
    }
}

/// Makes a folder for files to write, if it is not there; the folder that it lies
/// in must be there.
pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    match std::fs::create_dir(folder) {
        Err(error) if !folder.is_dir() => {
            let title = format!("the folder {} was not made: {error}", folder.display());
            Err(Failure::cannot(Diagnostic::said("NO_FOLDER", title)))
        }
        _ => Ok(()),
    }
}
