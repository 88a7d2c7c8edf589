//! The clock of the browser. `std::time` does not work there.

use std::time::Duration;

use js_sys::Date;

/// Returns the time since an arbitrary moment.
pub(in crate::app) fn monotonic_time() -> Duration {
    Duration::from_secs_f64((Date::now() / 1000.0).max(0.0))
}

/// Returns the seconds since 1970 in UTC. `None` does not occur in a browser.
pub(in crate::app) fn unix_time_secs() -> Option<u64> {
    Some((Date::now() / 1000.0) as u64)
}

/// Formats the local time of day, as in `10:42`.
pub(in crate::app) fn format_local_time() -> String {
    let now = Date::new_0();
    format!("{:02}:{:02}", now.get_hours(), now.get_minutes())
}
