//! Where the words of an overlay go: near what they name, and where they cover
//! as little as possible of markers, lines and each other.

use std::sync::Arc;

use bindpose_notebook::Entity;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Stroke, Vec2, emath::Rot2, pos2, vec2,
};

use crate::PageContext;
use crate::theme::{CAPTION, FINE, Theme, font};
use crate::widgets::PaintText;

/// Turns from the preferred direction that are tried, the nearest first.
const TURNS_DEG: [f32; 12] =
    [0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0];

/// What a label has to keep clear of, and the labels set so far.
pub(super) struct Labels {
    inside: Rect,
    taken: Vec<Rect>,
    lines: Vec<[Pos2; 2]>,
}

impl Labels {
    /// For a picture in `rect`.
    pub(super) fn new(rect: Rect) -> Self {
        Self { inside: rect.shrink(4.0), taken: Vec::new(), lines: Vec::new() }
    }

    /// A marker that should stay free.
    pub(super) fn keep_free(&mut self, at: Pos2, radius: f32) {
        self.taken.push(Rect::from_center_size(at, Vec2::splat(2.0 * radius)));
    }

    /// Words that stand there already.
    pub(super) fn keep_clear(&mut self, words: Rect) {
        self.taken.push(words);
    }

    /// A line that had better not be covered.
    pub(super) fn avoid_line(&mut self, from: Pos2, to: Pos2) {
        self.lines.push([from, to]);
    }

    /// Writes `text` beside the mark at `at`, which has this radius, if the
    /// mark is in the picture: towards `direction` if that is free.
    pub(super) fn write(
        &mut self,
        painter: &Painter,
        theme: &Theme,
        (at, radius): (Pos2, f32),
        direction: Vec2,
        (text, color): (&str, Color32),
    ) {
        if !self.inside.expand(4.0).contains(at) {
            return;
        }
        let font = font::strong(CAPTION);
        let galley = painter.layout_no_wrap(text.to_owned(), font, color);
        let rect = self.place(at, radius, direction, galley.size());
        painter.rect_filled(rect.expand2(vec2(2.0, 0.0)), 4.0, theme.paper.gamma_multiply(0.8));
        painter.galley(rect.min, galley, color);
    }

    fn place(&mut self, at: Pos2, radius: f32, direction: Vec2, size: Vec2) -> Rect {
        let direction =
            if direction.length() > 1e-3 { direction.normalized() } else { vec2(0.0, -1.0) };
        let mut best = (f32::INFINITY, Rect::NOTHING);
        for (far, gap) in [3.0, 12.0, 24.0].into_iter().enumerate() {
            for (turn, degrees) in TURNS_DEG.into_iter().enumerate() {
                let toward = Rot2::from_angle(degrees.to_radians()) * direction;
                let rect = beside(at, radius + gap, toward, size);
                let cost = self.cost(rect) + turn as f32 * 3.0 + far as f32 * 24.0;
                if cost < best.0 {
                    best = (cost, rect);
                }
            }
        }
        self.taken.push(best.1);
        best.1
    }

    /// Square points of markers and labels covered, and something for lines and
    /// for leaving the picture.
    fn cost(&self, rect: Rect) -> f32 {
        let area = |rect: Rect| {
            if rect.is_positive() { rect.area() } else { 0.0 }
        };
        let taken: f32 = self
            .taken
            .iter()
            .map(|taken| area(taken.intersect(rect)))
            .filter(|&area| area > 0.0)
            .map(|area| 16.0 + 2.0 * area)
            .sum();
        let lines: f32 = self.lines.iter().map(|[from, to]| covered(*from, *to, rect)).sum();
        let outside = rect.area() - area(rect.intersect(self.inside));
        taken + 1.5 * lines + 40.0 * outside
    }
}

/// A box that touches the circle about `at` on the side of `toward`, a unit
/// vector.
fn beside(at: Pos2, distance: f32, toward: Vec2, size: Vec2) -> Rect {
    // How far the box reaches from its middle back to the mark.
    let half = size * 0.5;
    let reach = (half.x / toward.x.abs().max(1e-3)).min(half.y / toward.y.abs().max(1e-3));
    Align2::CENTER_CENTER.anchor_size(at + toward * (distance + reach), size)
}

/// About how many points of a line lie in a box.
fn covered(from: Pos2, to: Pos2, rect: Rect) -> f32 {
    const PIECES: u16 = 24;
    let piece = from.distance(to) / f32::from(PIECES);
    let inside = (0..=PIECES)
        .filter(|&index| rect.contains(from.lerp(to, f32::from(index) / f32::from(PIECES))))
        .count();
    inside as f32 * piece
}

