use std::cell::RefCell;
use std::f64::consts::PI;
use std::rc::Rc;

use bindpose_lesson::{CellKind, Expr, PROGRAM_RUNS, PathPart, PlotLines, Quantity, Setting};
use bindpose_notebook::test_sample::lesson_on;
use bindpose_notebook::{Derived, Edit};

use super::*;
use crate::cells::testing::{Page, harness};
use eframe::egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable};

const EDITABLE_PLOT: &str = "```plot p\nsweep = \"all\"\nfrom = -1\nto = 1\n\
    lines = [{ label = \"own\", expr = \"2*cos(b1/2)\", editable = true }]\n```";

fn plot_cell(sweep: &str, lines: &[(&str, &str)]) -> PlotCell {
    PlotCell {
        sweep: sweep.to_owned(),
        from: Some(Quantity(-PI)),
        to: Some(Quantity(PI)),
        lines: PlotLines(
            lines
                .iter()
                .map(|(label, expr)| PlotLine {
                    label: (*label).into(),
                    expr: Some(Expr::parse(expr).expect("a formula")),
                    ..PlotLine::default()
                })
                .collect(),
        ),
        y_label: "length of v2–v3".into(),
        ..PlotCell::default()
    }
}

fn type_formula(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Formula").focus();
    harness.run();
    harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
    harness.run();
    harness.get_by_label("Formula").type_text(text);
    harness.run();
}

fn plot_harness(page: Page, cell: PlotCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |ui, page| super::ui(ui, &cell, "p", page));
    harness.run();
    harness
}

fn two_line_cell() -> PlotCell {
    plot_cell("all", &[("measured", "distance(v2,v3)"), ("formula", "2*cos(b1/2)")])
}

fn page_with_angles(angle_rad: f64) -> Page {
    Page::new("bone_grid").with_params(&[("b0", angle_rad), ("b1", angle_rad), ("b2", angle_rad)])
}

#[test]
fn each_line_has_its_current_value() {
    let harness = plot_harness(page_with_angles(0.8), two_line_cell());
    harness.get_by_label("measured: 1.842 at 45.8°");
    harness.get_by_label("formula: 1.842 at 45.8°");
    let single_line = plot_cell("b1", &[("measured", "distance(v2,v3)")]);
    plot_harness(page_with_angles(0.8), single_line).get_by_label("measured: 1.842 at 45.8°");
}

#[test]
fn description_has_minimum_and_maximum_of_each_curve() {
    let harness = plot_harness(page_with_angles(0.8), two_line_cell());
    let plot = harness.get_by_label("all joints in the plot");
    let description = plot.accesskit_node().description().unwrap_or_default();
    let measured = "measured: 1.842 now, from 0.000 at −180.0° to 2.000 at 0.0°. formula: ";
    assert!(description.starts_with(measured), "{description}");
}

#[test]
fn differing_angles_have_no_value_on_the_axis_of_all() {
    let page = page_with_angles(0.8).with_params(&[("b2", 0.1)]);
    let harness = plot_harness(page, two_line_cell());
    harness.get_by_label("measured: the angles differ");
    let value = harness.query_by_label_contains("measured: 1.842");
    assert!(value.is_none(), "the value of a single angle");
}

#[test]
fn drag_in_the_plot_sets_the_parameter() {
    let mut harness = plot_harness(page_with_angles(0.8), two_line_cell());
    let rect = harness.get_by_label("all joints in the plot").rect();
    let end = pos2(rect.left() + rect.width() * 0.75, rect.center().y);
    harness.drag_at(rect.center());
    harness.run();
    harness.hover_at(end);
    harness.run();
    harness.drop_at(end);
    harness.run();
    let Some((name, value)) = harness.state().edits.last().and_then(Edit::as_param) else {
        panic!("{:?}", harness.state().edits);
    };
    assert_eq!(name, "all");
    assert!((value - PI / 2.0).abs() < 0.02, "{value}");
    harness.get_by_label("measured: 1.414 at 90.0°");
}

#[test]
fn arrow_keys_turn_by_one_degree() {
    let mut harness = plot_harness(page_with_angles(0.0), two_line_cell());
    harness.get_by_label("all joints in the plot").focus();
    harness.run();
    harness.key_press(Key::ArrowLeft);
    harness.run();
    harness.get_by_label("measured: 2.000 at −1.0°");
    let turned = Edit::param("all", -1_f64.to_radians());
    assert_eq!(harness.state().edits, [turned]);
}

