//! A question about a position: the reader guesses where a vertex will move, reveals
//! the true position and sees the distance of the guess from it.

use std::cell::LazyCell;

use bindpose_kit::theme::{CAPTION_SIZE, CARD_SIZE, LEAD_SIZE, Theme, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{Emphasis, Scrub, Tip as _, Tone, card, card_heading, draw_tick};
use bindpose_lesson::number_text::{fixed, point};
use bindpose_lesson::{CellDraws, PredictCell, Text};
use bindpose_notebook::exercise::{
    GuessMistakes, Nearness, handed_in_place, nearest, position_with,
};
use bindpose_notebook::{Edit, EditTarget, Entity, Prediction};
use eframe::egui::{Button, Grid, RichText, TextStyle, Ui};
use glam::Vec3;

use super::check::draw_again_ui;
use crate::PageContext;
use crate::classroom::{
    AnswerMeaning, ClassQuestionState, ask_class_ui, class_question_state, hand_in_ui, tally_ui,
};
use crate::prose::text_ui;

/// Minimum width at which the three coordinates of a guess fit on one line, in ems.
const MIN_FIELDS_WIDTH_EM: f32 = 12.0;
/// Minimum width at which the name, position and distance of a guess fit on one line,
/// in ems.
const MIN_POSITION_WIDTH_EM: f32 = 19.0;

pub(super) fn ui(
    ui: &mut Ui,
    draws: &CellDraws<PredictCell>,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let draw = page.document.draw_of(id);
    let cell = draws.with(draw);
    let theme = page.theme;
    let guess = page.document.state.predictions.get(id).cloned();
    let revealed = guess.as_ref().filter(|guess| guess.revealed);
    let result = revealed.and_then(|guess| GuessResult::new(guess, cell, page));
    let is_right = result.as_ref().is_some_and(|result| result.nearness.is_right());
    let is_shown = revealed.is_some() && page.is_answer_shown(id);
    let tone = if is_right { Tone::Right } else { Tone::Task };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        card_heading(ui, theme, tone, "Guess first", |ui| {
            if ask_class_ui(ui, id, page) {
                page.requests.edits.push(Edit::ResetSettings(cell.set.0.clone()));
            }
            if is_shown {
                draw_tick(ui, theme, "The answer", CAPTION_SIZE);
            } else if let Some(result) = &result {
                let has_several = revealed.is_some_and(|guess| guess.all_in_world().count() > 1);
                score_ui(ui, theme, result, has_several);
            } else if let Some(first) =
                page.answer(id, draw).and_then(|answer| answer.guesses.first())
            {
                let distance = fixed(f64::from(first.off), 2);
                ui.label(theme.label(format!("your first guess was {distance} away")));
            }
        });
        text_ui(ui, &cell.ask, LEAD_SIZE, Emphasis::Plain, page);
        let class_state = class_question_state(page, id);
        if class_state != ClassQuestionState::No && page.view.classroom.is_teacher() {
            if class_state == ClassQuestionState::Revealed {
                class_guesses_ui(ui, cell, id, page);
                text_ui(ui, &cell.why, CARD_SIZE, Emphasis::Plain, page);
            } else {
                ui.label(theme.label("Everyone guesses on their own page."));
                class_guesses_ui(ui, cell, id, page);
            }
            return;
        }
        if class_state.hides_truth() {
            let is_open = class_state != ClassQuestionState::Closed;
            ui.add_enabled_ui(is_open, |ui| guess_fields_ui(ui, cell, id, guess.as_ref(), page));
            let answer = guess.as_ref().map(|guess| {
                guess.position_in_world.map(|coordinate| coordinate.to_string()).join(",")
            });
            ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, answer.as_deref(), page));
            return;
        }
        if class_state == ClassQuestionState::Revealed && guess.is_some() && revealed.is_none() {
            reveal_truth(ui, cell, id, page);
        }
        let (Some(guess), Some(result)) = (revealed, &result) else {
            guess_fields_ui(ui, cell, id, guess.as_ref(), page);
            ui.horizontal_wrapped(|ui| {
                let button = ui.add_enabled(guess.is_some(), Button::new("Reveal"));
                if button.tip_disabled("Guess first").clicked() {
                    reveal_truth(ui, cell, id, page);
                }
                if let Some(guess) = &guess {
                    keep_button(ui, id, guess, page);
                }
            });
            return;
        };
        let shown_guess = (!is_shown).then_some(guess);
        positions_ui(ui, cell, page, shown_guess, result.truth);
        if let Some(reply) = &result.reply {
            text_ui(ui, reply, CARD_SIZE, Emphasis::Strong, page);
        }
        text_ui(ui, &cell.why, CARD_SIZE, Emphasis::Plain, page);
        ui.horizontal_wrapped(|ui| {
            let label = if is_shown { "Guess" } else { "Guess again" };
            if ui.button(label).clicked() {
                let settings = cell.set.0.clone();
                // The first edit names the undo step.
                page.requests.edits.push(Edit::Reset(EditTarget::Prediction(id.to_owned())));
                page.requests.edits.push(Edit::ResetSettings(settings));
            }
            draw_again_ui(ui, draws.after(draw), id, page);
        });
    });
}

