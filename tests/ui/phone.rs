//! The page on a phone: one column, a low pinned picture, the bench as a sheet, a short bar, and
//! everything else in its menu.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Event, Rect, accesskit::Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::{page, steps_in_order};
use crate::page::Page;

const PHONE: [f32; 2] = [390.0, 844.0];
const TABS: [&str; 4] = ["Angles", "Weights", "Matrices", "Sum"];

fn tabs(harness: &Harness<'_, Page>) -> Rect {
    let places = TABS.map(|tab| harness.get_by_role_and_label(Role::Tab, tab).rect());
    places.into_iter().reduce(Rect::union).expect("four")
}

/// Returns the pinned pictures, which are above the title of the step.
fn pictures(harness: &Harness<'_, Page>, title: f32) -> Option<Rect> {
    let all = harness.query_all_by_role(Role::Image);
    let rects = all.map(|node| node.rect());
    rects.filter(|rect| rect.top() < title).reduce(Rect::union)
}

#[test]
fn picture_prose_and_sheet_share_the_page_and_nothing_lies_over_anything() {
    for size in [PHONE, [320.0, 568.0]] {
        let mut harness = page("bindpose://what-skinning-is", size);
        for (lesson, title) in steps_in_order() {
            let step = harness.state_mut().shell().notebook().step();
            assert_eq!(step.map(|step| &step.title), Some(&title), "{lesson}");
            let heading = harness.query_all_by_label(&title).next();
            let heading = heading.expect("a title").rect();
            let tabs = tabs(&harness);
            let told = format!("{size:?} “{title}”: {heading} {tabs}");
            assert!(heading.left() >= 0.0 && heading.right() <= size[0], "{told}");
            assert!(tabs.left() >= 0.0 && tabs.right() <= size[0], "{told}");
            assert!(tabs.bottom() <= size[1] && tabs.top() > size[1] - 70.0, "{told}");
            assert!(heading.bottom() < tabs.top() - 60.0, "room to read: {told}");
            // If there is less room, compared pictures scroll.
            let pictures = pictures(&harness, heading.top()).filter(|_| size[0] > 380.0);
            if let Some(picture) = pictures {
                let told = format!("{told} {picture}");
                assert!(picture.height() <= 0.4 * size[1], "{told}");
                assert!(picture.top() >= 48.0, "{told}");
                assert!(picture.bottom() <= heading.top(), "{told}");
                assert!(picture.left() >= 0.0 && picture.right() <= size[0], "{told}");
            }
            if harness.query_by_role_and_label(Role::Button, "Next").is_some() {
                harness.click_role(Role::Button, "Next");
            }
        }
    }
}

#[test]
fn everything_in_the_wide_bar_is_in_the_menu_or_the_sheet() {
    let wide = page("bindpose://bind-pose", [1440.0, 900.0]);
    let bar = wide.query_all_by_role(Role::Button);
    let bar = bar.filter(|node| node.rect().bottom() <= 48.0);
    let wanted: Vec<String> = bar
        .filter_map(|node| node.accesskit_node().label())
        .filter(|label| label != "Numbers")
        .collect();
    assert!(wanted.len() >= 11, "{wanted:?}");
    let mut harness = page("bindpose://bind-pose", PHONE);
    harness.click_role(Role::Button, "Contents");
    for label in wanted {
        let found = harness.query_all_by_role_and_label(Role::Button, &label);
        assert!(found.count() > 0, "no “{label}” on a phone");
    }
    harness.click_role(Role::Button, "Theme");
    harness.get_by_role_and_label(Role::Button, "Larger");
    harness.click_role(Role::Button, "Present");
    assert!(harness.state_mut().shell().is_presenting());
    assert!(harness.query_by_role_and_label(Role::Button, "Larger").is_none(), "the menu is gone");
}

#[test]
fn tabs_open_the_sheet_and_close_it_and_the_picture_stays_as_it_is() {
    let mut harness = page("bindpose://bone-grid/half-of-each", PHONE);
    let picture = |harness: &Harness<'_, Page>| pictures(harness, 340.0).expect("a picture");
    let (closed, before) = (tabs(&harness), picture(&harness));
    for tab in TABS {
        harness.click_role(Role::Tab, tab);
        assert_eq!(picture(&harness), before, "{tab}");
        let open = tabs(&harness);
        assert!(open.top() < closed.top() - 60.0, "{tab}: {open}");
        assert!(open.top() > before.bottom(), "{tab}: {open}");
    }
    harness.click_role(Role::Tab, "Sum");
    assert_eq!(tabs(&harness), closed);
    harness.click_role(Role::Button, "open the bench");
    harness.get_by_role_and_label(Role::Button, "close the bench");
    harness.click_role(Role::Tab, "Angles");
    // The step's angles are far down on the page, but the sheet has all of them.
    let sliders = harness.query_all_by_role(Role::Slider);
    let seen = sliders.filter(|slider| slider.rect().top() > tabs(&harness).bottom());
    assert!(seen.count() >= 3);
}

