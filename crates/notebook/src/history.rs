//! Undo history: one step per gesture, and grouping of keystrokes into
//! gestures.

use super::{Document, Edit};

/// Maximum number of undo steps. A document takes a few hundred bytes unless much is edited.
const MAX_STEPS: usize = 500;

/// Approximate memory limit of past states. The oldest states are dropped
/// beyond it.
const MAX_BYTES: usize = 256 << 20;

/// Estimates the memory that a state takes.
pub trait MemoryUsage {
    /// Returns the approximate size in bytes, without data shared with `other`.
    fn held_bytes_excluding(&self, other: Option<&Self>) -> usize;
}

/// Undo and redo stacks around the current state.
#[derive(Clone, Debug)]
pub struct History<T> {
    past: Vec<HistoryChange<T>>,
    future: Vec<HistoryChange<T>>,
    gesture: Option<u64>,
    /// Whether old states were dropped.
    shortened: bool,
}

/// One step of undo or redo.
#[derive(Clone, Debug)]
struct HistoryChange<T> {
    /// State on the other side of the change.
    state: T,
    label: String,
    /// Approximate memory not shared with the state before, in bytes.
    bytes: usize,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new(), gesture: None, shortened: false }
    }
}

impl<T: Clone + MemoryUsage> History<T> {
    /// Records the state before a change, and a description of the change.
    /// Changes of one gesture, such as a drag, form one step: only the first is
    /// recorded.
    pub fn record(&mut self, before: &T, label: String, gesture: u64) {
        self.future.clear();
        if self.gesture == Some(gesture) {
            return;
        }
        self.gesture = Some(gesture);
        let last = self.past.last().map(|change| &change.state);
        self.past.push(HistoryChange {
            state: before.clone(),
            label,
            bytes: before.held_bytes_excluding(last),
        });
        self.drop_oldest();
    }

    /// Drops states beyond the limits of count and memory. The newest is kept.
    fn drop_oldest(&mut self) {
        let mut bytes = 0;
        let kept = self
            .past
            .iter()
            .rev()
            .enumerate()
            .take_while(|(index, change)| {
                bytes += change.bytes;
                *index == 0 || (*index < MAX_STEPS && bytes <= MAX_BYTES)
            })
            .count();
        let old = self.past.len() - kept;
        self.shortened |= old > 0;
        self.past.drain(..old);
    }

    /// Returns true if states were dropped because there were too many or they
    /// were too large.
    pub fn is_shortened(&self) -> bool {
        self.shortened
    }

    /// Returns the states before the current one, newest first.
    pub fn past(&self) -> impl Iterator<Item = &T> {
        self.past.iter().rev().map(|change| &change.state)
    }

    /// Returns the states after the current one, nearest first.
    pub fn future(&self) -> impl Iterator<Item = &T> {
        self.future.iter().rev().map(|change| &change.state)
    }

    /// Returns true if there is nothing to undo or redo.
    pub fn is_empty(&self) -> bool {
        self.past.is_empty() && self.future.is_empty()
    }

    /// Removes the newest past state for which `useless` holds, and all before
    /// it.
    pub fn forget_until(&mut self, useless: impl Fn(&T) -> bool) {
        let last = self.past.iter().rposition(|change| useless(&change.state));
        if let Some(last) = last {
            self.past.drain(..=last);
        }
    }

    /// Returns the gesture of the last change, if another change may still join
    /// it.
    pub fn open_gesture(&self) -> Option<u64> {
        self.gesture
    }

    /// Describes the change that undo would revert. Returns `None` at the
    /// beginning.
    pub fn to_undo(&self) -> Option<&str> {
        self.past.last().map(|change| change.label.as_str())
    }

    /// Describes the change that redo would repeat. Returns `None` at the end.
    pub fn to_redo(&self) -> Option<&str> {
        self.future.last().map(|change| change.label.as_str())
    }