/// Comparison of a guess with the true position.
struct GuessResult {
    /// True position of the vertex, in world space.
    truth: Vec3,
    /// Distance from the nearest of the reader's guesses.
    distance: f32,
    nearness: Nearness,
    /// Names the mistake that leads to the nearest guess, if one is known.
    reply: Option<Text>,
}

impl GuessResult {
    /// Returns `None` if the vertex has no true position.
    fn new(guess: &Prediction, cell: &PredictCell, page: &PageContext<'_>) -> Option<Self> {
        let truth = true_position_in_world(cell, page)?;
        let (nearest_guess, distance) = nearest(guess, truth);
        let nearness = Nearness::from_distance(distance, cell.close.0);
        let reply = if nearness.is_right() {
            None
        } else {
            guess_mistakes(cell, page)
                .and_then(|mistakes| mistakes.reply_to(nearest_guess.into()).cloned())
        };
        Some(Self { truth, distance, nearness, reply })
    }
}

/// Returns the position of the vertex with the settings of the cell applied, in world
/// space. Returns `None` if it cannot be computed.
pub(super) fn true_position_in_world(cell: &PredictCell, page: &PageContext<'_>) -> Option<Vec3> {
    position_with(&cell.set.0, cell.vertex, page.document, page.lesson, page.derived).ok().flatten()
}

/// Returns the mistakes that lead to wrong guesses, if they can be computed.
fn guess_mistakes(cell: &PredictCell, page: &PageContext<'_>) -> Option<GuessMistakes> {
    GuessMistakes::new(cell, page.document, page.lesson, page.derived)
}

/// Draws the guesses of the class on the teacher's page, by their nearness. The picture
/// shows their positions.
fn class_guesses_ui(ui: &mut Ui, cell: &PredictCell, id: &str, page: &PageContext<'_>) {
    // Poses the rig several times, so it is computed only if the answers are visible.
    let mistakes = LazyCell::new(|| guess_mistakes(cell, page));
    let meaning = AnswerMeaning {
        words: &|text| rate_guess(text, mistakes.as_ref(), cell).words().to_owned(),
        rank: &|text| rate_guess(text, mistakes.as_ref(), cell) as usize,
        is_right: &|text| rate_guess(text, mistakes.as_ref(), cell).is_right(),
        right: &|| None,
        number: &|_| None,
        reply: &|text| Some(mistakes.as_ref()?.reply_to(handed_in_place(text)?)?.words()),
    };
    tally_ui(ui, id, page, &meaning);
}

/// Rates a guess that was handed in. An invalid guess counts as infinitely far away.
fn rate_guess(text: &str, mistakes: Option<&GuessMistakes>, cell: &PredictCell) -> Nearness {
    let distance = handed_in_place(text)
        .zip(mistakes)
        .map(|(position, mistakes)| mistakes.distance_from_truth(position));
    Nearness::from_distance(distance.unwrap_or(f32::INFINITY), cell.close.0)
}

/// Draws the distance of the guess and its rating, unless a reply names its mistake.
fn score_ui(ui: &mut Ui, theme: &Theme, result: &GuessResult, has_several: bool) {
    let distance = fixed(f64::from(result.distance), 2);
    let nearest = if has_several { "nearest " } else { "" };
    let score = format!("{nearest}{distance} away: {}", result.nearness.words());
    if result.nearness.is_right() {
        draw_tick(ui, theme, &score, CAPTION_SIZE);
    } else if result.reply.is_none() {
        ui.label(RichText::new(score).font(font::strong(CAPTION_SIZE)));
    }
}

