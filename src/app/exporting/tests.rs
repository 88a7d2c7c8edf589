//! Tests of the menu, found by role and label, and of the exported files.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::accesskit::Role;
use eframe::egui::{self, Color32, ColorImage, Key, Modifiers, Pos2, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::{screenshot_png, *};
use crate::app::testing::{self, Page};

fn page(size: [f32; 2]) -> Harness<'static, Page> {
    testing::page(size, Vec::new())
}

#[test]
fn menu_opens_by_key_and_closes() {
    let mut harness = page([1280.0, 800.0]);
    harness.press_with(Modifiers::COMMAND, Key::E);
    assert!(harness.query_by_label("Skinned vertices").is_some());
    let picture = harness.get_by_label("Picture of the model");
    assert!(picture.accesskit_node().is_disabled(), "without GL there is none");
    harness.click_label("Posed mesh");
    harness.get_by_role_and_label(Role::RadioButton, "OBJ").click_accesskit();
    harness.run();
    assert!(harness.query_by_label_contains("-posed.obj").is_some());
    harness.press(Key::Escape);
    assert!(harness.query_by_label("Posed mesh").is_none());
}

#[test]
fn save_button_is_visible_in_every_window() {
    for size in [[1376.0, 830.0], [460.0, 800.0], [420.0, 360.0]] {
        let mut harness = page(size);
        harness.press_with(Modifiers::COMMAND, Key::E);
        harness.get_by_label("Joint matrices").click_accesskit();
        harness.run();
        let inside = harness.get_by_role(Role::Window).rect();
        let button = harness.get_by_role_and_label(Role::Button, "Save…").rect();
        let page = Rect::from_min_size(Pos2::ZERO, egui::Vec2::from(size));
        assert!(page.contains_rect(button), "{size:?}: {button}");
        assert!(inside.contains_rect(button), "{size:?}: {button} in {inside}");
        if size[1] > 700.0 {
            // A high window hides nothing.
            let csv = harness.get_by_role_and_label(Role::RadioButton, "CSV");
            assert!(inside.contains_rect(csv.rect()), "{size:?}");
        }
    }
}

#[test]
fn menu_fits_into_a_narrow_window() {
    let mut harness = page([400.0, 420.0]);
    harness.press_with(Modifiers::COMMAND, Key::E);
    for label in ["Picture of the page", "Joint matrices"] {
        let rect = harness.get_by_label(label).rect();
        assert!(rect.left() >= 0.0 && rect.right() <= 400.0, "{label}: {rect}");
    }
}

fn decode_png(bytes: &[u8]) -> RgbaImage {
    image::load_from_memory(bytes).unwrap().to_rgba8()
}

#[test]
fn screenshot_is_cropped_at_any_scale() {
    let mut screen = ColorImage::filled([40, 30], Color32::WHITE);
    screen.pixels[6 * 40 + 4] = Color32::RED;
    let rect = Rect::from_min_max(Pos2::new(2.0, 3.0), Pos2::new(10.0, 8.0));
    let part = decode_png(&screenshot_png(&screen, Some(rect), 2.0).unwrap());
    assert_eq!(part.dimensions(), (16, 10));
    assert_eq!(part.get_pixel(0, 0).0, [255, 0, 0, 255]);
    assert_eq!(part.get_pixel(1, 0).0, [255; 4]);
    let whole = decode_png(&screenshot_png(&screen, None, 2.0).unwrap());
    assert_eq!(whole.dimensions(), (40, 30));
    let outside = rect.translate(egui::vec2(100.0, 0.0));
    assert!(screenshot_png(&screen, Some(outside), 1.0).is_err());
}

#[test]
fn work_is_exported_as_its_own_file() {
    let mut harness = page([1280.0, 800.0]);
    harness.press_with(Modifiers::COMMAND, Key::E);
    harness.click_label("Your work");
    harness.get_by_label("bindpose-work.json");
    assert!(harness.query_by_label_contains("in another browser or on another computer").is_some());
}

#[test]
fn days_since_1970_are_formatted_as_dates() {
    for (day, expected) in [
        (0, "1970-01-01"),
        (58, "1970-02-28"),
        (59, "1970-03-01"),
        (364, "1970-12-31"),
        (789, "1972-02-29"),
        (11_016, "2000-02-29"),
        (20_779, "2026-11-22"),
        (47_541, "2100-03-01"),
    ] {
        assert_eq!(format_date(day), expected, "{day}");
    }
    assert!(today().is_some_and(|today| today.len() == 10));
}
