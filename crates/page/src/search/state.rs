//! What the window of the search keeps: may be lost without harm.

use std::rc::Rc;

use bindpose_lesson::LessonSet;
use bindpose_notebook::StepMarks;
use bindpose_notebook::search::Index;
use eframe::egui::{Context, Id};

use super::entries::{entries, own_entries};
use super::goal::{ResultGoal, ResultGroup};
use super::results::SearchResults;

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
    index: Option<Rc<Index<ResultGoal>>>,
    /// Bookmarks and notes, as they were when the window was opened.
    own: Option<Rc<Index<ResultGoal>>>,
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
        let made = || Rc::new(Index::new(entries(ctx, set)));
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
            self.own = Some(Rc::new(Index::new(own_entries(set, marks, notes))));
            self.look(ctx, set);
        }
    }
}
