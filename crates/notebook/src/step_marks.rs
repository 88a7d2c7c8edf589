//! Bookmarks and notes of readers on steps. Independent of document and
//! progress: only the reader removes them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Maximum length of a note, about ten pages.
pub const MAX_NOTE_CHARS: usize = 20_000;

/// Bookmarks and notes by slugs of lesson and step. Those of steps that do not
/// exist now are kept, in case the steps come back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepMarks {
    bookmarks: BTreeMap<String, BTreeSet<String>>,
    notes: BTreeMap<String, BTreeMap<String, String>>,
}

impl StepMarks {
    /// Returns true if the step has a bookmark.
    pub fn is_bookmarked(&self, lesson: &str, step: &str) -> bool {
        let steps = self.bookmarks.get(lesson);
        steps.is_some_and(|steps| steps.contains(step))
    }

    /// Toggles the bookmark of a step. Returns true if it has one now.
    pub fn toggle_bookmark(&mut self, lesson: &str, step: &str) -> bool {
        // Keep the entry of a lesson without bookmarks, so that bookmarks from
        // another window are merged and not lost.
        let steps = self.bookmarks.entry(lesson.to_owned()).or_default();
        let taken = steps.remove(step);
        if !taken {
            steps.insert(step.to_owned());
        }
        !taken
    }

    /// Returns the reader's note on a step, or an empty string.
    pub fn note(&self, lesson: &str, step: &str) -> &str {
        let notes = self.notes.get(lesson);
        notes.and_then(|notes| notes.get(step)).map_or("", String::as_str)
    }

    /// Stores the note on a step. A blank note is removed.
    pub fn write_note(&mut self, lesson: &str, step: &str, note: &str) {
        let notes = self.notes.entry(lesson.to_owned()).or_default();
        if note.trim().is_empty() {
            notes.remove(step);
        } else {
            let kept = note.chars().take(MAX_NOTE_CHARS).collect();
            notes.insert(step.to_owned(), kept);
        }
    }

    /// Moves bookmark and note of a renamed step, appending the note to an
    /// existing one. `from` and `to` are slugs of lesson and step.
    pub(super) fn rename(&mut self, from: (&str, &str), to: (&str, &str)) {
        let bookmarks = self.bookmarks.get_mut(from.0);
        if bookmarks.is_some_and(|steps| steps.remove(from.1)) && !self.is_bookmarked(to.0, to.1) {
            self.toggle_bookmark(to.0, to.1);
        }
        if let Some(note) = self.notes.get_mut(from.0).and_then(|notes| notes.remove(from.1)) {
            let here = self.note(to.0, to.1);
            let both = if here.is_empty() { note } else { format!("{here}\n\n{note}") };
            self.write_note(to.0, to.1, &both);
        }
    }

    /// Returns all notes with the slugs of lesson and step.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.notes.iter().flat_map(|(lesson, notes)| {
            let notes = notes.iter();
            notes.map(move |(step, note)| (lesson.as_str(), step.as_str(), note.as_str()))
        })
    }

    /// Returns the slugs of lesson and step of all bookmarks.
    pub fn bookmarks(&self) -> impl Iterator<Item = (&str, &str)> {
        self.bookmarks.iter().flat_map(|(lesson, steps)| {
            let steps = steps.iter();
            steps.map(move |step| (lesson.as_str(), step.as_str()))
        })
    }

    /// Returns true if there are no bookmarks and no notes.
    pub fn is_empty(&self) -> bool {
        self.bookmarks().next().is_none() && self.notes().next().is_none()
    }

    /// Bookmarks as stored in preferences.
    pub fn bookmarks_value(&self) -> Value {
        serde_json::to_value(&self.bookmarks).unwrap_or_default()
    }

    /// Notes as stored in preferences.
    pub fn notes_value(&self) -> Value {
        serde_json::to_value(&self.notes).unwrap_or_default()
    }

    /// Restores the bookmarks from [`Self::bookmarks_value`], skipping invalid
    /// entries. Returns false if there were any.
    pub fn read_bookmarks(&mut self, value: &Value) -> bool {
        let mut sound = true;
        for (lesson, steps) in table_entries(value, &mut sound) {
            let steps = steps.as_array().unwrap_or_else(|| {
                sound = false;
                const { &Vec::new() }
            });
            let slugs: BTreeSet<String> =
                steps.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            sound &= slugs.len() == steps.len();
            self.bookmarks.insert(lesson.clone(), slugs);
        }
        sound
    }

    /// Restores the notes from [`Self::notes_value`], skipping invalid entries.
    /// Returns false if there were any.
    pub fn read_notes(&mut self, value: &Value) -> bool {
        let mut sound = true;
        for (lesson, notes) in table_entries(value, &mut sound) {
            let mut of_lesson = BTreeMap::new();
            for (step, note) in table_entries(notes, &mut sound) {
                match note.as_str() {
                    Some(note) => {
                        of_lesson.insert(step.clone(), note.to_owned());
                    }
                    None => sound = false,
                }
            }
            self.notes.insert(lesson.clone(), of_lesson);
        }
        sound
    }
}

/// Returns the entries of a table. Clears `sound` if the value is neither a
/// table nor null.
fn table_entries<'a>(
    value: &'a Value,
    sound: &mut bool,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    let table = value.as_object();
    *sound &= table.is_some() || value.is_null();
    table.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_round_trip_and_invalid_entries_are_skipped() {
        let mut marks = StepMarks::default();
        assert!(marks.is_empty());
        assert!(marks.toggle_bookmark("a", "one") && marks.toggle_bookmark("a", "two"));
        assert!(!marks.toggle_bookmark("a", "two"));
        marks.write_note("a", "one", "Ask about w = 0.\n");
        marks.write_note("b", "gone", "x");
        marks.write_note("b", "gone", " \n");
        assert_eq!(marks.note("a", "one"), "Ask about w = 0.\n");
        assert_eq!(marks.notes().count(), 1);
        let mut read = StepMarks::default();
        assert!(read.read_bookmarks(&marks.bookmarks_value()));
        assert!(read.read_notes(&marks.notes_value()));
        assert_eq!(read, marks);

        let mut read = StepMarks::default();
        let wrong = serde_json::json!({ "a": ["one", 2], "b": "x" });
        assert!(!read.read_bookmarks(&wrong));
        assert_eq!(read.bookmarks().collect::<Vec<_>>(), [("a", "one")]);
        let wrong = serde_json::json!({ "a": { "one": "x", "two": 2 }, "b": 3 });
        assert!(!read.read_notes(&wrong));
        assert_eq!(read.notes().collect::<Vec<_>>(), [("a", "one", "x")]);
    }

    #[test]
    fn long_notes_are_cut() {
        let mut marks = StepMarks::default();
        marks.write_note("a", "one", &"é".repeat(MAX_NOTE_CHARS + 5));
        assert_eq!(marks.note("a", "one").chars().count(), MAX_NOTE_CHARS);
    }
}
