//! The weights of one vertex as sliders, one a lane that is in use, with their
//! shares as a bar above them; further joints can be added.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use bindpose_lesson::DataEdit;
use bindpose_notebook::{Edit, Entity, SUM_TOLERANCE, number_text};
use bindpose_skin::{Influences, JointIndex, LANES, sharing_the_rest};
use eframe::egui::{
    Color32, FontId, Popup, PopupCloseBehavior, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::PageContext;
use crate::cells::entity_chooser::{joint_label, joint_list, joint_name, label_width};
use crate::theme::{FINE, SMALL, font};
use crate::widgets::scrub::Slider;
use crate::widgets::{PaintText, Scrub, Tip as _, option_button, small_button};

/// Shows the sliders of a vertex. `id` tells places on the page apart.
pub(crate) fn ui(ui: &mut Ui, vertex: u32, id: &str, page: &mut PageContext<'_>) {
    let Some(&now) = page.derived.influences.get(vertex as usize) else {
        let words = if page.derived.rig.mesh.positions.is_empty() {
            "This model has no vertices.".to_owned()
        } else {
            format!("v{vertex} is bound to no joint: it has no weights.")
        };
        ui.label(page.theme.label(words));
        return;
    };
    let stored = page.derived.rig.mesh.influences.get(vertex as usize);
    let stored = stored.copied().unwrap_or(now);
    page.with_state(id, |sliders: &mut Sliders, page| {
        let shown = (0..LANES).filter(|&lane| {
            let used = now.weights[lane] != 0.0 || stored.weights[lane] != 0.0;
            used || sliders.added.contains(&(vertex, lane))
        });
        let vertex_weights = VertexWeights { vertex, now, stored, shown: shown.collect() };
        ui.push_id(id, |ui| show(ui, &vertex_weights, id, sliders, page));
    });
}

fn show(
    ui: &mut Ui,
    vertex_weights: &VertexWeights,
    id: &str,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    ui.spacing_mut().item_spacing.y = 4.0;
    shares_bar_ui(ui, vertex_weights, page);
    for &lane in &vertex_weights.shown {
        if let Some(weight) = row_ui(ui, vertex_weights, lane, id, page) {
            put(vertex_weights, lane, weight, sliders, page);
        }
    }
    if vertex_weights.shown.is_empty() {
        let words = format!("No joint has a weight on v{}.", vertex_weights.vertex);
        ui.label(page.theme.label(words));
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = vec2(8.0, 3.0);
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        keep_sum(ui, page);
        add_joint_ui(ui, vertex_weights, sliders, page);
        buttons(ui, vertex_weights, page);
    });
    if page.view.keep_sum && vertex_weights.shown.len() == 1 {
        let words = "One joint alone keeps all of it. Add a joint to share with.";
        ui.label(page.theme.caption(words));
    }
}

/// One weight, and where Σw is kept, the others with it.
fn put(
    vertex_weights: &VertexWeights,
    lane: usize,
    weight: f32,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    let vertex = vertex_weights.vertex;
    page.edits.push(if page.view.keep_sum {
        let weights = sliders.sharing(vertex_weights, lane, weight);
        Edit::Data(DataEdit::Weights(vertex, weights))
    } else {
        Edit::Weight { vertex, lane, weight }
    });
}

fn keep_sum(ui: &mut Ui, page: &mut PageContext<'_>) {
    let help = "While one weight is moved, the others move in proportion, so that the sum is 1";
    let switch = ui.add(option_button(page.view.keep_sum, "keep Σw = 1"));
    if switch.tip(help).clicked() {
        page.view.keep_sum = !page.view.keep_sum;
    }
}

fn buttons(ui: &mut Ui, vertex_weights: &VertexWeights, page: &mut PageContext<'_>) {
    let vertex = vertex_weights.vertex;
    let sum = vertex_weights.now.sum();
    let off = (sum - 1.0).abs() > SUM_TOLERANCE && sum.is_finite() && sum.abs() > f32::EPSILON;
    let is_empty = sum.abs() <= f32::EPSILON;
    let edited = page.document.state.weights.get(vertex).is_some();
    for (words, help, why_not, enabled, edit) in [
        (
            "normalise",
            "Divide the weights of this vertex by their sum",
            if is_empty {
                "The sum is 0, and nothing can be divided by it: give the vertex a weight first"
            } else {
                "The sum is 1"
            },
            off,
            Edit::NormalizeWeights(Some(vertex)),
        ),
        (
            "as stored",
            "The joints and weights that the model stores for this vertex",
            "They are as stored",
            edited,
            Edit::ResetWeights(Some(vertex)),
        ),
    ] {
        let response = ui.add_enabled(enabled, small_button(words));
        if response.tip(help).tip_disabled(why_not).clicked() {
            page.edits.push(edit);
        }
    }
}

