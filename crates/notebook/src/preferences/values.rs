//! Values stored between runs, and their defaults.

use std::path::{Path, PathBuf};

use bindpose_skin::Conventions;
use serde_json::{Map, Value};

use crate::{ReaderProgress, StepMarks};

/// Minimum and maximum scale of text. 1 is normal.
pub const ZOOM_RANGE: (f32, f32) = (0.75, 3.0);

/// Maximum length of the list of recent models.
pub const MAX_RECENT_MODELS: usize = 10;

/// State stored between runs: theme, text size, window, progress and the open
/// page.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// Whether the theme is dark. If `None`, the system decides.
    pub dark: Option<bool>,
    /// Whether animations are reduced. If `None`, the system decides.
    pub less_motion: Option<bool>,
    /// Scale of text; see [`ZOOM_RANGE`].
    pub zoom: f32,
    /// Whether the list of lessons is shown.
    pub contents: bool,
    /// Matrix conventions, unless a step prescribes others.
    pub conventions: Conventions,
    /// Whether the bench is open.
    pub bench: bool,
    /// Whether corrections of the sources are expanded.
    pub knows_sources: bool,
    /// Snapshots A and B, as links to their pages.
    pub snapshots: [Option<String>; 2],
    /// Inner size of the window, in points.
    pub window_size: Option<[f32; 2]>,
    /// Outer position of the window, in points.
    pub window_position: Option<[f32; 2]>,
    /// Visited, tried and solved steps.
    pub progress: ReaderProgress,
    pub marks: StepMarks,
    pub page: Option<KeptPage>,
    /// Name of the followed route.
    pub route: Option<String>,
    /// Links to changed steps; see
    /// [`Notebook::kept_links`](crate::Notebook::kept_links).
    pub kept: Vec<String>,
    /// File of the reader's own model, whatever page was open.
    pub model: Option<PathBuf>,
    /// Pages that could not be reopened, newest first.
    pub waiting: Vec<KeptPage>,
    /// Files of opened models, newest first.
    pub recent: Vec<PathBuf>,
    pub courses: Vec<PathBuf>,
    /// Address of the reader’s notebook on the web, for links to it.
    pub site: Option<String>,
}

/// A page in storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptPage {
    /// Link to the page, including its values.
    pub link: String,
    /// Number of its step, from 1, used if no step has the name in the link any
    /// more.
    pub step: Option<usize>,
    /// File of the reader's model that it shows.
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

// Paths of files in JSON. Paths that are not UTF-8 are written as bytes.

/// Key of the percent-encoded bytes of a path that is not UTF-8.
const BYTES_KEY: &str = "bytes";

/// Converts a path to text, or to a table with its bytes. Returns `None` if the
/// system supports neither.
pub(super) fn path_value(path: &Path) -> Option<Value> {
    match path.to_str() {
        Some(text) => Some(text.into()),
        None => bytes_value(path),
    }
}

/// Reads a path written by [`path_value`].
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

// Merging of changes by two windows that write to the same file.

/// How changes of a field by two windows are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// A single value, of which the last change wins.
    Whole,
    /// A table or a list, whose entries are added and removed.
    Entries,
    /// A table of texts, of which no version is lost.
    Texts,
}

/// Applies the changes between `before` and `now` to `theirs`, with the merge
/// of each field.
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
            let merged = merge_value(was, value, theirs_now, merge);
            theirs.insert(key.clone(), merged);
        }
    }
}

/// Applies changes to a table whose entries are added and removed.
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
            let merged = merge_value(was, value, theirs.get(key), merge);
            theirs.insert(key.clone(), merged);
        }
    }
}

/// Merges a value. Tables, lists and texts are merged by content if `theirs`
/// has the same type.
fn merge_value(before: Option<&Value>, now: &Value, theirs: Option<&Value>, merge: Merge) -> Value {
    match (before, now, theirs) {
        (before, Value::Object(now), Some(Value::Object(theirs))) => {
            let mut table = theirs.clone();
            let nothing = Map::new();
            let before = before.and_then(Value::as_object).unwrap_or(&nothing);
            carry_entries(before, now, &mut table, merge);
            Value::Object(table)
        }
        (before, Value::Array(now), Some(Value::Array(theirs))) => {
            let before = before.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let ours = now.iter().filter(|entry| !before.contains(entry) || theirs.contains(entry));
            let added =
                theirs.iter().filter(|entry| !before.contains(entry) && !now.contains(entry));
            ours.chain(added).cloned().collect()
        }
        (before, Value::String(now), Some(Value::String(theirs))) if merge == Merge::Texts => {
            let before = before.and_then(Value::as_str).unwrap_or_default();
            merge_texts(before, now, theirs).into()
        }
        _ => now.clone(),
    }
}

/// Merges a text that was `before` and that two windows changed to `now` and
/// `theirs`. If `theirs` contains the old text, that part is replaced;
/// otherwise both texts are joined.
fn merge_texts(before: &str, now: &str, theirs: &str) -> String {
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
    fn read_marks_of_both_windows_are_kept() {
        let before = json!({ "visited": { "arm": ["one"] } });
        let now = json!({ "visited": { "arm": ["one", "two"], "leg": ["one"] } });
        let theirs = json!({ "visited": { "arm": ["one", "three"], "hip": ["one"] } });
        let both = json!({ "visited": {
            "arm": ["one", "two", "three"], "leg": ["one"], "hip": ["one"]
        } });
        assert_eq!(carried_over(&before, &now, &theirs), both);
    }

    #[test]
    fn unchanged_values_are_theirs_and_changed_ones_ours() {
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
    fn entries_removed_by_either_window_are_removed() {
        let before = json!({ "recent": ["a", "b", "c"], "steps": { "x": 1, "y": 2 } });
        let now = json!({ "recent": ["d", "a", "c"], "steps": { "y": 2 } });
        let theirs = json!({ "recent": ["a", "b", "e"], "steps": { "x": 1, "y": 3 } });
        let carried = carried_over(&before, &now, &theirs);
        let expected = json!({ "recent": ["d", "a", "e"], "steps": { "y": 3 } });
        assert_eq!(carried, expected);
    }

    #[test]
    fn notes_of_both_windows_are_kept() {
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
