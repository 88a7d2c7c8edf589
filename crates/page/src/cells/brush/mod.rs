//! The brush for weights: what it does, how large and strong it is, what stays as it is;
//! and a touch of it at the chosen vertex, for those who work by keys.

#[cfg(test)]
mod tests;

use bindpose_lesson::Setting;
use bindpose_notebook::{Edit, Entity, joint_label, number_text};
use bindpose_skin::{BrushMode, Falloff, Influences, JointIndex, LANES};
use eframe::egui::{
    ComboBox, Key, Modifiers, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    accesskit::Role, pos2, vec2,
};

use super::entity_chooser;
use super::viewport::paint_at_chosen;
use crate::brush::{RADII, hindrance};
use crate::theme::{CAPTION, font};
use crate::widgets::buttons::choose_segment;
use crate::widgets::scrub::Slider;
use crate::widgets::{
    Arrows, PaintText, Scrub, Tip as _, combo, keep_arrows, option_button, small_button,
};
use crate::{PageContext, touch};

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

/// Influences that a vertex may have.
const LIMITS: [u32; 4] = [8, 4, 2, 1];

/// Locked joints that are listed; the rest is counted.
const LISTED: usize = 6;

/// Draws the panel. `id` tells places on the page apart.
pub(crate) fn ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    if let Some(words) = hindrance(page.derived) {
        ui.label(page.theme.label(words));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        tool_switch(ui, page);
        entity_chooser::joint(ui, id, page);
        lock_switch(ui, page);
    });
    let now = page.view.brush.mode;
    if let Some(mode) = choose_segment(ui, page.theme, &MODES, now, false) {
        page.view.brush.mode = mode;
    }
    numbers(ui, id, page);
    options(ui, id, page);
    locked(ui, page);
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("vertex"));
        entity_chooser::vertex_number(ui, id, page);
        let help = "One touch with the chosen vertex as its middle; Alt or Ctrl turns it round";
        if ui.add(small_button("brush here")).tip(help).clicked() {
            paint_at_chosen(ui, page);
        }
    });
    shares_ui(ui, id, page);
    if !page.view.brush.said.is_empty() {
        let said = page.theme.caption(page.view.brush.said.clone());
        ui.label(said);
    }
}

/// Takes the brush up or puts it down.
pub(crate) fn tool_switch(ui: &mut Ui, page: &mut PageContext<'_>) {
    let on = page.view.brush.is_on;
    let help = "Drags that begin on the surface paint; beside it they turn the picture. [ and ] make the brush smaller and larger";
    let switch = ui.add(option_button(on, "paint in the picture")).tip(help);
    if switch.clicked() {
        let edit = page.view.brush.toggled(page.document);
        page.edits.push(edit);
    }
}

fn lock_switch(ui: &mut Ui, page: &mut PageContext<'_>) {
    let joint = page.document.state.joint;
    let on = page.view.brush.locked.contains(&joint);
    let help = "A locked joint keeps its weights on every vertex while others are painted";
    let switch = ui.add(option_button(on, "locked")).tip(help);
    let name = format!("lock {}", joint_label(joint.index(), &page.derived.rig));
    switch.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
    if switch.clicked() {
        let locked = &mut page.view.brush.locked;
        if !locked.remove(&joint) {
            locked.insert(joint);
        }
    }
}

fn numbers(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let brush = &mut page.view.brush;
        ui.label(page.theme.label("size"));
        let size = Scrub::new((id, "brush size"), brush.radius, "size of the brush")
            .suffix("%")
            .decimals(1)
            .range(RADII.0..=RADII.1)
            .chars(5);
        if let Some(change) = size.show(ui) {
            brush.radius = change.or(0.08);
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
            brush.strength = change.or(0.2);
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("falloff"));
        let name = |falloff: &Falloff| falloff.label().to_owned();
        let list = ComboBox::from_id_salt((id, "falloff"));
        let chosen = combo(ui, list, "falloff of the brush", &brush.falloff, Falloff::ALL, name);
        if let Some(falloff) = chosen {
            brush.falloff = falloff;
        }
    });
}

