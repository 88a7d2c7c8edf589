//! How far a long task is, and whether anyone still wants it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared between a worker and whoever waits for it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// In millionths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl Progress {
    /// Says how far it is, 0 to 1.
    pub fn set(&self, fraction: f32) {
        let millionths = (fraction.clamp(0.0, 1.0) * 1e6) as u32;
        self.shared.done.store(millionths, Ordering::Relaxed);
    }

    /// How far it is, 0 to 1.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1e6
    }

    /// Asks the worker to stop; it ends soon, with nothing changed.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Was it asked to stop?
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}
