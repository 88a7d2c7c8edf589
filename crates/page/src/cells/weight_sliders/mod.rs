//! Sliders for the weights of a vertex, one per lane in use, with a bar of their
//! shares above them. Further joints can be added.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use bindpose_kit::theme::{FINE_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::scrub::Slider;
use bindpose_kit::widgets::{PaintText, Scrub, Tip as _, option_button, small_button};
use bindpose_lesson::{DataEdit, number_text};
use bindpose_notebook::{Edit, EditTarget, Entity, SUM_TOLERANCE};
use bindpose_skin::{Influences, JointIndex, LANES, sharing_the_rest};
use eframe::egui::{
    Color32, FontId, Popup, PopupCloseBehavior, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::PageContext;
use crate::cells::entity_chooser::{joint_label, joint_list_ui, joint_name, label_width};

/// Height of the bar of shares, in points.
const BAR_HEIGHT: f32 = 16.0;
/// Width reserved for `Σw 1.30 ≠ 1`, in points.
const SUM_WIDTH: f32 = 108.0;
/// Minimum width of a share that is labelled with its joint, in points.
const MIN_LABELLED_SHARE_WIDTH: f32 = 20.0;

/// State of the sliders. None of it is part of the document.
#[derive(Default)]
struct SlidersState {
    /// Vertices and lanes of sliders that the reader has added. Their weights may
    /// be 0.
    added: BTreeSet<(u32, usize)>,
    /// Search among the joints that can be added.
    search: String,
    last_move: Option<WeightMove>,
}

/// The last move of a slider, with all weights before and after it.
struct WeightMove {
    vertex: u32,
    lane: usize,
    before: [f32; LANES],
    after: [f32; LANES],
}

struct VertexWeights {
    vertex: u32,
    current: Influences,
    /// Influences in the model.
    stored: Influences,
    /// Lanes with a slider.
    lanes: Vec<usize>,
}

/// Draws the sliders of a vertex. `id` distinguishes several lists on a page.
pub(crate) fn ui(ui: &mut Ui, vertex: u32, id: &str, page: &mut PageContext<'_>) {
    let Some(&current) = page.derived.influences.get(vertex as usize) else {
        let message = if page.derived.rig.mesh.positions.is_empty() {
            "This model has no vertices.".to_owned()
        } else {
            format!("v{vertex} is bound to no joint: it has no weights.")
        };
        ui.label(page.theme.label(message));
        return;
    };
    let stored_influences = &page.derived.rig.mesh.influences;
    let stored = stored_influences.get(vertex as usize).copied().unwrap_or(current);
    page.with_state(id, |state: &mut SlidersState, page| {
        let lanes = (0..LANES)
            .filter(|&lane| {
                current.weights[lane] != 0.0
                    || stored.weights[lane] != 0.0
                    || state.added.contains(&(vertex, lane))
            })
            .collect();
        let weights = VertexWeights { vertex, current, stored, lanes };
        ui.push_id(id, |ui| sliders_ui(ui, &weights, id, state, page));
    });
}

fn sliders_ui(
    ui: &mut Ui,
    weights: &VertexWeights,
    id: &str,
    state: &mut SlidersState,
    page: &mut PageContext<'_>,
) {
    let vertex = weights.vertex;
    ui.spacing_mut().item_spacing.y = 4.0;
    shares_bar_ui(ui, weights, page);
    for &lane in &weights.lanes {
        if let Some(weight) = slider_row_ui(ui, weights, lane, id, page) {
            page.requests.edits.push(if page.view.keep_sum {
                let all = state.move_and_keep_sum(weights, lane, weight);
                Edit::data(DataEdit::Weights(vertex, all))
            } else {
                Edit::Weight { vertex, lane, weight }
            });
        }
    }
    if weights.lanes.is_empty() {
        ui.label(page.theme.label(format!("No joint has a weight on v{vertex}.")));
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = vec2(8.0, 3.0);
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let tip = "While one weight is moved, the others move in proportion, so that the sum is 1";
        let switch = ui.add(option_button(page.view.keep_sum, "keep Σw = 1"));
        if switch.tip(tip).clicked() {
            page.view.keep_sum = !page.view.keep_sum;
        }
        add_joint_ui(ui, weights, state, page);
        buttons_ui(ui, weights, page);
    });
    if page.view.keep_sum && weights.lanes.len() == 1 {
        let hint = "One joint alone keeps all of it. Add a joint to share with.";
        ui.label(page.theme.caption(hint));
    }
}

