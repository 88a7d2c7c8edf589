//! An exercise: what to bring about, how far off it is, hints, and a solution; and the
//! button for other numbers, which questions and guesses have too.

use bindpose_lesson::{CellDraws, CheckCell, Condition};
use bindpose_notebook::exercise::{MeasuredCondition, is_solved, solution};
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::{Document, Edit, SettingGroup, apply, copy_settings};
use eframe::egui::{
    Button, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;
use crate::classroom::{AnswerMeaning, ask_class_ui, hand_in_ui, in_class, tally_ui};
use crate::prose::{Face, line_ui, text_ui};
use crate::theme::{CAPTION, CARD, LEAD, SMALL, Theme};
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, Tone, card, card_heading, tick};

/// What a reader has seen of an exercise.
#[derive(Default)]
struct ExerciseState {
    /// With which draw of its numbers.
    draw: usize,
    /// How many hints are open.
    hints: usize,
    /// The page before the solution was shown and right after.
    shown: Option<Box<(Document, Document)>>,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, drawn: &CellDraws<CheckCell>, id: &str, page: &mut PageContext<'_>) {
    let draw = page.document.draw_of(id);
    let cell = drawn.with(draw);
    page.with_state(id, |state: &mut ExerciseState, page| {
        if state.draw != draw {
            *state = ExerciseState { draw, ..ExerciseState::default() };
        }
        let theme = page.theme;
        let solved = is_solved(cell, page.derived);
        let shown = is_shown(state, page.document);
        let tone = if solved { Tone::Right } else { Tone::Task };
        card(ui, theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            card_heading(ui, theme, tone, "Exercise", |ui| {
                ask_class_ui(ui, id, page);
                if solved {
                    let word = if shown { "Solution shown" } else { "Solved" };
                    tick(ui, theme, word, CAPTION);
                } else if page.answer(id, draw).is_some_and(|answer| answer.solved) {
                    ui.label(theme.label("solved before"));
                }
            });
            text_ui(ui, &cell.ask, LEAD, Emphasis::Plain, page);
            for condition in &cell.conditions {
                condition_ui(ui, condition, page);
            }
            if solved {
                text_ui(ui, &cell.solved, CARD, Emphasis::Plain, page);
            } else {
                for (index, hint) in cell.hints.iter().take(state.hints).enumerate() {
                    let hint = hint.led_by(&format!("Hint {}. ", index + 1));
                    text_ui(ui, &hint, CARD, Emphasis::Quiet, page);
                }
            }
            let asked = in_class(page, id);
            if asked.hides_truth() && !page.view.classroom.leads() {
                let answer = solved.then_some("solved");
                ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, answer, page));
                return;
            }
            if page.view.classroom.leads() {
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
            buttons(ui, cell, state, (solved, shown), page);
            if solved {
                draw_again_ui(ui, drawn.after(draw), id, page);
            }
        });
    });
}

/// What is measured, what it should be, and how far there is still to go.
fn condition_ui(ui: &mut Ui, condition: &Condition, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let decimals = condition.decimals.unwrap_or(2);
    let number = |value: f64| format!("{}{}", fixed(value, decimals), condition.unit);
    let measured = MeasuredCondition::from_condition(condition, page.derived);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let face = Face::of_text(SMALL, Emphasis::Plain, theme);
            line_ui(ui, &condition.label, face, page);
            let Ok(measured) = measured else { return };
            ui.label(RichText::new(number(measured.value)).monospace().strong());
            if condition.secret {
                return;
            }
            let goal = format!("goal {}", number(measured.goal));
            ui.label(theme.label(goal));
        });
        match measured {
            Ok(measured) if condition.secret => verdict(ui, theme, condition, &measured),
            Ok(measured) => progress(ui, theme, condition, &measured, &number),
            Err(error) => {
                let words = RichText::new(format!("has no value now: {error}"));
                ui.label(words.size(SMALL).color(theme.wrong));
            }
        }
    });
}

/// Right or not yet, where the distance would give the answer away.
fn verdict(ui: &mut Ui, theme: &Theme, condition: &Condition, measured: &MeasuredCondition) {
    if measured.holds() {
        tick(ui, theme, "right", CAPTION);
    } else {
        let words = theme.label("not yet");
        let response = ui.label(words);
        let spoken = format!("{}: not yet", condition.label.words());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    }
}