/// Draws the guesses, if there are any, and the true position, one above the other. In a narrow column,
/// each name, position and distance has a line of its own.
fn positions_ui(
    ui: &mut Ui,
    cell: &PredictCell,
    page: &mut PageContext<'_>,
    guess: Option<&Prediction>,
    truth: Vec3,
) {
    let axis_count = if page.derived.rig.flat { 2 } else { 3 };
    let is_narrow = is_narrower(ui, MIN_POSITION_WIDTH_EM);
    let grid = Grid::new(("places", cell.vertex)).min_row_height(18.0).spacing([10.0, 2.0]);
    grid.show(ui, |ui| {
        let positions: Vec<[f32; 3]> =
            guess.into_iter().flat_map(Prediction::all_in_world).collect();
        let has_several = positions.len() > 1;
        for (index, position) in positions.into_iter().map(Vec3::from).enumerate() {
            let name = if has_several {
                Prediction::letter(index).to_string()
            } else {
                "your guess".to_owned()
            };
            ui.label(page.theme.label(name));
            end_row_if(ui, is_narrow);
            ui.label(position_text(position, axis_count));
            if has_several {
                end_row_if(ui, is_narrow);
                let distance = fixed(f64::from(position.distance(truth)), 2);
                ui.label(page.theme.label(format!("{distance} away")));
            }
            ui.end_row();
        }
        ui.label(page.theme.label(format!("v{}", cell.vertex)));
        end_row_if(ui, is_narrow);
        if touch::is_pointed_at(&ui.label(position_text(truth, axis_count))) {
            page.linked.hover(Entity::Vertex(cell.vertex));
        }
        ui.end_row();
    });
}

fn end_row_if(ui: &mut Ui, is_narrow: bool) {
    if is_narrow {
        ui.end_row();
    }
}

fn position_text(position: Vec3, axis_count: usize) -> RichText {
    RichText::new(point(&position.to_array()[..axis_count], 2)).monospace()
}

/// Draws the coordinates of the guess as numbers, for readers who do not use a pointer
/// and for those who have calculated the position.
fn guess_fields_ui(
    ui: &mut Ui,
    cell: &PredictCell,
    id: &str,
    guess: Option<&Prediction>,
    page: &mut PageContext<'_>,
) {
    let Some(current) = page.derived.position(cell.vertex as usize) else {
        return;
    };
    let position = guess.map_or(current.to_array(), |guess| guess.position_in_world);
    let axis_count = if page.derived.rig.flat { 2 } else { 3 };
    let instruction = match guess {
        None => "Press a place in the picture, or change the numbers:".to_owned(),
        Some(guess) if guess.kept_in_world.is_empty() => {
            "Your guess. Move it in the picture or here:".to_owned()
        }
        Some(guess) => {
            let letter = Prediction::letter(guess.kept_in_world.len());
            format!("Guess {letter}. Press a place in the picture, or change the numbers:")
        }
    };
    ui.label(page.theme.label(instruction));
    let is_narrow = is_narrower(ui, MIN_FIELDS_WIDTH_EM);
    let grid = Grid::new(("guess", id)).min_col_width(0.0).spacing([6.0, 4.0]);
    grid.show(ui, |ui| {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate().take(axis_count) {
            ui.label(page.theme.label(name));
            let label = format!("{name} of the guess for v{}", cell.vertex);
            let scrub = Scrub::new(("predict", id, name), f64::from(position[axis]), label)
                .steps_per_point(2.0)
                .limits(-1000.0..=1000.0)
                .chars(5);
            if let Some(change) = scrub.show(ui) {
                let mut new_position = position;
                new_position[axis] = change.value_or(current[axis].into()) as f32;
                page.requests.edits.push(Edit::Predict(id.to_owned(), new_position));
            }
            end_row_if(ui, is_narrow);
        }
    });
}

/// Returns true if the available width is less than `width_em`, in ems.
fn is_narrower(ui: &Ui, width_em: f32) -> bool {
    ui.available_width() < width_em * ui.text_style_height(&TextStyle::Body)
}

/// Draws the button that keeps the guess, so that the reader can place another.
fn keep_button(ui: &mut Ui, id: &str, guess: &Prediction, page: &mut PageContext<'_>) {
    let letter = Prediction::letter(guess.kept_in_world.len());
    let button = Button::new(format!("Keep as {letter}"));
    let response = ui
        .add_enabled(guess.can_be_kept(), button)
        .tip("Keep this guess, and place another beside it")
        .tip_disabled("Place the next guess first");
    if response.clicked() {
        page.requests.edits.push(Edit::KeepGuess(id.to_owned()));
    }
}

