//! Navigation between steps, undo and reset, pages that wait for a rig or for weights, and
//! the record of steps that the reader has seen and answered.

use std::sync::Arc;

use bindpose_fetch as fetch;
use bindpose_kit::widgets::forget_shown_tips;
use bindpose_notebook::{Edit, EditError, Navigation, PendingActionKind, WorkMode};
use bindpose_page::awaited_page::{self, AwaitedPageChoice};
use bindpose_page::command::Command;
use bindpose_page::reader_presence::Sway;
use bindpose_rigs::builtin_file;
use eframe::egui::{Context, Ui};

use super::Shell;
use crate::app::exporting::today;
use crate::app::opening::FilePurpose;

/// Offer at the start of presenter mode.
pub(super) const BEGIN_ANEW_OFFER: &str = "This lesson has answers or changes of earlier. \
    Begin anew forgets those of every lesson.";

impl Shell {
    pub(super) fn navigate(&mut self, ctx: &Context, navigation: &[Navigation]) {
        for target in navigation {
            match target {
                Navigation::Open(name) => self.opening.open_bundled(ctx, name),
                Navigation::OpenRead(model) => {
                    if let Err(refused) = self.open_model(Arc::clone(model)) {
                        self.notices.add_error(refused);
                    }
                }
                Navigation::OpenModelB => self.opening.open_dialog(ctx, FilePurpose::ModelB),
                _ => {}
            }
            match self.notebook.navigate(target) {
                // The page shows that it waits.
                Ok(()) | Err(EditError::NotHereYet) => {}
                Err(refused) => self.notices.add_error(refused.to_string()),
            }
        }
    }

    pub(super) fn turn_page(&mut self, forward: bool) {
        if self.notebook.turn_page(forward) {
            self.paragraphs_after_turn(forward);
        } else if self.notebook.awaited().is_none() {
            let on_route = self.notebook.is_on_route();
            self.notices.add(match (forward, on_route) {
                (true, true) => "This is the last step of the route.",
                (false, true) => "This is the first step of the route.",
                (true, false) => "This is the last step of the last lesson.",
                (false, false) => "This is the first step of the first lesson.",
            });
        }
    }

    /// Returns the slug of the open lesson and the index of the open step.
    pub(super) fn current_page(&self) -> (String, usize) {
        let document = self.notebook.document();
        (document.lesson.clone(), document.step)
    }

    /// Drops the view state of the page that was open before, if another is open now.
    pub(super) fn reset_view_after_turn(&mut self, before: &(String, usize), ctx: &Context) {
        if *before == self.current_page() {
            return;
        }
        self.view.scroll.to_top = true;
        self.view.scroll.to_demonstration = true;
        self.view.presenter.clear_stage();
        self.view.brush.switch_off();
        self.view.note.forget();
        self.key_focus.forget(ctx);
        // A step sets the pose of its scene; playback would change it at once.
        self.view.playing.stop();
        self.view.playing.autoplay = None;
        self.view.playing.sway = Sway::default();
        self.notices.drop_offers();
        self.timing.in_sight_since_secs = None;
        if before.0 != self.notebook.lesson().slug {
            forget_shown_tips(ctx);
        }
    }

    pub(super) fn undo(&mut self) {
        self.view.playing.stop();
        self.notices.drop_offers();
        let history = self.notebook.history();
        let text = match history.to_undo() {
            Some(change) => Command::Undo.with_change(change),
            None if history.is_shortened() => {
                "Nothing more to undo at this step: older changes were let go, to save memory."
                    .to_owned()
            }
            None => "Nothing to undo at this step.".to_owned(),
        };
        self.notices.set_status(text);
        self.notebook.undo();
        self.classes.follow(self.notebook.class(), &mut self.view);
    }

    pub(super) fn redo(&mut self) {
        self.notices.drop_offers();
        let text = match self.notebook.history().to_redo() {
            Some(change) => Command::Redo.with_change(change),
            None => "Nothing to redo at this step.".to_owned(),
        };
        self.notices.set_status(text);
        self.notebook.redo();
        self.classes.follow(self.notebook.class(), &mut self.view);
    }

    /// Resets the values and views of the step to those with which it opens.
    pub(super) fn reset(&mut self) {
        self.view.playing.stop();
        self.notices.drop_offers();
        self.notebook.reset_views();
        self.view.resets += 1;
        let _ = self.notebook.edit(&Edit::ResetStep, self.gesture);
    }

    /// Opens the next step with the values of this one.
    pub(super) fn carry_on(&mut self) {
        if !self.notebook.carry_on(self.gesture) {
            self.notices.add("This is the last step of the lesson: there is none to carry on to.");
        }
    }

