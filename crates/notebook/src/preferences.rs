//! State stored between runs, as a JSON table of fields. Fields are parsed
//! independently: an invalid field gets its default and does not affect the
//! others.
//!
//! # Adding a field
//!
//! Add a field to [`Preferences`] (`preferences/values.rs`) and a row to the
//! table in `preferences/fields.rs`. The row gives its key in the file, how it
//! is written, how it is parsed (tolerating invalid parts), and how two windows
//! merge it: as a table or list of entries, as texts of which no version is
//! lost, or as a single value, where the last change wins. Old files lack the
//! field and get its default. An older program keeps fields that it does not
//! know.
//!
//! The page passes `Preferences` to the saver (`src/app/host/desktop/preferences_saver.rs`)
//! in each frame with a command or an edit (`Shell::changes`). The saver writes
//! on its own thread: at once, then every second, and at exit, including
//! SIGTERM and SIGINT.

mod fields;
mod values;

use serde_json::{Map, Value};

use super::ReaderProgress;
use fields::{COURSES_KEY, FIELDS, PROGRESS_KEY, RECENT_KEY, VERSION, VERSION_KEY};
use values::Merge;

pub use values::{KeptPage, MAX_RECENT_MODELS, Preferences, ZOOM_RANGE};

/// A parsed settings file: fields by key.
pub type PreferencesTable = Map<String, Value>;

impl Preferences {
    /// Parses the known fields of a table. The second value lists the keys of
    /// invalid fields, which have their defaults.
    pub fn from_table(table: &PreferencesTable) -> (Self, Vec<&'static str>) {
        let mut preferences = Self::default();
        let mut wrong = Vec::new();
        for field in &FIELDS {
            let value = table.get(field.key);
            if value.is_some_and(|value| !(field.read)(&mut preferences, value)) {
                wrong.push(field.key);
            }
        }
        (preferences, wrong)
    }

    /// Returns all fields by key.
    pub fn table(&self) -> PreferencesTable {
        FIELDS.iter().map(|field| (field.key.to_owned(), (field.write)(self))).collect()
    }
}

/// Parses the text of a settings file.
///
/// # Errors
///
/// Fails if it is not a JSON table.
pub fn parse_table(text: &str) -> Result<PreferencesTable, serde_json::Error> {
    // Editors on Windows add a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut table: PreferencesTable = serde_json::from_str(text)?;
    // Before version 1, a page was stored as a link.
    if let Some(link @ Value::String(_)) = table.remove("link")
        && !table.contains_key(fields::PAGE_KEY)
    {
        let page = serde_json::json!({ "link": link });
        table.insert(fields::PAGE_KEY.to_owned(), page);
    }
    // Before version 1, progress was a list of visited steps.
    if let Some(Value::Object(lessons)) = table.remove("visited")
        && !table.contains_key(fields::PROGRESS_KEY)
    {
        let mut progress = ReaderProgress::default();
        for (lesson, steps) in &lessons {
            for step in steps.as_array().into_iter().flatten().filter_map(Value::as_str) {
                progress.step_mut(lesson, step).seen = true;
            }
        }
        let progress = serde_json::to_value(progress).unwrap_or_default();
        table.insert(fields::PROGRESS_KEY.to_owned(), progress);
    }
    Ok(table)
}

/// Serializes a table for the file, with the version of the format. A newer
/// version is kept.
pub fn table_text(table: &PreferencesTable) -> String {
    let mut table = table.clone();
    let newer = table.get(VERSION_KEY).and_then(Value::as_u64);
    let version = newer.unwrap_or(VERSION).max(VERSION);
    table.insert(VERSION_KEY.to_owned(), version.into());
    serde_json::to_string_pretty(&table).unwrap_or_default()
}

/// Applies the changes between `before` and `now` to `table`, which another
/// window may have written meanwhile. Unchanged fields are left as they are in
/// `table`. In lists and tables, entries are added and removed, and no text
/// that the other window wrote is lost (see `merge` in the table of fields).
/// Fields missing in `table` are copied from `now`.
pub fn carry_over(before: &PreferencesTable, now: &PreferencesTable, table: &mut PreferencesTable) {
    values::carry_over(before, now, table, |key| {
        let field = FIELDS.iter().find(|field| field.key == key);
        field.map_or(Merge::Whole, |field| field.merge)
    });
    // Another version may have dropped fields, so restore all of ours.
    for (key, value) in now {
        table.entry(key).or_insert_with(|| value.clone());
    }
    if let Some(Value::Array(recent)) = table.get_mut(fields::RECENT_KEY) {
        recent.truncate(MAX_RECENT_MODELS);
    }
}

