//! Going from step to step, what is kept with each, and links, in the open program; what
//! waits for a rig or for weights; what the reader has seen and answered.

use std::sync::Arc;

use bindpose_asset::builtin_file;
use bindpose_notebook::{Edit, EditError, Navigation, PendingActionKind, WorkMode};
use bindpose_page::awaited_page::{self, AwaitedPageChoice};
use bindpose_page::command::Command;
use bindpose_page::reader_presence::Sway;
use bindpose_shipped as shipped;
use eframe::egui::{Context, Ui};

use super::Shell;
use crate::app::exporting::today;
use crate::app::opening::FilePurpose;

impl Shell {
    pub(super) fn navigate(&mut self, ctx: &Context, navigation: &[Navigation]) {
        for one in navigation {
            if let Navigation::Open(name) = one {
                self.opening.begin_bundled(ctx, name);
            }
            if let Navigation::OpenRead(model) = one
                && let Err(refused) = self.open_model(Arc::clone(model))
            {
                self.notices.wrong(refused);
            }
            if *one == Navigation::OpenModelB {
                self.opening.ask(ctx, FilePurpose::ModelB);
            }
            match self.notebook.navigate(one) {
                // The page says so.
                Ok(()) | Err(EditError::NotHereYet) => {}
                Err(refused) => self.notices.wrong(refused.to_string()),
            }
        }
    }

    pub(super) fn turn_page(&mut self, forward: bool) {
        if self.notebook.turn_page(forward) {
            self.paragraphs_after_turn(forward);
        } else if self.notebook.awaited().is_none() {
            let on_route = self.notebook.is_on_route();
            self.notices.say(match (forward, on_route) {
                (true, true) => "This is the last step of the route.",
                (false, true) => "This is the first step of the route.",
                (true, false) => "This is the last step of the last lesson.",
                (false, false) => "This is the first step of the first lesson.",
            });
        }
    }

    /// The slug of the lesson, and the number of the step.
    pub(super) fn page_in_sight(&self) -> (String, usize) {
        let document = self.notebook.document();
        (document.lesson.clone(), document.step)
    }

    /// What belongs to the page that was in sight goes, if that is another now.
    pub(super) fn turned_from(&mut self, before: &(String, usize), ctx: &Context) {
        if *before == self.page_in_sight() {
            return;
        }
        self.view.scroll.to_top = true;
        self.view.scroll.to_demonstration = true;
        self.view.presenter.wipe();
        self.view.brush.put_down();
        self.view.note.forget();
        self.key_focus.forget(ctx);
        // A step puts the scene somewhere; motion would carry it off again.
        self.view.playing.stop();
        self.view.playing.by_itself = None;
        self.view.playing.sway = Sway::default();
        self.notices.drop_offers();
        self.timing.in_sight_since_secs = None;
    }

    pub(super) fn undo(&mut self) {
        self.view.playing.stop();
        self.notices.drop_offers();
        let done = self.notebook.history().to_undo();
        let words = done.map(|done| Command::Undo.with_change(done));
        let words = words.unwrap_or_else(|| {
            if self.notebook.history().is_shortened() {
                "Nothing more to undo at this step: older changes were let go, to save memory."
            } else {
                "Nothing to undo at this step."
            }
            .to_owned()
        });
        self.notices.say_instead(words);
        self.notebook.undo();
        self.classes.follow(self.notebook.class(), &mut self.view);
    }

    pub(super) fn redo(&mut self) {
        self.notices.drop_offers();
        let done = self.notebook.history().to_redo();
        let words = done.map(|done| Command::Redo.with_change(done));
        let words = words.unwrap_or_else(|| "Nothing to redo at this step.".to_owned());
        self.notices.say_instead(words);
        self.notebook.redo();
        self.classes.follow(self.notebook.class(), &mut self.view);
    }

    /// Values and views of the step as it opens.
    pub(super) fn reset(&mut self) {
        self.view.playing.stop();
        self.notices.drop_offers();
        self.notebook.put_views_back();
        self.view.resets += 1;
        let _ = self.notebook.edit(&Edit::ResetStep, self.gesture);
    }

