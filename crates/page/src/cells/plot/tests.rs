use bindpose_lesson::{CellKind, Expr, PathPart, Quantity, Setting};
use bindpose_notebook::{Derived, Edit};

use super::*;
use crate::cells::testing::{Page, harness};
use eframe::egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable};
use std::f64::consts::PI;

fn cell(sweep: &str, lines: &[(&str, &str)]) -> PlotCell {
    PlotCell {
        sweep: sweep.to_owned(),
        from: Some(Quantity(-PI)),
        to: Some(Quantity(PI)),
        lines: lines
            .iter()
            .map(|(label, expr)| PlotLine {
                label: (*label).into(),
                expr: Some(Expr::parse(expr).expect("a formula")),
                ..PlotLine::default()
            })
            .collect(),
        y_label: "length of v2–v3".into(),
        ..PlotCell::default()
    }
}

fn retype(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Formula").focus();
    harness.run();
    harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
    harness.run();
    harness.get_by_label("Formula").type_text(text);
    harness.run();
}

fn shown(page: Page, cell: PlotCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "p", page));
    harness.run();
    harness
}

fn width_of_the_rung() -> PlotCell {
    cell("all", &[("measured", "distance(v2,v3)"), ("formula", "2*cos(b1/2)")])
}

fn all_at(angle_rad: f64) -> Page {
    let mut page = Page::new("bone_grid");
    for name in ["b0", "b1", "b2"] {
        page.document.state.params.insert(name.to_owned(), angle_rad);
    }
    page
}

#[test]
fn each_line_says_its_value_where_the_parameter_stands() {
    let harness = shown(all_at(0.8), width_of_the_rung());
    harness.get_by_label("measured: 1.842 at 45.8°");
    harness.get_by_label("formula: 1.842 at 45.8°");
    let alone = cell("b1", &[("measured", "distance(v2,v3)")]);
    shown(all_at(0.8), alone).get_by_label("measured: 1.842 at 45.8°");
}

#[test]
fn curves_are_told_with_their_least_and_their_most() {
    let harness = shown(all_at(0.8), width_of_the_rung());
    let plot = harness.get_by_label("all joints in the plot");
    let told = plot.accesskit_node().description().unwrap_or_default();
    let measured = "measured: 1.842 now, from 0.000 at −180.0° to 2.000 at 0.0°. formula: ";
    assert!(told.starts_with(measured), "{told}");
}

#[test]
fn angles_that_differ_have_no_place_on_the_axis_of_all() {
    let mut page = all_at(0.8);
    page.document.state.params.insert("b2".to_owned(), 0.1);
    let harness = shown(page, width_of_the_rung());
    harness.get_by_label("measured: the angles differ");
    let told = harness.query_by_label_contains("measured: 1.842");
    assert!(told.is_none(), "no value of one of them");
}

#[test]
fn a_drag_in_the_plot_sets_the_parameter_to_where_the_pointer_is() {
    let mut harness = shown(all_at(0.8), width_of_the_rung());
    let rect = harness.get_by_label("all joints in the plot").rect();
    let at = |part: f32| pos2(rect.left() + rect.width() * part, rect.center().y);
    harness.drag_at(at(0.5));
    harness.run();
    harness.hover_at(at(0.75));
    harness.run();
    harness.drop_at(at(0.75));
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
    let mut harness = shown(all_at(0.0), width_of_the_rung());
    harness.get_by_label("all joints in the plot").focus();
    harness.run();
    harness.key_press(Key::ArrowLeft);
    harness.run();
    harness.get_by_label("measured: 2.000 at −1.0°");
    let turned = Edit::param("all", -1_f64.to_radians());
    assert_eq!(harness.state().edits, [turned]);
}

#[test]
fn what_cannot_be_drawn_is_said_and_gaps_are_left() {
    let lines = [("root", "sqrt(b1)"), ("nothing", "x(v99)")];
    let harness = shown(all_at(-0.5), cell("b1", &lines));
    harness.get_by_label("root: no value at −28.6°");
    harness.get_by_label("nothing: no value at −28.6°");
    harness.get_by_label("nothing: there is no vertex 99");
    let harness = shown(all_at(0.0), cell("b9", &lines));
    harness.get_by_label("There is no parameter “b9” to sweep here.");
}

