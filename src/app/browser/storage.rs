//! What is remembered, in the browser's local storage, in the form of the
//! settings file.

use web_sys::Storage;

use crate::notebook::{Preferences, PreferencesTable, carry_over, parse_table, table_text};

const KEY: &str = "bindpose.settings";

/// The local storage of this site, as far as the browser allows it.
pub(super) struct PreferencesStorage {
    storage: Option<Storage>,
    /// What this page has put there so far; at first, what it read.
    ours: PreferencesTable,
}

impl PreferencesStorage {
    /// Reads what is there. The third value says in words what could not be read.
    pub(super) fn open() -> (Self, Preferences, Option<String>) {
        // A browser that keeps nothing for sites refuses here.
        let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
        let (table, broken) = match storage.as_ref().map(read) {
            None => (PreferencesTable::new(), None),
            Some(Ok(table)) => (table, None),
            Some(Err(why)) => (PreferencesTable::new(), Some(why)),
        };
        let (preferences, wrong) = Preferences::from_table(&table);
        let wrong = (!wrong.is_empty()).then(|| {
            let wrong = wrong.join(", ");
            format!("Of what this browser remembered, this could not be read: {wrong}.")
        });
        let ours = preferences.table();
        (Self { storage, ours }, preferences, broken.or(wrong))
    }

    /// Writes what has changed. What other pages of this site have written
    /// meanwhile stays.
    ///
    /// # Errors
    /// In words, when the browser refuses; the same is written the next time.
    pub(super) fn write(&mut self, preferences: &Preferences) -> Result<(), String> {
        let now = preferences.table();
        let Some(storage) = &self.storage else {
            return Err("This browser keeps nothing for this site".to_owned());
        };
        if now == self.ours {
            return Ok(());
        }
        let mut table = read(storage).unwrap_or_else(|_| self.ours.clone());
        carry_over(&self.ours, &now, &mut table);
        let written = storage.set_item(KEY, &table_text(&table));
        written.map_err(|_refusal| "The browser has no more room for this site".to_owned())?;
        self.ours = now;
        Ok(())
    }
}

fn read(storage: &Storage) -> Result<PreferencesTable, String> {
    match storage.get_item(KEY) {
        Ok(Some(text)) => parse_table(&text)
            .map_err(|why| format!("What this browser remembered could not be read: {why}.")),
        Ok(None) => Ok(PreferencesTable::new()),
        Err(_) => Err("This browser does not show what it remembered.".to_owned()),
    }
}
