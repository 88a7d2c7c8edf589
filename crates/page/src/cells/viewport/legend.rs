//! What the colours of a view mean, in the picture's lower left corner.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use bindpose_lesson::{Show, Tint};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{largest_sum_error, sum_errors};
use bindpose_skin::{JointIndex, SET_LANES};
use eframe::egui::{
    self, Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2,
    vec2,
};
use glam::Vec3;

use crate::theme::{CAPTION, FINE, Theme, font};
use crate::widgets::{PaintText, paint_badge};

/// Steps of the room that the camera leaves to a legend, in points: coarse ones
/// of its width, so that a number in it that grows does not move the camera.
const STEPS: Vec2 = vec2(48.0, 16.0);

/// Between the legend's edge and what it says, and between its parts.
const PAD: f32 = 8.0;
/// From the picture's edge.
const INSET: f32 = 10.0;
/// Of the picture's height, with words; beyond it, these are left out.
const WORDS_PART: f32 = 0.25;
/// Of the picture's height, without words.
const ALL_PART: f32 = 0.36;
/// Joints that are listed, at most: one round of the colours.
const LISTED: usize = 6;
const BADGE: f32 = 20.0;
const BAR: Vec2 = vec2(120.0, 10.0);
const STRIPE: Vec2 = vec2(24.0, 22.0);
const BALL: f32 = 26.0;

/// One row of a legend.
enum LegendPart {
    Words(String),
    /// From 0 to the words at its end.
    Bar(String),
    /// A weight past the end of the bar.
    Over,
    /// The lanes in the order and look of their stripes.
    Stripes([Color32; SET_LANES]),
    /// How many joints there are.
    Joints(usize),
    /// Directions as colours, seen from here.
    Ball,
}

/// A part with its place in the legend.
struct PlacedLegendPart {
    part: LegendPart,
    galley: Option<Arc<Galley>>,
    size: Vec2,
}

/// The legend of a view that has one, laid out for a picture.
pub(in crate::cells) struct Legend {
    parts: Vec<PlacedLegendPart>,
    size: Vec2,
}

impl Legend {
    /// For a picture of this size; `None` where the colours need no words, or
    /// there is no room for any.
    pub(in crate::cells) fn new(
        painter: &Painter,
        theme: &Theme,
        frame: &ViewportFrame<'_>,
        picture: Vec2,
    ) -> Option<Self> {
        let width = (picture.x - 2.0 * (INSET + PAD)).clamp(60.0, 330.0);
        let mut parts: Vec<PlacedLegendPart> = parts(theme, frame)
            .into_iter()
            .map(|part| place(painter, theme, part, width))
            .collect();
        // A small picture is not hidden behind its legend: words go first, then
        // the joints, which have their numbers in the picture.
        let height =
            |parts: &[PlacedLegendPart]| parts.iter().map(|p| p.size.y + 4.0).sum::<f32>() + PAD;
        let too_high = |parts: &[PlacedLegendPart], part: f32| {
            parts.len() > 1 && height(parts) > picture.y * part
        };
        if too_high(&parts, WORDS_PART) {
            parts.retain(|placed| !matches!(placed.part, LegendPart::Words(_)));
        }
        if too_high(&parts, ALL_PART) {
            parts.retain(|placed| !matches!(placed.part, LegendPart::Joints(_)));
        }
        let widest = parts.iter().map(|p| p.size.x).fold(0.0, f32::max);
        let size = vec2(widest + 2.0 * PAD, height(&parts) + PAD - 4.0);
        (!parts.is_empty()).then_some(Self { parts, size })
    }

    /// What it covers of the picture's lower left corner, in points.
    pub(super) fn covers(&self) -> Vec2 {
        ((self.size + Vec2::splat(INSET)) / STEPS).ceil() * STEPS
    }