// The axes of joints, and their letters: no two of these on top of each other.

/// With more joints than this, only the chosen and the lit one have letters.
pub(super) const LETTERED: usize = 4;
/// How long the axes of the others are then.
pub(super) const SHORT_AXIS: f32 = 0.5;
/// From the end of an axis to the middle of its letter, in points.
const BEYOND: f32 = 9.0;
/// Between the middles of two letters, in points.
const APART: f32 = 13.0;

/// A letter and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Letter {
    at: Pos2,
    axis: usize,
}

/// The letters of these axes. Where several would stand in one place, that of
/// the first.
pub(super) fn axis_letters<'a>(marks: impl Iterator<Item = &'a JointMark>) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    for mark in marks {
        for (axis, end) in ends(mark) {
            let at = end + (end - mark.at).normalized() * BEYOND;
            if letters.iter().all(|other| other.at.distance(at) >= APART) {
                letters.push(Letter { at, axis });
            }
        }
    }
    letters
}

/// Where the axes end that have a direction to show: one that points at the
/// reader has none.
fn ends(mark: &JointMark) -> impl Iterator<Item = (usize, Pos2)> {
    let ends = mark.axes.iter().copied().enumerate();
    ends.filter_map(|(axis, end)| Some((axis, end?)))
        .filter(|(_, end)| end.distance(mark.at) >= 3.0)
}

/// What labels have to leave free.
pub(super) fn keep_free(labels: &mut Labels, mark: &JointMark) {
    for (_, end) in ends(mark) {
        labels.avoid_line(mark.at, end);
    }
}

impl Letter {
    /// What labels have to leave free.
    pub(super) fn keep_free(self, labels: &mut Labels) {
        labels.keep_free(self.at, 6.0);
    }

    pub(super) fn paint(self, painter: &Painter, page: &PageContext<'_>) {
        halo_of_mark(painter, page.theme, self.at, 6.5);
        painter.text_centered(
            self.at,
            ["x", "y", "z"][self.axis],
            font::strong(FINE),
            page.theme.axis_text(self.axis),
        );
    }
}

/// The lines, thin where they have no letters.
pub(super) fn paint_axes(
    painter: &Painter,
    page: &PageContext<'_>,
    joint: JointIndex,
    mark: &JointMark,
) {
    for (axis, end) in ends(mark) {
        let column = Entity::Column(joint, axis);
        let lit = page.linked.is_lit(column) && page.linked.hovered() != Some(Entity::Joint(joint));
        let width = match (lit, mark.lettered) {
            (true, _) => 5.0,
            (false, true) => 2.5,
            (false, false) => 1.5,
        };
        painter.line_segment([mark.at, end], Stroke::new(width, page.theme.axis_in_scene(axis)));
    }
}

// What several marks over a picture are made of.

/// A frame, projected.
pub(super) struct JointMark {
    pub(super) at: Pos2,
    /// Where its axes end.
    pub(super) axes: [Option<Pos2>; 3],
    /// Its axes have letters, if axes are shown.
    pub(super) lettered: bool,
    /// Of no skin.
    pub(super) hollow: bool,
}

/// A ring of paper around a mark, so that it stands out on any ground.
pub(super) fn halo_of_mark(painter: &Painter, theme: &Theme, at: Pos2, radius: f32) {
    painter.circle_filled(at, radius, theme.paper.gamma_multiply(0.85));
}

/// Laid out words on a ground of paper with this opacity, which goes `pad` beyond
/// them.
pub(super) fn words_on_paper(
    painter: &Painter,
    theme: &Theme,
    at: Pos2,
    galley: Arc<Galley>,
    (pad, opacity): (Vec2, f32),
) {
    let ground = Rect::from_min_size(at, galley.size()).expand2(pad);
    painter.rect_filled(ground, 6.0, theme.paper.gamma_multiply(opacity));
    painter.galley(at, galley, theme.ink);
}

// The numbers of a flat model's grid, along the lower and the left edge of the
// picture.

/// From the edge of the picture, in points.
const INSET: f32 = 5.0;

/// The numbers, each laid out and with its place.
#[derive(Default)]
pub(super) struct GridNumbers(Vec<(Arc<Galley>, Rect)>);