#[test]
fn formulas_without_values_report_errors() {
    let lines = [("root", "sqrt(b1)"), ("nothing", "x(v99)")];
    let harness = plot_harness(page_with_angles(-0.5), plot_cell("b1", &lines));
    harness.get_by_label("root: no value at −28.6°");
    harness.get_by_label("nothing: no value at −28.6°");
    harness.get_by_label("nothing: there is no vertex 99");
    let harness = plot_harness(page_with_angles(0.0), plot_cell("b9", &lines));
    harness.get_by_label("There is no parameter “b9” to sweep here.");
}

#[test]
fn nothing_is_clipped_in_a_narrow_column() {
    for width in [300.0, 420.0, 900.0] {
        let cell = two_line_cell();
        let mut harness = harness(page_with_angles(3.0), move |ui, page| {
            ui.set_max_width(width);
            super::ui(ui, &cell, "p", page);
            assert!(ui.min_rect().width() <= width + 0.5, "{:?}", ui.min_rect());
        });
        harness.set_size(vec2(width + 16.0, 400.0));
        harness.run();
        let rect = harness.get_by_label("formula: 0.141 at 171.9°").rect();
        assert!(rect.right() <= width + 16.0, "{rect:?}");
    }
}

#[test]
fn curves_are_cached_while_only_the_swept_angle_changes() {
    let cell = PlotCell {
        from: Some(Quantity(-3.0)),
        to: Some(Quantity(3.0)),
        ..plot_cell("b1", &[("distance(v2,v3)", "distance(v2,v3)"), ("sqrt(b1)", "sqrt(b1)")])
    };
    let harness = harness(Page::new("bone_grid"), move |_, page| {
        let mut document = page.document.clone();
        let lesson = page.lesson;
        let mut curves_after = |name: &str, value: f64| {
            document.state.params.insert(name.to_owned(), value);
            let influences = page.derived.influences.clone();
            let derived = Derived::new(&document, Some(lesson), &page.derived.rig, influences);
            let mut page = page.with(&document, &derived);
            let axis = Axis::new(&cell, page.page_state()).expect("b1");
            cached_curves("p", &cell, &axis, &mut page)
        };
        let first = curves_after("b1", 0.0);
        assert_eq!(first.lines[0][0].len(), 181);
        assert_eq!(first.lines[1][0].len(), 91, "no square root of negative numbers");
        assert!(Arc::ptr_eq(&first, &curves_after("b1", 1.0)), "only b1 moved");
        assert!(!Arc::ptr_eq(&first, &curves_after("b2", 1.0)), "b2 moved");
    });
    drop(harness);
}

/// Plot along the left side of the grid, from below.
fn left_side_cell() -> PlotCell {
    PlotCell {
        along: vec![PathPart::Vertex(0), PathPart::Run(2, 4), PathPart::Vertex(8)],
        ..plot_cell("", &[("height", "y(here)"), ("weight", "weight(here, 1)")])
    }
}

#[test]
fn plot_along_a_path_has_values_and_chooses_vertices() {
    let mut page = page_with_angles(0.0);
    page.document.state.vertex = 3;
    let harness = plot_harness(page, left_side_cell());
    let height = harness.state().rig.mesh.positions[3].y;
    let legend = format!("height: {height:.3} at v3").replace('-', "−");
    assert!(harness.query_by_label_contains(&legend).is_some(), "{legend}");
    drop(harness);

    let mut page = page_with_angles(0.0);
    page.document.state.vertex = 9;
    let mut harness = plot_harness(page, left_side_cell());
    harness.get_by_label("height");
    let plot = harness.get_by_role(Role::Image).rect();
    let pointer = pos2(plot.right() - 1.0, plot.center().y);
    harness.hover_at(pointer);
    harness.run();
    harness.drag_at(pointer);
    harness.run();
    harness.drop_at(pointer);
    harness.run();
    let chosen = Edit::set(Setting::Vertex(8));
    assert_eq!(harness.state().edits, [chosen], "the last of the path");
}

