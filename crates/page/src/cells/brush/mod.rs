//! The panel of the weight brush: its mode, size, strength, options and locked
//! joints. A button applies the brush at the chosen vertex, for readers who work
//! with the keyboard.

#[cfg(test)]
mod tests;

use bindpose_kit::theme::{CAPTION_SIZE, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::buttons::choose_segment;
use bindpose_kit::widgets::scrub::Slider;
use bindpose_kit::widgets::{
    Arrows, PaintText, Scrub, Tip as _, drop_down_list, keep_arrows, option_button, small_button,
};
use bindpose_lesson::{Setting, number_text};
use bindpose_notebook::{Edit, Entity, joint_label};
use bindpose_skin::{BrushMode, Falloff, Influences, JointIndex, LANES};
use eframe::egui::{
    CollapsingHeader, ComboBox, Key, Modifiers, Pos2, Rect, Response, RichText, Sense, Shape,
    Stroke, Ui, Vec2, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::entity_chooser;
use super::viewport::paint_at_chosen_vertex;
use crate::PageContext;
use crate::brush::{RADIUS_RANGE, find_obstacle};

const MODES: [(BrushMode, &str, &str); 4] = [
    (BrushMode::Add, "add", "The chosen joint gets more; with Alt or Ctrl, less"),
    (BrushMode::Subtract, "subtract", "The chosen joint gets less; with Alt or Ctrl, more"),
    (
        BrushMode::Smooth,
        "smooth",
        "Each joint comes nearer to what it has on neighbouring vertices",
    ),
    (BrushMode::Normalize, "normalise", "The sum of the weights comes nearer to 1"),
];

/// Choices for the maximum number of joints that a vertex keeps.
const INFLUENCE_LIMITS: [u32; 4] = [8, 4, 2, 1];

/// Maximum number of locked joints with a button. The rest is counted.
const MAX_LISTED_JOINTS: usize = 6;

/// Draws the panel. `id` distinguishes several panels on a page. If it `is_brief`, it has the
/// controls of a first stroke, and the others in a section that the reader opens.
pub(crate) fn ui(ui: &mut Ui, id: &str, is_brief: bool, page: &mut PageContext<'_>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    if let Some(reason) = find_obstacle(page.derived) {
        ui.label(page.theme.label(reason));
    } else if is_brief {
        brief_ui(ui, id, page);
    } else {
        full_ui(ui, id, page);
    }
}

fn full_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        tool_switch(ui, page);
        entity_chooser::joint_chooser_ui(ui, id, page);
        lock_switch(ui, page);
    });
    mode_ui(ui, page);
    size_and_strength_ui(ui, id, page);
    options_ui(ui, id, page);
    locked_joints_ui(ui, page);
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("vertex"));
        entity_chooser::vertex_index_ui(ui, id, page);
        touch_button(ui, page);
    });
    shares_ui(ui, id, page);
    message_ui(ui, page);
}

fn brief_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        tool_switch(ui, page);
        touch_button(ui, page);
    });
    size_and_strength_ui(ui, id, page);
    message_ui(ui, page);
    let title = page.theme.label("more of the brush");
    CollapsingHeader::new(title).id_salt((id, "more")).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            entity_chooser::joint_chooser_ui(ui, id, page);
            lock_switch(ui, page);
        });
        mode_ui(ui, page);
        options_ui(ui, id, page);
        locked_joints_ui(ui, page);
        ui.horizontal_wrapped(|ui| {
            ui.label(page.theme.label("vertex"));
            entity_chooser::vertex_index_ui(ui, id, page);
        });
        shares_ui(ui, id, page);
    });
}

fn mode_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let mode = page.view.brush.mode;
    if let Some(mode) = choose_segment(ui, page.theme, &MODES, mode, false) {
        page.view.brush.mode = mode;
    }
}

/// Draws the button that applies the brush at the chosen vertex.
fn touch_button(ui: &mut Ui, page: &mut PageContext<'_>) {
    let tip = "One touch with the chosen vertex as its middle; Alt or Ctrl turns it round";
    if ui.add(small_button("brush here")).tip(tip).clicked() {
        paint_at_chosen_vertex(ui, page);
    }
}

