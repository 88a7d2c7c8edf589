//! One texel of the joint palette: its colour, its four numbers, and what a
//! shader reads from it.

use bindpose_notebook::significant_digits::{self, Magnitude};
use bindpose_notebook::{number_text, palette_texture::PaletteTexture};
use bindpose_skin::JointIndex;
use eframe::egui::{
    self, Color32, FontId, Rect, Stroke, StrokeKind, Ui, Vec2, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};
use glam::{Mat4, Vec4};

use crate::theme::{CAPTION, SMALL, Theme, font};

/// What the columns of a matrix say.
pub(super) const MEANING: [&str; 4] = ["x axis", "y axis", "z axis", "origin"];
const FONT: f32 = CAPTION;
const LINE: f32 = 16.0;
/// Around the numbers, left and right together.
const PAD: f32 = 14.0;
/// Of numbers about 1.
pub(super) const DECIMALS: usize = 2;
/// Of a channel from 0 to 255: where 0 is, and how far 1 is from it. A light
/// grey and not the whole range, so that the page stays calm.
const MIDDLE: f32 = 148.0;
const REACH: f32 = 80.0;

/// How the four numbers of every texel are laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexelShape {
    /// Lines of numbers: 1, 2 or 4; 0 when there is no room for any.
    pub(super) lines: usize,
    /// Characters of a number.
    pub(super) digits: usize,
    /// How large the numbers are, in all texels together.
    pub(super) magnitude: Magnitude,
}

impl TexelShape {
    /// As few lines as have room in `width` points. `size`: of the model, in
    /// world units.
    pub(super) fn fitting(ui: &Ui, width: f32, palette: &[Mat4], size: f64) -> Self {
        let of_places = Magnitude { linear: 0.0, translation: size };
        let magnitude = palette
            .iter()
            .map(|matrix| Magnitude::from_matrix(matrix, size))
            .fold(of_places, Magnitude::and);
        let digits = (0..4)
            .map(|column| {
                let largest = palette.iter().map(|matrix| matrix.col(column).abs());
                let largest = largest.map(Vec4::max_element).filter(|x| x.is_finite());
                let largest = largest.fold(1.0_f32, f32::max);
                number_text::fixed(-f64::from(largest), decimals(magnitude, column)).chars().count()
            })
            .max()
            .unwrap_or_default();
        let one = ui.painter().layout_no_wrap("0".to_owned(), font(), Color32::BLACK);
        let room = ((width - PAD) / one.size().x.max(1.0)).floor() as usize;
        let lines = [1, 2, 4].into_iter().find(|&lines| {
            let on_a_line = 4 / lines;
            on_a_line * digits + (on_a_line - 1) <= room
        });
        Self { lines: lines.unwrap_or(0), digits, magnitude }
    }

    /// Are the axes about as long as if nothing scaled them?
    pub(super) fn is_about_1(self) -> bool {
        significant_digits::unit(self.magnitude.linear) == 1.0
    }

    /// Height of a texel, in points.
    pub(super) fn height(self) -> f32 {
        LINE * self.lines.max(1) as f32 + 12.0
    }
}

/// Digits after the point of the numbers in a column of texels.
pub(super) fn decimals(magnitude: Magnitude, column: usize) -> usize {
    significant_digits::decimals(magnitude.of_column(column), DECIMALS)
}

fn font() -> FontId {
    FontId::monospace(FONT)
}

/// The colour of a texel: its first three numbers as red, green and blue, from
/// −1 to 1 around grey. Axes and places are divided by `sizes` first.
pub(super) fn tint(column: usize, value: Vec4, sizes: Sizes) -> Color32 {
    let size = if column == 3 { sizes.place } else { sizes.axis };
    let scaled = value.truncate() / size;
    let channel = |number: f32| {
        let number = if number.is_finite() { number } else { 0.0 };
        (MIDDLE + REACH * number.clamp(-1.0, 1.0)).round() as u8
    };
    Color32::from_rgb(channel(scaled.x), channel(scaled.y), channel(scaled.z))
}

