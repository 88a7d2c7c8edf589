//! A question about a place: the reader marks where a vertex will go, looks,
//! and reads how far off the guess was.

use std::cell::LazyCell;

use bindpose_lesson::{CellDraws, PredictCell};
use bindpose_notebook::exercise::{
    GuessMistakes, Nearness, handed_in_place, nearest, position_with,
};
use bindpose_notebook::number_text::{fixed, point};
use bindpose_notebook::{Edit, Entity, Prediction};
use eframe::egui::{Button, Grid, RichText, TextStyle, Ui};
use glam::Vec3;

use super::check::draw_again_ui;
use crate::PageContext;
use crate::classroom::{AnswerMeaning, AskedInClass, ask_class_ui, hand_in_ui, in_class, tally_ui};
use crate::prose::text_ui;
use crate::theme::{CAPTION, CARD, LEAD, Theme, font};
use crate::touch;
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, Scrub, Tone, card, card_heading, note, tick};

/// Three numbers of a guess stand beside one another in so many heights of a letter.
const FIELDS_EM: f32 = 12.0;
/// A name, a place and how far away it is.
const PLACE_EM: f32 = 19.0;

/// Draws the cell.
pub(super) fn ui(
    ui: &mut Ui,
    drawn: &CellDraws<PredictCell>,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let draw = page.document.draw_of(id);
    let cell = drawn.with(draw);
    let theme = page.theme;
    let guess = page.document.state.predictions.get(id).cloned();
    let revealed = guess.as_ref().filter(|guess| guess.revealed);
    let distance = revealed.and_then(|guess| {
        let truth = truth(cell, page)?;
        Some((truth, nearest(guess, truth).1))
    });
    let nearness =
        distance.map(|(_, distance)| (distance, Nearness::from_distance(distance, cell.close)));
    let right = nearness.is_some_and(|(_, nearness)| nearness.is_right());
    let tone = if right { Tone::Right } else { Tone::Task };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        card_heading(ui, theme, tone, "Guess first", |ui| {
            if ask_class_ui(ui, id, page) {
                page.edits.push(Edit::ResetSettings(cell.set.0.clone()));
            }
            if let Some((distance, nearness)) = nearness {
                let of_class = revealed.is_some_and(|guess| guess.all_in_world().count() > 1);
                score(ui, theme, distance, nearness, of_class);
            } else if let Some(guess) = page.answer(id, draw).and_then(|one| one.guesses.first()) {
                let off = fixed(f64::from(guess.off), 2);
                ui.label(theme.label(format!("your first guess was {off} away")));
            }
        });
        text_ui(ui, &cell.ask, LEAD, Emphasis::Plain, page);
        let asked = in_class(page, id);
        if asked != AskedInClass::No && page.view.classroom.leads() {
            if asked == AskedInClass::Revealed {
                class_guesses(ui, cell, id, page);
                text_ui(ui, &cell.why, CARD, Emphasis::Plain, page);
            } else {
                ui.label(theme.label("Everyone guesses on their own page."));
                class_guesses(ui, cell, id, page);
            }
            return;
        }
        let in_hand = guess.as_ref().map(|guess| written(guess.position_in_world));
        if asked.hides_truth() {
            let is_open = asked != AskedInClass::Closed;
            ui.add_enabled_ui(is_open, |ui| fields(ui, cell, id, guess.as_ref(), page));
            ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, in_hand.as_deref(), page));
            return;
        }
        if asked == AskedInClass::Revealed && guess.is_some() && revealed.is_none() {
            show_truth(ui, cell, id, page);
        }
        let (Some(guess), Some((truth, _))) = (revealed, distance) else {
            fields(ui, cell, id, guess.as_ref(), page);
            ui.horizontal_wrapped(|ui| {
                reveal(ui, cell, id, guess.is_some(), page);
                keep(ui, id, guess.as_ref(), page);
            });
            return;
        };
        places(ui, cell, page, guess, truth);
        let mistakes = mistakes(cell, page);
        let nearest = nearest(guess, truth).0.into();
        if let Some(story) = mistakes.as_ref().and_then(|mistakes| mistakes.story(nearest)) {
            note(ui, theme, story, CARD, Emphasis::Strong);
        }
        text_ui(ui, &cell.why, CARD, Emphasis::Plain, page);
        ui.horizontal_wrapped(|ui| {
            if ui.button("Guess again").clicked() {
                let settings = cell.set.0.clone();
                // The first names the step of undo.
                page.edits.push(Edit::ForgetPrediction(id.to_owned()));
                page.edits.push(Edit::ResetSettings(settings));
            }
            draw_again_ui(ui, drawn.after(draw), id, page);
        });
    });
}

