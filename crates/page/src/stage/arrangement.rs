//! How a stage divides its room between pictures and other cells: as arithmetic
//! on sizes, found out by trying.

use eframe::egui::{Rect, Vec2, pos2, vec2};

/// Between the pictures and the other cells, in points.
const GAP: f32 = 10.0;
/// Width of the picture where the cells stand beside it, of the stage.
const BESIDE: f32 = 0.42;
/// The same where wide cells stand below both, with switches or tables beside it.
pub const AROUND: f32 = 0.36;
/// The same with sliders alone beside it.
pub const AROUND_SLIDERS: f32 = 0.5;
/// In points, the least of these.
const LEAST_WIDTH_AROUND: f32 = 240.0;
/// Cells beside the picture need so much, in points.
pub const LEAST_BESIDE: f32 = 300.0;
/// Rows of weights need more.
pub const LEAST_FOR_TABLE: f32 = 440.0;
/// Those with lines of code need more.
pub const LEAST_FOR_CODE: f32 = 460.0;
/// Width over height that shows most of one picture.
pub const ASPECT: f32 = 1.2;
/// The same of a rig that is tall and seen from the front.
pub const TALL_ASPECT: f32 = 0.8;
/// A picture of this share of the stage's height needs no other arrangement.
const COMFORTABLE: f32 = 0.5;
/// Where cells can stand around it, that is tried for pictures below this share.
const COMFORTABLE_AROUND: f32 = 0.62;
/// Rows of controls end a little beyond their room.
const SLACK: f32 = 6.0;
/// Pictures with cells around them are so high at least, of the stage.
const LEAST_AROUND: f32 = 0.45;
/// Another arrangement must be so much better to be taken.
const WORTH_IT: f32 = 1.12;

/// Where the other cells stand, seen from the pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellsPlace {
    /// Below them, as wide as the stage.
    #[default]
    Below,
    /// Beside them, as high as the stage.
    Beside,
    /// Wide ones below, all others beside the pictures.
    Around,
}

/// Where the other cells stand, and how wide the prose is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Where the other cells stand.
    pub cells: CellsPlace,
    /// The prose leaves the stage as much as it can.
    pub narrow_prose: bool,
}

/// In the order in which they are tried.
const ALL: [Arrangement; 6] = [
    Arrangement { cells: CellsPlace::Below, narrow_prose: false },
    Arrangement { cells: CellsPlace::Beside, narrow_prose: false },
    Arrangement { cells: CellsPlace::Around, narrow_prose: false },
    Arrangement { cells: CellsPlace::Below, narrow_prose: true },
    Arrangement { cells: CellsPlace::Beside, narrow_prose: true },
    Arrangement { cells: CellsPlace::Around, narrow_prose: true },
];

/// Rooms of the pictures and of the other cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rooms {
    /// Of all pictures.
    pub pictures: Rect,
    /// Of the other cells; what does not fit scrolls.
    pub cells: Rect,
    /// Of the wide ones below all that, where cells stand around the pictures;
    /// otherwise of no height.
    pub wide: Rect,
}

/// How high cells are, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellHeights {
    /// Those in the room of the other cells.
    pub cells: f32,
    /// The wide ones, where they have a room of their own.
    pub wide: f32,
}