    pub(super) fn paint(&self, painter: &Painter, rect: Rect, theme: &Theme, camera: &Camera) {
        let at = rect.left_bottom() + vec2(INSET, -INSET - self.size.y);
        let ground = Rect::from_min_size(at, self.size);
        painter.rect_filled(ground, 6.0, theme.paper.gamma_multiply(0.88));
        let mut at = at + Vec2::splat(PAD);
        for placed in &self.parts {
            let row = Rect::from_min_size(at, placed.size);
            at.y += placed.size.y + 4.0;
            paint_part(painter, theme, camera, placed, row);
        }
    }
}

fn parts(theme: &Theme, frame: &ViewportFrame<'_>) -> Vec<LegendPart> {
    let derived = frame.derived;
    let mesh = &derived.rig.mesh;
    let surface = frame.shows(Show::Mesh) && !mesh.triangles.is_empty();
    let lines = frame.draws_lines();
    if !(surface || lines) {
        return Vec::new();
    }
    let joints = derived.rig.skeleton.len();
    let words = |text: &str| LegendPart::Words(text.to_owned());
    let most = frame.tint_most;
    let end = || number(most);
    match frame.tint {
        Tint::Base => Vec::new(),
        // Badges on the joints say it.
        Tint::Joints if frame.shows(Show::Numbers) => Vec::new(),
        Tint::Joints => vec![words("joints, mixed by weight"), LegendPart::Joints(joints)],
        Tint::Weight => {
            vec![LegendPart::Bar(format!("1  weight of joint {}", frame.document.state.joint.0))]
        }
        Tint::Solid => vec![words("one colour, no light")],
        Tint::Normals if !surface => vec![words("lines have no normals")],
        Tint::Normals => vec![words("direction of the normal, in the world"), LegendPart::Ball],
        Tint::Strongest => vec![words("joint with the largest weight"), LegendPart::Joints(joints)],
        Tint::JointIndices => vec![
            words("stripes: the joints in lanes 0 to 3, as stored; pale where the weight is 0"),
            LegendPart::Stripes(joint_stripes(theme, frame)),
            LegendPart::Joints(joints),
        ],
        Tint::Weights => {
            let mut parts = vec![
                words("stripes: the weights in lanes 0 to 3, as stored"),
                LegendPart::Stripes([0.875, 0.625, 0.375, 0.125].map(|w| theme.weight(w))),
                LegendPart::Bar("1".to_owned()),
            ];
            if derived.has_weights_over_one() {
                parts.push(LegendPart::Over);
            }
            parts
        }
        Tint::SumError if largest_sum_error(derived) == 0.0 => {
            vec![words("Σw = 1 at every vertex"), LegendPart::Bar("1  |Σw − 1|".to_owned())]
        }
        Tint::SumError => {
            let beyond = largest_sum_error(derived) > most;
            let beyond = if beyond { " or more" } else { "" };
            let bar = LegendPart::Bar(format!("{}{beyond}  |Σw − 1|", end()));
            let divided = sum_errors(derived).map(|_| words("as the file stores them"));
            divided.into_iter().chain([bar]).collect()
        }
        Tint::WeightError => vec![
            words("distance from where the model’s own weights put it"),
            LegendPart::Bar(format!("{}  world units", end())),
        ],
        Tint::Displacement => vec![
            words("distance from the stored position"),
            LegendPart::Bar(format!("{}  world units", end())),
        ],
    }
}

/// The chosen vertex's joints, as its stripes look.
fn joint_stripes(theme: &Theme, frame: &ViewportFrame<'_>) -> [Color32; SET_LANES] {
    let vertex = frame.document.state.vertex as usize;
    let influences = frame.derived.influences.get(vertex);
    let influences = influences.copied().unwrap_or_default();
    std::array::from_fn(|lane| {
        let color = theme.joint(influences.joints[lane]);
        if influences.weights[lane] == 0.0 {
            color.lerp_to_gamma(theme.surface(), 0.72)
        } else {
            color
        }
    })
}

