//! The rule that no crate gets more habits of wording and shape that make code hard to read.

use crate::tidy::habits::limits::{self, Limits};
use crate::tidy::habits::{CrateCode, count_by_crate};

use super::{Checkout, Outcome, Rule, RuleReport};

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
    Ok(RuleReport { checked_count: line_count, problems: limits.find_problems(&counts) })
}
