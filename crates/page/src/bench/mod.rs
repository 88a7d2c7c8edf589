//! The bench: angles of all joints, weights of the chosen vertex, matrices of the
//! chosen joint, any two matrices compared, and states of the page that are kept.
//! The same on every page; what the step itself shows is not shown again.

mod comparison;
mod on_page;
pub mod sheet;
mod state;
#[cfg(test)]
mod tests;

use bindpose_lesson::MatrixCell;
use bindpose_notebook::{Edit, PageSnapshot};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, Frame, Layout, Margin, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, Vec2, vec2,
};

use crate::cells::angles::{SliderParam, param_ui};
use crate::cells::as_held;
use crate::cells::entity_chooser::{MANY, is_found, search_field};
use crate::cells::matrix;
use crate::command::Command;
use crate::theme::{INTERFACE, font};
use crate::widgets::{Tip as _, icon_button, option_button, reveal_focus, small_button};
use crate::{PageContext, icons, touch};

pub use state::{BenchMoment, BenchState, ComparedMatrix, Snapshot, Snapshots, Tab};

/// The bench takes at most this share of the height: the picture stays in sight.
const MOST: f32 = 0.56;
/// And leaves at least so much, where there is so much.
const PICTURE: f32 = 260.0;
/// From this width on, angles, weights and a comparison stand side by side.
const THREE: f32 = 780.0;
/// From this width on, two of them do.
const TWO: f32 = 470.0;
/// Between columns.
const GAP: f32 = 24.0;
/// So many angles stand above the weights, where each part has a row.
const FEW: usize = 3;
/// In the place of the prose: its share of the page's width, and the least widths
/// of bench and stage.
const FOR_PROSE: f32 = 0.47;
const LEAST_FOR_PROSE: f32 = 384.0;
const LEAST_STAGE: f32 = 370.0;
/// On a page under this height a picture above the bench would be a strip; with so wide a
/// stage they stand side by side there, too.
const LOW: f32 = 740.0;
const LEAST_STAGE_READ: f32 = 600.0;

/// What was measured in the last frame.
#[derive(Default)]
struct BenchMeasure {
    /// Of all that the bench has to show, in points.
    height: f32,
}

/// Where the page is low and wide, as in presenter mode, the bench stands in the
/// place of the prose, as high as the page, so that the picture stays large: its
/// place, and the stage's. Absent while it is closed, and on other pages.
pub fn in_place_of_prose(page: &mut PageContext<'_>, area: Rect) -> Option<(Rect, Rect)> {
    let width = (area.width() * FOR_PROSE).max(LEAST_FOR_PROSE).floor();
    let stage = area.width() - width;
    let presented = page.view.presenting && stage >= LEAST_STAGE;
    let fits = presented || area.height() < LOW && stage >= LEAST_STAGE_READ;
    let stands = page.view.bench.open && fits;
    page.view.bench.for_prose = stands;
    stands.then(|| area.split_left_right_at_x(area.left() + width))
}

/// What is left of `area` for the page, and the lower part, which is the bench's;
/// absent while it is closed.
pub fn split(page: &mut PageContext<'_>, area: Rect) -> (Rect, Option<Rect>) {
    page.view.bench.as_sheet = false;
    if !page.view.bench.open {
        return (area, None);
    }
    let most = (area.height() * MOST).min((area.height() - PICTURE).max(area.height() * 0.46));
    let measured = page.state::<BenchMeasure>("bench").height;
    let wanted = if measured > 0.0 { measured } else { most };
    let height = wanted.min(most).floor();
    let (rest, below) = area.split_top_bottom_at_y(area.bottom() - height);
    (rest, Some(below))
}

