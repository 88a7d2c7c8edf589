//! Formulas drawn against a parameter, which can be set by dragging in the plot, or
//! along vertices, which can be chosen there; and numbers of a table.

use eframe::egui::{
    CursorIcon, FontId, Galley, Pos2, Rect, Response, RichText, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, Plot, PlotPoints, PlotTransform};
use std::sync::Arc;

use bindpose_lesson::{Expr, PlotCell, PlotData, PlotLine};
use bindpose_notebook::cell_text::{formula_of_text, wrong_with_names};
use bindpose_notebook::plot::{
    self, Axis, CurvesKey, PlotCurves, PlotOver, Tick, curve_words, followed, is_dashed,
    line_words, readout, sampled, tick_words, ticks, value_words, values_now,
};
use bindpose_notebook::{Entity, significant_digits};
use bindpose_skin::JointIndex;

use super::formula_field::{field, wrong_at};
use crate::PageContext;
use crate::prose::{Face, PaintedLine};
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::{Emphasis, Rail, Scrub};

/// Of the plot with its axes, without the caption above it.
const HEIGHT: f32 = 190.0;
/// Room below the frame for ticks.
const TICKS: f32 = 20.0;
/// Room within the frame: above the curves for the readout, below for a stroke.
const HEAD: f32 = 26.0;
const FOOT: f32 = 6.0;
/// Radius of a number of a column.
const POINT: f32 = 3.5;
/// Room at the right for half a tick's text.
const RIGHT: f32 = 22.0;

/// The last formula of the reader that could be read.
#[derive(Default)]
struct LastFormula(Option<Expr>);

/// Draws the cell; where readers may rewrite a formula, with theirs.
pub(super) fn ui(ui: &mut Ui, cell: &PlotCell, id: &str, page: &mut PageContext<'_>) {
    let Some((line, own)) = cell.editable_line() else {
        return drawn(ui, cell, id, page);
    };
    let text = page.document.text_of(id, &own.source).to_owned();
    let read = formula_of_text(&text);
    let names = read.as_ref().ok();
    let names = names.and_then(|expr| wrong_with_names(expr, page.derived));
    let wrong = read.as_ref().err().or(names.as_ref());
    let columns: Vec<usize> = wrong.map(|wrong| wrong.at.column).into_iter().collect();
    field(ui, (&text, &own.source), id, &columns, page);
    if let Some(wrong) = wrong {
        wrong_at(ui, page, wrong.at.column, &wrong.words);
        let words = "Until it can be read, the last formula that could be read is drawn.";
        ui.label(page.theme.caption(words));
    }
    let last = &mut page.state::<LastFormula>(id).0;
    if let (Ok(expr), None) = (read, names) {
        *last = Some(expr);
    }
    let expr = last.clone().unwrap_or_else(|| own.clone());
    let mut cell = cell.clone();
    if let Some(line) = cell.lines.get_mut(line) {
        line.expr = Some(expr);
    }
    drawn(ui, &cell, id, page);
}

fn drawn(ui: &mut Ui, cell: &PlotCell, id: &str, page: &mut PageContext<'_>) {
    let Some(axis) = Axis::new(cell, page.now()) else {
        let words = no_axis(cell, page);
        ui.label(RichText::new(words).color(page.theme.wrong));
        return;
    };
    let curves = curves(id, cell, &axis, page);
    let now = values_now(cell, &axis, page.now());
    caption(ui, cell, (&axis, &now), page);
    let height = cell.height.unwrap_or(HEIGHT).clamp(100.0, 800.0);
    let (response, transform) = frame(ui, id, cell, &axis, &curves, height, page.theme);
    points(ui, cell, &curves, &transform, page.theme);
    let told: Vec<(usize, Option<f64>)> = followed(cell, &now).collect();
    marker(ui, &axis, &told, &transform, page.theme);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(curve_words(cell, &axis, &curves, &now));
    });
    let value_at = |x: f32| axis.stored(transform.value_from_position(pos2(x, 0.0)).x);
    let x = transform.frame().x_range();
    let rail = Rail { x, values: (value_at(x.min), value_at(x.max)) };
    match &axis.over {
        PlotOver::Param(name) => {
            // Where angles differ, whatever is pointed at is another value.
            let change = number(&axis, name, f64::NAN)
                .pointed_at(ui, &response, rail, Some(axis.default))
                .or_else(|| number(&axis, name, axis.default).asked(ui, &response));
            page.change_param(name, change);
        }
        PlotOver::Path(path) => {
            let pointer = response.hover_pos().or(response.interact_pointer_pos());
            let x = pointer.map(|pointer| value_at(pointer.x));
            let nearest = x.and_then(|x| nearest(path, x));
            if let Some(vertex) = nearest {
                page.link(&response, Entity::Vertex(vertex));
            }
        }
        PlotOver::Data => {}
    }
    for error in &curves.errors {
        ui.label(RichText::new(error).size(SMALL).color(page.theme.wrong));
    }
}

