//! Undo: one step per gesture.

use super::Document;

/// Steps kept; a document is a few hundred bytes.
const DEPTH: usize = 500;

/// States before and after the present one.
#[derive(Clone, Debug)]
pub struct History<T = Document> {
    past: Vec<T>,
    future: Vec<T>,
    gesture: Option<u64>,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self {
            past: Vec::new(),
            future: Vec::new(),
            gesture: None,
        }
    }
}

impl<T: Clone> History<T> {
    /// Remembers how the document was before a change. Changes of one gesture,
    /// such as a drag, are one step: only the first is remembered.
    pub fn record(&mut self, before: &T, gesture: u64) {
        self.future.clear();
        if self.gesture == Some(gesture) {
            return;
        }
        self.gesture = Some(gesture);
        if self.past.len() == DEPTH {
            self.past.remove(0);
        }
        self.past.push(before.clone());
    }

    /// States before the present one, the newest last.
    #[must_use]
    pub fn past(&self) -> &[T] {
        &self.past
    }

    /// Forgets the newest state that is of no use any more, and all before it.
    pub fn forget_until(&mut self, useless: impl Fn(&T) -> bool) {
        if let Some(last) = self.past.iter().rposition(useless) {
            self.past.drain(..=last);
        }
    }

    /// The gesture that the last change belongs to, if a further change may
    /// still join it.
    #[must_use]
    pub fn open_gesture(&self) -> Option<u64> {
        self.gesture
    }

    /// Is there anything to undo?
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Is there anything to redo?
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// One step back; `None` at the beginning.
    #[must_use]
    pub fn undo(&mut self, now: &T) -> Option<T> {
        let before = self.past.pop()?;
        self.gesture = None;
        self.future.push(now.clone());
        Some(before)
    }

    /// One step forward again; `None` at the end.
    #[must_use]
    pub fn redo(&mut self, now: &T) -> Option<T> {
        let after = self.future.pop()?;
        self.gesture = None;
        self.past.push(now.clone());
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(step: usize) -> Document {
        Document {
            step,
            ..Document::default()
        }
    }

    #[test]
    fn a_drag_is_one_step_and_undo_brings_all_back() {
        let mut history = History::default();
        history.record(&at(0), 1);
        history.record(&at(1), 1);
        history.record(&at(2), 2);
        assert_eq!(history.undo(&at(3)), Some(at(2)));
        assert_eq!(history.undo(&at(2)), Some(at(0)), "the drag as a whole");
        assert_eq!(history.undo(&at(0)), None);
        assert_eq!(history.redo(&at(0)), Some(at(2)));
        assert_eq!(history.redo(&at(2)), Some(at(3)));
        assert!(!history.can_redo());
    }

    #[test]
    fn a_new_change_forgets_what_was_undone() {
        let mut history = History::default();
        history.record(&at(0), 1);
        assert!(history.undo(&at(1)).is_some());
        history.record(&at(0), 1);
        assert!(
            history.can_undo(),
            "the same gesture after an undo is a new step"
        );
        assert!(!history.can_redo());
    }

    #[test]
    fn what_is_of_no_use_is_forgotten_with_all_before_it() {
        let mut history = History::default();
        for step in 0..5 {
            history.record(&at(step), step as u64);
        }
        history.forget_until(|document| document.step == 9);
        history.forget_until(|document| document.step < 3);
        assert_eq!(history.undo(&at(5)), Some(at(4)));
        assert_eq!(history.undo(&at(4)), Some(at(3)));
        assert_eq!(history.undo(&at(3)), None);
    }
}