/// The world's axes as they lie in the picture: x to the right, y up, z towards
/// the reader.
fn axes_in_view(camera: &Camera) -> [Vec3; 3] {
    let view_from_world = camera.view_from_world();
    Vec3::AXES.map(|axis| view_from_world.transform_vector3(axis))
}

/// 0.05, 2, 5000.
fn number(value: f32) -> String {
    let decimals = (-value.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}")
}

fn place(painter: &Painter, theme: &Theme, part: LegendPart, width: f32) -> PlacedLegendPart {
    let layout = |text: &str, width: f32| {
        let font = FontId::proportional(CAPTION);
        painter.layout(text.to_owned(), font, theme.ink, width)
    };
    let (galley, size) = match &part {
        LegendPart::Words(text) => {
            let galley = layout(text, width);
            let size = galley.size();
            (Some(galley), size)
        }
        LegendPart::Bar(end) => {
            let bar = bar_width(width);
            let galley = layout(end, width - bar - 20.0);
            let size = vec2(bar + 20.0 + galley.size().x, galley.size().y.max(BAR.y));
            (Some(galley), size)
        }
        LegendPart::Over => {
            let galley = layout("more than 1", width - 26.0);
            let size = vec2(26.0 + galley.size().x, galley.size().y);
            (Some(galley), size)
        }
        LegendPart::Stripes(lanes) => (None, vec2(STRIPE.x * lanes.len() as f32, STRIPE.y)),
        LegendPart::Joints(count) => {
            let more = (*count > LISTED).then(|| layout("then again, hatched", 150.0));
            let beside = more.as_ref().map_or(0.0, |more| more.size().x + 6.0);
            let per_row = badges_in(width - beside);
            let badges = (*count).min(LISTED);
            let rows = badges.div_ceil(per_row);
            let size = vec2(
                badges.min(per_row) as f32 * (BADGE + 4.0) - 4.0 + beside,
                rows as f32 * (BADGE + 3.0) - 3.0,
            );
            (more, size)
        }
        LegendPart::Ball => (None, Vec2::splat(2.0 * BALL + 24.0)),
    };
    PlacedLegendPart { part, galley, size }
}

fn bar_width(width: f32) -> f32 {
    BAR.x.min(width * 0.4)
}

fn badges_in(width: f32) -> usize {
    (((width + 4.0) / (BADGE + 4.0)) as usize).max(1)
}

fn paint_part(
    painter: &Painter,
    theme: &Theme,
    camera: &Camera,
    placed: &PlacedLegendPart,
    row: Rect,
) {
    let words = |at: Pos2| {
        if let Some(galley) = &placed.galley {
            painter.galley(at, Arc::clone(galley), theme.ink);
        }
    };
    let beside = || {
        let size = placed.galley.as_ref().map_or(Vec2::ZERO, |galley| galley.size());
        pos2(row.right() - size.x, row.center().y - size.y / 2.0)
    };
    match &placed.part {
        LegendPart::Words(_) => words(row.min),
        LegendPart::Bar(_) => {
            let at = beside();
            let size = vec2(at.x - 6.0 - row.left() - 14.0, BAR.y);
            let bar = Align2::LEFT_CENTER.anchor_size(row.left_center() + vec2(14.0, 0.0), size);
            paint_color_scale(painter, theme, bar);
            let zero = bar.left_center() - vec2(6.0, 0.0);
            painter.text_right(zero, "0", font::strong(FINE), theme.ink);
            words(at);
        }
        LegendPart::Over => {
            let swatch = Align2::LEFT_CENTER.anchor_size(row.left_center(), vec2(20.0, 10.0));
            painter.rect_filled(swatch, 0.0, theme.over());
            words(beside());
        }
        LegendPart::Stripes(lanes) => {
            for (lane, &color) in lanes.iter().enumerate() {
                let at = row.left_top() + vec2(STRIPE.x * lane as f32, 0.0);
                let stripe = Rect::from_min_size(at, STRIPE);
                painter.rect_filled(stripe, 0.0, color);
                let font = font::strong(FINE);
                painter.text_centered(stripe.center(), lane, font, theme.on(color));
            }
            painter.rect_stroke(row, 0.0, Stroke::new(1.0, theme.quiet), StrokeKind::Outside);
        }
        LegendPart::Joints(count) => {
            paint_joints(painter, theme, (*count).min(LISTED), placed, row);
            if let Some(more) = &placed.galley {
                words(pos2(
                    row.right() - more.size().x,
                    row.bottom() - BADGE / 2.0 - more.size().y / 2.0,
                ));
            }
        }
        LegendPart::Ball => paint_ball(painter, theme, row.center(), &axes_in_view(camera)),
    }
}

