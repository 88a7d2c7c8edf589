//! State of the search window: the query, the indices and the results. Losing it does no
//! harm.

use std::rc::Rc;

use bindpose_doctor::known_faults;
use bindpose_lesson as lesson;
use bindpose_lesson::LessonSet;
use bindpose_notebook::StepMarks;
use bindpose_notebook::search::{
    ContextLine, SearchEntry, SearchIndex, SearchQuery, SearchResult, line, passages_of,
    step_passages,
};
use eframe::egui::{Context, Id};

use crate::command::{Command, KeyMap, shortcut_text};

/// State of the search window.
#[derive(Debug, Default)]
pub struct SearchState {
    pub open: bool,
    /// Whether titles of later steps are visible while presenting.
    pub(super) shows_later_titles: bool,
    pub(super) query: String,
    /// Index of the chosen result among those that can be chosen.
    pub(super) chosen_index: usize,
    /// Whether the list scrolls to the chosen result, after a key has chosen it.
    pub(super) scrolls_to_chosen: bool,
    /// The group whose results are all shown.
    pub(super) expanded_group: Option<ResultGroup>,
    /// The result whose text is shown below its row.
    pub(super) open_goal: Option<ResultGoal>,
    pub(super) results: Rc<SearchResults>,
    /// Index of lessons, glossary, faults and commands. Built on first use, and dropped
    /// when the lessons are loaded again.
    index: Option<Rc<SearchIndex<ResultGoal>>>,
    /// Index of the bookmarks and notes at the time when the window was opened.
    own_index: Option<Rc<SearchIndex<ResultGoal>>>,
    /// The widget that had the focus before the window was opened.
    previous_focus: Option<Id>,
}

impl SearchState {
    pub fn toggle(&mut self, ctx: &Context) {
        if self.open {
            self.close(ctx);
            return;
        }
        *self = Self {
            open: true,
            index: self.index.take(),
            previous_focus: ctx.memory(|memory| memory.focused()),
            ..Self::default()
        };
    }

    /// Closes the window. The focus then returns to the previous widget.
    pub fn close(&mut self, ctx: &Context) {
        self.open = false;
        ctx.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
        ctx.request_repaint();
    }

    /// Closes the window before another page opens, on which nothing has the focus.
    pub fn leave(&mut self, ctx: &Context) {
        self.previous_focus = None;
        self.close(ctx);
    }

    /// Returns the focus to the previous widget after the window is closed. egui keeps
    /// the modal layer for one more frame, in which nothing below it can take the focus.
    pub fn restore_focus(&mut self, ctx: &Context) {
        if self.open || self.previous_focus.is_none() {
            return;
        }
        ctx.memory_mut(|memory| {
            if memory.top_modal_layer().is_none()
                && let Some(previous) = self.previous_focus.take()
            {
                memory.request_focus(previous);
            }
        });
        ctx.request_repaint();
    }

    /// Discards the indices after the lessons were loaded again.
    pub fn discard_indices(&mut self) {
        self.index = None;
        self.own_index = None;
        self.results = Rc::default();
    }

    /// Updates the results. Lists bookmarks and notes if the query has no words.
    pub(super) fn update_results(&mut self, ctx: &Context, set: &LessonSet) {
        let Some(own_index) = &self.own_index else {
            return;
        };
        let index =
            self.index.get_or_insert_with(|| Rc::new(SearchIndex::new(collect_entries(ctx, set))));
        let results = if index.query(&self.query).is_empty() {
            SearchResults::list_own(own_index)
        } else {
            SearchResults::new(&[&**index, &**own_index], &self.query, self.expanded_group)
        };
        self.results = Rc::new(results);
        self.open_goal = None;
    }

    /// Indexes bookmarks and notes once after the window was opened. Omits notes if
    /// `with_notes` is false.
    pub(super) fn index_own_texts(
        &mut self,
        ctx: &Context,
        set: &LessonSet,
        marks: &StepMarks,
        with_notes: bool,
    ) {
        if self.own_index.is_none() {
            let entries = collect_own_entries(set, marks, with_notes);
            self.own_index = Some(Rc::new(SearchIndex::new(entries)));
            self.update_results(ctx, set);
        }
    }
}

// Entries of the indices.

/// Collects steps, glossary entries, known faults, findings of the doctor and commands,
/// in this order.
fn collect_entries(ctx: &Context, set: &LessonSet) -> Vec<SearchEntry<ResultGoal>> {
    let mut entries = Vec::new();
    for (lesson_index, lesson) in set.lessons.iter().enumerate() {
        for (step_index, step) in lesson.steps.iter().enumerate() {
            entries.push(SearchEntry {
                goal: ResultGoal::Step { lesson: lesson_index, step: step_index },
                title: step.title.clone(),
                passages: step_passages(lesson, step_index),
            });
        }
    }
    entries.extend(set.glossary.iter().map(|term| SearchEntry {
        goal: ResultGoal::Term(term.slug.clone()),
        title: term.title.clone(),
        passages: passages_of(&term.blocks),
    }));
    entries.extend(lesson::known_faults().map(|fault| SearchEntry {
        goal: ResultGoal::KnownFault(fault.id),
        title: fault.title.to_owned(),
        passages: [fault.looks, fault.tell, fault.seen, fault.id].map(str::to_owned).to_vec(),
    }));
    entries.extend(known_faults().map(|fault| SearchEntry {
        goal: ResultGoal::Fault(fault.code),
        title: fault.code.to_owned(),
        passages: vec![fault.title, fault.effect, fault.help],
    }));
    for &command in Command::ALL {
        // Searching and closing have no use in a list of results.
        if matches!(command, Command::Search | Command::Escape) {
            continue;
        }
        entries.push(SearchEntry {
            goal: ResultGoal::Command(command),
            title: command.text().to_owned(),
            passages: vec![command.tooltip().to_owned(), format_shortcuts(ctx, command)],
        });
    }
    entries
}

