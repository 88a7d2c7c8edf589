//! What the pages of a form have in common.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_kit::theme::{BODY, CAPTION, CARD, SMALL, font};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, Tone, card, text_button};
use bindpose_lesson::{
    InventoryQuestion, Lesson, Misconception, ViewportCell, find_lesson_from, find_step, short_text,
};
use bindpose_notebook::inventory::{
    FormAct, FormRecord, Forms, Holding, InventoryForm, OpenForm, OptionValue, held_elsewhere,
    holding, option_values, questions_of, result_words,
};
use bindpose_notebook::{Derived, Document, Navigation, PageAddress, lesson_rig};
use bindpose_rigs::builtin;
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::cells::figure::FigureView;
use crate::prose::inlines_ui;

/// A form that is open, and what was answered in both.
#[derive(Clone, Copy)]
pub(super) struct FormPage<'a> {
    pub(super) open: OpenForm,
    pub(super) forms: &'a Forms<'a>,
}

impl<'a> FormPage<'a> {
    /// What was answered in the one that is open.
    pub(super) fn record(&self) -> Option<&'a FormRecord> {
        self.forms.record(self.open.form)
    }
}

/// A text of the inventory.
pub(super) fn text(
    ui: &mut Ui,
    words: &str,
    size: f32,
    emphasis: Emphasis,
    page: &mut PageContext<'_>,
) {
    let face = Face::of_text(size, emphasis, page.theme);
    inlines_ui(ui, short_text(words).line(), face, page);
}

/// Leads back to the lesson.
pub(super) fn leave(ui: &mut Ui, page: &mut PageContext<'_>) {
    if ui.button("To the lesson").clicked() {
        act(page, FormAct::Leave);
    }
}

/// Asks for it after the frame.
pub(super) fn act(page: &mut PageContext<'_>, act: FormAct) {
    page.requests.navigation.push(Navigation::Form(act));
}

// Behind the last question: before the lesson, that the answers are kept; after it,
// which misconceptions they show, then and now.

/// Shows it.
pub(super) fn result_ui(ui: &mut Ui, form: &FormPage<'_>, page: &mut PageContext<'_>) {
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
        page.requests.go_to(address);
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

// The rig of a question in a picture: it can be looked at from all sides, and nothing
// that is done there changes the page or the question.

/// The rig as it stands in a question, and what its answers are worth.
pub(super) struct QuestionFigure {
    rig: Arc<Rig>,
    state: (Document, Derived),
    pub(super) values: Vec<OptionValue>,
    look: FigureView,
}

impl QuestionFigure {
    /// `None` where a formula has no value, which the content check tells.
    pub(super) fn new(question: &InventoryQuestion, rig: Arc<Rig>) -> Option<Self> {
        let (state, values) = option_values(question, &rig).ok()?;
        Some(Self { rig, state, values, look: FigureView::default() })
    }

    /// Is it of this rig?
    pub(super) fn is_on(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, &self.rig)
    }
}

/// The picture of an answer by itself, by its place among the options, or that of the
/// question; false where there is none.
pub fn question_picture(
    ui: &mut Ui,
    question: &InventoryQuestion,
    option: Option<usize>,
    page: &mut PageContext<'_>,
    height: f32,
) -> bool {
    let rig = lesson_rig(page.set, question.rig_in(page.lesson), &builtin);
    let shown = rig.and_then(|rig| QuestionFigure::new(question, rig));
    let (Some(mut shown), Some(cell)) = (shown, &question.viewport) else {
        return false;
    };
    picture(ui, cell, (&mut shown, option), page, height);
    true
}

/// The picture of an answer, by its place among the options, or that of the question.
pub(super) fn picture(
    ui: &mut Ui,
    cell: &ViewportCell,
    (shown, option): (&mut QuestionFigure, Option<usize>),
    page: &mut PageContext<'_>,
    height: f32,
) {
    let (document, derived) = match option.and_then(|place| shown.values.get(place)) {
        Some(OptionValue::Picture(state)) => (&state.0, &state.1),
        _ => (&shown.state.0, &shown.state.1),
    };
    let id = match option {
        Some(place) => format!("inventory picture {place}"),
        None => "inventory figure".to_owned(),
    };
    // Words over a picture would tell which answer it is.
    let told = std::mem::replace(&mut page.view.pictures.unnamed, option.is_some());
    let of = (&shown.rig, document, derived);
    shown.look.show(ui, (cell, id), of, page, height);
    page.view.pictures.unnamed = told;
}
