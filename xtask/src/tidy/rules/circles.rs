//! Rules that the files and the folders of a crate use each other in no circle.
//!
//! A folder and the file that declares it, `x/` with `x.rs` or `x/mod.rs`, count as one. Only the
//! folders directly below `src` are looked at: inside of them the rule on files holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::tidy::checkout::file_name;
use crate::tidy::crate_graph::CrateGraph;

use super::arrows::OTHERS;
use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 2] = [
    Rule { name: "files use each other in no circle", check: files_use_each_other_in_no_circle },
    Rule {
        name: "folders use each other in no circle",
        check: folders_use_each_other_in_no_circle,
    },
];

/// Accepted ties between files. ARCHITECTURE.md mentions the folder of each.
const FILE_TIES: [AcceptedTie; 3] = [
    AcceptedTie {
        from: "crates/page/src/prose/links.rs",
        to: "crates/page/src/prose/blocks.rs",
        reason: "a link opens a term of the glossary, which is prose",
    },
    AcceptedTie {
        from: "crates/page/src/prose/paragraph.rs",
        to: "crates/page/src/prose/blocks.rs",
        reason: "the text of a cell is drawn beside paragraphs, and is a list of blocks",
    },
    AcceptedTie {
        from: "crates/page/src/prose/symbols.rs",
        to: "crates/page/src/prose/paragraph.rs",
        reason: "the card of a symbol is prose",
    },
];

/// Accepted ties between folders.
const FOLDER_TIES: [AcceptedTie; 1] = [AcceptedTie {
    from: "crates/lesson/src/json_schema",
    to: "crates/lesson/src/cells",
    reason: "the macro that lists the cells also makes their schemas",
}];

/// Maximum number of uses printed for each pair in a circle.
const MAX_PRINTED_TIES: usize = 8;

/// A pair of files or folders of which the first may use the second although that closes a
/// circle.
///
/// A folder is named without the extension of the file that declares it.
struct AcceptedTie {
    from: &'static str,
    to: &'static str,
    reason: &'static str,
}

#[derive(Clone, Copy)]
enum Grouping {
    ByFile,
    ByFolder,
}

/// The code of a crate.
struct CrateSource {
    /// Path of its folder `src`.
    folder: String,
    graph: CrateGraph,
}

/// A use of an item of another file or folder.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Tie {
    file: String,
    line: usize,
    /// Name of the item.
    name: String,
}

/// The ties from each file or folder to each other one.
type Ties = BTreeMap<String, BTreeMap<String, BTreeSet<Tie>>>;

fn files_use_each_other_in_no_circle(checkout: &Checkout) -> Outcome {
    let mut report = check_circles(&read_crates(checkout), Grouping::ByFile, &FILE_TIES);
    let map = checkout.read("ARCHITECTURE.md")?;
    for AcceptedTie { from, reason, .. } in &FILE_TIES {
        let folder = from.strip_suffix(file_name(from)).unwrap_or(from);
        if !map.contains(folder) {
            report.problems.push(format!("{folder}: say in ARCHITECTURE.md that {reason}"));
        }
    }
    Ok(report)
}

fn folders_use_each_other_in_no_circle(checkout: &Checkout) -> Outcome {
    Ok(check_circles(&read_crates(checkout), Grouping::ByFolder, &FOLDER_TIES))
}

fn read_crates(checkout: &Checkout) -> Vec<CrateSource> {
    let others = OTHERS.iter().map(|package| format!("{package}/"));
    let packages = checkout.packages().into_iter().chain(others);
    packages
        .map(|package| {
            let folder = format!("{package}src");
            let graph = CrateGraph::new(&checkout.sources(&folder), &folder);
            CrateSource { folder, graph }
        })
        .collect()
}

fn check_circles(
    crates: &[CrateSource],
    grouping: Grouping,
    accepted: &[AcceptedTie],
) -> RuleReport {
    let mut ties: Ties = crates.iter().flat_map(|one| one.ties(grouping)).collect();
    let checked_count = ties.values().map(BTreeMap::len).sum();
    let mut removed = Vec::new();
    for tie in accepted {
        let uses = ties.get_mut(tie.from).and_then(|uses| uses.remove(tie.to));
        removed.push(uses.is_some());
    }
    let mut problems = Vec::new();
    for circle in find_circles(&ties) {
        problems.push(describe_circle(&circle, &ties, grouping));
    }
    for (tie, was_there) in accepted.iter().zip(removed) {
        if !was_there || !find_reachable(tie.to, &ties).contains(tie.from) {
            problems.push(format!(
                "{} → {}: this closes no circle any more, though {}; take it out of {} in \
                 xtask/src/tidy/rules/circles.rs",
                tie.from,
                tie.to,
                tie.reason,
                grouping.table()
            ));
        }
    }
    RuleReport { checked_count, problems }
}

