//! Operates the page by roles and labels of the accessibility tree, without a GPU.

#[path = "ui/bench.rs"]
mod bench;
#[path = "ui/inventory.rs"]
mod inventory;
#[path = "ui/keys.rs"]
mod keys;
#[path = "ui/marks.rs"]
mod marks;
#[path = "common/page.rs"]
mod page;
#[path = "ui/phone.rs"]
mod phone;
#[path = "ui/presenter.rs"]
mod presenter;
#[path = "ui/progress.rs"]
mod progress;
#[path = "ui/search.rs"]
mod search;
#[path = "ui/shelf.rs"]
mod shelf;
#[path = "ui/steps.rs"]
mod steps;
#[path = "ui/touch.rs"]
mod touch;

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, Key, Modifiers, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
use egui_kittest::kittest::Queryable as _;

use bindpose_lesson::LessonSet;
use page::Page;

fn page(link: &str, size: [f32; 2]) -> Harness<'static, Page> {
    let window = Harness::builder().with_size(size);
    let mut harness = page::open(window, None, LessonSet::embedded(), 1.0);
    harness.state_mut().shell().open_link(link).expect("a page");
    harness.run();
    harness
}

fn nod_rad(harness: &mut Harness<'_, Page>) -> f64 {
    let document = harness.state_mut().shell().notebook().document().clone();
    document.state.params.get("nod").copied().unwrap_or(0.0)
}

/// Returns the index of the step on the page.
fn step(harness: &mut Harness<'_, Page>) -> usize {
    harness.state_mut().shell().notebook().document().step
}

/// Returns the description of a button in the bar.
fn hint(harness: &Harness<'_, Page>, button: &str) -> String {
    let button = harness.get_by_role_and_label(Role::Button, button);
    button.accesskit_node().description().unwrap_or_default()
}

#[test]
fn the_licences_are_reached_from_the_list_of_keys_and_put_away_by_escape() {
    let mut harness = page("bindpose://bind-pose", [1440.0, 1100.0]);
    let heading = "Notices for what Bindpose is made of";
    harness.press(Key::F1);
    assert!(harness.query_by_label(heading).is_none());
    harness.click_role(Role::Link, "Licences");
    harness.get_by_label(heading);
    harness.press(Key::Escape);
    assert!(harness.query_by_label(heading).is_none());
}

/// Returns the lesson slug and title of every step, in order.
fn steps_in_order() -> Vec<(String, String)> {
    let lessons = LessonSet::embedded().lessons.into_iter();
    let steps = lessons.flat_map(|lesson| {
        let titles = lesson.steps.into_iter().map(|step| step.title);
        titles.map(move |title| (lesson.slug.clone(), title))
    });
    steps.collect()
}

/// Checks that a page has no visible problems.
fn assert_page_opens(harness: &Harness<'_, Page>, title: &str, width: f32) {
    assert!(
        harness.query_all_by_label(title).next().is_some(),
        "{width}: “{title}” is not called so"
    );
    for node in harness.root().children_recursive() {
        let node = node.accesskit_node();
        let words = node.label().or_else(|| node.value());
        let told = format!("{width}: “{title}”: {:?} {words:?}", node.role());
        assert_ne!(node.role(), Role::Alert, "{told}");
        // In a narrow window listings and wide tables scroll horizontally.
        let may_scroll = matches!(node.role(), Role::Label | Role::TextRun | Role::SpinButton);
        let Some(place) = node.bounding_box().filter(|_| width > 500.0 || !may_scroll) else {
            continue;
        };
        let (left, right) = (place.x0 as f32, place.x1 as f32);
        assert!(left > -1.0 && right < width + 1.0, "{told}: {left} to {right}");
    }
}

/// Opens every step of every lesson at sizes from that of a phone down to zero.
#[test]
fn every_step_opens_at_every_size() {
    let steps = steps_in_order();
    assert!(steps.len() > 20, "all lessons");
    for size in [[1280.0, 720.0], [800.0, 1000.0], [360.0, 640.0], [10.0, 10.0], [0.0, 0.0]] {
        let mut harness = page("bindpose://what-skinning-is", size);
        for (lesson, title) in &steps {
            let notebook = harness.state_mut().shell().notebook();
            let step = notebook.step().expect("a step");
            assert_eq!((&notebook.lesson().slug, &step.title), (lesson, title));
            if size[0] > 100.0 {
                assert_page_opens(&harness, title, size[0]);
            }
            harness.press(Key::ArrowRight);
        }
    }
}

