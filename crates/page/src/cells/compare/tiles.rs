//! Where the pictures stand: beside each other where that leaves them wide enough,
//! else in two rows, or one below the other, whichever leaves them largest.

use std::sync::Arc;

use bindpose_lesson::{Setting, Variant};
use bindpose_notebook::{Derived, Document, Edit, apply};
use eframe::egui::{Rect, Vec2, pos2, vec2};

use crate::PageContext;

/// Between pictures, in points.
const GAP: f32 = 10.0;
/// Above each picture.
const LABEL: f32 = 30.0;
/// A picture is at least as wide and as high, whatever room is given.
const LEAST: Vec2 = Vec2::new(112.0, 92.0);
/// Width over height that shows most of a framed model.
const ASPECT: f32 = 1.15;
/// What a picture is worth in rows that are not all full.
const WITH_HOLE: f32 = 0.75;
/// Three pictures at least as wide and as high as this stand in one row.
const IN_A_ROW: f32 = 200.0;
/// The most of height over width: taller ones show nothing more.
const TALLEST: f32 = 2.6;

/// Pictures of one size in rows, each with a label above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tiles {
    /// How many.
    pub(super) count: usize,
    /// Size of each picture.
    pub(super) picture: Vec2,
    columns: usize,
}

impl Tiles {
    /// As large as they can be in `room`. Where even that is too small to read,
    /// they stand below each other and take more height than is given.
    pub(super) fn fitting(room: Vec2, count: usize) -> Self {
        let of_columns = |columns: usize| {
            let (across, down) = (columns as f32, count.div_ceil(columns) as f32);
            let width = (room.x - GAP * (across - 1.0)) / across;
            let height = (room.y - GAP * (down - 1.0)) / down - LABEL;
            Self { count, picture: vec2(width, height.min(width * TALLEST)).floor(), columns }
        };
        let worth = |tiles: &Self| {
            let least = (tiles.picture.x / ASPECT).min(tiles.picture.y);
            // A place that stays empty looks as if something were missing.
            let hole = !count.is_multiple_of(tiles.columns);
            if hole { least * WITH_HOLE } else { least }
        };
        let row = of_columns(count.max(1));
        // Two rows of four are full.
        let in_a_row = count % 2 == 1 && row.picture.min_elem() >= IN_A_ROW;
        let best = (1..=count.max(1))
            .map(of_columns)
            .filter(|tiles| !in_a_row || tiles.columns == count)
            .max_by(|a, b| worth(a).total_cmp(&worth(b)))
            .filter(|tiles| tiles.picture.x >= LEAST.x && tiles.picture.y >= LEAST.y);
        best.unwrap_or_else(|| {
            let across = ((room.x + GAP) / (LEAST.x + GAP)).floor().max(1.0);
            let columns = (across as usize).min(count.max(1));
            let mut tiles = of_columns(columns);
            tiles.picture.x = tiles.picture.x.max(0.0);
            tiles.picture.y = tiles.picture.y.max(LEAST.y);
            tiles
        })
    }

    /// Of all together.
    pub(super) fn size(&self) -> Vec2 {
        let (across, down) = (self.columns as f32, self.count.div_ceil(self.columns) as f32);
        vec2(
            self.picture.x * across + GAP * (across - 1.0),
            (self.picture.y + LABEL) * down + GAP * (down - 1.0),
        )
    }

    /// Room of the label of a picture, in the rectangle of all.
    pub(super) fn label(&self, all: Rect, tile: usize) -> Rect {
        let (column, row) = (tile % self.columns, tile / self.columns);
        let at = all.min
            + vec2(
                column as f32 * (self.picture.x + GAP),
                row as f32 * (self.picture.y + LABEL + GAP),
            );
        Rect::from_min_size(at, vec2(self.picture.x, LABEL))
    }

