//! Presenter mode, the stage and the teacher's window.

use bindpose::app::ShellOptions;
use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::accesskit::{Role, Toggled};
use eframe::egui::{Key, Modifiers, Rect, UiBuilder, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::{nod_rad, page, page::Page, step};

/// Size of the page on a projector, in points.
const PRESENTED: [f32; 2] = [1024.0, 576.0];
const SCREEN: Rect =
    Rect::from_min_max(eframe::egui::Pos2::ZERO, eframe::egui::pos2(PRESENTED[0], PRESENTED[1]));

/// Pixels of a projector of 1280 × 720 in a point of this page.
const ON_PROJECTOR: f32 = 1.25;

/// Height of a row of numbers in a matrix with this rectangle, in points.
fn row_height(matrix: Rect) -> f32 {
    (matrix.height() - 22.0) / 4.0
}

fn presented(link: &str) -> Harness<'static, Page> {
    let preferences = Preferences { dark: Some(false), ..Preferences::default() };
    let options =
        ShellOptions { set: LessonSet::embedded(), preferences, ..ShellOptions::default() };
    let window = Harness::builder().with_size(PRESENTED);
    let mut harness = page::build(window, None, options, |shell, ui| {
        // The harness leaves a margin around its content, which a projector does not have.
        let screen = ui.ctx().content_rect();
        let mut whole = ui.new_child(UiBuilder::new().max_rect(screen));
        whole.set_clip_rect(screen);
        shell.ui(&mut whole);
    });
    harness.state_mut().shell().open_link(link).expect("a page");
    harness.run();
    harness.press(Key::F5);
    harness
}

fn has(harness: &Harness<'_, Page>, label: &str) -> bool {
    harness.query_all_by_label_contains(label).next().is_some()
}

/// Returns the description of a picture.
fn picture(harness: &Harness<'_, Page>) -> String {
    let pictures = harness.query_all_by_role(Role::Image);
    let words = pictures.filter_map(|node| node.accesskit_node().label());
    words.collect()
}

#[test]
fn a_clicker_reads_paragraph_by_paragraph_and_then_turns_the_page() {
    let mut harness = presented("bindpose://bind-pose/edit-it-yourself");
    assert!(has(&harness, "paragraph 1 of 4"));
    assert!(!has(&harness, "Drag a cell on the diagonal"));
    harness.press(Key::PageDown);
    assert!(has(&harness, "paragraph 2 of 4"));
    harness.press(Key::Space);
    assert!(has(&harness, "paragraph 2 of 4") && has(&harness, "The answer"));
    harness.press(Key::Space);
    assert!(has(&harness, "paragraph 3 of 4"));
    harness.press(Key::Space);
    assert!(has(&harness, "paragraph 4 of 4"));
    assert_eq!(step(&mut harness), 8);
    harness.press(Key::PageDown);
    assert_eq!(step(&mut harness), 9);
    harness.press(Key::PageUp);
    assert_eq!(step(&mut harness), 8);
    assert!(has(&harness, "paragraph 4 of 4"), "as it was left");
    harness.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    assert!(!has(&harness, "paragraph 4 of 4"), "all of it at once");
}

/// Reads on to the next step, and returns the number of presses.
fn read_to_next_step(harness: &mut Harness<'static, Page>) -> usize {
    let before = step(harness);
    for press_count in 1..=40 {
        harness.press(Key::PageDown);
        if step(harness) != before {
            return press_count;
        }
    }
    panic!("step {before} does not end");
}

/// Reads on until a text appears.
fn read_to(harness: &mut Harness<'static, Page>, text: &str) {
    for _ in 0..12 {
        if has(harness, text) {
            return;
        }
        harness.press(Key::PageDown);
    }
    panic!("{text} does not appear");
}

