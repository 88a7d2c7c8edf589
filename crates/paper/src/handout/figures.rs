//! Plots as SVG, with a marker at the value at which the step opens, and the pictures that lessons
//! bring along.

use std::fmt::Write as _;

use bindpose_lesson::{PictureCell, PictureContent, PlotCell};
use bindpose_notebook::PageState;
use bindpose_notebook::plot::{
    Axis, caption, describe_curves, format_legend_value, format_tick, formula_values, is_dashed,
    sample_curves, ticks, values_now,
};

use super::html::{HtmlTarget, escaped};
use super::pages::OpenedStep;
use super::writer::HandoutWriter;

/// Width and height of a plot in points.
const PLOT_SIZE: [f64; 2] = [640.0, 250.0];
/// Space around the frame for tick labels, in points.
const LEFT_MARGIN: f64 = 52.0;
const TOP_MARGIN: f64 = 12.0;
const RIGHT_MARGIN: f64 = 24.0;
const BOTTOM_MARGIN: f64 = 26.0;
/// Edges of the frame in points.
const LEFT: f64 = LEFT_MARGIN;
const TOP: f64 = TOP_MARGIN;
const RIGHT: f64 = PLOT_SIZE[0] - RIGHT_MARGIN;
const BOTTOM: f64 = PLOT_SIZE[1] - BOTTOM_MARGIN;
/// Minimum distance between ticks of the x axis and of the y axis, in points.
const MIN_X_TICK_DISTANCE: f64 = 64.0;
const MIN_Y_TICK_DISTANCE: f64 = 34.0;
/// Number of curve colors in the style sheet.
const CURVE_COLORS: usize = 6;

/// Ranges of the values on both axes. Maps values to points of the drawing.
struct PlotAxes {
    x_range: (f64, f64),
    y_range: (f64, f64),
}

impl PlotAxes {
    fn x_to_points(&self, value: f64) -> f64 {
        let fraction = (value - self.x_range.0) / (self.x_range.1 - self.x_range.0);
        LEFT + fraction * (RIGHT - LEFT)
    }

    fn y_to_points(&self, value: f64) -> f64 {
        let fraction = (value - self.y_range.0) / (self.y_range.1 - self.y_range.0);
        // The clamp limits how far a curve leaves the frame.
        BOTTOM - fraction.clamp(-1.0, 2.0) * (BOTTOM - TOP)
    }

    fn x_per_point(&self) -> f64 {
        (self.x_range.1 - self.x_range.0) / (RIGHT - LEFT)
    }

    fn y_per_point(&self) -> f64 {
        (self.y_range.1 - self.y_range.0) / (BOTTOM - TOP)
    }
}

/// Writes a plot. `labels` are the labels of its lines as HTML.
pub(super) fn write_plot(
    out: &mut String,
    cell: &PlotCell,
    labels: &[String],
    page: PageState<'_>,
) {
    let Some(axis) = Axis::new(cell, page) else {
        return;
    };
    let curves = sample_curves(cell, &axis, page);
    let current_values = values_now(cell, &axis, page);
    let (low, high) = curves.values;
    let margin = 0.04 * (high - low);
    let axes = PlotAxes {
        x_range: (axis.shown(axis.from), axis.shown(axis.to)),
        y_range: (low - margin, high + margin),
    };
    let [width, height] = PLOT_SIZE;
    let words = describe_curves(cell, &axis, &curves, &current_values);
    let _ = writeln!(
        out,
        "<figure class=\"plot\"><figcaption>{}</figcaption>\n\
         <svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escaped(&caption(cell, &axis)),
        escaped(&words)
    );
    write_grid(out, &axes, axis.angle);
    for (index, (line, runs)) in cell.lines.iter().zip(&curves.lines).enumerate() {
        if line.points {
            write_samples(out, &axes, index, runs);
            continue;
        }
        let color = index % CURVE_COLORS;
        let dashed = if is_dashed(line, index) { " dashed" } else { "" };
        for run in runs {
            let _ = write!(out, "<polyline class=\"curve p{color}{dashed}\" points=\"");
            for &[x, y] in run {
                let _ = write!(out, "{:.1},{:.1} ", axes.x_to_points(x), axes.y_to_points(y));
            }
            out.push_str("\"/>\n");
        }
    }
    write_marker(out, &axes, &axis, cell, &current_values);
    out.push_str("</svg>\n");
    write_legend(out, cell, labels, &axis, &current_values);
    out.push_str("</figure>\n");
}

/// Writes the samples of a line that is drawn as points.
fn write_samples(out: &mut String, axes: &PlotAxes, index: usize, runs: &[Vec<[f64; 2]>]) {
    let color = index % CURVE_COLORS;
    for &[x, y] in runs.iter().flatten() {
        let x = axes.x_to_points(x);
        let y = axes.y_to_points(y);
        let _ =
            write!(out, "<circle class=\"point p{color}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
    }
    out.push('\n');
}

/// Writes horizontal grid lines and the tick labels of both axes.
fn write_grid(out: &mut String, axes: &PlotAxes, is_angle: bool) {
    let (low, high) = axes.y_range;
    for tick in ticks(low, high, axes.y_per_point() * MIN_Y_TICK_DISTANCE, false) {
        let y = axes.y_to_points(tick.value);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            format_tick(tick, false)
        );
    }
    let (low, high) = axes.x_range;
    for tick in ticks(low, high, axes.x_per_point() * MIN_X_TICK_DISTANCE, is_angle) {
        let _ = write!(
            out,
            "<text class=\"tick middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            axes.x_to_points(tick.value),
            BOTTOM + 18.0,
            format_tick(tick, is_angle)
        );
    }
    out.push('\n');
}

