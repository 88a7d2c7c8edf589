//! The values that are remembered, and what they are at first.

use std::path::{Path, PathBuf};

use bindpose_skin::Conventions;
use serde_json::{Map, Value};

use crate::{ReaderProgress, StepMarks};

/// Smallest and largest text size, 1 being normal.
pub const ZOOM_RANGE: (f32, f32) = (0.75, 3.0);

/// Models kept in the list of recent ones.
pub const MOST_RECENT: usize = 10;

/// Theme, text size, window, progress and the page that was open.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// `None`: as the system has it.
    pub dark: Option<bool>,
    /// No animations; `None`: as the system has it.
    pub less_motion: Option<bool>,
    /// Text size; see [`ZOOM_RANGE`].
    pub zoom: f32,
    /// Is the list of lessons shown?
    pub contents: bool,
    /// How matrices are written down where a step does not say.
    pub conventions: Conventions,
    /// Is the bench open?
    pub bench: bool,
    /// Are corrections of the sources unfolded?
    pub knows_sources: bool,
    /// Snapshots A and B, as links to their pages.
    pub snapshots: [Option<String>; 2],
    /// Inner size of the window, in points.
    pub window_size: Option<[f32; 2]>,
    /// Outer position of the window, in points.
    pub window_position: Option<[f32; 2]>,
    /// What was seen, tried and solved.
    pub progress: ReaderProgress,
    /// Bookmarks, and the reader's own notes.
    pub marks: StepMarks,
    /// The page that was open.
    pub page: Option<KeptPage>,
    /// Name of the route that is followed.
    pub route: Option<String>,
    /// What was changed at steps, as links to them; see
    /// [`Notebook::kept_links`](crate::Notebook::kept_links).
    pub kept: Vec<String>,
    /// The file of the reader's own model, on whatever page that was open.
    pub model: Option<PathBuf>,
    /// Pages that could not be opened again, the newest first.
    pub waiting: Vec<KeptPage>,
    /// Files of models that were opened, the newest first.
    pub recent: Vec<PathBuf>,
    /// Files of the courses that are open.
    pub courses: Vec<PathBuf>,
    /// Where the reader’s notebook stands in the web, for links to it.
    pub site: Option<String>,
}

/// A page as it is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptPage {
    /// The page, with its values.
    pub link: String,
    /// Number of its step, from 1: where to look when no step has the link's
    /// name any more.
    pub step: Option<usize>,
    /// The file of the reader's model that it stands on.
    pub model: Option<PathBuf>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            dark: None,
            less_motion: None,
            zoom: 1.0,
            contents: true,
            conventions: Conventions::default(),
            bench: false,
            knows_sources: false,
            snapshots: [None, None],
            window_size: None,
            window_position: None,
            progress: ReaderProgress::default(),
            marks: StepMarks::default(),
            page: None,
            route: None,
            kept: Vec::new(),
            model: None,
            waiting: Vec::new(),
            recent: Vec::new(),
            courses: Vec::new(),
            site: None,
        }
    }
}

// Paths of files in JSON. One that is no text is written by its bytes.

/// Of a path that is no text: its bytes, percent-encoded.
const BYTES_KEY: &str = "bytes";

/// Text, or a table with the bytes; `None` where the system's names are neither.
pub(super) fn path_value(path: &Path) -> Option<Value> {
    match path.to_str() {
        Some(text) => Some(text.into()),
        None => bytes_value(path),
    }
}

