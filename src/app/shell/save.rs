//! Files that the page asked to keep.

#[cfg(not(target_arch = "wasm32"))]
use std::io::{self, Write};
#[cfg(not(target_arch = "wasm32"))]
use std::path::{Path, PathBuf};

use super::Shell;
use crate::ui::view::SaveRequest;

/// Names that are tried: `a.glb`, `a-2.glb`, ….
#[cfg(not(target_arch = "wasm32"))]
const MOST_NAMES: usize = 100;

impl Shell {
    /// Writes each beside the model that was opened last, else where the program
    /// was started; never over a file that is there.
    pub(super) fn take_saves(&mut self) {
        for request in std::mem::take(&mut self.view.saves) {
            self.save(&request);
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn save(&mut self, request: &SaveRequest) {
        let folder = self.opening.recent.folder().unwrap_or_default();
        match write_new(&folder, request) {
            Ok(path) => self.notices.say(format!("Written: {}", path.display())),
            Err(error) => self
                .notices
                .wrong(format!("“{}” could not be written: {error}", request.name)),
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn save(&mut self, request: &SaveRequest) {
        self.notices.wrong(format!(
            "“{}” cannot be written from a browser; use the program.",
            request.name
        ));
    }
}

/// Writes under the first name that is free.
#[cfg(not(target_arch = "wasm32"))]
fn write_new(folder: &Path, request: &SaveRequest) -> io::Result<PathBuf> {
    let name = Path::new(&request.name);
    let name = name
        .file_name()
        .map_or("file".into(), |name| name.to_string_lossy());
    let (stem, end) = name.split_at(name.rfind('.').unwrap_or(name.len()));
    for number in 1..=MOST_NAMES {
        let name = match number {
            1 => name.to_string(),
            _ => format!("{stem}-{number}{end}"),
        };
        let path = std::path::absolute(folder.join(name))?;
        match std::fs::File::create_new(&path) {
            Ok(mut file) => return file.write_all(&request.bytes).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_over_and_none_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let request = |bytes: &[u8]| SaveRequest {
            name: "../a.glb".to_owned(),
            bytes: bytes.to_vec(),
        };
        let first = write_new(folder.path(), &request(b"one")).unwrap();
        let second = write_new(folder.path(), &request(b"two")).unwrap();
        assert_eq!(first, folder.path().join("a.glb"));
        assert_eq!(second, folder.path().join("a-2.glb"));
        assert_eq!(std::fs::read(first).unwrap(), b"one");
    }
}