#[test]
fn a_press_after_a_question_shows_its_answer_and_the_next_goes_on() {
    let mut harness = presented("bindpose://bind-pose/something-is-wrong");
    assert!(has(&harness, "paragraph 1 of"));
    read_to(&mut harness, "The chin belongs close to joint 1");
    assert!(!has(&harness, "The answer"));
    harness.press(Key::PageDown);
    assert!(has(&harness, "The answer") && has(&harness, "That is no accident"));
    let right = harness.get_by_role_and_label(Role::RadioButton, "About two units");
    assert_eq!(right.accesskit_node().toggled(), Some(Toggled::True));
    assert_eq!(step(&mut harness), 0);
    harness.press(Key::PageUp);
    assert!(!has(&harness, "The answer"), "one press takes it back");
    assert!(has(&harness, "The chin belongs close to joint 1"));
    harness.press(Key::ArrowRight);
    assert!(has(&harness, "The answer"), "arrows are clicker keys, too");
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 1);
    harness.press(Key::PageUp);
    assert_eq!(step(&mut harness), 0);
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 1, "what is answered goes on at once");
}

#[test]
fn a_marked_choice_is_answered_by_a_press_and_shift_skips() {
    let mut harness = presented("bindpose://bind-pose/something-is-wrong");
    read_to(&mut harness, "About four units");
    harness.get_by_label("About four units").click();
    harness.run();
    harness.press(Key::PageDown);
    assert!(has(&harness, "That is no accident") && !has(&harness, "It is four units above"));
    harness.press(Key::PageUp);
    harness.press_with(Modifiers::SHIFT, Key::PageDown);
    assert_eq!(step(&mut harness), 1, "without an answer");
    let document = harness.state_mut().shell().notebook().document().clone();
    assert!(document.state.answers.is_empty());
}

#[test]
fn a_press_at_an_exercise_plays_its_solution_and_one_takes_it_back() {
    let mut harness = presented("bindpose://bind-pose/lift-the-chin");
    let state = |harness: &mut Harness<'static, Page>| {
        harness.state_mut().shell().notebook().document().state.clone()
    };
    let before = state(&mut harness);
    let mut press_count = 0;
    while !has(&harness, "Solution shown") {
        assert_eq!(state(&mut harness), before);
        harness.press(Key::PageDown);
        press_count += 1;
        assert!(press_count < 12);
    }
    assert_ne!(state(&mut harness), before);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(state(&mut harness), before, "one step of undo");
    harness.press(Key::PageDown);
    assert!(has(&harness, "Solution shown"));
    harness.press(Key::PageUp);
    assert_eq!(state(&mut harness), before, "or one press back");
}

