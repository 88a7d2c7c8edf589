//! The numbers of a flat model's grid, along the lower and the left edge of the
//! picture.

use std::sync::Arc;

use bindpose_notebook::camera::Camera;
use bindpose_notebook::viewport::ViewportFrame;
use eframe::egui::{FontId, Galley, Painter, Rect, pos2, vec2};

use super::labels::Labels;
use crate::theme::{FINE, Theme};

/// From the edge of the picture, in points.
const INSET: f32 = 5.0;

/// The numbers, each laid out and with its place.
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
