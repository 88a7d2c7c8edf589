//! The class of a window: the server that its students come to.

use bindpose_classroom::{Invitation, TeacherClient};
use bindpose_server::{
    LocalTeacher, ServedFolder, ServerOptions, SharedRoom, WebServer, usual_folder,
};
use eframe::egui::Context;

use crate::app::kept_class::KeptClass;

/// Where a class is usually found; any other port if it is taken.
const PORT: u16 = 8080;

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