/// Collects bookmarks, which the word "bookmark" finds too, and notes if `with_notes` is
/// true.
fn collect_own_entries(
    set: &LessonSet,
    marks: &StepMarks,
    with_notes: bool,
) -> Vec<SearchEntry<ResultGoal>> {
    let mut bookmarks = Vec::new();
    let mut notes = Vec::new();
    for (lesson_index, lesson) in set.lessons.iter().enumerate() {
        for (step_index, step) in lesson.steps.iter().enumerate() {
            if marks.is_bookmarked(&lesson.slug, &step.slug) {
                bookmarks.push(SearchEntry {
                    goal: ResultGoal::Bookmark { lesson: lesson_index, step: step_index },
                    title: step.title.clone(),
                    passages: vec!["bookmark".to_owned()],
                });
            }
            let note = marks.note(&lesson.slug, &step.slug);
            if with_notes && !note.is_empty() {
                let lines = note.lines().map(str::trim).filter(|line| !line.is_empty());
                notes.push(SearchEntry {
                    goal: ResultGoal::Note { lesson: lesson_index, step: step_index },
                    title: step.title.clone(),
                    passages: lines.map(str::to_owned).collect(),
                });
            }
        }
    }
    bookmarks.append(&mut notes);
    bookmarks
}

/// Formats all keys of a command, as in `Ctrl+Y Ctrl+Shift+Z`.
pub(super) fn format_shortcuts(ctx: &Context, command: Command) -> String {
    let shortcuts: Vec<String> = command
        .shortcuts(KeyMap::from_context(ctx))
        .iter()
        .map(|shortcut| shortcut_text(ctx, shortcut))
        .collect();
    shortcuts.join("  ")
}

// Results in groups, the group of the best result first.

/// Maximum number of results of a group that is not expanded.
const MAX_COLLAPSED_RESULTS: usize = 5;
/// Maximum number of results of an expanded group.
const MAX_EXPANDED_RESULTS: usize = 60;
/// Maximum length of a line of context, in characters.
const MAX_CONTEXT_CHARS: usize = 150;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SearchResults {
    pub(super) rows: Vec<ResultListRow>,
}

/// A row of the list of results.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ResultListRow {
    /// Heading of a group, with the number of its results.
    Heading(ResultGroup, usize),
    Hit(Hit),
    /// Expands a group. Has the number of results that are not shown.
    More(ResultGroup, usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hit {
    pub(super) goal: ResultGoal,
    pub(super) title: ContextLine,
    /// Passage with the words of the query. `None` if the title is enough.
    pub(super) context: Option<ContextLine>,
}

impl SearchResults {
    /// Finds the results in several indices. All results of `expanded_group` are shown.
    pub(super) fn new(
        indices: &[&SearchIndex<ResultGoal>],
        query: &str,
        expanded_group: Option<ResultGroup>,
    ) -> Self {
        let queries: Vec<SearchQuery> = indices.iter().map(|index| index.query(query)).collect();
        let mut results: Vec<IndexedResult<'_>> = Vec::new();
        for (index, query) in indices.iter().copied().zip(&queries) {
            let found = index.find(query).into_iter();
            results.extend(found.map(|result| IndexedResult { index, query, result }));
        }
        // A result with fewer words from one index is irrelevant beside one with more
        // words from another.
        let max_words = results.iter().map(|found| found.result.words).max();
        results.retain(|found| Some(found.result.words) == max_words);
        results.sort_by(|a, b| b.result.score.total_cmp(&a.result.score));
        let mut groups: Vec<(ResultGroup, Vec<IndexedResult<'_>>)> = Vec::new();
        for result in results {
            let group = result.entry().goal.group();
            match groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, members)) => members.push(result),
                None => groups.push((group, vec![result])),
            }
        }
        let mut rows = Vec::new();
        for (group, members) in groups {
            rows.push(ResultListRow::Heading(group, members.len()));
            let max_count = if expanded_group == Some(group) {
                MAX_EXPANDED_RESULTS
            } else {
                MAX_COLLAPSED_RESULTS
            };
            // One more result takes no more space than the row that offers it.
            let shown_count =
                if members.len() == max_count + 1 { max_count + 1 } else { max_count };
            let hits = members.iter().take(shown_count).map(IndexedResult::hit);
            rows.extend(hits.map(ResultListRow::Hit));
            let more_count = members.len().saturating_sub(shown_count);
            if more_count > 0 && max_count < MAX_EXPANDED_RESULTS {
                rows.push(ResultListRow::More(group, more_count));
            }
        }
        Self { rows }
    }

    /// Lists all bookmarks and notes, for an empty query.
    fn list_own(index: &SearchIndex<ResultGoal>) -> Self {
        let mut rows = Vec::new();
        for group in [ResultGroup::Bookmarks, ResultGroup::Notes] {
            let mut hits = Vec::new();
            for entry in index.entries() {
                if entry.goal.group() != group {
                    continue;
                }
                let is_note = matches!(entry.goal, ResultGoal::Note { .. });
                let first_line = entry.passages.first().filter(|_| is_note);
                hits.push(ResultListRow::Hit(Hit {
                    goal: entry.goal.clone(),
                    title: ContextLine::plain(&entry.title),
                    context: first_line.map(|text| ContextLine::plain(text)),
                }));
            }
            if !hits.is_empty() {
                rows.push(ResultListRow::Heading(group, hits.len()));
                rows.extend(hits);
            }
        }
        Self { rows }
    }

    /// Number of rows that can be chosen.
    pub(super) fn choice_count(&self) -> usize {
        self.choices().count()
    }

    /// Returns the row at an index among those that can be chosen.
    pub(super) fn choice(&self, choice_index: usize) -> Option<&ResultListRow> {
        self.choices().nth(choice_index)
    }

    fn choices(&self) -> impl Iterator<Item = &ResultListRow> {
        self.rows.iter().filter(|row| !matches!(row, ResultListRow::Heading(..)))
    }
}