#[test]
fn nothing_is_clipped_in_a_narrow_column() {
    for width in [300.0, 420.0, 900.0] {
        let cell = width_of_the_rung();
        let mut harness = harness(all_at(3.0), move |view, page| {
            view.set_max_width(width);
            ui(view, &cell, "p", page);
            assert!(view.min_rect().width() <= width + 0.5, "{:?}", view.min_rect());
        });
        harness.set_size(vec2(width + 16.0, 400.0));
        harness.run();
        let rect = harness.get_by_label("formula: 0.141 at 171.9°").rect();
        assert!(rect.right() <= width + 16.0, "{rect:?}");
    }
}

#[test]
fn curves_are_sampled_anew_only_when_something_else_than_the_swept_angle_moves() {
    let line = |expr: &str| PlotLine {
        label: expr.into(),
        expr: Some(Expr::parse(expr).expect("a formula")),
        ..PlotLine::default()
    };
    let cell = PlotCell {
        sweep: "b1".to_owned(),
        from: Some(Quantity(-3.0)),
        to: Some(Quantity(3.0)),
        lines: vec![line("distance(v2,v3)"), line("sqrt(b1)")],
        ..PlotCell::default()
    };
    let harness = harness(Page::new("bone_grid"), move |_, page| {
        let mut document = page.document.clone();
        let lesson = page.lesson;
        let mut of = |name: &str, value: f64| {
            document.state.params.insert(name.to_owned(), value);
            let influences = page.derived.influences.clone();
            let derived = Derived::new(&document, Some(lesson), &page.derived.rig, influences);
            let mut page = page.with(&document, &derived);
            let axis = Axis::new(&cell, page.now()).expect("b1");
            curves("p", &cell, &axis, &mut page)
        };
        let first = of("b1", 0.0);
        assert_eq!(first.lines[0][0].len(), 181);
        assert_eq!(first.lines[1][0].len(), 91, "no root left of 0");
        assert!(Arc::ptr_eq(&first, &of("b1", 1.0)), "only b1 moved");
        assert!(!Arc::ptr_eq(&first, &of("b2", 1.0)), "b2 moved");
    });
    drop(harness);
}

/// The heights of the grid's left side, from below.
fn along_the_side() -> PlotCell {
    PlotCell {
        along: vec![PathPart::Vertex(0), PathPart::Run(2, 4), PathPart::Vertex(8)],
        ..cell("", &[("height", "y(here)"), ("weight", "weight(here, 1)")])
    }
}

