//! Figures: plots as drawings, the curves along the axis with the value at which the step
//! opens; and pictures that lessons bring along, as their files are.

use std::fmt::Write as _;

use bindpose_lesson::{PictureCell, PictureContent, PlotCell};
use bindpose_notebook::PageState;
use bindpose_notebook::plot::{
    Axis, Tick, caption, curve_words, followed, is_dashed, sampled, tick_words, ticks, told,
    values_now,
};

use super::html::{HtmlPlace, OpenedStep, escaped};
use super::writer::HandoutWriter;

/// Of the drawing, in points.
const SIZE: [f64; 2] = [640.0, 250.0];
/// Room around the frame for ticks: left, top, right, bottom.
const ROOM: [f64; 4] = [52.0, 12.0, 24.0, 26.0];
/// Points between ticks, at least.
const BETWEEN: [f64; 2] = [64.0, 34.0];

/// From numbers to points of the drawing.
struct PlotAxes {
    x: (f64, f64),
    y: (f64, f64),
}

impl PlotAxes {
    fn x(&self, value: f64) -> f64 {
        let part = (value - self.x.0) / (self.x.1 - self.x.0);
        ROOM[0] + part * (SIZE[0] - ROOM[0] - ROOM[2])
    }

    fn y(&self, value: f64) -> f64 {
        let part = (value - self.y.0) / (self.y.1 - self.y.0);
        // What leaves the frame leaves it by a little, however far it goes.
        let part = part.clamp(-1.0, 2.0);
        SIZE[1] - ROOM[3] - part * (SIZE[1] - ROOM[1] - ROOM[3])
    }

    fn per_point(&self) -> [f64; 2] {
        [
            (self.x.1 - self.x.0) / (SIZE[0] - ROOM[0] - ROOM[2]),
            (self.y.1 - self.y.0) / (SIZE[1] - ROOM[1] - ROOM[3]),
        ]
    }
}

/// Writes the cell; `labels` are those of its lines, as HTML.
pub(super) fn plot(out: &mut String, cell: &PlotCell, labels: &[String], page: PageState<'_>) {
    let Some(axis) = Axis::new(cell, page) else {
        return;
    };
    let curves = sampled(cell, &axis, page);
    let now = values_now(cell, &axis, page);
    let (low, high) = curves.values;
    let margin = 0.04 * (high - low);
    let axes = PlotAxes {
        x: (axis.shown(axis.from), axis.shown(axis.to)),
        y: (low - margin, high + margin),
    };
    let [width, height] = SIZE;
    let words = escaped(&curve_words(cell, &axis, &curves, &now)).into_owned();
    let _ = writeln!(
        out,
        "<figure class=\"plot\"><figcaption>{}</figcaption>\n\
         <svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{words}\">",
        escaped(&caption(cell, &axis))
    );
    grid(out, &axes, axis.angle);
    for (index, (line, runs)) in cell.lines.iter().zip(&curves.lines).enumerate() {
        let dashed = if is_dashed(line, index) { " dashed" } else { "" };
        if line.points {
            points(out, &axes, index, runs);
            continue;
        }
        for run in runs {
            let _ = write!(out, "<polyline class=\"curve p{}{dashed}\" points=\"", index % 6);
            for &[x, y] in run {
                let _ = write!(out, "{:.1},{:.1} ", axes.x(x), axes.y(y));
            }
            out.push_str("\"/>\n");
        }
    }
    let told: Vec<(usize, Option<f64>)> = followed(cell, &now).collect();
    marker(out, &axes, &axis, &told);
    out.push_str("</svg>\n");
    legend(out, cell, labels, &axis, &now);
    out.push_str("</figure>\n");
}

/// Each number of a column.
fn points(out: &mut String, axes: &PlotAxes, index: usize, runs: &[Vec<[f64; 2]>]) {
    for &[x, y] in runs.iter().flatten() {
        let (x, y) = (axes.x(x), axes.y(y));
        let class = index % 6;
        let _ =
            write!(out, "<circle class=\"point p{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
    }
    out.push('\n');
}

fn grid(out: &mut String, axes: &PlotAxes, angle: bool) {
    let [x_per_point, y_per_point] = axes.per_point();
    let (left, right) = (ROOM[0], SIZE[0] - ROOM[2]);
    let bottom = SIZE[1] - ROOM[3];
    let across = ticks(axes.y.0, axes.y.1, y_per_point * BETWEEN[1], false);
    for tick in across {
        let y = axes.y(tick.value);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            left - 8.0,
            y + 4.0,
            tick_words(tick, false)
        );
    }
    let along: Vec<Tick> = ticks(axes.x.0, axes.x.1, x_per_point * BETWEEN[0], angle);
    for tick in along {
        let _ = write!(
            out,
            "<text class=\"tick middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            axes.x(tick.value),
            bottom + 18.0,
            tick_words(tick, angle)
        );
    }
    out.push('\n');
}

