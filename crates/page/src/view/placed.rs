//! Positions of the parts of a step in the last frame. Reports which parts of a
//! demonstration are not visible together, and how far the prose is scrolled.

use bindpose_kit::theme::{BODY_SIZE, LINE_HEIGHT};
use bindpose_notebook::demonstration::{DemonstratedPart, Demonstration};
use bindpose_notebook::shelf::ShelfParts;
use bindpose_notebook::viewport::PictureFill;
use eframe::egui::{Rect, Vec2, scroll_area::ScrollAreaOutput};

/// Minimum share of the pictures in the area of the stage.
pub const MIN_PICTURE_SHARE: f32 = 0.35;
/// The same on steps whose subject is their pictures, in a window of 1280 × 720.
pub const MIN_LARGE_PICTURE_SHARE: f32 = 0.45;

/// Fraction of the stage's smaller side from which a picture is large enough for any
/// stage.
const MIN_SIDE: f32 = 0.38;

/// Tolerance for rounded sizes, in points.
const TOLERANCE_PTS: f32 = 1.0;

/// A region of the page that scrolls by itself or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The pictures of the stage, which do not scroll.
    Pinned,
    Cells,
    /// Wide cells of the stage, if they are below the pictures and the other cells.
    Wide,
    /// The prose, with the cells in it.
    Prose,
}

impl Region {
    fn description(self) -> &'static str {
        match self {
            Self::Pinned => "the place of the pictures",
            Self::Cells => "the stage below or beside the picture",
            Self::Wide => "the foot of the stage",
            Self::Prose => "the column of prose",
        }
    }
}

/// A named part with its position.
#[derive(Clone, Debug, PartialEq)]
struct PlacedSpot {
    part: DemonstratedPart,
    region: Region,
    /// Visible rectangle of its region.
    room: Rect,
    rect: Rect,
}

/// Angle, weights and matrix of a step that can be used without opening anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartsAtHand {
    /// Those that the step or the shelf shows.
    pub shown: ShelfParts,
    /// Those that the shelf shows after an answer.
    pub asked: ShelfParts,
}

/// Positions of all parts, in points of the page. Rectangles in a scrolled region are
/// those at its current offset.
#[derive(Debug, Default)]
pub struct PlacedItems {
    /// The whole stage with its margins. `None` if the page has no stage.
    pub stage: Option<Rect>,
    /// How far the pictures are filled, with the size of each. Empty unless measured.
    pub picture_fills: Vec<(Vec2, PictureFill)>,
    /// Parts of the shelf. `None` if the step has none.
    pub at_hand: Option<PartsAtHand>,
    regions: Vec<(Region, Rect)>,
    spots: Vec<PlacedSpot>,
}

impl PlacedItems {
    /// Forgets all positions, before the page is laid out.
    pub fn clear(&mut self) {
        self.stage = None;
        self.picture_fills.clear();
        self.at_hand = None;
        self.regions.clear();
        self.spots.clear();
    }

    /// Begins a region, whose visible rectangle is `rect`. Contains all parts that are
    /// noted afterwards.
    pub fn begin_region(&mut self, region: Region, rect: Rect) {
        self.regions.push((region, rect));
    }

    /// Returns the rectangle around all pictures of the stage. `None` if there are none.
    pub fn pictures(&self) -> Option<Rect> {
        let rects = self.regions.iter().filter(|(region, _)| *region == Region::Pinned);
        rects.map(|(_, rect)| *rect).reduce(Rect::union)
    }

    /// Records the position of a part in the current region.
    pub fn record_part(&mut self, part: DemonstratedPart, rect: Rect) {
        if let Some(&(region, room)) = self.regions.last() {
            self.spots.push(PlacedSpot { part, region, room, rect });
        }
    }