#[test]
fn dragging_a_slider_changes_everything_at_once_and_one_undo_brings_it_back() {
    let mut harness = page("bindpose://bind-pose/and-carry-it-back", [1440.0, 900.0]);
    let before = harness.state_mut().shell().notebook().document().clone();
    let slider = harness.get_by_role_and_label(Role::Slider, "nod");
    let from = slider.rect().center();
    harness.hover_at(from);
    harness.drag_at(from);
    for step in 1..=5 {
        harness.hover_at(from + egui::vec2(-12.0 * step as f32, 0.0));
        harness.step();
    }
    harness.drop_at(from + egui::vec2(-60.0, 0.0));
    harness.run();
    let turned_rad = nod_rad(&mut harness);
    assert!((turned_rad - 30_f64.to_radians()).abs() > 0.1, "it moved: {turned_rad}");

    // The number in the prose equals that of the document.
    let degrees = format!("{:.0}°", turned_rad.to_degrees()).replace('-', "−");
    assert!(
        harness.query_all_by_value(&degrees).count()
            + harness.query_all_by_label_contains(&degrees).count()
            > 0,
        "the prose says {degrees}"
    );
    assert_eq!(hint(&harness, "Undo"), "Undo: nod (Ctrl+Z)");
    harness.press_with(Modifiers::COMMAND, Key::Z);
    let after = harness.state_mut().shell().notebook().document().clone();
    assert_eq!(after, before, "one step of undo for the whole drag");
    harness.get_by_label("Undo: nod");
    assert_eq!(hint(&harness, "Redo"), "Redo: nod (Ctrl+Y)");
    harness.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(nod_rad(&mut harness), turned_rad);
    harness.get_by_label("Redo: nod");
    assert!(harness.query_by_label("Undo: nod").is_none(), "one answer at a time");
}

#[test]
fn the_copied_link_reproduces_the_page_in_a_new_notebook() {
    let mut harness = page("bindpose://bind-pose/take-it-out-first", [1440.0, 900.0]);
    harness.click_role(Role::RadioButton, "subtract");
    harness.get_by_role_and_label(Role::Button, "Link").click();
    harness.step();
    let copied =
        harness.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
    let link = copied.expect("the link is on the clipboard");
    let document = harness.state_mut().shell().notebook().document().clone();
    assert_eq!(document.state.inverse_bind, bindpose_skin::InverseBind::Subtract);

    let mut other = page("bindpose://bone-grid", [1440.0, 900.0]);
    other.state_mut().shell().open_link(&link).unwrap();
    other.run();
    assert_eq!(*other.state_mut().shell().notebook().document(), document, "{link}");
}

#[test]
fn keys_turn_pages_and_present_and_never_steal_from_a_slider() {
    let mut harness = page("bindpose://bind-pose/and-carry-it-back?nod=0", [1440.0, 900.0]);
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 5);
    harness.press(Key::PageUp);
    assert_eq!(step(&mut harness), 4);
    harness.press(Key::F5);
    assert!(harness.query_by_role_and_label(Role::ListItem, "40  The 2D bone grid").is_none());
    harness.press(Key::Escape);
    assert!(harness.query_by_role_and_label(Role::ListItem, "40  The 2D bone grid").is_some());

    harness.get_by_role_and_label(Role::Slider, "nod").focus();
    harness.run();
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 4, "the arrow belongs to the slider");
    assert!((nod_rad(&mut harness) - 1_f64.to_radians()).abs() < 1e-9);
}

#[test]
fn a_lesson_of_the_list_opens_at_its_start() {
    let mut harness = page("bindpose://bind-pose", [1440.0, 900.0]);
    harness.click_role(Role::ListItem, "40  The 2D bone grid");
    let document = harness.state_mut().shell().notebook().document().clone();
    assert_eq!((document.lesson.as_str(), document.step), ("bone-grid", 0));
    harness.press_with(Modifiers::COMMAND, Key::Z);
    let document = harness.state_mut().shell().notebook().document().clone();
    assert_eq!(document.lesson, "bone-grid", "opening it is no edit");
}

