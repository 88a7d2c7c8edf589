//! Undo: one step per gesture, and which keystrokes are one gesture.

use super::{Document, Edit};

/// Steps kept; a document is a few hundred bytes, until very much is edited.
const DEPTH: usize = 500;

/// Memory that past states may take, about: past it the oldest are let go.
const MOST_BYTES: usize = 256 << 20;

/// Says how much memory a state takes.
pub trait HeldMemory {
    /// In bytes, about; without what `other` holds too, where copies share it.
    fn held_bytes_beside(&self, other: Option<&Self>) -> usize;
}

/// States before and after the present one.
#[derive(Clone, Debug)]
pub struct History<T> {
    past: Vec<HistoryChange<T>>,
    future: Vec<HistoryChange<T>>,
    gesture: Option<u64>,
    /// Were old states let go?
    shortened: bool,
}

/// One step of undo or redo.
#[derive(Clone, Debug)]
struct HistoryChange<T> {
    /// The state at its other side.
    state: T,
    /// What changes between that and this side, in words.
    label: String,
    /// What the state holds that the one before it does not, about.
    bytes: usize,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new(), gesture: None, shortened: false }
    }
}

impl<T: Clone + HeldMemory> History<T> {
    /// Remembers how the document was before a change, and what changes, in
    /// words. Changes of one gesture, such as a drag, are one step: only the
    /// first is remembered.
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
            bytes: before.held_bytes_beside(last),
        });
        self.let_go_of_the_oldest();
    }

    /// Of what is too old, or takes too much memory; the newest stays.
    fn let_go_of_the_oldest(&mut self) {
        let mut bytes = 0;
        let newest = self.past.iter().rev().enumerate();
        let kept = newest.take_while(|(index, change)| {
            bytes += change.bytes;
            *index == 0 || (*index < DEPTH && bytes <= MOST_BYTES)
        });
        let old = self.past.len() - kept.count();
        self.shortened |= old > 0;
        self.past.drain(..old);
    }

    /// Were states let go because they were too old, or too large together?
    pub fn is_shortened(&self) -> bool {
        self.shortened
    }

    /// States before the present one, the newest first.
    pub fn past(&self) -> impl Iterator<Item = &T> {
        self.past.iter().rev().map(|change| &change.state)
    }

    /// States after the present one, the nearest first.
    pub fn future(&self) -> impl Iterator<Item = &T> {
        self.future.iter().rev().map(|change| &change.state)
    }

    /// Is there neither undo nor redo?
    pub fn is_empty(&self) -> bool {
        self.past.is_empty() && self.future.is_empty()
    }

    /// Forgets the newest state that `useless` holds for, and all before it.
    pub fn forget_until(&mut self, useless: impl Fn(&T) -> bool) {
        let last = self.past.iter().rposition(|change| useless(&change.state));
        if let Some(last) = last {
            self.past.drain(..=last);
        }
    }

    /// The gesture that the last change belongs to, if a further change may
    /// still join it.
    pub fn open_gesture(&self) -> Option<u64> {
        self.gesture
    }

    /// What undo would take back, in words; `None` at the beginning.
    pub fn to_undo(&self) -> Option<&str> {
        self.past.last().map(|change| change.label.as_str())
    }

    /// What redo would do again, in words; `None` at the end.
    pub fn to_redo(&self) -> Option<&str> {
        self.future.last().map(|change| change.label.as_str())
    }

    /// One step back; `None` at the beginning.
    pub fn undo(&mut self, now: &T) -> Option<T> {
        let change = self.past.pop()?;
        Some(self.cross(change, now, |history| &mut history.future))
    }

    /// One step forward again; `None` at the end.
    pub fn redo(&mut self, now: &T) -> Option<T> {
        let change = self.future.pop()?;
        Some(self.cross(change, now, |history| &mut history.past))
    }

    /// To the other side of a change: the way back goes onto the stack `back`.
    fn cross(
        &mut self,
        change: HistoryChange<T>,
        now: &T,
        back: fn(&mut Self) -> &mut Vec<HistoryChange<T>>,
    ) -> T {
        self.gesture = None;
        let back = back(self);
        let last = back.last().map(|change| &change.state);
        let bytes = now.held_bytes_beside(last);
        back.push(HistoryChange { state: now.clone(), label: change.label, bytes });
        change.state
    }
}

