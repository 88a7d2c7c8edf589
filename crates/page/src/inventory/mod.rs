//! A form of the lesson's inventory in the place of the page: a question at a time,
//! and behind the last one what the answers show.

mod form_page;

use bindpose_kit::theme::{BODY, CAPTION, CARD};
use bindpose_kit::widgets::{
    Emphasis, FittedMatrix, MatrixHeads, Tip as _, Tone, card, reveal_focus, text_button, verdict,
};
use bindpose_lesson::significant_digits::Magnitude;
pub use form_page::question_picture;

use std::borrow::Cow;

use bindpose_lesson::{FormulaValue, InventoryQuestion, Lesson, Text, short_text};
use bindpose_notebook::inventory::{
    FormAct, FormRecord, Forms, InventoryForm, OpenForm, OptionValue, option_letter, option_words,
    questions_of, shown_options,
};
use bindpose_notebook::lesson_rig;
use bindpose_rigs::builtin;
use eframe::egui::{
    Button, Frame, Margin, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, vec2,
};

use super::PageContext;
use crate::cells::{choice_row, choice_rows};
use crate::view::placed::ProseScroll;
use form_page::{FormPage, QuestionFigure, act, leave, picture, text};

/// The widest column, in points: a figure stands beside the answers in it.
const COLUMN: f32 = 900.0;
/// Room below the last line, in points.
const FOOT: i8 = 28;
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
    let mut scroll = ScrollArea::vertical().id_salt(salt);
    if let Some(to) = page.view.scroll.prose.target_offset.take() {
        scroll = scroll.vertical_scroll_offset(to);
    }
    let shown = scroll.auto_shrink([false, false]).show(ui, |ui| {
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
                bottom: FOOT,
            };
            Frame::NONE.inner_margin(margin).show(ui, |ui| {
                ui.set_max_width(ui.available_width().min(COLUMN));
                caption(ui, page, form, questions.len());
                match questions.get(form.open.at) {
                    Some(question) => question_ui(ui, question, form, page, area.height()),
                    None => form_page::result_ui(ui, form, page),
                }
            });
        });
        reveal_focus(ui);
    });
    page.view.scroll.prose = ProseScroll::from_output(&shown, f32::from(FOOT));
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