/// Lists the ties of a circle below advice on how to cut one.
fn describe_circle(circle: &[String], ties: &Ties, grouping: Grouping) -> String {
    let mut lines = vec![format!(
        "a circle: {}. Move what both sides use below both, or hand a value instead; where a tie \
         lies in the nature of the thing, name it with its reason in {} in \
         xtask/src/tidy/rules/circles.rs:",
        circle.join(", "),
        grouping.table()
    )];
    for from in circle {
        for (to, uses) in ties[from].iter().filter(|(to, _)| circle.contains(to)) {
            lines.push(format!("    {from} uses {to}:"));
            for tie in uses.iter().take(MAX_PRINTED_TIES) {
                lines.push(format!("        {tie}"));
            }
            if uses.len() > MAX_PRINTED_TIES {
                lines.push(format!("        and {} more", uses.len() - MAX_PRINTED_TIES));
            }
        }
    }
    lines.join("\n")
}

/// Returns the circles: sorted groups, in which each member uses all others directly or through
/// others.
fn find_circles(ties: &Ties) -> BTreeSet<Vec<String>> {
    let reachable: BTreeMap<&str, BTreeSet<&str>> =
        ties.keys().map(|from| (from.as_str(), find_reachable(from, ties))).collect();
    reachable
        .iter()
        .filter(|(from, reached)| reached.contains(*from))
        .map(|(from, reached)| {
            let members = reached.iter().filter(|to| reachable[*to].contains(from));
            members.map(|&member| member.to_owned()).collect()
        })
        .collect()
}

/// Returns everything that `from` uses directly or through others. Contains `from` itself only if
/// it is part of a circle.
fn find_reachable<'a>(from: &str, ties: &'a Ties) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for next in ties.get(node).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    reached
}

impl Grouping {
    /// Returns the file or folder that a file counts as. `source` is the crate's folder `src`.
    fn group_of<'a>(self, file: &'a str, source: &str) -> &'a str {
        match self {
            Self::ByFile => file,
            Self::ByFolder => {
                let start = source.len() + 1;
                let length = file[start..].find(['/', '.']).unwrap_or(file.len() - start);
                &file[..start + length]
            }
        }
    }

    /// Returns the name of the table of accepted ties.
    fn table(self) -> &'static str {
        match self {
            Self::ByFile => "FILE_TIES",
            Self::ByFolder => "FOLDER_TIES",
        }
    }
}

