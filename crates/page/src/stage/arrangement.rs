//! Division of the stage between pictures and other cells. Pure arithmetic on sizes, with
//! a search that tries arrangements frame by frame.

use eframe::egui::{Rect, Vec2, vec2};

use super::folding::FOLDED_HEIGHT_PTS;
use crate::view::placed::MIN_PICTURE_SHARE;

/// Gap between the pictures and the other cells, in points.
const GAP_PTS: f32 = 10.0;
/// Margin of the pictures' minimum share for sizes that are rounded down on the way to the
/// picture.
const PICTURE_SHARE_MARGIN: f32 = 0.02;
/// Width of the pictures with cells beside them, as a fraction of the stage.
const BESIDE_WIDTH: f32 = 0.42;
/// Width of the pictures with wide cells below and switches or tables beside them, as a
/// fraction of the stage.
pub const AROUND_WIDTH: f32 = 0.36;
/// Width of the pictures with wide cells below and only sliders beside them, as a
/// fraction of the stage.
pub const AROUND_SLIDERS_WIDTH: f32 = 0.5;
/// Minimum width of pictures with cells around them, in points.
const MIN_AROUND_WIDTH_PTS: f32 = 240.0;
/// Minimum width of cells beside the pictures, in points. A matrix with its brackets needs
/// 280.
pub const MIN_BESIDE_WIDTH_PTS: f32 = 290.0;
/// Minimum width of cells with rows of weights beside the pictures, in points. A row is 348
/// wide.
pub const MIN_WEIGHTS_WIDTH_PTS: f32 = 360.0;
/// Minimum width of cells with rows of weights, if wide cells are below, in points.
pub const MIN_TABLE_WIDTH_PTS: f32 = 440.0;
/// Minimum width of cells with code, in points.
pub const MIN_CODE_WIDTH_PTS: f32 = 460.0;
/// Aspect ratio (width / height) that shows most of a picture.
pub const ASPECT: f32 = 1.2;
/// Aspect ratio that shows most of a tall rig seen from the front.
pub const TALL_ASPECT: f32 = 0.8;
/// Fraction of the stage's height from which a picture needs no other arrangement.
const COMFORTABLE_HEIGHT: f32 = 0.5;
/// The same fraction if cells can stand around the pictures. Smaller pictures try that arrangement.
const COMFORTABLE_AROUND_HEIGHT: f32 = 0.62;
/// Width by which rows of controls exceed their room without counting as hidden, in points.
const WIDTH_TOLERANCE_PTS: f32 = 6.0;
/// Minimum height of pictures with cells around them, as a fraction of the stage.
const MIN_AROUND_HEIGHT: f32 = 0.45;
/// Factor by which another arrangement must enlarge the picture to be preferred.
const MIN_IMPROVEMENT: f32 = 1.12;

/// Place of the other cells relative to the pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellsPlace {
    /// Below the pictures, as wide as the stage.
    #[default]
    Below,
    /// Beside the pictures, as high as the stage.
    Beside,
    /// Wide cells below the pictures, all others beside them.
    Around,
}

/// Place of the other cells, and whether more room is made for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    pub cells: CellsPlace,
    /// Whether the prose is as narrow as possible or, beside unfolded cells in presenter mode,
    /// the pictures are smaller.
    pub makes_room: bool,
}

/// All arrangements, in the order in which they are tried.
const ARRANGEMENTS: [Arrangement; 6] = [
    Arrangement { cells: CellsPlace::Below, makes_room: false },
    Arrangement { cells: CellsPlace::Beside, makes_room: false },
    Arrangement { cells: CellsPlace::Around, makes_room: false },
    Arrangement { cells: CellsPlace::Below, makes_room: true },
    Arrangement { cells: CellsPlace::Beside, makes_room: true },
    Arrangement { cells: CellsPlace::Around, makes_room: true },
];

/// Rectangles of the pictures and of the other cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rooms {
    pub pictures: Rect,
    /// Rectangle of the other cells. Contents that do not fit scroll.
    pub cells: Rect,
    /// Rectangle of wide cells below all others, if cells stand around the pictures. Has
    /// no height otherwise.
    pub wide: Rect,
}

/// Heights of the cells, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellHeights {
    /// Cells in the rectangle of the other cells.
    pub cells: f32,
    /// Wide cells that have their own rectangle.
    pub wide: f32,
}