// A reader's work as a file, for another browser or computer: the settings file
// without fields that concern one machine.

/// Fields that concern one machine: windows and file paths.
const MACHINE_KEYS: [&str; 5] =
    ["window_size", "window_position", "model", RECENT_KEY, COURSES_KEY];

/// Serializes the work of a reader.
pub fn work_text(preferences: &Preferences) -> String {
    let mut table = preferences.table();
    table.retain(|key, _| !MACHINE_KEYS.contains(&key.as_str()));
    table_text(&table)
}

/// Parses a work file or a settings file. Returns `None` if it is neither.
pub fn work_from(bytes: &[u8]) -> Option<PreferencesTable> {
    let mut table = parse_table(std::str::from_utf8(bytes).ok()?).ok()?;
    let is_work = table.contains_key(VERSION_KEY) && table.get(PROGRESS_KEY)?.is_object();
    table.retain(|key, _| !MACHINE_KEYS.contains(&key.as_str()));
    is_work.then_some(table)
}

impl Preferences {
    /// Merges a work file: lists and tables get the entries of both, texts are
    /// joined, and single values are taken from the file. The second value
    /// lists invalid fields of the file.
    pub fn with_work(&self, work: &PreferencesTable) -> (Self, Vec<&'static str>) {
        let (_, wrong) = Self::from_table(work);
        let mut table = self.table();
        carry_over(&PreferencesTable::new(), work, &mut table);
        let (mut both, _) = Self::from_table(&table);
        // If both have changed a step, the last link wins.
        both.kept.reverse();
        (both, wrong)
    }
}

#[cfg(test)]
mod tests {

    use std::path::PathBuf;

    use super::*;
    use crate::KeptPage;

    fn read(text: &str) -> (Preferences, Vec<&'static str>) {
        Preferences::from_table(&parse_table(text).unwrap())
    }

    #[test]
    fn settings_survive_a_round_trip() {
        let mut preferences = Preferences {
            dark: Some(true),
            zoom: 1.5,
            window_size: Some([1280.0, 720.0]),
            page: Some(KeptPage {
                link: "bindpose://your-model/pose-it?model=fox.glb&joint=2".to_owned(),
                step: Some(2),
                model: Some("/models/fox.glb".into()),
            }),
            model: Some("/models/fox.glb".into()),
            recent: vec!["/models/fox.glb".into(), "/models/cat.glb".into()],
            ..Preferences::default()
        };
        preferences.waiting = preferences.page.iter().cloned().collect();
        let record = preferences.progress.step_mut("bind-pose", "a-head");
        record.seen = true;
        let answer = record.answers.entry("lift".to_owned()).or_default();
        answer.entry(1).or_default().solved = true;
        let text = table_text(&preferences.table());
        assert_eq!(read(&text), (preferences, Vec::new()));
    }

