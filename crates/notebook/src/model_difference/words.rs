//! Numbers and names as sentences have them.

use bindpose_diagnostic::grouped;

/// What is no number exceeds everything.
pub(super) fn exceeds(number: f32, most: f32) -> bool {
    number.is_nan() || number > most
}

/// A few names, and how many more there are.
pub(super) fn some_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 5;
    let all: Vec<&str> = names.collect();
    let shown: Vec<String> = all.iter().take(MOST).map(|name| format!("“{name}”")).collect();
    match all.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{} and {} more", shown.join(", "), grouped(more)),
        _ => shown.join(", "),
    }
}