/// Divides the stage. `heights` is `None` before the cells have been laid out. A height
/// is 0 if there are no such cells.
pub fn divide_stage(
    stage: &StageLayout,
    arrangement: Arrangement,
    heights: Option<CellHeights>,
) -> Rooms {
    let inner = stage.inner;
    let min_picture_share = match stage.room_maker {
        Some(RoomMaker::SmallPictures) if arrangement.makes_room => MIN_PICTURE_SHARE,
        _ => stage.min_picture_share,
    };
    let min_picture_area = (min_picture_share + PICTURE_SHARE_MARGIN) * stage.size.x * stage.size.y;
    let guess = CellHeights { cells: inner.height() * 0.4, wide: inner.height() * 0.4 };
    let heights = heights.unwrap_or(guess);
    let empty = inner.with_min_y(inner.bottom());
    let mut rooms = Rooms { pictures: inner, cells: inner, wide: empty };
    match arrangement.cells {
        _ if heights.cells <= 0.0 && heights.wide <= 0.0 => rooms.cells = empty,
        CellsPlace::Beside => {
            let min_width = min_picture_area / inner.height().max(1.0);
            rooms.place_beside((inner.width() * BESIDE_WIDTH).max(min_width));
        }
        CellsPlace::Around => {
            let has_large_pictures = min_picture_share > MIN_PICTURE_SHARE;
            let mut min_height = inner.height() * MIN_AROUND_HEIGHT;
            if has_large_pictures {
                min_height = min_height.max((min_picture_area / inner.width().max(1.0)).ceil());
            }
            let max_wide_height = (inner.height() - min_height - GAP_PTS).max(0.0);
            rooms.wide.min.y = inner.bottom() - heights.wide.ceil().min(max_wide_height);
            rooms.pictures.max.y = rooms.wide.min.y - GAP_PTS;
            rooms.cells.max.y = rooms.pictures.max.y;
            let mut width = (inner.width() * stage.around_width).max(MIN_AROUND_WIDTH_PTS);
            if has_large_pictures {
                width = width.max(min_picture_area / rooms.pictures.height().max(1.0));
            }
            rooms.place_beside(width);
        }
        CellsPlace::Below => {
            let min_height = (min_picture_area / inner.width().max(1.0)).ceil();
            let height = (inner.height() - heights.cells - GAP_PTS).floor().max(min_height);
            rooms.pictures.max.y = inner.top() + height.min(inner.height());
            rooms.cells.min.y = (rooms.pictures.max.y + GAP_PTS).min(inner.bottom());
        }
    }
    rooms
}

impl Rooms {
    /// Places the cells to the right of pictures of this width.
    fn place_beside(&mut self, picture_width: f32) {
        let whole = self.pictures;
        self.pictures.max.x = whole.left() + picture_width.ceil().min(whole.width());
        self.cells.min.x = (self.pictures.max.x + GAP_PTS).min(whole.right());
    }
}

/// Divides a rectangle among several pictures: in a row if it is wider than high,
/// otherwise below each other.
pub fn divide_among_pictures(whole: Rect, count: usize) -> Vec<Rect> {
    let is_row = whole.width() > ASPECT * whole.height();
    let divisor = count.max(1) as f32;
    let gaps = GAP_PTS * (divisor - 1.0);
    let size = if is_row {
        vec2(((whole.width() - gaps) / divisor).max(0.0), whole.height())
    } else {
        vec2(whole.width(), ((whole.height() - gaps) / divisor).max(0.0))
    };
    let offset = if is_row { vec2(size.x + GAP_PTS, 0.0) } else { vec2(0.0, size.y + GAP_PTS) };
    (0..count).map(|index| Rect::from_min_size(whole.min + index as f32 * offset, size)).collect()
}

/// Result of trying an arrangement.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TriedArrangement {
    arrangement: Arrangement,
    /// Heights of the other cells.
    heights: CellHeights,
    /// Height of the cells that is out of sight, in points.
    hidden_height: f32,
    /// Size of the picture, as a length.
    picture_size: f32,
    /// Number of cells that are folded.
    folded_count: usize,
}

/// A cell that can be folded.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldableCell {
    pub id: String,
    /// Height while it is not folded, in points.
    pub height: f32,
    /// Whether it is among the wide cells, which have their own rectangle.
    pub is_wide: bool,
}

