//! The preferences file `settings.json`, which several windows may write at once, its
//! folder, and copies of files that could not be read.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bindpose_notebook::{Preferences, PreferencesTable, carry_over, parse_table, table_text};

use super::write_file::{folder_of, write_file};

/// Maximum wait for the lock. Another window holds it for milliseconds, but a suspended one
/// must not keep this one from ending.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Preferences file of this user.
#[derive(Clone, Debug)]
pub(super) struct PreferencesFile {
    /// `None` if the system has no folder for it.
    path: Option<PathBuf>,
    /// Preferences that this window has written last, or read at first.
    own_table: PreferencesTable,
    /// Whole content of the file when this window last read or wrote it.
    file_table: PreferencesTable,
}

/// Returns the saved preferences of this user.
pub(crate) fn saved_preferences() -> Preferences {
    PreferencesFile::open().1
}

impl PreferencesFile {
    /// Opens the file of this user. Returns the file, the preferences and a message for the
    /// reader about values that could not be read. Those have their defaults.
    pub(super) fn open() -> (Self, Preferences, Option<String>) {
        Self::open_in(settings_folder().as_deref())
    }

    pub(super) fn open_in(folder: Option<&Path>) -> (Self, Preferences, Option<String>) {
        let path = folder.map(|folder| folder.join("settings.json"));
        let mut table = PreferencesTable::new();
        let mut complaint = None;
        if let Some(path) = &path {
            match FileContent::read(path) {
                Ok(FileContent::Missing) => {}
                Ok(FileContent::Table(content)) => table = content,
                Ok(FileContent::Unreadable { bytes, why }) => {
                    complaint = Some(describe_unreadable(&why, Some(set_aside(path, &bytes))));
                }
                Err(error) => complaint = Some(describe_unreadable(&error.to_string(), None)),
            }
        }
        let (preferences, wrong_names) = Preferences::from_table(&table);
        if complaint.is_none() && !wrong_names.is_empty() {
            complaint = Some(describe_wrong_values(&wrong_names));
        }
        let file = Self { path, own_table: preferences.table(), file_table: table };
        (file, preferences, complaint)
    }

    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Writes the changes since the last call, and creates the folder if necessary. Values
    /// that other windows have written in the meantime are kept.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written. The next call writes the same changes.
    pub(super) fn write(&mut self, preferences: &Preferences) -> io::Result<()> {
        let new_table = preferences.table();
        if new_table == self.own_table {
            return Ok(());
        }
        let Some(file) = self.path.as_deref() else { return Ok(()) };
        std::fs::create_dir_all(folder_of(file))?;
        let _lock = lock(&file.with_extension("json.lock"));
        let mut table = match FileContent::read(file)? {
            FileContent::Table(table) => table,
            FileContent::Missing => self.file_table.clone(),
            FileContent::Unreadable { bytes, .. } => {
                set_aside(file, &bytes)?;
                self.file_table.clone()
            }
        };
        carry_over(&self.own_table, &new_table, &mut table);
        write_file(file, table_text(&table).as_bytes(), true)?;
        self.own_table = new_table;
        self.file_table = table;
        Ok(())
    }
}

/// Content of the preferences file.
enum FileContent {
    Missing,
    Table(PreferencesTable),
    /// Bytes that are not a table of preferences.
    Unreadable {
        bytes: Vec<u8>,
        why: String,
    },
}

impl FileContent {
    fn read(file: &Path) -> io::Result<Self> {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Missing),
            Err(error) => return Err(error),
        };
        let table = match std::str::from_utf8(&bytes) {
            Ok(text) => parse_table(text).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        Ok(match table {
            Ok(table) => Self::Table(table),
            Err(why) => Self::Unreadable { bytes, why },
        })
    }
}

/// Keeps other windows from writing until the returned file is dropped. Returns `None` if the
/// lock is not available in time, or if the file system has no locks.
fn lock(file: &Path) -> Option<File> {
    let lock = File::create(file).ok()?;
    let start = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Some(lock),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(_) => return None,
        }
    }
}

