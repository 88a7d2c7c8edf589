//! Below the crates: which files use each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::circles::Crate;

use super::{Checkout, Looked, Outcome, Rule};

pub const RULES: [Rule; 1] =
    [Rule { name: "files use each other in no circle", check: files_use_each_other_in_no_circle }];

/// Circles of files that lie in the nature of the thing, with the reason;
/// ARCHITECTURE.md names the first file of each.
const CIRCLES: [(&[&str], &str); 1] = [(
    &[
        "crates/page/src/prose/blocks.rs",
        "crates/page/src/prose/inline.rs",
        "crates/page/src/prose/links.rs",
        "crates/page/src/prose/paragraph.rs",
        "crates/page/src/prose/symbols.rs",
        "crates/page/src/prose/table.rs",
    ],
    "a link or a symbol in prose opens what the glossary says of it, which is prose",
)];

fn files_use_each_other_in_no_circle(checkout: &Checkout) -> Outcome {
    let known: Vec<&[&str]> = CIRCLES.iter().map(|&(files, _)| files).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut problems = Vec::new();
    let mut at = 0;
    for package in checkout.packages() {
        let source = format!("{package}src");
        let parts = Crate::new(&checkout.sources(&source), &source);
        let arrows = parts.arrows();
        at += arrows.values().map(BTreeMap::len).sum::<usize>();
        let circles = parts.circles();
        for circle in circles.iter().filter(|circle| !known.contains(&&names(circle)[..])) {
            problems.push(
                "a circle of files: move what both sides use into a file below both, or, where it \
                 lies in the nature of the thing, name it in CIRCLES in \
                 xtask/src/tidy/rules/circles.rs and in ARCHITECTURE.md:"
                    .to_owned(),
            );
            for (from, to) in circle
                .iter()
                .flat_map(|from| arrows[from.as_str()].iter().map(move |to| (from, to)))
            {
                if circle.contains(to.0) {
                    problems.push(format!("    {from} uses of {}: {}", to.0, to.1.join(", ")));
                }
            }
        }
        found.extend(circles);
    }
    for circle in known.iter().filter(|circle| !found.iter().any(|one| names(one) == **circle)) {
        problems.push(format!(
            "{}: these are no circle any more, or not the whole one; correct CIRCLES in xtask/src/tidy/rules/circles.rs",
            circle.join(", ")
        ));
    }
    let map = checkout.read("ARCHITECTURE.md")?;
    for (circle, reason) in &CIRCLES {
        if !map.contains(circle[0]) {
            problems.push(format!("{}: say in ARCHITECTURE.md that {reason}", circle[0]));
        }
    }
    Ok(Looked { at, problems })
}

fn names(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
}