/// Other cells of the stage as they were laid out in a frame.
#[derive(Clone, Copy, Debug)]
pub struct LaidOutCells<'a> {
    /// Size of the cells in the rectangle of the other cells.
    pub size: Vec2,
    /// Size of the wide cells that have their own rectangle.
    pub wide_size: Vec2,
    /// Cells that can be folded, in the order in which they are folded.
    pub foldable: &'a [FoldableCell],
}

impl LaidOutCells<'_> {
    /// Returns the same cells with the first `count` of the foldable ones folded.
    fn with_folded(self, count: usize) -> Self {
        let mut folded = self;
        for cell in &self.foldable[..count] {
            let saved = (cell.height - FOLDED_HEIGHT_PTS).max(0.0);
            let size = if cell.is_wide { &mut folded.wide_size } else { &mut folded.size };
            size.y -= saved;
        }
        folded
    }

    fn heights(&self) -> CellHeights {
        CellHeights { cells: self.size.y.ceil(), wide: self.wide_size.y.ceil() }
    }
}

/// Search for the arrangement of a step at one size. Tries arrangements in order until
/// one is good enough, then takes the best. Later changes only move the border between
/// pictures and cells, so that nothing jumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrangementSearch {
    area: Vec2,
    is_unfolded: bool,
    tried: Vec<TriedArrangement>,
    settled: Option<Arrangement>,
    /// Ids of the cells that are folded.
    folded: Vec<String>,
    /// Heights of the other cells in the last frame.
    heights: Option<CellHeights>,
}

impl ArrangementSearch {
    /// Returns the arrangement for this frame. Restarts the search if the page has
    /// another size, or if the cells of the step were unfolded or folded.
    pub fn arrangement_at(
        &mut self,
        area: Vec2,
        is_unfolded: bool,
        can_stand_around: bool,
    ) -> Arrangement {
        if self.area != area || self.is_unfolded != is_unfolded {
            *self = Self { area, is_unfolded, ..Self::default() };
        }
        if let Some(settled) = self.settled {
            return settled;
        }
        let mut candidates = ARRANGEMENTS
            .into_iter()
            .filter(|candidate| can_stand_around || candidate.cells != CellsPlace::Around);
        candidates.nth(self.tried.len()).unwrap_or_default()
    }

    /// Returns true if the search is finished.
    pub fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// Heights of the other cells, if known.
    pub fn heights(&self) -> Option<CellHeights> {
        self.heights
    }

    /// Returns true if a cell is drawn as one line.
    pub fn is_folded(&self, id: &str) -> bool {
        self.folded.iter().any(|folded| folded == id)
    }

    /// Records the sizes of the cells in a frame. Returns true if the page must be laid
    /// out again at once.
    pub fn record_frame(
        &mut self,
        arrangement: Arrangement,
        stage: &StageLayout,
        cells: LaidOutCells<'_>,
    ) -> bool {
        let heights = cells.heights();
        let is_unchanged = self.heights.replace(heights) == Some(heights);
        if self.settled.is_some() {
            return !is_unchanged;
        }
        let tried = try_arrangement(arrangement, stage, cells);
        let TriedArrangement { hidden_height, picture_size, folded_count, .. } = tried;
        self.tried.push(tried);
        let comfortable_fraction =
            if stage.can_stand_around { COMFORTABLE_AROUND_HEIGHT } else { COMFORTABLE_HEIGHT };
        let comfortable_size =
            comfortable_fraction * stage.inner.height().min(stage.inner.width() / stage.aspect);
        let has_no_cells = heights == CellHeights::default();
        let fits = hidden_height <= 0.0 && folded_count == 0;
        let is_good = fits && (picture_size >= comfortable_size || has_no_cells);
        let first_count = if stage.can_stand_around { 3 } else { 2 };
        // More room is made only if some cells are hidden without it.
        let fits_without_room_made = self.tried.len() == first_count
            && self.tried.iter().any(|tried| tried.hidden_height <= 0.0 && tried.folded_count == 0);
        let candidate_count = match stage.room_maker {
            Some(RoomMaker::NarrowProse | RoomMaker::SmallPictures) => 2 * first_count,
            Some(RoomMaker::FoldedCells) | None => first_count,
        };
        if is_good || fits_without_room_made || self.tried.len() == candidate_count {
            let best = find_best(&self.tried);
            self.settled = best.map(|best| best.arrangement);
            self.heights = best.map(|best| best.heights);
            let folded_count = best.map_or(0, |best| best.folded_count);
            let folded = cells.foldable.iter().take(folded_count);
            self.folded = folded.map(|cell| cell.id.clone()).collect();
        } else {
            self.heights = None;
        }
        true
    }
}