#[test]
fn along_a_path_formulas_follow_and_vertices_are_chosen() {
    let mut page = all_at(0.0);
    page.document.state.vertex = 3;
    let harness = shown(page, along_the_side());
    let bind = |vertex: usize| harness.state().rig.mesh.positions[vertex];
    let words = format!("height: {:.3} at v3", bind(3).y).replace('-', "−");
    assert!(harness.query_by_label_contains(&words).is_some(), "{words}");
    drop(harness);

    let mut page = all_at(0.0);
    page.document.state.vertex = 9;
    let mut harness = shown(page, along_the_side());
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
fn numbers_of_a_table_are_drawn_over_their_own_axis_and_over_a_sweep() {
    let table: toml::Table =
        toml::from_str("data = [['t', 'h'], [0, 1.5], [1, ''], [2, 2.5]]").expect("TOML");
    let data = PlotData::try_from(table["data"].clone()).expect("rows");
    let measured = || PlotLine {
        label: "measured".into(),
        column: Some("h".to_owned()),
        ..PlotLine::default()
    };
    let mut alone =
        PlotCell { data: Some(data.clone()), ..cell("", &[("formula", "1.5 + here/2")]) };
    (alone.from, alone.to) = (None, None);
    alone.lines.push(measured());
    let mut swept = PlotCell { data: Some(data), ..cell("b1", &[("formula", "b1")]) };
    swept.lines.push(measured());
    let harness = harness(all_at(0.5), move |_, page| {
        let axis = Axis::new(&alone, page.now()).expect("an axis");
        assert_eq!((axis.from, axis.to, axis.label.as_str()), (0.0, 2.0, "t"));
        let lines = sampled(&alone, &axis, page.now()).lines;
        let last = lines[0][0].last().expect("a line");
        assert_eq!(*last, [2.0, 2.5], "here is t");
        assert_eq!(lines[1], [vec![[0.0, 1.5]], vec![[2.0, 2.5]]], "with a gap");
        assert_eq!(values_now(&alone, &axis, page.now()), [None, None]);
        let axis = Axis::new(&swept, page.now()).expect("an axis");
        assert_eq!(values_now(&swept, &axis, page.now()), [Some(0.5), None]);
        assert_eq!(sampled(&swept, &axis, page.now()).lines[1].len(), 2);
    });
    drop(harness);
}

#[test]
fn readers_rewrite_the_formula_of_a_line_and_a_mistake_leaves_the_last_curve() {
    let mut cell = width_of_the_rung();
    cell.lines[1].editable = true;
    let mut page = all_at(0.8);
    let text = "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n```plot p\nsweep = \"all\"\n\
                from = -1\nto = 1\nlines = [{ label = \"own\", expr = \"2*cos(b1/2)\", editable = true }]\n```\n";
    let set = bindpose_lesson::LessonSet::from_memory(&[("10-one", text, "notes")], "");
    page.put_lesson(set.lessons[0].clone());
    let mut harness = shown(page, cell);
    harness.get_by_label("formula: 1.842 at 45.8°");
    retype(&mut harness, "length(skinned(2) - skinned(3)) + 1");
    retype(&mut harness, "length(skinned(2) - ");
    harness.get_by_label_contains("Column 21: Expected a value");
    harness.get_by_label("formula: 2.842 at 45.8°");
    harness.get_by_label("Put back").click();
    harness.run();
    harness.get_by_label("formula: 1.842 at 45.8°");
}

/// A plot whose formula readers rewrite, beside a program that poses.
fn rewritten(program: &str) -> Page {
    let text = format!(
        "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n```plot p\nsweep = \"all\"\n\
         from = -1\nto = 1\nlines = [{{ label = \"own\", expr = \"2*cos(b1/2)\", editable = true }}]\n```\n\
         ```pose mover\nprogram = \"{program}\"\n```\n"
    );
    let set = bindpose_lesson::LessonSet::from_memory(&[("10-one", &text, "notes")], "");
    let mut page = all_at(0.8);
    page.document.lesson = "one".to_owned();
    page.put_lesson(set.lessons[0].clone());
    page
}

#[test]
fn a_name_that_nobody_knows_is_told_at_its_column() {
    let mut page = rewritten("rotate_z(b0, 0)");
    page.document.lesson = page.lesson.slug.clone();
    let Some(CellKind::Plot(cell)) = page.lesson.cells().next().map(|cell| cell.kind.clone())
    else {
        panic!("a plot");
    };
    let mut harness = harness(page, move |view, page| ui(view, &cell, "p", page));
    harness.run();
    retype(&mut harness, "bb1*2");
    harness.get_by_label_contains("Column 1: There is no parameter `bb1`");
    retype(&mut harness, "sin(k*b1)");
    harness.get_by_label_contains("There is no parameter `k`");
    retype(&mut harness, "k = 1; sin(k*b1)");
    assert!(harness.query_by_label_contains("There is no parameter").is_none());
}

#[test]
fn a_program_without_an_end_is_stopped_once_for_all_samples() {
    use bindpose_lesson::PROGRAM_RUNS;
    let sampled_with = |program: &str| {
        let page = rewritten(program);
        let Some(CellKind::Plot(cell)) = page.lesson.cells().next().map(|cell| cell.kind.clone())
        else {
            panic!("a plot");
        };
        let counted = std::rc::Rc::new(std::cell::RefCell::new((0, Vec::new())));
        let told = std::rc::Rc::clone(&counted);
        let harness = harness(page, move |_, page| {
            let axis = Axis::new(&cell, page.now()).expect("an axis");
            let before = PROGRAM_RUNS.get();
            let errors = sampled(&cell, &axis, page.now()).errors;
            *told.borrow_mut() = (PROGRAM_RUNS.get() - before, errors);
        });
        drop(harness);
        counted.take()
    };
    let (runs, errors) = sampled_with("rotate_z(b1, 0.1)");
    assert!(runs > 50 && errors.is_empty(), "{runs} {errors:?}");
    let endless = "for k in 0 to 100000 { for l in 0 to 100000 { a = k } }";
    let (runs, errors) = sampled_with(endless);
    assert_eq!(runs, 1);
    let [only] = errors.as_slice() else {
        panic!("{errors:?}");
    };
    assert!(only.contains("stopped in line 1"), "{only}");
}