/// Shows the bench in the place of the prose, without a frame of its own.
pub fn in_column(ui: &mut Ui, page: &mut PageContext<'_>, column: Rect) {
    let room = Rect::from_min_max(column.min + vec2(16.0, 12.0), column.max - vec2(10.0, 0.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(column.intersect(ui.clip_rect()));
    header_ui(&mut child, page);
    child.add_space(2.0);
    ScrollArea::vertical().id_salt("bench").auto_shrink([false, false]).show(&mut child, |ui| {
        let margin = Margin { right: 6, bottom: 12, ..Margin::ZERO };
        let frame = Frame::NONE.inner_margin(margin);
        frame.show(ui, |ui| body(ui, page));
        reveal_focus(ui);
    });
}

/// Shows the bench in all of `below`. After the stage: Tab comes to it in that order.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, below: Rect) {
    let margin = if below.width() > 400.0 { 20.0 } else { 10.0 };
    let room = Rect::from_min_max(below.min + vec2(margin, 0.0), below.max - vec2(margin, 12.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(below.intersect(ui.clip_rect()));
    let used = card(&mut child, page, room.size());
    let used = used.ceil() + 12.0;
    let kept = &mut page.state::<BenchMeasure>("bench").height;
    if (*kept - used).abs() > 0.5 {
        *kept = used;
        // Once more at once, with the height now known.
        ui.ctx().request_discard("the height of the bench became known");
    }
}

/// Draws it in a room; answers with the height that it would like to have.
fn card(ui: &mut Ui, page: &mut PageContext<'_>, room: Vec2) -> f32 {
    let theme = page.theme;
    let margin = Margin::symmetric(16, 10);
    let mut wanted = 0.0;
    Frame::NONE
        .fill(theme.paper)
        .stroke(eframe::egui::Stroke::new(1.0, theme.rule))
        .corner_radius(10.0)
        .inner_margin(margin)
        .show(ui, |ui| {
            ui.set_width(room.x - 34.0);
            let top = ui.cursor().top();
            header_ui(ui, page);
            ui.add_space(2.0);
            let head = ui.cursor().top() - top;
            let height = (room.y - head - 22.0).max(40.0);
            let scrolled = ScrollArea::vertical()
                .id_salt("bench")
                .max_height(height)
                .min_scrolled_height(height.min(40.0))
                .auto_shrink([false, true])
                .show(ui, |ui| body(ui, page));
            wanted = head + scrolled.content_size.y + 24.0;
        });
    wanted
}

fn body(ui: &mut Ui, page: &mut PageContext<'_>) {
    on_page::choose_a_vertex(page);
    on_page::pictures_ui(ui, page);
    let parts = parts(page);
    let width = ui.available_width();
    for parts in rows(page, parts.clone(), width) {
        row(ui, page, &parts, width);
    }
    matrices_ui(ui, page);
    comparison::poses_ui(ui, page);
    let (angles, weights) =
        (parts.contains(&BenchPart::Angles), parts.contains(&BenchPart::Weights));
    let words = match (angles, weights) {
        (true, true) => return,
        (false, true) => "The angles have their sliders among what the step shows.",
        (true, false) => "The weights have their sliders among what the step shows.",
        (false, false) => "Angles and weights have their sliders among what the step shows.",
    };
    ui.label(page.theme.caption(words));
}

/// Which parts stand side by side, from the top. In the column of the prose each
/// has a row, and more than a few angles stand last: weights and matrices are in
/// sight together.
fn rows(page: &PageContext<'_>, mut parts: Vec<BenchPart>, width: f32) -> Vec<Vec<BenchPart>> {
    let in_column = page.view.bench.for_prose;
    if in_column && all_angles(page).len() > FEW {
        parts.sort_by_key(|part| *part == BenchPart::Angles);
    }
    let across = match parts.len() {
        _ if in_column => 1,
        3 if width >= THREE => 3,
        2.. if width >= TWO => 2,
        _ => 1,
    };
    parts.chunks(across).map(<[BenchPart]>::to_vec).collect()
}

/// Parts side by side.
fn row(ui: &mut Ui, page: &mut PageContext<'_>, parts: &[BenchPart], width: f32) {
    let free = width - GAP * (parts.len() - 1) as f32;
    let shares: f32 = parts.iter().map(|part| part.share()).sum();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for part in parts {
            let own = (free * part.share() / shares).floor();
            let layout = eframe::egui::Layout::top_down(eframe::egui::Align::Min);
            ui.allocate_ui_with_layout(vec2(own, 0.0), layout, |ui| {
                ui.set_width(own);
                ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
                part.ui(ui, page);
            });
        }
    });
    ui.add_space(8.0);
}

// The parts of the bench that stand side by side.

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BenchPart {
    Angles,
    Weights,
    Comparison,
}

/// Those that the step does not show by itself.
fn parts(page: &PageContext<'_>) -> Vec<BenchPart> {
    let all = all_angles(page);
    let angles = !on_page::angles_left(page, &all).is_empty();
    let angles = angles.then_some(BenchPart::Angles);
    let weights = !on_page::has_weight_sliders(page);
    let weights = weights.then_some(BenchPart::Weights);
    let parts = [angles, weights, Some(BenchPart::Comparison)];
    parts.into_iter().flatten().collect()
}

impl BenchPart {
    /// How wide it is beside the others.
    fn share(self) -> f32 {
        match self {
            Self::Angles | Self::Weights => 1.0,
            Self::Comparison => 1.45,
        }
    }

    fn ui(self, ui: &mut Ui, page: &mut PageContext<'_>) {
        match self {
            Self::Angles => angles_ui(ui, page),
            Self::Weights => on_page::weights_ui(ui, page),
            Self::Comparison => as_held(page, |page| comparison::ui(ui, page)),
        }
    }
}

// World, inverse bind and joint matrix of the chosen joint.

/// Those that the step does not show; all three as a product.
fn matrices_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let show = on_page::matrices_left(page);
    if show.is_empty() {
        return;
    }
    let cell = MatrixCell { product: show.len() == 3, show, ..MatrixCell::default() };
    ui.separator();
    ui.push_id("bench matrices", |ui| {
        as_held(page, |page| matrix::ui(ui, &cell, "bench matrices", page));
    });
}