    /// Of a picture, in the rectangle of all.
    pub(super) fn picture(&self, all: Rect, tile: usize) -> Rect {
        let label = self.label(all, tile);
        Rect::from_min_size(pos2(label.left(), label.bottom()), self.picture)
    }
}

// A document that is compared, and what follows from it, kept as long as nothing
// it follows from changes.

/// One variant.
#[derive(Debug)]
pub(super) struct DerivedVariant {
    pub(super) document: Document,
    pub(super) derived: Derived,
    /// Why its settings could not be applied.
    pub(super) refused: Option<String>,
    /// Is it of another model than that of the page?
    pub(super) is_other_model: bool,
    /// Defaults of lesson and rig come in with these.
    params_of_page: Vec<(String, f64)>,
}

impl DerivedVariant {
    pub(super) fn new(
        (document, refused): (Document, Option<String>),
        page: &PageContext<'_>,
    ) -> Self {
        let derived = page.derived.of_other(&document, Some(page.lesson));
        Self {
            document,
            derived,
            refused,
            is_other_model: false,
            params_of_page: page.derived.params.clone(),
        }
    }

    /// The page on another model, in its pose.
    pub(super) fn of_other_model(
        (document, derived): (Document, Derived),
        page: &PageContext<'_>,
    ) -> Self {
        Self {
            document,
            derived,
            refused: None,
            is_other_model: true,
            params_of_page: page.derived.params.clone(),
        }
    }

    pub(super) fn is_of(&self, document: &Document, page: &PageContext<'_>) -> bool {
        // Weights, bytes and what else is put in the place of the stored is in the
        // document.
        Arc::ptr_eq(&self.derived.stored_rig, &page.derived.stored_rig)
            && self.params_of_page == page.derived.params
            && self.document == *document
            && !self.derived.awaits_weights()
    }
}

/// The page's with a variant's settings, and why they could not be applied.
pub(super) fn document_of(
    cell: &Variant,
    chosen: &[Setting],
    page: &PageContext<'_>,
) -> (Document, Option<String>) {
    let mut document = page.document.clone();
    let settings = cell.set.0.iter().chain(chosen).cloned().collect();
    let edit = Edit::Settings(settings);
    let refused = apply(&mut document, &edit, page.lesson, &page.derived.stored_rig)
        .err()
        .map(|refused| format!("{}: {refused}", cell.label.words()));
    (document, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_side_by_side_where_there_is_room_and_stack_where_not() {
        let columns = |x, y, count| Tiles::fitting(vec2(x, y), count).columns;
        assert_eq!(columns(900.0, 400.0, 3), 3);
        assert_eq!(columns(665.0, 690.0, 3), 3, "no hole in a second row");
        assert_eq!(columns(900.0, 700.0, 4), 2);
        assert_eq!(columns(320.0, 900.0, 3), 1);
        assert_eq!(columns(320.0, 300.0, 2), 2);
    }

    #[test]
    fn pictures_fit_their_room_or_are_still_large_enough_to_read() {
        for count in [2, 3, 4] {
            for width in [200.0, 340.0, 560.0, 1000.0] {
                for height in [80.0, 300.0, 800.0] {
                    let tiles = Tiles::fitting(vec2(width, height), count);
                    let size = tiles.size();
                    assert!(size.x <= width, "{tiles:?} in {width}");
                    let least = tiles.picture.x >= LEAST.x && tiles.picture.y >= LEAST.y;
                    assert!(least, "{tiles:?} in {width} × {height}");
                    assert!(
                        size.y <= height || tiles.picture.y <= LEAST.y,
                        "{tiles:?} in {height}"
                    );
                    let all = Rect::from_min_size(pos2(7.0, 9.0), size);
                    for tile in 0..count {
                        assert!(all.contains_rect(tiles.picture(all, tile)));
                        let label = tiles.label(all, tile);
                        assert_eq!(label.bottom(), tiles.picture(all, tile).top());
                    }
                }
            }
        }
    }
}