/// Why there is nothing to draw along.
fn no_axis(cell: &PlotCell, page: &PageContext<'_>) -> String {
    if let Some(driven) = page.derived.driven(&cell.sweep) {
        let (name, formula) = (&driven.name, &driven.formula);
        return format!("“{name}” follows {formula}: sweep what that depends on.");
    }
    match (&cell.data, cell.along.is_empty()) {
        (_, false) => "The model has no two of the vertices along which this is drawn.".to_owned(),
        (Some(PlotData::File(file, None)), true) if cell.sweep.is_empty() => {
            format!("The numbers of {file} are not here.")
        }
        (Some(_), true) if cell.sweep.is_empty() => {
            "The data has no two different numbers to draw along.".to_owned()
        }
        _ => format!("There is no parameter “{}” to sweep here.", cell.sweep),
    }
}

/// The vertex of the path whose place is nearest.
fn nearest(path: &[(u32, f64)], x: f64) -> Option<u32> {
    let off = |&&(_, place): &&(u32, f64)| (place - x).abs();
    let nearest = path.iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
    Some(nearest.0)
}

/// The last curves, and what they follow from.
#[derive(Default)]
struct CachedCurves(Option<(CurvesKey, Arc<PlotCurves>)>);

/// The curves, sampled anew only when something other than the swept parameter
/// has changed.
fn curves(id: &str, cell: &PlotCell, axis: &Axis, page: &mut PageContext<'_>) -> Arc<PlotCurves> {
    let key = CurvesKey::new(cell, axis, page.now());
    if let Some((of, curves)) = &page.state::<CachedCurves>(id).0
        && *of == key
    {
        return Arc::clone(curves);
    }
    let curves = Arc::new(sampled(cell, axis, page.now()));
    page.state::<CachedCurves>(id).0 = Some((key, Arc::clone(&curves)));
    curves
}

