//! Behind the last question: before the lesson, that the answers are kept; after it,
//! which misconceptions they show, then and now.

use bindpose_lesson::{Lesson, Misconception, find_lesson_from, find_step};
use bindpose_notebook::inventory::{
    FormAct, Holding, InventoryForm, held_elsewhere, holding, questions_of, result_words,
};
use bindpose_notebook::{Navigation, PageAddress};
use eframe::egui::{RichText, Ui};

use super::form_page::{FormPage, act, leave, text, text_button};

use crate::PageContext;
use crate::theme::{BODY, CAPTION, CARD, SMALL, font};
use crate::widgets::{Emphasis, Tone, card};

/// Shows it.
pub(super) fn ui(ui: &mut Ui, form: &FormPage<'_>, page: &mut PageContext<'_>) {
    let lesson = page.lesson;
    let all = questions_of(lesson, form.open.form).len();
    let answered = form.record().map_or(0, |record| record.answered(lesson, form.open.form));
    let words = match form.open.form {
        InventoryForm::Before => format!(
            "{answered} of {all} questions answered. They are kept as they are; the questions \
             after the lesson are others about the same, and come with the reasons."
        ),
        InventoryForm::After => result_words(lesson, form.forms),
    };
    ui.add_space(2.0);
    text(ui, &words, BODY, Emphasis::Strong, page);
    ui.add_space(10.0);
    if form.open.form == InventoryForm::After && answered > 0 {
        for one in &lesson.inventory.misconceptions {
            let [before, after] =
                InventoryForm::ALL.map(|of| holding(lesson, of, form.forms.record(of), &one.id));
            misconception(ui, one, (before, after), page);
            ui.add_space(8.0);
        }
        elsewhere(ui, form, page);
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("Question before").clicked() {
            act(page, FormAct::Turn(false));
        }
        if answered > 0 && ui.button("Forget and answer again").clicked() {
            act(page, FormAct::Again);
        }
        leave(ui, page);
    });
}

/// What is believed, whether it was and is, and what is so.
fn misconception(
    ui: &mut Ui,
    one: &Misconception,
    (before, after): (Holding, Holding),
    page: &mut PageContext<'_>,
) {
    let tone = match after {
        Holding::NotHeld => Tone::Right,
        Holding::Held => Tone::Wrong,
        Holding::Otherwise | Holding::NotAnswered => Tone::Quiet,
    };
    let theme = page.theme;
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let words = format!("before: {} · after: {}", before.words(), after.words());
        let words = RichText::new(words).font(font::strong(CAPTION));
        ui.label(words.color(tone.heading_color(theme)));
        text(ui, &format!("“{}”", one.belief), SMALL, Emphasis::Quiet, page);
        text(ui, &one.truth, CARD, Emphasis::Plain, page);
        if matches!(after, Holding::Held | Holding::Otherwise) {
            let lesson = page.lesson;
            way_to_step(ui, lesson, one, page);
        }
    });
}

/// A line that leads to the step where it is seen; nothing where none is named.
fn way_to_step(ui: &mut Ui, lesson: &Lesson, one: &Misconception, page: &mut PageContext<'_>) {
    let set = page.set;
    let place = one.place(&lesson.slug).and_then(|(name, step)| {
        let index = find_lesson_from(&set.lessons, name, &lesson.slug).ok()?;
        let named = &set.lessons[index];
        Some((named, find_step(named, step).ok()?))
    });
    let Some((named, index)) = place else {
        return;
    };
    let step = &named.steps[index];
    let of_lesson = if named.slug == page.lesson.slug {
        String::new()
    } else {
        format!("lesson {}, ", named.number)
    };
    let words = format!("See it in {of_lesson}step {}: {}", index + 1, step.title);
    if text_button(ui, &words, page.theme).clicked() {
        let address = PageAddress::step(&named.slug, &step.slug);
        page.navigation.push(Navigation::Go(address));
    }
}

/// Misconceptions that other lessons are about, as far as the answers show them.
fn elsewhere(ui: &mut Ui, form: &FormPage<'_>, page: &mut PageContext<'_>) {
    let held = held_elsewhere(page.lesson, form.record());
    let set = page.set;
    for lesson in &set.lessons {
        for one in &lesson.inventory.misconceptions {
            if held.contains(one.id.as_str()) {
                let (number, title) = (lesson.number, &lesson.title);
                let words = format!("Also shown: “{}” (lesson {number}, {title})", one.belief);
                ui.label(page.theme.label(words));
                way_to_step(ui, lesson, one, page);
                ui.add_space(4.0);
            }
        }
    }
}