    /// Steps back from the current state. Returns `None` at the beginning.
    pub fn undo(&mut self, now: &T) -> Option<T> {
        let change = self.past.pop()?;
        self.gesture = None;
        let last = self.future.last().map(|change| &change.state);
        let bytes = now.held_bytes_excluding(last);
        self.future.push(HistoryChange { state: now.clone(), label: change.label, bytes });
        Some(change.state)
    }

    /// Steps forward from the current state. Returns `None` at the end.
    pub fn redo(&mut self, now: &T) -> Option<T> {
        let change = self.future.pop()?;
        self.gesture = None;
        let last = self.past.last().map(|change| &change.state);
        let bytes = now.held_bytes_excluding(last);
        self.past.push(HistoryChange { state: now.clone(), label: change.label, bytes });
        Some(change.state)
    }
}

// Keystrokes form one undo step while each continues where the previous one
// ended, until the line ends, the caret jumps or something else changes.

/// Maximum number of bytes inserted by one keystroke: a tab is four spaces.
const MAX_KEYSTROKE_BYTES: usize = 8;

/// Run of keystrokes that the next keystroke may continue.
#[derive(Debug, Default)]
pub(super) struct KeystrokeGrouping(Option<KeystrokeRun>);

#[derive(Debug)]
struct KeystrokeRun {
    /// Key of the text: the kind of a shader or the name of a cell.
    text_key: String,
    /// Byte offset at which the next keystroke must be. If `None`, it is
    /// unknown, because the text before the first keystroke was not the
    /// reader's.
    caret: Option<usize>,
    /// Whether the run inserts rather than deletes.
    inserts: bool,
    gesture: u64,
}

impl KeystrokeGrouping {
    /// Returns the gesture that an edit belongs to: that of the current run if
    /// the edit continues it, otherwise `gesture`.
    pub(super) fn assign_gesture(&mut self, edit: &Edit, document: &Document, gesture: u64) -> u64 {
        let Some((text_key, before, after)) = typed_text(edit, document) else {
            self.end_run();
            return gesture;
        };
        let run = self.0.take().filter(|run| run.text_key == text_key);
        let caret = run.as_ref().and_then(|run| run.caret);
        let stroke = before.and_then(|before| find_stroke(before, after, caret));
        let continued = run.filter(|run| {
            stroke.as_ref().is_some_and(|stroke| {
                stroke.inserts == run.inserts
                    && (run.caret.is_none() || run.caret == Some(stroke.from))
            })
        });
        let gesture = continued.map_or(gesture, |run| run.gesture);
        self.0 = match stroke {
            Some(stroke) => Some(KeystrokeRun {
                text_key,
                caret: Some(stroke.to),
                inserts: stroke.inserts,
                gesture,
            }),
            None if before.is_none() => {
                Some(KeystrokeRun { text_key, caret: None, inserts: true, gesture })
            }
            None => None,
        };
        gesture
    }

    /// Ends the run, so that the next edit starts a new step.
    pub(super) fn end_run(&mut self) {
        self.0 = None;
    }
}

/// Returns the key of the text that was typed into, the reader's text before,
/// if any, and the text after.
fn typed_text<'a>(
    edit: &'a Edit,
    document: &'a Document,
) -> Option<(String, Option<&'a str>, &'a str)> {
    match edit {
        Edit::Shader { kind, text: after, typed: true } => {
            let before = document.state.shaders.get(&kind.key());
            Some((kind.key(), before.map(String::as_str), after))
        }
        Edit::Text { cell, text: after, typed: true } => {
            let before = document.state.texts.get(cell);
            Some((cell.clone(), before.map(|before| &*before.text), after))
        }
        _ => None,
    }
}

/// One keystroke within a line.
struct Stroke {
    /// Caret before and after, in bytes.
    from: usize,
    to: usize,
    inserts: bool,
}

