//! One file, two windows, and what may stand in it.

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