#[test]
fn table_columns_have_their_own_axis_or_that_of_a_sweep() {
    let table: toml::Table =
        toml::from_str("data = [['t', 'h'], [0, 1.5], [1, ''], [2, 2.5]]").expect("TOML");
    let data = PlotData::try_from(table["data"].clone()).expect("rows");
    let column =
        PlotLine { label: "measured".into(), column: Some("h".to_owned()), ..PlotLine::default() };
    let mut over_table = PlotCell {
        data: Some(data.clone()),
        from: None,
        to: None,
        ..plot_cell("", &[("formula", "1.5 + here/2")])
    };
    over_table.lines.0.push(column.clone());
    let mut over_sweep = PlotCell { data: Some(data), ..plot_cell("b1", &[("formula", "b1")]) };
    over_sweep.lines.0.push(column);
    let harness = harness(page_with_angles(0.5), move |_, page| {
        let axis = Axis::new(&over_table, page.page_state()).expect("an axis");
        assert_eq!((axis.from, axis.to, axis.label.as_str()), (0.0, 2.0, "t"));
        let lines = sample_curves(&over_table, &axis, page.page_state()).lines;
        let last = lines[0][0].last().expect("a line");
        assert_eq!(*last, [2.0, 2.5], "here is t");
        assert_eq!(lines[1], [vec![[0.0, 1.5]], vec![[2.0, 2.5]]], "with a gap");
        assert_eq!(values_now(&over_table, &axis, page.page_state()), [None, None]);
        let axis = Axis::new(&over_sweep, page.page_state()).expect("an axis");
        assert_eq!(values_now(&over_sweep, &axis, page.page_state()), [Some(0.5), None]);
        assert_eq!(sample_curves(&over_sweep, &axis, page.page_state()).lines[1].len(), 2);
    });
    drop(harness);
}

#[test]
fn invalid_formula_of_the_reader_keeps_the_last_curve() {
    let mut cell = two_line_cell();
    cell.lines[1].editable = true;
    let mut page = page_with_angles(0.8);
    page.lesson(lesson_on("bone_grid", EDITABLE_PLOT));
    let mut harness = plot_harness(page, cell);
    harness.get_by_label("formula: 1.842 at 45.8°");
    type_formula(&mut harness, "length(skinned(2) - skinned(3)) + 1");
    type_formula(&mut harness, "length(skinned(2) - ");
    harness.get_by_label_contains("Column 21: Expected a value");
    harness.get_by_label("formula: 2.842 at 45.8°");
    harness.get_by_label("Put back").click();
    harness.run();
    harness.get_by_label("formula: 1.842 at 45.8°");
}

/// A lesson with an editable plot and a pose program.
fn page_with_program(program: &str) -> Page {
    let step = format!("{EDITABLE_PLOT}\n```pose mover\nprogram = \"{program}\"\n```");
    let lesson = lesson_on("bone_grid", &step);
    let mut page = page_with_angles(0.8);
    page.document.lesson.clone_from(&lesson.slug);
    page.lesson(lesson);
    page
}

#[test]
fn unknown_name_is_reported_with_its_column() {
    let mut page = page_with_program("rotate_z(b0, 0)");
    page.document.lesson = page.lesson.slug.clone();
    let Some(CellKind::Plot(cell)) = page.lesson.cells().next().map(|cell| cell.kind.clone())
    else {
        panic!("a plot");
    };
    let mut harness = harness(page, move |ui, page| super::ui(ui, &cell, "p", page));
    harness.run();
    type_formula(&mut harness, "bb1*2");
    harness.get_by_label_contains("Column 1: There is no parameter `bb1`");
    type_formula(&mut harness, "sin(k*b1)");
    harness.get_by_label_contains("There is no parameter `k`");
    type_formula(&mut harness, "k = 1; sin(k*b1)");
    assert!(harness.query_by_label_contains("There is no parameter").is_none());
}

#[test]
fn endless_program_is_stopped_once_for_all_samples() {
    let (runs, errors) = sample_with_program("rotate_z(b1, 0.1)");
    assert!(runs > 50 && errors.is_empty(), "{runs} {errors:?}");
    let endless = "for k in 0 to 100000 { for l in 0 to 100000 { a = k } }";
    let (runs, errors) = sample_with_program(endless);
    assert_eq!(runs, 1);
    let [error] = errors.as_slice() else {
        panic!("{errors:?}");
    };
    assert!(error.contains("stopped in line 1"), "{error}");
}

/// Samples the plot beside a program. Returns the number of its runs and the errors.
fn sample_with_program(program: &str) -> (usize, Vec<String>) {
    let page = page_with_program(program);
    let Some(CellKind::Plot(cell)) = page.lesson.cells().next().map(|cell| cell.kind.clone())
    else {
        panic!("a plot");
    };
    let results = Rc::new(RefCell::new((0, Vec::new())));
    let written_results = Rc::clone(&results);
    let harness = harness(page, move |_, page| {
        let axis = Axis::new(&cell, page.page_state()).expect("an axis");
        let runs_before = PROGRAM_RUNS.get();
        let errors = sample_curves(&cell, &axis, page.page_state()).errors;
        *written_results.borrow_mut() = (PROGRAM_RUNS.get() - runs_before, errors);
    });
    drop(harness);
    results.take()
}
