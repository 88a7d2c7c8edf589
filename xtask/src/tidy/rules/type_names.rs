//! Rules that type names are unique, so that a search for one finds the type.

use std::collections::BTreeMap;

use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 2] = [
    Rule { name: "no two public types share a name", check: no_two_public_types_share_a_name },
    Rule { name: "few types share a name", check: few_types_share_a_name },
];

/// Maximum share of types that may have the same name as another one, in percent.
const MAX_SHARED_PERCENT: usize = 8;

/// Definition of a type.
struct Definition {
    /// Path relative to the root.
    file: String,
    line: usize,
    is_public: bool,
}

/// Definitions of types by name, without those of tests.
struct TypeNames(BTreeMap<String, Vec<Definition>>);

/// Prints the names that several types share, with the locations of their definitions.
pub fn print(checkout: &Checkout) {
    let names = TypeNames::read(checkout);
    for (name, places) in names.shared() {
        let places: Vec<String> = places.iter().map(Definition::to_string).collect();
        println!("{name}: {}", places.join(", "));
    }
    println!("{} of {} types share their name", names.sharing(), names.len());
}

fn no_two_public_types_share_a_name(checkout: &Checkout) -> Outcome {
    let names = TypeNames::read(checkout);
    let mut problems = Vec::new();
    for (name, places) in names.shared() {
        let public: Vec<_> = places.iter().filter(|place| place.is_public).collect();
        if let [first, others @ ..] = &public[..] {
            problems.extend(others.iter().map(|other| {
                format!("{other}: {first} is a `{name}` too; say in the name what it is")
            }));
        }
    }
    Ok(RuleReport { checked_count: names.len(), problems })
}

fn few_types_share_a_name(checkout: &Checkout) -> Outcome {
    let names = TypeNames::read(checkout);
    let (sharing, all) = (names.sharing(), names.len());
    let problem = format!(
        "{sharing} of {all} types share their name with another; `cargo xtask names` lists them: \
         say in the name what a type is"
    );
    let problems = if sharing * 100 > all * MAX_SHARED_PERCENT { vec![problem] } else { vec![] };
    Ok(RuleReport { checked_count: all, problems })
}

impl TypeNames {
    fn read(checkout: &Checkout) -> Self {
        let mut names: BTreeMap<String, Vec<Definition>> = BTreeMap::new();
        for file in checkout.all_sources() {
            if is_test(&file.name) {
                continue;
            }
            for (number, line) in file.product().lines().enumerate() {
                if let Some((name, is_public)) = defined(line) {
                    let file = file.name.clone();
                    let definition = Definition { file, line: number + 1, is_public };
                    names.entry(name.to_owned()).or_default().push(definition);
                }
            }
        }
        Self(names)
    }

    fn shared(&self) -> impl Iterator<Item = (&String, &Vec<Definition>)> {
        self.0.iter().filter(|(_, places)| places.len() > 1)
    }

    /// Number of types that share their name with another one.
    fn sharing(&self) -> usize {
        self.shared().map(|(_, places)| places.len()).sum()
    }

    fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }
}

impl std::fmt::Display for Definition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

fn is_test(name: &str) -> bool {
    name.trim_end_matches(".rs").split('/').any(|part| ["tests", "testing"].contains(&part))
}

/// Returns the name of the type whose definition starts on a line, and whether it is public.
fn defined(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start();
    let (rest, is_public) = match line.strip_prefix("pub") {
        Some(rest) => match rest.strip_prefix('(') {
            Some(limited) => (limited.split_once(')')?.1, false),
            None => (rest, true),
        },
        None => (line, false),
    };
    let rest = rest.trim_start();
    let named = ["struct ", "enum ", "trait ", "union "].iter();
    let rest = named.filter_map(|word| rest.strip_prefix(word)).next()?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    (end > 0).then_some((&rest[..end], is_public))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_recognized_and_uses_are_ignored() {
        assert_eq!(defined("pub struct Pose<'a> {"), Some(("Pose", true)));
        assert_eq!(defined("    pub(crate) enum Side {"), Some(("Side", false)));
        assert_eq!(defined("trait View: Sized {"), Some(("View", false)));
        assert_eq!(defined("let structure = Pose::new();"), None);
        assert_eq!(defined("public struct"), None);
    }

    #[test]
    fn types_of_tests_are_ignored() {
        assert!(is_test("tests/gl/moving.rs") && is_test("src/app/testing.rs"));
        assert!(!is_test("crates/skin/src/pose.rs"));
    }
}