/// `Before this lesson: 4 questions`; `None` where the lesson has none.
pub fn entrance_words(
    lesson: &Lesson,
    form: InventoryForm,
    record: Option<&FormRecord>,
) -> Option<String> {
    let all = questions_of(lesson, form).len();
    let answered = record.map_or(0, |record| record.answered(lesson, form));
    let when = match form {
        InventoryForm::Before => "Before this lesson",
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

// One question of a form, with its figure, its answers and, after the lesson, the
// reasons.

/// From this width on, a figure stands beside the answers.
const BESIDE: f32 = 700.0;
/// Of a figure alone, and of that share of the page at most.
const FIGURE: (f32, f32) = (280.0, 0.4);
/// Between a figure and the answers.
const GAP: f32 = 24.0;
/// Under which name the state of the question in sight is kept.
const STATE: &str = "inventory";

/// What a question keeps from frame to frame.
#[derive(Default)]
struct QuestionState {
    /// Id of the question that it is of.
    of: String,
    /// The answer that is chosen and not yet given, by its place among the options.
    chosen: Option<usize>,
    shown: Option<QuestionFigure>,
}

/// Shows it; `height` is that of the page.
fn question_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    form: &FormPage<'_>,
    page: &mut PageContext<'_>,
    height: f32,
) {
    page.with_state(STATE, |kept: &mut QuestionState, page| {
        if kept.of != question.id {
            *kept = QuestionState { of: question.id.clone(), ..QuestionState::default() };
        }
        let has_figures = question.value.is_some() || question.viewport.is_some();
        if has_figures {
            let id = question.rig_in(page.lesson);
            let rig = lesson_rig(page.set, id, &builtin);
            let same = |shown: &QuestionFigure| rig.as_ref().is_some_and(|rig| shown.is_on(rig));
            if !kept.shown.as_ref().is_some_and(same) {
                kept.shown = rig.and_then(|rig| QuestionFigure::new(question, rig));
            }
        }
        ui.add_space(2.0);
        text(ui, &question.ask, BODY, Emphasis::Strong, page);
        ui.add_space(8.0);
        if has_figures && kept.shown.is_none() {
            ui.label(page.theme.label("The model of this question is not here yet."));
        }
        let QuestionState { chosen, shown, .. } = kept;
        let shown = shown.as_mut();
        let figure = question.viewport.as_ref().filter(|_| !question.pictures);
        let wide = ui.available_width();
        match (figure, shown) {
            (Some(cell), Some(shown)) if wide >= BESIDE => {
                let left = ((wide - GAP) * 0.56).floor();
                let top = ui.cursor().min;
                let right = (wide - GAP - left).floor();
                let place = eframe::egui::Rect::from_min_size(
                    top + vec2(left + GAP, 0.0),
                    vec2(right, FIGURE.0),
                );
                let mut beside = ui.new_child(UiBuilder::new().max_rect(place));
                picture(&mut beside, cell, (shown, None), page, FIGURE.0);
                ui.scope(|ui| {
                    ui.set_max_width(left);
                    answers(ui, question, form, (chosen, Some(shown)), page);
                });
                let foot = (beside.min_rect().bottom() - ui.cursor().top()).max(0.0);
                ui.add_space(foot);
            }
            (Some(cell), Some(shown)) => {
                let height = FIGURE.0.min(height * FIGURE.1);
                picture(ui, cell, (shown, None), page, height);
                answers(ui, question, form, (chosen, Some(shown)), page);
            }
            (_, shown) => answers(ui, question, form, (chosen, shown), page),
        }
        ui.add_space(10.0);
        buttons(ui, question, form, *chosen, page);
    });
}

fn answers(
    ui: &mut Ui,
    question: &InventoryQuestion,
    form: &FormPage<'_>,
    (chosen, mut shown): (&mut Option<usize>, Option<&mut QuestionFigure>),
    page: &mut PageContext<'_>,
) {
    let given = form.record().and_then(|record| record.answers.get(&question.id));
    if let Some(given) = given {
        *chosen = given.option.checked_sub(1);
    }
    let order = shown_options(question);
    ui.add_enabled_ui(given.is_none(), |ui| {
        options_ui(ui, question, &order, shown.as_deref_mut(), chosen, page);
    });
    if form.open.form == InventoryForm::After
        && let Some(given) = given
    {
        ui.add_space(8.0);
        reasons(ui, question, (given.option.wrapping_sub(1), &order), shown.as_deref(), page);
    }
}

/// Why the answer that was given is right or wrong, and which is right.
fn reasons(
    ui: &mut Ui,
    question: &InventoryQuestion,
    (given, order): (usize, &[usize]),
    shown: Option<&QuestionFigure>,
    page: &mut PageContext<'_>,
) {
    let Some(option) = question.options.get(given) else {
        return;
    };
    let tone = if option.right { Tone::Right } else { Tone::Task };
    card(ui, page.theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        let word = if option.right { "Right" } else { "Not right" };
        verdict(ui, page.theme, word, CAPTION, option.right);
        text(ui, &option.why, CARD, Emphasis::Plain, page);
        let right = question.options.iter().position(|option| option.right);
        if let Some(right) = right.filter(|right| *right != given) {
            let name = option_name(question, right, order, shown);
            let why = format!("Right is {name}. {}", question.options[right].why);
            text(ui, &why, CARD, Emphasis::Plain, page);
        }
    });
}

/// The answer is given, and the way leads on; `chosen` is the place of the answer in hand
/// among the options.
fn buttons(
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
                if form.open.form == InventoryForm::Before {
                    // There is no verdict to read.
                    act(page, FormAct::Turn(true));
                }
            }
            let unknown = ui.button("I don’t know");
            if unknown.tip("To the next question, without an answer").clicked() {
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

// The answers of a question: words and numbers one below the other, pictures and
// matrices side by side.

/// Between tiles, in points.
const OPTION_GAP: f32 = 14.0;
/// A tile is no narrower than this.
const LEAST: f32 = 150.0;
/// Height of a picture.
const PICTURE: f32 = 190.0;

/// Draws them in `order`; `chosen` is the place of one among the options.
fn options_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    shown: Option<&mut QuestionFigure>,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let is_drawn = |value: &OptionValue| {
        matches!(value, OptionValue::Picture(_) | OptionValue::Value(FormulaValue::Mat4(_)))
    };
    match shown {
        Some(shown) if shown.values.iter().any(is_drawn) => {
            tiles(ui, question, order, shown, chosen, page);
        }
        shown => {
            let rows = order.iter().map(|&place| {
                let value = shown.as_ref().and_then(|shown| shown.values.get(place));
                let words = option_words(question, place, value).unwrap_or_default();
                (place, Cow::Owned(short_text(&words)), *chosen == Some(place))
            });
            if let Some(place) = choice_rows(ui, rows, false, page) {
                *chosen = Some(place);
            }
        }
    }
}

