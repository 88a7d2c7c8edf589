//! Stand-ins for what a browser does not have: a server for a class, the check of lessons in a
//! folder, and crash reports.

use std::time::Duration;

use bindpose_class_protocol::{ClientMessage, Invitation, ServerMessage, TeacherClient};
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::LessonSet;
use eframe::egui::Context;

/// A class whose students connect to this program. There is none in a browser.
pub(in crate::app) enum WindowClass {}

impl WindowClass {
    pub(in crate::app) fn start(_: &Context) -> Result<(Self, TeacherClient), String> {
        Err("A page of a browser serves no class.".to_owned())
    }

    pub(in crate::app) fn is_continued(&self) -> bool {
        match *self {}
    }

    pub(in crate::app) fn invitation(&self) -> Invitation {
        match *self {}
    }

    pub(in crate::app) fn take_message(&mut self) -> Option<ServerMessage> {
        match *self {}
    }

    pub(in crate::app) fn send(&mut self, _: ClientMessage) {
        match *self {}
    }
}

/// The check of lessons in a folder. A browser has no folders.
#[derive(Debug, Default)]
pub(in crate::app) struct ContentCheck;

impl ContentCheck {
    pub(in crate::app) fn request(&mut self) {}

    pub(in crate::app) fn start(&mut self, _: &LessonSet, _: &Context) {}

    pub(in crate::app) fn take_findings(&mut self, _: Duration) -> Option<Vec<Diagnostic>> {
        None
    }
}

/// Does nothing: there are no crash reports that would name the command.
pub(in crate::app) fn record_command(_: &'static str) {}
