//! The settings file.

use std::path::{Path, PathBuf};

use crate::notebook::Settings;

/// Where settings are kept; nowhere when the system names no place for them.
#[derive(Clone, Debug)]
pub(super) struct Store {
    file: Option<PathBuf>,
}

impl Store {
    /// Opens the file of this user. A file that cannot be read is set aside,
    /// and the third value says so.
    pub(super) fn open() -> (Self, Settings, Option<String>) {
        let folder = std::env::var_os("BINDPOSE_SETTINGS")
            .map(PathBuf::from)
            .or_else(|| eframe::storage_dir("bindpose"));
        match folder {
            Some(folder) => Self::open_in(&folder),
            None => (Self { file: None }, Settings::default(), None),
        }
    }

    fn open_in(folder: &Path) -> (Self, Settings, Option<String>) {
        let file = folder.join("settings.json");
        let store = Self {
            file: Some(file.clone()),
        };
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return (store, Settings::default(), None);
            }
            Err(error) => return set_aside(store, &file, &error.to_string()),
        };
        match Settings::parse(&text) {
            Ok(settings) => (store, settings, None),
            Err(error) => set_aside(store, &file, &error.to_string()),
        }
    }

    /// Writes to a new file first, so that a crash never leaves half of one.
    pub(super) fn write(&self, settings: &Settings) {
        let Some(file) = &self.file else { return };
        let new = file.with_extension("json.new");
        let written = file
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&new, settings.text()))
            .and_then(|()| std::fs::rename(&new, file));
        if let Err(error) = written {
            log::warn!("settings were not saved to {}: {error}", file.display());
        }
    }
}

fn set_aside(store: Store, file: &Path, why: &str) -> (Store, Settings, Option<String>) {
    let aside = file.with_extension("json.unreadable");
    let what = match std::fs::rename(file, &aside) {
        Ok(()) => format!("It was set aside as {}", aside.display()),
        Err(error) => format!("It could not be set aside ({error})"),
    };
    let complaint =
        format!("The settings file could not be read ({why}). {what}; defaults are used.");
    (store, Settings::default(), Some(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrupt_settings_file_is_set_aside_and_said_so() {
        let folder = tempfile::tempdir().unwrap();
        let (store, settings, complaint) = Store::open_in(folder.path());
        assert_eq!((settings.clone(), complaint), (Settings::default(), None));

        let changed = Settings {
            zoom: 2.0,
            ..settings
        };
        store.write(&changed);
        assert_eq!(Store::open_in(folder.path()).1, changed);

        let file = folder.path().join("settings.json");
        std::fs::write(&file, "{ \"zoom\": ").unwrap();
        let (_, settings, complaint) = Store::open_in(folder.path());
        assert_eq!(settings, Settings::default());
        assert!(complaint.unwrap().contains("set aside"), "told once");
        assert!(folder.path().join("settings.json.unreadable").exists());
        assert!(!file.exists(), "the next start is clean");
    }
}
