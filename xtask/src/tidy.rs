//! `cargo xtask tidy`: checks house rules on the text of the repository, such as allowed
//! dependencies, complete folders and forbidden texts. Builds nothing. Each message explains what
//! to do.

mod checkout;
mod crate_graph;
mod habits;
pub mod names;
mod rule;
mod rules;
mod source;
mod tokens;

use crate::process;

use checkout::Checkout;
use rule::{Outcome, RuleReport};

/// Checks all rules and prints their problems.
pub fn run() -> Result<(), String> {
    let checkout = Checkout::open(process::root())?;
    let rules = rules::all();
    let mut broken = 0;
    for rule in &rules {
        if let Err(problem) = conclude((rule.check)(&checkout)) {
            broken += 1;
            println!("{}:\n{problem}\n", rule.name);
        }
    }
    match broken {
        0 => {
            println!("{} rules hold", rules.len());
            Ok(())
        }
        _ => Err(format!("{broken} of {} house rules broken", rules.len())),
    }
}

/// Returns the problems of a rule. A rule that has checked nothing fails too, because it probably
/// searches a folder that has moved.
fn conclude(outcome: Outcome) -> Result<(), String> {
    match outcome? {
        RuleReport { problems, .. } if !problems.is_empty() => Err(problems.join("\n")),
        RuleReport { checked_count: 0, .. } => Err(
            "this rule found nothing to look at; has a folder moved? Correct it in xtask/src/tidy/rules"
                .to_owned(),
        ),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_has_checked_nothing_fails() {
        assert!(conclude(Ok(RuleReport { checked_count: 0, problems: Vec::new() })).is_err());
        assert!(conclude(Ok(RuleReport { checked_count: 1, problems: Vec::new() })).is_ok());
        let problems = vec!["a".to_owned(), "b".to_owned()];
        let outcome = conclude(Ok(RuleReport { checked_count: 1, problems }));
        assert_eq!(outcome, Err("a\nb".to_owned()));
    }
}