/// Divides `inner`, the stage `stage` without its margins. `heights`: absent while
/// nobody knows; 0 where there are none. `share`: of the stage, what the pictures
/// have at least. `around`: of its width, what they have while cells stand around.
pub fn rooms(
    stage: Vec2,
    inner: Rect,
    arrangement: Arrangement,
    (heights, share): (Option<CellHeights>, f32),
    around: f32,
) -> Rooms {
    // Sizes are rounded down on the way to the picture.
    let least = (share + 0.02) * stage.x * stage.y;
    let guess = CellHeights { cells: inner.height() * 0.4, wide: inner.height() * 0.4 };
    let heights = heights.unwrap_or(guess);
    let none = inner.with_min_y(inner.bottom());
    let mut rooms = Rooms { pictures: inner, cells: inner, wide: none };
    match arrangement.cells {
        _ if heights.cells <= 0.0 && heights.wide <= 0.0 => rooms.cells = none,
        CellsPlace::Beside => {
            let width = (inner.width() * BESIDE).max(least / inner.height().max(1.0));
            beside(&mut rooms, width);
        }
        CellsPlace::Around => {
            let most = inner.height() * (1.0 - LEAST_AROUND) - GAP;
            rooms.wide.min.y = inner.bottom() - heights.wide.ceil().min(most);
            rooms.pictures.max.y = rooms.wide.min.y - GAP;
            rooms.cells.max.y = rooms.pictures.max.y;
            beside(&mut rooms, (inner.width() * around).max(LEAST_WIDTH_AROUND));
        }
        CellsPlace::Below => {
            let least = (least / inner.width().max(1.0)).ceil();
            let height = (inner.height() - heights.cells - GAP).floor().max(least);
            rooms.pictures.max.y = inner.top() + height.min(inner.height());
            rooms.cells.min.y = (rooms.pictures.max.y + GAP).min(inner.bottom());
        }
    }
    rooms
}

/// Cells to the right of pictures that are so wide.
fn beside(rooms: &mut Rooms, width: f32) {
    let room = rooms.pictures;
    rooms.pictures.max.x = room.left() + width.ceil().min(room.width());
    rooms.cells.min.x = (rooms.pictures.max.x + GAP).min(room.right());
}

/// The places of several pictures in the room of all: in a row where that is
/// wider than high, else below each other.
pub fn share(room: Rect, count: usize) -> Vec<Rect> {
    let parts = count.max(1) as f32;
    let across = room.width() > ASPECT * room.height();
    let gaps = GAP * (parts - 1.0);
    let size = if across {
        vec2(((room.width() - gaps) / parts).max(0.0), room.height())
    } else {
        vec2(room.width(), ((room.height() - gaps) / parts).max(0.0))
    };
    let at = |index: usize| {
        let step = index as f32 * (if across { size.x } else { size.y } + GAP);
        let from = if across {
            pos2(room.left() + step, room.top())
        } else {
            pos2(room.left(), room.top() + step)
        };
        Rect::from_min_size(from, size)
    };
    (0..count).map(at).collect()
}

/// What came of one arrangement.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TriedArrangement {
    arrangement: Arrangement,
    /// How high the other cells were.
    heights: CellHeights,
    /// Points of them that are out of sight.
    hidden: f32,
    /// How large the picture is, as a length.
    picture: f32,
}

/// Finds the arrangement for one step at one size: tries them in order until one
/// is good enough, then takes the best. What changes later changes only how the
/// room is divided, so that nothing jumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    area: Vec2,
    tried: Vec<TriedArrangement>,
    settled: Option<Arrangement>,
    /// How high the other cells were in the last frame.
    heights: Option<CellHeights>,
}

impl Search {
    /// Begins anew when the page has another size.
    pub fn at(&mut self, area: Vec2, may_stand_around: bool) -> Arrangement {
        if self.area != area {
            *self = Self { area, ..Self::default() };
        }
        let mut all = possible(may_stand_around);
        self.settled.or_else(|| all.nth(self.tried.len())).unwrap_or_default()
    }

    /// Is nothing left to try?
    pub fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// How high the other cells are, as far as it is known.
    pub fn heights(&self) -> Option<CellHeights> {
        self.heights
    }

