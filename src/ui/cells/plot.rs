//! Formulas drawn against one parameter, which can be set by dragging in the
//! plot.

use eframe::egui::{
    CursorIcon, FontId, Galley, Pos2, Rect, Response, RichText, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, Plot, PlotPoints, PlotTransform};
use std::sync::Arc;

use crate::lesson::{PlotCell, PlotLine};
use crate::notebook::plot::{
    self, Curves, CurvesKey, Sweep, Tick, curve_words, is_dashed, readout, sampled, tick_words,
    ticks, value_words, values_now,
};
use crate::notebook::significant_digits;
use crate::skin::JointIndex;
use crate::ui::PageContext;
use crate::ui::prose::{Face, PaintedLine};
use crate::ui::theme::{CAPTION, SMALL, Theme, font};
use crate::ui::widgets::{Emphasis, Scrub};

/// Of the plot with its axes, without the caption above it.
const HEIGHT: f32 = 190.0;
/// Room below the frame for ticks.
const TICKS: f32 = 20.0;
/// Room within the frame: above the curves for the readout, below for a stroke.
const HEAD: f32 = 26.0;
const FOOT: f32 = 6.0;
/// Room at the right for half a tick's text.
const RIGHT: f32 = 22.0;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &PlotCell, id: &str, page: &mut PageContext<'_>) {
    let Some(sweep) = Sweep::new(cell, page.now()) else {
        let words = format!("There is no parameter “{}” to sweep here.", cell.sweep);
        ui.label(RichText::new(words).color(page.theme.wrong));
        return;
    };
    let curves = curves(id, cell, &sweep, page);
    let now = values_now(cell, page.now());
    caption(ui, cell, (&sweep, &now), page);
    let height = cell.height.unwrap_or(HEIGHT).clamp(100.0, 800.0);
    let (response, transform) = frame(ui, id, cell, &sweep, &curves, height, page.theme);
    marker(ui, &sweep, &now, &transform, page.theme);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(curve_words(cell, &sweep, &curves, &now));
    });
    let value_at = |x: f32| sweep.stored(transform.value_from_position(pos2(x, 0.0)).x);
    // Where angles differ, whatever is pointed at is another value.
    let change = number(&sweep, f64::NAN)
        .pointed_at(ui, &response, value_at, Some(sweep.default))
        .or_else(|| number(&sweep, sweep.default).asked(ui, &response));
    page.change_param(&sweep.name, change);
    for error in &curves.errors {
        ui.label(RichText::new(error).size(SMALL).color(page.theme.wrong));
    }
}

/// The last curves, and what they follow from.
#[derive(Default)]
struct CachedCurves(Option<(CurvesKey, Arc<Curves>)>);

/// The curves, sampled anew only when something other than the swept parameter
/// has changed.
fn curves(id: &str, cell: &PlotCell, sweep: &Sweep, page: &mut PageContext<'_>) -> Arc<Curves> {
    let key = CurvesKey::new(cell, sweep, page.now());
    if let Some((of, curves)) = &page.state::<CachedCurves>(id).0
        && *of == key
    {
        return Arc::clone(curves);
    }
    let curves = Arc::new(sampled(cell, sweep, page.now()));
    page.state::<CachedCurves>(id).0 = Some((key, Arc::clone(&curves)));
    curves
}

/// `length of v2–v3 against joint 1   ── measured   -- 2 cos(a/2)`
fn caption(ui: &mut Ui, cell: &PlotCell, at: (&Sweep, &[Option<f64>]), page: &PageContext<'_>) {
    let (sweep, now) = at;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(16.0, 2.0);
        ui.label(page.theme.label(plot::caption(cell, sweep)));
        for (index, (line, &value)) in cell.lines.iter().zip(now).enumerate() {
            let words = format!("{}: {}", line.label.words(), readout(sweep, &[value]));
            if cell.lines.len() > 1 {
                entry(ui, line, index, &words, page);
            } else {
                // Heard, not seen: the readout in the plot shows it.
                let (_, response) = ui.allocate_exact_size(vec2(1.0, 1.0), Sense::hover());
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
            }
        }
    });
}

