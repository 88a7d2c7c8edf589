//! The house rules.

mod arrows;
mod circles;
mod code;
mod content;
mod habits;
mod libraries;
mod named_steps;
pub mod type_names;

use super::checkout::Checkout;
use super::rule::{Outcome, Rule, RuleReport};

pub fn all() -> Vec<Rule> {
    [
        arrows::RULES.as_slice(),
        &circles::RULES,
        &code::RULES,
        &content::RULES,
        &habits::RULES,
        &libraries::RULES,
        &named_steps::RULES,
        &type_names::RULES,
    ]
    .concat()
}
