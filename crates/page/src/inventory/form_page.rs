//! Parts that the questions and the result of a form share, and the result.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_kit::theme::{BODY_SIZE, CAPTION_SIZE, CARD_SIZE, SMALL_SIZE, font};
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
use crate::prose::text_ui;

/// The open form, and the answers to both forms.
#[derive(Clone, Copy)]
pub(super) struct FormPage<'a> {
    pub(super) open: OpenForm,
    pub(super) forms: &'a Forms<'a>,
}

impl<'a> FormPage<'a> {
    /// Answers to the open form, if any.
    pub(super) fn record(&self) -> Option<&'a FormRecord> {
        self.forms.record(self.open.form)
    }
}

/// Draws a text with the markup of inventories.
pub(super) fn words_ui(
    ui: &mut Ui,
    words: &str,
    size: f32,
    emphasis: Emphasis,
    page: &mut PageContext<'_>,
) {
    text_ui(ui, &short_text(words), size, emphasis, page);
}

/// Draws the button that returns to the lesson.
pub(super) fn leave_button_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if ui.button("To the lesson").clicked() {
        push_act(page, FormAct::Leave);
    }
}

/// Requests an action, which is done after the frame.
pub(super) fn push_act(page: &mut PageContext<'_>, act: FormAct) {
    page.requests.navigation.push(Navigation::Form(act));
}

/// Draws the result, after the last question. Before the lesson, it says that the answers
/// are kept; after it, which misconceptions they show, before and now.
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
    words_ui(ui, &words, BODY_SIZE, Emphasis::Strong, page);
    ui.add_space(10.0);
    if form.open.form == InventoryForm::After && answered > 0 {
        for one in &lesson.inventory.misconceptions {
            let [before, after] =
                InventoryForm::ALL.map(|of| holding(lesson, of, form.forms.record(of), &one.id));
            misconception_ui(ui, one, before, after, page);
            ui.add_space(8.0);
        }
        held_elsewhere_ui(ui, form, page);
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("Question before").clicked() {
            push_act(page, FormAct::Turn(false));
        }
        if answered > 0 && ui.button("Forget and answer again").clicked() {
            push_act(page, FormAct::Again);
        }
        leave_button_ui(ui, page);
    });
}

/// Draws a misconception, whether it was held before and after the lesson, and the truth.
fn misconception_ui(
    ui: &mut Ui,
    one: &Misconception,
    before: Holding,
    after: Holding,
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
        let words = RichText::new(words).font(font::strong(CAPTION_SIZE));
        ui.label(words.color(tone.heading_color(theme)));
        words_ui(ui, &format!("“{}”", one.belief), SMALL_SIZE, Emphasis::Quiet, page);
        words_ui(ui, &one.truth, CARD_SIZE, Emphasis::Plain, page);
        if matches!(after, Holding::Held | Holding::Otherwise) {
            let lesson = page.lesson;
            step_link_ui(ui, lesson, one, page);
        }
    });
}

/// Draws a link to the step that shows the truth, if the misconception names one.
fn step_link_ui(ui: &mut Ui, lesson: &Lesson, one: &Misconception, page: &mut PageContext<'_>) {
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

/// Draws the misconceptions of other lessons that the answers show.
fn held_elsewhere_ui(ui: &mut Ui, form: &FormPage<'_>, page: &mut PageContext<'_>) {
    let held = held_elsewhere(page.lesson, form.record());
    let set = page.set;
    for lesson in &set.lessons {
        for one in &lesson.inventory.misconceptions {
            if held.contains(one.id.as_str()) {
                let (number, title) = (lesson.number, &lesson.title);
                let words = format!("Also shown: “{}” (lesson {number}, {title})", one.belief);
                ui.label(page.theme.label(words));
                step_link_ui(ui, lesson, one, page);
                ui.add_space(4.0);
            }
        }
    }
}

// Pictures of questions. The reader can turn them, but cannot change the page or the
// question in them.

/// The rig of a question in its state, and the values of the choices.
pub(super) struct QuestionFigure {
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    pub(super) values: Vec<OptionValue>,
    view: FigureView,
}

impl QuestionFigure {
    /// Returns `None` if a formula has no value, which the content check reports.
    pub(super) fn new(question: &InventoryQuestion, rig: Arc<Rig>) -> Option<Self> {
        let ((document, derived), values) = option_values(question, &rig).ok()?;
        Some(Self { rig, document, derived, values, view: FigureView::default() })
    }

    pub(super) fn is_on(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, &self.rig)
    }
}

/// Draws the figure of a question, or the picture of the choice with this index, by itself.
/// Returns false if there is none.
pub fn question_picture(
    ui: &mut Ui,
    question: &InventoryQuestion,
    option: Option<usize>,
    page: &mut PageContext<'_>,
    height: f32,
) -> bool {
    let rig = lesson_rig(page.set, question.rig_in(page.lesson), &builtin);
    let figure = rig.and_then(|rig| QuestionFigure::new(question, rig));
    let (Some(mut figure), Some(cell)) = (figure, &question.viewport) else {
        return false;
    };
    picture_ui(ui, cell, &mut figure, option, page, height);
    true
}

/// Draws the figure of a question, or the picture of the choice with this index.
pub(super) fn picture_ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    figure: &mut QuestionFigure,
    option: Option<usize>,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let (document, derived) = match option.and_then(|index| figure.values.get(index)) {
        Some(OptionValue::Picture(state)) => (&state.0, &state.1),
        _ => (&figure.document, &figure.derived),
    };
    let id = match option {
        Some(index) => format!("inventory picture {index}"),
        None => "inventory figure".to_owned(),
    };
    // Words over a picture would reveal which choice is right.
    let was_unnamed = std::mem::replace(&mut page.view.pictures.hides_captions, option.is_some());
    figure.view.show(ui, (cell, id), (&figure.rig, document, derived), page, height);
    page.view.pictures.hides_captions = was_unnamed;
}
