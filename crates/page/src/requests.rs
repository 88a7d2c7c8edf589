//! Requests of the page to the app.

use bindpose_notebook::{Edit, Navigation, PageAddress};

use crate::command::Command;

/// Changes that the page requests while it is drawn. The app applies them after the frame.
#[derive(Debug, Default)]
pub struct Requests {
    pub edits: Vec<Edit>,
    /// Changes of the open page and the cameras.
    pub navigation: Vec<Navigation>,
    pub commands: Vec<Command>,
}

impl Requests {
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.navigation.is_empty() && self.commands.is_empty()
    }

    pub fn go_to(&mut self, page: PageAddress) {
        self.navigation.push(Navigation::Go(page));
    }
}
