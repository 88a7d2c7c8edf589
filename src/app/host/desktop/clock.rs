//! Clocks of the system.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Returns the time since an arbitrary moment.
pub(in crate::app) fn monotonic_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Returns the seconds since 1970 in UTC, or `None` if the system has no clock.
pub(in crate::app) fn unix_time_secs() -> Option<u64> {
    SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}

/// Formats the local time of day, as in `10:42`.
pub(in crate::app) fn format_local_time() -> String {
    jiff::Zoned::now().strftime("%H:%M").to_string()
}
