//! Numbers of somebody's own engine, held against ours for the same model and pose:
//! which of our matrices they are, and how, or which known fault gives exactly them.

mod examples;
mod found;
mod held_against;
mod matrices;
mod places;
mod read;
mod relations;
#[cfg(test)]
mod tests;
mod with_faults;

use std::sync::Arc;

use bindpose_asset::{Paced, TaskProgress};

use super::{Derived, Document};
pub use examples::{EngineMistake, GivenExample};
pub use found::{Matched, NumbersFinding};
pub use held_against::HeldAgainst;
use held_against::Ours;
pub use read::{EngineNumbers, read_numbers};
pub(super) use relations::changes_of_places;
use with_faults::WithFaults;

/// Holds them against each other: known faults are tried one by one, each a piece of the
/// work. `None`: it was asked to stop.
pub fn matching(page: HeldAgainst, progress: &TaskProgress) -> Paced<Option<Matched>> {
    let told = progress.clone();
    Paced::new(progress, async move |pace| {
        let mut found = Matched::default();
        let given = &*page.given;
        let ours = Ours::new(&page.derived, &page.document);
        let seen = match given {
            EngineNumbers::Matrices(given) => matrices::relations(given, &ours, &mut found),
            EngineNumbers::Positions(given) => {
                places::relations(given, &ours, &mut found);
                None
            }
        };
        if found.equal {
            return Some(found);
        }
        let mut faults = WithFaults::new(&page);
        while let Some(fraction) = faults.fraction_done() {
            pace.whole_piece().await.ok()?;
            told.set(fraction);
            let Some((fault, there)) = faults.next_one() else {
                continue;
            };
            let gives = match given {
                EngineNumbers::Matrices(given) => {
                    matrices::are_given_by(given, there.palette(), ours.palette())
                }
                EngineNumbers::Positions(given) => {
                    places::are_given_by(given, there.positions(), ours.positions())
                }
            };
            if gives {
                found.say_fault(fault);
            }
        }
        match given {
            EngineNumbers::Matrices(given) => {
                matrices::differences(given, &ours, seen, &mut found);
            }
            EngineNumbers::Positions(given) => places::differences(given, &ours, &mut found),
        }
        Some(found)
    })
}

/// As [`matching`], waiting until it is done.
pub fn matched(given: EngineNumbers, document: &Document, derived: &Derived) -> Matched {
    let page = HeldAgainst {
        given: Arc::new(given),
        document: document.clone(),
        lesson: None,
        derived: derived.clone(),
    };
    let found = matching(page, &TaskProgress::default()).finish();
    found.unwrap_or_default()
}