    /// To the next step with the values of this one.
    pub(super) fn carry_on(&mut self) {
        if !self.notebook.carry_on(self.gesture) {
            self.notices.say("This is the last step of the lesson: there is none to carry on to.");
        }
    }

    /// Forgets what was changed, answered and seen, and offers it back.
    pub(super) fn begin_anew(&mut self) {
        self.view.playing.stop();
        self.view.resets += 1;
        self.view.cells.forget_lessons(|_| true);
        self.notebook.begin_anew(self.gesture);
        self.classes.follow(self.notebook.class(), &mut self.view);
        self.timing.in_sight_since_secs = None;
        let words = if self.notebook.marks.is_empty() {
            "Begun anew: nothing is changed or answered."
        } else {
            "Begun anew: nothing is changed or answered. Your bookmarks and notes stay."
        };
        self.notices.offer(words, Command::Undo);
    }

    /// What an earlier class has left would be on the screen of this one.
    pub(super) fn offer_to_begin_anew(&mut self) {
        if self.notebook.keeps_anything() || !self.view.bench.snapshots.is_empty() {
            self.notices.offer("Answers and changes of earlier are kept.", Command::BeginAnew);
        }
    }

    pub(super) fn open_link(&mut self, link: &str) {
        match self.follow(link) {
            Ok(()) => self.view.scroll.to_top = true,
            Err(why) => self.notices.wrong(format!("The link was not opened: {why}")),
        }
    }
}

impl Shell {
    /// Does what was asked, once its rig is here, and shows weights that are.
    pub(super) fn take_up_awaited(&mut self) {
        self.notebook.take_up_weights();
        let Some(asked) = self.notebook.take_awaited() else {
            return;
        };
        self.gesture += 1;
        self.changes += 1;
        self.view.scroll.to_top = true;
        self.view.scroll.to_demonstration = true;
        let wrong = match asked {
            PendingActionKind::Page(page) => {
                self.notebook.go(&page).err().map(|why| why.to_string())
            }
            PendingActionKind::Link(link) => self.follow(&link).err(),
            PendingActionKind::Model(model) => self.open_model(model).err(),
            PendingActionKind::Kept(page) => match self.notebook.reopen(&page, self.gesture) {
                Ok(reopened) => {
                    self.notebook.forget_history();
                    reopened.remark
                }
                Err(wrong) => Some(wrong.to_string()),
            },
        };
        if let Some(wrong) = wrong {
            self.notices.wrong(wrong);
        }
    }

    /// What takes long is done beside the page from now on.
    pub(super) fn work_beside(&mut self, ctx: &Context) {
        let ctx = ctx.clone();
        let wake = Arc::new(move || ctx.request_repaint());
        self.notebook.set_long_work(WorkMode::Beside(wake));
    }

    /// In the place of the page, while something waits.
    pub(super) fn awaited_page(&mut self, ui: &mut Ui) {
        let Some(awaited) = self.notebook.awaited() else {
            return;
        };
        let file = awaited.rig.as_deref().and_then(builtin_file);
        let failure = file.and_then(shipped::failure);
        let here = self.notebook.step().map_or("", |step| &step.title);
        let answer = awaited_page::ui(ui, &self.look.theme, awaited, here, failure.as_deref());
        match answer {
            Some(AwaitedPageChoice::TryAgain) => {
                if let Some(file) = file {
                    shipped::try_again(file);
                }
            }
            Some(AwaitedPageChoice::Stay) => self.notebook.stop_waiting(),
            None => return,
        }
        ui.ctx().request_repaint();
    }
}

/// A step that has stood for so long has been seen; one that is passed on the way
/// to another has not.
const SEEN_AFTER_SECS: f64 = 3.0;

impl Shell {
    /// Before anything is applied: the frame that leaves a step is the last that
    /// can say how long it stood.
    pub(super) fn count_seen(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let since_secs = *self.timing.in_sight_since_secs.get_or_insert(now_secs);
        if now_secs - since_secs >= SEEN_AFTER_SECS && self.notebook.mark_seen() {
            self.changes += 1;
        }
    }

    /// After all was applied, unless something is still being dragged.
    pub(super) fn note_progress(&mut self, ctx: &Context) {
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
