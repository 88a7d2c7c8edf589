//! The axes of joints, and their letters: no two of these on top of each other.

use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{Painter, Pos2, Stroke};

use super::labels::Labels;
use super::marks::{JointMark, halo};
use crate::PageContext;
use crate::theme::{FINE, font};
use crate::widgets::PaintText;

/// With more joints than this, only the chosen and the lit one have letters.
pub(super) const LETTERED: usize = 4;
/// How long the axes of the others are then.
pub(super) const SHORT: f32 = 0.5;
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
pub(super) fn letters<'a>(marks: impl Iterator<Item = &'a JointMark>) -> Vec<Letter> {
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
        halo(painter, page.theme, self.at, 6.5);
        painter.text_centered(
            self.at,
            ["x", "y", "z"][self.axis],
            font::strong(FINE),
            page.theme.axis_text(self.axis),
        );
    }
}

/// The lines, thin where they have no letters.
pub(super) fn paint(
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

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

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
        let letters = letters(marks.iter());
        let at = |x, y, axis| Letter { at: pos2(x, y), axis };
        let expected =
            [at(149.0, 100.0, 0), at(100.0, 51.0, 1), at(249.0, 100.0, 0), at(200.0, 51.0, 1)];
        assert_eq!(letters, expected, "and none for an axis that points here");
    }
}