fn describe_unreadable(why: &str, copy: Option<io::Result<PathBuf>>) -> String {
    let copy_text = match copy {
        Some(Ok(copy)) => format!("A copy of it is kept as {}", copy.display()),
        Some(Err(error)) => format!("No copy of it could be kept ({error})"),
        None => "It stays as it is".to_owned(),
    };
    format!("The settings file could not be read ({why}). {copy_text}; defaults are used.")
}

fn describe_wrong_values(names: &[&str]) -> String {
    let quoted_names: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    format!(
        "The settings file has a value that makes no sense for {}; the default is used there.",
        quoted_names.join(", ")
    )
}

/// Returns the folder in `BINDPOSE_SETTINGS`, or the system's folder for this program.
/// Returns `None` if the system has none.
pub(crate) fn settings_folder() -> Option<PathBuf> {
    std::env::var_os("BINDPOSE_SETTINGS")
        .map(PathBuf::from)
        .or_else(|| system_data_folder(System::CURRENT, |name| std::env::var_os(name)))
}

/// System conventions for the data of programs.
#[derive(Clone, Copy)]
enum System {
    /// Linux and the BSDs.
    Unix,
    Mac,
    Windows,
}

impl System {
    const CURRENT: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Mac
    } else {
        Self::Unix
    };
}

/// Returns the system's folder for the data of this program, or `None` if it has none.
/// `get_variable` reads a variable of the environment.
fn system_data_folder(
    system: System,
    get_variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    match system {
        System::Unix => {
            let data_folder = get_variable("XDG_DATA_HOME").map(PathBuf::from);
            match data_folder.filter(|folder| folder.is_absolute()) {
                Some(folder) => Some(folder.join("bindpose")),
                None => Some(home_folder(get_variable)?.join(".local/share/bindpose")),
            }
        }
        System::Mac => {
            Some(home_folder(get_variable)?.join("Library/Application Support/bindpose"))
        }
        System::Windows => {
            let roaming = PathBuf::from(get_variable("APPDATA")?);
            Some(roaming.join("bindpose").join("data"))
        }
    }
}

fn home_folder(get_variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    match get_variable("HOME") {
        Some(home) if !home.is_empty() => Some(PathBuf::from(home)),
        _ => std::env::home_dir(),
    }
}

