//! The file of preferences, `settings.json`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::write_file::write_file;
use crate::notebook::Preferences;

/// Unreadable files that are kept, at most.
const MOST_ASIDE: usize = 99;

/// Where the preferences are kept; nowhere when the system names no place.
#[derive(Clone, Debug)]
pub(super) struct PreferencesFile {
    file: Option<PathBuf>,
}

impl PreferencesFile {
    /// Opens the file of this user. A file that cannot be read is set aside,
    /// and the third value says so.
    pub(super) fn open() -> (Self, Preferences, Option<String>) {
        let folder = std::env::var_os("BINDPOSE_SETTINGS")
            .map(PathBuf::from)
            .or_else(|| settings_folder(System::HERE, |name| std::env::var_os(name)));
        match folder {
            Some(folder) => Self::open_in(&folder),
            None => (Self { file: None }, Preferences::default(), None),
        }
    }

    fn open_in(folder: &Path) -> (Self, Preferences, Option<String>) {
        let file = folder.join("settings.json");
        let preferences_file = Self {
            file: Some(file.clone()),
        };
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return (preferences_file, Preferences::default(), None);
            }
            Err(error) => return set_aside(preferences_file, &file, &error.to_string()),
        };
        match Preferences::parse(&text) {
            Ok(preferences) => (preferences_file, preferences, None),
            Err(error) => set_aside(preferences_file, &file, &error.to_string()),
        }
    }

    /// Writes them, making the folder if it is not there.
    pub(super) fn write(&self, preferences: &Preferences) {
        let Some(file) = &self.file else { return };
        let written = file
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| write_file(file, preferences.text().as_bytes(), true));
        if let Err(error) = written {
            log::warn!("settings were not saved to {}: {error}", file.display());
        }
    }
}

/// What decides where programs keep their data.
#[derive(Clone, Copy)]
enum System {
    /// Linux and the BSDs.
    Unix,
    Mac,
    Windows,
}

impl System {
    const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Mac
    } else {
        Self::Unix
    };
}

/// The folder that the system gives for the data of this program; `None` when
/// it names none. `variable` answers with a variable of the environment.
fn settings_folder(system: System, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let home = || {
        let named = variable("HOME").filter(|home| !home.is_empty());
        named.map(PathBuf::from).or_else(std::env::home_dir)
    };
    match system {
        System::Unix => variable("XDG_DATA_HOME")
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
            .or_else(|| home().map(|home| home.join(".local/share")))
            .map(|folder| folder.join("bindpose")),
        System::Mac => home().map(|home| home.join("Library/Application Support/bindpose")),
        System::Windows => {
            let roaming = PathBuf::from(variable("APPDATA")?);
            Some(roaming.join("bindpose").join("data"))
        }
    }
}

fn set_aside(
    preferences_file: PreferencesFile,
    file: &Path,
    why: &str,
) -> (PreferencesFile, Preferences, Option<String>) {
    // One that was set aside before stays.
    let names = std::iter::once("json.unreadable".to_owned())
        .chain((2..=MOST_ASIDE).map(|number| format!("json.unreadable-{number}")));
    let mut names = names.map(|ending| file.with_extension(ending));
    let aside = names.find(|aside| aside.symlink_metadata().is_err());
    let aside = aside.unwrap_or_else(|| file.with_extension("json.unreadable"));
    let what = match std::fs::rename(file, &aside) {
        Ok(()) => format!("It was set aside as {}", aside.display()),
        Err(error) => format!("It could not be set aside ({error})"),
    };
    let complaint =
        format!("The settings file could not be read ({why}). {what}; defaults are used.");
    (preferences_file, Preferences::default(), Some(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_lie_where_the_system_keeps_the_data_of_programs() {
        let folder = |system, variables: &[(&str, &str)]| {
            settings_folder(system, |name| {
                let found = variables.iter().find(|(other, _)| *other == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        let home = ("HOME", "/u/ada");
        let own = Some(PathBuf::from("/u/ada/.local/share/bindpose"));
        assert_eq!(folder(System::Unix, &[home]), own);
        assert_eq!(
            folder(System::Unix, &[home, ("XDG_DATA_HOME", "/data")]),
            Some("/data/bindpose".into())
        );
        for relative in ["", "data"] {
            let variables = [home, ("XDG_DATA_HOME", relative)];
            assert_eq!(
                folder(System::Unix, &variables),
                own,
                "“{relative}” is ignored"
            );
        }
        assert_eq!(
            folder(System::Mac, &[home, ("XDG_DATA_HOME", "/data")]),
            Some("/u/ada/Library/Application Support/bindpose".into())
        );
        let roaming = PathBuf::from("roaming");
        assert_eq!(
            folder(System::Windows, &[("APPDATA", "roaming")]),
            Some(roaming.join("bindpose").join("data"))
        );
        assert_eq!(folder(System::Windows, &[]), None);
    }

    #[test]
    fn a_corrupt_settings_file_is_set_aside_and_said_so() {
        let folder = tempfile::tempdir().unwrap();
        let (preferences_file, preferences, complaint) = PreferencesFile::open_in(folder.path());
        assert_eq!(
            (preferences.clone(), complaint),
            (Preferences::default(), None)
        );

        let changed = Preferences {
            zoom: 2.0,
            ..preferences
        };
        preferences_file.write(&changed);
        assert_eq!(PreferencesFile::open_in(folder.path()).1, changed);

        let file = folder.path().join("settings.json");
        std::fs::write(&file, "{ \"zoom\": ").unwrap();
        let (_, preferences, complaint) = PreferencesFile::open_in(folder.path());
        assert_eq!(preferences, Preferences::default());
        assert!(complaint.unwrap().contains("set aside"), "told once");
        assert!(folder.path().join("settings.json.unreadable").exists());
        assert!(!file.exists(), "the next start is clean");
        std::fs::write(&file, "[").unwrap();
        PreferencesFile::open_in(folder.path());
        let kept = std::fs::read(folder.path().join("settings.json.unreadable"));
        assert_eq!(kept.unwrap(), b"{ \"zoom\": ", "the first one stays");
        assert!(folder.path().join("settings.json.unreadable-2").exists());
    }
}