    /// Describes the parts of a demonstration that are not visible together: all that is
    /// watched, while any part that is dragged is scrolled to, and the pictures.
    pub fn describe_hidden_parts(&self, demonstration: &Demonstration) -> Vec<String> {
        let mut problems = self.check_pictures();
        for part in demonstration.drag.iter().chain(&demonstration.watch) {
            if !self.spots.iter().any(|spot| spot.part == *part) {
                problems.push(format!("{} does not stand on the page", part_name(part)));
            }
        }
        let watched: Vec<&PlacedSpot> =
            self.spots.iter().filter(|spot| demonstration.watch.contains(&spot.part)).collect();
        let mut has_dragged = false;
        for dragged in self.spots.iter().filter(|spot| demonstration.drag.contains(&spot.part)) {
            has_dragged = true;
            self.check_visible_together(dragged, &watched, &mut problems);
        }
        if !has_dragged && let Some(first) = watched.first() {
            self.check_visible_together(first, &watched, &mut problems);
        }
        problems.sort();
        problems.dedup();
        problems
    }

    /// Describes the parts that cannot be reached by scrolling up and down: what is
    /// dragged or watched and is not on the page, or is cut off at a side, including
    /// pictures.
    pub fn describe_unreachable_parts(&self, demonstration: &Demonstration) -> Vec<String> {
        let mut problems = self.check_pictures();
        for part in demonstration.drag.iter().chain(&demonstration.watch) {
            let spots: Vec<&PlacedSpot> =
                self.spots.iter().filter(|spot| spot.part == *part).collect();
            let Some(first) = spots.first() else {
                problems.push(format!("{} does not stand on the page", part_name(part)));
                continue;
            };
            let is_reachable = spots.iter().any(|spot| {
                let room = self.room(spot.region).expand(TOLERANCE_PTS);
                spot.rect.left() >= room.left() && spot.rect.right() <= room.right()
            });
            if !is_reachable {
                problems.push(format!(
                    "{} ({}) in {} ({})",
                    part_name(part),
                    format_size(first.rect),
                    first.region.description(),
                    format_size(self.room(first.region)),
                ));
            }
        }
        problems.sort();
        problems.dedup();
        problems
    }

    /// Returns the bounds of the parts of a demonstration among the cells of the stage.
    /// Returns `None` if there are none.
    pub fn among_cells(&self, demonstration: &Demonstration) -> Option<Rect> {
        self.spots
            .iter()
            .filter(|spot| {
                spot.region == Region::Cells
                    && (demonstration.drag.contains(&spot.part)
                        || demonstration.watch.contains(&spot.part))
            })
            .map(|spot| spot.rect)
            .reduce(|bounds, rect| bounds.union(rect))
    }

    /// Returns the share of the pictures in the area of the stage. Returns `None` without
    /// pictures.
    pub fn picture_share(&self) -> Option<f32> {
        let pictures = self.spots.iter().filter(|spot| spot.region == Region::Pinned);
        let area: f32 = pictures.map(|spot| spot.rect.area()).sum();
        let stage = self.stage.filter(|_| area > 0.0)?;
        Some(area / stage.area())
    }

    /// Returns the height of a cell that is out of sight when the page opens, in points.
    /// Returns `None` if the cell is not on the page.
    pub fn hidden_height(&self, id: &str) -> Option<f32> {
        let is_cell = |spot: &&PlacedSpot| match &spot.part {
            DemonstratedPart::Cell(cell) => cell == id,
            _ => false,
        };
        let spot = self.spots.iter().find(is_cell)?;
        let above = (spot.room.top() - spot.rect.top()).max(0.0);
        let below = (spot.rect.bottom() - spot.room.bottom()).max(0.0);
        let hidden = (above + below).min(spot.rect.height());
        Some(if hidden > TOLERANCE_PTS { hidden } else { 0.0 })
    }

    /// Returns true if the top of a cell is above the lower edge of its region.
    pub fn has_come_into_sight(&self, id: &str) -> bool {
        self.spots.iter().any(|spot| {
            matches!(&spot.part, DemonstratedPart::Cell(cell) if cell == id)
                && spot.rect.top() < spot.room.bottom() - TOLERANCE_PTS
        })
    }

    /// Describes the cells with these ids that are partly hidden when the page opens. A
    /// teacher in front of a class does not scroll.
    pub fn describe_cells_below_fold(&self, ids: &[&str]) -> Vec<String> {
        let mut problems = Vec::new();
        for spot in &self.spots {
            let has_id =
                matches!(&spot.part, DemonstratedPart::Cell(id) if ids.contains(&id.as_str()));
            if !has_id || !matches!(spot.region, Region::Cells | Region::Wide) {
                continue;
            }
            let above = (spot.room.top() - spot.rect.top()).max(0.0);
            let below = (spot.rect.bottom() - spot.room.bottom()).max(0.0);
            let hidden = above + below;
            if hidden > TOLERANCE_PTS {
                problems.push(format!(
                    "{} is cut by the fold: {:.0} of its {:.0} points are out of sight",
                    part_name(&spot.part),
                    hidden.min(spot.rect.height()),
                    spot.rect.height(),
                ));
            }
        }
        problems
    }

