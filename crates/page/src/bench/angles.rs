//! A slider for every angle, morph weight and parameter of the lesson that drives
//! some, which has none on the page.

use bindpose_skin::JointIndex;
use eframe::egui::{Align, Layout, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::on_page;
use crate::PageContext;
use crate::cells::angles::{SliderParam, param_ui};
use crate::cells::joint_list::{MANY, is_found, search_field};
use crate::touch;

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
pub(super) fn all<'a>(page: &PageContext<'a>) -> Vec<SliderParam<'a>> {
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
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let all = all(page);
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
        rows(ui, list, &found, page);
    });
}

fn rows(ui: &mut Ui, list: &mut AngleList, found: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    let height = if touch::is_at_work(ui.ctx()) { FINGER_ROW } else { ROW };
    // The sheet scrolls as a whole.
    if page.view.bench.as_sheet {
        for &param in found {
            row(ui, height, param, page);
        }
        return;
    }
    let step = height + ui.spacing().item_spacing.y;
    let chosen = page.document.state.joint;
    let moved = list.seen.replace(chosen) != Some(chosen);
    let place = found.iter().position(|param| param.joint() == Some(chosen));
    let mut area = ScrollArea::vertical()
        .id_salt("bench angles")
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
            row(ui, height, param, page);
        }
    });
}

fn row(ui: &mut Ui, height: f32, param: SliderParam<'_>, page: &mut PageContext<'_>) {
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let place = UiBuilder::new().id_salt(param.name()).max_rect(rect);
    let layout = Layout::left_to_right(Align::Center);
    param_ui(&mut ui.new_child(place.layout(layout)), page, param);
}