fn progress(
    ui: &mut Ui,
    theme: &Theme,
    condition: &Condition,
    measured: &MeasuredCondition,
    number: &dyn Fn(f64) -> String,
) {
    let holds = measured.holds();
    let off = number(measured.off().abs());
    let words = match (holds, measured.off() > 0.0) {
        (true, _) => "there".to_owned(),
        (false, true) => format!("{off} too large"),
        (false, false) => format!("{off} too small"),
    };
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 112.0).clamp(60.0, 220.0);
        let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
        let spoken = format!("{}: {words}", condition.label.words());
        response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &spoken));
        paint_bar(ui, theme, rect, measured);
        if holds {
            tick(ui, theme, &words, CAPTION);
        } else {
            ui.label(RichText::new(words).size(SMALL));
        }
    });
}

/// The goal in the middle, with the stretch that counts; a mark for the value.
fn paint_bar(ui: &Ui, theme: &Theme, rect: Rect, measured: &MeasuredCondition) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let rail = rect.shrink2(vec2(6.0, 0.0));
    let (half, y) = (rail.width() / 2.0, rect.center().y);
    let x_of = |along: f64| rail.center().x + half * along as f32;
    let painter = ui.painter();
    painter.hline(rail.x_range(), y, Stroke::new(3.0, theme.rule));
    let goal = Rect::from_center_size(
        pos2(rail.center().x, y),
        vec2(2.0 * half * measured.reach() as f32, 12.0),
    );
    let edge = Stroke::new(1.0, theme.quiet);
    painter.rect_stroke(goal, 3.0, edge, StrokeKind::Inside);
    let right = measured.holds();
    let color = if right { theme.right } else { theme.accent };
    let x = x_of(measured.along());
    let ends = [pos2(rail.center().x, y), pos2(x, y)];
    painter.line_segment(ends, Stroke::new(3.0, color));
    painter.circle_filled(pos2(x, y), 4.5, color);
}

fn buttons(
    ui: &mut Ui,
    cell: &CheckCell,
    state: &mut ExerciseState,
    (solved, shown): (bool, bool),
    page: &mut PageContext<'_>,
) {
    if solved && !shown {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if shown {
            let back = ui.button("Back to mine").tip("As it was before the solution was shown");
            if back.clicked()
                && let Some(shown) = state.shown.take()
            {
                let now_secs = ui.input(|input| input.time);
                page.view.playing.move_from(page.document, now_secs);
                page.edits.push(Edit::Restore(Box::new(shown.0)));
            }
            return;
        }
        let all = cell.hints.len();
        if state.hints < all {
            let words = format!("Hint {} of {all}", state.hints + 1);
            if ui.add(Button::new(words)).clicked() {
                state.hints += 1;
            }
        }
        if ui.button("Show the solution").clicked() {
            let now_secs = ui.input(|input| input.time);
            page.view.playing.move_from(page.document, now_secs);
            show_solution(cell, state, page);
        }
    });
}

fn show_solution(cell: &CheckCell, state: &mut ExerciseState, page: &mut PageContext<'_>) {
    let edit = solution(cell);
    let mut after = page.document.clone();
    let rig = &page.derived.rig;
    if apply(&mut after, &edit, page.lesson, rig).is_ok() {
        state.shown = Some(Box::new((page.document.clone(), after)));
    }
    // What is refused, the page says.
    page.edits.push(edit);
}

/// Does the page stand as the solution left it? What is chosen and how it is
/// looked at may have changed since.
fn is_shown(state: &ExerciseState, now: &Document) -> bool {
    state.shown.as_ref().is_some_and(|shown| {
        let after = &shown.1;
        let mut now = now.clone();
        let ignored = [SettingGroup::Selection, SettingGroup::Display];
        copy_settings(&mut now.state, &after.state, &ignored);
        now == *after
    })
}

