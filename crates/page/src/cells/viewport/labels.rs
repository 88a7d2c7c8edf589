//! Placement of labels over a picture: near their marks, covering as little as possible of
//! markers, lines and other labels.

use std::sync::Arc;

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, Theme, font};
use bindpose_kit::widgets::PaintText;
use bindpose_notebook::Entity;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Stroke, Vec2, emath::Rot2, pos2, vec2,
};

use super::picture_view::PictureView;
use crate::PageContext;

/// Rotations from the preferred direction in the order in which they are tried.
const ROTATIONS_DEG: [f32; 12] =
    [0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0];

/// Gaps between a mark and its label in the order in which they are tried.
const GAPS_PTS: [f32; 3] = [3.0, 12.0, 24.0];

/// Places the labels of one picture, each clear of reserved areas and of earlier labels.
pub(super) struct Labels {
    inside: Rect,
    reserved: Vec<Rect>,
    lines: Vec<[Pos2; 2]>,
}

/// The mark that a label belongs to.
#[derive(Clone, Copy)]
pub(super) struct LabelAnchor {
    pub(super) at: Pos2,
    /// Radius of the mark, in points.
    pub(super) radius: f32,
    /// Preferred direction from the mark to the label, of any length.
    pub(super) direction: Vec2,
}

impl Labels {
    pub(super) fn new(picture: Rect) -> Self {
        Self { inside: picture.shrink(4.0), reserved: Vec::new(), lines: Vec::new() }
    }

    /// Reserves the square around a circular marker.
    pub(super) fn reserve_circle(&mut self, at: Pos2, radius: f32) {
        self.reserved.push(Rect::from_center_size(at, Vec2::splat(2.0 * radius)));
    }

    pub(super) fn reserve_rect(&mut self, rect: Rect) {
        self.reserved.push(rect);
    }

    /// Adds a line that labels should preferably not cover.
    pub(super) fn avoid_line(&mut self, from: Pos2, to: Pos2) {
        self.lines.push([from, to]);
    }

    /// Writes `text` beside its mark. Does nothing if the mark is outside the picture.
    pub(super) fn write(
        &mut self,
        painter: &Painter,
        theme: &Theme,
        anchor: LabelAnchor,
        text: &str,
        color: Color32,
    ) {
        if !self.inside.expand(4.0).contains(anchor.at) {
            return;
        }
        let font = font::strong(CAPTION_SIZE);
        let galley = painter.layout_no_wrap(text.to_owned(), font, color);
        let rect = self.place(anchor, galley.size());
        painter.rect_filled(rect.expand2(vec2(2.0, 0.0)), 4.0, theme.paper.gamma_multiply(0.8));
        painter.galley(rect.min, galley, color);
    }

    /// Chooses the best rectangle for a label of this size and reserves it.
    fn place(&mut self, anchor: LabelAnchor, size: Vec2) -> Rect {
        let direction = if anchor.direction.length() > 1e-3 {
            anchor.direction.normalized()
        } else {
            vec2(0.0, -1.0)
        };
        let mut best_cost = f32::INFINITY;
        let mut best_rect = Rect::NOTHING;
        for (gap_index, gap) in GAPS_PTS.into_iter().enumerate() {
            for (rotation_index, degrees) in ROTATIONS_DEG.into_iter().enumerate() {
                let toward = Rot2::from_angle(degrees.to_radians()) * direction;
                let rect = rect_beside_circle(anchor.at, anchor.radius + gap, toward, size);
                let cost = self.cost(rect) + rotation_index as f32 * 3.0 + gap_index as f32 * 24.0;
                if cost < best_cost {
                    best_cost = cost;
                    best_rect = rect;
                }
            }
        }
        self.reserved.push(best_rect);
        best_rect
    }

    /// Computes the cost of a label's rectangle: covered area of markers and labels in square
    /// points, with penalties for covered lines and for leaving the picture.
    fn cost(&self, rect: Rect) -> f32 {
        let reserved: f32 = self
            .reserved
            .iter()
            .map(|reserved| area_or_zero(reserved.intersect(rect)))
            .filter(|&area| area > 0.0)
            .map(|area| 16.0 + 2.0 * area)
            .sum();
        let lines: f32 = self.lines.iter().map(|[from, to]| covered_length(*from, *to, rect)).sum();
        let outside = rect.area() - area_or_zero(rect.intersect(self.inside));
        reserved + 1.5 * lines + 40.0 * outside
    }
}

/// Area of a rectangle. Returns 0 if the rectangle is inverted.
fn area_or_zero(rect: Rect) -> f32 {
    if rect.is_positive() { rect.area() } else { 0.0 }
}

/// Returns the rectangle of this size that touches a circle on the side of `toward`, a unit
/// vector.
fn rect_beside_circle(center: Pos2, radius: f32, toward: Vec2, size: Vec2) -> Rect {
    // Distance from the middle of the rectangle to its edge along `toward`.
    let half = size * 0.5;
    let reach = (half.x / toward.x.abs().max(1e-3)).min(half.y / toward.y.abs().max(1e-3));
    Align2::CENTER_CENTER.anchor_size(center + toward * (radius + reach), size)
}

