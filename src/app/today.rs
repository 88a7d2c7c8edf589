//! The day, for what is noted in a reader's record.

/// As `2026-11-22`, by Greenwich; `None` where the system has no clock.
pub(crate) fn today() -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    let secs = Some((js_sys::Date::now() / 1000.0) as u64);
    #[cfg(not(target_arch = "wasm32"))]
    let secs = {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.ok().map(|since| since.as_secs())
    };
    secs.map(|secs| date(secs / (24 * 60 * 60)))
}

/// The date of a day, counted from 1970-01-01.
fn date(day: u64) -> String {
    let leap = |year: u64| {
        (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
    };
    let (mut year, mut left) = (1970, day);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970_are_dates() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_779, "2026-11-22"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(day), expected, "{day}");
        }
        assert!(today().is_some_and(|today| today.len() == 10));
    }
}