/// Writes the bytes of a file to a copy beside it with an unused name, and returns its path.
/// An earlier copy with the same bytes is used instead.
fn set_aside(file: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut number = 1_u64;
    loop {
        let extension = match number {
            1 => "json.unreadable".to_owned(),
            _ => format!("json.unreadable-{number}"),
        };
        let copy_path = file.with_extension(extension);
        match fs::OpenOptions::new().write(true).create_new(true).open(&copy_path) {
            Ok(mut copy) => {
                copy.write_all(bytes)?;
                copy.sync_all()?;
                return Ok(copy_path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if fs::read(&copy_path).is_ok_and(|existing| existing == bytes) {
                    return Ok(copy_path);
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
    fn the_settings_folder_is_the_systems_folder_for_program_data() {
        let folder = |system, variables: &[(&str, &str)]| {
            system_data_folder(system, |name| {
                let variable = variables.iter().find(|(other, _)| *other == name);
                variable.map(|(_, value)| OsString::from(value))
            })
        };
        let home = ("HOME", "/u/ada");
        let default_folder = Some(PathBuf::from("/u/ada/.local/share/bindpose"));
        assert_eq!(folder(System::Unix, &[home]), default_folder);
        assert_eq!(
            folder(System::Unix, &[home, ("XDG_DATA_HOME", "/data")]),
            Some("/data/bindpose".into())
        );
        for relative in ["", "data"] {
            let variables = [home, ("XDG_DATA_HOME", relative)];
            let unix_folder = folder(System::Unix, &variables);
            assert_eq!(unix_folder, default_folder, "“{relative}” is ignored");
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

    fn with_seen_step(folder: &Path, step: &str) -> Preferences {
        let mut preferences = open(folder).1;
        preferences.progress.step_mut("arm", step).seen = true;
        preferences
    }

    fn seen_steps(preferences: &Preferences) -> Vec<&str> {
        preferences.progress.records().map(|(_, step, _)| step).collect()
    }

    #[test]
    fn written_preferences_are_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("of the system/bindpose");
        let (mut file, preferences, complaint) = open(&folder);
        assert_eq!((preferences.clone(), complaint), (Preferences::default(), None));
        let changed = Preferences { zoom: 2.0, ..preferences };
        file.write(&changed).unwrap();
        assert_eq!(open(&folder).1, changed);
        let table: PreferencesTable =
            serde_json::from_slice(&fs::read(folder.join("settings.json")).unwrap()).unwrap();
        assert_eq!(table["version"], 1);
    }

    #[test]
    fn two_windows_keep_each_others_progress_and_write_only_their_own_changes() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let (mut file_one, mut preferences_one, _) = open(folder);
        let (mut file_two, mut preferences_two, _) = open(folder);
        preferences_one.dark = Some(true);
        preferences_one.progress = with_seen_step(folder, "one").progress;
        preferences_one.recent = vec!["/a.glb".into()];
        file_one.write(&preferences_one).unwrap();
        preferences_two.zoom = 2.0;
        preferences_two.recent = vec!["/b.glb".into()];
        preferences_two.progress = with_seen_step(folder, "two").progress;
        file_two.write(&preferences_two).unwrap();
        let both = open(folder).1;
        assert_eq!((both.dark, both.zoom), (Some(true), 2.0));
        assert_eq!(seen_steps(&both), ["one", "two"]);
        assert_eq!(both.recent, ["/b.glb", "/a.glb"].map(PathBuf::from));

        // Values that a window has not read are kept.
        preferences_two.zoom = 1.5;
        file_two.write(&preferences_two).unwrap();
        file_one.write(&preferences_one).unwrap();
        let both = open(folder).1;
        assert_eq!((both.dark, both.zoom), (Some(true), 1.5));
        assert_eq!(seen_steps(&both), ["one", "two"]);
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
        assert_eq!(seen_steps(&open(folder).1).len(), 8);
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().collect();
        names.retain(|entry| entry.as_ref().unwrap().file_name() != "settings.json.lock");
        assert_eq!(names.len(), 1, "{names:?}");
    }

    #[test]
    fn an_unreadable_file_is_copied_and_reported_every_time() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let file = folder.join("settings.json");
        let read_copy = |name: &str| fs::read(folder.join(name)).ok();
        for (broken, name) in
            [("{ \"zoom\": ", "settings.json.unreadable"), ("[", "settings.json.unreadable-2")]
        {
            fs::write(&file, broken).unwrap();
            for _ in 0..2 {
                let (_, preferences, complaint) = open(folder);
                assert_eq!(preferences, Preferences::default());
                assert!(complaint.unwrap().contains("kept as"), "reported");
                assert_eq!(read_copy(name).unwrap(), broken.as_bytes());
            }
        }
        assert!(read_copy("settings.json.unreadable-3").is_none(), "one of each");
        assert!(read_copy("settings.json.unreadable").unwrap().starts_with(b"{"));

        let (mut opened, mut preferences, _) = open(folder);
        preferences.zoom = 2.0;
        opened.write(&preferences).unwrap();
        fs::write(&file, b"\xff").unwrap();
        preferences.dark = Some(true);
        opened.write(&preferences).unwrap();
        assert_eq!(open(folder).1, preferences, "all of it");
        assert_eq!(read_copy("settings.json.unreadable-3").unwrap(), b"\xff");
    }

    #[test]
    fn a_wrong_value_is_named_and_stays_in_the_file_until_it_is_set() {
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
    fn writing_follows_a_symbolic_link_and_keeps_it() {
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
    fn changes_that_could_not_be_written_are_written_the_next_time() {
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
