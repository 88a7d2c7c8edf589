//! Plots of formulas and of the columns of a table. The horizontal axis is a
//! parameter, which can be set by dragging in the plot, or a path of vertices, which
//! can be chosen there.

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, Rail, Scrub};
use bindpose_lesson::significant_digits;
use eframe::egui::{
    CursorIcon, FontId, Galley, Pos2, Response, RichText, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, Plot, PlotPoints, PlotTransform};
use std::sync::Arc;

use bindpose_lesson::{Expr, PlotCell, PlotData, PlotLine};
use bindpose_notebook::Entity;
use bindpose_notebook::cell_text::{formula_of_text, wrong_with_names};
use bindpose_notebook::plot::{
    self, Axis, CurvesKey, PlotCurves, PlotOver, Tick, describe_curves, format_legend,
    format_readout, format_tick, format_value, formula_values, is_dashed, sample_curves, ticks,
    values_now,
};
use bindpose_skin::JointIndex;

use super::formula_field::{formula_error_ui, formula_field_ui};
use crate::PageContext;
use crate::prose::PaintedLine;

/// Default height of the plot with its axes, without the caption, in points.
const DEFAULT_HEIGHT: f32 = 190.0;
/// Height of the tick labels below the frame, in points.
const TICKS_HEIGHT: f32 = 20.0;
/// Space in the frame above the curves for the readout, in points.
const READOUT_HEIGHT: f32 = 26.0;
/// Space in the frame below the curves for the width of a line, in points.
const BOTTOM_MARGIN: f32 = 6.0;
/// Space at the right for half of a tick label, in points.
const RIGHT_MARGIN: f32 = 22.0;
/// Radius of a point of a table column, in points.
const POINT_RADIUS: f32 = 3.5;

/// Last valid formula of the reader.
#[derive(Default)]
struct LastFormula(Option<Expr>);

pub(super) fn ui(ui: &mut Ui, cell: &PlotCell, id: &str, page: &mut PageContext<'_>) {
    let Some((line_index, original)) = cell.editable_line() else {
        return plot_ui(ui, cell, id, page);
    };
    let text = page.document.text_of(id, &original.source).to_owned();
    let parsed = formula_of_text(&text);
    let unknown_name = parsed.as_ref().ok().and_then(|expr| wrong_with_names(expr, page.derived));
    let error = parsed.as_ref().err().or(unknown_name.as_ref());
    let error_columns: Vec<usize> = error.map(|error| error.at.column).into_iter().collect();
    formula_field_ui(ui, (&text, &original.source), id, &error_columns, page);
    if let Some(error) = error {
        formula_error_ui(ui, page, error.at.column, &error.words);
        let note = "Until it can be read, the last formula that could be read is drawn.";
        ui.label(page.theme.caption(note));
    }
    let last_formula = &mut page.state::<LastFormula>(id).0;
    if let Ok(expr) = parsed
        && unknown_name.is_none()
    {
        *last_formula = Some(expr);
    }
    let expr = last_formula.clone().unwrap_or_else(|| original.clone());
    let mut edited_cell = cell.clone();
    if let Some(line) = edited_cell.lines.get_mut(line_index) {
        line.expr = Some(expr);
    }
    plot_ui(ui, &edited_cell, id, page);
}

fn plot_ui(ui: &mut Ui, cell: &PlotCell, id: &str, page: &mut PageContext<'_>) {
    let Some(axis) = Axis::new(cell, page.page_state()) else {
        let message = missing_axis_message(cell, page);
        ui.label(RichText::new(message).color(page.theme.wrong));
        return;
    };
    let curves = cached_curves(id, cell, &axis, page);
    let current_values = values_now(cell, &axis, page.page_state());
    caption_ui(ui, cell, &axis, &current_values, page);
    let height = cell.height.map_or(DEFAULT_HEIGHT, |height| height.0).clamp(100.0, 800.0);
    let (response, transform) = curves_ui(ui, id, cell, &axis, &curves, height, page.theme);
    paint_points(ui, cell, &curves, &transform, page.theme);
    let values_by_line: Vec<(usize, Option<f64>)> = formula_values(cell, &current_values).collect();
    paint_marker(ui, &axis, &values_by_line, &transform, page.theme);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(describe_curves(cell, &axis, &curves, &current_values));
    });
    let x_range = transform.frame().x_range();
    match &axis.over {
        PlotOver::Param(name) => {
            let low = value_at(&axis, &transform, x_range.min);
            let high = value_at(&axis, &transform, x_range.max);
            let rail = Rail { x: x_range, values: (low, high) };
            // If the angles differ, their value is NaN, so that pressing any
            // position is a change.
            let change = axis_scrub(&axis, name, f64::NAN)
                .drag_on_rail(ui, &response, rail, Some(axis.default))
                .or_else(|| axis_scrub(&axis, name, axis.default).find_change(ui, &response));
            page.change_param(name, change);
        }
        PlotOver::Path(path) => {
            let pointer = response.hover_pos().or(response.interact_pointer_pos());
            let nearest = pointer
                .and_then(|pointer| nearest_vertex(path, value_at(&axis, &transform, pointer.x)));
            if let Some(vertex) = nearest {
                page.link_response(&response, Entity::Vertex(vertex));
            }
        }
        PlotOver::Data => {}
    }
    for error in &curves.errors {
        ui.label(RichText::new(error).size(SMALL_SIZE).color(page.theme.wrong));
    }
}

