//! A form of the lesson's inventory, drawn in place of the page: one question at a time, and
//! after the last one the misconceptions that the answers show.

mod form_page;

pub use form_page::question_picture;

use std::borrow::Cow;

use bindpose_kit::theme::{BODY_SIZE, CARD_SIZE};
use bindpose_kit::widgets::{
    Emphasis, FittedMatrix, MatrixHeads, Tip as _, Tone, card, reveal_focus, text_button,
};
use bindpose_lesson::significant_digits::Magnitude;
use bindpose_lesson::{FormulaValue, InventoryQuestion, Lesson, Text, ViewportCell, short_text};
use bindpose_notebook::inventory::{
    FormAct, FormRecord, Forms, InventoryForm, OpenForm, OptionValue, option_letter, option_words,
    questions_of, shown_options,
};
use bindpose_notebook::lesson_rig;
use bindpose_notebook::question::judge;
use bindpose_rigs::builtin;
use eframe::egui::{
    Button, Frame, Margin, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, vec2,
};

use super::PageContext;
use crate::cells::{choice_row, choice_rows, replies_ui};
use crate::prose::text_ui;
use crate::view::placed::ProseScroll;
use form_page::{FormPage, QuestionFigure, leave_button_ui, picture_ui, push_act, words_ui};

/// Maximum width of the column, in points. Holds a figure beside the answers.
const MAX_COLUMN_WIDTH: f32 = 900.0;
/// Space below the last line, in points.
const BOTTOM_MARGIN: i8 = 28;
/// Width below which the margins are narrow, in points.
const MIN_WIDE_PAGE: f32 = 560.0;

/// Draws the open form in the rest of the window.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, open: OpenForm, forms: &Forms<'_>) {
    let form = &FormPage { open, forms };
    let lesson = page.lesson;
    let questions = questions_of(lesson, form.open.form);
    // The page is hidden, so nothing in it moves.
    page.view.playing.transition = None;
    let area = ui.available_rect_before_wrap();
    let salt = (&lesson.slug, form.open.form, form.open.at);
    let mut scroll = ScrollArea::vertical().id_salt(salt);
    if let Some(offset) = page.view.scroll.prose.target_offset.take() {
        scroll = scroll.vertical_scroll_offset(offset);
    }
    let output = scroll.auto_shrink([false, false]).show(ui, |ui| {
        let width = ui.available_width();
        let side = if width < MIN_WIDE_PAGE { 14.0 } else { 28.0 };
        let indent = ((width - MAX_COLUMN_WIDTH) / 2.0 - side).max(0.0);
        let available = ui.available_rect_before_wrap();
        let column = available.with_min_x(available.left() + indent);
        ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
            let margin = Margin {
                left: side as i8,
                right: side as i8,
                top: if width < MIN_WIDE_PAGE { 10 } else { 20 },
                bottom: BOTTOM_MARGIN,
            };
            Frame::NONE.inner_margin(margin).show(ui, |ui| {
                ui.set_max_width(ui.available_width().min(MAX_COLUMN_WIDTH));
                caption_ui(ui, page, form, questions.len());
                match questions.get(form.open.at) {
                    Some(question) => question_ui(ui, question, form, page, area.height()),
                    None => form_page::result_ui(ui, form, page),
                }
            });
        });
        reveal_focus(ui);
    });
    page.view.scroll.prose = ProseScroll::from_output(&output, f32::from(BOTTOM_MARGIN));
}

/// Draws `20 · Bind pose · questions before it · question 2 of 4`.
fn caption_ui(ui: &mut Ui, page: &PageContext<'_>, form: &FormPage<'_>, question_count: usize) {
    let Lesson { number, title, .. } = page.lesson;
    let when = form.open.form.key();
    let place = if form.open.at < question_count {
        format!("question {} of {question_count}", form.open.at + 1)
    } else {
        "result".to_owned()
    };
    let words = format!("{number} · {title} · questions {when} it · {place}");
    ui.label(page.theme.caption(words));
}

