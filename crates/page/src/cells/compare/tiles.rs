//! Layout of the pictures: in one row, in several, or stacked, whichever makes them largest.

use eframe::egui::{Rect, Vec2, pos2, vec2};

const GAP_PTS: f32 = 10.0;
/// Height of the label above each picture.
const LABEL_HEIGHT_PTS: f32 = 30.0;
/// Minimum size of a picture, even if that exceeds the available room.
const MIN_PICTURE_PTS: Vec2 = Vec2::new(112.0, 92.0);
/// Aspect ratio (width / height) at which most models fill most of a picture.
pub(super) const MODEL_ASPECT: f32 = 1.15;
/// Minimum aspect ratio of wide models, whose pictures are stacked even if their number is odd.
const MIN_WIDE_ASPECT: f32 = 1.6;
/// Factor that reduces the score of a layout whose last row is not full.
const PARTIAL_ROW_FACTOR: f32 = 0.75;
/// Minimum width and height at which an odd number of pictures is set in one row.
const MIN_ROW_PICTURE_PTS: f32 = 200.0;
/// Maximum height / width of a picture. Higher ones show nothing more.
const MAX_HEIGHT_RATIO: f32 = 2.6;

/// Pictures of one size in rows, each with a label above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tiles {
    pub(super) count: usize,
    /// Size of each picture.
    pub(super) picture_size: Vec2,
    columns: usize,
}

impl Tiles {
    /// Lays out pictures in `room` so that a model of this aspect ratio is as large as possible.
    /// If they would be illegible, they have the minimum size and exceed the height of the room.
    pub(super) fn fitting(room: Vec2, count: usize, model_aspect: f32) -> Self {
        let max_columns = count.max(1);
        let single_row = Self::with_columns(room, count, max_columns);
        // Even numbers fill two rows.
        let is_single_row = model_aspect < MIN_WIDE_ASPECT
            && count % 2 == 1
            && single_row.picture_size.min_elem() >= MIN_ROW_PICTURE_PTS;
        let best = if is_single_row {
            Some(single_row)
        } else {
            (1..=max_columns)
                .map(|columns| Self::with_columns(room, count, columns))
                .max_by(|a, b| a.score(model_aspect).total_cmp(&b.score(model_aspect)))
        };
        if let Some(best) = best
            && best.picture_size.x >= MIN_PICTURE_PTS.x
            && best.picture_size.y >= MIN_PICTURE_PTS.y
        {
            return best;
        }
        let fitting_columns =
            ((room.x + GAP_PTS) / (MIN_PICTURE_PTS.x + GAP_PTS)).floor().max(1.0) as usize;
        let mut tiles = Self::with_columns(room, count, fitting_columns.min(max_columns));
        tiles.picture_size.x = tiles.picture_size.x.max(0.0);
        tiles.picture_size.y = tiles.picture_size.y.max(MIN_PICTURE_PTS.y);
        tiles
    }

    fn with_columns(room: Vec2, count: usize, columns: usize) -> Self {
        let across = columns as f32;
        let down = count.div_ceil(columns) as f32;
        let width = (room.x - GAP_PTS * (across - 1.0)) / across;
        let height = (room.y - GAP_PTS * (down - 1.0)) / down - LABEL_HEIGHT_PTS;
        let picture_size = vec2(width, height.min(width * MAX_HEIGHT_RATIO)).floor();
        Self { count, picture_size, columns }
    }

    /// Size at which a model is shown.
    fn score(&self, model_aspect: f32) -> f32 {
        let model_size = (self.picture_size.x / model_aspect).min(self.picture_size.y);
        // An empty place looks as if a picture were missing.
        let is_last_row_full = self.count.is_multiple_of(self.columns);
        if is_last_row_full { model_size } else { model_size * PARTIAL_ROW_FACTOR }
    }

    /// Computes the size of all pictures and labels together.
    pub(super) fn size(&self) -> Vec2 {
        let across = self.columns as f32;
        let down = self.count.div_ceil(self.columns) as f32;
        vec2(
            self.picture_size.x * across + GAP_PTS * (across - 1.0),
            (self.picture_size.y + LABEL_HEIGHT_PTS) * down + GAP_PTS * (down - 1.0),
        )
    }

    /// Returns the rectangle of a label. `area` is that of all pictures.
    pub(super) fn label_rect(&self, area: Rect, index: usize) -> Rect {
        let column = (index % self.columns) as f32;
        let row = (index / self.columns) as f32;
        let offset = vec2(
            column * (self.picture_size.x + GAP_PTS),
            row * (self.picture_size.y + LABEL_HEIGHT_PTS + GAP_PTS),
        );
        Rect::from_min_size(area.min + offset, vec2(self.picture_size.x, LABEL_HEIGHT_PTS))
    }

    /// Returns the rectangle of a picture. `area` is that of all pictures.
    pub(super) fn picture_rect(&self, area: Rect, index: usize) -> Rect {
        let label = self.label_rect(area, index);
        Rect::from_min_size(pos2(label.left(), label.bottom()), self.picture_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_side_by_side_if_room_suffices_and_stacked_otherwise() {
        assert_eq!(Tiles::fitting(vec2(900.0, 400.0), 3, MODEL_ASPECT).columns, 3);
        let without_gap = Tiles::fitting(vec2(665.0, 690.0), 3, MODEL_ASPECT);
        assert_eq!(without_gap.columns, 3, "no empty place in a second row");
        assert_eq!(Tiles::fitting(vec2(900.0, 700.0), 4, MODEL_ASPECT).columns, 2);
        assert_eq!(Tiles::fitting(vec2(320.0, 900.0), 3, MODEL_ASPECT).columns, 1);
        assert_eq!(Tiles::fitting(vec2(320.0, 300.0), 2, MODEL_ASPECT).columns, 2);
    }

    #[test]
    fn wide_models_are_stacked_and_tall_ones_side_by_side() {
        for count in [2, 3] {
            let room = vec2(620.0, 560.0);
            let wide = Tiles::fitting(room, count, 4.0);
            let tall = Tiles::fitting(room, count, 0.5);
            assert_eq!([wide.columns, tall.columns], [1, count]);
            assert!(wide.picture_size.x > 1.9 * tall.picture_size.x);
        }
    }

    #[test]
    fn pictures_fit_their_room_or_have_minimum_size() {
        for count in [2, 3, 4] {
            for width in [200.0, 340.0, 560.0, 1000.0] {
                for height in [80.0, 300.0, 800.0] {
                    let tiles = Tiles::fitting(vec2(width, height), count, MODEL_ASPECT);
                    let size = tiles.size();
                    assert!(size.x <= width, "{tiles:?} in {width}");
                    let picture = tiles.picture_size;
                    let is_legible =
                        picture.x >= MIN_PICTURE_PTS.x && picture.y >= MIN_PICTURE_PTS.y;
                    assert!(is_legible, "{tiles:?} in {width} × {height}");
                    assert!(
                        size.y <= height || picture.y <= MIN_PICTURE_PTS.y,
                        "{tiles:?} in {height}"
                    );
                    let area = Rect::from_min_size(pos2(7.0, 9.0), size);
                    for index in 0..count {
                        assert!(area.contains_rect(tiles.picture_rect(area, index)));
                        let label = tiles.label_rect(area, index);
                        assert_eq!(label.bottom(), tiles.picture_rect(area, index).top());
                    }
                }
            }
        }
    }
}
