//! `habits.toml`: hits that a crate may have although they exceed the goal.
//!
//! A crate without a line for a habit has to meet the goal. The counts only fall:
//! `UPDATE_SNAPSHOTS=1 cargo xtask tidy` lowers them to what there is and deletes the lines of
//! crates that meet the goal. Code that moves to another crate takes its count along by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{HABITS, Habit, HabitCounts};

/// Path of the file, from the root.
pub const FILE: &str = "xtask/src/tidy/habits.toml";

const HEADER: &str = "\
# Hits of each habit that a crate may have although they exceed the goal. Only ever lower
# these: `UPDATE_SNAPSHOTS=1 cargo xtask tidy` does. Without a line, the goal holds.
";

/// Largest number of hits, by crate and then by the key of the habit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits(BTreeMap<String, BTreeMap<String, usize>>);

impl Limits {
    /// Parses sections `[crate]` with lines `key = count`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut limits: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        let mut crate_name = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                crate_name = Some(name.to_owned());
                limits.entry(name.to_owned()).or_default();
                continue;
            }
            let at = format!("{FILE}:{}", index + 1);
            let Some(name) = &crate_name else {
                return Err(format!("{at}: write the crate above, as in `[skin]`"));
            };
            let Some((key, count)) = line.split_once('=') else {
                return Err(format!("{at}: write a habit and its count, as in `rebinding = 4`"));
            };
            let habit = Habit::with_key(key.trim()).map_err(|why| format!("{at}: {why}"))?;
            let count =
                count.trim().parse().map_err(|why| format!("{at}: {}: {why}", habit.key))?;
            let of_crate = limits.entry(name.clone()).or_default();
            if of_crate.insert(habit.key.to_owned(), count).is_some() {
                return Err(format!("{at}: `{}` is there twice; delete one", habit.key));
            }
        }
        Ok(Self(limits))
    }

    /// Writes what [`Limits::parse`] reads. The empty line between two crates lets git merge
    /// branches that change one crate each.
    pub fn to_text(&self) -> String {
        let mut text = HEADER.to_owned();
        for (crate_name, of_crate) in &self.0 {
            let _ = writeln!(text, "\n[{crate_name}]");
            for habit in &HABITS {
                if let Some(count) = of_crate.get(habit.key) {
                    let _ = writeln!(text, "{} = {count}", habit.key);
                }
            }
        }
        text
    }

    /// Lowers every limit to the present count. Deletes those of crates that meet the goal or
    /// that are not there.
    pub fn lower(&mut self, counts: &BTreeMap<String, HabitCounts>) {
        for (crate_name, of_crate) in &mut self.0 {
            let Some(counts) = counts.get(crate_name) else {
                of_crate.clear();
                continue;
            };
            for (habit, hit_count) in HABITS.iter().zip(counts.hit_counts) {
                if habit.rate(hit_count, counts) <= habit.goal {
                    of_crate.remove(habit.key);
                } else if let Some(limit) = of_crate.get_mut(habit.key) {
                    *limit = hit_count.min(*limit);
                }
            }
        }
        self.0.retain(|_, of_crate| !of_crate.is_empty());
    }

    /// Compares the limits with the present counts. Returns one message per difference.
    pub fn find_problems(&self, counts: &BTreeMap<String, HabitCounts>) -> Vec<String> {
        let mut problems = Vec::new();
        for crate_name in self.0.keys().filter(|name| !counts.contains_key(*name)) {
            problems.push(format!("{FILE}: there is no crate `{crate_name}`; delete its lines"));
        }
        for (crate_name, counts) in counts {
            for (habit, hit_count) in HABITS.iter().zip(counts.hit_counts) {
                let limit = self.0.get(crate_name).and_then(|of_crate| of_crate.get(habit.key));
                problems.extend(compare(crate_name, habit, hit_count, counts, limit.copied()));
            }
        }
        problems
    }
}

