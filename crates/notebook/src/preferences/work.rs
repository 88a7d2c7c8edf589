//! A reader's work as a file, for another browser or another computer: the settings
//! file without what is of one machine alone.

use super::fields::{COURSES_KEY, PROGRESS_KEY, RECENT_KEY, VERSION_KEY};
use super::{Preferences, PreferencesTable, carry_over, parse_table, table_text};

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
    use super::*;
    use crate::KeptPage;

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
