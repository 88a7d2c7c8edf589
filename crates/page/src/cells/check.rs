//! An exercise: its conditions with the distance from each goal, hints and a solution.
//! The button for other numbers is shared with questions and guesses.

use bindpose_kit::theme::{CAPTION_SIZE, CARD_SIZE, LEAD_SIZE, SMALL_SIZE, Theme};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, Tip as _, Tone, card, card_heading, draw_tick};
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{CellDraws, CheckCell, Condition};
use bindpose_notebook::exercise::{MeasuredCondition, is_solved, solution};
use bindpose_notebook::{Document, Edit, SettingGroup, apply, copy_settings};
use eframe::egui::{
    Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::hints::{next_hint_button, open_hints_ui};
use crate::PageContext;
use crate::classroom::{AnswerMeaning, ask_class_ui, class_question_state, hand_in_ui, tally_ui};
use crate::prose::{line_ui, text_ui};

#[derive(Default)]
struct ExerciseProgress {
    /// The draw of numbers that this state belongs to.
    draw: usize,
    open_hints: usize,
    solution: Option<Box<ShownSolution>>,
}

/// Documents around the edit that showed the solution.
struct ShownSolution {
    before: Document,
    after: Document,
}

pub(super) fn ui(ui: &mut Ui, draws: &CellDraws<CheckCell>, id: &str, page: &mut PageContext<'_>) {
    let draw = page.document.draw_of(id);
    let cell = draws.with(draw);
    page.with_state(id, |state: &mut ExerciseProgress, page| {
        if state.draw != draw {
            *state = ExerciseProgress { draw, ..ExerciseProgress::default() };
        }
        let theme = page.theme;
        let solved = is_solved(cell, page.derived);
        let shows_solution = is_solution_shown(state, page.document);
        let is_shown = shows_solution || page.is_answer_shown(id);
        let tone = if solved { Tone::Right } else { Tone::Task };
        card(ui, theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            card_heading(ui, theme, tone, "Exercise", |ui| {
                ask_class_ui(ui, id, page);
                if solved {
                    let status = if is_shown { "Solution shown" } else { "Solved" };
                    draw_tick(ui, theme, status, CAPTION_SIZE);
                } else if page.answer(id, draw).is_some_and(|answer| answer.solved) {
                    ui.label(theme.label("solved before"));
                }
            });
            text_ui(ui, &cell.ask, LEAD_SIZE, Emphasis::Plain, page);
            for condition in &cell.conditions {
                condition_ui(ui, condition, page);
            }
            if solved {
                text_ui(ui, &cell.solved, CARD_SIZE, Emphasis::Plain, page);
            } else {
                open_hints_ui(ui, &cell.hints, state.open_hints, page);
            }
            if class_question_state(page, id).hides_truth() && !page.view.classroom.is_teacher() {
                let answer = solved.then_some("solved");
                ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, answer, page));
                return;
            }
            if page.view.classroom.is_teacher() {
                let meaning = AnswerMeaning {
                    words: &str::to_owned,
                    rank: &|_| 0,
                    is_right: &|_| true,
                    right: &|| None,
                    number: &|_| None,
                    reply: &|_| None,
                };
                tally_ui(ui, id, page, &meaning);
            }
            if shows_solution {
                ui.horizontal_wrapped(|ui| back_button(ui, state, page));
            } else if !solved {
                ui.horizontal_wrapped(|ui| help_buttons(ui, cell, state, page));
            }
            if solved {
                draw_again_ui(ui, draws.after(draw), id, page);
            }
        });
    });
}

/// Draws a condition: the measured value, its goal and the distance from it.
fn condition_ui(ui: &mut Ui, condition: &Condition, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let measured = MeasuredCondition::from_condition(condition, page.derived);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let face = Face::of_text(SMALL_SIZE, Emphasis::Plain, theme);
            line_ui(ui, &condition.label, face, page);
            let Ok(measured) = measured else { return };
            ui.label(RichText::new(format_value(condition, measured.value)).monospace().strong());
            if condition.secret {
                return;
            }
            let goal = format!("goal {}", format_value(condition, measured.goal));
            ui.label(theme.label(goal));
        });
        match measured {
            Ok(measured) if condition.secret => verdict_ui(ui, theme, condition, &measured),
            Ok(measured) => progress_ui(ui, theme, condition, &measured),
            Err(error) => {
                let message = RichText::new(format!("has no value now: {error}"));
                ui.label(message.size(SMALL_SIZE).color(theme.wrong));
            }
        }
    });
}

/// Formats a value of a condition with its unit.
fn format_value(condition: &Condition, value: f64) -> String {
    format!(
        "{}{}",
        fixed(value, condition.decimals.map_or(2, |decimals| decimals.0)),
        condition.unit
    )
}