/// Returns the label of the entrance to a form: `Before this lesson: 4 questions`. Returns
/// `None` if the form has no questions.
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

/// Draws the entrance to a form, if it has questions.
pub fn entrance(ui: &mut Ui, form: InventoryForm, forms: &Forms<'_>, page: &mut PageContext<'_>) {
    let Some(words) = entrance_words(page.lesson, form, forms.record(form)) else {
        return;
    };
    if text_button(ui, &words, page.theme).clicked() {
        push_act(page, FormAct::Open(form));
    }
}

// A question with its figure and answers and, after the lesson, its reasons.

/// Minimum width of a page with the figure beside the answers, in points.
const MIN_WIDTH_BESIDE: f32 = 700.0;
/// Height of a figure, in points.
const FIGURE_HEIGHT: f32 = 280.0;
/// Maximum height of a figure above the answers, as a fraction of the page.
const MAX_FIGURE_FRACTION: f32 = 0.4;
/// Width of the answers beside a figure, as a fraction of the page.
const ANSWERS_FRACTION: f32 = 0.56;
/// Space between the answers and a figure, in points.
const FIGURE_GAP: f32 = 24.0;
/// Key of [`QuestionState`].
const STATE: &str = "inventory";

/// State of the question that is shown.
#[derive(Default)]
struct QuestionState {
    /// Id of the question that this state belongs to.
    question: String,
    /// Index of the choice that is selected and not yet given.
    chosen: Option<usize>,
    figure: Option<QuestionFigure>,
}

fn question_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    form: &FormPage<'_>,
    page: &mut PageContext<'_>,
    page_height: f32,
) {
    page.with_state(STATE, |state: &mut QuestionState, page| {
        if state.question != question.id {
            *state = QuestionState { question: question.id.clone(), ..QuestionState::default() };
        }
        let has_figures = question.value.is_some() || question.viewport.is_some();
        if has_figures {
            let rig = lesson_rig(page.set, question.rig_in(page.lesson), &builtin);
            let is_current = match (&state.figure, &rig) {
                (Some(figure), Some(rig)) => figure.is_on(rig),
                _ => false,
            };
            if !is_current {
                state.figure = rig.and_then(|rig| QuestionFigure::new(question, rig));
            }
        }
        ui.add_space(2.0);
        text_ui(ui, &question.ask.ask, BODY_SIZE, Emphasis::Strong, page);
        ui.add_space(8.0);
        if has_figures && state.figure.is_none() {
            ui.label(page.theme.label("The model of this question is not here yet."));
        }
        match question.viewport.as_ref().filter(|_| !question.pictures) {
            Some(cell) if ui.available_width() >= MIN_WIDTH_BESIDE && state.figure.is_some() => {
                figure_beside_ui(ui, cell, question, form, state, page);
            }
            cell => {
                if let (Some(cell), Some(figure)) = (cell, &mut state.figure) {
                    let height = FIGURE_HEIGHT.min(page_height * MAX_FIGURE_FRACTION);
                    picture_ui(ui, cell, figure, None, page, height);
                }
                answers_ui(ui, question, form, state, page);
            }
        }
        ui.add_space(10.0);
        buttons_ui(ui, question, form, state.chosen, page);
    });
}

/// Draws the answers on the left and the figure on the right.
fn figure_beside_ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    question: &InventoryQuestion,
    form: &FormPage<'_>,
    state: &mut QuestionState,
    page: &mut PageContext<'_>,
) {
    let width = ui.available_width() - FIGURE_GAP;
    let left = (width * ANSWERS_FRACTION).floor();
    let corner = ui.cursor().min + vec2(left + FIGURE_GAP, 0.0);
    let place = Rect::from_min_size(corner, vec2((width - left).floor(), FIGURE_HEIGHT));
    let mut beside = ui.new_child(UiBuilder::new().max_rect(place));
    if let Some(figure) = &mut state.figure {
        picture_ui(&mut beside, cell, figure, None, page, FIGURE_HEIGHT);
    }
    ui.scope(|ui| {
        ui.set_max_width(left);
        answers_ui(ui, question, form, state, page);
    });
    ui.add_space((beside.min_rect().bottom() - ui.cursor().top()).max(0.0));
}

