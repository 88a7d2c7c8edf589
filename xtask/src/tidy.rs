//! `cargo xtask tidy`: house rules that are read off the text: who may use whom,
//! complete folders, and what must not stand anywhere. Nothing is built for them.
//! Each message says what to do.

mod checkout;
mod habits;
pub mod names;
mod rules;
mod source;
mod tokens;

use crate::process;

use checkout::Checkout;

/// What a rule looked at, and what it found; `Err`: what could not be read.
type Outcome = Result<Looked, String>;

struct Looked {
    /// At how many things.
    at: usize,
    problems: Vec<String>,
}

#[derive(Clone, Copy)]
struct Rule {
    /// What holds.
    name: &'static str,
    check: fn(&Checkout) -> Outcome,
}

/// Prints what is wrong, all rules together.
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

/// A rule that looked at nothing holds nothing.
fn conclude(outcome: Outcome) -> Result<(), String> {
    match outcome? {
        Looked { problems, .. } if !problems.is_empty() => Err(problems.join("\n")),
        Looked { at: 0, .. } => Err(
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
    fn a_rule_that_looked_at_nothing_fails() {
        let looked = |at, problems: &[&str]| {
            Ok(Looked { at, problems: problems.iter().map(|&one| one.to_owned()).collect() })
        };
        assert!(conclude(looked(0, &[])).is_err());
        assert!(conclude(looked(1, &[])).is_ok());
        assert_eq!(conclude(looked(1, &["a", "b"])), Err("a\nb".to_owned()));
    }
}