/// What [`path_value`] has written.
pub(super) fn path_from(value: &Value) -> Option<PathBuf> {
    match value.as_str() {
        Some(text) => Some(text.into()),
        None => path_from_bytes(value[BYTES_KEY].as_str()?),
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no paths of bytes")]
fn bytes_value(path: &Path) -> Option<Value> {
    use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = percent_encode(path.as_os_str().as_bytes(), NON_ALPHANUMERIC);
    Some(serde_json::json!({ BYTES_KEY: bytes.to_string() }))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no paths of bytes")]
fn path_from_bytes(text: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes = percent_encoding::percent_decode_str(text).collect();
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn bytes_value(_: &Path) -> Option<Value> {
    None
}

#[cfg(not(unix))]
fn path_from_bytes(_: &str) -> Option<PathBuf> {
    None
}

// Changes of one table done to another, as two windows need that write into
// one file.

/// How a field is brought together that two windows have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// As one value: the last to change it counts.
    Whole,
    /// As a table or a list whose entries come and go.
    Entries,
    /// The same, with texts that a person wrote: what the other window wrote into
    /// one stays in it.
    Texts,
}

/// Does to `theirs` what was done between `before` and `now`, each field in its
/// own way.
pub(super) fn carry_over(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    theirs: &mut Map<String, Value>,
    merge: impl Fn(&str) -> Merge,
) {
    for (key, value) in now {
        let was = before.get(key);
        if was != Some(value) {
            let merge = merge(key);
            let theirs_now = theirs.get(key).filter(|_| merge != Merge::Whole);
            let carried = carried(was, value, theirs_now, merge);
            theirs.insert(key.clone(), carried);
        }
    }
}

/// The same within a table whose entries come and go.
fn carry_entries(
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    theirs: &mut Map<String, Value>,
    merge: Merge,
) {
    for (key, was) in before.iter().filter(|(key, _)| !now.contains_key(*key)) {
        if merge != Merge::Texts || theirs.get(key) == Some(was) {
            theirs.remove(key);
        }
    }
    for (key, value) in now {
        let was = before.get(key);
        if was != Some(value) {
            let carried = carried(was, value, theirs.get(key), merge);
            theirs.insert(key.clone(), carried);
        }
    }
}

/// `now` where it alone counts; of tables and lists, the entries.
fn carried(before: Option<&Value>, now: &Value, theirs: Option<&Value>, merge: Merge) -> Value {
    match (before, now, theirs) {
        (before, Value::Object(now), Some(Value::Object(theirs))) => {
            let mut table = theirs.clone();
            let nothing = Map::new();
            let before = before.and_then(Value::as_object).unwrap_or(&nothing);
            carry_entries(before, now, &mut table, merge);
            Value::Object(table)
        }
        (before, Value::Array(now), Some(Value::Array(theirs))) => {
            let before = before.and_then(Value::as_array);
            let before = before.map_or(&[][..], Vec::as_slice);
            let ours = now.iter();
            let ours = ours.filter(|entry| !before.contains(entry) || theirs.contains(entry));
            let added = theirs.iter();
            let added = added.filter(|entry| !before.contains(entry) && !now.contains(entry));
            ours.chain(added).cloned().collect()
        }
        (before, Value::String(now), Some(Value::String(theirs))) if merge == Merge::Texts => {
            let before = before.and_then(Value::as_str).unwrap_or_default();
            both_texts(before, now, theirs).into()
        }
        _ => now.clone(),
    }
}

/// A text that was `before`, and that one window made `now` and the other `theirs`:
/// where theirs holds what was before, that part of it is now ours; else both stand
/// there.
fn both_texts(before: &str, now: &str, theirs: &str) -> String {
    if theirs == before || theirs == now {
        return now.to_owned();
    }
    match theirs.rsplit_once(before).filter(|_| !before.is_empty()) {
        Some((above, below)) => format!("{above}{now}{below}"),
        None => format!("{}\n\n{now}", theirs.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn carried_over(before: &Value, now: &Value, theirs: &Value) -> Value {
        let table = |value: &Value| value.as_object().unwrap().clone();
        let mut theirs = table(theirs);
        carry_over(&table(before), &table(now), &mut theirs, |key| match key {
            "visited" | "recent" | "steps" => Merge::Entries,
            "notes" => Merge::Texts,
            _ => Merge::Whole,
        });
        theirs.into()
    }

    #[test]
    fn what_both_have_read_is_read() {
        let before = json!({ "visited": { "arm": ["one"] } });
        let now = json!({ "visited": { "arm": ["one", "two"], "leg": ["one"] } });
        let theirs = json!({ "visited": { "arm": ["one", "three"], "hip": ["one"] } });
        let both = json!({ "visited": {
            "arm": ["one", "two", "three"], "leg": ["one"], "hip": ["one"]
        } });
        assert_eq!(carried_over(&before, &now, &theirs), both);
    }

    #[test]
    fn what_was_not_changed_here_is_theirs_and_what_was_is_ours() {
        let before = json!({ "zoom": 1.0, "size": [1, 2], "page": { "link": "a", "step": 1 } });
        let now = json!({ "zoom": 1.0, "size": [1, 3], "page": { "link": "b", "step": 1 } });
        let theirs =
            json!({ "zoom": 2.0, "size": [7, 2], "page": { "link": "c", "step": 3 }, "new": [4] });
        let carried = carried_over(&before, &now, &theirs);
        let page = json!({ "link": "b", "step": 1 });
        let expected = json!({ "zoom": 2.0, "size": [1, 3], "page": page, "new": [4] });
        assert_eq!(carried, expected);
    }

    #[test]
    fn what_is_taken_away_here_or_there_is_gone() {
        let before = json!({ "recent": ["a", "b", "c"], "steps": { "x": 1, "y": 2 } });
        let now = json!({ "recent": ["d", "a", "c"], "steps": { "y": 2 } });
        let theirs = json!({ "recent": ["a", "b", "e"], "steps": { "x": 1, "y": 3 } });
        let carried = carried_over(&before, &now, &theirs);
        let expected = json!({ "recent": ["d", "a", "e"], "steps": { "y": 3 } });
        assert_eq!(carried, expected);
    }

    #[test]
    fn of_notes_nothing_is_lost_that_the_other_window_wrote() {
        let notes = |text: &str| json!({ "notes": { "arm": { "one": text } } });
        let both = |before: &str, now: &str, theirs: &str| {
            let carried = carried_over(&notes(before), &notes(now), &notes(theirs));
            carried["notes"]["arm"]["one"].as_str().unwrap().to_owned()
        };
        assert_eq!(both("a", "ab", "a"), "ab");
        assert_eq!(both("a", "ab", "a c"), "ab c", "each its own part");
        assert_eq!(both("a", "b", "c"), "c\n\nb", "both");
        let typed_on = both("b", "be", "c\n\nb");
        assert_eq!(typed_on, "c\n\nbe", "while one types on, once");
        let nothing = json!({ "notes": { "arm": {} } });
        let carried = carried_over(&nothing, &notes("b"), &notes("c"));
        assert_eq!(carried, notes("c\n\nb"));
        assert_eq!(carried_over(&notes("a"), &nothing, &notes("a")), nothing);
        let theirs = notes("a, and more");
        assert_eq!(carried_over(&notes("a"), &nothing, &theirs), theirs);
    }
}
