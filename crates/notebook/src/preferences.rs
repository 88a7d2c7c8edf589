//! What is remembered between runs, as a table of fields in JSON. Each field is
//! read by itself: one that makes no sense is as at first, and the others stand.
//!
//! # A new thing to remember
//!
//! Its field in `Preferences` (`notebook/preferences/values.rs`), and a row of the table
//! in `notebook/preferences/fields.rs`: its name in the file, how it is written, how it
//! is read (each row takes what makes sense of its own value and leaves the others
//! alone), and how two windows merge it: as a table or list whose entries come and go,
//! the same with texts of which neither window loses any, or as one value, where the
//! last to change it counts. Old files lack it and get its default; what an older
//! program finds and does not know, it keeps.
//!
//! The page gives `Preferences` to the saver (`src/app/preferences_saver.rs`) in each
//! frame in which a command or an edit came about (`Shell::changes`); the saver writes
//! on a thread of its own, at once and then once a second, and at the end, also by
//! SIGTERM and SIGINT.

mod fields;
mod values;

use serde_json::{Map, Value};

use super::ReaderProgress;
use fields::{COURSES_KEY, FIELDS, PROGRESS_KEY, RECENT_KEY, VERSION, VERSION_KEY};
use values::Merge;

pub use values::{KeptPage, MOST_RECENT, Preferences, ZOOM_RANGE};

/// A settings file, taken apart: its fields by their names.
pub type PreferencesTable = Map<String, Value>;

impl Preferences {
    /// Reads the fields of a table that it knows; the second value names those
    /// that make no sense and are as at first.
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

    /// All fields by their names.
    pub fn table(&self) -> PreferencesTable {
        let fields = FIELDS.iter();
        fields.map(|field| (field.key.to_owned(), (field.write)(self))).collect()
    }
}

/// Takes the text of a settings file apart.
///
/// Fails when it is not a table in JSON.
pub fn parse_table(text: &str) -> Result<PreferencesTable, serde_json::Error> {
    // Editors on Windows put a byte order mark before the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut table: PreferencesTable = serde_json::from_str(text)?;
    // Before version 1 a page was its link.
    if let Some(link @ Value::String(_)) = table.remove("link")
        && !table.contains_key(fields::PAGE_KEY)
    {
        let page = serde_json::json!({ "link": link });
        table.insert(fields::PAGE_KEY.to_owned(), page);
    }
    // And of a step nothing was known but that it had been open.
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

/// A table as it is written to the file, with the version of its form: that of
/// a newer program stays.
pub fn table_text(table: &PreferencesTable) -> String {
    let mut table = table.clone();
    let newer = table.get(VERSION_KEY).and_then(Value::as_u64);
    let version = newer.unwrap_or(VERSION).max(VERSION);
    table.insert(VERSION_KEY.to_owned(), version.into());
    serde_json::to_string_pretty(&table).unwrap_or_default()
}

/// Does to `table`, which another window may have written meanwhile, what was
/// done between `before` and `now`: fields that are as before are left as they
/// stand there; of lists and tables, entries are added and taken away, and of texts
/// nothing is lost that the other window wrote (see `merge` in the table of
/// fields). What `table` has no field for gets that of `now`.
pub fn carry_over(before: &PreferencesTable, now: &PreferencesTable, table: &mut PreferencesTable) {
    values::carry_over(before, now, table, |key| {
        let field = FIELDS.iter().find(|field| field.key == key);
        field.map_or(Merge::Whole, |field| field.merge)
    });
    // All of ours is there even where another version has left a field out.
    for (key, value) in now {
        table.entry(key).or_insert_with(|| value.clone());
    }
    if let Some(Value::Array(recent)) = table.get_mut(fields::RECENT_KEY) {
        recent.truncate(MOST_RECENT);
    }
}

// A reader's work as a file, for another browser or another computer: the settings
// file without what is of one machine alone.

/// Windows, and where files lie.
const OF_ONE_MACHINE: [&str; 5] =
    ["window_size", "window_position", "model", RECENT_KEY, COURSES_KEY];

/// The file.
pub fn work_text(preferences: &Preferences) -> String {
    let mut table = preferences.table();
    table.retain(|key, _| !OF_ONE_MACHINE.contains(&key.as_str()));
    table_text(&table)
}

/// What is in such a file, or in a settings file; `None`: it is neither.
pub fn work_from(bytes: &[u8]) -> Option<PreferencesTable> {
    let mut table = parse_table(std::str::from_utf8(bytes).ok()?).ok()?;
    let is_work = table.contains_key(VERSION_KEY) && table.get(PROGRESS_KEY)?.is_object();
    table.retain(|key, _| !OF_ONE_MACHINE.contains(&key.as_str()));
    is_work.then_some(table)
}

impl Preferences {
    /// These with what is in such a file: of lists and tables all entries of both,
    /// of texts all that either says; of what there is one only, the file's. The
    /// second value names fields of the file that make no sense.
    pub fn with_work(&self, work: &PreferencesTable) -> (Self, Vec<&'static str>) {
        let (_, wrong) = Self::from_table(work);
        let mut table = self.table();
        carry_over(&PreferencesTable::new(), work, &mut table);
        let (mut both, _) = Self::from_table(&table);
        // Of a step that both have changed, the last link counts.
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
    fn one_wrong_field_is_lost_and_no_other() {
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
    fn a_byte_order_mark_and_wild_numbers_are_taken() {
        let (read, wrong) = read("\u{feff}{\"zoom\": 1e9}");
        assert_eq!((read.zoom, wrong), (3.0, Vec::new()));
        assert!(parse_table("{\"zoom\": ").is_err());
        assert!(parse_table("[1]").is_err());
    }

    #[test]
    fn the_page_of_an_older_file_is_a_link_alone() {
        let (read, wrong) = read(
            r#"{"link": "bindpose://arm", "visited": {"arm": ["one", 2]}, "recent": ["/a.glb"]}"#,
        );
        assert!(read.progress.record("arm", "one").is_some_and(|one| one.seen));
        assert!(wrong.is_empty(), "{wrong:?}");
        let page = read.page.unwrap();
        assert_eq!((&*page.link, page.step), ("bindpose://arm", None));
    }

    #[test]
    fn what_a_newer_program_wrote_stays() {
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
    fn a_path_that_is_no_text_is_kept() {
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
    fn the_list_of_models_does_not_grow_by_two_windows() {
        let named = |letter: &str| {
            let names = (0..MOST_RECENT).map(|number| format!("/{letter}{number}.glb").into());
            Preferences { recent: names.collect(), ..Preferences::default() }
        };
        let mut table = named("a").table();
        carry_over(&Preferences::default().table(), &named("b").table(), &mut table);
        assert_eq!(Preferences::from_table(&table).0, named("b"));
        assert_eq!(table["recent"].as_array().unwrap().len(), MOST_RECENT);
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
    fn work_goes_to_another_machine_and_what_is_of_one_machine_stays() {
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
    fn other_files_are_no_work() {
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
