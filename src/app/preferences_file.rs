//! The file of preferences, `settings.json`, which several windows may write; where it lies,
//! and copies of files that could not be read.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bindpose_notebook::{Preferences, PreferencesTable, carry_over, parse_table, table_text};

use super::write_file::{folder_of, write_file};

/// Another window writes for milliseconds. One that is stopped meanwhile must
/// not keep this one from ending.
const LOCK_WAITS: Duration = Duration::from_secs(2);

/// Where the preferences are kept; nowhere when the system names no place.
#[derive(Clone, Debug)]
pub(super) struct PreferencesFile {
    file: Option<PathBuf>,
    /// What this window has put into the file so far; at first, what it read.
    ours: PreferencesTable,
    /// All that was in the file when this window last read or wrote it.
    last: PreferencesTable,
}

/// What is remembered of this reader, as far as it was saved.
pub(crate) fn remembered() -> Preferences {
    PreferencesFile::open().1
}

impl PreferencesFile {
    /// Opens the file of this user. What of it cannot be read is as at first, and
    /// the third value says so.
    pub(super) fn open() -> (Self, Preferences, Option<String>) {
        Self::open_in(settings_folder().as_deref())
    }

    pub(super) fn open_in(folder: Option<&Path>) -> (Self, Preferences, Option<String>) {
        let file = folder.map(|folder| folder.join("settings.json"));
        let (table, broken) = match file.as_deref().map(PreferencesContent::of) {
            None | Some(Ok(PreferencesContent::Nothing)) => (PreferencesTable::new(), None),
            Some(Ok(PreferencesContent::Table(table))) => (table, None),
            Some(Ok(PreferencesContent::Broken(bytes, why))) => {
                let aside = file.as_deref().map(|file| set_aside(file, &bytes));
                (PreferencesTable::new(), Some(broken_words(&why, aside)))
            }
            Some(Err(error)) => {
                (PreferencesTable::new(), Some(broken_words(&error.to_string(), None)))
            }
        };
        let (preferences, wrong) = Preferences::from_table(&table);
        let wrong = (!wrong.is_empty()).then(|| wrong_words(&wrong));
        let opened = Self { file, ours: preferences.table(), last: table };
        (opened, preferences, broken.or(wrong))
    }

    /// Where it is.
    pub(super) fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Puts into the file what has changed since this was last called, making the
    /// folder if it is not there. What others have written meanwhile stays.
    ///
    /// Errors: in the system's words; the same changes are written the next time.
    pub(super) fn write(&mut self, preferences: &Preferences) -> io::Result<()> {
        let now = preferences.table();
        let Some(file) = self.file.as_deref().filter(|_| now != self.ours) else {
            return Ok(());
        };
        std::fs::create_dir_all(folder_of(file))?;
        let _lock = lock(&file.with_extension("json.lock"));
        let mut table = match PreferencesContent::of(file)? {
            PreferencesContent::Table(table) => table,
            PreferencesContent::Nothing => self.last.clone(),
            PreferencesContent::Broken(bytes, _) => {
                set_aside(file, &bytes)?;
                self.last.clone()
            }
        };
        carry_over(&self.ours, &now, &mut table);
        write_file(file, table_text(&table).as_bytes(), true)?;
        (self.ours, self.last) = (now, table);
        Ok(())
    }
}

/// What stands in the file.
enum PreferencesContent {
    /// There is none.
    Nothing,
    Table(PreferencesTable),
    /// Bytes that are no settings, and why.
    Broken(Vec<u8>, String),
}

impl PreferencesContent {
    fn of(file: &Path) -> io::Result<Self> {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(error),
        };
        let table = match std::str::from_utf8(&bytes) {
            Ok(text) => parse_table(text).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        Ok(match table {
            Ok(table) => Self::Table(table),
            Err(why) => Self::Broken(bytes, why),
        })
    }
}

/// Keeps other windows from writing until it is dropped; `None` where that cannot
/// be had in time, or the file system has no locks.
fn lock(file: &Path) -> Option<File> {
    let lock = File::create(file).ok()?;
    let asked = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Some(lock),
            Err(TryLockError::WouldBlock) if asked.elapsed() < LOCK_WAITS => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(_) => return None,
        }
    }
}