// One weight: whose it is, a slider from 0 to 1, and the number.

/// Answers with the weight that is wanted now.
fn row_ui(
    ui: &mut Ui,
    vertex_weights: &VertexWeights,
    lane: usize,
    id: &str,
    page: &mut PageContext<'_>,
) -> Option<f32> {
    let (joint, weight) = (vertex_weights.now.joints[lane], vertex_weights.now.weights[lane]);
    let stored = vertex_weights.stored.weights[lane];
    let vertex = vertex_weights.vertex;
    let most = if page.view.keep_sum { 1.0 } else { 10.0 };
    let least = if page.view.keep_sum { 0.0 } else { -10.0 };
    let number = Scrub::new(
        ("weight slider", id, vertex, lane),
        f64::from(weight),
        format!("weight of joint {} on v{vertex}", joint.0),
    )
    .range(0.0..=1.0)
    .limits(least..=most)
    .changed(weight != stored)
    .chars(5)
    .font(FontId::monospace(SMALL));
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let room = label_width(ui.available_width());
        let name = joint_name(page, joint).to_owned();
        let lights = Entity::Weight(vertex, joint);
        joint_label(ui, page, (Some(joint), Some(lights)), &name, room);
        let slider = Slider {
            number: &number,
            home: f64::from(stored),
            filled_from: 0.0,
            color: page.theme.joint_line(joint),
        };
        let width = ui.available_width() - number.size(ui).x - 10.0;
        let (response, slid) = slider.show(ui, width, page.theme);
        if response.dragged() || response.has_focus() {
            page.linked.hover(lights);
        }
        slid.or(number.show(ui))
    });
    if row.response.contains_pointer() {
        page.linked.hover(Entity::Weight(vertex, joint));
    }
    let change = row.inner?;
    Some(change.or(f64::from(stored)) as f32)
}

// A joint for a lane that is not in use.

/// A button that opens the list of joints.
fn add_joint_ui(
    ui: &mut Ui,
    vertex_weights: &VertexWeights,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    let has_slider = |joint: JointIndex| {
        let mut lanes = vertex_weights.shown.iter();
        lanes.any(|&lane| vertex_weights.now.joints[lane] == joint)
    };
    let joints = page.derived.rig.skeleton.indices();
    let joints: Vec<JointIndex> = joints.filter(|&joint| !has_slider(joint)).collect();
    let free = (0..LANES).filter(|lane| !vertex_weights.shown.contains(lane));
    let free: Vec<usize> = free.collect();
    let (enabled, help) = if free.is_empty() {
        (false, "All lanes are in use: eight joints at most")
    } else if joints.is_empty() {
        (false, "Every joint has its slider")
    } else {
        (true, "Let another joint have a weight on this vertex")
    };
    let button = ui.add_enabled(enabled, small_button("+ a joint"));
    let button = button.tip(help).tip_disabled(help);
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(220.0);
        let Some(joint) = joint_list(ui, page, &mut sliders.sought, &joints, None) else {
            return;
        };
        if let Some(lane) = lane_for(joint, &free, vertex_weights) {
            give(joint, lane, vertex_weights, sliders, page);
        }
        ui.close();
    });
}

/// One that is the joint's already, though without a weight; else the first.
fn lane_for(joint: JointIndex, free: &[usize], vertex_weights: &VertexWeights) -> Option<usize> {
    let own = |lane: &&usize| vertex_weights.now.joints[**lane] == joint;
    free.iter().find(own).or(free.first()).copied()
}

fn give(
    joint: JointIndex,
    lane: usize,
    vertex_weights: &VertexWeights,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    let vertex = vertex_weights.vertex;
    sliders.added.insert((vertex, lane));
    sliders.sought.clear();
    if vertex_weights.now.joints[lane] != joint {
        page.edits.push(Edit::LaneJoint { vertex, lane, joint });
    }
}

// What the sliders keep from frame to frame.

/// May be lost without harm.
#[derive(Default)]
struct Sliders {
    /// Vertex and lane of sliders that were asked for, though their weight is 0.
    added: BTreeSet<(u32, usize)>,
    /// What is sought among the joints to add.
    sought: String,
    moved: Option<MovedLane>,
}

/// The lane that was moved last, with all weights before and after.
struct MovedLane {
    vertex: u32,
    lane: usize,
    before: [f32; LANES],
    after: [f32; LANES],
}