impl CrateSource {
    fn ties(&self, grouping: Grouping) -> Ties {
        let mut ties = Ties::new();
        for (file, uses) in self.graph.uses() {
            let from = grouping.group_of(file, &self.folder);
            let ties = ties.entry(from.to_owned()).or_default();
            for (used_file, names) in uses {
                let to = grouping.group_of(&used_file, &self.folder);
                if to == from {
                    continue;
                }
                for (name, line) in names {
                    let tie = Tie { file: file.to_owned(), line, name };
                    ties.entry(to.to_owned()).or_default().insert(tie);
                }
            }
        }
        ties
    }
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} → {}", self.file, self.line, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source::SourceFile;

    fn made_up_crate(files: &[(&str, &str)]) -> CrateSource {
        let folder = "crates/x/src".to_owned();
        let files: Vec<SourceFile> = files
            .iter()
            .map(|(name, text)| SourceFile::new(format!("{folder}/{name}"), (*text).to_owned()))
            .collect();
        let graph = CrateGraph::new(&files.iter().collect::<Vec<_>>(), &folder);
        CrateSource { folder, graph }
    }

    fn circles(one: &CrateSource, grouping: Grouping) -> Vec<Vec<String>> {
        find_circles(&one.ties(grouping)).into_iter().collect()
    }

    #[test]
    fn circles_of_files_are_found_through_re_exports() {
        let one = made_up_crate(&[
            ("lib.rs", "mod a; mod b; mod only;"),
            (
                "a/mod.rs",
                "mod one; mod two; pub use one::One; #[cfg(test)]\nmod tests;\npub use two::*;",
            ),
            ("a/one.rs", "use super::Two; pub struct One(Two);"),
            ("a/two.rs", "pub struct Two; fn f() { crate::b::g(); }"),
            ("a/tests.rs", "use crate::b;"),
            // Uses a re-export of the parent, and an imported module.
            ("b.rs", "use crate::a::{self, One as First}; pub fn g() {}"),
            ("only/mod.rs", "mod child; pub struct Here; fn f(_: child::There) {}"),
            ("only/child.rs", "pub struct There(super::Here);"),
        ]);
        let expected = [
            vec!["crates/x/src/a/one.rs", "crates/x/src/a/two.rs", "crates/x/src/b.rs"],
            vec!["crates/x/src/only/child.rs", "crates/x/src/only/mod.rs"],
        ];
        assert_eq!(circles(&one, Grouping::ByFile), expected);
    }

    #[test]
    fn circles_of_folders_are_found_where_no_file_is_in_one() {
        let one = made_up_crate(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "mod upper; mod lower;"),
            ("a/upper.rs", "pub fn f() { crate::b::g(); }"),
            ("a/lower.rs", "pub fn h() {}"),
            ("b/mod.rs", "mod inner; pub use inner::g;"),
            ("b/inner.rs", "pub fn g() { crate::a::lower::h(); }"),
            ("c.rs", "use crate::a::upper::f;"),
        ]);
        assert!(circles(&one, Grouping::ByFile).is_empty());
        let expected = [["crates/x/src/a", "crates/x/src/b"]];
        assert_eq!(circles(&one, Grouping::ByFolder), expected);
        let report = check_circles(&[one], Grouping::ByFolder, &[]);
        let [problem] = &report.problems[..] else { panic!("{:?}", report.problems) };
        for tie in ["crates/x/src/a/upper.rs:1 → g", "crates/x/src/b/inner.rs:1 → h"] {
            assert!(problem.contains(tie), "{problem}");
        }
    }

    #[test]
    fn a_folder_and_its_file_count_as_one_and_may_use_each_other() {
        let one = made_up_crate(&[
            ("main.rs", "mod a; fn main() { a::run(); }"),
            ("a.rs", "mod inside; pub struct Shared; pub fn run() { inside::f(); }"),
            ("a/inside.rs", "use super::Shared; pub fn f() -> Shared { Shared }"),
        ]);
        assert_eq!(circles(&one, Grouping::ByFile).len(), 1);
        assert!(circles(&one, Grouping::ByFolder).is_empty());
    }

    #[test]
    fn a_root_file_can_be_part_of_a_circle() {
        let one = made_up_crate(&[
            ("lib.rs", "mod a; pub struct Error; fn f() { a::run(); }"),
            ("a/mod.rs", "pub fn run() -> crate::Error { crate::Error }"),
        ]);
        let expected = [["crates/x/src/a", "crates/x/src/lib"]];
        assert_eq!(circles(&one, Grouping::ByFolder), expected);
    }

    #[test]
    fn an_accepted_tie_is_silent_and_fails_once_it_closes_no_circle() {
        let accepted =
            [AcceptedTie { from: "crates/x/src/b", to: "crates/x/src/a", reason: "it is made up" }];
        let problems = |a: &str, b: &str| {
            let files = [("lib.rs", "mod a; mod b; mod c;"), ("a.rs", a), ("b.rs", b)];
            let one = made_up_crate(&[&files[..], &[("c.rs", "pub fn h() {}")]].concat());
            check_circles(&[one], Grouping::ByFolder, &accepted).problems
        };
        let uses_b = "use crate::b::g; pub fn f() { g(); }";
        let uses_a = "use crate::a::f; pub fn g() { f(); }";
        assert!(problems(uses_b, uses_a).is_empty());
        for gone in [problems(uses_b, "pub fn g() {}"), problems("pub fn f() {}", uses_a)] {
            assert_eq!(gone.len(), 1, "{gone:?}");
            assert!(gone[0].contains("it is made up"), "{gone:?}");
        }
    }

    #[test]
    fn an_accepted_tie_does_not_hide_another_circle() {
        let one = made_up_crate(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::{b::g, c::h}; pub fn f() { g(); h(); }"),
            ("b.rs", "use crate::a::f; pub fn g() { f(); }"),
            ("c.rs", "use crate::a::f; pub fn h() { f(); }"),
        ]);
        let accepted =
            [AcceptedTie { from: "crates/x/src/b", to: "crates/x/src/a", reason: "it is made up" }];
        let report = check_circles(&[one], Grouping::ByFolder, &accepted);
        let [problem] = &report.problems[..] else { panic!("{:?}", report.problems) };
        assert!(problem.starts_with("a circle: crates/x/src/a, crates/x/src/c."), "{problem}");
    }
}
