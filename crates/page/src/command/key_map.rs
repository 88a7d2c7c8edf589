//! Which keys are in force: a browser keeps some for itself.

use eframe::egui::{Context, Id};

/// Whose keys a notebook lives among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMap {
    /// A window of its own, where all keys are free.
    Window,
    /// A page of a browser, which reloads, searches, prints and goes to its address
    /// bar by keys.
    Browser,
}

impl Default for KeyMap {
    /// That of the platform.
    fn default() -> Self {
        if cfg!(target_arch = "wasm32") { Self::Browser } else { Self::Window }
    }
}

impl KeyMap {
    /// The map of everything that is shown with this context.
    pub fn of(ctx: &Context) -> Self {
        let map = ctx.data(|data| data.get_temp(Id::NULL));
        map.unwrap_or_default()
    }

    /// Puts it in force.
    pub fn put(self, ctx: &Context) {
        ctx.data_mut(|data| data.insert_temp(Id::NULL, self));
    }
}