fn answers_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    form: &FormPage<'_>,
    state: &mut QuestionState,
    page: &mut PageContext<'_>,
) {
    let given = form.record().and_then(|record| record.answers.get(&question.id));
    if let Some(given) = given {
        state.chosen = given.option.checked_sub(1);
    }
    let order = shown_options(question);
    ui.add_enabled_ui(given.is_none(), |ui| options_ui(ui, question, &order, state, page));
    if let (InventoryForm::After, Some(given)) = (form.open.form, given) {
        ui.add_space(8.0);
        grade_ui(ui, question, given.option, &order, state.figure.as_ref(), page);
    }
}

/// Draws the grade of a given answer with its reason, and the right answer. `number` is that
/// of the choice in the author's order, from 1.
fn grade_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    number: usize,
    order: &[usize],
    figure: Option<&QuestionFigure>,
    page: &mut PageContext<'_>,
) {
    let is_known = (1..=question.ask.choices.len()).contains(&number);
    let Ok(grade) = judge(&question.ask, &number.to_string(), page.derived) else {
        return;
    };
    if !is_known {
        return;
    }
    let tone = if grade.right { Tone::Right } else { Tone::Task };
    card(ui, page.theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        replies_ui(ui, &grade, page);
        let right = question.ask.choices.iter().position(|choice| choice.right);
        if let Some(right) = right.filter(|_| !grade.right) {
            let name = option_name(question, right, order, figure);
            let words = format!("Right is {name}. {}", question.ask.why.source);
            words_ui(ui, &words, CARD_SIZE, Emphasis::Plain, page);
        }
    });
}

/// Draws the buttons that give the answer and turn to other questions. `chosen` is the index
/// of the selected choice.
fn buttons_ui(
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
                push_act(page, FormAct::Turn(true));
            }
        } else {
            let answer = ui.add_enabled(chosen.is_some(), Button::new("Answer"));
            if answer.tip_disabled("Choose an answer first").clicked()
                && let Some(option) = chosen
            {
                let question = question.id.clone();
                push_act(page, FormAct::Answer { question, option });
                if form.open.form == InventoryForm::Before {
                    // There is no grade to read.
                    push_act(page, FormAct::Turn(true));
                }
            }
            let unknown = ui.button("I don’t know");
            if unknown.tip("To the next question, without an answer").clicked() {
                push_act(page, FormAct::Turn(true));
            }
        }
        let is_first = form.open.at == 0;
        if ui.add_enabled(!is_first, Button::new("Question before")).clicked() {
            push_act(page, FormAct::Turn(false));
        }
        leave_button_ui(ui, page);
    });
}

// The choices: texts and numbers below each other, pictures and matrices side by side.

/// Space between tiles, in points.
const TILE_GAP: f32 = 14.0;
/// Minimum width of a tile, in points.
const MIN_TILE_WIDTH: f32 = 150.0;
/// Height of a picture to choose, in points.
const PICTURE_HEIGHT: f32 = 190.0;

/// Draws the choices in `order`, which lists their indices, and updates the selected one.
fn options_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    state: &mut QuestionState,
    page: &mut PageContext<'_>,
) {
    let QuestionState { chosen, figure, .. } = state;
    let values = figure.as_ref().map_or(&[][..], |figure| &figure.values);
    let has_tiles = values.iter().any(|value| {
        matches!(value, OptionValue::Picture(_) | OptionValue::Value(FormulaValue::Mat4(_)))
    });
    if has_tiles && let Some(figure) = figure {
        tiles_ui(ui, question, order, figure, chosen, page);
        return;
    }
    let rows = order.iter().filter_map(|&index| {
        let value = values.get(index);
        let text = match value {
            Some(OptionValue::Value(_)) => {
                Cow::Owned(short_text(&option_words(question, index, value)?))
            }
            _ => Cow::Borrowed(&question.ask.choices.get(index)?.text),
        };
        Some((index, text, *chosen == Some(index)))
    });
    if let Some(index) = choice_rows(ui, rows, false, page) {
        *chosen = Some(index);
    }
}

