//! The class of a window: the server that its students come to; and code and secret of a
//! class, in a file beside the preferences as long as the class lasts: a program that broke
//! off in the middle goes on with it. Nothing of students is in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bindpose_classroom::{Invitation, Room, RoomCode, TeacherClient, TeacherSecret};
use bindpose_server::{
    LocalTeacher, ServedFolder, ServerOptions, SharedRoom, WebServer, usual_folder,
};
use eframe::egui::Context;
use serde::{Deserialize, Serialize};

use super::preferences_file::settings_folder;
use super::write_file::write_file;

/// Where a class is usually found; any other port if it is taken.
const PORT: u16 = 8080;
/// What is older than this belongs to no class of today.
const LASTS: Duration = Duration::from_hours(24);

/// A class whose students come to this program.
pub(super) struct WindowClass {
    /// Runs as long as this is here.
    _server: WebServer,
    pub(super) teacher: LocalTeacher,
    room: SharedRoom,
    /// Did an earlier run end in the middle of it?
    pub(super) goes_on: bool,
}

impl WindowClass {
    /// Opens a room in this network: the one that an earlier run has not ended, or a new one.
    ///
    /// Fails in words, where there are no pages, or no port.
    pub(super) fn begin(ctx: &Context) -> Result<(Self, TeacherClient), String> {
        let folder = usual_folder().ok_or(
            "A class needs the notebook’s pages for browsers beside this program. `cargo xtask \
             web` makes them.",
        )?;
        let kept = KeptClass::last();
        let goes_on = kept.is_some();
        let room = match &kept {
            Some(kept) => kept.room(),
            None => SharedRoom::with_new_code()
                .map_err(|why| format!("The system gives no random numbers for a code: {why}."))?,
        };
        let at_port = |port| {
            let site = ServedFolder::open(&folder)?;
            let room = Some(room.clone().into());
            WebServer::start(ServerOptions { site, port, lan: true, room })
        };
        let port = kept.map_or(PORT, |kept| kept.port);
        let server = at_port(port).or_else(|_| at_port(0));
        let server = server.map_err(|why| format!("The class can’t be opened: {why}."))?;
        KeptClass::keep(&room, server.port());
        let (teacher, waking) = (TeacherClient::new(room.code(), room.secret()), ctx.clone());
        let local = room.local_teacher(move || waking.request_repaint());
        Ok((Self { _server: server, teacher: local, room, goes_on }, teacher))
    }

    /// How students come in.
    pub(super) fn invitation(&self) -> Invitation {
        self.room.invitation()
    }
}

impl Drop for WindowClass {
    fn drop(&mut self) {
        // What ends by itself is not gone on with; what breaks off is.
        if !std::thread::panicking() {
            KeptClass::forget();
        }
    }
}

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