/// Draws the result of the last stroke.
fn message_ui(ui: &mut Ui, page: &PageContext<'_>) {
    if !page.view.brush.message.is_empty() {
        let message = page.theme.caption(page.view.brush.message.clone());
        ui.label(message);
    }
}

/// Draws the switch that turns the brush on and off.
pub(crate) fn tool_switch(ui: &mut Ui, page: &mut PageContext<'_>) {
    let is_on = page.view.brush.is_on;
    let tip = "Drags that begin on the surface paint; beside it they turn the picture. [ and ] make the brush smaller and larger";
    let switch = ui.add(option_button(is_on, "paint in the picture")).tip(tip);
    if switch.clicked() {
        let edit = page.view.brush.toggle(page.document);
        page.requests.edits.push(edit);
    }
}

fn lock_switch(ui: &mut Ui, page: &mut PageContext<'_>) {
    let joint = page.document.state.joint;
    let is_locked = page.view.brush.locked.contains(&joint);
    let tip = "A locked joint keeps its weights on every vertex while others are painted";
    let switch = ui.add(option_button(is_locked, "locked")).tip(tip);
    let name = format!("lock {}", joint_label(joint.index(), &page.derived.rig));
    switch.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_locked, &name));
    if switch.clicked() {
        let locked = &mut page.view.brush.locked;
        if !locked.remove(&joint) {
            locked.insert(joint);
        }
    }
}

fn size_and_strength_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let brush = &mut page.view.brush;
        ui.label(page.theme.label("size"));
        let size = Scrub::new((id, "brush size"), brush.radius, "size of the brush")
            .suffix("%")
            .decimals(1)
            .range(RADIUS_RANGE.0..=RADIUS_RANGE.1)
            .chars(5);
        if let Some(change) = size.show(ui) {
            brush.radius = change.value_or(0.08);
        }
        ui.label(page.theme.label("of the model"));
        ui.add_space(8.0);
        ui.label(page.theme.label("strength"));
        let strength = Scrub::new((id, "brush strength"), brush.strength, "strength of the brush")
            .suffix("%")
            .decimals(0)
            .range(0.01..=1.0)
            .chars(4);
        if let Some(change) = strength.show(ui) {
            brush.strength = change.value_or(0.2);
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("falloff"));
        let list = ComboBox::from_id_salt((id, "falloff"));
        let name = "falloff of the brush";
        let chosen =
            drop_down_list(ui, list, name, &brush.falloff, Falloff::ALL, |falloff: &Falloff| {
                falloff.label().to_owned()
            });
        if let Some(falloff) = chosen {
            brush.falloff = falloff;
        }
    });
}

fn options_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let keeps_sum = page.view.brush.keeps_sum;
        let tip = "The other joints give and take in proportion, so that the sum stays 1";
        if ui.add(option_button(keeps_sum, "keep Σw = 1")).tip(tip).clicked() {
            page.view.brush.keeps_sum = !keeps_sum;
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("mirror"));
        let axes = [None, Some(0), Some(1), Some(2)];
        let list = ComboBox::from_id_salt((id, "mirror"));
        let mirror = page.view.brush.mirror;
        let name = "mirror the brush along";
        let chosen =
            drop_down_list(ui, list, name, &mirror, axes, |axis: &Option<usize>| match axis {
                None => "off".to_owned(),
                Some(axis) => ["x", "y", "z"][*axis.min(&2)].to_owned(),
            });
        if let Some(axis) = chosen {
            page.view.brush.mirror = axis;
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("at most"));
        let limit = page.document.state.weights_by.most;
        let list = ComboBox::from_id_salt((id, "most"));
        let name = "joints that a vertex keeps";
        let chosen =
            drop_down_list(ui, list, name, &limit, INFLUENCE_LIMITS, |limit: &u32| match limit {
                1 => "1 joint".to_owned(),
                limit => format!("{limit} joints"),
            });
        if let Some(limit) = chosen {
            page.choose(Setting::MostInfluences(limit));
        }
    });
}