/// Approximate length of the part of a line inside a rectangle, in points.
fn covered_length(from: Pos2, to: Pos2, rect: Rect) -> f32 {
    const PIECE_COUNT: u16 = 24;
    let piece = from.distance(to) / f32::from(PIECE_COUNT);
    let inside_count = (0..=PIECE_COUNT)
        .filter(|&index| rect.contains(from.lerp(to, f32::from(index) / f32::from(PIECE_COUNT))))
        .count();
    inside_count as f32 * piece
}

// Axes of joints and their letters.

/// Maximum number of joints that all have axes with letters. In larger rigs only the chosen and
/// the highlighted joint have letters.
pub(super) const MAX_LETTERED_JOINTS: usize = 4;

/// Relative length of axes without letters.
pub(super) const UNLETTERED_AXIS_SCALE: f32 = 0.5;

/// Distance from the end of an axis to the middle of its letter.
const LETTER_OFFSET_PTS: f32 = 9.0;

/// Minimum distance between the middles of two letters.
const MIN_LETTER_SPACING_PTS: f32 = 13.0;

/// The letter x, y or z at the end of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisLetter {
    at: Pos2,
    axis: usize,
}

/// Places the letters of these axes. Where several would overlap, only the first is kept.
pub(super) fn place_axis_letters<'a>(
    marks: impl Iterator<Item = &'a JointMark>,
) -> Vec<AxisLetter> {
    let mut letters: Vec<AxisLetter> = Vec::new();
    for mark in marks {
        for (axis, end) in mark.visible_axis_ends() {
            let at = end + (end - mark.at).normalized() * LETTER_OFFSET_PTS;
            if letters.iter().all(|other| other.at.distance(at) >= MIN_LETTER_SPACING_PTS) {
                letters.push(AxisLetter { at, axis });
            }
        }
    }
    letters
}

impl AxisLetter {
    pub(super) fn reserve_area(self, labels: &mut Labels) {
        labels.reserve_circle(self.at, 6.0);
    }

    pub(super) fn paint(self, painter: &Painter, page: &PageContext<'_>) {
        paint_halo(painter, page.theme, self.at, 6.5);
        painter.text_centered(
            self.at,
            ["x", "y", "z"][self.axis],
            font::strong(FINE_SIZE),
            page.theme.axis_text(self.axis),
        );
    }
}

/// A joint's frame, projected to the screen.
pub(super) struct JointMark {
    pub(super) at: Pos2,
    pub(super) axis_ends: [Option<Pos2>; 3],
    /// True if displayed axes have letters.
    pub(super) has_letters: bool,
    /// True for a helper joint, which belongs to no skin.
    pub(super) is_helper: bool,
}

impl JointMark {
    /// Axes with a visible direction, and their ends. An axis that points at the reader has no
    /// direction on the screen.
    fn visible_axis_ends(&self) -> impl Iterator<Item = (usize, Pos2)> {
        self.axis_ends
            .iter()
            .enumerate()
            .filter_map(|(axis, end)| Some((axis, (*end)?)))
            .filter(|(_, end)| end.distance(self.at) >= 3.0)
    }

    /// Makes labels avoid the lines of the axes.
    pub(super) fn avoid_axes(&self, labels: &mut Labels) {
        for (_, end) in self.visible_axis_ends() {
            labels.avoid_line(self.at, end);
        }
    }

    /// Paints the lines of the axes, thinner if they have no letters.
    pub(super) fn paint_axes(&self, painter: &Painter, page: &PageContext<'_>, joint: JointIndex) {
        for (axis, end) in self.visible_axis_ends() {
            let is_column_lit = page.linked.is_lit(Entity::Column(joint, axis))
                && page.linked.hovered() != Some(Entity::Joint(joint));
            let width = if is_column_lit {
                5.0
            } else if self.has_letters {
                2.5
            } else {
                1.5
            };
            let stroke = Stroke::new(width, page.theme.axis_in_scene(axis));
            painter.line_segment([self.at, end], stroke);
        }
    }
}

/// Paints a disc of paper behind a mark, so that it is visible on any ground.
pub(super) fn paint_halo(painter: &Painter, theme: &Theme, at: Pos2, radius: f32) {
    painter.circle_filled(at, radius, theme.paper.gamma_multiply(0.85));
}

/// Paints text on a rounded box of paper that extends `pad` beyond the text.
pub(super) fn paint_text_box(
    painter: &Painter,
    theme: &Theme,
    at: Pos2,
    galley: Arc<Galley>,
    pad: Vec2,
    opacity: f32,
) {
    let ground = Rect::from_min_size(at, galley.size()).expand2(pad);
    painter.rect_filled(ground, 6.0, theme.paper.gamma_multiply(opacity));
    painter.galley(at, galley, theme.ink);
}

// Numbers of a flat model's grid, along the lower and the left edge of the picture.

/// Distance of the numbers from the edge of the picture.
const GRID_NUMBER_INSET_PTS: f32 = 5.0;