#[test]
fn a_guess_is_shown_without_anybody_having_guessed() {
    let mut harness = presented("bindpose://bind-pose/guess-where-it-goes");
    let mut press_count = 0;
    while !has(&harness, "The answer") {
        harness.press(Key::PageDown);
        press_count += 1;
        assert!(press_count < 12 && step(&mut harness) == 2);
    }
    assert!(!has(&harness, "your guess") && !has(&harness, "spot on"));
    let before = step(&mut harness);
    harness.press(Key::PageUp);
    assert!(!has(&harness, "The answer"));
    harness.press_with(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(step(&mut harness), before + 1);
}

/// A lesson is presented by one key from its first step to its last.
#[test]
fn a_clicker_alone_leads_through_whole_lessons() {
    for (slug, first) in [
        ("bind-pose", "something-is-wrong"),
        ("bone-grid", "ten-vertices-three-joints"),
        ("texture-storage", "sixty-five-joints"),
    ] {
        let mut harness = presented(&format!("bindpose://{slug}/{first}"));
        let lesson = harness.state_mut().shell().notebook().lesson().clone();
        for index in 0..lesson.steps.len() {
            assert_eq!(step(&mut harness), index, "{slug}");
            assert!(!has(&harness, "paragraph 2 of"), "{slug} {index} begins at its beginning");
            if index + 1 == lesson.steps.len() {
                break;
            }
            read_to_next_step(&mut harness);
            let title = &lesson.steps[index].title;
            let progress = &harness.state_mut().shell().notebook().progress;
            let record = progress.record(&lesson.slug, &lesson.steps[index].slug);
            for (cell, _) in exercises_at(&lesson, index) {
                let answer = record.and_then(|record| record.answer(cell, 0));
                assert!(answer.is_some_and(|answer| answer.shown), "{slug}: {title}: {cell}");
            }
        }
    }
}

#[test]
fn messages_leave_the_stage_free() {
    let mut harness = presented("bindpose://bind-pose/something-is-wrong");
    harness.press_with(Modifiers::COMMAND, Key::Z);
    let message = harness.get_by_role(Role::Status).rect();
    let stage = harness.state_mut().shell().placed().stage.expect("a stage");
    assert!(!stage.intersects(message), "{message} on {stage}");
    assert!(SCREEN.contains_rect(message), "{message}");
}

#[test]
fn tooltips_close_at_a_key_and_stay_closed_until_the_pointer_moves() {
    let tip = "Large type";
    let mut harness = page("bindpose://bind-pose/edit-it-yourself", [1280.0, 720.0]);
    let cell = harness
        .get_by_role_and_label(Role::SpinButton, "joint 1 from bind, row 2, column 4")
        .rect();
    let hint = "Drag, or click to type";
    let shown = |harness: &Harness<'_, Page>| {
        harness.query_all_by_label_contains(hint).map(|node| node.rect()).next()
    };
    assert!(!has(&harness, tip));
    harness.hover_at(cell.center());
    harness.run_steps(60);
    let rect = shown(&harness).expect("a tooltip");
    let grid = harness.get_by_role_and_label(Role::Table, "joint 1 from bind").rect();
    assert!(!grid.intersects(rect), "{rect} over {grid}");
    harness.press(Key::F5);
    harness.run_steps(60);
    assert!(shown(&harness).is_none());
    harness.press(Key::PageDown);
    harness.run_steps(60);
    assert!(shown(&harness).is_none());
}

#[test]
fn titles_of_later_steps_are_hidden() {
    let mut harness = presented("bindpose://normals/a-direction-has-no-place");
    let title = "Squashed";
    assert!(!has(&harness, title), "in the dots or at the foot");
    assert!(has(&harness, "Step 1: What a normal is for"));
    harness.press_with(Modifiers::COMMAND, Key::B);
    assert!(!has(&harness, title), "in the contents");
    harness.press(Key::F5);
    assert!(has(&harness, title));
}

#[test]
fn a_blank_screen_is_woken_by_any_key_which_does_nothing_else() {
    let mut harness = presented("bindpose://bind-pose/edit-it-yourself");
    harness.press(Key::B);
    assert!(has(&harness, "The screen is blank"));
    assert!(!has(&harness, "Edit it yourself"));
    harness.press(Key::PageDown);
    assert!(has(&harness, "paragraph 1 of 4"));
    harness.press(Key::F5);
    harness.press(Key::B);
    assert!(!has(&harness, "The screen is blank"), "not while reading");
}

#[test]
fn a_picture_that_is_held_stays_while_values_change() {
    let mut harness = presented("bindpose://bind-pose/edit-it-yourself");
    let before = picture(&harness);
    harness.press(Key::F);
    harness.get_by_role_and_label(Role::Slider, "nod").focus();
    harness.run();
    for _ in 0..5 {
        harness.press(Key::ArrowRight);
    }
    assert!(nod_rad(&mut harness) > 0.4);
    assert_eq!(picture(&harness), before);
    harness.press(Key::Escape);
    assert_eq!(picture(&harness), before, "the slider is left first");
    harness.press(Key::Escape);
    assert_ne!(picture(&harness), before, "let go");
}