/// Draws a button for each locked joint, which unlocks it.
fn locked_joints_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let joints: Vec<JointIndex> = page.view.brush.locked.iter().copied().collect();
    if joints.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("locked:"));
        for &joint in joints.iter().take(MAX_LISTED_JOINTS) {
            let name = joint_label(joint.index(), &page.derived.rig);
            let tip = format!("Let {name} be painted again");
            let button = ui.add(small_button(joint.0.to_string())).tip(tip);
            button
                .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("unlock {name}")));
            if button.clicked() {
                page.view.brush.locked.remove(&joint);
            }
        }
        if joints.len() > MAX_LISTED_JOINTS {
            let more = format!("and {} more", joints.len() - MAX_LISTED_JOINTS);
            ui.label(page.theme.label(more));
        }
        if joints.len() > 1 && ui.add(small_button("unlock all")).clicked() {
            page.view.brush.locked.clear();
        }
    });
}

// How two or three joints share a vertex, shown as a point on a rail or in a
// triangle. Meanwhile the picture shows where each joint alone would move it.

/// Side of the triangle, in points.
const TRIANGLE_SIDE: f32 = 132.0;
/// Margin around the triangle for the labels at its corners, in points.
const TRIANGLE_MARGIN: Vec2 = vec2(56.0, 24.0);
/// Step of an arrow key, as a fraction of a side. With Shift, a tenth of it.
const KEY_STEP: f32 = 0.05;

/// Joints that share the chosen vertex. A joint that has lost all its weight is kept
/// until another vertex is chosen, so that it can get weight again.
#[derive(Default)]
struct SharingJoints {
    vertex: Option<u32>,
    joints: Vec<JointIndex>,
}

/// Draws the rail or triangle, or explains why there is none for this number of
/// joints.
fn shares_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let vertex = page.document.state.vertex;
    let all_influences = page.derived.faultless_influences();
    let Some(&influences) = all_influences.get(vertex as usize) else {
        return;
    };
    let joints =
        page.with_state(id, |sharing: &mut SharingJoints, _| sharing.update(vertex, &influences));
    let weights: Vec<f32> = joints.iter().map(|&joint| joint_weight(&influences, joint)).collect();
    let total: f32 = weights.iter().sum();
    if !(total.is_finite() && total > 0.0) {
        return;
    }
    let new_shares = match (&joints[..], &weights[..]) {
        (&[a, b], &[_, second]) => rail_ui(ui, id, vertex, [a, b], second / total, page),
        (&[a, b, c], &[first, second, third]) => {
            let shares = [first, second, third].map(|weight| weight / total);
            triangle_ui(ui, vertex, [a, b, c], shares, page)
        }
        _ => {
            let count = joints.len();
            let explanation = match count {
                1 => "This vertex follows one joint only. Brush another one in to share it."
                    .to_owned(),
                _ => format!(
                    "{count} joints share this vertex. With two or three, you get a handle here."
                ),
            };
            ui.label(page.theme.caption(explanation));
            None
        }
    };
    if let Some(shares) = new_shares {
        let new_weights = joints.iter().zip(shares).map(|(&joint, share)| (joint, share * total));
        let edited = with_joint_weights(influences, new_weights);
        page.requests.edits.push(Edit::Paint(vec![(vertex, edited)]));
    }
}

impl SharingJoints {
    /// Returns the joints that share a vertex with these influences.
    fn update(&mut self, vertex: u32, influences: &Influences) -> Vec<JointIndex> {
        let mut used: Vec<JointIndex> = Vec::new();
        for (_, joint, _) in influences.used() {
            if !used.contains(&joint) {
                used.push(joint);
            }
        }
        let is_current = self.vertex == Some(vertex)
            && used.iter().all(|joint| self.joints.contains(joint))
            && self.joints.iter().all(|joint| influences.joints.contains(joint));
        if !is_current {
            *self = Self { vertex: Some(vertex), joints: used };
        }
        self.joints.clone()
    }
}