/// Draws the buttons that normalise and reset the weights.
fn buttons_ui(ui: &mut Ui, weights: &VertexWeights, page: &mut PageContext<'_>) {
    let vertex = weights.vertex;
    let sum = weights.current.sum();
    let is_zero = sum.abs() <= f32::EPSILON;
    let can_normalize = (sum - 1.0).abs() > SUM_TOLERANCE && sum.is_finite() && !is_zero;
    let reason = if is_zero {
        "The sum is 0, and nothing can be divided by it: give the vertex a weight first"
    } else {
        "The sum is 1"
    };
    let normalize = ui
        .add_enabled(can_normalize, small_button("normalise"))
        .tip("Divide the weights of this vertex by their sum")
        .tip_disabled(reason);
    if normalize.clicked() {
        page.requests.edits.push(Edit::NormalizeWeights(Some(vertex)));
    }
    let is_edited = page.document.state.weights.get(vertex).is_some();
    let reset = ui
        .add_enabled(is_edited, small_button("as stored"))
        .tip("The joints and weights that the model stores for this vertex")
        .tip_disabled("They are as stored");
    if reset.clicked() {
        page.requests.edits.push(Edit::Reset(EditTarget::Weights(Some(vertex))));
    }
}

/// Draws the joint, slider and number of a weight. Returns the new weight after a
/// change.
fn slider_row_ui(
    ui: &mut Ui,
    weights: &VertexWeights,
    lane: usize,
    id: &str,
    page: &mut PageContext<'_>,
) -> Option<f32> {
    let joint = weights.current.joints[lane];
    let weight = weights.current.weights[lane];
    let stored = weights.stored.weights[lane];
    let vertex = weights.vertex;
    let limits = if page.view.keep_sum { 0.0..=1.0 } else { -10.0..=10.0 };
    let scrub = Scrub::new(
        ("weight slider", id, vertex, lane),
        f64::from(weight),
        format!("weight of joint {} on v{vertex}", joint.0),
    )
    .range(0.0..=1.0)
    .limits(limits)
    .changed(weight != stored)
    .chars(5)
    .font(FontId::monospace(SMALL_SIZE));
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let width = label_width(ui.available_width());
        let name = joint_name(page, joint).to_owned();
        let entity = Entity::Weight(vertex, joint);
        joint_label(ui, page, (Some(joint), Some(entity)), &name, width);
        let slider = Slider {
            number: &scrub,
            home: f64::from(stored),
            filled_from: 0.0,
            color: page.theme.joint_line(joint),
        };
        let slider_width = ui.available_width() - scrub.size(ui).x - 10.0;
        let (response, slider_change) = slider.show(ui, slider_width, page.theme);
        if response.dragged() || response.has_focus() {
            page.linked.hover(entity);
        }
        slider_change.or(scrub.show(ui))
    });
    if row.response.contains_pointer() {
        page.linked.hover(Entity::Weight(vertex, joint));
    }
    let change = row.inner?;
    Some(change.value_or(f64::from(stored)) as f32)
}

/// Draws the button that opens the list of joints to add.
fn add_joint_ui(
    ui: &mut Ui,
    weights: &VertexWeights,
    state: &mut SlidersState,
    page: &mut PageContext<'_>,
) {
    let joints: Vec<JointIndex> = page
        .derived
        .rig
        .skeleton
        .indices()
        .filter(|&joint| !weights.lanes.iter().any(|&lane| weights.current.joints[lane] == joint))
        .collect();
    let free_lanes: Vec<usize> = (0..LANES).filter(|lane| !weights.lanes.contains(lane)).collect();
    let (enabled, tip) = if free_lanes.is_empty() {
        (false, "All lanes are in use: eight joints at most")
    } else if joints.is_empty() {
        (false, "Every joint has its slider")
    } else {
        (true, "Let another joint have a weight on this vertex")
    };
    let button = ui.add_enabled(enabled, small_button("+ a joint")).tip(tip).tip_disabled(tip);
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(220.0);
        let Some(joint) = joint_list_ui(ui, page, &mut state.search, &joints, None) else {
            return;
        };
        // Prefer a free lane that already names the joint.
        let named_lane = free_lanes.iter().find(|&&lane| weights.current.joints[lane] == joint);
        if let Some(&lane) = named_lane.or(free_lanes.first()) {
            let vertex = weights.vertex;
            state.added.insert((vertex, lane));
            state.search.clear();
            if weights.current.joints[lane] != joint {
                page.requests.edits.push(Edit::LaneJoint { vertex, lane, joint });
            }
        }
        ui.close();
    });
}

