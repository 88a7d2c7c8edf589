//! What the window of the search keeps: may be lost without harm.

use std::rc::Rc;

use bindpose_asset::doctor::known_faults;
use bindpose_lesson as lesson;
use bindpose_lesson::{Lesson, LessonSet, Term};
use bindpose_notebook::StepMarks;
use bindpose_notebook::search::{
    ContextLine, SearchEntry, SearchIndex, SearchQuery, SearchResult, line, passages_of,
    step_passages,
};
use eframe::egui::{Context, Id};

use crate::command::{Command, KeyMap, shortcut_text};

/// Open or not, what was typed and what was found.
#[derive(Debug, Default)]
pub struct SearchState {
    /// Is the window open?
    pub open: bool,
    /// When presenting: are titles of steps to come told?
    pub(super) tells: bool,
    pub(super) typed: String,
    /// Which result is chosen, of those that can be.
    pub(super) chosen: usize,
    /// Set when it was chosen by a key: it is scrolled to.
    pub(super) reveals: bool,
    /// A group that is shown with all of its results.
    pub(super) whole: Option<ResultGroup>,
    /// What is read where it was found.
    pub(super) read: Option<ResultGoal>,
    pub(super) results: Rc<SearchResults>,
    /// Made when it is first needed; `None` after the lessons were read again.
    index: Option<Rc<SearchIndex<ResultGoal>>>,
    /// Bookmarks and notes, as they were when the window was opened.
    own: Option<Rc<SearchIndex<ResultGoal>>>,
    /// What had the focus before.
    focus: Option<Id>,
}

impl SearchState {
    /// Opens the window with an empty field, or closes it.
    pub fn toggle(&mut self, ctx: &Context) {
        if self.open {
            self.close(ctx);
            return;
        }
        *self = Self {
            open: true,
            index: self.index.take(),
            focus: ctx.memory(|memory| memory.focused()),
            ..Self::default()
        };
    }

    /// Closes the window; the focus goes back to where it was.
    pub fn close(&mut self, ctx: &Context) {
        self.open = false;
        ctx.memory_mut(|memory| {
            if let Some(field) = memory.focused() {
                memory.surrender_focus(field);
            }
        });
        ctx.request_repaint();
    }

    /// Closes the window for another page, where nothing has the focus.
    pub fn leave(&mut self, ctx: &Context) {
        self.focus = None;
        self.close(ctx);
    }

    /// After the window is closed: nothing below it can take the focus as long as
    /// egui knows of the window, which is one frame more.
    pub fn give_focus_back(&mut self, ctx: &Context) {
        if self.open || self.focus.is_none() {
            return;
        }
        ctx.memory_mut(|memory| {
            if memory.top_modal_layer().is_none()
                && let Some(before) = self.focus.take()
            {
                memory.request_focus(before);
            }
        });
        ctx.request_repaint();
    }

    /// The lessons are others now.
    pub fn forget_texts(&mut self) {
        self.index = None;
        self.own = None;
        self.results = Rc::default();
    }

    /// Finds what was typed; without a word, what the reader has marked and written.
    pub(super) fn look(&mut self, ctx: &Context, set: &LessonSet) {
        let Some(own) = &self.own else {
            return;
        };
        let made = || Rc::new(SearchIndex::new(entries(ctx, set)));
        let all = self.index.get_or_insert_with(made);
        let nothing = all.query(&self.typed).is_empty();
        let results = if nothing {
            SearchResults::all_of(own)
        } else {
            SearchResults::new(&[&**all, &**own], &self.typed, self.whole)
        };
        self.results = Rc::new(results);
        self.read = None;
    }

    /// Reads what the reader has marked and written, once after the window was
    /// opened; without notes where they are not to be seen.
    pub(super) fn read_own(
        &mut self,
        ctx: &Context,
        set: &LessonSet,
        (marks, notes): (&StepMarks, bool),
    ) {
        if self.own.is_none() {
            self.own = Some(Rc::new(SearchIndex::new(own_entries(set, marks, notes))));
            self.look(ctx, set);
        }
    }
}

// All that can be found.

/// Steps, words of the glossary, known bugs, what the doctor finds and commands, in this
/// order.
pub(super) fn entries(ctx: &Context, set: &LessonSet) -> Vec<SearchEntry<ResultGoal>> {
    let lessons = set.lessons.iter().enumerate();
    let steps = lessons.flat_map(|(index, lesson)| steps(index, lesson));
    let faults = known_faults().map(|fault| SearchEntry {
        goal: ResultGoal::Fault(fault.code),
        title: fault.code.to_owned(),
        passages: vec![fault.title, fault.effect, fault.help],
    });
    let known = lesson::known_faults().map(|fault| SearchEntry {
        goal: ResultGoal::KnownFault(fault.id),
        title: fault.title.to_owned(),
        passages: [fault.looks, fault.tell, fault.seen, fault.id].map(str::to_owned).to_vec(),
    });
    let commands = Command::ALL.iter().filter(|&&command| is_offered(command));
    let commands = commands.map(|&command| SearchEntry {
        goal: ResultGoal::Command(command),
        title: command.text().to_owned(),
        passages: vec![command.tooltip().to_owned(), entry_keys(ctx, command)],
    });
    let terms = set.glossary.iter().map(term);
    let faults = known.chain(faults);
    steps.chain(terms).chain(faults).chain(commands).collect()
}

