//! What was found, in groups: the group of the best result first.

use bindpose_notebook::search::{ContextLine, FoundEntry, Index, Query, line};

use super::goal::{ResultGoal, ResultGroup};

/// Of a group, so many are shown at first.
const FIRST: usize = 5;
/// And no more than these: nobody reads on.
const MOST: usize = 60;
/// Characters of a line of context.
const CONTEXT: usize = 150;

/// The rows of the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SearchResults {
    pub(super) rows: Vec<ResultListRow>,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ResultListRow {
    /// Above a group; how many were found in it.
    Heading(ResultGroup, usize),
    Hit(Hit),
    /// Shows the rest of a group; how many more there are.
    More(ResultGroup, usize),
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hit {
    pub(super) goal: ResultGoal,
    pub(super) title: ContextLine,
    /// Where in the text the words stand; absent where the title says it all.
    pub(super) context: Option<ContextLine>,
}

impl SearchResults {
    /// Of several indices. `whole`: the group of which all results are shown.
    pub(super) fn new(
        indices: &[&Index<ResultGoal>],
        typed: &str,
        whole: Option<ResultGroup>,
    ) -> Self {
        let queries: Vec<Query> = indices.iter().map(|index| index.query(typed)).collect();
        let found = indices.iter().zip(&queries).enumerate();
        let found = found.flat_map(|(number, (index, query))| {
            let found = index.find(query).into_iter();
            found.map(move |found| (number, found))
        });
        let mut found: Vec<(usize, FoundEntry)> = found.collect();
        // What answers to fewer words in one index is nothing beside what answers to
        // all in another.
        let most = found.iter().map(|(_, found)| found.words).max();
        found.retain(|(_, found)| Some(found.words) == most);
        found.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
        let mut groups: Vec<(ResultGroup, Vec<(usize, FoundEntry)>)> = Vec::new();
        for (number, found) in found {
            let group = indices[number].entries()[found.entry].goal.group();
            match groups.iter_mut().find(|(of, _)| *of == group) {
                Some((_, all)) => all.push((number, found)),
                None => groups.push((group, vec![(number, found)])),
            }
        }
        let mut rows = Vec::new();
        for (group, found) in groups {
            rows.push(ResultListRow::Heading(group, found.len()));
            let most = if whole == Some(group) { MOST } else { FIRST };
            // One more takes no more room than the row that offers it.
            let shown = if found.len() == most + 1 { most + 1 } else { most };
            let hits = found.iter().take(shown);
            let hits = hits.map(|&(number, found)| hit(indices[number], &queries[number], found));
            rows.extend(hits.map(ResultListRow::Hit));
            let more = found.len().saturating_sub(shown);
            if more > 0 && most < MOST {
                rows.push(ResultListRow::More(group, more));
            }
        }
        Self { rows }
    }

    /// Bookmarks and notes as they are, where nothing is typed.
    pub(super) fn all_of(index: &Index<ResultGoal>) -> Self {
        let mut rows = Vec::new();
        for group in [ResultGroup::Bookmarks, ResultGroup::Notes] {
            let entries = index.entries().iter();
            let of_group = entries.filter(|entry| entry.goal.group() == group);
            let hits: Vec<ResultListRow> = of_group
                .map(|entry| {
                    let says = matches!(entry.goal, ResultGoal::Note { .. });
                    let first = entry.passages.first().filter(|_| says);
                    ResultListRow::Hit(Hit {
                        goal: entry.goal.clone(),
                        title: ContextLine::plain(&entry.title),
                        context: first.map(|text| ContextLine::plain(text)),
                    })
                })
                .collect();
            if !hits.is_empty() {
                rows.push(ResultListRow::Heading(group, hits.len()));
                rows.extend(hits);
            }
        }
        Self { rows }
    }

    /// How many rows can be chosen.
    pub(super) fn count(&self) -> usize {
        self.choices().count()
    }

    /// The row of a choice.
    pub(super) fn choice(&self, chosen: usize) -> Option<&ResultListRow> {
        self.choices().nth(chosen)
    }

    fn choices(&self) -> impl Iterator<Item = &ResultListRow> {
        self.rows.iter().filter(|row| !matches!(row, ResultListRow::Heading(..)))
    }
}

fn hit(index: &Index<ResultGoal>, query: &Query, found: FoundEntry) -> Hit {
    let entry = &index.entries()[found.entry];
    // Of what is not a step the first passage says what it is.
    let says = || !matches!(entry.goal, ResultGoal::Step { .. }) && !entry.passages.is_empty();
    let passage = found.passage.or_else(|| says().then_some(0));
    let passage = match entry.goal {
        // Its other passage has its keys, which stand at its end anyway.
        ResultGoal::Command(_) => Some(0),
        // Nor need a bookmark say that it is one.
        ResultGoal::Bookmark { .. } => None,
        _ => passage,
    };
    let passage = passage.and_then(|passage| entry.passages.get(passage));
    Hit {
        goal: entry.goal.clone(),
        title: line(&entry.title, query, usize::MAX),
        context: passage.map(|text| line(text, query, CONTEXT)),
    }
}