/// Returns the value of the axis at a horizontal position on the screen.
fn value_at(axis: &Axis, transform: &PlotTransform, x: f32) -> f64 {
    axis.stored(transform.value_from_position(pos2(x, 0.0)).x)
}

/// Explains why the plot has no horizontal axis.
fn missing_axis_message(cell: &PlotCell, page: &PageContext<'_>) -> String {
    if let Some(driven) = page.derived.driven(&cell.sweep) {
        return format!(
            "“{}” follows {}: sweep what that depends on.",
            driven.name, driven.formula
        );
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

/// Returns the vertex of a path, given as vertices with their positions, whose
/// position is nearest to `x`. Returns `None` if the path is empty.
fn nearest_vertex(path: &[(u32, f64)], x: f64) -> Option<u32> {
    path.iter()
        .min_by(|(_, a), (_, b)| (a - x).abs().total_cmp(&(b - x).abs()))
        .map(|&(vertex, _)| vertex)
}

/// Last curves, with the key of their inputs.
#[derive(Default)]
struct CachedCurves(Option<(CurvesKey, Arc<PlotCurves>)>);

/// Returns the curves. Samples them again only if an input other than the swept
/// parameter has changed.
fn cached_curves(
    id: &str,
    cell: &PlotCell,
    axis: &Axis,
    page: &mut PageContext<'_>,
) -> Arc<PlotCurves> {
    let key = CurvesKey::new(cell, axis, page.page_state());
    if let Some((cached_key, curves)) = &page.state::<CachedCurves>(id).0
        && *cached_key == key
    {
        return Arc::clone(curves);
    }
    let curves = Arc::new(sample_curves(cell, axis, page.page_state()));
    page.state::<CachedCurves>(id).0 = Some((key, Arc::clone(&curves)));
    curves
}

/// Draws the caption with the legend, such as
/// `length of v2–v3 against joint 1   ── measured   -- 2 cos(a/2)`.
fn caption_ui(
    ui: &mut Ui,
    cell: &PlotCell,
    axis: &Axis,
    current_values: &[Option<f64>],
    page: &PageContext<'_>,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(16.0, 2.0);
        ui.label(page.theme.label(plot::caption(cell, axis)));
        for (index, (line, &value)) in cell.lines.iter().zip(current_values).enumerate() {
            let name = format_legend(line, axis, value);
            if cell.lines.len() > 1 {
                legend_entry_ui(ui, line, index, &name, page);
            } else {
                // A single line is for screen readers only, because the readout
                // in the plot shows its value.
                let (_, response) = ui.allocate_exact_size(vec2(1.0, 1.0), Sense::hover());
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
            }
        }
    });
}