    /// Takes what came of a frame: of cells of these sizes in their rooms. True if
    /// the page is to be laid out once more at once.
    pub fn measured(
        &mut self,
        arrangement: Arrangement,
        room: StageArrangement,
        [cells, wide]: [Vec2; 2],
    ) -> bool {
        let heights = CellHeights { cells: cells.y.ceil(), wide: wide.y.ceil() };
        let known = self.heights.replace(heights) == Some(heights);
        if self.settled.is_some() {
            return !known;
        }
        let known = (Some(heights), room.share);
        let rooms = rooms(room.size, room.inner, arrangement, known, room.around);
        let length = |rect: Rect| (rect.width() / room.aspect).min(rect.height());
        let over = |size: Vec2, room: Rect| {
            let high = if size.y <= 0.0 { 0.0 } else { (size.y.ceil() - room.height()).max(0.0) };
            high + 10.0 * (size.x - room.width() - SLACK).max(0.0)
        };
        let narrow = match arrangement.cells {
            CellsPlace::Below => false,
            CellsPlace::Beside => rooms.cells.width() < room.least_beside,
            CellsPlace::Around => rooms.cells.width() < room.least_around,
        };
        let hidden = over(cells, rooms.cells) + over(wide, rooms.wide);
        self.tried.push(TriedArrangement {
            arrangement,
            heights,
            hidden: if narrow { f32::INFINITY } else { hidden },
            picture: length(rooms.pictures),
        });
        let around = room.may_stand_around;
        let comfortable = if around { COMFORTABLE_AROUND } else { COMFORTABLE };
        let good = |tried: &TriedArrangement| {
            let least = comfortable * room.inner.height().min(room.inner.width() / room.aspect);
            let alone = tried.heights == CellHeights::default();
            tried.hidden <= 0.0 && (tried.picture >= least || alone)
        };
        let with_wide_prose = if around { 3 } else { 2 };
        let fits_wide = self.tried.len() == with_wide_prose
            && self.tried.iter().any(|tried| tried.hidden <= 0.0);
        let count = if room.may_narrow { 2 * with_wide_prose } else { with_wide_prose };
        if self.tried.last().is_some_and(good) || fits_wide || self.tried.len() == count {
            let best = best(&self.tried);
            self.settled = best.map(|best| best.arrangement);
            self.heights = best.map(|best| best.heights);
        } else {
            self.heights = None;
        }
        true
    }
}

/// What is tried, in order.
fn possible(may_stand_around: bool) -> impl Iterator<Item = Arrangement> {
    ALL.into_iter().filter(move |one| may_stand_around || one.cells != CellsPlace::Around)
}

/// A stage, and what may become of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageArrangement {
    /// Of all of it.
    pub size: Vec2,
    /// Without its margins.
    pub inner: Rect,
    /// Can the prose give way?
    pub may_narrow: bool,
    /// Of all of it, what the pictures have at least.
    pub share: f32,
    /// What the cells need beside the pictures.
    pub least_beside: f32,
    /// The same of those that are not wide, where the wide ones stand below.
    pub least_around: f32,
    /// Of the width, what the pictures have then.
    pub around: f32,
    /// Width over height that shows most of the pictures.
    pub aspect: f32,
    /// Are some of the cells wide, and others not?
    pub may_stand_around: bool,
}