    /// Resets all changes, answers and seen steps, and offers to undo that.
    pub(super) fn begin_anew(&mut self) {
        self.view.playing.stop();
        self.view.resets += 1;
        self.view.cells.forget_lessons(|_| true);
        self.notebook.reset_progress(self.gesture);
        self.classes.follow(self.notebook.class(), &mut self.view);
        self.timing.in_sight_since_secs = None;
        let text = if self.notebook.marks.is_empty() {
            "Begun anew: nothing is changed or answered."
        } else {
            "Begun anew: nothing is changed or answered. Your bookmarks and notes stay."
        };
        self.notices.offer(text, Command::Undo);
    }

    /// Offers to begin anew if the lesson keeps anything, because changes and answers of an
    /// earlier class would be on the screen of this one.
    pub(super) fn offer_to_begin_anew(&mut self) {
        if self.notebook.lesson_keeps_work() || !self.view.bench.snapshots.is_empty() {
            self.notices.offer(BEGIN_ANEW_OFFER, Command::BeginAnew);
        }
    }

    pub(super) fn open_link_with_notice(&mut self, link: &str) {
        match self.open_link(link) {
            Ok(()) => self.view.scroll.to_top = true,
            Err(why) => self.notices.add_error(format!("The link was not opened: {why}")),
        }
    }
}

impl Shell {
    /// Resumes the action that waited for a rig once the rig is loaded, and applies computed
    /// weights once they are ready.
    pub(super) fn resume_pending_action(&mut self) {
        self.notebook.take_up_weights();
        let Some(action) = self.notebook.take_awaited() else {
            return;
        };
        self.gesture += 1;
        self.changes += 1;
        self.view.scroll.to_top = true;
        self.view.scroll.to_demonstration = true;
        let error = match action {
            PendingActionKind::Page(page) => {
                self.notebook.go(&page).err().map(|why| why.to_string())
            }
            PendingActionKind::Link(link) => self.open_link(&link).err(),
            PendingActionKind::Model(model) => self.open_model(model).err(),
            PendingActionKind::Kept(page) => match self.notebook.reopen(&page, self.gesture) {
                Ok(reopened) => {
                    self.notebook.forget_history();
                    reopened.remark
                }
                Err(error) => Some(error.to_string()),
            },
        };
        if let Some(error) = error {
            self.notices.add_error(error);
        }
    }

    /// Runs long computations in the background from now on.
    pub(super) fn compute_in_background(&mut self, ctx: &Context) {
        let ctx = ctx.clone();
        let wake = Arc::new(move || ctx.request_repaint());
        self.notebook.set_long_work(WorkMode::Beside(wake));
    }

    /// Draws the substitute for the page while an action waits for a rig.
    pub(super) fn draw_awaited_page(&mut self, ui: &mut Ui) {
        let Some(awaited) = self.notebook.awaited() else {
            return;
        };
        let file = awaited.rig.as_deref().and_then(builtin_file);
        let failure = file.and_then(fetch::failure);
        let open_title = self.notebook.step().map_or("", |step| &step.title);
        let choice =
            awaited_page::ui(ui, &self.appearance.theme, awaited, open_title, failure.as_deref());
        match choice {
            Some(AwaitedPageChoice::TryAgain) => {
                if let Some(file) = file {
                    fetch::try_again(file);
                }
            }
            Some(AwaitedPageChoice::Stay) => self.notebook.stop_waiting(),
            None => return,
        }
        ui.ctx().request_repaint();
    }
}

/// Time after which an open step counts as seen. A step passed on the way to another one
/// does not count.
const MIN_SECS_TO_BE_SEEN: f64 = 3.0;

impl Shell {
    /// Marks the open step as seen if it was open long enough. Runs before anything is
    /// applied, because the frame that leaves a step is the last one that knows its time.
    pub(super) fn mark_step_seen(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let since_secs = *self.timing.in_sight_since_secs.get_or_insert(now_secs);
        if now_secs - since_secs >= MIN_SECS_TO_BE_SEEN && self.notebook.mark_seen() {
            self.changes += 1;
        }
    }

    /// Records answers and the reading time after everything was applied. Skipped while the
    /// pointer is down, because a dragged value is not final.
    pub(super) fn record_progress(&mut self, ctx: &Context) {
        if ctx.input(|input| input.pointer.any_down()) {
            return;
        }
        self.notebook.set_today(today());
        if let Some(since_secs) = self.timing.in_sight_since_secs {
            let now_secs = ctx.input(|input| input.time);
            self.notebook.set_secs_in_sight(now_secs - since_secs);
        }
        if self.notebook.note_answers() {
            self.changes += 1;
        }
    }
}
