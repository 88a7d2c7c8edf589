//! Operations on files and folders whose errors contain the path.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Creates an empty folder. Removes an existing one with its contents.
pub(super) fn make_empty(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => {
            Err(path_error(folder, "removed", &why))
        }
        _ => make_folder(folder),
    }
}

pub(super) fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|why| path_error(folder, "made", &why))
}

/// Writes a file, and creates its folder if it is missing.
pub(super) fn write(file: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    file.parent().map_or(Ok(()), make_folder)?;
    fs::write(file, bytes).map_err(|why| path_error(file, "written", &why))
}

pub(super) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|why| path_error(file, "read", &why))
}

/// Copies a file, and creates the target folder if it is missing.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    to.parent().map_or(Ok(()), make_folder)?;
    fs::copy(from, to).map_err(|why| path_error(from, "copied", &why))?;
    Ok(())
}

/// Copies a folder with all its contents.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to)?;
    for path in sorted(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            copy(&path, &target)?;
        }
    }
    Ok(())
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<(), String> {
    to.parent().map_or(Ok(()), make_folder)?;
    fs::rename(from, to).map_err(|why| path_error(from, "renamed", &why))
}

pub(super) fn remove(file: &Path) -> Result<(), String> {
    fs::remove_file(file).map_err(|why| path_error(file, "removed", &why))
}

/// Lists the contents of a folder, sorted by name.
pub(super) fn sorted(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|why| path_error(folder, "read", &why))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the total size of all files in a folder and its subfolders, in bytes.
pub(super) fn folder_bytes(folder: &Path) -> Result<u64, String> {
    sorted(folder)?
        .iter()
        .map(|path| {
            if path.is_dir() {
                folder_bytes(path)
            } else {
                Ok(path.metadata().map_or(0, |file| file.len()))
            }
        })
        .sum()
}

/// Prints the sizes of all files in a folder.
pub(super) fn print_sizes(folder: &Path) -> Result<(), String> {
    println!("in {}:", folder.display());
    for path in sorted(folder)? {
        let bytes = path.metadata().map_or(0, |file| file.len());
        let name = path.file_name().unwrap_or_default().display();
        println!("  {:>7.2} MB  {name}", bytes as f64 / 1e6);
    }
    Ok(())
}

fn path_error(path: &Path, what: &str, why: &io::Error) -> String {
    format!("{} could not be {what}: {why}", path.display())
}
