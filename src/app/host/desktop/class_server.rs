//! The class of a window: the server that its students connect to, and a file with the
//! code and secret of the class beside the preferences. The file exists as long as the class
//! lasts, so that the program can continue the class after a crash. It has no data of
//! students.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bindpose_class_protocol::{
    ClientMessage, Invitation, Room, RoomCode, ServerMessage, TeacherClient, TeacherSecret,
};
use bindpose_class_server::{
    LocalTeacher, ServedFolder, ServerOptions, SharedRoom, WebServer, usual_folder,
};
use eframe::egui::Context;
use serde::{Deserialize, Serialize};

use super::preferences_file::settings_folder;
use super::write_file::write_file;

/// Port of a class. Any other port is used if it is taken.
const DEFAULT_PORT: u16 = 8080;
/// Age at which a kept class is not continued any more.
const MAX_KEPT_CLASS_AGE: Duration = Duration::from_hours(24);

/// A class whose students connect to this program.
pub(in crate::app) struct WindowClass {
    /// Runs until it is dropped.
    _server: WebServer,
    teacher: LocalTeacher,
    room: SharedRoom,
    is_continued: bool,
}

impl WindowClass {
    /// Opens a room in this network: that of an earlier run that crashed, or a new one.
    ///
    /// # Errors
    /// Fails with a message for the reader if the pages for browsers are missing, or if no
    /// port is available.
    pub(in crate::app) fn start(ctx: &Context) -> Result<(Self, TeacherClient), String> {
        let folder = usual_folder().ok_or(
            "A class needs the pages for browsers, which are not beside this program. Start \
             Bindpose from a package: it has them.",
        )?;
        let kept = KeptClass::read_last();
        let is_continued = kept.is_some();
        let room = match &kept {
            Some(kept) => kept.room(),
            None => SharedRoom::with_new_code()
                .map_err(|why| format!("The system gives no random numbers for a code: {why}."))?,
        };
        let port = kept.map_or(DEFAULT_PORT, |kept| kept.port);
        // Port 0 lets the system choose one.
        let server = start_server(&folder, &room, port)
            .or_else(|_| start_server(&folder, &room, 0))
            .map_err(|why| format!("The class can’t be opened: {why}."))?;
        KeptClass::write(&room, server.port());
        let client = TeacherClient::new(room.code(), room.secret());
        let ctx = ctx.clone();
        let teacher = room.local_teacher(move || ctx.request_repaint());
        Ok((Self { _server: server, teacher, room, is_continued }, client))
    }

    /// Returns true if this is the class of an earlier run that crashed.
    pub(in crate::app) fn is_continued(&self) -> bool {
        self.is_continued
    }

    pub(in crate::app) fn invitation(&self) -> Invitation {
        self.room.invitation()
    }

    /// Takes the next message of the room to the teacher.
    pub(in crate::app) fn take_message(&mut self) -> Option<ServerMessage> {
        self.teacher.take_news()
    }

    /// Sends a message of the teacher to the room.
    pub(in crate::app) fn send(&mut self, message: ClientMessage) {
        self.teacher.say(message);
    }
}

/// Starts a server for the network with the pages of a folder.
fn start_server(folder: &Path, room: &SharedRoom, port: u16) -> std::io::Result<WebServer> {
    let site = ServedFolder::open(folder)?;
    WebServer::start(ServerOptions {
        site,
        port,
        lan: true,
        room: Some(room.clone().into()),
        trusted_proxies: Vec::new(),
    })
}

impl Drop for WindowClass {
    fn drop(&mut self) {
        // A class is continued after a crash, but not after a regular end.
        if !std::thread::panicking() {
            KeptClass::delete();
        }
    }
}

/// Class that has not ended, kept in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptClass {
    code: RoomCode,
    secret: TeacherSecret,
    pub(crate) port: u16,
}

impl KeptClass {
    /// Returns the last class if it has not ended. Returns `None` if there is none, or if it is
    /// too old.
    pub(crate) fn read_last() -> Option<Self> {
        Self::read(&class_file()?)
    }

    fn read(file: &Path) -> Option<Self> {
        let age = SystemTime::now().duration_since(file.metadata().ok()?.modified().ok()?);
        age.ok().filter(|age| *age < MAX_KEPT_CLASS_AGE)?;
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }

    /// Returns its room without students. They bring their records with them.
    pub(crate) fn room(&self) -> SharedRoom {
        SharedRoom::new(Room::new(self.code.clone(), self.secret.clone()))
    }

    /// Keeps a class until it ends. If the file cannot be written, the class cannot be
    /// continued after a crash.
    pub(crate) fn write(room: &SharedRoom, port: u16) {
        let Some(file) = class_file() else { return };
        let kept = Self { code: room.code(), secret: room.secret(), port };
        if let (Ok(text), Some(folder)) = (serde_json::to_vec(&kept), file.parent()) {
            let _ = std::fs::create_dir_all(folder);
            let _ = make_private(&file);
            let _ = write_file(&file, &text, true);
        }
    }

    /// Removes the file after the end of a class.
    pub(crate) fn delete() {
        if let Some(file) = class_file() {
            let _ = std::fs::remove_file(file);
        }
    }
}

fn class_file() -> Option<PathBuf> {
    Some(settings_folder()?.join("class.json"))
}

/// Creates the file readable by its owner alone, because it holds the secret. An existing
/// file keeps its mode when it is written.
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
    fn a_class_is_kept_for_a_day_and_a_broken_file_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("class.json");
        assert!(KeptClass::read(&file).is_none());
        let code = RoomCode::from_random(3);
        let secret = TeacherSecret::from_random(4);
        let kept = KeptClass { code: code.clone(), secret, port: 8080 };
        std::fs::write(&file, serde_json::to_vec(&kept).unwrap()).unwrap();
        let again = KeptClass::read(&file).unwrap();
        assert_eq!((again.room().code(), again.port), (code, 8080));
        let opened = std::fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(SystemTime::now() - MAX_KEPT_CLASS_AGE).unwrap();
        assert!(KeptClass::read(&file).is_none());
        std::fs::write(&file, "{\"code\":\"no\"}").unwrap();
        assert!(KeptClass::read(&file).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_secret() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("class.json");
        make_private(&file).unwrap();
        write_file(&file, b"{}", true).unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
