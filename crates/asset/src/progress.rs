//! How far a long task is, and whether it was cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared between a worker and whoever waits for it.
#[derive(Clone, Debug)]
pub struct TaskProgress {
    shared: Arc<SharedProgress>,
    /// What 0 and 1 are of the whole task.
    from: f32,
    to: f32,
}

impl Default for TaskProgress {
    fn default() -> Self {
        Self { shared: Arc::default(), from: 0.0, to: 1.0 }
    }
}

#[derive(Debug, Default)]
struct SharedProgress {
    /// In millionths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl TaskProgress {
    /// One part of the task, for whoever does only that: 0 and 1 of it are
    /// `from` and `to` of this one.
    #[must_use]
    pub fn part(&self, from: f32, to: f32) -> Self {
        let at = |fraction: f32| self.from + (self.to - self.from) * fraction;
        Self { shared: Arc::clone(&self.shared), from: at(from), to: at(to) }
    }

    /// Says how far it is, 0 to 1.
    pub fn set(&self, fraction: f32) {
        let whole = self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0);
        let millionths = (whole * 1e6) as u32;
        self.shared.done.store(millionths, Ordering::Relaxed);
    }

    /// How far the whole task is, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1e6
    }

    /// Asks the worker to stop; it ends soon, with nothing changed.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Was it asked to stop?
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_task_go_on_where_the_last_one_ended() {
        let whole = TaskProgress::default();
        let (first, second) = (whole.part(0.0, 0.25), whole.part(0.25, 1.0));
        first.set(1.0);
        assert_eq!(whole.fraction(), 0.25);
        second.part(0.0, 0.5).set(1.0);
        assert_eq!(whole.fraction(), 0.625);
        second.set(2.0);
        assert_eq!(first.fraction(), 1.0);
        whole.cancel();
        assert!(first.is_cancelled() && second.is_cancelled());
    }
}