/// A line of the legend.
fn entry(ui: &mut Ui, line: &PlotLine, index: usize, words: &str, page: &PageContext<'_>) {
    let theme = page.theme;
    let mut face = Face::of_text(SMALL, Emphasis::Plain, theme);
    face.line = 20.0;
    let label = PaintedLine::new(ui, line.label.line(), face, f32::INFINITY, page);
    let size = vec2(36.0 + label.size().x, label.size().y.max(20.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    let y = rect.center().y;
    let ends = [pos2(rect.left(), y), pos2(rect.left() + 28.0, y)];
    let stroke = stroke(theme, index);
    if is_dashed(line, index) {
        ui.painter()
            .extend(Shape::dashed_line(&ends, stroke, 7.0, 3.5));
    } else {
        ui.painter().line_segment(ends, stroke);
    }
    let at = pos2(rect.left() + 36.0, y - label.size().y / 2.0);
    label.paint(ui.painter(), at, theme);
}

/// What can be done to the swept parameter in the plot, with `without` as its
/// value where angles differ.
fn number(sweep: &Sweep, without: f64) -> Scrub {
    let label = format!("{} in the plot", sweep.label);
    let number = Scrub::new(("plot", &sweep.name), sweep.now.unwrap_or(without), label)
        .range(sweep.from..=sweep.to);
    match (sweep.angle, sweep.whole) {
        (true, _) => number.suffix("°").decimals(1),
        (false, true) => number.whole(),
        (false, false) => number.step(significant_digits::round_up(
            (sweep.to - sweep.from) / 200.0,
        )),
    }
}

/// The accent first, then colours that are told apart from it and from each
/// other and stand out from the page.
fn stroke(theme: &Theme, index: usize) -> Stroke {
    let color = match index {
        0 => theme.accent,
        _ => theme.joint_line(JointIndex(index as u16)),
    };
    // All as wide: a dashed line on a solid one covers it, dash by dash.
    Stroke::new(2.5, color)
}

/// Axes, grid and curves.
fn frame(
    ui: &mut Ui,
    id: &str,
    cell: &PlotCell,
    sweep: &Sweep,
    curves: &Curves,
    height: f32,
    theme: &Theme,
) -> (Response, PlotTransform) {
    let (low, high) = curves.values;
    let per_point = (high - low) / f64::from((height - TICKS - HEAD - FOOT).max(20.0));
    let (bottom, top) = (
        low - per_point * f64::from(FOOT),
        high + per_point * f64::from(HEAD),
    );
    let y_ticks = ticks(low - per_point, high + per_point, per_point * 34.0, false);
    let font = FontId::proportional(CAPTION);
    let width_of = |text: String| -> f32 {
        let galley = ui.painter().layout_no_wrap(text, font.clone(), theme.quiet);
        galley.size().x
    };
    let left = y_ticks
        .iter()
        .map(|&mark| width_of(tick_words(mark, false)))
        .fold(RIGHT - 10.0, f32::max)
        + 10.0;
    let (from, to) = (sweep.shown(sweep.from), sweep.shown(sweep.to));
    let width = (ui.available_width() - RIGHT).max(80.0);
    let x_per_point = (to - from) / f64::from((width - left).max(20.0));
    let angle = sweep.angle;
    let widest = width_of(if angle { "−180°" } else { "−0.00" }.to_owned());
    let x_ticks = ticks(from, to, x_per_point * f64::from(widest + 20.0), angle);

    let axis = |hints: AxisHints<'static>| {
        hints
            .tick_label_font(font.clone())
            .tick_label_color(theme.quiet)
            .label_spacing(0.0..=1.0)
    };
    let plot = Plot::new(("plot", id))
        .width(width)
        .height(height)
        .custom_x_axes(vec![
            axis(AxisHints::new_x().formatter(move |mark, _| tick_words(tick(mark), angle)))
                .min_thickness(TICKS),
        ])
        .custom_y_axes(vec![
            axis(AxisHints::new_y().formatter(|mark, _| tick_words(tick(mark), false)))
                .min_thickness(left),
        ])
        .x_grid_spacer(move |_| marks(&x_ticks))
        .y_grid_spacer(move |_| marks(&y_ticks))
        .grid_spacing(0.5..=1.0)
        .grid_color(theme.rule)
        .show_grid([false, true])
        .default_x_bounds(from, to)
        .default_y_bounds(bottom, top)
        .set_margin_fraction(vec2(0.0, 0.0))
        .show_background(false)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false);
    let answer = plot.show(ui, |plot| {
        plot.set_plot_bounds_x(from..=to);
        plot.set_plot_bounds_y(bottom..=top);
        for (index, (line, runs)) in cell.lines.iter().zip(&curves.lines).enumerate() {
            for (run, points) in runs.iter().enumerate() {
                let mut drawn = Line::new("", PlotPoints::from(points.clone()))
                    .id((index, run))
                    .stroke(stroke(theme, index))
                    .allow_hover(false);
                if is_dashed(line, index) {
                    drawn = drawn.style(LineStyle::Dashed { length: 9.0 });
                }
                plot.line(drawn);
            }
        }
    });
    let response = answer
        .response
        .on_hover_cursor(CursorIcon::ResizeHorizontal);
    number(sweep, sweep.default).describe(ui, &response, Role::Slider);
    (response, answer.transform)
}

