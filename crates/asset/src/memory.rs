//! How much memory a model may take.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that were asked for; 0 where nothing was.
static CAP: AtomicU64 = AtomicU64::new(0);

/// Lets every model that is read from now on take so many bytes, whatever the
/// machine has free.
pub fn set_cap(bytes: u64) {
    CAP.store(bytes, Ordering::Relaxed);
}

/// What was asked for; else `most`, or one of so many parts of what is free, if
/// that is less.
pub(super) fn memory_cap(most: u64, parts: u64) -> u64 {
    match CAP.load(Ordering::Relaxed) {
        0 => available_bytes().map_or(most, |free| most.min(free / parts)),
        asked => asked,
    }
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(target_os = "linux")]
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(not(target_os = "linux"))]
fn available_bytes() -> Option<u64> {
    None
}