/// Pictures or matrices, side by side where there is room.
fn tiles(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    shown: &mut QuestionFigure,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let wide = ui.available_width();
    let across = (((wide + OPTION_GAP) / (LEAST + OPTION_GAP)).floor() as usize)
        .clamp(1, order.len().max(1));
    // Four in two rows of two, not three and one.
    let across = if across < order.len() { across.min(2) } else { across };
    let width = ((wide - OPTION_GAP * (across as f32 - 1.0)) / across as f32).floor();
    for row in order.chunks(across) {
        let top = ui.cursor().min;
        let mut bottom = top.y;
        for (column, &place) in row.iter().enumerate() {
            let at = top + vec2(column as f32 * (width + OPTION_GAP), 0.0);
            let room = Rect::from_min_size(at, vec2(width, PICTURE));
            let salt = (&question.id, place);
            let mut tile = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(room));
            tile_ui(&mut tile, question, (place, order), shown, chosen, page);
            bottom = bottom.max(tile.min_rect().bottom());
        }
        ui.allocate_exact_size(vec2(wide, bottom - top.y + 4.0), Sense::hover());
    }
}

fn tile_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    (place, order): (usize, &[usize]),
    shown: &mut QuestionFigure,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let letter = option_letter(order, place);
    let name = match shown.values.get(place) {
        Some(OptionValue::Picture(_)) => {
            if let Some(cell) = &question.viewport {
                picture(ui, cell, (shown, Some(place)), page, PICTURE);
                let framed = ui.min_rect();
                // The picture itself turns by drags; a click on it chooses it.
                let is_clicked = ui.is_enabled()
                    && ui.rect_contains_pointer(framed)
                    && ui.input(|input| input.pointer.primary_clicked());
                if is_clicked {
                    *chosen = Some(place);
                }
                if *chosen == Some(place) {
                    let edge = Stroke::new(2.5, page.theme.accent);
                    ui.painter().rect_stroke(framed, 8.0, edge, StrokeKind::Inside);
                }
            }
            format!("Picture {letter}")
        }
        Some(OptionValue::Value(FormulaValue::Mat4(matrix))) => {
            let matrix = matrix.mat.as_mat4();
            FittedMatrix {
                theme: page.theme,
                id: format!("inventory/{}/{place}", question.id),
                name: format!("matrix {letter}"),
                matrix,
                magnitude: Magnitude::from_matrix(&matrix, 1.0),
                decimals: question.decimals,
                // One of them may be the transpose of another.
                heads: MatrixHeads::Numbers,
            }
            .show(ui);
            format!("Matrix {letter}")
        }
        Some(OptionValue::Value(_) | OptionValue::Words(_)) | None => return,
    };
    let on = *chosen == Some(place);
    let text = Text::from(name);
    if choice_row(ui, &text, on, false, page).clicked() {
        *chosen = Some(place);
    }
}

/// What an answer is called in a sentence: its words, its number, `picture B`.
fn option_name(
    question: &InventoryQuestion,
    place: usize,
    order: &[usize],
    shown: Option<&QuestionFigure>,
) -> String {
    let value = shown.and_then(|shown| shown.values.get(place));
    let words = option_words(question, place, value).unwrap_or_default();
    match value {
        Some(OptionValue::Picture(_)) => format!("picture {}", option_letter(order, place)),
        Some(OptionValue::Value(FormulaValue::Mat4(_))) => {
            format!("matrix {}", option_letter(order, place))
        }
        Some(OptionValue::Value(_)) => words,
        Some(OptionValue::Words(_)) | None => format!("“{}”", words.trim_end_matches('.')),
    }
}
