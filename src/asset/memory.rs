//! How much memory a model may take.

use std::sync::atomic::{AtomicU64, Ordering};

/// In bytes; 0: not said.
static CAP: AtomicU64 = AtomicU64::new(0);

/// Lets every model that is opened from now on take so much, whatever the machine
/// has free.
pub fn set_cap(bytes: u64) {
    CAP.store(bytes, Ordering::Relaxed);
}

/// What [`set_cap`] said.
pub(super) fn cap() -> Option<u64> {
    Some(CAP.load(Ordering::Relaxed)).filter(|&bytes| bytes > 0)
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(target_os = "linux")]
pub(super) fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(not(target_os = "linux"))]
pub(super) fn available_bytes() -> Option<u64> {
    None
}