/// Bookmarks, found by their word too, and, unless they are hidden, notes.
pub(super) fn own_entries(
    set: &LessonSet,
    marks: &StepMarks,
    notes: bool,
) -> Vec<SearchEntry<ResultGoal>> {
    let (mut bookmarked, mut noted) = (Vec::new(), Vec::new());
    for (lesson, of) in set.lessons.iter().enumerate() {
        for (step, of_step) in of.steps.iter().enumerate() {
            if marks.is_bookmarked(&of.slug, &of_step.slug) {
                bookmarked.push(SearchEntry {
                    goal: ResultGoal::Bookmark { lesson, step },
                    title: of_step.title.clone(),
                    passages: vec!["bookmark".to_owned()],
                });
            }
            let note = marks.note(&of.slug, &of_step.slug);
            if notes && !note.is_empty() {
                let lines = note.lines().map(str::trim).filter(|line| !line.is_empty());
                noted.push(SearchEntry {
                    goal: ResultGoal::Note { lesson, step },
                    title: of_step.title.clone(),
                    passages: lines.map(str::to_owned).collect(),
                });
            }
        }
    }
    bookmarked.append(&mut noted);
    bookmarked
}

fn steps(index: usize, lesson: &Lesson) -> impl Iterator<Item = SearchEntry<ResultGoal>> {
    let steps = lesson.steps.iter().enumerate();
    steps.map(move |(step, of)| SearchEntry {
        goal: ResultGoal::Step { lesson: index, step },
        title: of.title.clone(),
        passages: step_passages(lesson, step),
    })
}

fn term(term: &Term) -> SearchEntry<ResultGoal> {
    SearchEntry {
        goal: ResultGoal::Term(term.slug.clone()),
        title: term.title.clone(),
        passages: passages_of(&term.blocks),
    }
}

/// The search itself and the key that closes things have no use in a list.
fn is_offered(command: Command) -> bool {
    !matches!(command, Command::Search | Command::Escape)
}

/// All keys of a command: `Ctrl+Y  Ctrl+Shift+Z`.
pub(super) fn entry_keys(ctx: &Context, command: Command) -> String {
    let keys = command.shortcuts(KeyMap::of(ctx)).iter();
    let keys = keys.map(|keys| shortcut_text(ctx, keys));
    keys.collect::<Vec<_>>().join("  ")
}

// What was found, in groups: the group of the best result first.

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
        indices: &[&SearchIndex<ResultGoal>],
        typed: &str,
        whole: Option<ResultGroup>,
    ) -> Self {
        let queries: Vec<SearchQuery> = indices.iter().map(|index| index.query(typed)).collect();
        let found = indices.iter().zip(&queries).enumerate();
        let found = found.flat_map(|(number, (index, query))| {
            let found = index.find(query).into_iter();
            found.map(move |found| (number, found))
        });
        let mut found: Vec<(usize, SearchResult)> = found.collect();
        // What answers to fewer words in one index is nothing beside what answers to
        // all in another.
        let most = found.iter().map(|(_, found)| found.words).max();
        found.retain(|(_, found)| Some(found.words) == most);
        found.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
        let mut groups: Vec<(ResultGroup, Vec<(usize, SearchResult)>)> = Vec::new();
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
    pub(super) fn all_of(index: &SearchIndex<ResultGoal>) -> Self {
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

fn hit(index: &SearchIndex<ResultGoal>, query: &SearchQuery, found: SearchResult) -> Hit {
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

// What a result leads to, and the group it stands in.

/// What a result leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultGoal {
    /// A step, by indices of lesson and step.
    Step {
        /// In the set.
        lesson: usize,
        /// In the lesson.
        step: usize,
    },
    /// An entry of the glossary, by its slug.
    Term(String),
    /// A fault that the doctor knows, by its code.
    Fault(&'static str),
    /// A known bug of skinning, by its name.
    KnownFault(&'static str),
    /// Something that can be done.
    Command(Command),
    /// A step with a bookmark, by indices of lesson and step.
    Bookmark {
        /// In the set.
        lesson: usize,
        /// In the lesson.
        step: usize,
    },
    /// A step with a note of the reader's, by indices of lesson and step.
    Note {
        /// In the set.
        lesson: usize,
        /// In the lesson.
        step: usize,
    },
}

/// Results of a kind stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultGroup {
    /// Steps of lessons.
    Steps,
    /// Words of the field.
    Glossary,
    /// What the doctor finds.
    Doctor,
    /// Known bugs of skinning.
    KnownFaults,
    /// What can be done.
    Commands,
    /// Steps that the reader has marked.
    Bookmarks,
    /// What the reader has written.
    Notes,
}

impl ResultGoal {
    /// The group it stands in.
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

    /// The step that it leads to, by indices; `None`: to none.
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
    /// Above its results.
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