fn marks(ticks: &[Tick]) -> Vec<GridMark> {
    let mark = |&Tick { value, step }: &Tick| GridMark {
        value,
        step_size: step,
    };
    ticks.iter().map(mark).collect()
}

fn tick(mark: GridMark) -> Tick {
    Tick {
        value: mark.value,
        step: mark.step_size,
    }
}

/// A hairline at the current value, a point on each curve, and the numbers.
fn marker(ui: &Ui, sweep: &Sweep, now: &[Option<f64>], transform: &PlotTransform, theme: &Theme) {
    let frame = *transform.frame();
    let value = sweep.now.unwrap_or(sweep.default);
    let inside = sweep.now.is_some() && (sweep.from..=sweep.to).contains(&value);
    let x = transform
        .position_from_point_x(sweep.shown(value))
        .clamp(frame.left(), frame.right());
    if inside {
        let ends = [pos2(x, frame.top()), pos2(x, frame.bottom())];
        ui.painter()
            .line_segment(ends, Stroke::new(1.0, theme.quiet));
        for (index, value) in now.iter().enumerate().rev() {
            let at = value.map(|value| pos2(x, transform.position_from_point_y(value)));
            if let Some(at) = at.filter(|&at| frame.expand(1.0).contains(at)) {
                point(ui, at, index, theme);
            }
        }
    }
    let galley = flag(ui, sweep, now, theme);
    let size = galley.size();
    let right_of = x + 8.0;
    let left = if right_of + size.x <= frame.right() + RIGHT {
        right_of
    } else {
        (x - 8.0 - size.x).max(frame.left())
    };
    let at = Rect::from_min_size(pos2(left, frame.top()), size);
    ui.painter().galley(at.min, galley, theme.ink);
}

/// A dot on the first line; rings around it on the others, so that points in one
/// place are all seen.
fn point(ui: &Ui, at: Pos2, index: usize, theme: &Theme) {
    let color = stroke(theme, index).color;
    if index == 0 {
        let edge = Stroke::new(2.0, theme.paper);
        ui.painter().circle(at, 6.0, color, edge);
    } else {
        let radius = 6.0 + 2.5 * index as f32;
        ui.painter()
            .circle(at, radius, theme.paper, Stroke::new(2.5, color));
    }
}