/// Draws pictures or matrices side by side, as far as there is room.
fn tiles_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    figure: &mut QuestionFigure,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let available = ui.available_width();
    let fitting = ((available + TILE_GAP) / (MIN_TILE_WIDTH + TILE_GAP)).floor() as usize;
    // Four in two rows of two, instead of three and one.
    let columns = if fitting < order.len() { fitting.clamp(1, 2) } else { order.len().max(1) };
    let width = ((available - TILE_GAP * (columns as f32 - 1.0)) / columns as f32).floor();
    for row in order.chunks(columns) {
        let top = ui.cursor().min;
        let mut bottom = top.y;
        for (column, &index) in row.iter().enumerate() {
            let corner = top + vec2(column as f32 * (width + TILE_GAP), 0.0);
            let place = Rect::from_min_size(corner, vec2(width, PICTURE_HEIGHT));
            let salt = (&question.id, index);
            let mut tile = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(place));
            let letter = option_letter(order, index);
            tile_ui(&mut tile, question, index, letter, figure, chosen, page);
            bottom = bottom.max(tile.min_rect().bottom());
        }
        ui.allocate_exact_size(vec2(available, bottom - top.y + 4.0), Sense::hover());
    }
}

fn tile_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    index: usize,
    letter: char,
    figure: &mut QuestionFigure,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let name = match figure.values.get(index) {
        Some(OptionValue::Picture(_)) => {
            if let Some(cell) = &question.viewport {
                picture_ui(ui, cell, figure, Some(index), page, PICTURE_HEIGHT);
                let picture_rect = ui.min_rect();
                // A drag turns the picture, a click chooses it.
                let is_clicked = ui.is_enabled()
                    && ui.rect_contains_pointer(picture_rect)
                    && ui.input(|input| input.pointer.primary_clicked());
                if is_clicked {
                    *chosen = Some(index);
                }
                if *chosen == Some(index) {
                    let edge = Stroke::new(2.5, page.theme.accent);
                    ui.painter().rect_stroke(picture_rect, 8.0, edge, StrokeKind::Inside);
                }
            }
            format!("Picture {letter}")
        }
        Some(OptionValue::Value(FormulaValue::Mat4(matrix))) => {
            let matrix = matrix.mat.as_mat4();
            FittedMatrix {
                theme: page.theme,
                id: format!("inventory/{}/{index}", question.id),
                name: format!("matrix {letter}"),
                matrix,
                magnitude: Magnitude::from_matrix(&matrix, 1.0),
                decimals: question.decimals.0,
                // One choice may be the transpose of another.
                heads: MatrixHeads::Numbers,
            }
            .show(ui);
            format!("Matrix {letter}")
        }
        Some(OptionValue::Value(_) | OptionValue::Words(_)) | None => return,
    };
    if choice_row(ui, &Text::from(name), *chosen == Some(index), false, page).clicked() {
        *chosen = Some(index);
    }
}

/// Names a choice in a sentence: its text in quotes, its value, or `picture B`.
fn option_name(
    question: &InventoryQuestion,
    index: usize,
    order: &[usize],
    figure: Option<&QuestionFigure>,
) -> String {
    let value = figure.and_then(|figure| figure.values.get(index));
    let words = option_words(question, index, value).unwrap_or_default();
    match value {
        Some(OptionValue::Picture(_)) => format!("picture {}", option_letter(order, index)),
        Some(OptionValue::Value(FormulaValue::Mat4(_))) => {
            format!("matrix {}", option_letter(order, index))
        }
        Some(OptionValue::Value(_)) => words,
        Some(OptionValue::Words(_)) | None => format!("“{}”", words.trim_end_matches('.')),
    }
}
