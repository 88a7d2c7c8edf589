//! Below a question: the answer is given, and the way leads on.

use bindpose_lesson::InventoryQuestion;
use bindpose_notebook::inventory::{Form, FormAct, questions_of};
use eframe::egui::{Button, Ui};

use super::form_page::{FormPage, act};
use crate::PageContext;
use crate::widgets::Tip as _;

/// Shows them; `chosen` is the place of the answer in hand among the options.
pub(super) fn ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    form: &FormPage<'_>,
    chosen: Option<usize>,
    page: &mut PageContext<'_>,
) {
    let record = form.record();
    let is_given = record.is_some_and(|record| record.answers.contains_key(&question.id));
    ui.horizontal_wrapped(|ui| {
        if is_given {
            let is_last = form.open.at + 1 == questions_of(page.lesson, form.open.form).len();
            let words = if is_last { "To the result" } else { "Next question" };
            if ui.button(words).clicked() {
                act(page, FormAct::Turn(true));
            }
        } else {
            let answer = ui.add_enabled(chosen.is_some(), Button::new("Answer"));
            if answer.tip_disabled("Choose an answer first").clicked()
                && let Some(option) = chosen
            {
                let question = question.id.clone();
                act(page, FormAct::Answer { question, option });
                if form.open.form == Form::Before {
                    // There is no verdict to read.
                    act(page, FormAct::Turn(true));
                }
            }
            if ui.button("Leave open").tip("To the next question, without an answer").clicked() {
                act(page, FormAct::Turn(true));
            }
        }
        let first = form.open.at == 0;
        if ui.add_enabled(!first, Button::new("Question before")).clicked() {
            act(page, FormAct::Turn(false));
        }
        leave(ui, page);
    });
}

pub(super) fn leave(ui: &mut Ui, page: &mut PageContext<'_>) {
    if ui.button("To the lesson").clicked() {
        act(page, FormAct::Leave);
    }
}