/// A result with the index in which it was found.
struct IndexedResult<'a> {
    index: &'a SearchIndex<ResultGoal>,
    query: &'a SearchQuery,
    result: SearchResult,
}

impl IndexedResult<'_> {
    fn entry(&self) -> &SearchEntry<ResultGoal> {
        &self.index.entries()[self.result.entry]
    }

    fn hit(&self) -> Hit {
        let entry = self.entry();
        let passage_index = match entry.goal {
            ResultGoal::Step { .. } => self.result.passage,
            // The other passage of a command has its keys, which the row shows anyway.
            ResultGoal::Command(_) => Some(0),
            // The group already shows that it is a bookmark.
            ResultGoal::Bookmark { .. } => None,
            // The first passage of the others describes them.
            _ => Some(self.result.passage.unwrap_or(0)),
        };
        let passage = passage_index.and_then(|index| entry.passages.get(index));
        Hit {
            goal: entry.goal.clone(),
            title: line(&entry.title, self.query, usize::MAX),
            context: passage.map(|text| line(text, self.query, MAX_CONTEXT_CHARS)),
        }
    }
}

/// Destination of a search result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultGoal {
    /// A step of a lesson.
    Step {
        /// Index in the set.
        lesson: usize,
        /// Index in the lesson.
        step: usize,
    },
    /// A glossary entry, by its slug.
    Term(String),
    /// A finding of the doctor, by its code.
    Fault(&'static str),
    /// A known skinning bug, by its id.
    KnownFault(&'static str),
    Command(Command),
    /// A bookmarked step.
    Bookmark {
        /// Index in the set.
        lesson: usize,
        /// Index in the lesson.
        step: usize,
    },
    /// A step with a note of the reader.
    Note {
        /// Index in the set.
        lesson: usize,
        /// Index in the lesson.
        step: usize,
    },
}

/// Group of results of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultGroup {
    Steps,
    Glossary,
    Doctor,
    KnownFaults,
    Commands,
    Bookmarks,
    Notes,
}

impl ResultGoal {
    pub fn group(&self) -> ResultGroup {
        match self {
            Self::Step { .. } => ResultGroup::Steps,
            Self::Term(_) => ResultGroup::Glossary,
            Self::Fault(_) => ResultGroup::Doctor,
            Self::KnownFault(_) => ResultGroup::KnownFaults,
            Self::Command(_) => ResultGroup::Commands,
            Self::Bookmark { .. } => ResultGroup::Bookmarks,
            Self::Note { .. } => ResultGroup::Notes,
        }
    }

    /// Indices of the lesson and step to which the result leads. `None` for results that
    /// lead to no step.
    pub fn step(&self) -> Option<(usize, usize)> {
        match *self {
            Self::Step { lesson, step }
            | Self::Bookmark { lesson, step }
            | Self::Note { lesson, step } => Some((lesson, step)),
            Self::Term(_) | Self::Fault(_) | Self::KnownFault(_) | Self::Command(_) => None,
        }
    }
}

impl ResultGroup {
    pub fn heading(self) -> &'static str {
        match self {
            Self::Steps => "Steps",
            Self::Glossary => "Glossary",
            Self::Doctor => "What the doctor finds",
            Self::KnownFaults => "Known faults",
            Self::Commands => "Commands",
            Self::Bookmarks => "Your bookmarks",
            Self::Notes => "Your notes",
        }
    }
}
