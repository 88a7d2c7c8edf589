//! Code and secret of a class, in a file beside the preferences as long as the class lasts:
//! a program that broke off in the middle goes on with it. Nothing of students is in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bindpose_classroom::{Room, RoomCode, TeacherSecret};
use bindpose_server::SharedRoom;
use serde::{Deserialize, Serialize};

use super::preferences_file::settings_folder;
use super::write_file::write_file;

/// What is older belongs to no class of today.
const LASTS: Duration = Duration::from_hours(24);

/// A class that was not ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptClass {
    code: RoomCode,
    secret: TeacherSecret,
    /// That it was reached on.
    pub(crate) port: u16,
}

impl KeptClass {
    /// The last one that was not ended; `None`: there is none, or none of today.
    pub(crate) fn last() -> Option<Self> {
        Self::last_in(&file()?)
    }

    fn last_in(file: &Path) -> Option<Self> {
        let age = SystemTime::now().duration_since(file.metadata().ok()?.modified().ok()?);
        age.ok().filter(|age| *age < LASTS)?;
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }

    /// Its room, empty: students bring back what they had.
    pub(crate) fn room(&self) -> SharedRoom {
        SharedRoom::new(Room::new(self.code.clone(), self.secret.clone()))
    }

    /// Keeps a class until it ends. Where no file can be written, it is not gone on with.
    pub(crate) fn keep(room: &SharedRoom, port: u16) {
        let Some(file) = file() else { return };
        let kept = Self { code: room.code(), secret: room.secret(), port };
        if let (Ok(text), Some(folder)) = (serde_json::to_vec(&kept), file.parent()) {
            let _ = std::fs::create_dir_all(folder);
            let _ = make_private(&file);
            let _ = write_file(&file, &text, true);
        }
    }

    /// After the end of a class.
    pub(crate) fn forget() {
        if let Some(file) = file() {
            let _ = std::fs::remove_file(file);
        }
    }
}

fn file() -> Option<PathBuf> {
    Some(settings_folder()?.join("class.json"))
}

/// A file that is there keeps its mode when it is written: the secret is its owner's alone.
fn make_private(file: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_gone_on_with_for_a_day_and_a_broken_file_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("class.json");
        assert!(KeptClass::last_in(&file).is_none());
        let (code, secret) = (RoomCode::from_random(3), TeacherSecret::from_random(4));
        let kept = KeptClass { code: code.clone(), secret, port: 8080 };
        std::fs::write(&file, serde_json::to_vec(&kept).unwrap()).unwrap();
        let again = KeptClass::last_in(&file).unwrap();
        assert_eq!((again.room().code(), again.port), (code, 8080));
        let opened = std::fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(SystemTime::now() - LASTS).unwrap();
        assert!(KeptClass::last_in(&file).is_none());
        std::fs::write(&file, "{\"code\":\"no\"}").unwrap();
        assert!(KeptClass::last_in(&file).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_the_secret() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("class.json");
        make_private(&file).unwrap();
        write_file(&file, b"{}", true).unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
