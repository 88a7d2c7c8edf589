//! One texel of the joint palette: its colour, its four numbers, and the GLSL that reads it.

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_lesson::number_text;
use bindpose_lesson::significant_digits::{self, Magnitude};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Color32, FontId, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};
use glam::{Mat4, Vec4};

/// Names of the columns of a joint matrix.
pub(super) const COLUMN_NAMES: [&str; 4] = ["x axis", "y axis", "z axis", "origin"];
const LINE_HEIGHT_PTS: f32 = 16.0;
/// Space left and right of the numbers, both together.
const PADDING_PTS: f32 = 14.0;
/// Space between texels in both directions, in points.
pub(super) const GAP_PTS: Vec2 = vec2(6.0, 6.0);
/// Decimals of numbers about 1.
pub(super) const USUAL_DECIMALS: usize = 2;
/// Colour channel of the number 0. A light grey, so that the page stays calm.
const CHANNEL_OF_ZERO: f32 = 148.0;
/// Difference between the colour channels of the numbers 0 and 1. Less than the full range
/// for the same reason.
const CHANNEL_RANGE: f32 = 80.0;

/// Layout of the four numbers, the same in every texel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexelLayout {
    /// Number of lines: 1, 2 or 4. 0 if there is no room for numbers.
    pub(super) line_count: usize,
    /// Width of a number in characters.
    pub(super) number_chars: usize,
    /// Magnitude of the numbers of all texels together.
    pub(super) magnitude: Magnitude,
}

impl TexelLayout {
    /// Lays out the numbers in as few lines as fit into `width` points. `model_size` is in
    /// world units.
    pub(super) fn fit(ui: &Ui, width: f32, palette: &[Mat4], model_size: f64) -> Self {
        let magnitude = palette
            .iter()
            .map(|matrix| Magnitude::from_matrix(matrix, model_size))
            .fold(Magnitude { linear: 0.0, translation: model_size }, Magnitude::and);
        let mut number_chars = 0;
        for column in 0..4 {
            let largest = palette
                .iter()
                .map(|matrix| matrix.col(column).abs().max_element())
                .filter(|number| number.is_finite())
                .fold(1.0_f32, f32::max);
            let decimals = column_decimals(magnitude, column);
            let text = number_text::fixed(-f64::from(largest), decimals);
            number_chars = number_chars.max(text.chars().count());
        }
        let digit = ui.painter().layout_no_wrap("0".to_owned(), number_font(), Color32::BLACK);
        let max_chars = ((width - PADDING_PTS) / digit.size().x.max(1.0)).floor() as usize;
        let line_count = [1, 2, 4].into_iter().find(|&line_count| {
            let numbers_per_line = 4 / line_count;
            numbers_per_line * number_chars + (numbers_per_line - 1) <= max_chars
        });
        Self { line_count: line_count.unwrap_or(0), number_chars, magnitude }
    }

    /// Returns true if the axes are about as long as those of an unscaled model.
    pub(super) fn has_unit_axes(self) -> bool {
        significant_digits::unit(self.magnitude.linear) == 1.0
    }

    /// Height of a texel, in points.
    pub(super) fn height(self) -> f32 {
        LINE_HEIGHT_PTS * self.line_count.max(1) as f32 + 12.0
    }
}

/// Returns the decimals of the numbers in a column of texels.
pub(super) fn column_decimals(magnitude: Magnitude, column: usize) -> usize {
    significant_digits::decimals(magnitude.of_column(column), USUAL_DECIMALS)
}

fn number_font() -> FontId {
    FontId::monospace(CAPTION_SIZE)
}

/// Numbers that get the brightest colour. Their negatives get the darkest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColorScale {
    /// For axes: 1, or a power of ten if the model is scaled.
    pub(super) axis: f32,
    /// For origins: a round number that no coordinate of the model exceeds.
    pub(super) origin: f32,
}

/// Returns the colour of a texel: its first three numbers, scaled, as red, green and blue.
pub(super) fn texel_color(column: usize, value: Vec4, scale: ColorScale) -> Color32 {
    let brightest = if column == 3 { scale.origin } else { scale.axis };
    let scaled = value.truncate() / brightest;
    Color32::from_rgb(color_channel(scaled.x), color_channel(scaled.y), color_channel(scaled.z))
}

