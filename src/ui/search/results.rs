//! What was found, in groups: the group of the best result first.

use super::goal::{Goal, Group};
use crate::notebook::search::{Found, Index, Line, Query, line};

/// Of a group, so many are shown at first.
const FIRST: usize = 5;
/// And no more than these: nobody reads on.
const MOST: usize = 60;
/// Characters of a line of context.
const CONTEXT: usize = 150;

/// The rows of the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Results {
    pub(super) rows: Vec<Row>,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Row {
    /// Above a group; how many were found in it.
    Heading(Group, usize),
    Hit(Hit),
    /// Shows the rest of a group; how many more there are.
    More(Group, usize),
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hit {
    pub(super) goal: Goal,
    pub(super) title: Line,
    /// Where in the text the words stand; absent where the title says it all.
    pub(super) context: Option<Line>,
}

impl Results {
    /// `whole`: the group of which all results are shown.
    pub(super) fn new(index: &Index<Goal>, typed: &str, whole: Option<Group>) -> Self {
        let query = index.query(typed);
        let mut groups: Vec<(Group, Vec<Found>)> = Vec::new();
        for found in index.find(&query) {
            let group = index.entries()[found.entry].goal.group();
            match groups.iter_mut().find(|(of, _)| *of == group) {
                Some((_, all)) => all.push(found),
                None => groups.push((group, vec![found])),
            }
        }
        let mut rows = Vec::new();
        for (group, found) in groups {
            rows.push(Row::Heading(group, found.len()));
            let most = if whole == Some(group) { MOST } else { FIRST };
            // One more takes no more room than the row that offers it.
            let shown = if found.len() == most + 1 {
                most + 1
            } else {
                most
            };
            let hits = found.iter().take(shown);
            rows.extend(hits.map(|found| Row::Hit(hit(index, &query, *found))));
            let more = found.len().saturating_sub(shown);
            if more > 0 && most < MOST {
                rows.push(Row::More(group, more));
            }
        }
        Self { rows }
    }

    /// How many rows can be chosen.
    pub(super) fn count(&self) -> usize {
        self.choices().count()
    }

    /// The row of a choice.
    pub(super) fn choice(&self, chosen: usize) -> Option<&Row> {
        self.choices().nth(chosen)
    }

    fn choices(&self) -> impl Iterator<Item = &Row> {
        self.rows
            .iter()
            .filter(|row| !matches!(row, Row::Heading(..)))
    }
}

fn hit(index: &Index<Goal>, query: &Query, found: Found) -> Hit {
    let entry = &index.entries()[found.entry];
    // Of what is not a step the first passage says what it is.
    let says = || !matches!(entry.goal, Goal::Step { .. }) && !entry.passages.is_empty();
    let passage = found.passage.or_else(|| says().then_some(0));
    let passage = match entry.goal {
        // Its other passage has its keys, which stand at its end anyway.
        Goal::Command(_) => Some(0),
        _ => passage,
    };
    let passage = passage.and_then(|passage| entry.passages.get(passage));
    Hit {
        goal: entry.goal.clone(),
        title: line(&entry.title, query, usize::MAX),
        context: passage.map(|text| line(text, query, CONTEXT)),
    }
}
