use bindpose_skin::JointIndex;

use super::*;
use crate::cells::testing::{Page, harness};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::accesskit::{Action, ActionData, ActionRequest, Role, TreeId};
use eframe::egui::{Event, Key};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable};

fn bytes_harness(semantic: &str, vertex: u32) -> Harness<'static, Page> {
    let mut page = Page::new("simple_skin_file");
    page.document.state.vertex = vertex;
    page.document.state.joint = JointIndex(1);
    let cell = BytesCell { of: Some(semantic.to_owned()), faults: true, ..BytesCell::default() };
    let mut harness = harness(page, move |view, page| ui(view, &cell, "b", page));
    harness.set_size(vec2(700.0, 900.0));
    harness.run();
    harness
}

#[test]
fn json_bytes_and_offset_sum_are_shown() {
    let harness = bytes_harness("WEIGHTS_0", 6);
    harness.get_by_label("componentType 5126 float");
    harness.get_by_label("byteStride 16");
    harness.get_by_label("byteOffset 160");
    harness.get_by_label("uri simple_skin.bin");
    harness.get_by_label("element 6: 120 + 160 + 6 × 16 = byte 376");
    harness.get_by_label("vertex");
    harness.get_by_label_contains("byte 376: 00, number 0 of element 6");
}

#[test]
fn element_is_visible_for_any_number_of_bytes_per_row() {
    let mut harness = bytes_harness("WEIGHTS_0", 6);
    harness.set_size(vec2(330.0, 900.0));
    harness.run();
    harness.get_by_label_contains("byte 376: 00, number 0 of element 6");
}

#[test]
fn typed_digits_shift_in_from_the_right() {
    let mut harness = bytes_harness("POSITION", 6);
    harness.click_label_containing("byte 74: 00");
    harness.event(Event::Text("8".to_owned()));
    harness.event(Event::Text("0".to_owned()));
    harness.run();
    assert_eq!(harness.state().document.state.bytes.runs(), [(0, 74, vec![0x80])]);
    harness.get_by_label_contains("byte 74: 80, number 0 of element 6, changed from 00");
    harness.get_by_label("1 byte changed");
    harness.press(Key::Backspace);
    assert!(harness.state().document.state.bytes.is_empty());
    harness.press(Key::ArrowRight);
    harness.event(Event::Text("c".to_owned()));
    harness.run();
    let changed = harness.state().document.state.bytes.runs();
    assert_eq!(changed, [(0, 75, vec![0xfc])], "the digit shifted in from the right");
}

#[test]
fn changed_number_is_written_and_clicked_byte_selects_its_vertex() {
    let mut harness = bytes_harness("POSITION", 6);
    harness.get_by_role_and_label(Role::SpinButton, "x of element 6").focus();
    harness.run();
    harness.press(Key::ArrowRight);
    let runs = harness.state().document.state.bytes.runs();
    let (buffer, offset, _) = &runs[0];
    assert_eq!((*buffer, *offset), (0, 72));
    harness.click_label_containing("byte 84: 00, of element 7");
    assert_eq!(harness.state().document.state.vertex, 7);
}

#[test]
fn unreadable_file_shows_its_error_and_can_be_restored() {
    let mut harness = bytes_harness("POSITION", 0);
    harness.state_mut().document.state.bytes.put(0, 2, 0xC0);
    harness.state_mut().document.state.bytes.put(0, 3, 0x7F);
    harness.run();
    harness.get_by_label_contains("The file no longer opens");
    harness.get_by_label_contains("/accessors/0: expected finite numbers");
    harness.click_label("Put the stored bytes back");
    assert!(harness.state().document.state.bytes.is_empty());
    assert!(harness.query_by_label_contains("no longer opens").is_none());
}

#[test]
fn ignored_stride_moves_the_element() {
    let mut harness = bytes_harness("JOINTS_0", 3);
    harness.get_by_label("element 3: 120 + 0 + 3 × 16 = byte 168");
    harness.click_label("byteStride ignored");
    assert_eq!(harness.state().document.state.reading, FileReading::StrideIgnored);
    harness.get_by_label("element 3: 120 + 0 + 3 × 8 = byte 144");
    harness.get_by_label_contains("byteStride 16, ignored");
}

#[test]
fn inverse_bind_matrix_and_glb_chunks_are_shown() {
    let matrix = bytes_harness("inverse-bind", 0);
    matrix.get_by_label("joint");
    matrix.get_by_label("element 1: 540 + 0 + 1 × 64 = byte 604");
    matrix.get_by_role_and_label(Role::SpinButton, "r1 c3 of element 1");

    let mut glb = harness(Page::new("whale"), |view, page| {
        ui(view, &BytesCell::default(), "b", page);
    });
    glb.run();
    glb.get_by_label_contains("header, 12 bytes: glTF, 2, ");
    glb.get_by_label_contains("chunk BIN, from ");
}

#[test]
fn cell_fits_into_a_narrow_column() {
    for width in [300.0, 460.0, 690.0] {
        let mut harness = harness(Page::new("simple_skin_file"), move |view, page| {
            view.set_max_width(width);
            ui(view, &BytesCell::default(), "b", page);
            let used = view.min_rect().width();
            assert!(used <= width + 0.5, "{used} of {width}");
        });
        harness.set_size(vec2(width + 16.0, 1100.0));
        harness.run();
        harness.get_by_label_contains("byte 0: 00");
    }
}

#[test]
fn screen_readers_read_and_write_a_byte() {
    let mut harness = bytes_harness("WEIGHTS_0", 6);
    let byte = harness.get_by_label_contains("byte 376: 00, number 0");
    let node = byte.accesskit_node();
    assert_eq!(node.data().value(), Some("00"));
    let (target_node, _) = node.locate();
    harness.event(Event::AccessKitActionRequest(ActionRequest {
        action: Action::SetValue,
        target_tree: TreeId::ROOT,
        target_node,
        data: Some(ActionData::Value("3f".into())),
    }));
    harness.run();
    harness.get_by_label_contains("byte 376: 3f, number 0");
    let runs = harness.state().document.state.bytes.runs();
    assert_eq!(runs, [(0, 376, vec![0x3F])]);
}

#[test]
fn normalized_bytes_can_be_read_as_integers() {
    let mut page = Page::new("simple_skin_file");
    page.document.state.file = bindpose_lesson::FileVariant::ByteWeights;
    page.document.state.vertex = 6;
    let cell = BytesCell { of: Some("WEIGHTS_0".to_owned()), faults: true, ..BytesCell::default() };
    let mut harness = harness(page, move |view, page| ui(view, &cell, "b", page));
    harness.set_size(vec2(700.0, 900.0));
    harness.run();
    harness.get_by_label_contains("element 6: 200 + 0 + 6 × 4 = byte 224");
    let label = "lane 1 of element 6";
    let number = harness.get_by_role_and_label(Role::SpinButton, label).value();
    assert_eq!(number.as_deref(), Some("0.749"));
    harness.click_label("normalized ignored");
    assert_eq!(harness.state().document.state.reading, FileReading::NormalizedIgnored);
    let number = harness.get_by_role_and_label(Role::SpinButton, label).value();
    assert_eq!(number.as_deref(), Some("191"));
    harness.get_by_label_contains("normalized true, ignored");
}