#[derive(Default)]
pub(super) struct GridNumbers(Vec<PlacedNumber>);

struct PlacedNumber {
    galley: Arc<Galley>,
    rect: Rect,
}

impl GridNumbers {
    /// Lays out the numbers that do not intersect the `covered` rectangles, which hold words or
    /// a legend.
    pub(super) fn new(
        painter: &Painter,
        theme: &Theme,
        frame: &ViewportFrame<'_>,
        view: &PictureView,
        covered: &[Rect],
    ) -> Self {
        let picture = view.rect;
        let mut placed = Vec::new();
        for number in frame.grid_numbers(&view.camera, view.size()) {
            let font = FontId::proportional(FINE_SIZE);
            let galley = painter.layout_no_wrap(number.words, font, theme.quiet);
            let half = galley.size() * 0.5;
            // Both rows meet in the lower left corner, which belongs to the numbers of x.
            let (center, room) = if number.axis == 0 {
                let y = picture.bottom() - GRID_NUMBER_INSET_PTS - half.y;
                (
                    pos2(picture.left() + number.at, y),
                    picture.shrink2(vec2(GRID_NUMBER_INSET_PTS, 2.0)),
                )
            } else {
                let x = picture.left() + GRID_NUMBER_INSET_PTS + 2.0 + half.x;
                let bottom = picture.bottom() - 3.0 * GRID_NUMBER_INSET_PTS - galley.size().y;
                (
                    pos2(x, picture.top() + number.at),
                    picture.shrink2(vec2(2.0, GRID_NUMBER_INSET_PTS)).with_max_y(bottom),
                )
            };
            let rect = Rect::from_center_size(center, galley.size());
            if room.contains_rect(rect) && !covered.iter().any(|other| other.intersects(rect)) {
                placed.push(PlacedNumber { galley, rect });
            }
        }
        Self(placed)
    }

    pub(super) fn reserve_areas(&self, labels: &mut Labels) {
        for number in &self.0 {
            labels.reserve_rect(number.rect);
        }
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme) {
        for PlacedNumber { galley, rect } in &self.0 {
            let ground = rect.expand2(vec2(3.0, 0.0));
            painter.rect_filled(ground, 4.0, theme.paper.gamma_multiply(0.8));
            painter.galley(rect.min, Arc::clone(galley), theme.quiet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL_SIZE: Vec2 = Vec2::new(20.0, 14.0);

    fn empty_labels() -> Labels {
        Labels::new(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0)))
    }

    /// A mark of radius 5 with its label preferably to the right.
    fn anchor_at(x: f32, y: f32) -> LabelAnchor {
        LabelAnchor { at: pos2(x, y), radius: 5.0, direction: vec2(1.0, 0.0) }
    }

    #[test]
    fn label_takes_its_preferred_direction_if_free() {
        let rect = empty_labels().place(anchor_at(200.0, 150.0), LABEL_SIZE);
        assert!((rect.left() - 208.0).abs() < 1e-3);
        assert!((rect.center().y - 150.0).abs() < 1e-3);
    }

    #[test]
    fn label_does_not_cover_a_marker() {
        let mut labels = empty_labels();
        labels.reserve_circle(pos2(218.0, 150.0), 10.0);
        let rect = labels.place(anchor_at(200.0, 150.0), LABEL_SIZE);
        let marker = Rect::from_center_size(pos2(218.0, 150.0), Vec2::splat(20.0));
        assert!(!rect.intersects(marker), "{rect:?}");
    }

    #[test]
    fn two_labels_of_one_mark_do_not_overlap() {
        let mut labels = empty_labels();
        let first = labels.place(anchor_at(200.0, 150.0), LABEL_SIZE);
        let second = labels.place(anchor_at(200.0, 150.0), LABEL_SIZE);
        assert!(!first.intersects(second), "{first:?} {second:?}");
    }

    #[test]
    fn label_at_the_edge_is_placed_inside_the_picture() {
        let rect = empty_labels().place(anchor_at(398.0, 150.0), LABEL_SIZE);
        assert!(rect.right() <= 396.0, "{rect:?}");
    }

    #[test]
    fn overlapping_axis_letters_are_dropped_except_the_first() {
        // The second mark coincides with the first and the third almost does. The last does not.
        let marks = [100.0, 100.0, 104.0, 200.0].map(|x| {
            let at = pos2(x, 100.0);
            let axes = [vec2(40.0, 0.0), vec2(0.0, -40.0), vec2(1.0, 1.0)];
            JointMark {
                at,
                axis_ends: axes.map(|along| Some(at + along)),
                has_letters: true,
                is_helper: false,
            }
        });
        let letters = place_axis_letters(marks.iter());
        let expected = [
            AxisLetter { at: pos2(149.0, 100.0), axis: 0 },
            AxisLetter { at: pos2(100.0, 51.0), axis: 1 },
            AxisLetter { at: pos2(249.0, 100.0), axis: 0 },
            AxisLetter { at: pos2(200.0, 51.0), axis: 1 },
        ];
        assert_eq!(letters, expected, "no letter for an axis that points at the reader");
    }
}