fn options(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let keeps = page.view.brush.keeps_sum;
        let help = "The other joints give and take in proportion, so that the sum stays 1";
        if ui.add(option_button(keeps, "keep Σw = 1")).tip(help).clicked() {
            page.view.brush.keeps_sum = !keeps;
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("mirror"));
        let axes = [None, Some(0), Some(1), Some(2)];
        let name = |axis: &Option<usize>| match axis {
            None => "off".to_owned(),
            Some(axis) => ["x", "y", "z"][*axis.min(&2)].to_owned(),
        };
        let list = ComboBox::from_id_salt((id, "mirror"));
        let now = page.view.brush.mirror;
        if let Some(axis) = combo(ui, list, "mirror the brush along", &now, axes, name) {
            page.view.brush.mirror = axis;
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("at most"));
        let most = page.document.state.weights_by.most;
        let name = |most: &u32| match most {
            1 => "1 joint".to_owned(),
            most => format!("{most} joints"),
        };
        let list = ComboBox::from_id_salt((id, "most"));
        let label = "joints that a vertex keeps";
        if let Some(most) = combo(ui, list, label, &most, LIMITS, name) {
            page.choose(Setting::MostInfluences(most));
        }
    });
}

/// The locked joints, each a button that lets it go.
fn locked(ui: &mut Ui, page: &mut PageContext<'_>) {
    let joints: Vec<JointIndex> = page.view.brush.locked.iter().copied().collect();
    if joints.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("locked:"));
        for &joint in joints.iter().take(LISTED) {
            let name = joint_label(joint.index(), &page.derived.rig);
            let help = format!("Let {name} be painted again");
            let button = ui.add(small_button(joint.0.to_string())).tip(help);
            button
                .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("unlock {name}")));
            if button.clicked() {
                page.view.brush.locked.remove(&joint);
            }
        }
        if joints.len() > LISTED {
            let more = format!("and {} more", joints.len() - LISTED);
            ui.label(page.theme.label(more));
        }
        if joints.len() > 1 && ui.add(small_button("unlock all")).clicked() {
            page.view.brush.locked.clear();
        }
    });
}

// How two or three joints share a vertex, as a place between them: a rail for two, a
// triangle for three. The picture shows meanwhile where each alone would put it.

/// Side of the triangle, in points.
const SIDE: f32 = 132.0;
/// Room around it for what stands at its corners.
const ROOM: Vec2 = vec2(56.0, 24.0);
/// What one press of an arrow key moves, as part of a side; with Shift a tenth.
const STEP: f32 = 0.05;

/// The joints between which the vertex stands: also those that have no weight left, as
/// long as the vertex is the same.
#[derive(Default)]
struct Sharing {
    vertex: Option<u32>,
    joints: Vec<JointIndex>,
}

/// Shows rail or triangle; for another number of joints, says why there is none.
fn shares_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let vertex = page.document.state.vertex;
    let all = page.derived.meant_influences();
    let Some(&now) = all.get(vertex as usize) else {
        return;
    };
    let joints = page.with_state(id, |sharing: &mut Sharing, _| sharing.of(vertex, &now));
    let weights: Vec<f32> = joints.iter().map(|&joint| weight_of(&now, joint)).collect();
    let total: f32 = weights.iter().sum();
    let moved = match (&joints[..], &weights[..]) {
        _ if !(total.is_finite() && total > 0.0) => None,
        (&[a, b], &[_, of_b]) => rail(ui, id, (vertex, [a, b]), of_b / total, page),
        (&[a, b, c], &[x, y, z]) => {
            let shares = [x, y, z].map(|weight| weight / total);
            triangle(ui, (vertex, [a, b, c]), shares, page)
        }
        _ => {
            let count = joints.len();
            let words = match count {
                1 => "One joint alone has this vertex: brush another in, and share.".to_owned(),
                _ => format!(
                    "{count} joints share this vertex. Where two or three do, a rail or a triangle \
                     stands here."
                ),
            };
            ui.label(page.theme.caption(words));
            None
        }
    };
    if let Some(shares) = moved {
        let pairs = joints.iter().zip(shares);
        let pairs = pairs.map(|(&joint, share)| (joint, share * total));
        let after = with_weights(now, pairs);
        page.edits.push(Edit::Paint(vec![(vertex, after)]));
    }
}