impl SlidersState {
    /// Sets a weight and scales the others, so that their sum stays 1. Returns all
    /// weights. While the same slider is moved, the others keep their proportions
    /// from the start of the move: even after 1, at which they are 0, they get
    /// their earlier values back.
    fn move_and_keep_sum(
        &mut self,
        weights: &VertexWeights,
        lane: usize,
        weight: f32,
    ) -> [f32; LANES] {
        let current = weights.current.weights;
        let before = match &self.last_move {
            Some(last)
                if last.vertex == weights.vertex && last.lane == lane && last.after == current =>
            {
                last.before
            }
            _ => current,
        };
        let mut equal_shares = [0.0; LANES];
        for &lane in &weights.lanes {
            equal_shares[lane] = 1.0;
        }
        // Proportions in order of preference, for weights that are all 0.
        let proportions = [before, weights.stored.weights, equal_shares];
        let after = sharing_the_rest(lane, weight, &proportions);
        self.last_move = Some(WeightMove { vertex: weights.vertex, lane, before, after });
        after
    }
}

/// Draws the weights as shares of a bar of length 1, with their sum beside it.
fn shares_bar_ui(ui: &mut Ui, weights: &VertexWeights, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let size = vec2(ui.available_width(), 26.0);
    let (row, response) = ui.allocate_exact_size(size, Sense::hover());
    let sum = weights.current.sum();
    let number = number_text::fixed(f64::from(sum), 2);
    let is_wrong = (sum - 1.0).abs() > SUM_TOLERANCE || !sum.is_finite();
    let (text, color) = if is_wrong {
        (format!("Σw {number} ≠ 1"), theme.wrong)
    } else {
        (format!("Σw {number}"), theme.ink)
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    ui.painter().text_right(row.right_center(), &text, font::mono(SMALL_SIZE, is_wrong), color);

    let bar = Rect::from_min_max(
        pos2(row.left() + 1.0, row.center().y - BAR_HEIGHT / 2.0),
        pos2((row.right() - SUM_WIDTH).max(row.left() + 20.0), row.center().y + BAR_HEIGHT / 2.0),
    );
    ui.painter().rect_filled(bar, 4.0, theme.rule);
    let total: f32 = weights.current.weights.iter().copied().map(drawable_share).sum();
    let points_per_share = bar.width() / total.max(1.0);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let mut left = bar.left();
    for &lane in &weights.lanes {
        let joint = weights.current.joints[lane];
        let width = drawable_share(weights.current.weights[lane]) * points_per_share;
        let share = Rect::from_min_size(pos2(left, bar.top()), vec2(width, BAR_HEIGHT));
        left += width;
        let is_lit = page.linked.is_lit(Entity::Joint(joint));
        paint_share(ui, page, share, joint, true, is_lit);
        if response.hovered() && pointer.is_some_and(|pointer| share.contains(pointer)) {
            page.linked.hover(Entity::Weight(weights.vertex, joint));
        }
    }
    if total > 1.0 {
        // Mark the position of 1 in the longer bar.
        let x = bar.left() + points_per_share;
        let stroke = Stroke::new(2.0, theme.wrong);
        ui.painter().vline(x, bar.expand(3.0).y_range(), stroke);
    }
}

/// Returns the weight, or 0 if it is negative or not finite.
pub(crate) fn drawable_share(weight: f32) -> f32 {
    if weight.is_finite() { weight.max(0.0) } else { 0.0 }
}

/// Paints a share, with the joint's index if `is_labelled` and if there is room.
pub(crate) fn paint_share(
    ui: &Ui,
    page: &PageContext<'_>,
    share: Rect,
    joint: JointIndex,
    is_labelled: bool,
    is_lit: bool,
) {
    if share.width() < 0.5 {
        return;
    }
    let fill: Color32 = page.theme.joint(joint);
    // A gap separates neighbours of the same colour.
    let inner = Rect::from_min_max(share.min, share.max - vec2(share.width().min(1.5), 0.0));
    ui.painter().rect_filled(inner, 3.0, fill);
    if is_labelled && share.width() > MIN_LABELLED_SHARE_WIDTH {
        let font = font::strong(FINE_SIZE);
        ui.painter().text_centered(inner.center(), joint.0, font, page.theme.text_on_fill(fill));
    }
    if is_lit {
        let underline = Rect::from_min_size(
            inner.min + vec2(0.0, inner.height() + 1.0),
            vec2(inner.width(), 2.0),
        );
        ui.painter().rect_filled(underline, 1.0, page.theme.ink);
    }
}