// A slider for every angle, morph weight and parameter of the lesson that drives
// some, which has none on the page.

const ROW: f32 = 26.0;
/// The same for fingers.
const FINGER_ROW: f32 = touch::TARGET;

/// What is kept from frame to frame.
#[derive(Default)]
struct AngleList {
    sought: String,
    /// The chosen joint when the list was last drawn.
    seen: Option<JointIndex>,
}

/// All angles and morph weights of the rig, and before them what the lesson drives
/// some with.
fn all_angles<'a>(page: &PageContext<'a>) -> Vec<SliderParam<'a>> {
    let (rig, lesson) = (&page.derived.rig, page.lesson);
    let drives = |name: &str| {
        let mut formulas = lesson.drive.iter().map(|drive| &drive.formula);
        formulas.any(|formula| formula.names().iter().any(|(other, _)| *other == name))
    };
    let own = lesson.params.iter().filter(|param| drives(&param.name));
    let own = own.map(SliderParam::OfLesson);
    let of_rig = rig.angles().chain(rig.morphs()).map(SliderParam::OfRig);
    own.chain(of_rig).collect()
}

/// Shows them; many scroll, and are searched.
fn angles_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let all = all_angles(page);
    let left = on_page::angles_left(page, &all);
    page.with_state("bench", |list: &mut AngleList, page| {
        ui.horizontal(|ui| {
            let words = if left.len() < all.len() { "Other angles" } else { "Angles" };
            ui.label(page.theme.label(words));
            search_field(ui, &mut list.sought, left.len());
        });
        let found = left
            .iter()
            .copied()
            .filter(|param| is_found(&list.sought, param.label(), param.joint()));
        let found: Vec<SliderParam<'_>> = found.collect();
        if found.is_empty() {
            let words = format!("No joint is called “{}”.", list.sought.trim());
            ui.label(page.theme.label(words));
            return;
        }
        angle_rows(ui, list, &found, page);
    });
}

fn angle_rows(
    ui: &mut Ui,
    list: &mut AngleList,
    found: &[SliderParam<'_>],
    page: &mut PageContext<'_>,
) {
    let height = if touch::is_at_work(ui.ctx()) { FINGER_ROW } else { ROW };
    // The sheet scrolls as a whole.
    if page.view.bench.as_sheet {
        for &param in found {
            angle_row(ui, height, param, page);
        }
        return;
    }
    let step = height + ui.spacing().item_spacing.y;
    let chosen = page.document.state.joint;
    let moved = list.seen.replace(chosen) != Some(chosen);
    let place = found.iter().position(|param| param.joint() == Some(chosen));
    let mut area = ScrollArea::vertical()
        .id_salt(("bench angles", found.len()))
        .max_height(MANY as f32 * step)
        .min_scrolled_height(MANY as f32 * step)
        .auto_shrink([false, true]);
    // Chosen elsewhere: its slider comes into view.
    if let Some(place) = place.filter(|_| moved && found.len() > MANY) {
        let above = place.saturating_sub(MANY / 2) as f32 * step;
        // Past its end the list would spring back, for some frames.
        let most = (found.len() - MANY) as f32 * step - ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset(above.min(most.max(0.0)));
    }
    area.show_rows(ui, height, found.len(), |ui, rows| {
        for &param in &found[rows] {
            angle_row(ui, height, param, page);
        }
    });
}

fn angle_row(ui: &mut Ui, height: f32, param: SliderParam<'_>, page: &mut PageContext<'_>) {
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let place = UiBuilder::new().id_salt(param.name()).max_rect(rect);
    let layout = Layout::left_to_right(Align::Center);
    param_ui(&mut ui.new_child(place.layout(layout)), page, param);
}

// The line above the parts: the title, the states that are kept, and the way out.

/// The title of the bench, the states that are kept, and the way out: in one line, or in
/// more where there is no room.
fn header_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let title = RichText::new("Bench").font(font::strong(INTERFACE));
        ui.label(title.color(page.theme.ink));
        ui.add_space(8.0);
        states_ui(ui, page);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icons::X, "close the bench", true) {
                page.view.bench.open = false;
            }
        });
    });
}

