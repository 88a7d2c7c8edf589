//! Where the parts of a step stand on the page, as the last frame laid them out: what of a
//! demonstration is not in sight together, and how far the prose is scrolled.

use bindpose_notebook::demonstration::{DemonstratedPart, Demonstration};
use eframe::egui::{Rect, pos2, scroll_area::ScrollAreaOutput};

use crate::theme::{BODY, LINE};

/// The least share of the stage that its pictures have.
pub const LEAST_SHARE: f32 = 0.35;

/// A picture whose width and height have this share of the stage's smaller side is
/// large enough however far the stage goes on.
const LEAST_SIDE: f32 = 0.38;

/// Rounding of sizes, in points.
const SLACK: f32 = 1.0;

/// A part of the page that scrolls by itself, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The pictures of the stage, which never scroll.
    Pinned,
    /// The other cells of the stage.
    Cells,
    /// Its wide cells, where they stand below pictures and other cells.
    Wide,
    /// The prose with the cells in it.
    Prose,
}

impl Region {
    fn words(self) -> &'static str {
        match self {
            Self::Pinned => "the place of the pictures",
            Self::Cells => "the stage below or beside the picture",
            Self::Wide => "the foot of the stage",
            Self::Prose => "the column of prose",
        }
    }
}

/// Something with a name, and where it stands.
#[derive(Clone, Debug, PartialEq)]
struct PlacedSpot {
    part: DemonstratedPart,
    region: Region,
    /// What its region shows of the page.
    room: Rect,
    rect: Rect,
}

/// Where everything stands, in points of the page. Rectangles in a region that
/// scrolls are those at its present offset.
#[derive(Debug, Default)]
pub struct PlacedItems {
    /// All of the stage, margins included; absent where the page has none.
    pub stage: Option<Rect>,
    regions: Vec<(Region, Rect)>,
    spots: Vec<PlacedSpot>,
}

impl PlacedItems {
    /// Before the page is laid out.
    pub fn clear(&mut self) {
        self.stage = None;
        self.regions.clear();
        self.spots.clear();
    }

    /// What is noted from here on stands in this region, which shows `rect`.
    pub fn enter(&mut self, region: Region, rect: Rect) {
        self.regions.push((region, rect));
    }

    /// Notes a part that stands there.
    pub fn note(&mut self, part: DemonstratedPart, rect: Rect) {
        if let Some(&(region, room)) = self.regions.last() {
            self.spots.push(PlacedSpot { part, region, room, rect });
        }
    }

    /// What is not in sight though it belongs together, in words: with everything
    /// that is dragged scrolled to, all that is watched, and the pictures.
    pub fn out_of_sight(&self, wanted: &Demonstration) -> Vec<String> {
        let mut found = self.pictures();
        for part in wanted.drag.iter().chain(&wanted.watch) {
            if !self.spots.iter().any(|spot| spot.part == *part) {
                found.push(format!("{} does not stand on the page", name(part)));
            }
        }
        let dragged = self.spots.iter().filter(|spot| wanted.drag.contains(&spot.part));
        let mut any = false;
        for spot in dragged {
            any = true;
            self.beside(spot, &wanted.watch, &mut found);
        }
        if !any && let Some(first) = self.watched(&wanted.watch).first() {
            self.beside(first, &wanted.watch, &mut found);
        }
        found.sort();
        found.dedup();
        found
    }