/// Measures an arrangement of the cells as they are or, if cells can be folded, with as few of
/// them folded as it takes to show all others.
fn try_arrangement(
    arrangement: Arrangement,
    stage: &StageLayout,
    cells: LaidOutCells<'_>,
) -> TriedArrangement {
    let max_folded_count =
        if stage.room_maker == Some(RoomMaker::FoldedCells) { cells.foldable.len() } else { 0 };
    let mut folded_count = 0;
    loop {
        let tried = measure_arrangement(arrangement, stage, cells.with_folded(folded_count));
        if tried.hidden_height <= 0.0 || folded_count == max_folded_count {
            return TriedArrangement { folded_count, ..tried };
        }
        folded_count += 1;
    }
}

fn measure_arrangement(
    arrangement: Arrangement,
    stage: &StageLayout,
    cells: LaidOutCells<'_>,
) -> TriedArrangement {
    let heights = cells.heights();
    let rooms = divide_stage(stage, arrangement, Some(heights));
    let is_too_narrow = match arrangement.cells {
        CellsPlace::Below => false,
        CellsPlace::Beside => rooms.cells.width() < stage.min_width_beside,
        CellsPlace::Around => rooms.cells.width() < stage.min_width_around,
    };
    let hidden_height = if is_too_narrow {
        f32::INFINITY
    } else {
        hidden_height(cells.size, rooms.cells) + hidden_height(cells.wide_size, rooms.wide)
    };
    let picture_size = (rooms.pictures.width() / stage.aspect).min(rooms.pictures.height());
    TriedArrangement { arrangement, heights, hidden_height, picture_size, folded_count: 0 }
}

/// Height of cells that is out of sight, in points. Width counts ten times as much, because
/// scrolling sideways is worse.
fn hidden_height(cells_size: Vec2, room: Rect) -> f32 {
    let below =
        if cells_size.y <= 0.0 { 0.0 } else { (cells_size.y.ceil() - room.height()).max(0.0) };
    below + 10.0 * (cells_size.x - room.width() - WIDTH_TOLERANCE_PTS).max(0.0)
}

/// Way to make more room for the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomMaker {
    /// The column of prose becomes narrower.
    NarrowProse,
    /// The pictures have [`MIN_PICTURE_SHARE`].
    SmallPictures,
    /// Some cells become one line.
    FoldedCells,
}

/// Size of a stage and the requirements of its contents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageLayout {
    /// Size of the whole stage.
    pub size: Vec2,
    /// The stage without its margins.
    pub inner: Rect,
    /// Way in which more room can be made for the cells.
    pub room_maker: Option<RoomMaker>,
    /// Minimum share of the pictures in the area of the whole stage.
    pub min_picture_share: f32,
    /// Minimum width of the cells beside the pictures, in points.
    pub min_width_beside: f32,
    /// Minimum width of the cells beside the pictures if wide cells are below, in points.
    pub min_width_around: f32,
    /// Width of the pictures with cells around them, as a fraction of the stage.
    pub around_width: f32,
    /// Aspect ratio (width / height) that shows most of the pictures.
    pub aspect: f32,
    /// Whether some of the cells are wide and others are not.
    pub can_stand_around: bool,
}

/// Returns the arrangement that hides least. Of those that hide the same, the one that folds
/// the fewest cells, and of these the one with the largest picture. Of those that hardly differ,
/// the first.
fn find_best(tried: &[TriedArrangement]) -> Option<TriedArrangement> {
    tried.iter().copied().reduce(|best, other| {
        let is_better = match (best.hidden_height <= 0.0, other.hidden_height <= 0.0) {
            (true, true) if best.folded_count != other.folded_count => {
                other.folded_count < best.folded_count
            }
            (true, true) => other.picture_size > MIN_IMPROVEMENT * best.picture_size,
            (false, false) => other.hidden_height < 0.9 * best.hidden_height,
            (_, other_fits) => other_fits,
        };
        if is_better { other } else { best }
    })
}

#[cfg(test)]
mod tests {
    use eframe::egui::pos2;

    use super::*;
    use crate::view::placed::MIN_LARGE_PICTURE_SHARE;

    const BELOW: Arrangement = ARRANGEMENTS[0];
    const BESIDE: Arrangement = ARRANGEMENTS[1];

