//! What is remembered, in the browser's local storage, in the form of the
//! settings file.

use web_sys::Storage;

use bindpose_notebook::{Preferences, PreferencesTable, carry_over, parse_table, table_text};

const KEY: &str = "bindpose.settings";
/// Of what could not be read; further ones have a number.
const ASIDE: &str = "bindpose.settings.unreadable";
/// Copies kept, at most: a site has some megabytes.
const MOST_ASIDE: usize = 5;

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
            let aside = storage.as_ref().map(set_aside).unwrap_or_default();
            format!("Of what this browser remembered, this could not be read: {wrong}. {aside}")
        });
        let ours = preferences.table();
        (Self { storage, ours }, preferences, broken.or(wrong))
    }

    /// Writes what has changed. What other pages of this site have written
    /// meanwhile stays.
    ///
    /// Errors: in words, when the browser refuses; the same is written the next time.
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

/// What cannot be read is set aside, in words, before anything is written over it.
fn read(storage: &Storage) -> Result<PreferencesTable, String> {
    match storage.get_item(KEY) {
        Ok(Some(text)) => parse_table(&text).map_err(|why| {
            let aside = set_aside(storage);
            format!("What this browser remembered could not be read: {why}. {aside}")
        }),
        Ok(None) => Ok(PreferencesTable::new()),
        Err(_) => Err("This browser does not show what it remembered.".to_owned()),
    }
}

/// Keeps a copy of what is there under a name that nothing has, or under that of an
/// earlier copy of the same; says where.
fn set_aside(storage: &Storage) -> String {
    let Ok(Some(text)) = storage.get_item(KEY) else {
        return String::new();
    };
    for number in 1..=MOST_ASIDE {
        let key = match number {
            1 => ASIDE.to_owned(),
            _ => format!("{ASIDE}-{number}"),
        };
        let there = storage.get_item(&key).ok().flatten();
        let same = there.as_ref() == Some(&text);
        if same || (there.is_none() && storage.set_item(&key, &text).is_ok()) {
            return format!("A copy of it is kept in this site’s storage, as {key}.");
        }
    }
    "There is no room for a copy of it.".to_owned()
}