/// Maps −1 to 1 to a colour channel. NaN and infinities map to the channel of 0.
fn color_channel(number: f32) -> u8 {
    let number = if number.is_finite() { number } else { 0.0 };
    (CHANNEL_OF_ZERO + CHANNEL_RANGE * number.clamp(-1.0, 1.0)).round() as u8
}

/// Formats the four numbers of a texel: `0.50, 0.87, 0.00, 0.00`.
pub(super) fn format_texel(value: Vec4, decimals: usize) -> String {
    value.to_array().map(|number| number_text::fixed(number.into(), decimals)).join(", ")
}

/// Returns true if the shader reads another value than the joint matrix has. Differences
/// are relative to `magnitude`.
pub(super) fn is_misread(
    palette: &PaletteTexture<'_>,
    magnitude: Magnitude,
    joint: JointIndex,
    column: usize,
) -> bool {
    let largest = magnitude.of_column(column) as f32;
    let Some(matrix) = palette.world_from_bind.get(joint.index()) else {
        return false;
    };
    let expected = matrix.col(column).to_array();
    let actual = palette.read(joint, column).to_array();
    expected.into_iter().zip(actual).any(|(expected, actual)| {
        // Filtering at a texel's centre may change the last digit. A NaN in the palette is
        // no error of the texture.
        let is_near = (actual - expected).abs() <= 1e-6 * expected.abs().max(largest);
        !(is_near || actual == expected || (actual.is_nan() && expected.is_nan()))
    })
}

/// States of a texel that are drawn as frames and marks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TexelMarks {
    /// Highlighted, because the pointer is over it or over a linked number.
    pub(super) lit: bool,
    /// Selected for editing.
    pub(super) selected: bool,
    /// Read by the shader with another value than the matrix has.
    pub(super) misread: bool,
    pub(super) edited: bool,
}

/// Draws the colour, the marks and the numbers of a texel.
pub(super) fn draw_texel(
    ui: &Ui,
    theme: &Theme,
    rect: Rect,
    fill: Color32,
    column: usize,
    value: Vec4,
    layout: TexelLayout,
    marks: TexelMarks,
) {
    let painter = ui.painter();
    if marks.lit {
        painter.rect_filled(rect.expand(4.0), 9.0, theme.lit);
    }
    painter.rect_filled(rect, 6.0, fill);
    let frame = if marks.lit {
        Some(Stroke::new(2.0, theme.ink))
    } else if marks.misread {
        Some(Stroke::new(2.0, theme.wrong))
    } else if marks.selected {
        Some(Stroke::new(1.5, theme.accent))
    } else {
        None
    };
    if let Some(stroke) = frame {
        painter.rect_stroke(rect, 6.0, stroke, StrokeKind::Outside);
    }
    if marks.misread {
        let corner = rect.right_top() + vec2(1.0, -1.0);
        let triangle = vec![corner - vec2(14.0, 0.0), corner, corner + vec2(0.0, 14.0)];
        painter.add(Shape::convex_polygon(triangle, theme.wrong, Stroke::NONE));
    }
    if marks.edited {
        let center = rect.left_top() + vec2(8.0, 8.0);
        painter.circle(center, 4.0, theme.accent, Stroke::new(1.5, theme.paper));
    }
    if layout.line_count == 0 {
        return;
    }
    let decimals = column_decimals(layout.magnitude, column);
    let numbers = value.to_array().map(|number| {
        let text = number_text::fixed(number.into(), decimals);
        format!("{text:>width$}", width = layout.number_chars)
    });
    let ink = ink_on(theme, fill);
    let top = rect.center().y - LINE_HEIGHT_PTS * layout.line_count as f32 / 2.0;
    for (index, line) in numbers.chunks(4 / layout.line_count).enumerate() {
        let galley = painter.layout_no_wrap(line.join(" "), number_font(), ink);
        // Numbers begin with room for a minus. Half of it centres the digits.
        let left = rect.center().x - galley.size().x / 2.0 - 2.0;
        let padding = (LINE_HEIGHT_PTS - galley.size().y) / 2.0;
        let y = top + LINE_HEIGHT_PTS * index as f32 + padding;
        painter.galley(pos2(left, y), galley, ink);
    }
}

/// Returns white or black as the theme does, but full black, because nothing lighter is
/// readable on a medium colour.
fn ink_on(theme: &Theme, fill: Color32) -> Color32 {
    match theme.text_on_fill(fill) {
        Color32::WHITE => Color32::WHITE,
        _ => Color32::BLACK,
    }
}