    /// What cannot be reached by scrolling up and down, in words: what is dragged or
    /// watched and does not stand on the page, or is cut off at a side, pictures
    /// included.
    pub fn out_of_reach(&self, wanted: &Demonstration) -> Vec<String> {
        let mut found = self.pictures();
        for part in wanted.drag.iter().chain(&wanted.watch) {
            let mut spots = self.spots.iter().filter(|spot| spot.part == *part);
            let Some(first) = spots.next() else {
                found.push(format!("{} does not stand on the page", name(part)));
                continue;
            };
            let reached = |spot: &PlacedSpot| {
                let room = self.room(spot.region).expand(SLACK);
                spot.rect.left() >= room.left() && spot.rect.right() <= room.right()
            };
            if !reached(first) && !spots.any(reached) {
                found.push(format!(
                    "{} ({}) in {} ({})",
                    name(part),
                    size(first.rect),
                    first.region.words(),
                    size(self.room(first.region)),
                ));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// What of a demonstration stands among the cells of the stage, as one
    /// rectangle.
    pub fn among_cells(&self, wanted: &Demonstration) -> Option<Rect> {
        let named = |spot: &&PlacedSpot| {
            wanted.drag.contains(&spot.part) || wanted.watch.contains(&spot.part)
        };
        let spots = self.spots.iter().filter(|spot| spot.region == Region::Cells);
        let rects = spots.filter(named).map(|spot| spot.rect);
        rects.reduce(|all, rect| all.union(rect))
    }

    /// Cells of these ids that the fold cuts as the page opens, in words: nobody
    /// scrolls in front of a class.
    pub fn cut_by_the_fold(&self, ids: &[&str]) -> Vec<String> {
        let on_stage = |spot: &&PlacedSpot| {
            let is_asked =
                |id: &&str| matches!(&spot.part, DemonstratedPart::Cell(cell) if cell == id);
            matches!(spot.region, Region::Cells | Region::Wide) && ids.iter().any(is_asked)
        };
        let missing = self.spots.iter().filter(on_stage).filter_map(|spot| {
            let (above, below) =
                (spot.room.top() - spot.rect.top(), spot.rect.bottom() - spot.room.bottom());
            let missing = above.max(0.0) + below.max(0.0);
            (missing > SLACK).then(|| {
                format!(
                    "{} is cut by the fold: {:.0} of its {:.0} points are out of sight",
                    name(&spot.part),
                    missing.min(spot.rect.height()),
                    spot.rect.height(),
                )
            })
        });
        missing.collect()
    }

    /// The pictures stand in sight, and are large enough.
    fn pictures(&self) -> Vec<String> {
        let pinned = |spot: &&PlacedSpot| spot.region == Region::Pinned;
        let pictures: Vec<&PlacedSpot> = self.spots.iter().filter(pinned).collect();
        let cut = pictures.iter().filter(|spot| !spot.room.expand(SLACK).contains_rect(spot.rect));
        let mut found: Vec<String> = cut
            .map(|spot| {
                format!(
                    "the picture {} needs {} and has {}",
                    name(&spot.part),
                    size(spot.rect),
                    size(spot.room)
                )
            })
            .collect();
        let area: f32 = pictures.iter().map(|spot| spot.rect.area()).sum();
        let Some(stage) = self.stage.filter(|_| area > 0.0) else {
            return found;
        };
        let sides = pictures.iter().map(|spot| spot.rect.size().min_elem());
        let least_side = LEAST_SIDE * stage.size().min_elem();
        let share = area / stage.area();
        if share < LEAST_SHARE - 0.002 && sides.fold(f32::INFINITY, f32::min) < least_side {
            let names: Vec<String> = pictures.iter().map(|spot| name(&spot.part)).collect();
            let (what, has) = if let [_] = pictures[..] {
                ("the picture", "has")
            } else {
                ("the pictures", "together have")
            };
            found.push(format!(
                "{what} {} {has} {:.0}% of the stage and should have {:.0}%, or be {least_side:.0} points wide and high",
                names.join(" and "),
                share * 100.0,
                LEAST_SHARE * 100.0,
            ));
        }
        found
    }

    /// What does not stand in its region together with `dragged`.
    fn beside(&self, dragged: &PlacedSpot, watch: &[DemonstratedPart], found: &mut Vec<String>) {
        let watched = self.watched(watch);
        for region in [Region::Cells, Region::Wide, Region::Prose] {
            let alone = Some(dragged).filter(|spot| spot.region == region);
            let room = self.room(region);
            let together = watched.iter().copied().filter(|spot| spot.region == region);
            let together: Vec<&PlacedSpot> = alone.into_iter().chain(together).collect();
            let Some(first) = together.first() else {
                continue;
            };
            let all = together.iter().fold(first.rect, |all, spot| all.union(spot.rect));
            let high = all.height() > room.height() + SLACK;
            let wide = all.left() < room.left() - SLACK || all.right() > room.right() + SLACK;
            if high || wide {
                let mut names: Vec<String> = together.iter().map(|spot| name(&spot.part)).collect();
                names.dedup();
                found.push(format!(
                    "{} ({} from {:.0}, {:.0}) in {} ({} from {:.0}, {:.0})",
                    names.join(" with "),
                    size(all),
                    all.left(),
                    all.top(),
                    region.words(),
                    size(room),
                    room.left(),
                    room.top()
                ));
            }
        }
    }

    fn watched(&self, watch: &[DemonstratedPart]) -> Vec<&PlacedSpot> {
        let spots = self.spots.iter();
        spots.filter(|spot| watch.contains(&spot.part)).collect()
    }

    /// The part of the window in which a region shows the page. Empty if it is not on the page.
    pub fn room(&self, region: Region) -> Rect {
        let entered = self.regions.iter().find(|(other, _)| *other == region);
        entered.map_or(Rect::from_min_max(pos2(0.0, 0.0), pos2(0.0, 0.0)), |(_, rect)| *rect)
    }
}

fn name(part: &DemonstratedPart) -> String {
    match part {
        DemonstratedPart::Param(name) | DemonstratedPart::Cell(name) => format!("`{name}`"),
        DemonstratedPart::Bytes => "the bytes".to_owned(),
        DemonstratedPart::Vertex(vertex) => format!("the row of v{vertex}"),
    }
}

fn size(rect: Rect) -> String {
    format!("{:.0} × {:.0} points", rect.width(), rect.height())
}

// How far a text is scrolled, for keys that read on.

/// How much of the prose is in view, and where it is wanted; all in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProseInView {
    /// Above what is in view.
    pub above: f32,
    /// In view.
    pub seen: f32,
    /// Below it, to the last line.
    pub below: f32,
    /// Where the next frame is to put the top.
    pub to: Option<f32>,
    /// Width of the column, and how high its prose is.
    pub column: (f32, f32),
}

/// Less than a line, in points: the room after a paragraph.
const HARDLY_MORE: f32 = 16.0;

impl ProseInView {
    /// Of what was scrolled; `foot`: the room below its last line.
    pub(crate) fn of<R>(shown: &ScrollAreaOutput<R>, foot: f32) -> Self {
        let (above, seen) = (shown.state.clamped_offset().y, shown.inner_rect.height());
        let below = (shown.content_size.y - foot - seen - above).max(0.0);
        Self { above, seen, below, ..Self::default() }
    }

    /// A screenful on or back, less two lines that are read again; false where
    /// there is no more.
    pub fn turn(&mut self, forward: bool) -> bool {
        let room = if forward { self.below } else { self.above };
        if room < HARDLY_MORE {
            return false;
        }
        let way = (self.seen - 2.0 * BODY * LINE).max(0.5 * self.seen).min(room);
        self.to = Some(self.above + if forward { way } else { -way });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};

    fn cell(name: &str) -> DemonstratedPart {
        DemonstratedPart::Cell(name.to_owned())
    }

    fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(width, height))
    }