#[test]
fn one_swipe_opens_the_shelf_of_the_step() {
    let mut harness = page("bindpose://what-skinning-is/why-four", PHONE);
    let matrix = "joint matrix of joint 6";
    let has = |harness: &Harness<'_, Page>, label: &str| {
        harness.query_all_by_label_contains(label).next().is_some()
    };
    assert!(!has(&harness, matrix));
    let handle = harness.get_by_role_and_label(Role::Button, "open the bench").rect().center();
    harness.drag_at(handle);
    harness.hover_at(handle - vec2(0.0, 60.0));
    harness.run();
    harness.drop_at(handle - vec2(0.0, 60.0));
    harness.run();
    assert!(has(&harness, matrix), "its matrix");
    let sliders: Vec<Rect> = harness.query_all_by_role(Role::Slider).map(|it| it.rect()).collect();
    let room = tabs(&harness).bottom()..=PHONE[1];
    let below_tabs = sliders.iter().filter(|slider| room.contains(&slider.top()));
    assert!(below_tabs.count() >= 2, "an angle and a border between weights: {sliders:?}");
    harness.click_role(Role::Tab, "Angles");
    assert!(!has(&harness, matrix));
}

/// Rotates the phone to landscape and back.
#[test]
fn a_phone_that_is_turned_keeps_step_view_and_the_line_that_is_read() {
    let mut harness = page("bindpose://bone-grid/what-blending-costs", PHONE);
    let line = "What blending costs";
    let at = eframe::egui::pos2(200.0, 600.0);
    harness.hover_at(at);
    harness.event(Event::MouseWheel {
        unit: eframe::egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -90.0),
        modifiers: eframe::egui::Modifiers::NONE,
        phase: eframe::egui::TouchPhase::Move,
        source: eframe::egui::MouseWheelSource::Unknown,
    });
    harness.run();
    harness.hover_at(eframe::egui::pos2(200.0, 200.0));
    harness.drag_at(eframe::egui::pos2(200.0, 200.0));
    harness.hover_at(eframe::egui::pos2(240.0, 210.0));
    harness.drop_at(eframe::egui::pos2(240.0, 210.0));
    harness.run();
    let view = |harness: &mut Harness<'_, Page>| harness.state_mut().shell().notebook().link();
    let top = |harness: &Harness<'_, Page>| {
        let mut found = harness.query_all_by_label_contains(line);
        found.next().expect(line).rect().top()
    };
    let (link, read) = (view(&mut harness), top(&harness));
    harness.set_size(vec2(844.0, 390.0));
    harness.run_steps(6);
    assert_eq!(view(&mut harness), link);
    harness.set_size(vec2(0.0, 0.0));
    harness.run_steps(3);
    harness.set_size(PHONE.into());
    harness.run_steps(6);
    assert_eq!(view(&mut harness), link);
    let again = top(&harness);
    assert!((again - read).abs() < 30.0, "{read}, then {again}");
}

#[test]
fn with_text_twice_as_large_the_way_on_and_the_tabs_are_there() {
    let window = Harness::builder().with_size([195.0, 422.0]);
    let set = bindpose_lesson::LessonSet::embedded();
    let mut harness = crate::page::open(window, None, set, 1.0);
    for label in ["Contents", "Back", "Next"] {
        let node = harness.get_by_role_and_label(Role::Button, label).rect();
        assert!(node.left() >= 0.0 && node.right() <= 195.0, "{label}: {node}");
    }
    harness.click_role(Role::Button, "Next");
    harness.click_role(Role::Tab, "Angles");
    let slider = harness.query_all_by_role(Role::Slider).last();
    let slider = slider.expect("in the sheet").rect();
    assert!(slider.width() >= 40.0 && slider.right() <= 195.0, "{slider}");
}

#[test]
fn a_window_at_400_percent_scrolls_with_its_picture_and_has_no_sheet() {
    for size in [[320.0, 256.0], [341.0, 192.0]] {
        let mut harness = page("bindpose://bind-pose/and-carry-it-back", size);
        assert!(harness.query_by_role_and_label(Role::Tab, TABS[0]).is_none(), "no sheet");
        let top = |harness: &Harness<'_, Page>| {
            harness.get_all_by_role(Role::Image).next().expect("a picture").rect().top()
        };
        let before = top(&harness);
        assert!(before > 40.0 && before < size[1], "{before}");
        harness.press(eframe::egui::Key::PageDown);
        assert!(
            top(&harness) < before - 0.3 * size[1],
            "the picture scrolls away: {}",
            top(&harness)
        );
    }
}