    /// Describes pictures that are cut off or too small.
    fn check_pictures(&self) -> Vec<String> {
        let pictures: Vec<&PlacedSpot> =
            self.spots.iter().filter(|spot| spot.region == Region::Pinned).collect();
        let mut problems = Vec::new();
        for spot in &pictures {
            if !spot.room.expand(TOLERANCE_PTS).contains_rect(spot.rect) {
                problems.push(format!(
                    "the picture {} needs {} and has {}",
                    part_name(&spot.part),
                    format_size(spot.rect),
                    format_size(spot.room)
                ));
            }
        }
        let area: f32 = pictures.iter().map(|spot| spot.rect.area()).sum();
        let Some(stage) = self.stage.filter(|_| area > 0.0) else {
            return problems;
        };
        let min_side = MIN_SIDE * stage.size().min_elem();
        let smallest_side =
            pictures.iter().map(|spot| spot.rect.size().min_elem()).fold(f32::INFINITY, f32::min);
        let share = area / stage.area();
        if share < MIN_PICTURE_SHARE - 0.002 && smallest_side < min_side {
            let names: Vec<String> = pictures.iter().map(|spot| part_name(&spot.part)).collect();
            let (subject, verb) = if let [_] = pictures[..] {
                ("the picture", "has")
            } else {
                ("the pictures", "together have")
            };
            problems.push(format!(
                "{subject} {} {verb} {:.0}% of the stage and should have {:.0}%, or be {min_side:.0} points wide and high",
                names.join(" and "),
                share * 100.0,
                MIN_PICTURE_SHARE * 100.0,
            ));
        }
        problems
    }

    /// Adds a problem for each region in which the watched parts are not visible together
    /// with the dragged part.
    fn check_visible_together(
        &self,
        dragged: &PlacedSpot,
        watched: &[&PlacedSpot],
        problems: &mut Vec<String>,
    ) {
        for region in [Region::Cells, Region::Wide, Region::Prose] {
            let spots: Vec<&PlacedSpot> = std::iter::once(dragged)
                .chain(watched.iter().copied())
                .filter(|spot| spot.region == region)
                .collect();
            let Some(first) = spots.first() else {
                continue;
            };
            let room = self.room(region);
            let bounds = spots.iter().fold(first.rect, |bounds, spot| bounds.union(spot.rect));
            let is_too_high = bounds.height() > room.height() + TOLERANCE_PTS;
            let is_cut_off = bounds.left() < room.left() - TOLERANCE_PTS
                || bounds.right() > room.right() + TOLERANCE_PTS;
            if is_too_high || is_cut_off {
                let mut names: Vec<String> =
                    spots.iter().map(|spot| part_name(&spot.part)).collect();
                names.dedup();
                problems.push(format!(
                    "{} ({} from {:.0}, {:.0}) in {} ({} from {:.0}, {:.0})",
                    names.join(" with "),
                    format_size(bounds),
                    bounds.left(),
                    bounds.top(),
                    region.description(),
                    format_size(room),
                    room.left(),
                    room.top()
                ));
            }
        }
    }

    /// Returns the visible rectangle of a region. Empty if the region is not on the page.
    pub fn room(&self, region: Region) -> Rect {
        let entered = self.regions.iter().find(|(other, _)| *other == region);
        entered.map_or(Rect::ZERO, |(_, rect)| *rect)
    }
}

fn part_name(part: &DemonstratedPart) -> String {
    match part {
        DemonstratedPart::Param(name) | DemonstratedPart::Cell(name) => format!("`{name}`"),
        DemonstratedPart::Bytes => "the bytes".to_owned(),
        DemonstratedPart::Vertex(vertex) => format!("the row of v{vertex}"),
    }
}

fn format_size(rect: Rect) -> String {
    format!("{:.0} × {:.0} points", rect.width(), rect.height())
}