    #[test]
    fn invalid_field_does_not_affect_others() {
        let text = r#"{
            "zoom": "large", "dark": true, "window_size": [3, 5], "window_position": [-40, 8],
            "progress": {"arm": {"one": {"seen": true}, "two": 2}, "leg": 3},
            "recent": [7, "/a.glb"], "page": {"step": 2}
        }"#;
        let (read, wrong) = read(text);
        assert_eq!(wrong, ["zoom", "window_size", "progress", "page", "recent"], "each is named");
        assert_eq!((read.zoom, read.dark), (1.0, Some(true)));
        assert_eq!(read.window_size, None, "too small to be one");
        assert_eq!(read.window_position, Some([-40.0, 8.0]));
        let seen: Vec<_> = read.progress.records().map(|(l, s, _)| (l, s)).collect();
        assert_eq!(seen, [("arm", "one")], "entries that are sound");
        assert_eq!(read.recent, [PathBuf::from("/a.glb")]);
        assert_eq!(read.page, None);
    }

    #[test]
    fn byte_order_mark_and_odd_numbers_are_accepted() {
        let (read, wrong) = read("\u{feff}{\"zoom\": 1e9}");
        assert_eq!((read.zoom, wrong), (3.0, Vec::new()));
        assert!(parse_table("{\"zoom\": ").is_err());
        assert!(parse_table("[1]").is_err());
    }

    #[test]
    fn old_files_store_the_page_as_link() {
        let (read, wrong) = read(
            r#"{"link": "bindpose://arm", "visited": {"arm": ["one", 2]}, "recent": ["/a.glb"]}"#,
        );
        assert!(read.progress.record("arm", "one").is_some_and(|one| one.seen));
        assert!(wrong.is_empty(), "{wrong:?}");
        let page = read.page.unwrap();
        assert_eq!((&*page.link, page.step), ("bindpose://arm", None));
    }

    #[test]
    fn unknown_fields_are_kept() {
        let mut table = parse_table(r#"{"version": 9, "fonts": {"size": 3}, "zoom": 1.25}"#);
        let table = table.as_mut().unwrap();
        let before = Preferences::from_table(table).0;
        let mut now = before.clone();
        now.dark = Some(false);
        carry_over(&before.table(), &now.table(), table);
        let written = parse_table(&table_text(table)).unwrap();
        assert_eq!(written["version"], 9);
        assert_eq!(written["fonts"]["size"], 3);
        assert_eq!(written["dark"], false);
        assert_eq!(Preferences::from_table(&written).0, now);
        let plain = parse_table(&table_text(&now.table())).unwrap();
        assert_eq!(plain["version"], 1);
    }

    #[cfg(unix)]
    #[test]
    fn non_utf8_paths_are_kept() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/models/f\xfcr%20.glb"));
        let preferences = Preferences {
            recent: vec![path.clone(), "/models/50%25.glb".into()],
            ..Preferences::default()
        };
        let text = table_text(&preferences.table());
        assert_eq!(read(&text).0.recent, preferences.recent, "{text}");
    }

    #[test]
    fn merged_list_of_models_is_limited() {
        let named = |letter: &str| {
            let names =
                (0..MAX_RECENT_MODELS).map(|number| format!("/{letter}{number}.glb").into());
            Preferences { recent: names.collect(), ..Preferences::default() }
        };
        let mut table = named("a").table();
        carry_over(&Preferences::default().table(), &named("b").table(), &mut table);
        assert_eq!(Preferences::from_table(&table).0, named("b"));
        assert_eq!(table["recent"].as_array().unwrap().len(), MAX_RECENT_MODELS);
    }

    fn at_home() -> Preferences {
        let mut home = Preferences {
            dark: Some(true),
            window_size: Some([900.0, 700.0]),
            kept: vec!["bindpose://arm/one?x=1".to_owned()],
            page: Some(KeptPage { link: "bindpose://arm/one".to_owned(), ..KeptPage::default() }),
            recent: vec!["/models/fox.glb".into()],
            ..Preferences::default()
        };
        home.progress.step_mut("arm", "one").seen = true;
        home
    }

    #[test]
    fn work_is_merged_without_machine_fields() {
        let text = work_text(&at_home());
        assert!(!text.contains("fox.glb") && !text.contains("window"), "{text}");
        let mut school = Preferences {
            window_size: Some([1280.0, 720.0]),
            kept: vec!["bindpose://arm/one?x=2".to_owned(), "bindpose://arm/two?x=2".to_owned()],
            recent: vec!["whale.glb".into()],
            ..Preferences::default()
        };
        school.progress.step_mut("arm", "two").seen = true;
        let (both, wrong) = school.with_work(&work_from(text.as_bytes()).unwrap());
        assert!(wrong.is_empty());
        for step in ["one", "two"] {
            assert!(both.progress.record("arm", step).is_some_and(|step| step.seen));
        }
        assert_eq!(both.kept.last().unwrap(), "bindpose://arm/one?x=1");
        assert_eq!(both.kept.len(), 3);
        assert_eq!((both.dark, both.window_size), (Some(true), school.window_size));
        assert_eq!(both.recent, school.recent);
        assert_eq!(both.page, at_home().page);
    }

    #[test]
    fn other_files_are_rejected() {
        for text in [
            "",
            "{}",
            "[1]",
            r#"{"version": 1}"#,
            r#"{"version": 1, "progress": 3}"#,
            r#"{"asset": {"version": "2.0"}}"#,
            r#"{"format": "record", "version": 1, "lessons": []}"#,
        ] {
            assert_eq!(work_from(text.as_bytes()), None, "{text}");
        }
        assert!(work_from(b"\xff").is_none());
        let settings = r#"{"version": 1, "progress": {}, "zoom": "large"}"#;
        let (_, wrong) = at_home().with_work(&work_from(settings.as_bytes()).unwrap());
        assert_eq!(wrong, ["zoom"]);
    }
}
