//! Habits of wording and of shape: no crate gets more of them.

use crate::tidy::habits::limits::{self, Limits};
use crate::tidy::habits::{CrateCode, count_by_crate};

use super::{Checkout, Looked, Outcome, Rule};

pub const RULES: [Rule; 1] =
    [Rule { name: "habits meet their goals or their limits", check: habits_meet_their_limits }];

/// With `UPDATE_SNAPSHOTS` set, lowers the limits first.
fn habits_meet_their_limits(checkout: &Checkout) -> Outcome {
    let counts = count_by_crate(&CrateCode::of_repository(checkout));
    let mut limits = Limits::parse(&checkout.read(limits::FILE)?)?;
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        limits.lower(&counts);
        checkout.write(limits::FILE, &limits.to_text())?;
    }
    let line_count = counts.values().map(|counts| counts.code_line_count).sum();
    Ok(Looked { at: line_count, problems: limits.find_problems(&counts) })
}
