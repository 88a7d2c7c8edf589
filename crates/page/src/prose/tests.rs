//! Tests of prose through accessible names, keyboard and pointer.

mod joints;

use bindpose_kit::theme;
use bindpose_lesson::{Inline, LessonBlock, LessonSet, LinkTarget, LinkWhen, Setting};
use bindpose_notebook::{Edit, Entity, Navigation, PageAddress};
use bindpose_skin::JointIndex;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

use super::program;
use super::sample::{self, Sample, number, text};
use crate::cells::testing::{Page, harness};

type PageHarness = Harness<'static, Sample>;

fn page_of(blocks: Vec<LessonBlock>, size: [f32; 2]) -> PageHarness {
    Harness::builder()
        .with_size(size)
        .with_max_steps(16)
        .with_step_dt(1.0 / 60.0)
        .with_context_setup(|ctx| ctx.set_fonts(theme::fonts()))
        .build_ui_state(|ui, sample: &mut Sample| sample.ui(ui), Sample::new(blocks))
}

fn page_of_inlines(inlines: Vec<Inline>) -> PageHarness {
    page_of(vec![LessonBlock::Paragraph(inlines)], [500.0, 300.0])
}

fn drag(page: &mut PageHarness, from: Pos2, points: f32) {
    page.drag_at(from);
    page.step();
    for part in 1..=4 {
        page.hover_at(from + vec2(points * part as f32 / 4.0, 0.0));
        page.step();
        page.state_mut().apply();
    }
    page.drop_at(from + vec2(points, 0.0));
    page.step();
}

fn param_value(page: &PageHarness, name: &str) -> f64 {
    page.state().derived.param(name).expect("a parameter")
}

fn focus(page: &mut PageHarness, role: Role) {
    page.get_by_role(role).focus();
    page.run();
}

#[test]
fn every_block_fits_any_width_from_120_points() {
    for width in [120.0, 300.0, 500.0, 900.0] {
        let mut page = page_of(sample::every_kind_of_block(), [width + 16.0, 4000.0]);
        page.run();
        let labels = page.get_all_by_role(Role::Label).map(|node| node.rect());
        let widest = labels.map(|rect| rect.right()).fold(0.0, f32::max);
        assert!(widest > 100.0);
        for role in [Role::SpinButton, Role::Link, Role::Button, Role::Heading] {
            for node in page.get_all_by_role(role) {
                let right = node.rect().right();
                assert!(right <= width + 16.0, "{role:?} ends at {right} of {width}");
            }
        }
    }
}

#[test]
fn a_page_without_room_does_not_panic() {
    for size in [[0.0, 0.0], [1.0, 1.0], [20.0, 500.0]] {
        page_of(sample::every_kind_of_block(), size).run();
    }
}

#[test]
fn dragging_a_number_changes_its_parameter_by_the_last_digit_per_point() {
    let mut page = page_of_inlines(vec![text("By "), number("amplitude", 2, ""), text(".")]);
    let at = page.get_by_label("amplitude").rect().center();
    drag(&mut page, at, 20.0);
    assert!((param_value(&page, "amplitude") - 1.0).abs() < 1e-9);
    drag(&mut page, at, 4000.0);
    assert_eq!(param_value(&page, "amplitude"), 1.5, "the range ends the drag");
}

#[test]
fn an_angle_is_dragged_in_degrees_and_all_means_every_joint() {
    let mut page = page_of_inlines(vec![number("all", 0, "°")]);
    let at = page.get_by_label("all joints").rect().center();
    page.drag_at(at);
    page.step();
    page.hover_at(at + vec2(30.0, 0.0));
    page.step();
    let Some((name, angle_rad)) = page.state().requests.edits.last().and_then(Edit::as_param)
    else {
        panic!("no edit");
    };
    assert_eq!(name, "all");
    assert!((angle_rad - 30_f64.to_radians()).abs() < 1e-9);
}

#[test]
fn shift_drags_ten_times_finer() {
    let mut page = page_of_inlines(vec![number("amplitude", 1, "")]);
    let at = page.get_by_label("amplitude").rect().center();
    page.drag_at(at);
    page.step();
    page.event_modifiers(Event::PointerMoved(at + vec2(8.0, 0.0)), Modifiers::SHIFT);
    page.step();
    let edits = page.state_mut().apply();
    assert_eq!(edits, [Edit::param("amplitude", 0.88)]);
}

#[test]
fn arrow_keys_step_the_last_digit_of_the_number_that_has_the_focus() {
    let mut page = page_of_inlines(vec![number("amplitude", 2, "")]);
    focus(&mut page, Role::SpinButton);
    for (key, expected) in [(Key::ArrowRight, 0.81), (Key::ArrowUp, 0.82), (Key::ArrowLeft, 0.81)] {
        page.press(key);
        page.state_mut().apply();
        assert_eq!(param_value(&page, "amplitude"), expected);
    }
    page.press(Key::Delete);
    assert_eq!(page.state_mut().apply(), [Edit::reset_param("amplitude")]);
}