// Which keystrokes are one step of undo: those that go on where the last one
// ended, until the line ends, the caret jumps or something else is changed.

/// Letters that arrive with one keystroke, at most: a tab is four spaces.
const KEYSTROKE: usize = 8;

/// The run of keystrokes that may go on.
#[derive(Debug, Default)]
pub(super) struct OpenKeystrokes(Option<KeystrokeRun>);

#[derive(Debug)]
struct KeystrokeRun {
    /// Which text: the kind of a shader, or the name of a cell.
    of: String,
    /// Byte in the text at which the next keystroke must be; `None`: not known,
    /// because the text before the first was not the reader's.
    at: Option<usize>,
    /// Letters are added, not taken away.
    adds: bool,
    gesture: u64,
}

impl OpenKeystrokes {
    /// The gesture that an edit belongs to, in the place of the key press it
    /// came with.
    pub(super) fn gesture(&mut self, edit: &Edit, document: &Document, gesture: u64) -> u64 {
        let Some((of, before, after)) = typed(edit, document) else {
            self.stop();
            return gesture;
        };
        let run = self.0.take().filter(|run| run.of == of);
        let stroke = before.and_then(|before| {
            let at = run.as_ref().and_then(|run| run.at);
            stroke(before, after, at)
        });
        let goes_on = run.filter(|run| {
            stroke.as_ref().is_some_and(|stroke| {
                stroke.adds == run.adds && (run.at.is_none() || run.at == Some(stroke.from))
            })
        });
        let gesture = goes_on.map_or(gesture, |run| run.gesture);
        self.0 = match stroke {
            Some(stroke) => {
                Some(KeystrokeRun { of, at: Some(stroke.to), adds: stroke.adds, gesture })
            }
            None => before.is_none().then_some(KeystrokeRun { of, at: None, adds: true, gesture }),
        };
        gesture
    }

    /// Whatever comes next is a step of its own.
    pub(super) fn stop(&mut self) {
        self.0 = None;
    }
}

/// What was typed into: which text, the reader's before, and after.
fn typed<'a>(edit: &'a Edit, document: &'a Document) -> Option<(String, Option<&'a str>, &'a str)> {
    match edit {
        Edit::Shader { kind, text: Some(after), typed: true } => {
            let before = document.state.shaders.get(&kind.key());
            Some((kind.key(), before.map(String::as_str), after))
        }
        Edit::Text { cell, text: Some(after), typed: true } => {
            let before = document.state.texts.get(cell);
            Some((cell.clone(), before.map(|before| &*before.text), after))
        }
        _ => None,
    }
}

/// One keystroke within a line.
struct Stroke {
    /// The caret before and after, in bytes.
    from: usize,
    to: usize,
    adds: bool,
}

