//! How a stage divides its room between pictures and other cells: as arithmetic
//! on sizes, found out by trying.

use eframe::egui::{Rect, Vec2, pos2, vec2};

/// Between the pictures and the other cells, in points.
const GAP: f32 = 10.0;
/// Width of the picture where the cells stand beside it, of the stage.
const BESIDE: f32 = 0.42;
/// Cells beside the picture need so much, in points.
pub const LEAST_BESIDE: f32 = 300.0;
/// Those with lines of code need more.
pub const LEAST_FOR_CODE: f32 = 460.0;
/// Width over height that shows most of one picture.
const ASPECT: f32 = 1.2;
/// A picture of this share of the stage's height needs no other arrangement.
const COMFORTABLE: f32 = 0.5;
/// Rows of controls end a little beyond their room.
const SLACK: f32 = 6.0;
/// Another arrangement must be so much better to be taken.
const WORTH_IT: f32 = 1.12;

/// Where the other cells stand, and how wide the prose is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Beside the pictures instead of below them.
    pub beside: bool,
    /// The prose leaves the stage as much as it can.
    pub narrow_prose: bool,
}

/// In the order in which they are tried.
const ALL: [Arrangement; 4] = [
    Arrangement { beside: false, narrow_prose: false },
    Arrangement { beside: true, narrow_prose: false },
    Arrangement { beside: false, narrow_prose: true },
    Arrangement { beside: true, narrow_prose: true },
];

/// Rooms of the pictures and of the other cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rooms {
    /// Of all pictures.
    pub pictures: Rect,
    /// Of the other cells; what does not fit scrolls.
    pub cells: Rect,
}

/// Divides `inner`, the stage `stage` without its margins. `cells`: how high the
/// other cells are; absent while nobody knows; 0 where there are none. `share`: of
/// the stage, what the pictures have at least.
pub fn rooms(
    stage: Vec2,
    inner: Rect,
    arrangement: Arrangement,
    (cells, share): (Option<f32>, f32),
) -> Rooms {
    // Sizes are rounded down on the way to the picture.
    let least = (share + 0.02) * stage.x * stage.y;
    let cells = cells.unwrap_or(inner.height() * 0.4);
    let mut rooms = Rooms { pictures: inner, cells: inner };
    if cells <= 0.0 {
        rooms.cells.min.y = inner.bottom();
    } else if arrangement.beside {
        let width = (inner.width() * BESIDE).max(least / inner.height().max(1.0)).ceil();
        rooms.pictures.max.x = inner.left() + width.min(inner.width());
        rooms.cells.min.x = (rooms.pictures.max.x + GAP).min(inner.right());
    } else {
        let least = (least / inner.width().max(1.0)).ceil();
        let height = (inner.height() - cells - GAP).floor().max(least);
        rooms.pictures.max.y = inner.top() + height.min(inner.height());
        rooms.cells.min.y = (rooms.pictures.max.y + GAP).min(inner.bottom());
    }
    rooms
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
    cells: f32,
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
    cells: Option<f32>,
}

impl Search {
    /// Begins anew when the page has another size.
    pub fn at(&mut self, area: Vec2) -> Arrangement {
        if self.area != area {
            *self = Self { area, ..Self::default() };
        }
        self.settled.unwrap_or_else(|| ALL[self.tried.len().min(ALL.len() - 1)])
    }

    /// Is nothing left to try?
    pub fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// How high the other cells are, as far as it is known.
    pub fn cells(&self) -> Option<f32> {
        self.cells
    }

    /// Takes what came of a frame: of cells of this size in their room. `across`:
    /// how many pictures stand side by side in what is compared. True if the page
    /// is to be laid out once more at once.
    pub fn measured(
        &mut self,
        arrangement: Arrangement,
        room: StageArrangement,
        cells: Vec2,
        across: usize,
    ) -> bool {
        let height = cells.y.ceil();
        let known = self.cells.replace(height) == Some(height);
        if self.settled.is_some() {
            return !known;
        }
        let known = (Some(height), room.share);
        let rooms = rooms(room.size, room.inner, arrangement, known);
        let length = |rect: Rect| (rect.width() / (ASPECT * across as f32)).min(rect.height());
        let too_wide = (cells.x - rooms.cells.width() - SLACK).max(0.0);
        let hidden = if height <= 0.0 { 0.0 } else { (height - rooms.cells.height()).max(0.0) };
        let narrow = arrangement.beside && rooms.cells.width() < room.least_beside;
        self.tried.push(TriedArrangement {
            arrangement,
            cells: height,
            hidden: if narrow { f32::INFINITY } else { hidden + 10.0 * too_wide },
            picture: length(rooms.pictures),
        });
        let good = |tried: &TriedArrangement| {
            let least = COMFORTABLE
                * room.inner.height().min(room.inner.width() / (ASPECT * across as f32));
            tried.hidden <= 0.0 && (tried.picture >= least || tried.cells <= 0.0)
        };
        let fits_wide = self.tried.len() == 2 && self.tried.iter().any(|tried| tried.hidden <= 0.0);
        let over = self.tried.len() == ALL.len() || !room.may_narrow && self.tried.len() == 2;
        if self.tried.last().is_some_and(good) || fits_wide || over {
            let best = best(&self.tried);
            self.settled = best.map(|best| best.arrangement);
            self.cells = best.map(|best| best.cells);
        } else {
            self.cells = None;
        }
        true
    }
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
        StageArrangement { size, inner, may_narrow, share: LEAST_SHARE, least_beside: LEAST_BESIDE }
    }

    /// What is found for cells of these heights, below the picture and beside it.
    fn found(below: f32, beside: f32, may_narrow: bool) -> Arrangement {
        let (mut search, stage) = (Search::default(), stage(may_narrow));
        for _ in 0..8 {
            let now = search.at(stage.size);
            let high = if now.beside { beside } else { below };
            let width =
                rooms(stage.size, stage.inner, now, (Some(high), LEAST_SHARE)).cells.width();
            if !search.measured(now, stage, vec2(width, high), 1) {
                break;
            }
        }
        assert!(search.is_settled());
        search.at(stage.size)
    }

    #[test]
    fn a_picture_always_has_its_share() {
        let stage = stage(false);
        for arrangement in ALL {
            for (cells, least) in
                [(1.0, LEAST_SHARE), (200.0, LEAST_SHARE), (400.0, 0.5), (4000.0, LEAST_SHARE)]
            {
                let known = (Some(cells), least);
                let rooms = rooms(stage.size, stage.inner, arrangement, known);
                let share = rooms.pictures.area() / (stage.size.x * stage.size.y);
                assert!(share >= least, "{arrangement:?} {cells}: {share}");
                assert!(stage.inner.contains_rect(rooms.pictures));
                assert!(stage.inner.contains_rect(rooms.cells));
                assert!(!rooms.pictures.intersects(rooms.cells));
            }
        }
        let alone = rooms(stage.size, stage.inner, WIDE, (Some(0.0), LEAST_SHARE));
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