#[test]
fn a_pen_leaves_no_trace_in_the_document() {
    let mut harness = presented("bindpose://bind-pose/edit-it-yourself");
    let before = harness.state_mut().shell().notebook().document().clone();
    harness.press(Key::D);
    let slider = harness.get_by_role_and_label(Role::Slider, "nod").rect();
    harness.hover_at(slider.center());
    harness.drag_at(slider.center());
    harness.hover_at(slider.center() + vec2(60.0, 0.0));
    harness.step();
    harness.drop_at(slider.center() + vec2(60.0, 10.0));
    harness.run();
    let after = harness.state_mut().shell().notebook().document().clone();
    assert_eq!(before, after, "the slider below was not dragged");
    harness.press(Key::Escape);
    assert!(has(&harness, "Spotlight"), "the pen goes first, then the mode");
    harness.press(Key::Escape);
    assert!(!has(&harness, "Spotlight"));
}

#[test]
fn a_cell_is_enlarged_and_put_back() {
    let mut harness = presented("bindpose://bind-pose/edit-it-yourself");
    let grid = "joint 1 from bind";
    let type_size = harness.ctx.zoom_factor();
    harness.click_label("Enlarge product");
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Slider, "nod").is_none());
    let large = harness.get_by_role_and_label(Role::Table, grid).rect();
    let enlargement = harness.ctx.zoom_factor() / type_size;
    // Rows of 1.65 lines each, digits of 0.73 lines.
    let digit_px = 0.73 / 1.65 * row_height(large) * enlargement * ON_PROJECTOR;
    assert!(digit_px >= 22.0, "{digit_px}");
    let page = harness.ctx.content_rect();
    assert!(page.contains_rect(large), "{large} in {page}");
    harness.press(Key::Escape);
    harness.get_by_role_and_label(Role::Slider, "nod");
    assert!(has(&harness, "Spotlight"), "still presenting");
}

/// The central demonstration: a picture, a slider and three matrices, one of them editable, with
/// digits that are legible from the last row.
#[test]
fn three_matrices_stand_in_one_row_below_the_picture() {
    let harness = presented("bindpose://bind-pose/edit-it-yourself");
    let matrices = ["world from joint 1", "joint 1 from bind", "world from bind"];
    let rects = matrices.map(|name| harness.get_by_role_and_label(Role::Table, name).rect());
    for rect in rects {
        assert!(SCREEN.contains_rect(rect), "{rect}");
        assert_eq!(rect.top(), rects[0].top());
        // Rows of 1.45 lines each, digits of 0.73 lines.
        let digit_px = 0.73 / 1.45 * row_height(rect) * ON_PROJECTOR;
        assert!(digit_px >= 15.0, "{digit_px}");
    }
    assert!(picture(&harness).contains("Vertex 0"));
}

#[test]
fn cells_beside_a_large_picture_are_folded_until_they_are_pressed() {
    let mut harness = presented("bindpose://debugging/which-one-is-it");
    let share = |harness: &mut Harness<'_, Page>| {
        harness.state_mut().shell().placed().picture_share().expect("a picture")
    };
    assert!(share(&mut harness) >= 0.45);
    harness.click_role(Role::Button, "Show the weights");
    assert!(harness.query_by_role_and_label(Role::Button, "Show the weights").is_none());
    assert!(share(&mut harness) < 0.45, "the cells are beside a smaller picture");
    harness.click_role(Role::Button, "Fold flank");
    assert!(share(&mut harness) >= 0.45);
    harness.get_by_role_and_label(Role::Button, "Show the weights");
}

#[test]
fn a_number_that_is_typed_in_a_matrix_has_room() {
    let mut harness = page("bindpose://bind-pose/edit-it-yourself", [1280.0, 720.0]);
    let name = "joint 1 from bind, row 2, column 4";
    let cell = harness.get_by_role_and_label(Role::SpinButton, name);
    let before = cell.rect();
    cell.click();
    harness.run();
    let field = harness.get_by_role(Role::TextInput).rect();
    assert!(field.width() > before.width(), "{field} for {before}");
    assert!((field.center().y - before.center().y).abs() < 1.0, "{field} {before}");
    assert!(field.height() >= before.height());
}