/// The one that hides least; of equals the one with the larger picture; of those
/// that hardly differ, the first.
fn best(tried: &[TriedArrangement]) -> Option<TriedArrangement> {
    tried.iter().copied().reduce(|best, other| {
        let fits = |tried: &TriedArrangement| tried.hidden <= 0.0;
        let better = match (fits(&best), fits(&other)) {
            (true, true) => other.picture > WORTH_IT * best.picture,
            (false, false) => other.hidden < 0.9 * best.hidden,
            (_, fits) => fits,
        };
        if better { other } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::placed::LEAST_SHARE;

    const WIDE: Arrangement = ALL[0];
    const BESIDE_IT: Arrangement = ALL[1];

    /// A stage as in presenter mode at 16:9.
    fn stage(may_narrow: bool) -> StageArrangement {
        let size = vec2(743.0, 528.0);
        let inner = Rect::from_min_size(pos2(16.0, 16.0), size - vec2(32.0, 32.0));
        StageArrangement {
            size,
            inner,
            may_narrow,
            share: LEAST_SHARE,
            least_beside: LEAST_BESIDE,
            least_around: LEAST_BESIDE,
            around: AROUND,
            aspect: ASPECT,
            may_stand_around: false,
        }
    }

    /// What is found for cells of these heights, below the picture and beside it.
    fn found(below: f32, beside: f32, may_narrow: bool) -> Arrangement {
        settled(stage(may_narrow), |now| match now.cells {
            CellsPlace::Beside => CellHeights { cells: beside, wide: 0.0 },
            _ => CellHeights { cells: below, wide: 0.0 },
        })
    }

    /// What is found for cells that are so high in each arrangement.
    fn settled(
        stage: StageArrangement,
        heights: impl Fn(Arrangement) -> CellHeights,
    ) -> Arrangement {
        let mut search = Search::default();
        for _ in 0..8 {
            let now = search.at(stage.size, stage.may_stand_around);
            let high = heights(now);
            let rooms = rooms(stage.size, stage.inner, now, (Some(high), LEAST_SHARE), AROUND);
            let cells = vec2(rooms.cells.width(), high.cells);
            if !search.measured(now, stage, [cells, vec2(rooms.wide.width(), high.wide)]) {
                break;
            }
        }
        assert!(search.is_settled());
        search.at(stage.size, stage.may_stand_around)
    }

    #[test]
    fn wide_cells_stand_below_a_tall_picture_and_switches_beside_it() {
        let around =
            StageArrangement { aspect: TALL_ASPECT, may_stand_around: true, ..stage(false) };
        let heights = |now: Arrangement| match now.cells {
            CellsPlace::Below => CellHeights { cells: 340.0, wide: 0.0 },
            CellsPlace::Beside => CellHeights { cells: 640.0, wide: 0.0 },
            CellsPlace::Around => CellHeights { cells: 160.0, wide: 190.0 },
        };
        let found = settled(around, heights);
        assert_eq!(found.cells, CellsPlace::Around, "it hides nothing");
        let known = (Some(heights(found)), LEAST_SHARE);
        let rooms = rooms(around.size, around.inner, found, known, AROUND);
        assert!(rooms.pictures.height() >= 290.0 && rooms.wide.height() >= 190.0, "{rooms:?}");
        assert!(!rooms.wide.intersects(rooms.pictures) && !rooms.wide.intersects(rooms.cells));
        let none = StageArrangement { may_stand_around: false, ..around };
        assert_ne!(settled(none, heights).cells, CellsPlace::Around);
    }

    #[test]
    fn a_picture_always_has_its_share() {
        let stage = stage(false);
        for arrangement in ALL {
            for (cells, least) in
                [(1.0, LEAST_SHARE), (200.0, LEAST_SHARE), (400.0, 0.5), (4000.0, LEAST_SHARE)]
            {
                if arrangement.cells == CellsPlace::Around {
                    continue;
                }
                let known = (Some(CellHeights { cells, wide: 0.0 }), least);
                let rooms = rooms(stage.size, stage.inner, arrangement, known, AROUND);
                let share = rooms.pictures.area() / (stage.size.x * stage.size.y);
                assert!(share >= least, "{arrangement:?} {cells}: {share}");
                assert!(stage.inner.contains_rect(rooms.pictures));
                assert!(stage.inner.contains_rect(rooms.cells));
                assert!(!rooms.pictures.intersects(rooms.cells));
            }
        }
        let alone = rooms(
            stage.size,
            stage.inner,
            WIDE,
            (Some(CellHeights::default()), LEAST_SHARE),
            AROUND,
        );
        assert_eq!(alone.pictures, stage.inner);
    }

    #[test]
    fn cells_stand_below_where_they_fit_and_beside_where_that_leaves_more() {
        assert_eq!(found(60.0, 60.0, false), WIDE);
        assert_eq!(found(450.0, 480.0, false), BESIDE_IT, "it hides nothing there");
        assert_eq!(found(450.0, 900.0, false), WIDE, "both scroll; less is hidden below");
        assert!(found(450.0, 900.0, true).narrow_prose || found(450.0, 900.0, true) == WIDE);
    }

    #[test]
    fn pictures_share_a_room_without_touching() {
        let room = Rect::from_min_size(pos2(3.0, 4.0), vec2(900.0, 300.0));
        for room in [room, room.with_max_x(200.0)] {
            let places = share(room, 3);
            for (index, place) in places.iter().enumerate() {
                assert!(room.expand(0.01).contains_rect(*place));
                assert!(places[..index].iter().all(|other| !other.intersects(*place)));
            }
        }
    }
}
