//! One question of a form, with its figure, its answers and, after the lesson, the
//! reasons.

use bindpose_asset::builtin;
use bindpose_lesson::InventoryQuestion;
use bindpose_notebook::inventory::{FormAct, InventoryForm, questions_of, shown_options};
use bindpose_notebook::lesson_rig;
use eframe::egui::{Button, Ui, UiBuilder, vec2};

use super::figure::{QuestionFigure, picture};
use super::form_page::{FormPage, act, leave, text};
use super::options;
use crate::PageContext;
use crate::theme::{BODY, CAPTION, CARD};
use crate::widgets::{Emphasis, Tip as _, Tone, card, verdict};

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
pub(super) fn ui(
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
        options::ui(ui, question, &order, shown.as_deref_mut(), chosen, page);
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
            let name = options::name(question, right, order, shown);
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