/// Draws whether a secret condition holds. Its distance from the goal would reveal the
/// answer.
fn verdict_ui(ui: &mut Ui, theme: &Theme, condition: &Condition, measured: &MeasuredCondition) {
    if measured.holds() {
        draw_tick(ui, theme, "right", CAPTION_SIZE);
    } else {
        let response = ui.label(theme.label("not yet"));
        let accessible_text = format!("{}: not yet", condition.label.words());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &accessible_text));
    }
}

fn progress_ui(ui: &mut Ui, theme: &Theme, condition: &Condition, measured: &MeasuredCondition) {
    let holds = measured.holds();
    let distance = format_value(condition, measured.off().abs());
    let status = match (holds, measured.off() > 0.0) {
        (true, _) => "there".to_owned(),
        (false, true) => format!("{distance} too large"),
        (false, false) => format!("{distance} too small"),
    };
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 112.0).clamp(60.0, 220.0);
        let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
        let accessible_text = format!("{}: {status}", condition.label.words());
        response
            .widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &accessible_text));
        paint_bar(ui, theme, rect, measured);
        if holds {
            draw_tick(ui, theme, &status, CAPTION_SIZE);
        } else {
            ui.label(RichText::new(status).size(SMALL_SIZE));
        }
    });
}

/// Paints the goal in the centre of a bar, with its tolerance, and a mark at the value.
fn paint_bar(ui: &Ui, theme: &Theme, rect: Rect, measured: &MeasuredCondition) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let rail = rect.shrink2(vec2(6.0, 0.0));
    let half_width = rail.width() / 2.0;
    let center = pos2(rail.center().x, rect.center().y);
    let painter = ui.painter();
    painter.hline(rail.x_range(), center.y, Stroke::new(3.0, theme.rule));
    let tolerance_width = 2.0 * half_width * measured.reach() as f32;
    let goal = Rect::from_center_size(center, vec2(tolerance_width, 12.0));
    let edge = Stroke::new(1.0, theme.quiet);
    painter.rect_stroke(goal, 3.0, edge, StrokeKind::Inside);
    let color = if measured.holds() { theme.right } else { theme.accent };
    let value = pos2(rail.center().x + half_width * measured.along() as f32, center.y);
    painter.line_segment([center, value], Stroke::new(3.0, color));
    painter.circle_filled(value, 4.5, color);
}

/// Draws the button that restores the page from before the solution was shown.
fn back_button(ui: &mut Ui, state: &mut ExerciseProgress, page: &mut PageContext<'_>) {
    let button = ui.button("Back to mine").tip("As it was before the solution was shown");
    if button.clicked()
        && let Some(solution) = state.solution.take()
    {
        let now_secs = ui.input(|input| input.time);
        page.view.playing.move_from(page.document, now_secs);
        page.requests.edits.push(Edit::Restore(Box::new(solution.before)));
    }
}

/// Draws the buttons that open the next hint and show the solution.
fn help_buttons(
    ui: &mut Ui,
    cell: &CheckCell,
    state: &mut ExerciseProgress,
    page: &mut PageContext<'_>,
) {
    next_hint_button(ui, &cell.hints, &mut state.open_hints);
    if ui.button("Show the solution").clicked() {
        let now_secs = ui.input(|input| input.time);
        page.view.playing.move_from(page.document, now_secs);
        let edit = solution(cell);
        let before = page.document.clone();
        let mut after = page.document.clone();
        if apply(&mut after, &edit, page.lesson, &page.derived.rig).is_ok() {
            state.solution = Some(Box::new(ShownSolution { before, after }));
        }
        // The page reports an edit that is rejected.
        page.requests.edits.push(edit);
    }
}

/// Returns true if the document is as the solution left it. Selection and display
/// settings are ignored.
fn is_solution_shown(state: &ExerciseProgress, document: &Document) -> bool {
    let Some(solution) = &state.solution else {
        return false;
    };
    let after = &solution.after;
    let mut current = document.clone();
    let ignored = [SettingGroup::Selection, SettingGroup::Display];
    copy_settings(&mut current.state, &after.state, &ignored);
    current == *after
}

