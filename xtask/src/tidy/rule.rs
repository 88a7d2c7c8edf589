//! The parts of a house rule.

use super::checkout::Checkout;

/// The report of a rule, or the reason why a file could not be read.
pub type Outcome = Result<RuleReport, String>;

pub struct RuleReport {
    /// Number of things that the rule has checked.
    pub checked_count: usize,
    pub problems: Vec<String>,
}

#[derive(Clone, Copy)]
pub struct Rule {
    /// The rule as a sentence.
    pub name: &'static str,
    pub check: fn(&Checkout) -> Outcome,
}