/// Where the vertex is once the cell has set what it sets.
pub(super) fn truth(cell: &PredictCell, page: &PageContext<'_>) -> Option<Vec3> {
    position_with(&cell.set.0, cell.vertex, page.document, page.lesson, page.derived).ok().flatten()
}

/// The mistakes that lead to wrong guesses.
fn mistakes(cell: &PredictCell, page: &PageContext<'_>) -> Option<GuessMistakes> {
    GuessMistakes::new(cell, (page.document, page.lesson, page.derived))
}

/// On the teacher's page, what the class guessed: where is in the picture, how near is here.
fn class_guesses(ui: &mut Ui, cell: &PredictCell, id: &str, page: &PageContext<'_>) {
    // Worked out where the answers are shown alone: it poses the rig several times.
    let mistakes = LazyCell::new(|| mistakes(cell, page));
    let nearness = |text: &str| {
        let off = handed_in_place(text).zip(mistakes.as_ref()).map(|(at, known)| known.off(at));
        Nearness::from_distance(off.unwrap_or(f32::INFINITY), cell.close)
    };
    let meaning = AnswerMeaning {
        words: &|text| nearness(text).words().to_owned(),
        rank: &|text| nearness(text) as usize,
        is_right: &|text| nearness(text).is_right(),
        right: &|| None,
        number: &|_| None,
        reply: &|text| mistakes.as_ref()?.story(handed_in_place(text)?).map(str::to_owned),
    };
    tally_ui(ui, id, page, &meaning);
}

/// How far away the guess was, and what that is worth.
fn score(ui: &mut Ui, theme: &Theme, distance: f32, nearness: Nearness, of_class: bool) {
    let away = fixed(f64::from(distance), 2);
    let nearest = if of_class { "nearest " } else { "" };
    let score = format!("{nearest}{away} away: {}", nearness.words());
    if nearness.is_right() {
        tick(ui, theme, &score, CAPTION);
    } else {
        ui.label(RichText::new(score).font(font::strong(CAPTION)));
    }
}

/// Guesses and truth, one above the other.
fn places(
    ui: &mut Ui,
    cell: &PredictCell,
    page: &mut PageContext<'_>,
    guess: &Prediction,
    truth: Vec3,
) {
    let axes = if page.derived.rig.flat { 2 } else { 3 };
    let number = |place: Vec3| RichText::new(point(&place.to_array()[..axes], 2)).monospace();
    let is_narrow = is_narrower(ui, PLACE_EM);
    let between = |ui: &mut Ui| {
        if is_narrow {
            ui.end_row();
        }
    };
    let named = Grid::new(("places", cell.vertex)).min_row_height(18.0).spacing([10.0, 2.0]);
    named.show(ui, |ui| {
        let of_class = guess.all_in_world().count() > 1;
        for (index, place) in guess.all_in_world().map(Vec3::from).enumerate() {
            let name = if of_class {
                Prediction::letter(index).to_string()
            } else {
                "your guess".to_owned()
            };
            ui.label(page.theme.label(name));
            between(ui);
            ui.label(number(place));
            if of_class {
                between(ui);
                let away = fixed(f64::from(place.distance(truth)), 2);
                ui.label(page.theme.label(format!("{away} away")));
            }
            ui.end_row();
        }
        ui.label(page.theme.label(format!("v{}", cell.vertex)));
        between(ui);
        if touch::is_pointed_at(&ui.label(number(truth))) {
            page.linked.hover(Entity::Vertex(cell.vertex));
        }
        ui.end_row();
    });
}

