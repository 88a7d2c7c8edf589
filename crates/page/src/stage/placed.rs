//! Where the parts of a step stand on the page, as the last frame laid them out;
//! and what of a demonstration is not in sight together.

use eframe::egui::{Rect, pos2};

use bindpose_notebook::demonstration::{DemonstratedPart, Demonstration};

/// The least share of the stage that its pictures have.
pub const LEAST_SHARE: f32 = 0.35;

/// Rounding of sizes, in points.
const SLACK: f32 = 1.0;

/// A part of the page that scrolls by itself, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The pictures of the stage, which never scroll.
    Pinned,
    /// The other cells of the stage.
    Cells,
    /// The prose with the cells in it.
    Prose,
}

impl Region {
    fn words(self) -> &'static str {
        match self {
            Self::Pinned => "the place of the pictures",
            Self::Cells => "the stage below or beside the picture",
            Self::Prose => "the column of prose",
        }
    }
}

/// Something with a name, and where it stands.
#[derive(Clone, Debug, PartialEq)]
struct PlacedSpot {
    part: DemonstratedPart,
    region: Region,
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
        if let Some(&(region, _)) = self.regions.last() {
            self.spots.push(PlacedSpot { part, region, rect });
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

    /// The pictures stand in sight, and are large enough.
    fn pictures(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut area = 0.0;
        for spot in self.spots.iter().filter(|spot| spot.region == Region::Pinned) {
            area += spot.rect.area();
            let room = self.room(Region::Pinned);
            if !room.expand(SLACK).contains_rect(spot.rect) {
                found.push(format!(
                    "the picture {} ({}) stands in {}",
                    name(&spot.part),
                    size(spot.rect),
                    size(room)
                ));
            }
        }
        if let Some(stage) = self.stage.filter(|_| area > 0.0) {
            let share = area / stage.area();
            if share < LEAST_SHARE - 0.002 {
                found.push(format!("the picture has {:.0}% of the stage", share * 100.0));
            }
        }
        found
    }

    /// What does not stand in its region together with `dragged`.
    fn beside(&self, dragged: &PlacedSpot, watch: &[DemonstratedPart], found: &mut Vec<String>) {
        let watched = self.watched(watch);
        for region in [Region::Cells, Region::Prose] {
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

    fn room(&self, region: Region) -> Rect {
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