    /// A stage as in presenter mode at 16:9.
    fn presenter_stage(may_shrink: bool) -> StageLayout {
        let size = vec2(743.0, 528.0);
        let inner = Rect::from_min_size(pos2(16.0, 16.0), size - vec2(32.0, 32.0));
        StageLayout {
            size,
            inner,
            room_maker: may_shrink.then_some(RoomMaker::SmallPictures),
            min_picture_share: MIN_PICTURE_SHARE,
            min_width_beside: MIN_BESIDE_WIDTH_PTS,
            min_width_around: MIN_BESIDE_WIDTH_PTS,
            around_width: AROUND_WIDTH,
            aspect: ASPECT,
            can_stand_around: false,
        }
    }

    /// Finds the arrangement for cells of these heights below and beside the picture.
    fn find_for_heights(below: f32, beside: f32, may_shrink: bool) -> Arrangement {
        find_arrangement(&presenter_stage(may_shrink), |arrangement| match arrangement.cells {
            CellsPlace::Beside => CellHeights { cells: beside, wide: 0.0 },
            _ => CellHeights { cells: below, wide: 0.0 },
        })
    }

    /// Finds the arrangement for cells with these heights in each arrangement.
    fn find_arrangement(
        stage: &StageLayout,
        heights: impl Fn(Arrangement) -> CellHeights,
    ) -> Arrangement {
        let mut search = ArrangementSearch::default();
        for _ in 0..8 {
            let arrangement = search.arrangement_at(stage.size, false, stage.can_stand_around);
            let cells = laid_out(stage, arrangement, heights(arrangement), &[]);
            if !search.record_frame(arrangement, stage, cells) {
                break;
            }
        }
        assert!(search.is_settled());
        search.arrangement_at(stage.size, false, stage.can_stand_around)
    }