impl GridNumbers {
    /// Those of a picture in `rect`, but for what would stand in `covered`: there
    /// are words or a legend.
    pub(super) fn new(
        painter: &Painter,
        theme: &Theme,
        frame: &ViewportFrame<'_>,
        camera: &Camera,
        (rect, covered): (Rect, &[Rect]),
    ) -> Self {
        let size = glam::Vec2::new(rect.width(), rect.height());
        let numbers = frame.grid_numbers(camera, size);
        let placed = numbers.into_iter().filter_map(|number| {
            let font = FontId::proportional(FINE);
            let galley = painter.layout_no_wrap(number.words, font, theme.quiet);
            let half = galley.size() * 0.5;
            let center = if number.axis == 0 {
                pos2(rect.left() + number.at, rect.bottom() - INSET - half.y)
            } else {
                pos2(rect.left() + INSET + 2.0 + half.x, rect.top() + number.at)
            };
            let place = Rect::from_center_size(center, galley.size());
            // The lower left corner is where both rows meet: x has it.
            let room = if number.axis == 0 {
                rect.shrink2(vec2(INSET, 2.0))
            } else {
                let foot = rect.bottom() - 3.0 * INSET - galley.size().y;
                rect.shrink2(vec2(2.0, INSET)).with_max_y(foot)
            };
            let free = covered.iter().all(|other| !other.intersects(place));
            (room.contains_rect(place) && free).then_some((galley, place))
        });
        Self(placed.collect())
    }

    /// Labels of marks stand elsewhere.
    pub(super) fn keep_free(&self, labels: &mut Labels) {
        for (_, place) in &self.0 {
            labels.keep_clear(*place);
        }
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme) {
        for (galley, place) in &self.0 {
            let ground = place.expand2(vec2(3.0, 0.0));
            painter.rect_filled(ground, 4.0, theme.paper.gamma_multiply(0.8));
            painter.galley(place.min, Arc::clone(galley), theme.quiet);
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use eframe::egui::pos2;
    use eframe::egui::vec2;

    const SIZE: Vec2 = Vec2::new(20.0, 14.0);

    fn labels() -> Labels {
        Labels::new(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0)))
    }

    #[test]
    fn a_label_goes_in_its_preferred_direction_when_nothing_is_there() {
        let placed = labels().place(pos2(200.0, 150.0), 5.0, vec2(1.0, 0.0), SIZE);
        assert!((placed.left() - 208.0).abs() < 1e-3);
        assert!((placed.center().y - 150.0).abs() < 1e-3);
    }

    #[test]
    fn a_label_leaves_a_marker_free() {
        let mut labels = labels();
        labels.keep_free(pos2(218.0, 150.0), 10.0);
        let placed = labels.place(pos2(200.0, 150.0), 5.0, vec2(1.0, 0.0), SIZE);
        let marker = Rect::from_center_size(pos2(218.0, 150.0), Vec2::splat(20.0));
        assert!(!placed.intersects(marker), "{placed:?}");
    }

    #[test]
    fn two_labels_of_one_place_do_not_cover_each_other() {
        let mut labels = labels();
        let first = labels.place(pos2(200.0, 150.0), 5.0, vec2(1.0, 0.0), SIZE);
        let second = labels.place(pos2(200.0, 150.0), 5.0, vec2(1.0, 0.0), SIZE);
        assert!(!first.intersects(second), "{first:?} {second:?}");
    }

    #[test]
    fn a_label_at_the_edge_turns_inwards() {
        let placed = labels().place(pos2(398.0, 150.0), 5.0, vec2(1.0, 0.0), SIZE);
        assert!(placed.right() <= 396.0, "{placed:?}");
    }

    #[test]
    fn letters_stand_apart_and_those_of_the_first_mark_stay() {
        let mark = |x: f32| {
            let at = pos2(x, 100.0);
            let axes = [vec2(40.0, 0.0), vec2(0.0, -40.0), vec2(1.0, 1.0)];
            JointMark {
                at,
                axes: axes.map(|along| Some(at + along)),
                lettered: true,
                hollow: false,
            }
        };
        // The second coincides with the first, the third almost, the last not.
        let marks = [100.0, 100.0, 104.0, 200.0].map(mark);
        let letters = axis_letters(marks.iter());
        let at = |x, y, axis| Letter { at: pos2(x, y), axis };
        let expected =
            [at(149.0, 100.0, 0), at(100.0, 51.0, 1), at(249.0, 100.0, 0), at(200.0, 51.0, 1)];
        assert_eq!(letters, expected, "and none for an axis that points here");
    }
}