fn reveal_truth(ui: &Ui, cell: &PredictCell, id: &str, page: &mut PageContext<'_>) {
    let now_secs = ui.input(|input| input.time);
    page.view.playing.move_from(page.document, now_secs);
    page.requests.edits.push(Edit::Reveal(id.to_owned()));
    page.requests.edits.push(Edit::Settings(cell.set.0.clone()));
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{CloseDistance, Expr, Setting, Settings, WrongPlace};

    use super::*;
    use crate::cells::testing::{Page, harness};
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable};

    fn question_harness() -> Harness<'static, Page> {
        let cell = CellDraws::alone(PredictCell {
            ask: "Where will v6 go?".into(),
            vertex: 6,
            set: Settings(vec![Setting::Param("b2".to_owned(), std::f64::consts::FRAC_PI_2)]),
            close: CloseDistance(0.3),
            why: "Halfway.".into(),
            wrong: vec![WrongPlace {
                set: Settings::default(),
                place: Some(Expr::parse("joint_matrix(2) * stored(6)").unwrap()),
                reply: "You forgot joint 1.".into(),
            }],
        });
        let mut harness = harness(Page::new("bone_grid"), move |ui, page| {
            super::ui(ui, &cell, "half", page);
        });
        harness.run();
        harness
    }

    fn guess_and_reveal(harness: &mut Harness<'static, Page>, position_in_world: [f32; 3]) {
        let guess = Prediction { position_in_world, ..Prediction::default() };
        let predictions = &mut harness.state_mut().document.state.predictions;
        predictions.insert("half".to_owned(), guess);
        harness.run();
        harness.click_role(Role::Button, "Reveal");
    }

    #[test]
    fn guess_is_made_with_the_keyboard() {
        let mut harness = question_harness();
        harness.click_role(Role::Button, "Reveal");
        assert!(harness.state().edits.is_empty(), "nothing is revealed before a guess");
        let x = "x of the guess for v6";
        harness.get_by_role_and_label(Role::SpinButton, x).focus();
        harness.run();
        harness.press(Key::ArrowRight);
        let guess = harness.state().document.state.predictions["half"].clone();
        assert!((guess.position_in_world[0] - 6.01).abs() < 1e-6);
        assert_eq!(guess.position_in_world[1..], [1.0, 0.0]);
        assert!(
            harness.query_by_role_and_label(Role::SpinButton, "z of the guess for v6").is_none(),
            "the grid is flat"
        );
    }

    #[test]
    fn reveal_applies_the_settings_and_rates_the_guess() {
        let mut harness = question_harness();
        assert!(harness.query_by_label("Halfway.").is_none());
        guess_and_reveal(&mut harness, [6.5, -0.4, 0.0]);
        // The truth is (6.5, −0.5).
        harness.get_by_label("0.10 away: close");
        harness.get_by_label("(6.50, −0.50)");
        harness.get_by_label("Halfway.");
        let b2 = harness.state().document.state.params["b2"];
        assert!((b2 - std::f64::consts::FRAC_PI_2).abs() < 1e-9);

        harness.click_role(Role::Button, "Guess again");
        assert!(harness.state().document.state.predictions.is_empty());
        assert!(harness.state().document.state.params.is_empty());
        harness.get_by_role_and_label(Role::Button, "Reveal");
    }

    #[test]
    fn kept_guesses_have_letters_and_are_revealed_together() {
        let mut harness = question_harness();
        assert!(harness.query_by_role_and_label(Role::Button, "Keep as A").is_none());
        let x = "x of the guess for v6";
        for keep in ["Keep as A", "Keep as B"] {
            harness.get_by_role_and_label(Role::SpinButton, x).focus();
            harness.run();
            harness.press(Key::ArrowRight);
            harness.click_role(Role::Button, keep);
        }
        let next = harness.get_by_role_and_label(Role::Button, "Keep as C");
        assert!(next.accesskit_node().is_disabled(), "C is not placed yet");
        let mut kept = harness.state().document.state.predictions["half"].clone();
        assert_eq!(kept.all_in_world().count(), 2);
        kept.position_in_world = [6.5, -0.4, 0.0];
        harness.state_mut().document.state.predictions.insert("half".to_owned(), kept);
        harness.run();
        harness.click_role(Role::Button, "Reveal");
        harness.get_by_label("nearest 0.10 away: close");
        for letter in ["A", "B", "C"] {
            harness.get_by_label(letter);
        }
        harness.get_by_label("0.10 away");
    }

    #[test]
    fn guess_near_a_wrong_place_gets_its_reply_instead_of_the_distance() {
        let mut harness = question_harness();
        // Joint 2 alone takes v6 to (7, −2).
        guess_and_reveal(&mut harness, [6.9, -1.9, 0.0]);
        harness.get_by_label("You forgot joint 1.");
        harness.get_by_label("Halfway.");
        assert!(harness.query_by_label_contains("away:").is_none());
    }

    #[test]
    fn distant_guess_is_rated_as_far_off() {
        let mut harness = question_harness();
        guess_and_reveal(&mut harness, [9.5, 3.5, 0.0]);
        harness.get_by_label("5.00 away: far off");
        harness.get_by_label("Halfway.");
    }
}