/// What gets the brightest and the darkest colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    /// 1, or the power of ten of a model that is scaled.
    pub(super) axis: f32,
    /// A round number that no coordinate of the model exceeds.
    pub(super) place: f32,
}

/// `0.50, 0.87, 0.00, 0.00`: with so many digits after the point.
pub(super) fn words(value: Vec4, decimals: usize) -> String {
    value.to_array().map(|number| number_text::fixed(number.into(), decimals)).join(", ")
}

/// Is what the shader gets something else than what was meant, in numbers of
/// this magnitude?
pub(super) fn is_off(
    palette: &PaletteTexture<'_>,
    magnitude: Magnitude,
    joint: JointIndex,
    column: usize,
) -> bool {
    let largest = magnitude.of_column(column) as f32;
    let Some(meant) = palette.world_from_bind.get(joint.index()) else {
        return false;
    };
    let pairs = palette.read(joint, column).to_array().into_iter();
    pairs.zip(meant.col(column).to_array()).any(|(read, meant)| {
        // Filtering at a centre may cost a last digit. NaN is no fault of the way.
        let near = (read - meant).abs() <= 1e-6 * meant.abs().max(largest);
        !(near || read == meant || (read.is_nan() && meant.is_nan()))
    })
}

/// What there is to say about a texel besides its numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TexelMarks {
    /// Pointed at, here or elsewhere.
    pub(super) lit: bool,
    /// The one that is changed below.
    pub(super) chosen: bool,
    /// Not what was meant.
    pub(super) off: bool,
    /// A number of the reader's.
    pub(super) edited: bool,
}

/// Paints the colour, the numbers and the marks.
pub(super) fn paint(
    ui: &Ui,
    theme: &Theme,
    rect: Rect,
    fill: Color32,
    (column, value): (usize, Vec4),
    shape: TexelShape,
    marks: TexelMarks,
) {
    let painter = ui.painter();
    if marks.lit {
        painter.rect_filled(rect.expand(4.0), 9.0, theme.lit);
    }
    painter.rect_filled(rect, 6.0, fill);
    let frame = if marks.lit {
        Some(Stroke::new(2.0, theme.ink))
    } else if marks.off {
        Some(Stroke::new(2.0, theme.wrong))
    } else {
        marks.chosen.then_some(Stroke::new(1.5, theme.accent))
    };
    if let Some(stroke) = frame {
        painter.rect_stroke(rect, 6.0, stroke, StrokeKind::Outside);
    }
    if marks.off {
        let corner = rect.right_top() + vec2(1.0, -1.0);
        let triangle = vec![corner - vec2(14.0, 0.0), corner, corner + vec2(0.0, 14.0)];
        painter.add(egui::Shape::convex_polygon(triangle, theme.wrong, Stroke::NONE));
    }
    if marks.edited {
        let at = rect.left_top() + vec2(8.0, 8.0);
        painter.circle(at, 4.0, theme.accent, Stroke::new(1.5, theme.paper));
    }
    if shape.lines == 0 {
        return;
    }
    let decimals = decimals(shape.magnitude, column);
    let numbers = value.to_array().map(|number| {
        let text = number_text::fixed(number.into(), decimals);
        format!("{text:>width$}", width = shape.digits)
    });
    let lines: Vec<String> = numbers.chunks(4 / shape.lines).map(|line| line.join(" ")).collect();
    let height = LINE * lines.len() as f32;
    let top = rect.center().y - height / 2.0;
    for (index, line) in lines.into_iter().enumerate() {
        let ink = ink_on(theme, fill);
        let galley = ui.painter().layout_no_wrap(line, font(), ink);
        // Numbers lead with room for a minus: the half of it balances the rest.
        let left = rect.center().x - galley.size().x / 2.0 - 2.0;
        let inside = (LINE - galley.size().y) / 2.0;
        let at = pos2(left, top + LINE * index as f32 + inside);
        ui.painter().galley(at, galley, ink);
    }
}

/// As the theme says, but full black: on a mid colour nothing less can be read.
fn ink_on(theme: &Theme, fill: Color32) -> Color32 {
    match theme.on(fill) {
        Color32::WHITE => Color32::WHITE,
        _ => Color32::BLACK,
    }
}

