//! Where the words of an overlay go: near what they name, and where they cover
//! as little as possible of markers, lines and each other.

use eframe::egui::{Align2, Color32, Painter, Pos2, Rect, Vec2, emath::Rot2, vec2};

use crate::theme::{CAPTION, Theme, font};

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

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

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
}