fn paint_joints(
    painter: &Painter,
    theme: &Theme,
    count: usize,
    placed: &PlacedLegendPart,
    row: Rect,
) {
    let beside = placed.galley.as_ref().map_or(0.0, |more| more.size().x + 6.0);
    let per_row = badges_in(row.width() - beside);
    for joint in 0..count {
        let cell = vec2(
            (joint % per_row) as f32 * (BADGE + 4.0),
            (joint / per_row) as f32 * (BADGE + 3.0),
        );
        let center = row.min + cell + Vec2::splat(BADGE / 2.0);
        let index = JointIndex(joint as u16);
        let badge = Rect::from_center_size(center, Vec2::splat(BADGE));
        paint_badge(painter, theme, badge, index);
    }
}

/// Half a ball, each point in the colour of its direction in the world, and the
/// names of the axes around it.
fn paint_ball(painter: &Painter, theme: &Theme, center: Pos2, axes: &[Vec3; 3]) {
    const RINGS: u32 = 10;
    const SPOKES: u32 = 40;
    let mut mesh = egui::Mesh::default();
    for ring in 0..=RINGS {
        let from_middle = ring as f32 / RINGS as f32 * PI / 2.0;
        for spoke in 0..SPOKES {
            let around = spoke as f32 / SPOKES as f32 * TAU;
            let in_view = Vec3::new(
                from_middle.sin() * around.cos(),
                from_middle.sin() * around.sin(),
                from_middle.cos(),
            );
            let in_world = Vec3::from_array(axes.map(|axis| axis.dot(in_view)));
            let at = center + vec2(in_view.x, -in_view.y) * BALL;
            mesh.colored_vertex(at, theme.direction(in_world));
        }
    }
    for ring in 0..RINGS {
        for spoke in 0..SPOKES {
            let at = |ring: u32, spoke: u32| ring * SPOKES + spoke % SPOKES;
            let [a, b] = [at(ring, spoke), at(ring, spoke + 1)];
            let [c, d] = [at(ring + 1, spoke), at(ring + 1, spoke + 1)];
            mesh.add_triangle(a, b, c);
            mesh.add_triangle(b, d, c);
        }
    }
    painter.add(mesh);
    for (axis, (in_view, name)) in axes.iter().zip(["x", "y", "z"]).enumerate() {
        // An axis that points at the reader, or away, is not beside the ball.
        let across = vec2(in_view.x, -in_view.y);
        if across.length() < 0.3 {
            continue;
        }
        let at = center + across.normalized() * (BALL + 7.0);
        painter.text_centered(at, name, font::strong(FINE), theme.axis_text(axis));
    }
}

/// Fills `bar` from left to right with the colours of numbers from 0 to the largest.
pub(in crate::cells) fn paint_color_scale(painter: &Painter, theme: &Theme, bar: Rect) {
    const PARTS: u16 = 32;
    let step = bar.width() / f32::from(PARTS);
    for index in 0..PARTS {
        let at = bar.left_top() + vec2(step * f32::from(index), 0.0);
        let part = Rect::from_min_size(at, vec2(step + 0.5, bar.height()));
        let value = (f32::from(index) + 0.5) / f32::from(PARTS);
        painter.rect_filled(part, 0.0, theme.weight(value));
    }
}