/// The states that are kept, and what is done with them.
fn states_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    for (which, command) in [(PageSnapshot::A, Command::KeepA), (PageSnapshot::B, Command::KeepB)] {
        snapshot_ui(ui, which, command, page);
    }
    flip_ui(ui, page);
    pictures_switch_ui(ui, page);
}

/// Keeps the page, and goes to what was kept.
fn snapshot_ui(ui: &mut Ui, which: PageSnapshot, command: Command, page: &mut PageContext<'_>) {
    let rig = &page.derived.stored_rig;
    let kept = &page.view.bench.snapshots;
    let letter = if which == PageSnapshot::A { "A" } else { "B" };
    if let Some(snapshot) = kept.get(which, &page.document.lesson, rig) {
        let here = snapshot.document.step == page.document.step;
        let at = kept.is_at(which, page.document, rig);
        let words =
            if here { letter.to_owned() } else { format!("{letter} of step {}", snapshot.step) };
        let help = if here {
            format!("Go to snapshot {letter}")
        } else {
            format!("Kept at step {}: its matrices can be compared here", snapshot.step)
        };
        let button = ui.add_enabled(here, option_button(at, words));
        let name = format!("go to snapshot {letter}");
        let button = button.tip(&help).tip_disabled(&help);
        if button.accessible_name(name).clicked() {
            go_to(which, page);
        }
    }
    let button = ui.add(small_button(command.text()));
    if button.tip(command.hint(ui.ctx(), None)).clicked() {
        let bench = &mut page.view.bench;
        bench.snapshots.keep(which, page.document, &page.derived.stored_rig);
    }
}

fn flip_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let rig = &page.derived.stored_rig;
    let kept = &page.view.bench.snapshots;
    let leads_on = [PageSnapshot::A, PageSnapshot::B].into_iter().any(|which| {
        let of_lesson = kept.get(which, &page.document.lesson, rig);
        let of_step = of_lesson.is_some_and(|one| one.document.step == page.document.step);
        of_step && !kept.is_at(which, page.document, rig)
    });
    let leads_on = leads_on || kept.can_go_back(page.document);
    let button = ui.add_enabled(leads_on, small_button(Command::Flip.text()));
    let hint = Command::Flip.hint(ui.ctx(), None);
    let button = button.tip(&hint).tip_disabled(&hint);
    if button.clicked() {
        let snapshots = &mut page.view.bench.snapshots;
        if let Some((which, there)) = snapshots.flip(page.document, &page.derived.stored_rig) {
            page.edits.push(Edit::Recall(which, Box::new(there)));
        }
    }
    if page.view.bench.snapshots.can_go_back(page.document) {
        let help = "The page as it was before you went to a snapshot";
        let button = ui.add(small_button("back to how it was"));
        if button.tip(help).clicked() {
            go_to(PageSnapshot::Before, page);
        }
    }
}

/// The switch for the pictures of A, B and A − B, once both are there.
fn pictures_switch_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if !on_page::are_possible(page) {
        return;
    }
    let help = "A, B, and how far each vertex of B is from where A has it";
    let button = ui.add(option_button(page.view.bench.pictures, "pictures of A, B, A − B"));
    if button.tip(help).clicked() {
        page.view.bench.pictures = !page.view.bench.pictures;
    }
}

fn go_to(which: PageSnapshot, page: &mut PageContext<'_>) {
    let snapshots = &mut page.view.bench.snapshots;
    if let Some(there) = snapshots.go(which, page.document, &page.derived.stored_rig) {
        page.edits.push(Edit::Recall(which, Box::new(there)));
    }
}
