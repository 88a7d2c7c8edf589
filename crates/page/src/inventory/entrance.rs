//! The way into a form, where its lesson begins and where it ends.

use bindpose_lesson::Lesson;
use bindpose_notebook::inventory::{Form, FormAct, FormRecord, Forms, questions_of};
use eframe::egui::{Button, Response, RichText, Ui};

use super::form_page::act;
use crate::PageContext;
use crate::theme::{CAPTION, Theme};

/// `Before you begin: 4 questions`; `None` where the lesson has none.
pub fn entrance_words(lesson: &Lesson, form: Form, record: Option<&FormRecord>) -> Option<String> {
    let all = questions_of(lesson, form).len();
    let answered = record.map_or(0, |record| record.answered(lesson, form));
    let when = match form {
        Form::Before => "Before you begin",
        Form::After => "After this lesson",
    };
    let questions = if all == 1 { "question" } else { "questions" };
    match answered {
        _ if all == 0 => None,
        0 => Some(format!("{when}: {all} {questions}")),
        answered if answered == all => Some(format!("{when}: {questions} answered")),
        answered => Some(format!("{when}: {answered} of {all} {questions} answered")),
    }
}

/// A line that leads there; nothing where the lesson has no questions.
pub fn entrance(ui: &mut Ui, form: Form, forms: &Forms<'_>, page: &mut PageContext<'_>) {
    let Some(words) = entrance_words(page.lesson, form, forms.record(form)) else {
        return;
    };
    if text_button(ui, &words, page.theme).clicked() {
        act(page, FormAct::Open(form));
    }
}

/// A button without a frame, whose words stand where those around it do.
pub(super) fn text_button(ui: &mut Ui, words: &str, theme: &Theme) -> Response {
    let text = RichText::new(words).size(CAPTION).color(theme.accent);
    let button = Button::new(text).frame_when_inactive(false);
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = 0.0;
        ui.add(button)
    })
    .inner
}