/// What changed, if a keystroke did it. Of places that give the same text, the
/// one that goes on from `at`.
fn stroke(before: &str, after: &str, at: Option<usize>) -> Option<Stroke> {
    let adds = after.len() > before.len();
    let (long, short) = if adds { (after, before) } else { (before, after) };
    let count = long.len() - short.len();
    if count == 0 || count > KEYSTROKE {
        return None;
    }
    let fits = |start: usize| {
        start + count <= long.len()
            && long.as_bytes()[..start] == short.as_bytes()[..start]
            && long.as_bytes()[start + count..] == short.as_bytes()[start..]
    };
    let going_on = at.and_then(|at| if adds { Some(at) } else { at.checked_sub(count) });
    let common = long.bytes().zip(short.bytes()).take_while(|(a, b)| a == b).count();
    let start =
        going_on.into_iter().chain([common]).find(|&start| start <= short.len() && fits(start))?;
    let changed = &long.as_bytes()[start..start + count];
    if changed.contains(&b'\n') {
        return None;
    }
    let (from, to) = if adds { (start, start + count) } else { (start + count, start) };
    Some(Stroke { from, to, adds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glsl::{ShaderBlending, ShaderKind};

    impl HeldMemory for u64 {
        /// From a million on, so many MiB.
        fn held_bytes_beside(&self, _: Option<&Self>) -> usize {
            (self.checked_sub(1_000_000).unwrap_or_default() as usize) << 20
        }
    }

    #[test]
    fn the_oldest_are_let_go_by_number_and_by_size_and_it_says_so() {
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

    /// A history of states that are numbers; a change is called after the state
    /// it leaves.
    fn record(history: &mut History<u64>, before: u64, gesture: u64) {
        history.record(&before, format!("from {before}"), gesture);
    }

    #[test]
    fn a_drag_is_one_step_and_undo_brings_all_back() {
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
    fn a_step_keeps_its_words_on_its_way_between_undo_and_redo() {
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
    fn a_new_change_forgets_what_was_undone() {
        let mut history = History::default();
        record(&mut history, 0, 1);
        assert!(history.undo(&1).is_some());
        record(&mut history, 0, 1);
        assert!(history.to_undo().is_some(), "the same gesture after an undo is a new step");
        assert_eq!(history.to_redo(), None);
    }

    #[test]
    fn what_is_of_no_use_is_forgotten_with_all_before_it() {
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

    /// The gestures of texts that follow each other, one key press each.
    fn gestures(texts: &[&str]) -> Vec<u64> {
        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let mut gestures = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let edit = Edit::Shader { kind: KIND, text: Some((*text).to_owned()), typed: true };
            gestures.push(typing.gesture(&edit, &document, index as u64));
            document.state.shaders.insert(KIND.key(), (*text).to_owned());
        }
        gestures
    }

    #[test]
    fn letters_that_follow_each_other_are_one_step() {
        assert_eq!(gestures(&["ab", "abc", "abcc", "abccd"]), [0, 0, 0, 0]);
        assert_eq!(gestures(&["a;", "ab;", "abb;", "abb\n;", "abb\nc;"]), [0, 0, 0, 3, 4]);
    }

    #[test]
    fn a_jump_a_turn_to_deleting_and_a_paste_begin_a_step() {
        assert_eq!(gestures(&["a b", "ax b", "ax by", "ax byz"]), [0, 0, 2, 2]);
        assert_eq!(gestures(&["abc", "abcd", "abc", "ab", "abx"]), [0, 0, 2, 2, 4]);
        assert_eq!(gestures(&["a", "a many words more", "a many words more."]), [0, 1, 2]);
    }

    #[test]
    fn anything_else_ends_a_run() {
        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let edit =
            |text: &str| Edit::Shader { kind: KIND, text: Some(text.to_owned()), typed: true };
        document.state.shaders.insert(KIND.key(), "a".to_owned());
        assert_eq!(typing.gesture(&edit("ab"), &document, 1), 1);
        document.state.shaders.insert(KIND.key(), "ab".to_owned());
        assert_eq!(typing.gesture(&Edit::ResetStep, &document, 2), 2);
        assert_eq!(typing.gesture(&edit("abc"), &document, 3), 3);

        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let mut button = edit("a");
        if let Edit::Shader { typed, .. } = &mut button {
            *typed = false;
        }
        assert_eq!(typing.gesture(&button, &document, 1), 1);
        document.state.shaders.insert(KIND.key(), "a".to_owned());
        assert_eq!(typing.gesture(&edit("ab"), &document, 2), 2);
    }

    #[test]
    fn letters_in_the_text_of_one_cell_are_one_step_and_another_cell_begins_anew() {
        let mut typing = OpenKeystrokes::default();
        let mut document = Document::default();
        let mut gestures = Vec::new();
        let strokes = [("a", "x"), ("a", "xy"), ("b", "xyz"), ("b", "xyzw"), ("a", "xyz")];
        for (index, (cell, text)) in strokes.into_iter().enumerate() {
            let edit =
                Edit::Text { cell: cell.to_owned(), text: Some(text.to_owned()), typed: true };
            gestures.push(typing.gesture(&edit, &document, index as u64));
            let text = crate::CellText { text: text.into(), program: None };
            document.state.texts.insert(cell.to_owned(), text);
        }
        assert_eq!(gestures, [0, 0, 2, 2, 4]);
    }
}