/// Draws a line of the legend. `name` is its accessible name.
fn legend_entry_ui(ui: &mut Ui, line: &PlotLine, index: usize, name: &str, page: &PageContext<'_>) {
    let theme = page.theme;
    let mut face = Face::of_text(SMALL_SIZE, Emphasis::Plain, theme);
    face.line = 20.0;
    let label = PaintedLine::new(ui, line.label.line(), face, f32::INFINITY, page);
    let size = vec2(36.0 + label.size().x, label.size().y.max(20.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    let y = rect.center().y;
    let ends = [pos2(rect.left(), y), pos2(rect.left() + 28.0, y)];
    let stroke = line_stroke(theme, index);
    if line.points {
        let center = pos2(rect.left() + 14.0, y);
        ui.painter().circle_filled(center, POINT_RADIUS, stroke.color);
    } else if is_dashed(line, index) {
        ui.painter().extend(Shape::dashed_line(&ends, stroke, 7.0, 3.5));
    } else {
        ui.painter().line_segment(ends, stroke);
    }
    let top_left = pos2(rect.left() + 36.0, y - label.size().y / 2.0);
    label.paint(ui.painter(), top_left, theme);
}

/// Returns the number that the plot edits, which is the swept parameter. If its
/// angles differ, the value is `fallback`.
fn axis_scrub(axis: &Axis, name: &str, fallback: f64) -> Scrub {
    let label = format!("{} in the plot", axis.label);
    let scrub =
        Scrub::new(("plot", name), axis.now.unwrap_or(fallback), label).range(axis.from..=axis.to);
    match (axis.angle, axis.whole) {
        (true, _) => scrub.suffix("°").decimals(1),
        (false, true) => scrub.whole(),
        (false, false) => scrub.step(significant_digits::round_up((axis.to - axis.from) / 200.0)),
    }
}

/// Returns the stroke of a line: the accent colour for the first, then joint colours,
/// which differ from it, from each other and from the page.
fn line_stroke(theme: &Theme, index: usize) -> Stroke {
    let color = match index {
        0 => theme.accent,
        _ => theme.joint_line(JointIndex(index as u16)),
    };
    // All lines have the same width, so that the dashes of one cover another below.
    Stroke::new(2.5, color)
}

/// Draws the axes, the grid and the curves.
fn curves_ui(
    ui: &mut Ui,
    id: &str,
    cell: &PlotCell,
    axis: &Axis,
    curves: &PlotCurves,
    height: f32,
    theme: &Theme,
) -> (Response, PlotTransform) {
    let (low, high) = curves.values;
    let curves_height = (height - TICKS_HEIGHT - READOUT_HEIGHT - BOTTOM_MARGIN).max(20.0);
    let y_per_point = (high - low) / f64::from(curves_height);
    let bottom = low - y_per_point * f64::from(BOTTOM_MARGIN);
    let top = high + y_per_point * f64::from(READOUT_HEIGHT);
    let y_ticks = ticks(low - y_per_point, high + y_per_point, y_per_point * 34.0, false);
    let widest_y_label = y_ticks
        .iter()
        .map(|&tick| tick_label_width(ui, format_tick(tick, false), theme))
        .fold(RIGHT_MARGIN - 10.0, f32::max);
    let left_margin = widest_y_label + 10.0;
    let from = axis.shown(axis.from);
    let to = axis.shown(axis.to);
    let width = (ui.available_width() - RIGHT_MARGIN).max(80.0);
    let x_per_point = (to - from) / f64::from((width - left_margin).max(20.0));
    let is_angle = axis.angle;
    let widest_x_label = if is_angle { "−180°" } else { "−0.00" };
    let x_label_width = tick_label_width(ui, widest_x_label.to_owned(), theme);
    let x_ticks = ticks(from, to, x_per_point * f64::from(x_label_width + 20.0), is_angle);

    let x_axis = AxisHints::new_x().formatter(move |mark, _| tick_label(mark, is_angle));
    let y_axis = AxisHints::new_y().formatter(|mark, _| tick_label(mark, false));
    let plot = Plot::new(("plot", id))
        .width(width)
        .height(height)
        .custom_x_axes(vec![with_tick_style(x_axis, theme).min_thickness(TICKS_HEIGHT)])
        .custom_y_axes(vec![with_tick_style(y_axis, theme).min_thickness(left_margin)])
        .x_grid_spacer(move |_| grid_marks(&x_ticks))
        .y_grid_spacer(move |_| grid_marks(&y_ticks))
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
    let output = plot.show(ui, |plot| {
        plot.set_plot_bounds_x(from..=to);
        plot.set_plot_bounds_y(bottom..=top);
        for (index, (line, runs)) in cell.lines.iter().zip(&curves.lines).enumerate() {
            if line.points {
                continue;
            }
            for (run, points) in runs.iter().enumerate() {
                let mut curve = Line::new("", PlotPoints::from(points.clone()))
                    .id((index, run))
                    .stroke(line_stroke(theme, index))
                    .allow_hover(false);
                if is_dashed(line, index) {
                    curve = curve.style(LineStyle::Dashed { length: 9.0 });
                }
                plot.line(curve);
            }
        }
    });
    let cursor = match axis.over {
        PlotOver::Param(_) => CursorIcon::ResizeHorizontal,
        PlotOver::Path(_) => CursorIcon::PointingHand,
        PlotOver::Data => CursorIcon::Default,
    };
    let response = output.response.on_hover_cursor(cursor);
    if let PlotOver::Param(name) = &axis.over {
        axis_scrub(axis, name, axis.default).describe(ui, &response, Role::Slider);
    } else {
        let name = plot::caption(cell, axis);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    }
    (response, output.transform)
}

fn grid_marks(ticks: &[Tick]) -> Vec<GridMark> {
    ticks.iter().map(|tick| GridMark { value: tick.value, step_size: tick.step }).collect()
}

fn tick_label(mark: GridMark, degrees: bool) -> String {
    format_tick(Tick { value: mark.value, step: mark.step_size }, degrees)
}

fn tick_label_width(ui: &Ui, text: String, theme: &Theme) -> f32 {
    let font = FontId::proportional(CAPTION_SIZE);
    ui.painter().layout_no_wrap(text, font, theme.quiet).size().x
}

fn with_tick_style(hints: AxisHints<'static>, theme: &Theme) -> AxisHints<'static> {
    hints
        .tick_label_font(FontId::proportional(CAPTION_SIZE))
        .tick_label_color(theme.quiet)
        .label_spacing(0.0..=1.0)
}

/// Paints the numbers of table columns as points. Points at the edge of the frame
/// are not clipped.
fn paint_points(
    ui: &Ui,
    cell: &PlotCell,
    curves: &PlotCurves,
    transform: &PlotTransform,
    theme: &Theme,
) {
    let frame = transform.frame().expand(1.0);
    for (index, (line, runs)) in cell.lines.iter().zip(&curves.lines).enumerate() {
        for &[x, y] in runs.iter().flatten().filter(|_| line.points) {
            let at = pos2(transform.position_from_point_x(x), transform.position_from_point_y(y));
            if frame.contains(at) {
                let color = line_stroke(theme, index).color;
                ui.painter().circle_filled(at, POINT_RADIUS, color);
            }
        }
    }
}

/// Paints a vertical line at the current position of the axis, a point on each curve
/// and the readout. `values` are the current values of lines, by their index.
fn paint_marker(
    ui: &Ui,
    axis: &Axis,
    values: &[(usize, Option<f64>)],
    transform: &PlotTransform,
    theme: &Theme,
) {
    let frame = *transform.frame();
    let position = axis.now.unwrap_or(axis.default);
    let is_in_range = axis.now.is_some() && (axis.from..=axis.to).contains(&position);
    let x =
        transform.position_from_point_x(axis.shown(position)).clamp(frame.left(), frame.right());
    if is_in_range {
        let ends = [pos2(x, frame.top()), pos2(x, frame.bottom())];
        ui.painter().line_segment(ends, Stroke::new(1.0, theme.quiet));
        for &(index, value) in values.iter().rev() {
            let at = value.map(|value| pos2(x, transform.position_from_point_y(value)));
            if let Some(at) = at.filter(|&at| frame.expand(1.0).contains(at)) {
                paint_marker_point(ui, at, index, theme);
            }
        }
    }
    let Some(galley) = readout_galley(ui, axis, values, theme) else {
        return;
    };
    let size = galley.size();
    let fits_at_right = x + 8.0 + size.x <= frame.right() + RIGHT_MARGIN;
    let left = if fits_at_right { x + 8.0 } else { (x - 8.0 - size.x).max(frame.left()) };
    ui.painter().galley(pos2(left, frame.top()), galley, theme.ink);
}

/// Paints a dot for the first line and rings of growing size for the others, so that
/// all are visible in the same place.
fn paint_marker_point(ui: &Ui, at: Pos2, index: usize, theme: &Theme) {
    let color = line_stroke(theme, index).color;
    if index == 0 {
        let edge = Stroke::new(2.0, theme.paper);
        ui.painter().circle(at, 6.0, color, edge);
    } else {
        let radius = 6.0 + 2.5 * index as f32;
        ui.painter().circle(at, radius, theme.paper, Stroke::new(2.5, color));
    }
}

/// Lays out the readout, with numbers that differ in the colours of their lines.
/// Returns `None` if there is nothing to read out.
fn readout_galley(
    ui: &Ui,
    axis: &Axis,
    values: &[(usize, Option<f64>)],
    theme: &Theme,
) -> Option<Arc<Galley>> {
    if values.is_empty() {
        return None;
    }
    let font = font::strong(SMALL_SIZE);
    let numbers: Vec<Option<f64>> = values.iter().map(|&(_, value)| value).collect();
    let text = format_readout(axis, &numbers);
    if text.is_empty() {
        return None;
    }
    let number_texts: Vec<String> = numbers.iter().map(|&value| format_value(value)).collect();
    // The readout lists equal numbers once, and then does not start with all of them.
    let suffix = text.strip_prefix(&number_texts.join(", "));
    let mut job = LayoutJob::default();
    if let Some(suffix) = suffix.filter(|_| numbers.len() > 1) {
        for (position, (number, &(index, _))) in number_texts.iter().zip(values).enumerate() {
            let gap = if position == 0 { 0.0 } else { 10.0 };
            let format = TextFormat::simple(font.clone(), line_stroke(theme, index).color);
            job.append(number, gap, format);
        }
        job.append(suffix, 0.0, TextFormat::simple(font, theme.ink));
    } else {
        job.append(&text, 0.0, TextFormat::simple(font, theme.ink));
    }
    Some(ui.painter().layout_job(job))
}

#[cfg(test)]
mod tests;