/// The guess as numbers: for those who do not use a pointer, and for those who
/// have worked it out.
fn fields(
    ui: &mut Ui,
    cell: &PredictCell,
    id: &str,
    guess: Option<&Prediction>,
    page: &mut PageContext<'_>,
) {
    let Some(now) = page.derived.position(cell.vertex as usize) else {
        return;
    };
    let place = guess.map_or(now.to_array(), |guess| guess.position_in_world);
    let axes = if page.derived.rig.flat { 2 } else { 3 };
    let words = match guess {
        None => "Press a place in the picture, or change the numbers:".to_owned(),
        Some(guess) if guess.kept_in_world.is_empty() => {
            "Your guess. Move it in the picture or here:".to_owned()
        }
        Some(guess) => {
            let letter = Prediction::letter(guess.kept_in_world.len());
            format!("Guess {letter}. Press a place in the picture, or change the numbers:")
        }
    };
    ui.label(page.theme.label(words));
    let is_narrow = is_narrower(ui, FIELDS_EM);
    let grid = Grid::new(("guess", id)).min_col_width(0.0).spacing([6.0, 4.0]);
    grid.show(ui, |ui| {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate().take(axes) {
            ui.label(page.theme.label(name));
            let label = format!("{name} of the guess for v{}", cell.vertex);
            let scrub = Scrub::new(("predict", id, name), f64::from(place[axis]), label)
                .steps_per_point(2.0)
                .limits(-1000.0..=1000.0)
                .chars(5);
            if let Some(change) = scrub.show(ui) {
                let mut next = place;
                next[axis] = change.or(now[axis].into()) as f32;
                page.edits.push(Edit::Predict(id.to_owned(), next));
            }
            if is_narrow {
                ui.end_row();
            }
        }
    });
}

/// Is there less room than so many heights of a letter?
fn is_narrower(ui: &Ui, em: f32) -> bool {
    ui.available_width() < em * ui.text_style_height(&TextStyle::Body)
}

/// Keeps the guess, so that another can stand beside it.
fn keep(ui: &mut Ui, id: &str, guess: Option<&Prediction>, page: &mut PageContext<'_>) {
    let Some(guess) = guess else {
        return;
    };
    let letter = Prediction::letter(guess.kept_in_world.len());
    let button = Button::new(format!("Keep as {letter}"));
    let response = ui
        .add_enabled(guess.can_be_kept(), button)
        .tip("Keep this guess, and place another beside it")
        .tip_disabled("Place the next guess first");
    if response.clicked() {
        page.edits.push(Edit::KeepGuess(id.to_owned()));
    }
}

fn reveal(ui: &mut Ui, cell: &PredictCell, id: &str, guessed: bool, page: &mut PageContext<'_>) {
    let response = ui.add_enabled(guessed, Button::new("Reveal")).tip_disabled("Guess first");
    if response.clicked() {
        show_truth(ui, cell, id, page);
    }
}

fn show_truth(ui: &Ui, cell: &PredictCell, id: &str, page: &mut PageContext<'_>) {
    let now_secs = ui.input(|input| input.time);
    page.view.playing.move_from(page.document, now_secs);
    page.edits.push(Edit::Reveal(id.to_owned()));
    page.edits.push(Edit::Settings(cell.set.0.clone()));
}