/// Returns the change between two texts if one keystroke explains it. If
/// several positions explain it, prefers the one that continues at `caret`.
fn find_stroke(before: &str, after: &str, caret: Option<usize>) -> Option<Stroke> {
    let inserts = after.len() > before.len();
    let (long, short) = if inserts { (after, before) } else { (before, after) };
    let count = long.len() - short.len();
    if count == 0 || count > MAX_KEYSTROKE_BYTES {
        return None;
    }
    let common = long.bytes().zip(short.bytes()).take_while(|(a, b)| a == b).count();
    let continued = if inserts { caret } else { caret.and_then(|at| at.checked_sub(count)) };
    let start = continued.into_iter().chain([common]).find(|&start| {
        start <= short.len()
            && start + count <= long.len()
            && long.as_bytes()[..start] == short.as_bytes()[..start]
            && long.as_bytes()[start + count..] == short.as_bytes()[start..]
    })?;
    let changed = &long.as_bytes()[start..start + count];
    if changed.contains(&b'\n') {
        return None;
    }
    Some(if inserts {
        Stroke { from: start, to: start + count, inserts }
    } else {
        Stroke { from: start + count, to: start, inserts }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glsl::{ShaderBlending, ShaderKind};

    impl MemoryUsage for u64 {
        /// States from a million on take as many MiB as they exceed it.
        fn held_bytes_excluding(&self, _: Option<&Self>) -> usize {
            (self.checked_sub(1_000_000).unwrap_or_default() as usize) << 20
        }
    }

    #[test]
    fn oldest_states_are_dropped_by_count_and_size() {
        let mut history = History::default();
        for state in 0..500 {
            record(&mut history, state, state);
        }
        assert!(!history.is_shortened());
        record(&mut history, 500, 500);
        assert!(history.is_shortened());
        assert_eq!(history.past().count(), 500);
        assert_eq!(history.past().last(), Some(&1));

        let mut history = History::default();
        for (gesture, state) in (0..).zip([1_000_100, 1_000_100, 7, 1_000_100]) {
            record(&mut history, state, gesture);
        }
        assert_eq!(history.past().count(), 3, "300 MiB are too much");
        record(&mut history, 1_000_900, 9);
        assert_eq!(history.past().collect::<Vec<_>>(), [&1_000_900], "one stays");
        assert!(history.is_shortened());
    }

    /// Records a state with a description that contains its number.
    fn record(history: &mut History<u64>, before: u64, gesture: u64) {
        history.record(&before, format!("from {before}"), gesture);
    }

    #[test]
    fn drag_is_one_undo_step() {
        let mut history = History::default();
        record(&mut history, 0, 1);
        record(&mut history, 1, 1);
        record(&mut history, 2, 2);
        assert_eq!(history.undo(&3), Some(2));
        assert_eq!(history.undo(&2), Some(0), "the drag as a whole");
        assert_eq!(history.undo(&0), None);
        assert_eq!(history.redo(&0), Some(2));
        assert_eq!(history.redo(&2), Some(3));
        assert_eq!(history.redo(&3), None);
    }

    #[test]
    fn labels_move_with_steps_between_undo_and_redo() {
        let mut history = History::default();
        record(&mut history, 0, 1);
        record(&mut history, 1, 1);
        record(&mut history, 2, 2);
        assert_eq!((history.to_undo(), history.to_redo()), (Some("from 2"), None));
        assert_eq!(history.undo(&3), Some(2));
        let words = (history.to_undo(), history.to_redo());
        assert_eq!(words, (Some("from 0"), Some("from 2")));
        assert_eq!(history.undo(&2), Some(0));
        assert_eq!((history.to_undo(), history.to_redo()), (None, Some("from 0")));
        assert_eq!(history.redo(&0), Some(2));
        assert_eq!(history.to_undo(), Some("from 0"));
    }

    #[test]
    fn new_change_clears_redo() {
        let mut history = History::default();
        record(&mut history, 0, 1);
        assert!(history.undo(&1).is_some());
        record(&mut history, 0, 1);
        assert!(history.to_undo().is_some(), "the same gesture after an undo is a new step");
        assert_eq!(history.to_redo(), None);
    }

    #[test]
    fn forget_until_removes_state_and_all_before() {
        let mut history = History::default();
        for state in 0..5 {
            record(&mut history, state, state);
        }
        history.forget_until(|&state| state == 9);
        history.forget_until(|&state| state < 3);
        assert_eq!(history.undo(&5), Some(4));
        assert_eq!(history.undo(&4), Some(3));
        assert_eq!(history.undo(&3), None);
    }

    const KIND: ShaderKind = ShaderKind {
        transport: bindpose_lesson::Transport::TexelFetch,
        blending: ShaderBlending::Linear,
        normals: bindpose_skin::NormalRule::InverseTranspose,
        at_edges: false,
    };

    /// Assigns gestures to texts that follow each other, one key press each.
    fn assign_gestures(texts: &[&str]) -> Vec<u64> {
        let mut typing = KeystrokeGrouping::default();
        let mut document = Document::default();
        let mut gestures = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let edit = Edit::Shader { kind: KIND, text: (*text).to_owned(), typed: true };
            gestures.push(typing.assign_gesture(&edit, &document, index as u64));
            document.state.shaders.insert(KIND.key(), (*text).to_owned());
        }
        gestures
    }

    #[test]
    fn consecutive_letters_are_one_step() {
        assert_eq!(assign_gestures(&["ab", "abc", "abcc", "abccd"]), [0, 0, 0, 0]);
        assert_eq!(assign_gestures(&["a;", "ab;", "abb;", "abb\n;", "abb\nc;"]), [0, 0, 0, 3, 4]);
    }

    #[test]
    fn caret_jump_deletion_and_paste_begin_a_step() {
        assert_eq!(assign_gestures(&["a b", "ax b", "ax by", "ax byz"]), [0, 0, 2, 2]);
        assert_eq!(assign_gestures(&["abc", "abcd", "abc", "ab", "abx"]), [0, 0, 2, 2, 4]);
        assert_eq!(assign_gestures(&["a", "a many words more", "a many words more."]), [0, 1, 2]);
    }

    #[test]
    fn other_edits_end_a_run() {
        let mut typing = KeystrokeGrouping::default();
        let mut document = Document::default();
        let edit = |text: &str| Edit::Shader { kind: KIND, text: text.to_owned(), typed: true };
        document.state.shaders.insert(KIND.key(), "a".to_owned());
        assert_eq!(typing.assign_gesture(&edit("ab"), &document, 1), 1);
        document.state.shaders.insert(KIND.key(), "ab".to_owned());
        assert_eq!(typing.assign_gesture(&Edit::ResetStep, &document, 2), 2);
        assert_eq!(typing.assign_gesture(&edit("abc"), &document, 3), 3);

        let mut typing = KeystrokeGrouping::default();
        let mut document = Document::default();
        let mut button = edit("a");
        if let Edit::Shader { typed, .. } = &mut button {
            *typed = false;
        }
        assert_eq!(typing.assign_gesture(&button, &document, 1), 1);
        document.state.shaders.insert(KIND.key(), "a".to_owned());
        assert_eq!(typing.assign_gesture(&edit("ab"), &document, 2), 2);
    }

    #[test]
    fn typing_in_another_cell_begins_a_step() {
        let mut typing = KeystrokeGrouping::default();
        let mut document = Document::default();
        let mut gestures = Vec::new();
        let strokes = [("a", "x"), ("a", "xy"), ("b", "xyz"), ("b", "xyzw"), ("a", "xyz")];
        for (index, (cell, text)) in strokes.into_iter().enumerate() {
            let edit = Edit::Text { cell: cell.to_owned(), text: text.to_owned(), typed: true };
            gestures.push(typing.assign_gesture(&edit, &document, index as u64));
            let text = crate::CellText { text: text.into(), program: None };
            document.state.texts.insert(cell.to_owned(), text);
        }
        assert_eq!(gestures, [0, 0, 2, 2, 4]);
    }
}