// Scroll position of the prose, for the keys that read on.

/// Visible part of the prose, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProseScroll {
    /// Height above the visible part.
    pub above: f32,
    /// Height of the visible part.
    pub seen: f32,
    /// Height below the visible part, up to the last line.
    pub below: f32,
    /// Offset to which the next frame scrolls.
    pub target_offset: Option<f32>,
    /// Width of the column, and height of its prose.
    pub column: (f32, f32),
}

/// Minimum height that is worth scrolling, in points. Less than a line: the space after a
/// paragraph.
const MIN_SCROLL_PTS: f32 = 16.0;

impl ProseScroll {
    /// Measures a scroll area with `foot` points below its last line.
    pub(crate) fn from_output<R>(output: &ScrollAreaOutput<R>, foot: f32) -> Self {
        let above = output.state.clamped_offset().y;
        let seen = output.inner_rect.height();
        let below = (output.content_size.y - foot - seen - above).max(0.0);
        Self { above, seen, below, ..Self::default() }
    }

    /// Scrolls by one screen except two lines, which are read again. Returns false if
    /// there is no more to scroll.
    pub fn scroll_by_page(&mut self, forward: bool) -> bool {
        let available = if forward { self.below } else { self.above };
        if available < MIN_SCROLL_PTS {
            return false;
        }
        let distance =
            (self.seen - 2.0 * BODY_SIZE * LINE_HEIGHT).max(0.5 * self.seen).min(available);
        self.target_offset = Some(self.above + if forward { distance } else { -distance });
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

    /// Two pictures of this height side by side, each in a room of 299 × 243.
    fn two_pictures(height: f32) -> PlacedItems {
        let mut placed =
            PlacedItems { stage: Some(rect(0.0, 0.0, 640.0, 600.0)), ..Default::default() };
        for (name, x) in [("front", 10.0), ("behind", 320.0)] {
            placed.begin_region(Region::Pinned, rect(x, 10.0, 299.0, 243.0));
            placed.record_part(cell(name), rect(x, 10.0, 299.0, height));
        }
        placed
    }

    #[test]
    fn two_pictures_are_checked_against_their_own_rooms() {
        assert_eq!(two_pictures(243.0).check_pictures(), Vec::<String>::new());
        assert_eq!(
            two_pictures(280.0).check_pictures()[1],
            "the picture `behind` needs 299 × 280 points and has 299 × 243 points"
        );
        let small = two_pictures(100.0).check_pictures();
        assert_eq!(
            small,
            ["the pictures `front` and `behind` together have 16% of the stage and should have \
              35%, or be 228 points wide and high"]
        );
    }

    #[test]
    fn pictures_share_the_stage_and_a_task_is_cut_by_the_fold() {
        let share = two_pictures(243.0).picture_share().expect("two pictures");
        assert!((share - 2.0 * 299.0 * 243.0 / (640.0 * 600.0)).abs() < 1e-6);
        let mut placed = PlacedItems::default();
        assert_eq!(placed.picture_share(), None);
        placed.begin_region(Region::Prose, rect(0.0, 0.0, 400.0, 600.0));
        placed.record_part(cell("guess"), rect(0.0, 400.0, 400.0, 200.0));
        placed.record_part(cell("exercise"), rect(0.0, 560.0, 400.0, 90.0));
        let hidden = |id| placed.hidden_height(id);
        assert_eq!(
            [hidden("guess"), hidden("exercise"), hidden("question")],
            [Some(0.0), Some(50.0), None]
        );
    }

    #[test]
    fn a_matrix_that_ends_below_its_room_is_cut_by_the_fold() {
        let mut placed = PlacedItems::default();
        placed.begin_region(Region::Cells, rect(0.0, 300.0, 600.0, 200.0));
        placed.record_part(cell("switch"), rect(0.0, 300.0, 600.0, 80.0));
        placed.record_part(cell("product"), rect(0.0, 390.0, 600.0, 150.0));
        let cut = placed.describe_cells_below_fold(&["switch", "product"]);
        assert_eq!(cut, ["`product` is cut by the fold: 40 of its 150 points are out of sight"]);
        assert!(placed.describe_cells_below_fold(&["switch"]).is_empty());
    }
}