impl Sharing {
    fn of(&mut self, vertex: u32, now: &Influences) -> Vec<JointIndex> {
        let mut used: Vec<JointIndex> = Vec::new();
        for (_, joint, _) in now.used() {
            if !used.contains(&joint) {
                used.push(joint);
            }
        }
        let goes_on = self.vertex == Some(vertex)
            && used.iter().all(|joint| self.joints.contains(joint))
            && self.joints.iter().all(|joint| now.joints.contains(joint));
        if !goes_on {
            *self = Self { vertex: Some(vertex), joints: used };
        }
        self.joints.clone()
    }
}

fn weight_of(influences: &Influences, joint: JointIndex) -> f32 {
    let of_joint = influences.used().filter(|(_, other, _)| *other == joint);
    of_joint.map(|(_, _, weight)| weight.max(0.0)).sum()
}

/// Each joint in the first lane that names it; what else names it has nothing.
fn with_weights(before: Influences, pairs: impl Iterator<Item = (JointIndex, f32)>) -> Influences {
    let mut after = before;
    for (joint, weight) in pairs {
        let used = |&lane: &usize| before.joints[lane] == joint && before.weights[lane] != 0.0;
        let named = |&lane: &usize| before.joints[lane] == joint && before.weights[lane] == 0.0;
        let lane = (0..LANES).find(used).or_else(|| (0..LANES).find(named));
        for other in (0..LANES).filter(used) {
            after.weights[other] = 0.0;
        }
        if let Some(lane) = lane {
            after.weights[lane] = weight;
        }
    }
    after
}

fn rail(
    ui: &mut Ui,
    id: &str,
    (vertex, [a, b]): (u32, [JointIndex; 2]),
    of_b: f32,
    page: &mut PageContext<'_>,
) -> Option<Vec<f32>> {
    let label = format!("share of joint {} against joint {} on v{vertex}", b.0, a.0);
    let number = Scrub::new((id, "rail", vertex), f64::from(of_b), label).range(0.0..=1.0);
    let change = ui.horizontal(|ui| {
        ui.label(corner_words(page, a, 1.0 - of_b));
        let slider = Slider {
            number: &number,
            home: 0.5,
            filled_from: 0.0,
            color: page.theme.joint_line(b),
        };
        let width = (ui.available_width() - 80.0).clamp(60.0, 260.0);
        let (response, change) = slider.show(ui, width, page.theme);
        if response.dragged() || response.has_focus() || response.hovered() {
            page.linked.hover(Entity::Weight(vertex, b));
        }
        ui.label(corner_words(page, b, of_b));
        change
    });
    let of_b = change.inner?.or(0.5) as f32;
    Some(vec![1.0 - of_b, of_b])
}

fn corner_words(page: &PageContext<'_>, joint: JointIndex, share: f32) -> eframe::egui::RichText {
    let words = format!("{}: {}", joint.0, number_text::fixed(share.into(), 2));
    let color = page.theme.joint_text(joint);
    eframe::egui::RichText::new(words).font(font::strong(CAPTION)).color(color)
}