/// Writes a vertical line at the current value of the x axis and a point on each curve.
fn write_marker(
    out: &mut String,
    axes: &PlotAxes,
    axis: &Axis,
    cell: &PlotCell,
    current_values: &[Option<f64>],
) {
    let Some(current) = axis.now.filter(|value| (axis.from..=axis.to).contains(value)) else {
        return;
    };
    let x = axes.x_to_points(axis.shown(current));
    let _ = write!(
        out,
        "<line class=\"now\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{BOTTOM}\"/>"
    );
    // Later curves get larger points, written first, so that equal values are all visible.
    for (index, value) in formula_values(cell, current_values).rev() {
        if let Some(value) = value {
            let color = index % CURVE_COLORS;
            let radius = 4.5 + 2.5 * index as f64;
            let y = axes.y_to_points(value);
            let _ = write!(
                out,
                "<circle class=\"point p{color}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
            );
        }
    }
    out.push('\n');
}

/// Writes the labels of the lines, each with a sample of its style and its current value.
fn write_legend(
    out: &mut String,
    cell: &PlotCell,
    labels: &[String],
    axis: &Axis,
    current_values: &[Option<f64>],
) {
    out.push_str("<ul class=\"legend\">");
    for (index, line) in cell.lines.iter().enumerate() {
        let Some(label) = labels.get(index) else { continue };
        let Some(current) = current_values.get(index) else { continue };
        let color = index % CURVE_COLORS;
        let sample = if line.points {
            format!("<circle class=\"point p{color}\" cx=\"14\" cy=\"4\" r=\"3\"/>")
        } else {
            let dashed = if is_dashed(line, index) { " dashed" } else { "" };
            format!("<line class=\"curve p{color}{dashed}\" x1=\"0\" x2=\"28\" y1=\"4\" y2=\"4\"/>")
        };
        let _ = write!(
            out,
            "<li><svg class=\"key\" viewBox=\"0 0 28 8\" aria-hidden=\"true\">{sample}</svg>{label}{}</li>",
            escaped(&format_legend_value(line, axis, *current))
        );
    }
    out.push_str("</ul>\n");
}

// ----------------------------------------------------------------------------
// Pictures of lessons.

impl HandoutWriter<'_> {
    /// Writes a picture with its caption, or its text alternative if the file could not be read.
    pub(super) fn write_lesson_picture(
        &mut self,
        out: &mut String,
        picture: &PictureCell,
        opened: &OpenedStep<'_>,
    ) {
        let Some(content) = &picture.file.content else {
            let _ = writeln!(out, "<p class=\"aside\">{}</p>", escaped(&picture.alt));
            return;
        };
        let [width, height] = content.size;
        let css_width = match picture.width {
            Some(fraction) => format!("{:.0}%", 100.0 * fraction.0),
            None => format!("{width:.0}px"),
        };
        let style = format!("width:{css_width};max-width:100%;aspect-ratio:{width}/{height}");
        out.push_str("<figure class=\"picture given\">");
        match self.target {
            HtmlTarget::Paper => {
                out.push_str(&self.lesson_picture_html(picture, content, &style));
            }
            HtmlTarget::SitePages | HtmlTarget::SingleFile => {
                let image = self.lesson_picture_html(picture, content, "width:100%");
                let _ = write!(out, "<div class=\"still\" style=\"{style}\">{image}</div>");
            }
        }
        if let Some(caption) = &picture.caption {
            let caption = self.line_html(caption, opened);
            let _ = write!(out, "<figcaption>{caption}</figcaption>");
        }
        out.push_str("</figure>\n");
    }

    /// Returns an `img` element, in a `picture` element if there is a version for dark mode.
    fn lesson_picture_html(
        &mut self,
        picture: &PictureCell,
        content: &PictureContent,
        style: &str,
    ) -> String {
        let [width, height] = content.size;
        let url = (self.picture_url)(content.format, &content.bytes);
        let dark = picture.dark.as_ref().and_then(|dark| dark.content.as_ref());
        // Dark lines on a transparent background would be invisible in dark mode, so such pictures
        // get a light background.
        let plated = if dark.is_none() && content.see_through { " class=\"plated\"" } else { "" };
        let image = format!(
            "<img{plated} width=\"{width:.0}\" height=\"{height:.0}\" \
             style=\"{style}\" alt=\"{}\" src=\"{url}\">",
            escaped(&picture.alt)
        );
        let Some(dark) = dark else { return image };
        let dark_url = (self.picture_url)(dark.format, &dark.bytes);
        format!(
            "<picture><source media=\"screen and (prefers-color-scheme: dark)\" \
             srcset=\"{dark_url}\">{image}</picture>"
        )
    }
}