    /// Cells of these heights that fill the width of their rooms.
    fn laid_out<'a>(
        stage: &StageLayout,
        arrangement: Arrangement,
        heights: CellHeights,
        foldable: &'a [FoldableCell],
    ) -> LaidOutCells<'a> {
        let rooms = divide_stage(stage, arrangement, Some(heights));
        LaidOutCells {
            size: vec2(rooms.cells.width(), heights.cells),
            wide_size: vec2(rooms.wide.width(), heights.wide),
            foldable,
        }
    }

    #[test]
    fn as_few_cells_are_folded_as_large_pictures_need() {
        let stage = StageLayout {
            room_maker: Some(RoomMaker::FoldedCells),
            min_picture_share: MIN_LARGE_PICTURE_SHARE,
            ..presenter_stage(false)
        };
        let foldable = ["tree", "sum", "product"].map(|id| FoldableCell {
            id: id.to_owned(),
            height: 90.0,
            is_wide: false,
        });
        for (height, folded) in [
            (280.0, &["tree"][..]),
            (340.0, &["tree", "sum"]),
            (1000.0, &["tree", "sum", "product"]),
        ] {
            let mut search = ArrangementSearch::default();
            for _ in 0..2 {
                let arrangement = search.arrangement_at(stage.size, false, false);
                // Beside the pictures the cells are higher.
                let scale = if arrangement.cells == CellsPlace::Beside { 9.0 } else { 1.0 };
                let heights = CellHeights { cells: scale * height, wide: 0.0 };
                let cells = laid_out(&stage, arrangement, heights, &foldable);
                search.record_frame(arrangement, &stage, cells);
            }
            let is_folded: Vec<bool> =
                foldable.iter().map(|cell| search.is_folded(&cell.id)).collect();
            let expected: Vec<bool> =
                foldable.iter().map(|cell| folded.contains(&&*cell.id)).collect();
            assert_eq!(is_folded, expected, "cells of {height}");
            search.arrangement_at(stage.size, true, false);
            assert!(!search.is_folded("tree"), "unfolded by the teacher");
        }
    }

    #[test]
    fn wide_cells_are_below_a_tall_picture_and_switches_beside_it() {
        let stage =
            StageLayout { aspect: TALL_ASPECT, can_stand_around: true, ..presenter_stage(false) };
        let heights = |arrangement: Arrangement| match arrangement.cells {
            CellsPlace::Below => CellHeights { cells: 340.0, wide: 0.0 },
            CellsPlace::Beside => CellHeights { cells: 640.0, wide: 0.0 },
            CellsPlace::Around => CellHeights { cells: 160.0, wide: 190.0 },
        };
        let arrangement = find_arrangement(&stage, heights);
        assert_eq!(arrangement.cells, CellsPlace::Around, "it hides nothing");
        let rooms = divide_stage(&stage, arrangement, Some(heights(arrangement)));
        assert!(rooms.pictures.height() >= 290.0 && rooms.wide.height() >= 190.0, "{rooms:?}");
        assert!(!rooms.wide.intersects(rooms.pictures) && !rooms.wide.intersects(rooms.cells));
        let without_around = StageLayout { can_stand_around: false, ..stage };
        assert_ne!(find_arrangement(&without_around, heights).cells, CellsPlace::Around);
    }

    #[test]
    fn pictures_always_have_their_minimum_share() {
        for arrangement in ARRANGEMENTS {
            for (cells, min_picture_share) in [
                (1.0, MIN_PICTURE_SHARE),
                (200.0, MIN_PICTURE_SHARE),
                (200.0, MIN_LARGE_PICTURE_SHARE),
                (400.0, 0.5),
                (4000.0, MIN_PICTURE_SHARE),
                (4000.0, MIN_LARGE_PICTURE_SHARE),
            ] {
                if arrangement.cells == CellsPlace::Around && min_picture_share <= MIN_PICTURE_SHARE
                {
                    continue;
                }
                let stage = StageLayout { min_picture_share, ..presenter_stage(false) };
                // Higher wide cells leave no room beside the pictures.
                let wide = if arrangement.cells == CellsPlace::Around { 150.0 } else { 0.0 };
                let rooms = divide_stage(&stage, arrangement, Some(CellHeights { cells, wide }));
                let share = rooms.pictures.area() / (stage.size.x * stage.size.y);
                assert!(share >= min_picture_share, "{arrangement:?} {cells}: {share}");
                assert!(stage.inner.contains_rect(rooms.pictures));
                assert!(stage.inner.contains_rect(rooms.cells));
                assert!(!rooms.pictures.intersects(rooms.cells));
            }
        }
        let stage = presenter_stage(false);
        let without_cells = divide_stage(&stage, BELOW, Some(CellHeights::default()));
        assert_eq!(without_cells.pictures, stage.inner);
    }

    #[test]
    fn presented_pictures_are_smaller_only_where_cells_would_be_hidden() {
        let stage =
            StageLayout { min_picture_share: MIN_LARGE_PICTURE_SHARE, ..presenter_stage(true) };
        for (height, is_hidden_at_first) in [(220.0, false), (280.0, true)] {
            // Beside the pictures the cells are higher than the stage.
            let heights = |arrangement: Arrangement| match arrangement.cells {
                CellsPlace::Beside => CellHeights { cells: 600.0, wide: 0.0 },
                _ => CellHeights { cells: height, wide: 0.0 },
            };
            let arrangement = find_arrangement(&stage, heights);
            assert_eq!(arrangement.makes_room, is_hidden_at_first);
            let rooms = divide_stage(&stage, arrangement, Some(heights(arrangement)));
            let share = rooms.pictures.area() / (stage.size.x * stage.size.y);
            assert_eq!(share < MIN_LARGE_PICTURE_SHARE, is_hidden_at_first, "{share}");
            assert!(rooms.cells.height() >= height, "nothing is hidden");
        }
    }

    #[test]
    fn cells_are_below_if_they_fit_and_beside_if_that_leaves_more() {
        assert_eq!(find_for_heights(60.0, 60.0, false), BELOW);
        assert_eq!(find_for_heights(450.0, 480.0, false), BESIDE, "it hides nothing there");
        assert_eq!(
            find_for_heights(450.0, 900.0, false),
            BELOW,
            "both scroll; less is hidden below"
        );
        assert!(
            find_for_heights(450.0, 900.0, true).makes_room
                || find_for_heights(450.0, 900.0, true) == BELOW
        );
    }

    #[test]
    fn pictures_share_a_room_without_overlap() {
        let wide = Rect::from_min_size(pos2(3.0, 4.0), vec2(900.0, 300.0));
        for whole in [wide, wide.with_max_x(200.0)] {
            let places = divide_among_pictures(whole, 3);
            for (index, place) in places.iter().enumerate() {
                assert!(whole.expand(0.01).contains_rect(*place));
                assert!(places[..index].iter().all(|other| !other.intersects(*place)));
            }
        }
    }
}