/// The readout; numbers that differ in the colours of their lines.
fn flag(ui: &Ui, sweep: &Sweep, now: &[Option<f64>], theme: &Theme) -> Arc<Galley> {
    let font = font::strong(SMALL);
    let words = readout(sweep, now);
    let numbers: Vec<String> = now.iter().map(|&value| value_words(value)).collect();
    let rest = words.strip_prefix(&numbers.join(", "));
    let mut job = LayoutJob::default();
    if let Some(rest) = rest.filter(|_| numbers.len() > 1) {
        for (index, number) in numbers.iter().enumerate() {
            let lead = if index == 0 { 0.0 } else { 10.0 };
            let format = TextFormat::simple(font.clone(), stroke(theme, index).color);
            job.append(number, lead, format);
        }
        job.append(rest, 0.0, TextFormat::simple(font, theme.ink));
    } else {
        job.append(&words, 0.0, TextFormat::simple(font, theme.ink));
    }
    ui.painter().layout_job(job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{Expr, Quantity, Settings};
    use crate::notebook::{Derived, Edit};
    use crate::ui::cells::testing::{Page, harness};
    use eframe::egui::Key;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable};
    use std::f64::consts::PI;

    fn cell(sweep: &str, lines: &[(&str, &str)]) -> PlotCell {
        PlotCell {
            sweep: sweep.to_owned(),
            from: Quantity(-PI),
            to: Quantity(PI),
            lines: lines
                .iter()
                .map(|(label, expr)| PlotLine {
                    label: (*label).into(),
                    expr: Expr::parse(expr).expect("a formula"),
                    dashed: false,
                    set: crate::lesson::Settings::default(),
                })
                .collect(),
            y_label: "length of v2–v3".into(),
            x_label: None,
            height: None,
        }
    }

    fn shown(page: Page, cell: PlotCell) -> Harness<'static, Page> {
        let mut harness = harness(page, move |view, page| ui(view, &cell, "p", page));
        harness.run();
        harness
    }

    fn width_of_the_rung() -> PlotCell {
        cell(
            "all",
            &[("measured", "distance(v2,v3)"), ("formula", "2*cos(b1/2)")],
        )
    }

    fn all_at(angle_rad: f64) -> Page {
        let mut page = Page::new("bone_grid");
        for name in ["b0", "b1", "b2"] {
            page.document
                .state
                .params
                .insert(name.to_owned(), angle_rad);
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
                assert!(
                    view.min_rect().width() <= width + 0.5,
                    "{:?}",
                    view.min_rect()
                );
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
            expr: Expr::parse(expr).expect("a formula"),
            dashed: false,
            set: Settings::default(),
        };
        let cell = PlotCell {
            sweep: "b1".to_owned(),
            from: Quantity(-3.0),
            to: Quantity(3.0),
            lines: vec![line("distance(v2,v3)"), line("sqrt(b1)")],
            y_label: crate::lesson::Text::default(),
            x_label: None,
            height: None,
        };
        let harness = harness(Page::new("bone_grid"), move |_, page| {
            let mut document = page.document.clone();
            let lesson = page.lesson;
            let mut of = |name: &str, value: f64| {
                document.state.params.insert(name.to_owned(), value);
                let influences = Arc::clone(&page.derived.influences);
                let derived = Derived::new(&document, Some(lesson), &page.derived.rig, influences);
                let mut page = page.with(&document, &derived);
                let sweep = Sweep::new(&cell, page.now()).expect("b1");
                curves("p", &cell, &sweep, &mut page)
            };
            let first = of("b1", 0.0);
            assert_eq!(first.lines[0][0].len(), 181);
            assert_eq!(first.lines[1][0].len(), 91, "no root left of 0");
            assert!(Arc::ptr_eq(&first, &of("b1", 1.0)), "only b1 moved");
            assert!(!Arc::ptr_eq(&first, &of("b2", 1.0)), "b2 moved");
        });
        drop(harness);
    }
}