/// Returns the sum of the weights of a joint, without negative ones.
fn joint_weight(influences: &Influences, joint: JointIndex) -> f32 {
    let lanes = influences.used().filter(|(_, other, _)| *other == joint);
    lanes.map(|(_, _, weight)| weight.max(0.0)).sum()
}

/// Sets weights of joints. If several lanes have the same joint, the first of them
/// with a weight gets all of it.
fn with_joint_weights(
    before: Influences,
    new_weights: impl Iterator<Item = (JointIndex, f32)>,
) -> Influences {
    let mut after = before;
    for (joint, weight) in new_weights {
        let lanes: Vec<usize> = (0..LANES).filter(|&lane| before.joints[lane] == joint).collect();
        let weighted_lanes: Vec<usize> =
            lanes.iter().copied().filter(|&lane| before.weights[lane] != 0.0).collect();
        for &lane in &weighted_lanes {
            after.weights[lane] = 0.0;
        }
        if let Some(&lane) = weighted_lanes.first().or(lanes.first()) {
            after.weights[lane] = weight;
        }
    }
    after
}

/// Draws the rail of two joints. `second_share` is the share of the second joint.
/// Returns the new shares after a change.
fn rail_ui(
    ui: &mut Ui,
    id: &str,
    vertex: u32,
    joints: [JointIndex; 2],
    second_share: f32,
    page: &mut PageContext<'_>,
) -> Option<Vec<f32>> {
    let [a, b] = joints;
    let label = format!("share of joint {} against joint {} on v{vertex}", b.0, a.0);
    let scrub = Scrub::new((id, "rail", vertex), f64::from(second_share), label).range(0.0..=1.0);
    let row = ui.horizontal(|ui| {
        ui.label(share_label(page, a, 1.0 - second_share));
        let slider =
            Slider { number: &scrub, home: 0.5, filled_from: 0.0, color: page.theme.joint_line(b) };
        let width = (ui.available_width() - 80.0).clamp(60.0, 260.0);
        let (response, change) = slider.show(ui, width, page.theme);
        if response.dragged() || response.has_focus() || response.hovered() {
            page.linked.hover(Entity::Weight(vertex, b));
        }
        ui.label(share_label(page, b, second_share));
        change
    });
    let new_share = row.inner?.value_or(0.5) as f32;
    Some(vec![1.0 - new_share, new_share])
}

/// Formats the label at an end of the rail.
fn share_label(page: &PageContext<'_>, joint: JointIndex, share: f32) -> RichText {
    let text = format!("{}: {}", joint.0, number_text::fixed(share.into(), 2));
    RichText::new(text).font(font::strong(CAPTION_SIZE)).color(page.theme.joint_text(joint))
}

/// Draws the triangle of three joints. Returns the new shares after a change.
fn triangle_ui(
    ui: &mut Ui,
    vertex: u32,
    joints: [JointIndex; 3],
    shares: [f32; 3],
    page: &mut PageContext<'_>,
) -> Option<Vec<f32>> {
    let height = TRIANGLE_SIDE * 0.75_f32.sqrt();
    let size = vec2(TRIANGLE_SIDE, height) + 2.0 * TRIANGLE_MARGIN;
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let inner = rect.shrink2(TRIANGLE_MARGIN);
    let corners = [inner.left_bottom(), inner.right_bottom(), pos2(inner.center().x, inner.top())];
    response.widget_info(|| {
        let [a, b, c] = joints.map(|joint| joint.0);
        let [x, y, z] = shares.map(|share| number_text::fixed(share.into(), 2));
        let label = format!(
            "shares on v{vertex}: joint {a} {x}, joint {b} {y}, joint {c} {z}; arrow keys move them"
        );
        WidgetInfo::labeled(Role::Button, true, label)
    });
    let handle = position_from_shares(corners, shares);
    paint_triangle(ui, rect, corners, handle, joints, shares, page);
    if response.hovered() || response.dragged() || response.has_focus() {
        let strongest = (0..3).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        let strongest_joint = strongest.map_or(joints[0], |corner| joints[corner]);
        page.linked.hover(Entity::Weight(vertex, strongest_joint));
    }
    let scrolls = touch::is_touch_active(ui.ctx()) && touch::scroll_page_instead(ui, &response);
    let is_pressed = response.clicked() || response.dragged() && !scrolls;
    let new_position = response
        .interact_pointer_pos()
        .filter(|_| is_pressed)
        .or_else(|| move_by_arrow_keys(ui, &response, handle))?;
    let new_shares = shares_at(corners, new_position);
    (new_shares != shares).then(|| new_shares.to_vec())
}