/// Compares one count with its limit. Returns None if they agree.
fn compare(
    crate_name: &str,
    habit: &Habit,
    hit_count: usize,
    counts: &HabitCounts,
    limit: Option<usize>,
) -> Option<String> {
    let key = habit.key;
    let meets_goal = habit.rate(hit_count, counts) <= habit.goal;
    let problem = match limit {
        None if meets_goal => return None,
        None => format!(
            "{hit_count} {key} exceed the goal, {} {}; {}; `cargo xtask names --list {key} \
             {crate_name}` lists them. If code came from another crate, move its count in {FILE}",
            habit.goal,
            habit.base.unit(),
            habit.remedy
        ),
        Some(_) if meets_goal => format!(
            "{hit_count} {key} meet the goal; delete their line in {FILE}, or run \
             `UPDATE_SNAPSHOTS=1 cargo xtask tidy`"
        ),
        Some(limit) if hit_count > limit => format!(
            "{hit_count} {key}, {limit} allowed; {}; `cargo xtask names --list {key} \
             {crate_name}` lists them",
            habit.remedy
        ),
        Some(limit) if hit_count < limit => format!(
            "{hit_count} {key}, fewer than the {limit} in {FILE}; lower the number there, or run \
             `UPDATE_SNAPSHOTS=1 cargo xtask tidy`"
        ),
        Some(_) => return None,
    };
    Some(format!("{crate_name}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One crate of 1,000 lines and 100 docs that has so many named closures and nothing else.
    fn crate_with_closures(count: usize) -> BTreeMap<String, HabitCounts> {
        let hit_counts = [0, count, 0, 0, 0, 0];
        let counts = HabitCounts { code_line_count: 1000, doc_count: 100, hit_counts };
        BTreeMap::from([("skin".to_owned(), counts)])
    }

    fn closure_limit(limit: usize) -> Limits {
        Limits::parse(&format!("[skin]\nnamed-closures = {limit}\n")).expect("valid limits")
    }

    #[test]
    fn written_limits_are_read_again() {
        let text = "[asset]\nrebinding = 4\nshort-docs = 30\n\n[skin]\nwhat-docs = 2\n";
        let limits = Limits::parse(text).expect("valid limits");
        assert_eq!(limits.to_text(), format!("{HEADER}\n{text}"));
        assert_eq!(Limits::parse(&limits.to_text()), Ok(limits));
    }

    #[test]
    fn a_wrong_line_is_rejected_with_its_number() {
        for (text, part) in [
            ("rebinding = 4", ":1: write the crate"),
            ("[skin]\nrebinding", ":2: write a habit"),
            ("[skin]\n\nrebindings = 4", ":3: there is no habit `rebindings`"),
            ("[skin]\nrebinding = many", ":2: rebinding: "),
            ("[skin]\nrebinding = 4\nrebinding = 5", ":3: `rebinding` is there twice"),
        ] {
            let problem = Limits::parse(text).expect_err(text);
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }

    #[test]
    fn a_crate_may_have_its_limit_and_neither_more_nor_less() {
        let limits = closure_limit(5);
        assert_eq!(limits.find_problems(&crate_with_closures(5)), Vec::<String>::new());
        let more = limits.find_problems(&crate_with_closures(6)).concat();
        assert!(more.starts_with("skin: 6 named-closures, 5 allowed;"), "{more}");
        let less = limits.find_problems(&crate_with_closures(4)).concat();
        assert!(less.contains("fewer than the 5"), "{less}");
        let none = limits.find_problems(&crate_with_closures(0)).concat();
        assert!(none.contains("meet the goal; delete their line"), "{none}");
    }

    #[test]
    fn a_crate_without_a_limit_has_to_meet_the_goal() {
        let limits = Limits::default();
        assert_eq!(limits.find_problems(&crate_with_closures(0)), Vec::<String>::new());
        let problem = limits.find_problems(&crate_with_closures(1)).concat();
        assert!(problem.contains("exceed the goal, 0.9 per 1,000 lines"), "{problem}");
    }

    #[test]
    fn limits_only_fall() {
        for (limit, count, expected) in [(5, 4, 4), (5, 6, 5)] {
            let mut limits = closure_limit(limit);
            limits.lower(&crate_with_closures(count));
            assert_eq!(limits, closure_limit(expected));
        }
    }

    #[test]
    fn a_limit_that_nothing_needs_is_deleted() {
        let mut met = closure_limit(5);
        met.lower(&crate_with_closures(0));
        assert_eq!(met, Limits::default());
        let mut gone = closure_limit(5);
        let others = BTreeMap::new();
        assert!(gone.find_problems(&others).concat().contains("no crate `skin`"));
        gone.lower(&others);
        assert_eq!(gone, Limits::default());
    }
}