/// Draws the button that starts an exercise again with `next_draw` of its numbers, if
/// there is one.
pub(super) fn draw_again_ui(
    ui: &mut Ui,
    next_draw: Option<usize>,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let Some(draw) = next_draw else { return };
    let button = ui
        .button("Again, with other numbers")
        .tip("The step begins as it opens; what was solved stays in your record");
    if button.clicked() {
        page.view.playing.stop();
        page.requests.edits.push(Edit::Draw(id.to_owned(), draw));
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Expr, Setting, Settings, Tolerance};

    use super::*;
    use crate::cells::testing::{Page, harness};
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    fn exercise_harness(secret: bool) -> Harness<'static, Page> {
        let angle = Condition {
            label: "angle".into(),
            measure: Expr::parse("b1").unwrap(),
            goal: Expr::parse("90deg").unwrap(),
            tolerance: Tolerance(0.02),
            decimals: None,
            unit: "°".to_owned(),
            secret,
        };
        let sum = Condition {
            label: "sum".into(),
            measure: Expr::parse("sum(v4)").unwrap(),
            goal: Expr::parse("1").unwrap(),
            unit: String::new(),
            ..angle.clone()
        };
        let cell = CellDraws::alone(CheckCell {
            ask: "Turn joint 1.".into(),
            conditions: vec![angle, sum],
            place: None,
            hints: vec!["Drag.".into(), "Farther.".into()],
            solution: Settings(vec![Setting::Param("b1".to_owned(), std::f64::consts::FRAC_PI_2)]),
            solution_edits: bindpose_lesson::DataEdits::default(),
            solved: "So it is.".into(),
        });
        let mut harness = harness(Page::new("bone_grid"), move |ui, page| {
            super::ui(ui, &cell, "turn", page);
        });
        harness.run();
        harness
    }

    fn set_angle(harness: &mut Harness<'static, Page>, angle_rad: f64) {
        let params = &mut harness.state_mut().document.state.params;
        params.insert("b1".to_owned(), angle_rad);
        harness.run();
    }

    #[test]
    fn distances_are_shown_and_all_conditions_must_hold() {
        let mut harness = exercise_harness(false);
        harness.get_by_role_and_label(Role::ProgressIndicator, "angle: 90.00° too small");
        harness.get_by_role_and_label(Role::ProgressIndicator, "sum: there");
        assert!(harness.query_by_label("Solved").is_none());
        assert!(harness.query_by_label("So it is.").is_none());

        set_angle(&mut harness, std::f64::consts::PI);
        harness.get_by_role_and_label(Role::ProgressIndicator, "angle: 90.00° too large");
        set_angle(&mut harness, std::f64::consts::FRAC_PI_2);
        harness.get_by_label("Solved");
        harness.get_by_label("So it is.");
        assert!(harness.query_by_role_and_label(Role::Button, "Show the solution").is_none());

        let weights = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        harness.state_mut().document.state.weights.insert(4, weights.into());
        harness.run();
        assert!(harness.query_by_label("Solved").is_none());
    }

    #[test]
    fn secret_condition_hides_its_goal_and_distance() {
        let mut harness = exercise_harness(true);
        harness.get_by_label("angle: not yet");
        harness.get_by_label("right");
        for words in ["goal", "too small", "too large"] {
            assert!(harness.query_by_label_contains(words).is_none(), "{words}");
        }
        set_angle(&mut harness, std::f64::consts::FRAC_PI_2);
        harness.get_by_label("Solved");
        assert_eq!(harness.query_all_by_label("right").count(), 2);
    }

    #[test]
    fn hints_open_one_at_a_time() {
        let mut harness = exercise_harness(false);
        assert!(harness.query_by_label("Hint 1. Drag.").is_none());
        harness.click_role(Role::Button, "Hint 1 of 2");
        harness.get_by_label("Hint 1. Drag.");
        assert!(harness.query_by_label("Hint 2. Farther.").is_none());
        harness.click_role(Role::Button, "Hint 2 of 2");
        harness.get_by_label("Hint 2. Farther.");
        assert!(harness.state().edits.is_empty(), "hints change nothing");
    }

    #[test]
    fn solution_is_one_edit_and_can_be_undone() {
        let mut harness = exercise_harness(false);
        set_angle(&mut harness, 0.25);
        harness.click_role(Role::Button, "Show the solution");
        assert_eq!(harness.state().edits.len(), 1);
        harness.get_by_label("Solution shown");
        assert!(harness.query_by_label("Solved").is_none());
        harness.click_role(Role::Button, "Back to mine");
        assert_eq!(harness.state().document.state.params["b1"], 0.25);
        harness.get_by_role_and_label(Role::Button, "Show the solution");
    }

    #[test]
    fn edits_after_the_solution_hide_the_back_button() {
        let mut harness = exercise_harness(false);
        harness.click_role(Role::Button, "Show the solution");
        set_angle(&mut harness, 1.0);
        assert!(harness.query_by_role_and_label(Role::Button, "Back to mine").is_none());
        harness.state_mut().document.state.joint = bindpose_skin::JointIndex(2);
        set_angle(&mut harness, std::f64::consts::FRAC_PI_2);
        harness.get_by_label("Solution shown");
    }
}
