//! The format of the positions in the calculation of a vertex.

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, font};
use bindpose_lesson::number_text;
use bindpose_lesson::significant_digits::{self, USUAL_DECIMALS};
use bindpose_notebook::InfluencePoint;
use bindpose_skin::{Blend, CoordinateFrame, JointIndex, SkinStage};
use eframe::egui::text::LayoutJob;
use eframe::egui::{Color32, TextFormat, Ui};
use glam::Vec3;

use crate::PageContext;

/// Format of positions. All coordinates have the same width, so that columns are
/// aligned.
#[derive(Clone, Copy)]
pub(super) struct CoordinateFormat {
    /// Number of coordinates: 2 or 3.
    pub(super) axis_count: usize,
    /// Decimals of the position as stored.
    pub(super) stored_decimals: usize,
    /// Decimals of positions transformed by matrices.
    pub(super) moved_decimals: usize,
    /// Width of a coordinate, in characters.
    pub(super) char_count: usize,
    pub(super) font_size: f32,
    /// Number of lines for the product of a joint: 1, or 2 or 3 in a narrow column.
    pub(super) line_count: u8,
}

impl CoordinateFormat {
    /// Chooses the largest font size, and the smallest number of lines, with which
    /// the longest line fits.
    pub(super) fn new(
        ui: &Ui,
        page: &PageContext<'_>,
        points: &[InfluencePoint],
        stored: Vec3,
        position: Vec3,
    ) -> Self {
        let derived = page.derived;
        let frame = match derived.stage() {
            SkinStage::Bind => CoordinateFrame::Bind,
            SkinStage::Joint => {
                CoordinateFrame::Joint(single_joint(page, page.document.state.vertex))
            }
            SkinStage::Posed | SkinStage::Blended => CoordinateFrame::World,
        };
        let largest_moved = points
            .iter()
            .map(|point| significant_digits::largest(point.position_in_world))
            .fold(significant_digits::largest(position), f64::max);
        let largest_stored = significant_digits::largest(stored);
        let moved_size = derived.size_in(frame).max(largest_moved);
        let moved_decimals = significant_digits::decimals(moved_size, USUAL_DECIMALS);
        let stored_size = derived.size_in(CoordinateFrame::Bind).max(largest_stored);
        let stored_decimals = significant_digits::decimals(stored_size, USUAL_DECIMALS);
        let char_count = negative_char_count(largest_moved, moved_decimals)
            .max(negative_char_count(largest_stored, stored_decimals));
        let axis_count = if derived.rig.flat { 2 } else { 3 };

        // Lengths of `0.50 · M₀ p`, ` = 0.50 · (x, y)` and ` = (x, y)`.
        let point_chars = axis_count * (char_count + 2);
        let matrix_chars = 13;
        let product_chars = 10 + point_chars;
        let result_chars = 3 + point_chars;
        let max_width = ui.available_width() - 34.0;
        let one_line_chars = matrix_chars + product_chars + result_chars;
        let one_line_font = [SMALL_SIZE, CAPTION_SIZE, FINE_SIZE]
            .into_iter()
            .find(|&font_size| font::mono_width(one_line_chars, font_size) <= max_width);
        let (font_size, line_count) = match one_line_font {
            Some(font_size) => (font_size, 1),
            None if font::mono_width(matrix_chars + product_chars, CAPTION_SIZE) <= max_width => {
                (CAPTION_SIZE, 2)
            }
            None => (FINE_SIZE, 3),
        };
        Self { axis_count, stored_decimals, moved_decimals, char_count, font_size, line_count }
    }

    /// Formats a position, such as `(−0.717, 0.697)`.
    pub(super) fn point(self, point: Vec3, decimals: usize) -> String {
        let numbers: Vec<String> = (0..self.axis_count)
            .map(|axis| {
                let text = number_text::fixed(f64::from(point[axis]), decimals);
                format!("{text:>width$}", width = self.char_count)
            })
            .collect();
        format!("({})", numbers.join(", "))
    }

    /// Lays out parts of a line, each with its colour and whether it is strong.
    pub(super) fn layout_job(self, parts: &[(&str, Color32, bool)]) -> LayoutJob {
        let mut job = LayoutJob::default();
        for &(text, color, strong) in parts {
            let format = TextFormat {
                font_id: font::mono(self.font_size, strong),
                color,
                line_height: Some((self.font_size * 1.6).round()),
                ..TextFormat::default()
            };
            job.append(text, 0.0, format);
        }
        job
    }
}

/// Returns the length of the number `-largest`, in characters.
fn negative_char_count(largest: f64, decimals: usize) -> usize {
    number_text::fixed(-largest, decimals).chars().count()
}

/// Returns the joint that moves the vertex if it does not have the weighted sum of
/// several.
pub(super) fn single_joint(page: &PageContext<'_>, vertex: u32) -> JointIndex {
    match page.derived.blend {
        Blend::Only(joint) => joint,
        Blend::Linear | Blend::DualQuaternion | Blend::Strongest => page
            .derived
            .influences
            .get(vertex as usize)
            .map_or(page.document.state.joint, |influences| influences.strongest()),
    }
}