impl Sliders {
    /// All weights with one of them put to `weight` and Σw kept at 1. As long as
    /// the same one is moved, the others keep the proportion that they had when
    /// that began: at 1 they are 0, and on the way back they are themselves again.
    fn sharing(
        &mut self,
        vertex_weights: &VertexWeights,
        lane: usize,
        weight: f32,
    ) -> [f32; LANES] {
        let now = vertex_weights.now.weights;
        let goes_on = |moved: &&MovedLane| {
            (moved.vertex, moved.lane) == (vertex_weights.vertex, lane) && moved.after == now
        };
        let before = self.moved.as_ref().filter(goes_on);
        let before = before.map_or(now, |moved| moved.before);
        let mut alike = [0.0; LANES];
        for &lane in &vertex_weights.shown {
            alike[lane] = 1.0;
        }
        let proportions = [before, vertex_weights.stored.weights, alike];
        let after = sharing_the_rest(lane, weight, &proportions);
        self.moved = Some(MovedLane { vertex: vertex_weights.vertex, lane, before, after });
        after
    }
}

// The weights of a vertex as shares of a bar that is 1 long, and Σw beside it.

const HEIGHT: f32 = 16.0;
/// Room for `Σw 1.30 ≠ 1`.
const SUM: f32 = 108.0;
/// A share that is wider bears its joint's number.
const NUMBERED: f32 = 20.0;

/// Shows bar and sum.
fn shares_bar_ui(ui: &mut Ui, vertex_weights: &VertexWeights, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let size = vec2(ui.available_width(), 26.0);
    let (row, response) = ui.allocate_exact_size(size, Sense::hover());
    let sum = vertex_weights.now.sum();
    let text = number_text::fixed(f64::from(sum), 2);
    let off = (sum - 1.0).abs() > SUM_TOLERANCE || !sum.is_finite();
    let (words, color) = if off {
        (format!("Σw {text} ≠ 1"), theme.wrong)
    } else {
        (format!("Σw {text}"), theme.ink)
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let sum_font = font::mono(SMALL, off);
    let right = row.right_center();
    ui.painter().text_right(right, &words, sum_font, color);

    let bar = Rect::from_min_max(
        pos2(row.left() + 1.0, row.center().y - HEIGHT / 2.0),
        pos2((row.right() - SUM).max(row.left() + 20.0), row.center().y + HEIGHT / 2.0),
    );
    ui.painter().rect_filled(bar, 4.0, theme.rule);
    let part = |weight: f32| {
        if weight.is_finite() { weight.max(0.0) } else { 0.0 }
    };
    let total: f32 = vertex_weights.now.weights.iter().copied().map(part).sum();
    let scale = bar.width() / total.max(1.0);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let mut left = bar.left();
    for &lane in &vertex_weights.shown {
        let (joint, width) =
            (vertex_weights.now.joints[lane], part(vertex_weights.now.weights[lane]) * scale);
        let share = Rect::from_min_size(pos2(left, bar.top()), vec2(width, HEIGHT));
        left += width;
        let lit = page.linked.is_lit(Entity::Joint(joint));
        paint_share(ui, page, share, joint, lit);
        if response.hovered() && pointer.is_some_and(|pointer| share.contains(pointer)) {
            page.linked.hover(Entity::Weight(vertex_weights.vertex, joint));
        }
    }
    if total > 1.0 {
        // Where 1 is in what is longer.
        let x = bar.left() + scale;
        let stroke = Stroke::new(2.0, theme.wrong);
        ui.painter().vline(x, bar.expand(3.0).y_range(), stroke);
    }
}

fn paint_share(
    ui: &Ui,
    page: &PageContext<'_>,
    share: Rect,
    joint: bindpose_skin::JointIndex,
    lit: bool,
) {
    if share.width() < 0.5 {
        return;
    }
    let fill: Color32 = page.theme.joint(joint);
    // A gap tells neighbours of one colour apart.
    let inner = Rect::from_min_max(share.min, share.max - vec2(share.width().min(1.5), 0.0));
    ui.painter().rect_filled(inner, 3.0, fill);
    if share.width() > NUMBERED {
        let font = font::strong(FINE);
        ui.painter().text_centered(inner.center(), joint.0, font, page.theme.on(fill));
    }
    if lit {
        let below = inner.translate(vec2(0.0, inner.height() + 1.0));
        let line = Rect::from_min_size(below.min, vec2(inner.width(), 2.0));
        ui.painter().rect_filled(line, 1.0, page.theme.ink);
    }
}

// What the sliders show.

/// A vertex with its weights as they are now and as they are stored.
struct VertexWeights {
    vertex: u32,
    /// As they are.
    now: Influences,
    /// As the model stores them.
    stored: Influences,
    /// Lanes that have a slider.
    shown: Vec<usize>,
}