#[test]
fn nothing_repaints_while_nothing_moves() {
    for lesson in [
        "bind-pose",
        "bone-grid",
        "gltf-joint-matrices",
        "texture-storage",
        "whale",
        "beyond-linear",
    ] {
        let mut harness = page("bindpose://bind-pose", [1280.0, 720.0]);
        harness.state_mut().shell().open_link(&format!("bindpose://{lesson}")).unwrap();
        harness.run();
        harness.step();
        let delay =
            harness.output().viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        assert_eq!(delay, Some(std::time::Duration::MAX), "{lesson}");
    }
}

#[test]
fn motion_stops_where_nothing_can_play_and_when_the_page_turns() {
    let mut harness = page("bindpose://bone-grid/let-it-run", [1440.0, 900.0]);
    let angle = |harness: &mut Harness<'_, Page>| {
        let derived = harness.state_mut().shell().notebook().derived().clone();
        derived.param("b0").unwrap_or_default()
    };
    let start = angle(&mut harness);
    harness.get_by_role_and_label(Role::Button, "Play").click();
    harness.run_steps(8);
    assert_ne!(angle(&mut harness), start, "it moves");
    harness.press(Key::ArrowLeft);
    let there = angle(&mut harness);
    harness.run_steps(4);
    assert_eq!(angle(&mut harness), there, "another page: it stands");

    harness.press(Key::P);
    assert_eq!(angle(&mut harness), there, "nothing to play here, and idle");
}

#[test]
fn a_clip_is_played_stepped_and_looped_by_keys() {
    let mut harness = page("bindpose://time/five-keys", [1440.0, 900.0]);
    let state = |harness: &mut Harness<'_, Page>| {
        let document = harness.state_mut().shell().notebook().document().clone();
        (document.time_secs(), document.state.playback.repeats)
    };
    assert_eq!(state(&mut harness), (0.25, true));
    harness.press(Key::Period);
    let (time_secs, _) = state(&mut harness);
    assert!((time_secs - 8.0 / 30.0).abs() < 1e-9, "{time_secs}");
    harness.press(Key::Comma);
    harness.press(Key::Comma);
    let (time_secs, _) = state(&mut harness);
    assert!((time_secs - 0.2).abs() < 1e-9, "{time_secs}");
    harness.press(Key::L);
    assert!(!state(&mut harness).1);

    harness.key_press(Key::Space);
    harness.run_steps(8);
    let (later, _) = state(&mut harness);
    assert!(later > time_secs, "it plays");
    harness.press(Key::Space);
    let (stopped, _) = state(&mut harness);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(state(&mut harness).0, time_secs, "a play is one step: {stopped}");
}

#[test]
fn a_guess_is_placed_in_the_picture_revealed_and_taken_back() {
    let link = "bindpose://bone-grid/guess-half-of-two-joints";
    let mut harness = page(link, [1440.0, 900.0]);
    let before = harness.state_mut().shell().notebook().document().clone();
    let picture = harness.query_all_by_role(Role::Image).next().expect("a viewport").rect();
    let guess = |harness: &mut Harness<'_, Page>| {
        let document = harness.state_mut().shell().notebook().document().clone();
        document.state.predictions.get("half").cloned()
    };
    let click = |harness: &mut Harness<'_, Page>, at: egui::Pos2| {
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run();
    };
    click(&mut harness, picture.center());
    let first = guess(&mut harness).expect("a click places the guess");
    assert_eq!(first.position_in_world[2], 0.0, "in the plane of the grid");
    click(&mut harness, picture.center() + egui::vec2(60.0, -60.0));
    let second = guess(&mut harness).expect("and moves it");
    assert!(second.position_in_world[0] > first.position_in_world[0] + 0.1);
    assert!(second.position_in_world[1] > first.position_in_world[1] + 0.1);

    // A drag moves the guess and not the camera, here back to its start.
    harness.hover_at(picture.center());
    harness.drag_at(picture.center());
    harness.hover_at(picture.center() + egui::vec2(40.0, 0.0));
    harness.step();
    harness.drop_at(picture.center() + egui::vec2(40.0, 0.0));
    harness.run();
    let third = guess(&mut harness).expect("still there");
    assert!(third.position_in_world[0] > first.position_in_world[0] + 0.1);
    assert!((third.position_in_world[1] - first.position_in_world[1]).abs() < 0.01);

    harness.click_role(Role::Button, "Reveal");
    let document = harness.state_mut().shell().notebook().document().clone();
    assert!(document.state.predictions["half"].revealed);
    assert!((document.state.params["b2"] - 90_f64.to_radians()).abs() < 1e-9);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    let document = harness.state_mut().shell().notebook().document().clone();
    assert_eq!(document.state.params, before.state.params, "one step of undo");
    assert!(!document.state.predictions["half"].revealed);
}

