//! Writes complete files only. All files of this program are written here.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum length of a chain of links.
const MAX_LINKS: usize = 40;

/// Writes a file, which appears under its name only when it is complete. An existing file is
/// replaced, with its mode kept, only if `replace` is true. Links are followed to the file that
/// is written. Devices, pipes and open files (`/dev/stdout`) are written to and never replaced.
///
/// # Errors
///
/// The error of the system. `AlreadyExists` if the file exists and must not be replaced,
/// `NotFound` if the folder does not exist.
pub(crate) fn write_file(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    let target = match resolve_links(path)? {
        WriteTarget::Stream(stream) => return write_to_stream(&stream, bytes),
        WriteTarget::File(_) if !replace && path.symlink_metadata().is_ok() => {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        WriteTarget::File(file) => file,
    };
    let mode = mode_of(&target)?;
    // An unused name. The file is removed again if an error occurs.
    let mut file = new_file().tempfile_in(folder_of(&target))?;
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    file.as_file().sync_all()?;
    let persisted = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
    persisted.map(|_| ()).map_err(|failed| failed.error)
}

/// Formats a message for the reader about a file that was not written.
pub(crate) fn describe_write_error(path: &Path, error: &io::Error) -> String {
    format!("{} was not saved: {error}", path.display())
}

/// Returns the folder of a file, which is `.` for a bare name.
pub(crate) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns true for a device, a pipe or an open file, none of which can be replaced.
pub(crate) fn is_stream(path: &Path) -> bool {
    matches!(resolve_links(path), Ok(WriteTarget::Stream(_)))
}

/// The target of a path.
enum WriteTarget {
    /// A device, a pipe or an open file, to which bytes are sent.
    Stream(PathBuf),
    /// A file, which may not exist yet.
    File(PathBuf),
}

fn resolve_links(path: &Path) -> io::Result<WriteTarget> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        // Files that are already open, such as those of a shell's `>`.
        if path.starts_with("/proc") || path.starts_with("/dev/fd") {
            return Ok(WriteTarget::Stream(path));
        }
        let Ok(next) = fs::read_link(&path) else {
            let is_stream =
                fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
            return Ok(if is_stream { WriteTarget::Stream(path) } else { WriteTarget::File(path) });
        };
        path = folder_of(&path).join(next);
    }
    Err(io::Error::other("too many links lead to one another"))
}

fn write_to_stream(stream: &Path, bytes: &[u8]) -> io::Result<()> {
    if ["/dev/fd/1", "/proc/self/fd/1"].map(Path::new).contains(&stream) {
        // Opening it again would overwrite a file behind it from the start.
        let mut out = io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush());
    }
    OpenOptions::new().append(true).open(stream)?.write_all(bytes)
}

/// Returns the mode of an existing file, or an error if it must not be written.
fn mode_of(file: &Path) -> io::Result<Option<Permissions>> {
    match OpenOptions::new().write(true).open(file) {
        Ok(existing) => Ok(Some(existing.metadata()?.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Builds temporary files with the mode of any other new file.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bindpose-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn file_is_replaced_only_on_request_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let beside = folder.path().join("a.csv.new");
        fs::write(&beside, b"mine").unwrap();
        write_file(&path, b"one", false).unwrap();
        let refused = write_file(&path, b"two", false).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_file(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read(&beside).unwrap(), b"mine");
        assert_eq!(file_names(folder.path()), ["a.csv", "a.csv.new"]);
    }

    #[test]
    fn failed_write_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let missing = write_file(&folder.path().join("no/a.csv"), b"x", true).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        fs::create_dir(folder.path().join("b")).unwrap();
        assert!(write_file(&folder.path().join("b"), b"x", true).is_err());
        assert!(write_file(&folder.path().join("b"), b"x", false).is_err());
        assert_eq!(file_names(folder.path()), ["b"]);
    }

    #[cfg(unix)]
    #[test]
    fn modes_stay_and_links_are_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        fs::write(at("plain"), b"").unwrap();
        write_file(&at("new"), b"new", false).unwrap();
        assert_eq!(mode("new"), mode("plain"), "as any other new file");
        fs::set_permissions(at("new"), Permissions::from_mode(0o640)).unwrap();
        symlink("new", at("link")).unwrap();
        symlink("link", at("link to link")).unwrap();
        assert!(write_file(&at("link"), b"x", false).is_err());
        write_file(&at("link to link"), b"newer", true).unwrap();
        assert_eq!(fs::read(at("new")).unwrap(), b"newer");
        assert_eq!(mode("new"), 0o640);
        assert_eq!(fs::read_link(at("link")).unwrap(), Path::new("new"));

        symlink("later", at("nowhere")).unwrap();
        write_file(&at("nowhere"), b"now", true).unwrap();
        assert_eq!(fs::read(at("later")).unwrap(), b"now");
        symlink("circle", at("circle")).unwrap();
        assert!(write_file(&at("circle"), b"x", true).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pipes_and_devices_are_written_to_and_stay() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let from = pipe.clone();
        let reader = std::thread::spawn(move || fs::read(from));
        write_file(&pipe, b"through", false).unwrap();
        assert_eq!(reader.join().unwrap().unwrap(), b"through");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());

        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/full", &device).unwrap();
        let full = write_file(&device, b"x", true).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert_eq!(file_names(folder.path()), ["device", "pipe"]);
    }
}