fn type_and_press(page: &mut PageHarness, text: &str, key: Key) -> Vec<Edit> {
    page.get_by_role(Role::TextInput).type_text(text);
    page.run();
    page.press(key);
    let edits = page.state_mut().apply();
    page.run();
    edits
}

#[test]
fn a_click_lets_one_type_a_value_with_a_unit_beyond_the_range() {
    let mut page = page_of_inlines(vec![number("nod", 0, "°")]);
    page.click_label("nod");
    let edits = type_and_press(&mut page, "−90°", Key::Enter);
    let [Some((name, angle_rad))] = edits.iter().map(Edit::as_param).collect::<Vec<_>>()[..] else {
        panic!("{edits:?}");
    };
    assert_eq!(name, "nod");
    assert!((angle_rad + std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    assert!(page.query_by_role(Role::TextInput).is_none(), "the field is gone");
    let focused = page.get_by_label("nod").is_focused();
    assert!(!focused, "after a click, arrows are the page's again");
    assert_eq!(page.get_by_label("nod").value().as_deref(), Some("−90°"));
}

#[test]
fn enter_opens_the_field_escape_leaves_it_and_nonsense_is_refused() {
    let mut page = page_of_inlines(vec![number("nod", 0, "°")]);
    focus(&mut page, Role::SpinButton);
    page.press(Key::Enter);
    assert_eq!(type_and_press(&mut page, "NaN", Key::Enter), []);
    assert!(page.query_by_role(Role::TextInput).is_some(), "still open");
    assert_eq!(type_and_press(&mut page, "45", Key::Escape), []);
    assert!(page.query_by_role(Role::TextInput).is_none());
}

#[test]
fn a_double_click_resets() {
    let mut page = page_of_inlines(vec![number("nod", 0, "°")]);
    let pos = page.get_by_label("nod").rect().center();
    page.event(Event::PointerMoved(pos));
    page.step();
    for pressed in [true, false, true, false] {
        page.event(Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        page.step();
    }
    page.run();
    assert_eq!(page.state_mut().apply(), [Edit::reset_param("nod")]);
    assert!(page.query_by_role(Role::TextInput).is_none());
}

#[test]
fn links_are_found_by_their_text_and_work() {
    let mut page = page_of(sample::every_kind_of_block(), [600.0, 4000.0]);
    let clicks = [
        ("joint 1", Edit::set(Setting::Joint(JointIndex(1).into()))),
        ("v1", Edit::set(Setting::Vertex(1))),
    ];
    for (label, edit) in clicks {
        page.click_role(Role::Link, label);
        assert_eq!(page.state_mut().apply(), [edit]);
    }
    page.click_role(Role::Link, "Lesson 80");
    let go = Navigation::Go(PageAddress::lesson("texture-storage"));
    assert_eq!(page.state().requests.navigation, [go]);
    page.click_role(Role::Button, "leave it out");
    assert!(matches!(page.state_mut().apply()[..], [Edit::Settings(_)]));
}

#[test]
fn the_keyboard_reaches_a_link_and_follows_it() {
    let mut page =
        page_of_inlines(vec![sample::link("joint 1", LinkTarget::Joint(JointIndex(1).into()))]);
    focus(&mut page, Role::Link);
    page.press(Key::Enter);
    assert_eq!(page.state_mut().apply(), [Edit::set(Setting::Joint(JointIndex(1).into()))]);
}

#[test]
fn a_link_whose_settings_hold_is_selected() {
    let mut page = page_of_inlines(vec![sample::leave_out_link()]);
    let before = page.get_by_role(Role::Button).accesskit_node().toggled();
    page.state_mut().document.state.inverse_bind = bindpose_skin::InverseBind::LeftOut;
    page.run();
    let after = page.get_by_role(Role::Button).accesskit_node().toggled();
    assert_ne!(before, after);
}

#[test]
fn a_term_is_explained_while_it_has_the_focus() {
    let term = LinkTarget::Term("inverse-bind-matrix".to_owned());
    let mut page = page_of_inlines(vec![sample::link("inverse bind matrix", term)]);
    focus(&mut page, Role::Link);
    page.run();
    assert!(page.query_by_label_contains("glTF stores one a joint").is_some());
}

#[test]
fn a_link_that_wraps_can_be_clicked_in_every_row() {
    let text = "a link of so many words that it has to go on in the next row of the page";
    let target = LinkTarget::Joint(JointIndex(0).into());
    let mut page =
        page_of(vec![LessonBlock::Paragraph(vec![sample::link(text, target)])], [260.0, 200.0]);
    let rect = page.get_by_role(Role::Link).rect();
    assert!(rect.height() > 40.0, "it wraps: {rect}");
    for at in [rect.left_top() + vec2(20.0, 8.0), rect.left_bottom() + vec2(20.0, -8.0)] {
        page.hover_at(at);
        page.step();
        page.drag_at(at);
        page.step();
        page.drop_at(at);
        page.run();
        assert_eq!(
            page.state_mut().apply(),
            [Edit::set(Setting::Joint(JointIndex(0).into()))],
            "at {at}"
        );
    }
}

#[test]
fn a_broken_block_shows_its_place_and_help() {
    let page = page_of(vec![LessonBlock::Broken(0), LessonBlock::Broken(7)], [500.0, 300.0]);
    for text in ["20-sample/lesson.md:12:3", "write viewport"] {
        assert!(page.query_by_label(text).is_some(), "{text}");
    }
}

#[test]
fn all_text_of_a_row_has_one_baseline() {
    let page = page_of_inlines(vec![
        text("words "),
        Inline::Code("code".to_owned()),
        text(" and "),
        Inline::Math(r"\frac{\sum_i w_i}{2}".to_owned()),
    ]);
    let mut rows = 0;
    for clipped in &page.output().shapes {
        if let egui::Shape::Text(text) = &clipped.shape
            && text.galley.text().starts_with("words")
        {
            for row in &text.galley.rows {
                let baseline = row.glyphs.first().map(|glyph| glyph.pos.y);
                assert!(row.glyphs.iter().all(|glyph| Some(glyph.pos.y) == baseline));
                assert!(row.height() >= 24.0);
                rows += 1;
            }
        }
    }
    assert_eq!(rows, 1);
}

#[test]
fn a_value_in_the_text_follows_the_number_it_depends_on() {
    let expr = bindpose_lesson::Expr::try_from("amplitude * 2".to_owned()).expect("a formula");
    let format = bindpose_lesson::NumberFormat { decimals: 2, ..Default::default() };
    let mut page = page_of_inlines(vec![
        number("amplitude", 1, ""),
        text(" twice is "),
        sample::link("0.00", LinkTarget::Value(expr, format, LinkWhen::Now)),
    ]);
    assert!(page.query_by_label("0.8 twice is 1.60").is_some());
    focus(&mut page, Role::SpinButton);
    page.press(Key::ArrowUp);
    page.state_mut().apply();
    page.run();
    assert!(page.query_by_label("0.9 twice is 1.80").is_some());
}

#[test]
fn a_formula_without_a_value_is_a_dash() {
    let expr = bindpose_lesson::Expr::try_from("x(v99)".to_owned()).expect("a formula");
    let target = LinkTarget::Value(expr, bindpose_lesson::NumberFormat::default(), LinkWhen::Now);
    let page = page_of_inlines(vec![text("at "), sample::link("0", target)]);
    assert!(page.query_by_label("at —").is_some());
}

fn live_value(source: &str, decimals: usize, when: LinkWhen) -> LinkTarget {
    let expr = bindpose_lesson::Expr::try_from(source.to_owned()).expect("a formula");
    let format = bindpose_lesson::NumberFormat { decimals, ..Default::default() };
    LinkTarget::Value(expr, format, when)
}

#[test]
fn a_value_at_the_start_stays_while_the_current_one_follows() {
    let mut page = page_of_inlines(vec![
        number("amplitude", 1, ""),
        text(" was "),
        sample::link("0.8", live_value("amplitude", 1, LinkWhen::AtStart)),
        text(" and is "),
        sample::link("0.8", live_value("amplitude", 1, LinkWhen::Now)),
    ]);
    assert!(page.query_by_label("0.8 was 0.8 and is 0.8").is_some());
    focus(&mut page, Role::SpinButton);
    page.press(Key::ArrowUp);
    page.state_mut().apply();
    page.run();
    assert!(page.query_by_label("0.9 was 0.8 and is 0.9").is_some());
}

#[test]
fn pointing_at_a_number_shows_its_formula_and_highlights_its_subject() {
    let mut page =
        page_of_inlines(vec![sample::link("0.00", live_value("x(v1)", 2, LinkWhen::AtStart))]);
    let text_rect = page.get_by_role(Role::Label).rect();
    page.hover_at(text_rect.left_center() + vec2(6.0, 0.0));
    page.run();
    let highlighted = page.state().linked.hovered();
    assert_eq!(highlighted, Some(Entity::Vertex(1)));
    page.run_steps(60);
    assert!(page.query_by_label("x(v1)").is_some());
    assert!(page.query_by_label("at the start of this step").is_some());
}

const SYMBOLS: &str = "## Symbols\n\n| symbol | what it is | type | frame | first seen |\n| --- | --- | --- | --- | --- |\n\
    | $W_j$ | world matrix of joint j | matrix | world_from_joint | [20](lesson:x) |\n\
    | $w_j$ | weight of joint j | number | | [20](lesson:x) |\n";

/// Gives the page a table of symbols.
fn add_symbols(mut page: PageHarness) -> PageHarness {
    page.state_mut().set = bindpose_lesson::LessonSet::from_memory(&[], SYMBOLS);
    page.run();
    page
}

#[test]
fn pointing_at_a_symbol_describes_and_highlights_it() {
    let inline = page_of_inlines(vec![Inline::Math("W_1".to_owned())]);
    let display = page_of(vec![LessonBlock::Math("W_1".to_owned())], [500.0, 300.0]);
    for page in [inline, display] {
        let mut page = add_symbols(page);
        let formula_rect = page.get_by_label("W sub 1").rect();
        // A paragraph is as wide as its column, a formula of its own is not.
        let offset = if formula_rect.width() > 100.0 { 8.0 } else { formula_rect.width() / 2.0 };
        page.hover_at(formula_rect.left_center() + vec2(offset, 0.0));
        page.run_steps(60);
        assert_eq!(page.state().linked.hovered(), Some(Entity::Joint(JointIndex(1))));
        assert!(page.query_by_label("W sub 1  world matrix of joint 1").is_some());
        assert!(page.query_by_label("matrix · world_from_joint").is_some());
    }
}

#[test]
fn inverse_and_unknown_symbols_are_described_or_ignored() {
    let mut page = add_symbols(page_of_inlines(vec![Inline::Math("W_0^{-1}".to_owned())]));
    let formula_rect = page.get_by_role(Role::Label).rect();
    page.hover_at(formula_rect.left_center() + vec2(8.0, 0.0));
    page.run_steps(60);
    let description = "W sub 0 to the minus 1  inverse of the world matrix of joint 0";
    assert!(page.query_by_label(description).is_some());
    let mut page = add_symbols(page_of_inlines(vec![Inline::Math("V_0".to_owned())]));
    let formula_rect = page.get_by_role(Role::Label).rect();
    page.hover_at(formula_rect.left_center() + vec2(8.0, 0.0));
    page.run_steps(60);
    assert_eq!(page.state().linked.hovered(), None);
    assert_eq!(page.get_all_by_role(Role::Label).count(), 1);
}

#[test]
fn a_long_program_is_folded_until_it_is_expanded() {
    let blocks = vec![program_block("short", 24), program_block("long", 25)];
    let mut page = page_of(blocks, [600.0, 1600.0]);
    page.run();
    page.get_by_label_contains("line_24();");
    page.get_by_label("long, Rust, 25 lines");
    assert!(page.query_by_label_contains("line_25();").is_none());
    page.click_label("Show all 25 lines");
    page.get_by_label_contains("line_25();");
    page.click_label("Show the first 12 lines");
    assert!(page.query_by_label_contains("line_25();").is_none());

    let copy = page.get_all_by_label("Copy").last().expect("of the long one");
    copy.click();
    page.step();
    let commands = &page.output().platform_output.commands;
    let copied = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.as_str()),
        _ => None,
    });
    let expected = program_text(25) + "\n";
    assert_eq!(copied, Some(expected.as_str()));
}