/// Formats the WebGL 2 expression that reads a texel.
pub(super) fn texel_fetch_call(joint: JointIndex, column: usize) -> String {
    format!("texelFetch(palette, ivec2({column}, {}), 0)", joint.0)
}

/// Formats the WebGL 1 expression that reads a texel, with its coordinates evaluated.
pub(super) fn texture_2d_call(
    joint: JointIndex,
    column: usize,
    row_count: usize,
    at_edge: bool,
) -> String {
    let u = format_coordinate(column, 4, at_edge);
    let v = format_coordinate(joint.index(), row_count, at_edge);
    format!("texture2D(palette, vec2({u}, {v}))")
}

/// Formats the texture coordinate at which a texel is read: `0.375` for the centre of texel
/// 1 of 4, or `0.250` for its edge.
pub(super) fn format_coordinate(index: usize, count: usize, at_edge: bool) -> String {
    let offset = if at_edge { 0.0 } else { 0.5 };
    number_text::fixed((index as f64 + offset) / count.max(1) as f64, 3)
}

/// Lays out `texelFetch(…) = (0.00, 2.00, 0.00, 1.00)` with a bold result.
pub(super) fn read_equation(theme: &Theme, call: &str, result: &str, max_width: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let plain = FontId::monospace(SMALL_SIZE);
    let strong = font::mono_strong(SMALL_SIZE);
    job.append(call, 0.0, TextFormat::simple(plain.clone(), theme.ink));
    job.append(" = ", 0.0, TextFormat::simple(plain, theme.quiet));
    job.append(result, 0.0, TextFormat::simple(strong, theme.ink));
    job.wrap.max_width = max_width;
    job
}

/// Describes a texel as a column of a matrix: `column 3 of joint 1: where the origin goes`.
pub(super) fn describe_column(joint: JointIndex, column: usize) -> String {
    let name = COLUMN_NAMES.get(column).copied().unwrap_or_default();
    format!("column {column} of joint {}: where the {name} goes", joint.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis_color(x: f32, y: f32, z: f32) -> [u8; 4] {
        let scale = ColorScale { axis: 1.0, origin: 10.0 };
        texel_color(0, Vec4::new(x, y, z, 0.0), scale).to_array()
    }

    #[test]
    fn axes_are_colours_around_grey() {
        assert_eq!(axis_color(0.0, 0.0, 0.0), [148, 148, 148, 255]);
        assert_eq!(axis_color(1.0, 0.0, -1.0), [228, 148, 68, 255]);
        assert_eq!(axis_color(9.0, f32::NAN, -9.0), [228, 148, 68, 255]);
        let scale = ColorScale { axis: 1.0, origin: 10.0 };
        let origin = texel_color(3, Vec4::new(5.0, -10.0, 0.0, 1.0), scale);
        assert_eq!(origin.to_array(), [188, 68, 148, 255]);
    }

    #[test]
    fn numbers_are_readable_on_every_colour() {
        let theme = Theme::light();
        for steps in 0..11_u8.pow(2) {
            let x = f32::from(steps % 11);
            let y = f32::from(steps / 11);
            let scale = ColorScale { axis: 1.0, origin: 1.0 };
            let fill = texel_color(0, Vec4::new(x / 5.0 - 1.0, y / 5.0 - 1.0, 0.0, 0.0), scale);
            let ratio = bindpose_kit::theme::contrast(ink_on(&theme, fill), fill);
            assert!(ratio >= 4.5, "{fill:?}: {ratio}");
        }
    }

    #[test]
    fn texel_is_read_by_index_or_by_coordinates() {
        let joint = JointIndex(1);
        let call = texel_fetch_call(joint, 3);
        assert_eq!(call, "texelFetch(palette, ivec2(3, 1), 0)");
        let call = texture_2d_call(joint, 3, 3, false);
        assert_eq!(call, "texture2D(palette, vec2(0.875, 0.500))");
        let call = texture_2d_call(joint, 3, 3, true);
        assert_eq!(call, "texture2D(palette, vec2(0.750, 0.333))");
        let text = format_texel(Vec4::new(0.0, -2.0, 0.0, 1.0), USUAL_DECIMALS);
        assert_eq!(text, "0.00, −2.00, 0.00, 1.00");
    }
}