fn broken_words(why: &str, aside: Option<io::Result<PathBuf>>) -> String {
    let what = match aside {
        Some(Ok(aside)) => format!("A copy of it is kept as {}", aside.display()),
        Some(Err(error)) => format!("No copy of it could be kept ({error})"),
        None => "It stays as it is".to_owned(),
    };
    format!("The settings file could not be read ({why}). {what}; defaults are used.")
}

fn wrong_words(wrong: &[&str]) -> String {
    let names: Vec<String> = wrong.iter().map(|name| format!("“{name}”")).collect();
    format!(
        "The settings file has a value that makes no sense for {}; the default is used there.",
        names.join(", ")
    )
}

/// The folder that `BINDPOSE_SETTINGS` names, or the one that the system gives;
/// `None` when it gives none.
pub(crate) fn settings_folder() -> Option<PathBuf> {
    std::env::var_os("BINDPOSE_SETTINGS")
        .map(PathBuf::from)
        .or_else(|| folder_by_system(System::HERE, |name| std::env::var_os(name)))
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
fn folder_by_system(
    system: System,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
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

/// Keeps these bytes of a file beside it, under a name that nothing has; under
/// that of an earlier copy where it holds the same.
fn set_aside(file: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut number = 1_u64;
    loop {
        let ending = match number {
            1 => "json.unreadable".to_owned(),
            _ => format!("json.unreadable-{number}"),
        };
        let aside = file.with_extension(ending);
        match fs::OpenOptions::new().write(true).create_new(true).open(&aside) {
            Ok(mut copy) => {
                copy.write_all(bytes)?;
                copy.sync_all()?;
                return Ok(aside);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if fs::read(&aside).is_ok_and(|kept| kept == bytes) {
                    return Ok(aside);
                }
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod folder_tests {
    use super::*;

    #[test]
    fn settings_lie_where_the_system_keeps_the_data_of_programs() {
        let folder = |system, variables: &[(&str, &str)]| {
            folder_by_system(system, |name| {
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
            assert_eq!(folder(System::Unix, &variables), own, "“{relative}” is ignored");
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
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn open(folder: &Path) -> (PreferencesFile, Preferences, Option<String>) {
        PreferencesFile::open_in(Some(folder))
    }

    fn read(folder: &Path, step: &str) -> Preferences {
        let mut preferences = open(folder).1;
        preferences.progress.step_mut("arm", step).seen = true;
        preferences
    }

    fn seen(preferences: &Preferences) -> Vec<&str> {
        let records = preferences.progress.records();
        records.map(|(_, step, _)| step).collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("of the system/bindpose");
        let (mut file, preferences, complaint) = open(&folder);
        assert_eq!((preferences.clone(), complaint), (Preferences::default(), None));
        let changed = Preferences { zoom: 2.0, ..preferences };
        file.write(&changed).unwrap();
        assert_eq!(open(&folder).1, changed);
        let stands: PreferencesTable =
            serde_json::from_slice(&fs::read(folder.join("settings.json")).unwrap()).unwrap();
        assert_eq!(stands["version"], 1);
    }

    #[test]
    fn two_windows_keep_each_others_progress_and_change_only_what_is_theirs() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let (mut one, mut of_one, _) = open(folder);
        let (mut two, of_two, _) = open(folder);
        of_one.dark = Some(true);
        of_one.progress = read(folder, "one").progress;
        of_one.recent = vec!["/a.glb".into()];
        one.write(&of_one).unwrap();
        let mut of_two = Preferences {
            zoom: 2.0,
            recent: vec!["/b.glb".into()],
            progress: read(folder, "two").progress,
            ..of_two
        };
        two.write(&of_two).unwrap();
        let both = open(folder).1;
        assert_eq!((both.dark, both.zoom), (Some(true), 2.0));
        assert_eq!(seen(&both), ["one", "two"]);
        assert_eq!(both.recent, ["/b.glb", "/a.glb"].map(PathBuf::from));

        // Nothing of the other is taken away by what this one does not know of.
        of_two.zoom = 1.5;
        two.write(&of_two).unwrap();
        one.write(&of_one).unwrap();
        let both = open(folder).1;
        assert_eq!((both.dark, both.zoom), (Some(true), 1.5));
        assert_eq!(seen(&both), ["one", "two"]);
        assert_eq!(both.recent.len(), 2);
    }

    #[test]
    fn many_windows_at_once_lose_nothing_and_leave_one_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        std::thread::scope(|scope| {
            for number in 0..8 {
                scope.spawn(move || {
                    let (mut file, mut preferences, _) = open(folder);
                    preferences.progress.step_mut("arm", &number.to_string()).seen = true;
                    file.write(&preferences).unwrap();
                });
            }
        });
        assert_eq!(seen(&open(folder).1).len(), 8);
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().collect();
        names.retain(|entry| entry.as_ref().unwrap().file_name() != "settings.json.lock");
        assert_eq!(names.len(), 1, "{names:?}");
    }

    #[test]
    fn what_cannot_be_read_is_kept_aside_every_time_and_said_so() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let file = folder.join("settings.json");
        let aside = |name: &str| fs::read(folder.join(name)).ok();
        for (broken, name) in
            [("{ \"zoom\": ", "settings.json.unreadable"), ("[", "settings.json.unreadable-2")]
        {
            fs::write(&file, broken).unwrap();
            for _ in 0..2 {
                let (_, preferences, complaint) = open(folder);
                assert_eq!(preferences, Preferences::default());
                assert!(complaint.unwrap().contains("kept as"), "told");
                assert_eq!(aside(name).unwrap(), broken.as_bytes());
            }
        }
        assert!(aside("settings.json.unreadable-3").is_none(), "one of each");
        assert!(aside("settings.json.unreadable").unwrap().starts_with(b"{"));

        let (mut opened, mut preferences, _) = open(folder);
        preferences.zoom = 2.0;
        opened.write(&preferences).unwrap();
        fs::write(&file, b"\xff").unwrap();
        preferences.dark = Some(true);
        opened.write(&preferences).unwrap();
        assert_eq!(open(folder).1, preferences, "all of it");
        assert_eq!(aside("settings.json.unreadable-3").unwrap(), b"\xff");
    }

    #[test]
    fn one_wrong_value_is_named_and_stays_in_the_file_until_it_is_set() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let file = folder.join("settings.json");
        fs::write(&file, "\u{feff}{\"zoom\": \"large\", \"dark\": true, \"x\": 1}").unwrap();
        let (mut opened, mut preferences, complaint) = open(folder);
        assert_eq!((preferences.dark, preferences.zoom), (Some(true), 1.0));
        assert!(complaint.unwrap().contains("“zoom”"));
        preferences.contents = false;
        opened.write(&preferences).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("large") && text.contains("\"x\": 1"), "{text}");
        preferences.zoom = 1.5;
        opened.write(&preferences).unwrap();
        assert_eq!(open(folder).1, preferences);
        assert!(open(folder).2.is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_file_that_is_written_and_stays_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let mine = folder.join("mine.json");
        fs::write(&mine, "broken").unwrap();
        let link = folder.join("settings.json");
        std::os::unix::fs::symlink("mine.json", &link).unwrap();
        let (mut opened, mut preferences, _) = open(folder);
        preferences.zoom = 2.0;
        opened.write(&preferences).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert!(fs::read_to_string(&mine).unwrap().contains("zoom"));
        assert_eq!(open(folder).1, preferences);
    }

    #[test]
    fn what_could_not_be_written_is_written_the_next_time() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("settings");
        fs::write(&folder, "a file where the folder would be").unwrap();
        let (mut opened, mut preferences, _) = open(&folder);
        preferences.zoom = 2.0;
        assert!(opened.write(&preferences).is_err());
        fs::remove_file(&folder).unwrap();
        opened.write(&preferences).unwrap();
        assert_eq!(open(&folder).1, preferences);
    }
}