/// `length of v2–v3 against joint 1   ── measured   -- 2 cos(a/2)`
fn caption(ui: &mut Ui, cell: &PlotCell, at: (&Axis, &[Option<f64>]), page: &PageContext<'_>) {
    let (axis, now) = at;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(16.0, 2.0);
        ui.label(page.theme.label(plot::caption(cell, axis)));
        for (index, (line, &value)) in cell.lines.iter().zip(now).enumerate() {
            let words = line_words(line, axis, value);
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
    if line.points {
        let middle = pos2(rect.left() + 14.0, y);
        ui.painter().circle_filled(middle, POINT, stroke.color);
    } else if is_dashed(line, index) {
        ui.painter().extend(Shape::dashed_line(&ends, stroke, 7.0, 3.5));
    } else {
        ui.painter().line_segment(ends, stroke);
    }
    let at = pos2(rect.left() + 36.0, y - label.size().y / 2.0);
    label.paint(ui.painter(), at, theme);
}

/// What can be done to the swept parameter in the plot, with `without` as its
/// value where angles differ.
fn number(axis: &Axis, name: &str, without: f64) -> Scrub {
    let label = format!("{} in the plot", axis.label);
    let number =
        Scrub::new(("plot", name), axis.now.unwrap_or(without), label).range(axis.from..=axis.to);
    match (axis.angle, axis.whole) {
        (true, _) => number.suffix("°").decimals(1),
        (false, true) => number.whole(),
        (false, false) => number.step(significant_digits::round_up((axis.to - axis.from) / 200.0)),
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
    axis: &Axis,
    curves: &PlotCurves,
    height: f32,
    theme: &Theme,
) -> (Response, PlotTransform) {
    let (low, high) = curves.values;
    let per_point = (high - low) / f64::from((height - TICKS - HEAD - FOOT).max(20.0));
    let (bottom, top) = (low - per_point * f64::from(FOOT), high + per_point * f64::from(HEAD));
    let y_ticks = ticks(low - per_point, high + per_point, per_point * 34.0, false);
    let font = FontId::proportional(CAPTION);
    let width_of = |text: String| -> f32 {
        let galley = ui.painter().layout_no_wrap(text, font.clone(), theme.quiet);
        galley.size().x
    };
    let left =
        y_ticks.iter().map(|&mark| width_of(tick_words(mark, false))).fold(RIGHT - 10.0, f32::max)
            + 10.0;
    let (from, to) = (axis.shown(axis.from), axis.shown(axis.to));
    let width = (ui.available_width() - RIGHT).max(80.0);
    let x_per_point = (to - from) / f64::from((width - left).max(20.0));
    let angle = axis.angle;
    let widest = width_of(if angle { "−180°" } else { "−0.00" }.to_owned());
    let x_ticks = ticks(from, to, x_per_point * f64::from(widest + 20.0), angle);

    let styled = |hints: AxisHints<'static>| {
        hints.tick_label_font(font.clone()).tick_label_color(theme.quiet).label_spacing(0.0..=1.0)
    };
    let plot = Plot::new(("plot", id))
        .width(width)
        .height(height)
        .custom_x_axes(vec![
            styled(AxisHints::new_x().formatter(move |mark, _| tick_words(tick(mark), angle)))
                .min_thickness(TICKS),
        ])
        .custom_y_axes(vec![
            styled(AxisHints::new_y().formatter(|mark, _| tick_words(tick(mark), false)))
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
            if line.points {
                continue;
            }
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
    let cursor = match axis.over {
        PlotOver::Param(_) => CursorIcon::ResizeHorizontal,
        PlotOver::Path(_) => CursorIcon::PointingHand,
        PlotOver::Data => CursorIcon::Default,
    };
    let response = answer.response.on_hover_cursor(cursor);
    if let PlotOver::Param(name) = &axis.over {
        number(axis, name, axis.default).describe(ui, &response, Role::Slider);
    } else {
        let words = plot::caption(cell, axis);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &words));
    }
    (response, answer.transform)
}

fn marks(ticks: &[Tick]) -> Vec<GridMark> {
    let mark = |&Tick { value, step }: &Tick| GridMark { value, step_size: step };
    ticks.iter().map(mark).collect()
}

fn tick(mark: GridMark) -> Tick {
    Tick { value: mark.value, step: mark.step_size }
}

/// Each number of a column, those at the edges whole.
fn points(ui: &Ui, cell: &PlotCell, curves: &PlotCurves, transform: &PlotTransform, theme: &Theme) {
    let frame = transform.frame().expand(1.0);
    for (index, (line, runs)) in cell.lines.iter().zip(&curves.lines).enumerate() {
        for &[x, y] in runs.iter().flatten().filter(|_| line.points) {
            let at = pos2(transform.position_from_point_x(x), transform.position_from_point_y(y));
            if frame.contains(at) {
                let color = stroke(theme, index).color;
                ui.painter().circle_filled(at, POINT, color);
            }
        }
    }
}

/// A hairline at the current value, a point on each curve, and the numbers.
fn marker(
    ui: &Ui,
    axis: &Axis,
    now: &[(usize, Option<f64>)],
    transform: &PlotTransform,
    theme: &Theme,
) {
    let frame = *transform.frame();
    let value = axis.now.unwrap_or(axis.default);
    let inside = axis.now.is_some() && (axis.from..=axis.to).contains(&value);
    let x = transform.position_from_point_x(axis.shown(value)).clamp(frame.left(), frame.right());
    if inside {
        let ends = [pos2(x, frame.top()), pos2(x, frame.bottom())];
        ui.painter().line_segment(ends, Stroke::new(1.0, theme.quiet));
        for &(index, value) in now.iter().rev() {
            let at = value.map(|value| pos2(x, transform.position_from_point_y(value)));
            if let Some(at) = at.filter(|&at| frame.expand(1.0).contains(at)) {
                point(ui, at, index, theme);
            }
        }
    }
    let Some(galley) = flag(ui, axis, now, theme) else {
        return;
    };
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
        ui.painter().circle(at, radius, theme.paper, Stroke::new(2.5, color));
    }
}

/// The readout, if there is one; numbers that differ in the colours of their lines.
fn flag(ui: &Ui, axis: &Axis, now: &[(usize, Option<f64>)], theme: &Theme) -> Option<Arc<Galley>> {
    let font = font::strong(SMALL);
    let values: Vec<Option<f64>> = now.iter().map(|&(_, value)| value).collect();
    let words = match values.as_slice() {
        [] => String::new(),
        values => readout(axis, values),
    };
    if words.is_empty() {
        return None;
    }
    let numbers: Vec<String> = values.iter().map(|&value| value_words(value)).collect();
    let rest = words.strip_prefix(&numbers.join(", "));
    let mut job = LayoutJob::default();
    if let Some(rest) = rest.filter(|_| numbers.len() > 1) {
        for (at, (number, &(index, _))) in numbers.iter().zip(now).enumerate() {
            let lead = if at == 0 { 0.0 } else { 10.0 };
            let format = TextFormat::simple(font.clone(), stroke(theme, index).color);
            job.append(number, lead, format);
        }
        job.append(rest, 0.0, TextFormat::simple(font, theme.ink));
    } else {
        job.append(&words, 0.0, TextFormat::simple(font, theme.ink));
    }
    Some(ui.painter().layout_job(job))
}

#[cfg(test)]
mod tests;