/// A guess as it is handed in.
fn written(place: [f32; 3]) -> String {
    place.map(|number| number.to_string()).join(",")
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Setting, Settings};

    use super::*;
    use crate::cells::testing::{Page, harness};
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable};

    fn question() -> Harness<'static, Page> {
        let cell = CellDraws::alone(PredictCell {
            ask: "Where will v6 go?".into(),
            vertex: 6,
            set: Settings(vec![Setting::Param("b2".to_owned(), std::f64::consts::FRAC_PI_2)]),
            close: 0.3,
            why: "Halfway.".into(),
        });
        let mut harness = harness(Page::new("bone_grid"), move |view, page| {
            ui(view, &cell, "half", page);
        });
        harness.run();
        harness
    }

    fn guess(harness: &mut Harness<'static, Page>, position_in_world: [f32; 3]) {
        let guess = Prediction { position_in_world, ..Prediction::default() };
        let predictions = &mut harness.state_mut().document.state.predictions;
        predictions.insert("half".to_owned(), guess);
        harness.run();
        harness.get_by_role_and_label(Role::Button, "Reveal").click();
        harness.run();
    }

    #[test]
    fn a_guess_can_be_made_with_the_keyboard() {
        let mut harness = question();
        harness.get_by_role_and_label(Role::Button, "Reveal").click();
        harness.run();
        assert!(harness.state().edits.is_empty(), "nothing is revealed before a guess");
        let x = "x of the guess for v6";
        harness.get_by_role_and_label(Role::SpinButton, x).focus();
        harness.run();
        harness.key_press(Key::ArrowRight);
        harness.run();
        let guess = harness.state().document.state.predictions["half"].clone();
        assert!((guess.position_in_world[0] - 6.01).abs() < 1e-6);
        assert_eq!(guess.position_in_world[1..], [1.0, 0.0]);
        assert!(
            harness.query_by_role_and_label(Role::SpinButton, "z of the guess for v6").is_none(),
            "the grid is flat"
        );
    }

    #[test]
    fn the_reveal_sets_the_scene_and_says_how_far_off_the_guess_was() {
        let mut harness = question();
        assert!(harness.query_by_label("Halfway.").is_none());
        guess(&mut harness, [6.5, -0.4, 0.0]);
        // The truth is (6.5, −0.5).
        harness.get_by_label("0.10 away: close");
        harness.get_by_label("(6.50, −0.50)");
        harness.get_by_label("Halfway.");
        let b2 = harness.state().document.state.params["b2"];
        assert!((b2 - std::f64::consts::FRAC_PI_2).abs() < 1e-9);

        harness.get_by_role_and_label(Role::Button, "Guess again").click();
        harness.run();
        assert!(harness.state().document.state.predictions.is_empty());
        assert!(harness.state().document.state.params.is_empty());
        harness.get_by_role_and_label(Role::Button, "Reveal");
    }

    #[test]
    fn guesses_that_are_kept_have_letters_and_are_revealed_together() {
        let mut harness = question();
        assert!(harness.query_by_role_and_label(Role::Button, "Keep as A").is_none());
        let x = "x of the guess for v6";
        for keep in ["Keep as A", "Keep as B"] {
            harness.get_by_role_and_label(Role::SpinButton, x).focus();
            harness.run();
            harness.key_press(Key::ArrowRight);
            harness.run();
            harness.get_by_role_and_label(Role::Button, keep).click();
            harness.run();
        }
        let next = harness.get_by_role_and_label(Role::Button, "Keep as C");
        assert!(next.accesskit_node().is_disabled(), "C is not placed yet");
        let mut kept = harness.state().document.state.predictions["half"].clone();
        assert_eq!(kept.all_in_world().count(), 2);
        kept.position_in_world = [6.5, -0.4, 0.0];
        harness.state_mut().document.state.predictions.insert("half".to_owned(), kept);
        harness.run();
        harness.get_by_role_and_label(Role::Button, "Reveal").click();
        harness.run();
        harness.get_by_label("nearest 0.10 away: close");
        for letter in ["A", "B", "C"] {
            harness.get_by_label(letter);
        }
        harness.get_by_label("0.10 away");
    }

    #[test]
    fn a_guess_far_off_is_said_to_be() {
        let mut harness = question();
        guess(&mut harness, [9.5, 3.5, 0.0]);
        harness.get_by_label("5.00 away: far off");
        harness.get_by_label("Halfway.");
    }
}