    /// Two pictures side by side, of these sizes, each in a room of 299 × 243.
    fn two_pictures(height: f32) -> PlacedItems {
        let mut placed =
            PlacedItems { stage: Some(rect(0.0, 0.0, 640.0, 600.0)), ..Default::default() };
        for (name, x) in [("front", 10.0), ("behind", 320.0)] {
            placed.enter(Region::Pinned, rect(x, 10.0, 299.0, 243.0));
            placed.note(cell(name), rect(x, 10.0, 299.0, height));
        }
        placed
    }

    #[test]
    fn each_of_two_pictures_is_held_against_its_own_room() {
        assert_eq!(two_pictures(243.0).pictures(), Vec::<String>::new());
        assert_eq!(
            two_pictures(280.0).pictures()[1],
            "the picture `behind` needs 299 × 280 points and has 299 × 243 points"
        );
        let small = two_pictures(100.0).pictures();
        assert_eq!(
            small,
            ["the pictures `front` and `behind` together have 16% of the stage and should have \
              35%, or be 228 points wide and high"]
        );
    }

    #[test]
    fn a_matrix_that_ends_below_its_room_is_cut_by_the_fold() {
        let mut placed = PlacedItems::default();
        placed.enter(Region::Cells, rect(0.0, 300.0, 600.0, 200.0));
        placed.note(cell("switch"), rect(0.0, 300.0, 600.0, 80.0));
        placed.note(cell("product"), rect(0.0, 390.0, 600.0, 150.0));
        let cut = placed.cut_by_the_fold(&["switch", "product"]);
        assert_eq!(cut, ["`product` is cut by the fold: 40 of its 150 points are out of sight"]);
        assert!(placed.cut_by_the_fold(&["switch"]).is_empty());
    }
}