/// What a WebGL 2 shader writes to read the texel.
pub(super) fn call_by_place(joint: JointIndex, column: usize) -> String {
    format!("texelFetch(palette, ivec2({column}, {}), 0)", joint.0)
}

/// What a WebGL 1 shader writes, and the values it comes to.
pub(super) fn call_by_coordinates(
    joint: JointIndex,
    column: usize,
    rows: usize,
    edge: bool,
) -> String {
    let [u, v] = [coordinate(column, 4, edge), coordinate(joint.index(), rows, edge)];
    format!("texture2D(palette, vec2({u}, {v}))")
}

/// `0.375`: the middle of texel 1 of 4, or `0.250`, its edge.
pub(super) fn coordinate(index: usize, count: usize, edge: bool) -> String {
    let into = if edge { 0.0 } else { 0.5 };
    number_text::fixed((index as f64 + into) / count.max(1) as f64, 3)
}

/// `texelFetch(…) = (0.00, 2.00, 0.00, 1.00)`, the result in bold.
pub(super) fn equation(theme: &Theme, call: &str, result: &str, width: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let plain = FontId::monospace(SMALL);
    let strong = font::mono_strong(SMALL);
    job.append(call, 0.0, TextFormat::simple(plain.clone(), theme.ink));
    job.append(" = ", 0.0, TextFormat::simple(plain, theme.quiet));
    job.append(result, 0.0, TextFormat::simple(strong, theme.ink));
    job.wrap.max_width = width;
    job
}

/// `column 3 of joint 1: where the origin goes`
pub(super) fn meaning(joint: JointIndex, column: usize) -> String {
    let what = MEANING.get(column).copied().unwrap_or_default();
    format!("column {column} of joint {}: where the {what} goes", joint.0)
}

/// The texel within its cell of the table.
pub(super) fn inset(cell: Rect) -> Rect {
    cell.shrink2(vec2(3.0, 3.0))
}

/// Points between the texels, both ways.
pub(super) const GAP: Vec2 = vec2(6.0, 6.0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_colours_around_grey() {
        let sizes = Sizes { axis: 1.0, place: 10.0 };
        let of = |x, y, z| tint(0, Vec4::new(x, y, z, 0.0), sizes).to_array();
        assert_eq!(of(0.0, 0.0, 0.0), [148, 148, 148, 255]);
        assert_eq!(of(1.0, 0.0, -1.0), [228, 148, 68, 255]);
        assert_eq!(of(9.0, f32::NAN, -9.0), [228, 148, 68, 255]);
        let origin = tint(3, Vec4::new(5.0, -10.0, 0.0, 1.0), sizes);
        assert_eq!(origin.to_array(), [188, 68, 148, 255]);
    }

    #[test]
    fn numbers_can_be_read_on_every_colour() {
        let theme = Theme::light();
        for steps in 0..11_u8.pow(2) {
            let (x, y) = (f32::from(steps % 11), f32::from(steps / 11));
            let sizes = Sizes { axis: 1.0, place: 1.0 };
            let fill = tint(0, Vec4::new(x / 5.0 - 1.0, y / 5.0 - 1.0, 0.0, 0.0), sizes);
            let ratio = crate::theme::contrast(ink_on(&theme, fill), fill);
            assert!(ratio >= 4.5, "{fill:?}: {ratio}");
        }
    }

    #[test]
    fn a_texel_is_read_by_its_place_or_by_its_centre() {
        let joint = JointIndex(1);
        let call = call_by_place(joint, 3);
        assert_eq!(call, "texelFetch(palette, ivec2(3, 1), 0)");
        let call = call_by_coordinates(joint, 3, 3, false);
        assert_eq!(call, "texture2D(palette, vec2(0.875, 0.500))");
        let call = call_by_coordinates(joint, 3, 3, true);
        assert_eq!(call, "texture2D(palette, vec2(0.750, 0.333))");
        assert_eq!(words(Vec4::new(0.0, -2.0, 0.0, 1.0), DECIMALS), "0.00, −2.00, 0.00, 1.00");
    }
}
