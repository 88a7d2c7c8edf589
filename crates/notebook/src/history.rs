//! Undo: one step per gesture.

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
