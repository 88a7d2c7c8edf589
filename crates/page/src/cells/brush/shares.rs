//! How two or three joints share a vertex, as a place between them: a rail for two, a
//! triangle for three. The picture shows meanwhile where each alone would put it.

use bindpose_notebook::{Edit, Entity, number_text};
use bindpose_skin::{Influences, JointIndex, LANES};
use eframe::egui::{
    Key, Modifiers, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::theme::{CAPTION, font};
use crate::touch;
use crate::widgets::slider::Slider;
use crate::widgets::{Arrows, PaintText, Scrub, keep_arrows};

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
pub(super) fn ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Pos2; 3] = [pos2(10.0, 90.0), pos2(110.0, 90.0), pos2(60.0, 10.0)];

    #[test]
    fn shares_are_those_of_the_place_and_beside_the_triangle_those_of_its_edge() {
        for shares in [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.25, 0.75]] {
            let found = shares_at(CORNERS, place(CORNERS, shares));
            for (found, share) in found.into_iter().zip(shares) {
                assert!((found - share).abs() < 1e-5, "{found} {share}");
            }
        }
        for at in [pos2(-500.0, 90.0), pos2(60.0, 2000.0), pos2(60.0, -300.0)] {
            let found = shares_at(CORNERS, at);
            assert!(found.iter().all(|share| (0.0..=1.0).contains(share)), "{found:?}");
            assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{found:?}");
        }
    }

    #[test]
    fn a_joint_in_two_lanes_stands_in_one_afterwards() {
        let pairs = [(2, 0.25), (1, 0.25), (2, 0.5)];
        let pairs = pairs.map(|(joint, weight)| (JointIndex(joint), weight));
        let before = Influences::new(&pairs);
        let after = with_weights(before, [(JointIndex(2), 0.1), (JointIndex(1), 0.9)].into_iter());
        assert_eq!(after.weights[..3], [0.1, 0.9, 0.0]);
    }
}