fn triangle(
    ui: &mut Ui,
    (vertex, joints): (u32, [JointIndex; 3]),
    shares: [f32; 3],
    page: &mut PageContext<'_>,
) -> Option<Vec<f32>> {
    let high = SIDE * 0.75_f32.sqrt();
    let size = vec2(SIDE, high) + 2.0 * ROOM;
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let inner = rect.shrink2(ROOM);
    let corners = [inner.left_bottom(), inner.right_bottom(), pos2(inner.center().x, inner.top())];
    let number = |share: f32| number_text::fixed(share.into(), 2);
    response.widget_info(|| {
        let [a, b, c] = joints.map(|joint| joint.0);
        let [x, y, z] = shares.map(number);
        let label = format!(
            "shares on v{vertex}: joint {a} {x}, joint {b} {y}, joint {c} {z}; arrow keys move them"
        );
        WidgetInfo::labeled(Role::Button, true, label)
    });
    let at = place(corners, shares);
    paint(ui, rect, (corners, at), (joints, shares), page);
    if response.hovered() || response.dragged() || response.has_focus() {
        let strongest = (0..3).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        let strongest = strongest.map_or(joints[0], |corner| joints[corner]);
        page.linked.hover(Entity::Weight(vertex, strongest));
    }
    let scrolls = touch::is_at_work(ui.ctx()) && touch::scrolls_page(ui, &response);
    let held = response.clicked() || response.dragged() && !scrolls;
    let to = response.interact_pointer_pos().filter(|_| held);
    let to = to.or_else(|| by_keys(ui, &response, at))?;
    let after = shares_at(corners, to);
    (after != shares).then(|| after.to_vec())
}

fn paint(
    ui: &Ui,
    rect: Rect,
    (corners, at): ([Pos2; 3], Pos2),
    (joints, shares): ([JointIndex; 3], [f32; 3]),
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let painter = ui.painter_at(rect);
    let edge = Stroke::new(1.5, theme.track);
    painter.add(Shape::convex_polygon(corners.to_vec(), theme.panel, edge));
    let words_at = [vec2(0.0, 13.0), vec2(0.0, 13.0), vec2(0.0, -13.0)];
    for (corner, joint) in joints.into_iter().enumerate() {
        // As wide as its share is large.
        let line = Stroke::new(1.0 + 4.0 * shares[corner], theme.joint_line(joint));
        painter.line_segment([at, corners[corner]], line);
        painter.circle_filled(corners[corner], 5.0, theme.joint(joint));
        let share = number_text::fixed(shares[corner].into(), 2);
        let words = format!("{}: {share}", joint.0);
        let color = theme.joint_text(joint);
        let middle = corners[corner] + words_at[corner];
        painter.text_centered(middle, words, font::strong(CAPTION), color);
    }
    painter.circle(at, 7.0, theme.accent, Stroke::new(2.0, theme.paper));
}

fn by_keys(ui: &Ui, response: &eframe::egui::Response, at: Pos2) -> Option<Pos2> {
    if !response.has_focus() {
        return None;
    }
    keep_arrows(ui, response.id, Arrows::All);
    let way = |modifiers: Modifiers| {
        ui.input_mut(|input| {
            let mut presses = |key| input.count_and_consume_key(modifiers, key) as f32;
            let x = presses(Key::ArrowRight) - presses(Key::ArrowLeft);
            let y = presses(Key::ArrowDown) - presses(Key::ArrowUp);
            vec2(x, y)
        })
    };
    let way = 0.1 * way(Modifiers::SHIFT) + way(Modifiers::NONE);
    (way != Vec2::ZERO).then(|| at + way * STEP * SIDE)
}

fn place(corners: [Pos2; 3], shares: [f32; 3]) -> Pos2 {
    let parts = corners.into_iter().zip(shares);
    let at: Vec2 = parts
        .map(|(corner, share)| corner.to_vec2() * share)
        .fold(Vec2::ZERO, |sum, part| sum + part);
    at.to_pos2()
}

/// What each corner is of a place: 0 or more, and 1 together. Beside the triangle, those
/// of a place at its edge.
fn shares_at([a, b, c]: [Pos2; 3], at: Pos2) -> [f32; 3] {
    let cross = |one: Vec2, other: Vec2| one.x * other.y - one.y * other.x;
    let whole = cross(b - a, c - a);
    let of_b = cross(at - a, c - a) / whole;
    let of_c = cross(b - a, at - a) / whole;
    let shares = [1.0 - of_b - of_c, of_b, of_c].map(|share| share.max(0.0));
    let sum: f32 = shares.iter().sum();
    shares.map(|share| share / sum)
}