#[test]
fn a_solution_is_shown_and_taken_back() {
    let mut harness = page("bindpose://bone-grid/reach-for-it", [1440.0, 900.0]);
    let before = harness.state_mut().shell().notebook().document().clone();
    assert!(harness.query_by_label("Solved").is_none());
    harness.click_role(Role::Button, "Show the solution");
    harness.get_by_label("Solution shown");
    assert!(harness.query_by_label("Solved").is_none(), "not the reader's");
    harness.click_role(Role::Button, "Back to mine");
    let document = harness.state_mut().shell().notebook().document().clone();
    assert_eq!(document, before);
    assert!(harness.query_by_label("Solution shown").is_none());
}

#[test]
fn a_reset_takes_back_what_was_chosen_in_a_comparison_and_leaves_hints_open() {
    let mut harness = page("bindpose://beyond-linear/the-candy-wrapper", [1440.0, 900.0]);
    harness.click_label_containing("Hint 1 of");
    let follow = |harness: &mut Harness<'_, Page>, link: &str| {
        harness.state_mut().shell().open_link(link).expect("a page");
        harness.run();
    };
    follow(&mut harness, "bindpose://beyond-linear/one-arm-three-ways");
    let is_rigid = |harness: &Harness<'_, Page>| {
        let label = "rigid: choose what is compared";
        harness.query_by_label(label).is_some()
    };
    harness.click_label("rigid: choose what is compared");
    harness.click_role(Role::Button, "linear");
    assert!(!is_rigid(&harness));
    follow(&mut harness, "bindpose://bone-grid");
    follow(&mut harness, "bindpose://beyond-linear/one-arm-three-ways");
    assert!(!is_rigid(&harness), "kept while the reader is elsewhere");
    let shift = Modifiers::COMMAND | Modifiers::SHIFT;
    harness.press_with(shift, Key::R);
    assert!(is_rigid(&harness));
    follow(&mut harness, "bindpose://beyond-linear/the-candy-wrapper");
    assert!(harness.query_by_label_contains("Hint 1.").is_some());
}

const ROUTE: &str = "The bind-pose problem in 45 minutes";

fn title_of_step(harness: &mut Harness<'_, Page>) -> String {
    let notebook = harness.state_mut().shell().notebook();
    notebook.step().expect("a step").title.clone()
}

#[test]
fn a_route_is_chosen_in_the_list_and_left_there() {
    let mut harness = page("bindpose://whale", [1440.0, 2400.0]);
    harness.click_role(Role::ListItem, ROUTE);
    let first = title_of_step(&mut harness);
    let row = format!("{first}\u{a0}·\u{a0}4\u{a0}min");
    harness.get_by_role_and_label(Role::ListItem, &row);
    harness.press(Key::ArrowRight);
    assert_ne!(title_of_step(&mut harness), first);
    let link = harness.state_mut().shell().notebook().link();
    assert!(link.ends_with("?route=bind-pose-45"), "{link}");
    assert_eq!(harness.state_mut().shell().preferences().route.as_deref(), Some("bind-pose-45"));

    harness.click_role(Role::Button, "Leave the route");
    assert!(harness.state_mut().shell().notebook().route().is_none());
    harness.get_by_role_and_label(Role::ListItem, ROUTE);
}
