//! A form of the lesson's inventory in the place of the page: a question at a time,
//! and behind the last one what the answers show.

mod figure;
mod form_page;
mod options;
mod question;
mod result;

pub use figure::question_picture;

use bindpose_lesson::Lesson;
use bindpose_notebook::inventory::{
    FormAct, FormRecord, Forms, InventoryForm, OpenForm, questions_of,
};
use eframe::egui::{Frame, Margin, ScrollArea, Ui, UiBuilder};

use super::PageContext;
use super::widgets::reveal_focus;
use form_page::{FormPage, act, text_button};

/// The widest column, in points: a figure stands beside the answers in it.
const COLUMN: f32 = 900.0;
/// Under this width, margins are narrow.
const NARROW: f32 = 560.0;

/// Shows it in what is left of the window.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, open: OpenForm, forms: &Forms<'_>) {
    let form = &FormPage { open, forms };
    let lesson = page.lesson;
    let questions = questions_of(lesson, form.open.form);
    // What moves is of the page, which is out of sight.
    page.view.playing.transition = None;
    let area = ui.available_rect_before_wrap();
    let salt = (&lesson.slug, form.open.form, form.open.at);
    let scroll = ScrollArea::vertical().id_salt(salt);
    scroll.auto_shrink([false, false]).show(ui, |ui| {
        let wide = ui.available_width();
        let side = if wide < NARROW { 14.0 } else { 28.0 };
        let indent = ((wide - COLUMN) / 2.0 - side).max(0.0);
        let room = ui.available_rect_before_wrap();
        let room = room.with_min_x(room.left() + indent);
        ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
            let margin = Margin {
                left: side as i8,
                right: side as i8,
                top: if wide < NARROW { 10 } else { 20 },
                bottom: 28,
            };
            Frame::NONE.inner_margin(margin).show(ui, |ui| {
                ui.set_max_width(ui.available_width().min(COLUMN));
                caption(ui, page, form, questions.len());
                match questions.get(form.open.at) {
                    Some(question) => question::ui(ui, question, form, page, area.height()),
                    None => result::ui(ui, form, page),
                }
            });
        });
        reveal_focus(ui);
    });
}

/// `Lesson 20, before it · question 2 of 4`
fn caption(ui: &mut Ui, page: &PageContext<'_>, form: &FormPage<'_>, all: usize) {
    let (number, title) = (page.lesson.number, &page.lesson.title);
    let when = form.open.form.key();
    let place = if form.open.at < all {
        format!("question {} of {all}", form.open.at + 1)
    } else {
        "result".to_owned()
    };
    let words = format!("{number} · {title} · questions {when} it · {place}");
    ui.label(page.theme.caption(words));
}

/// `Before you begin: 4 questions`; `None` where the lesson has none.
pub fn entrance_words(
    lesson: &Lesson,
    form: InventoryForm,
    record: Option<&FormRecord>,
) -> Option<String> {
    let all = questions_of(lesson, form).len();
    let answered = record.map_or(0, |record| record.answered(lesson, form));
    let when = match form {
        InventoryForm::Before => "Before you begin",
        InventoryForm::After => "After this lesson",
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
pub fn entrance(ui: &mut Ui, form: InventoryForm, forms: &Forms<'_>, page: &mut PageContext<'_>) {
    let Some(words) = entrance_words(page.lesson, form, forms.record(form)) else {
        return;
    };
    if text_button(ui, &words, page.theme).clicked() {
        act(page, FormAct::Open(form));
    }
}