/// A hairline where the parameter stands, and a point on each curve.
fn marker(out: &mut String, axes: &PlotAxes, axis: &Axis, now: &[(usize, Option<f64>)]) {
    let Some(at) = axis.now.filter(|at| (axis.from..=axis.to).contains(at)) else {
        return;
    };
    let x = axes.x(axis.shown(at));
    let (top, bottom) = (ROOM[1], SIZE[1] - ROOM[3]);
    let _ = write!(
        out,
        "<line class=\"now\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>"
    );
    for &(index, value) in now.iter().rev() {
        if let Some(value) = value {
            let radius = 4.5 + 2.5 * index as f64;
            let _ = write!(
                out,
                "<circle class=\"point p{}\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>",
                index % 6,
                axes.y(value)
            );
        }
    }
    out.push('\n');
}

/// The lines by name, each with its value at the start.
fn legend(out: &mut String, cell: &PlotCell, labels: &[String], axis: &Axis, now: &[Option<f64>]) {
    out.push_str("<ul class=\"legend\">");
    let lines = cell.lines.iter().zip(labels).zip(now);
    for (index, ((line, label), value)) in lines.enumerate() {
        let class = index % 6;
        let key = match (line.points, is_dashed(line, index)) {
            (true, _) => format!("<circle class=\"point p{class}\" cx=\"14\" cy=\"4\" r=\"3\"/>"),
            (false, dashed) => format!(
                "<line class=\"curve p{class}{}\" x1=\"0\" x2=\"28\" y1=\"4\" y2=\"4\"/>",
                if dashed { " dashed" } else { "" }
            ),
        };
        let _ = write!(
            out,
            "<li><svg class=\"key\" viewBox=\"0 0 28 8\" aria-hidden=\"true\">{key}</svg>{label}{}</li>",
            escaped(&told(line, axis, *value))
        );
    }
    out.push_str("</ul>\n");
}

impl HandoutWriter<'_> {
    /// Writes a picture with its caption. One that cannot be read leaves its words.
    pub(super) fn given_picture(
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
        let shown = match picture.width {
            Some(part) => format!("{:.0}%", 100.0 * part),
            None => format!("{width:.0}px"),
        };
        let place = format!("width:{shown};max-width:100%;aspect-ratio:{width}/{height}");
        out.push_str("<figure class=\"picture given\">");
        let _ = match self.place {
            HtmlPlace::Paper => write!(out, "{}", self.image_of(picture, content, &place)),
            HtmlPlace::Pages | HtmlPlace::OneFile => write!(
                out,
                "<div class=\"still\" style=\"{place}\">{}</div>",
                self.image_of(picture, content, "width:100%")
            ),
        };
        if let Some(caption) = &picture.caption {
            let caption = self.line(caption, opened);
            let _ = write!(out, "<figcaption>{caption}</figcaption>");
        }
        out.push_str("</figure>\n");
    }

    fn image_of(&mut self, picture: &PictureCell, content: &PictureContent, style: &str) -> String {
        let [width, height] = content.size;
        let source = (self.address)(content.format, &content.bytes);
        let dark = picture.dark.as_ref().and_then(|dark| dark.content.as_ref());
        // On a dark page, dark lines would be lost.
        let plated = if dark.is_none() && content.see_through { " class=\"plated\"" } else { "" };
        let image = format!(
            "<img{plated} width=\"{width:.0}\" height=\"{height:.0}\" \
             style=\"{style}\" alt=\"{}\" src=\"{source}\">",
            escaped(&picture.alt)
        );
        match dark {
            Some(dark) => {
                let dark = (self.address)(dark.format, &dark.bytes);
                let media = "screen and (prefers-color-scheme: dark)";
                format!("<picture><source media=\"{media}\" srcset=\"{dark}\">{image}</picture>")
            }
            None => image,
        }
    }
}