fn paint_triangle(
    ui: &Ui,
    rect: Rect,
    corners: [Pos2; 3],
    handle: Pos2,
    joints: [JointIndex; 3],
    shares: [f32; 3],
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let painter = ui.painter_at(rect);
    let edge = Stroke::new(1.5, theme.track);
    painter.add(Shape::convex_polygon(corners.to_vec(), theme.panel, edge));
    let label_offsets = [vec2(0.0, 13.0), vec2(0.0, 13.0), vec2(0.0, -13.0)];
    for (corner, joint) in joints.into_iter().enumerate() {
        // A larger share has a wider line.
        let line = Stroke::new(1.0 + 4.0 * shares[corner], theme.joint_line(joint));
        painter.line_segment([handle, corners[corner]], line);
        painter.circle_filled(corners[corner], 5.0, theme.joint(joint));
        let share = number_text::fixed(shares[corner].into(), 2);
        let label = format!("{}: {share}", joint.0);
        let color = theme.joint_text(joint);
        let center = corners[corner] + label_offsets[corner];
        painter.text_centered(center, label, font::strong(CAPTION_SIZE), color);
    }
    painter.circle(handle, 7.0, theme.accent, Stroke::new(2.0, theme.paper));
}

/// Returns the position after the arrow keys pressed in this frame. Returns `None`
/// without focus or movement.
fn move_by_arrow_keys(ui: &Ui, response: &Response, position: Pos2) -> Option<Pos2> {
    if !response.has_focus() {
        return None;
    }
    keep_arrows(ui, response.id, Arrows::All);
    let fine = consume_arrow_keys(ui, Modifiers::SHIFT);
    let steps = 0.1 * fine + consume_arrow_keys(ui, Modifiers::NONE);
    (steps != Vec2::ZERO).then(|| position + steps * KEY_STEP * TRIANGLE_SIDE)
}

/// Counts and consumes presses of the arrow keys, as a direction.
fn consume_arrow_keys(ui: &Ui, modifiers: Modifiers) -> Vec2 {
    ui.input_mut(|input| {
        let [right, left, down, up] =
            [Key::ArrowRight, Key::ArrowLeft, Key::ArrowDown, Key::ArrowUp]
                .map(|key| input.count_and_consume_key(modifiers, key) as f32);
        vec2(right - left, down - up)
    })
}

/// Returns the position in a triangle with the given barycentric coordinates.
fn position_from_shares(corners: [Pos2; 3], shares: [f32; 3]) -> Pos2 {
    let mut position = Vec2::ZERO;
    for (corner, share) in corners.into_iter().zip(shares) {
        position += corner.to_vec2() * share;
    }
    position.to_pos2()
}

/// Returns the barycentric coordinates of a position in a triangle. None is negative
/// and their sum is 1: a position outside of the triangle is moved to its edge.
fn shares_at(corners: [Pos2; 3], position: Pos2) -> [f32; 3] {
    let [a, b, c] = corners;
    let area = cross(b - a, c - a);
    let second = cross(position - a, c - a) / area;
    let third = cross(b - a, position - a) / area;
    let shares = [1.0 - second - third, second, third].map(|share| share.max(0.0));
    let sum: f32 = shares.iter().sum();
    shares.map(|share| share / sum)
}

fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}