#[test]
fn the_list_of_keys_fits_a_projector() {
    for size in [[1280.0, 720.0], PRESENTED, [640.0, 400.0]] {
        let mut harness = page("bindpose://bind-pose", size);
        harness.press(Key::F1);
        let window = harness.get_by_role_and_label(Role::Window, "Keys").rect();
        let page = Rect::from_min_size(eframe::egui::Pos2::ZERO, size.into());
        assert!(page.contains_rect(window), "{window} in {size:?}");
        harness.hover_at(window.center());
        for _ in 0..40 {
            harness.event(eframe::egui::Event::MouseWheel {
                unit: eframe::egui::MouseWheelUnit::Point,
                delta: vec2(0.0, -200.0),
                phase: eframe::egui::TouchPhase::Move,
                source: eframe::egui::MouseWheelSource::Wheel,
                modifiers: Modifiers::NONE,
            });
            harness.run();
        }
        let last = harness.get_by_label_contains("Leave one thing: ").rect();
        assert!(window.contains_rect(last), "{last} in {window}");
    }
}

#[test]
fn the_teachers_window_has_the_notes_of_the_step_in_sight_and_the_minutes() {
    let mut harness = page("bindpose://bind-pose", [1440.0, 900.0]);
    harness.press_with(Modifiers::COMMAND, Key::N);
    harness.get_by_label_contains("Say nothing; let the class laugh");
    harness.get_by_label("Step 1 of 14 · 0 of 2 min here");
    harness.get_by_label("0 of 30 min");
    harness.get_by_label("Next: A head on a neck (2 min)");
    // The page behind has buttons of the same names. Those of the window come last.
    let next = harness.get_all_by_role_and_label(Role::Button, "Next");
    next.last().expect("a button").click();
    harness.run();
    harness.get_by_label("Step 2 of 14 · 0 of 2 min here");
    harness.get_by_label_contains("Where is the number 2 written down?");
    assert!(harness.query_by_label_contains("Say nothing; let the class laugh").is_none());
    // With a single window, which is projected, notes are hidden.
    harness.press(Key::F5);
    assert!(harness.query_by_label("0 of 30 min").is_none());
    harness.press(Key::F5);
    harness.get_by_label("0 of 30 min");
}

#[test]
fn a_key_shows_the_task_alone_in_large_type() {
    let mut harness = presented("bindpose://bind-pose/guess-where-it-goes");
    let type_size = harness.ctx.zoom_factor();
    harness.press(Key::Y);
    assert!(has(&harness, "Guess first") && picture(&harness).is_empty());
    assert!(harness.ctx.zoom_factor() > 1.4 * type_size);
    let x = harness.get_by_role_and_label(Role::SpinButton, "x of the guess for v0");
    x.focus();
    harness.run();
    harness.press(Key::ArrowRight);
    harness.get_by_role_and_label(Role::Button, "Reveal").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Guess again");
    harness.press(Key::Escape);
    assert!(!picture(&harness).is_empty(), "Escape puts the page back");
    harness.press(Key::Y);
    assert!(picture(&harness).is_empty());
    harness.press(Key::Y);
    assert!(!picture(&harness).is_empty(), "so does the key");
    assert_eq!(harness.ctx.zoom_factor(), type_size);
}

#[test]
fn questions_exercises_and_diagnoses_are_answered_alone() {
    let mut harness = presented("bindpose://bind-pose/something-is-wrong");
    harness.press(Key::Y);
    harness.get_by_label("About two units").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Answer").click();
    harness.run();
    assert!(has(&harness, "Two, and the joint is two above the floor."));

    let mut harness = presented("bindpose://bind-pose/lift-the-chin");
    harness.press(Key::Y);
    assert!(picture(&harness).is_empty());
    harness.get_by_role_and_label(Role::Table, "joint 1 from bind");

    let mut harness = presented("bindpose://debugging/which-one-is-it");
    harness.get_by_role_and_label(Role::Button, "Task").click();
    harness.run();
    assert!(has(&harness, "One of these is on. Which?") && picture(&harness).is_empty());
    harness.press(Key::Escape);
    assert!(!has(&harness, "Esc leads back to the page"));
    assert!(has(&harness, "Spotlight"), "still presenting");
}
