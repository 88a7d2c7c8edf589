//! Reading on by clicker in presenter mode: the answer to a question, the next paragraph, then
//! the next step. Reading back takes the same way.

use bindpose_class_protocol::{QuestionAddress, QuestionPhase};
use bindpose_notebook::exercise_cells::{Exercise, exercises_at};
use bindpose_page::classroom::question_address;
use bindpose_page::presenter;
use bindpose_page::view::classroom::ClassRole;
use bindpose_page::view::presenter::ShownAnswer;
use eframe::egui::Context;

use super::Shell;

/// Effect of a press on the question of a class.
enum ClassPress {
    /// The press was for the class.
    Taken,
    /// The class is done with the question, or the page is not that of a teacher.
    ReadsOn,
}

impl Shell {
    /// Shows the next part of a step: in presenter mode the answer to the question that was read
    /// last, then the next paragraph. Or takes the last one back. Returns false if the step has
    /// no further part.
    pub(super) fn turn_within_step(&mut self, ctx: &Context, forward: bool) -> bool {
        match (self.view.presenting, forward) {
            (false, _) => self.turn_paragraph(forward),
            (true, true) => {
                self.answer_next_exercise(ctx) || self.put_tasks_back() || self.turn_paragraph(true)
            }
            (true, false) => self.take_answer_back(ctx) || self.turn_paragraph(false),
        }
    }

    /// Puts the tasks that fill the page back to their places. Returns false if they do not
    /// fill it.
    fn put_tasks_back(&mut self) -> bool {
        let document = self.notebook.document();
        let fills_page = self.view.shows_tasks_alone(&document.lesson, document.step);
        if fills_page {
            self.view.enlarged = None;
        }
        fills_page
    }

    /// Takes back the answer that was shown last. Returns false if the page has changed since.
    fn take_answer_back(&mut self, ctx: &Context) -> bool {
        let visible_count = self.visible_paragraph_count();
        let presenter = &mut self.view.presenter;
        if let Some(shown) = presenter.shown_answers.last()
            && shown.visible_count >= visible_count
        {
            let is_unchanged = shown.document == *self.notebook.document();
            presenter.shown_answers.pop();
            if is_unchanged {
                let before = self.notebook.document().clone();
                self.notebook.undo();
                self.view.playing.move_from(&before, ctx.input(|input| input.time));
                return true;
            }
        }
        false
    }

    /// Reads on without the answer to the question that was read last.
    pub(super) fn skip_answer(&mut self) {
        if self.view.presenting {
            if let Some(exercise) = self.next_exercise() {
                self.view.presenter.reading.pass(&exercise);
            }
            if self.turn_paragraph(true) {
                return;
            }
        }
        self.turn_page(true);
    }

    /// Returns the number of visible paragraphs of the open step.
    fn visible_paragraph_count(&mut self) -> usize {
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        if self.view.presenter.by_paragraph.unwrap_or(self.view.presenting) {
            self.view.presenter.reading.shown(&lesson.slug, step)
        } else {
            presenter::count_paragraphs(lesson, step)
        }
    }

    /// Returns the id of the first exercise in sight that is neither answered nor passed.
    fn next_exercise(&mut self) -> Option<String> {
        if self.notebook.forms().open.is_some() || self.view.bench.replaces_prose {
            return None;
        }
        let step = self.notebook.document().step;
        let shows_tasks_alone = self.view.shows_tasks_alone(&self.notebook.lesson().slug, step);
        let visible_count =
            if shows_tasks_alone { usize::MAX } else { self.visible_paragraph_count() };
        let by_paragraph = self.view.presenter.by_paragraph.unwrap_or(true);
        let reading = &self.view.presenter.reading;
        let placed = &self.view.item_rects;
        presenter::visible_exercises(self.notebook.lesson(), step, visible_count)
            .into_iter()
            .find(|id| !reading.has_passed(id) && !self.notebook.is_answered(id))
            .filter(|id| by_paragraph || placed.has_come_into_sight(id))
            .map(str::to_owned)
    }

    /// Shows the answer to the next exercise, or leads the class through it. Returns false if
    /// there is none, or a class is done with it.
    fn answer_next_exercise(&mut self, ctx: &Context) -> bool {
        let next = self.next_exercise();
        if let ClassPress::Taken = self.lead_class_by_press(ctx, next.as_deref()) {
            return true;
        }
        // A class may have just been led past it.
        let Some(exercise) = next.filter(|id| !self.view.presenter.reading.has_passed(id)) else {
            return false;
        };
        self.show_answer(ctx, &exercise)
    }

    fn show_answer(&mut self, ctx: &Context, exercise: &str) -> bool {
        let before = self.notebook.document().clone();
        if !self.notebook.show_answer(exercise, self.gesture) {
            // Its answer has no value on this page, and the next press goes on.
            self.view.presenter.reading.pass(exercise);
            return false;
        }
        self.view.playing.move_from(&before, ctx.input(|input| input.time));
        let visible_count = self.visible_paragraph_count();
        let document = self.notebook.document().clone();
        let presenter = &mut self.view.presenter;
        presenter.shown_answers.push(ShownAnswer { document, visible_count });
        presenter.scrolls_to_cell = Some(exercise.to_owned());
        true
    }

    /// Moves the question of a class to its next phase, or asks the class the question of
    /// `next`. A round of answers is locked before its question is revealed.
    fn lead_class_by_press(&mut self, ctx: &Context, next: Option<&str>) -> ClassPress {
        let open_question = self.view.classroom.question().cloned();
        match &self.view.classroom.role {
            ClassRole::None => return ClassPress::ReadsOn,
            ClassRole::Student(_) => {
                // The teacher reveals the answer.
                if let Some(exercise) = next
                    && let Some(question) = &open_question
                    && question.phase != QuestionPhase::Revealed
                    && question.address == self.address_of(exercise)
                {
                    self.view.presenter.reading.pass(exercise);
                }
                return ClassPress::ReadsOn;
            }
            ClassRole::Teacher(teacher) if teacher.state().is_over => return ClassPress::ReadsOn,
            ClassRole::Teacher(_) => {}
        }
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        let Some(question) = open_question else {
            let askable = exercises_at(lesson, step).find(|(id, exercise)| {
                Some(*id) == next && !matches!(exercise, Exercise::Chain(_))
            });
            let Some((id, _)) = askable else { return ClassPress::ReadsOn };
            let address = self.address_of(id);
            self.ask_class(ctx, Some(address));
            return ClassPress::Taken;
        };
        let asked = exercises_at(lesson, step)
            .find(|(id, _)| self.address_of(id) == question.address)
            .map(|(id, exercise)| (id.to_owned(), matches!(exercise, Exercise::Check(_))));
        let Some((id, is_check)) = asked else { return ClassPress::ReadsOn };
        let is_next_revealed = question.phase.next() == Some(QuestionPhase::Revealed);
        if is_next_revealed && !question.is_locked {
            if let Some(teacher) = self.view.classroom.teacher() {
                teacher.lock(true);
            }
            return ClassPress::Taken;
        }
        self.ask_class(ctx, None);
        if question.phase != QuestionPhase::Revealed {
            return ClassPress::Taken;
        }
        if is_check && !self.notebook.is_answered(&id) {
            self.show_answer(ctx, &id);
            return ClassPress::Taken;
        }
        self.view.presenter.reading.pass(&id);
        ClassPress::ReadsOn
    }

    fn address_of(&self, exercise: &str) -> QuestionAddress {
        question_address(self.notebook.lesson(), self.notebook.document(), exercise)
    }
}