fn program_block(name: &str, line_count: usize) -> LessonBlock {
    LessonBlock::Code {
        language: "rust".to_owned(),
        name: Some(name.to_owned()),
        text: program_text(line_count),
    }
}

fn program_text(line_count: usize) -> String {
    let lines: Vec<String> = (1..=line_count).map(|line| format!("line_{line}();")).collect();
    lines.join("\n")
}

#[test]
fn the_current_stop_lights_a_line_of_the_listing() {
    let text = "+++\ntitle = \"T\"\nminutes = 1\nrig = \"arm\"\n+++\n\n## One\n\n```stops loop\n\
                label = \"Loop\"\nstops = [{ label = \"0\", line = \"None\", set = { joint = 0 } }, \
                { label = \"1\", set = { joint = 1 } }]\n```\n";
    let lesson = LessonSet::from_memory(&[("10-t", text, "")], "").lessons.remove(0);
    for (joint, expected) in [(0, Some(1)), (1, None)] {
        let mut page = Page::new("arm");
        page.lesson(lesson.clone());
        page.document.state.joint = JointIndex(joint);
        let source = "match parent {\n    None => local,\n}";
        let mut harness = harness(page, move |_, page| {
            assert_eq!(program::lit_line(source, page), expected, "joint {joint}");
        });
        harness.run();
    }
}