/// The button that gives an exercise other numbers: offers the draw `after` the present
/// one, with the step as it opens; nothing where there is none.
pub(super) fn draw_again_ui(
    ui: &mut Ui,
    after: Option<usize>,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let Some(draw) = after else { return };
    let button = ui
        .button("Again, with other numbers")
        .tip("The step begins as it opens; what was solved stays in your record");
    if button.clicked() {
        page.view.playing.stop();
        page.edits.push(Edit::Draw { cell: id.to_owned(), draw, afresh: true });
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Expr, Quantity, Setting, Settings};

    use super::*;
    use crate::cells::testing::{Page, harness};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    fn exercise() -> Harness<'static, Page> {
        exercise_that_is(false)
    }

    fn exercise_that_is(secret: bool) -> Harness<'static, Page> {
        let condition = |label: &str, measure: &str, goal: &str, unit: &str| Condition {
            label: label.into(),
            measure: Expr::parse(measure).unwrap(),
            goal: Expr::parse(goal).unwrap(),
            tolerance: Quantity(0.02),
            decimals: None,
            unit: unit.to_owned(),
            secret,
        };
        let cell = CellDraws::alone(CheckCell {
            ask: "Turn joint 1.".into(),
            conditions: vec![
                condition("angle", "b1", "90deg", "°"),
                condition("sum", "sum(v4)", "1", ""),
            ],
            place: None,
            hints: vec!["Drag.".into(), "Farther.".into()],
            solution: Settings(vec![Setting::Param("b1".to_owned(), std::f64::consts::FRAC_PI_2)]),
            solution_edits: bindpose_lesson::DataEdits::default(),
            solved: "So it is.".into(),
        });
        let mut harness = harness(Page::new("bone_grid"), move |view, page| {
            ui(view, &cell, "turn", page);
        });
        harness.run();
        harness
    }

    fn turn(harness: &mut Harness<'static, Page>, angle_rad: f64) {
        let params = &mut harness.state_mut().document.state.params;
        params.insert("b1".to_owned(), angle_rad);
        harness.run();
    }

    #[test]
    fn how_far_off_is_said_in_words_and_solved_only_when_all_hold() {
        let mut harness = exercise();
        harness.get_by_role_and_label(Role::ProgressIndicator, "angle: 90.00° too small");
        harness.get_by_role_and_label(Role::ProgressIndicator, "sum: there");
        assert!(harness.query_by_label("Solved").is_none());
        assert!(harness.query_by_label("So it is.").is_none());

        turn(&mut harness, std::f64::consts::PI);
        harness.get_by_role_and_label(Role::ProgressIndicator, "angle: 90.00° too large");
        turn(&mut harness, std::f64::consts::FRAC_PI_2);
        harness.get_by_label("Solved");
        harness.get_by_label("So it is.");
        assert!(harness.query_by_role_and_label(Role::Button, "Show the solution").is_none());

        let weights = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        harness.state_mut().document.state.weights.insert(4, weights.into());
        harness.run();
        assert!(harness.query_by_label("Solved").is_none());
    }

    #[test]
    fn an_answer_to_be_found_is_not_given_away() {
        let mut harness = exercise_that_is(true);
        harness.get_by_label("angle: not yet");
        harness.get_by_label("right");
        for words in ["goal", "too small", "too large"] {
            assert!(harness.query_by_label_contains(words).is_none(), "{words}");
        }
        turn(&mut harness, std::f64::consts::FRAC_PI_2);
        harness.get_by_label("Solved");
        assert_eq!(harness.query_all_by_label("right").count(), 2);
    }

    #[test]
    fn hints_open_one_by_one() {
        let mut harness = exercise();
        assert!(harness.query_by_label("Hint 1. Drag.").is_none());
        harness.get_by_role_and_label(Role::Button, "Hint 1 of 2").click();
        harness.run();
        harness.get_by_label("Hint 1. Drag.");
        assert!(harness.query_by_label("Hint 2. Farther.").is_none());
        harness.get_by_role_and_label(Role::Button, "Hint 2 of 2").click();
        harness.run();
        harness.get_by_label("Hint 2. Farther.");
        assert!(harness.state().edits.is_empty(), "hints change nothing");
    }

    #[test]
    fn the_solution_is_one_edit_and_mine_comes_back() {
        let mut harness = exercise();
        turn(&mut harness, 0.25);
        harness.get_by_role_and_label(Role::Button, "Show the solution").click();
        harness.run();
        assert_eq!(harness.state().edits.len(), 1);
        harness.get_by_label("Solution shown");
        assert!(harness.query_by_label("Solved").is_none());
        harness.get_by_role_and_label(Role::Button, "Back to mine").click();
        harness.run();
        assert_eq!(harness.state().document.state.params["b1"], 0.25);
        harness.get_by_role_and_label(Role::Button, "Show the solution");
    }

    #[test]
    fn a_reader_who_goes_on_from_the_solution_is_not_offered_the_way_back() {
        let mut harness = exercise();
        harness.get_by_role_and_label(Role::Button, "Show the solution").click();
        harness.run();
        turn(&mut harness, 1.0);
        assert!(harness.query_by_role_and_label(Role::Button, "Back to mine").is_none());
        harness.state_mut().document.state.joint = bindpose_skin::JointIndex(2);
        turn(&mut harness, std::f64::consts::FRAC_PI_2);
        harness.get_by_label("Solution shown");
    }
}
