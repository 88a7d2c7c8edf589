//! Legend of a viewport's colours, in the picture's lower left corner.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, Theme, font};
use bindpose_kit::widgets::{PaintText, paint_badge};
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

/// Steps to which the space reserved for a legend is rounded up. Coarse in its width, so that a
/// growing number in the legend does not move the camera.
const RESERVED_STEP_PTS: Vec2 = vec2(48.0, 16.0);

/// Padding between the legend's edge and its content.
const PADDING_PTS: f32 = 8.0;

const ROW_SPACING_PTS: f32 = 4.0;

/// Distance from the edge of the picture.
const INSET_PTS: f32 = 10.0;

/// Maximum fraction of the picture's height that a legend with sentences covers. A higher one
/// omits its sentences.
const MAX_HEIGHT_WITH_SENTENCES: f32 = 0.25;

/// Maximum fraction of the picture's height that a legend with joints covers. A higher one omits
/// its joints.
const MAX_HEIGHT_WITH_JOINTS: f32 = 0.36;

/// Maximum number of listed joints: one cycle of the colours.
const MAX_LISTED_JOINTS: usize = 6;

const BADGE_SIDE_PTS: f32 = 20.0;
const BADGE_SPACING_PTS: Vec2 = vec2(4.0, 3.0);
const BAR_SIZE_PTS: Vec2 = vec2(120.0, 10.0);
/// Space at both ends of a bar.
const BAR_MARGIN_PTS: f32 = 20.0;
const STRIPE_SIZE_PTS: Vec2 = vec2(24.0, 22.0);
const BALL_RADIUS_PTS: f32 = 26.0;

/// Content of one row of a legend.
enum LegendPart {
    Sentence(String),
    /// Colour scale from 0 to the number in the text at its end.
    Bar(String),
    /// Colour of weights beyond the end of the bar.
    Over,
    /// Colours of the lanes' stripes, in order.
    Stripes([Color32; SET_LANES]),
    /// Colours of this many joints.
    Joints(usize),
    /// Ball with the colours of the directions as seen by the camera.
    Ball,
}

struct LegendRow {
    part: LegendPart,
    galley: Option<Arc<Galley>>,
    size: Vec2,
}

/// The legend of a viewport, laid out for a picture.
pub(in crate::cells) struct Legend {
    rows: Vec<LegendRow>,
    size: Vec2,
}

impl Legend {
    /// Lays out the legend for a picture of this size. Returns `None` if the colours need no
    /// explanation, or if there is no room for one.
    pub(in crate::cells) fn new(
        painter: &Painter,
        theme: &Theme,
        frame: &ViewportFrame<'_>,
        picture: Vec2,
    ) -> Option<Self> {
        let width = (picture.x - 2.0 * (INSET_PTS + PADDING_PTS)).clamp(60.0, 330.0);
        let mut rows: Vec<LegendRow> = choose_parts(theme, frame)
            .into_iter()
            .map(|part| layout_row(painter, theme, part, width))
            .collect();
        // A legend must not hide a small picture. Sentences are omitted first, then the joints,
        // because their numbers are in the picture.
        if rows.len() > 1 && height_of(&rows) > picture.y * MAX_HEIGHT_WITH_SENTENCES {
            rows.retain(|row| !matches!(row.part, LegendPart::Sentence(_)));
        }
        if rows.len() > 1 && height_of(&rows) > picture.y * MAX_HEIGHT_WITH_JOINTS {
            rows.retain(|row| !matches!(row.part, LegendPart::Joints(_)));
        }
        if rows.is_empty() {
            return None;
        }
        let widest = rows.iter().map(|row| row.size.x).fold(0.0, f32::max);
        let size =
            vec2(widest + 2.0 * PADDING_PTS, height_of(&rows) + PADDING_PTS - ROW_SPACING_PTS);
        Some(Self { rows, size })
    }

    /// Size of the area to keep free in the picture's lower left corner, in points.
    pub(super) fn covered_size(&self) -> Vec2 {
        ((self.size + Vec2::splat(INSET_PTS)) / RESERVED_STEP_PTS).ceil() * RESERVED_STEP_PTS
    }

    pub(super) fn paint(&self, painter: &Painter, rect: Rect, theme: &Theme, camera: &Camera) {
        let top_left = rect.left_bottom() + vec2(INSET_PTS, -INSET_PTS - self.size.y);
        let ground = Rect::from_min_size(top_left, self.size);
        painter.rect_filled(ground, 6.0, theme.paper.gamma_multiply(0.88));
        let mut row_top_left = top_left + Vec2::splat(PADDING_PTS);
        for row in &self.rows {
            let rect = Rect::from_min_size(row_top_left, row.size);
            row_top_left.y += row.size.y + ROW_SPACING_PTS;
            row.paint(painter, theme, camera, rect);
        }
    }
}

/// Height of the rows with the padding above them.
fn height_of(rows: &[LegendRow]) -> f32 {
    rows.iter().map(|row| row.size.y + ROW_SPACING_PTS).sum::<f32>() + PADDING_PTS
}

fn choose_parts(theme: &Theme, frame: &ViewportFrame<'_>) -> Vec<LegendPart> {
    let derived = frame.derived;
    let mesh = &derived.rig.mesh;
    let has_surface = frame.shows(Show::Mesh) && !mesh.triangles.is_empty();
    if !has_surface && !frame.draws_lines() {
        return Vec::new();
    }
    let joint_count = derived.rig.skeleton.len();
    let scale_end = format_scale_end(frame.tint_most);
    match frame.tint {
        Tint::Base => Vec::new(),
        // The badges on the joints explain the colours.
        Tint::Joints if frame.shows(Show::Numbers) => Vec::new(),
        Tint::Joints => {
            vec![LegendPart::sentence("joints, mixed by weight"), LegendPart::Joints(joint_count)]
        }
        Tint::Weight => {
            vec![LegendPart::Bar(format!("1  weight of joint {}", frame.document.state.joint.0))]
        }
        Tint::Solid => vec![LegendPart::sentence("one colour, no light")],
        Tint::Normals if !has_surface => vec![LegendPart::sentence("lines have no normals")],
        Tint::Normals => {
            vec![LegendPart::sentence("direction of the normal, in the world"), LegendPart::Ball]
        }
        Tint::Strongest => vec![
            LegendPart::sentence("joint with the largest weight"),
            LegendPart::Joints(joint_count),
        ],
        Tint::JointIndices => vec![
            LegendPart::sentence(
                "stripes: the joints in lanes 0 to 3, as stored; pale where the weight is 0",
            ),
            LegendPart::Stripes(joint_stripe_colors(theme, frame)),
            LegendPart::Joints(joint_count),
        ],
        Tint::Weights => {
            let mut parts = vec![
                LegendPart::sentence("stripes: the weights in lanes 0 to 3, as stored"),
                LegendPart::Stripes([0.875, 0.625, 0.375, 0.125].map(|w| theme.weight(w))),
                LegendPart::Bar("1".to_owned()),
            ];
            if derived.has_weights_over_one() {
                parts.push(LegendPart::Over);
            }
            parts
        }
        Tint::SumError if largest_sum_error(derived) == 0.0 => vec![
            LegendPart::sentence("Σw = 1 at every vertex"),
            LegendPart::Bar("1  |Σw − 1|".to_owned()),
        ],
        Tint::SumError => {
            let mut parts = Vec::new();
            if sum_errors(derived).is_some() {
                parts.push(LegendPart::sentence("as the file stores them"));
            }
            let is_beyond_end = largest_sum_error(derived) > frame.tint_most;
            let or_more = if is_beyond_end { " or more" } else { "" };
            parts.push(LegendPart::Bar(format!("{scale_end}{or_more}  |Σw − 1|")));
            parts
        }
        Tint::WeightError => vec![
            LegendPart::sentence("distance from where the model’s own weights put it"),
            LegendPart::Bar(format!("{scale_end}  world units")),
        ],
        Tint::Displacement => vec![
            LegendPart::sentence("distance from the stored position"),
            LegendPart::Bar(format!("{scale_end}  world units")),
        ],
    }
}

impl LegendPart {
    fn sentence(text: &str) -> Self {
        Self::Sentence(text.to_owned())
    }
}

/// Colours of the chosen vertex's joints as its stripes display them.
fn joint_stripe_colors(theme: &Theme, frame: &ViewportFrame<'_>) -> [Color32; SET_LANES] {
    let vertex = frame.document.state.vertex as usize;
    let influences = frame.derived.influences.get(vertex).copied().unwrap_or_default();
    std::array::from_fn(|lane| {
        let color = theme.joint(influences.joints[lane]);
        if influences.weights[lane] == 0.0 {
            color.lerp_to_gamma(theme.viewport.surface, 0.72)
        } else {
            color
        }
    })
}

/// Formats a number with as few decimals as its first digit needs, such as 0.05, 2 or 5000.
fn format_scale_end(value: f32) -> String {
    let decimals = (-value.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}")
}

fn layout_row(painter: &Painter, theme: &Theme, part: LegendPart, width: f32) -> LegendRow {
    match &part {
        LegendPart::Sentence(text) => {
            let galley = layout_text(painter, theme, text, width);
            LegendRow { size: galley.size(), galley: Some(galley), part }
        }
        LegendPart::Bar(end) => {
            let bar_width = BAR_SIZE_PTS.x.min(width * 0.4);
            let galley = layout_text(painter, theme, end, width - bar_width - BAR_MARGIN_PTS);
            let size = vec2(
                bar_width + BAR_MARGIN_PTS + galley.size().x,
                galley.size().y.max(BAR_SIZE_PTS.y),
            );
            LegendRow { part, galley: Some(galley), size }
        }
        LegendPart::Over => {
            let galley = layout_text(painter, theme, "more than 1", width - 26.0);
            let size = vec2(26.0 + galley.size().x, galley.size().y);
            LegendRow { part, galley: Some(galley), size }
        }
        LegendPart::Stripes(lanes) => {
            let size = vec2(STRIPE_SIZE_PTS.x * lanes.len() as f32, STRIPE_SIZE_PTS.y);
            LegendRow { part, galley: None, size }
        }
        LegendPart::Joints(joint_count) => {
            let galley = (*joint_count > MAX_LISTED_JOINTS)
                .then(|| layout_text(painter, theme, "then again, hatched", 150.0));
            let text_width = galley.as_ref().map_or(0.0, |galley| galley.size().x + 6.0);
            let per_row = badges_per_row(width - text_width);
            let badge_count = (*joint_count).min(MAX_LISTED_JOINTS);
            let badges =
                vec2(badge_count.min(per_row) as f32, badge_count.div_ceil(per_row) as f32);
            let step = Vec2::splat(BADGE_SIDE_PTS) + BADGE_SPACING_PTS;
            let size = badges * step - BADGE_SPACING_PTS + vec2(text_width, 0.0);
            LegendRow { part, galley, size }
        }
        LegendPart::Ball => {
            LegendRow { part, galley: None, size: Vec2::splat(2.0 * BALL_RADIUS_PTS + 24.0) }
        }
    }
}

fn layout_text(painter: &Painter, theme: &Theme, text: &str, width: f32) -> Arc<Galley> {
    painter.layout(text.to_owned(), FontId::proportional(CAPTION_SIZE), theme.ink, width)
}

fn badges_per_row(width: f32) -> usize {
    let step = BADGE_SIDE_PTS + BADGE_SPACING_PTS.x;
    (((width + BADGE_SPACING_PTS.x) / step) as usize).max(1)
}

impl LegendRow {
    fn paint(&self, painter: &Painter, theme: &Theme, camera: &Camera, rect: Rect) {
        let text_size = self.galley.as_ref().map_or(Vec2::ZERO, |galley| galley.size());
        // Right-aligned, vertically centred.
        let text_at = pos2(rect.right() - text_size.x, rect.center().y - text_size.y / 2.0);
        match &self.part {
            LegendPart::Sentence(_) => self.paint_text(painter, theme, rect.min),
            LegendPart::Bar(_) => {
                let size = vec2(text_at.x - 6.0 - rect.left() - 14.0, BAR_SIZE_PTS.y);
                let left_center = rect.left_center() + vec2(14.0, 0.0);
                let bar = Align2::LEFT_CENTER.anchor_size(left_center, size);
                paint_color_scale(painter, theme, bar);
                let zero_at = bar.left_center() - vec2(6.0, 0.0);
                painter.text_right(zero_at, "0", font::strong(FINE_SIZE), theme.ink);
                self.paint_text(painter, theme, text_at);
            }
            LegendPart::Over => {
                let swatch = Align2::LEFT_CENTER.anchor_size(rect.left_center(), vec2(20.0, 10.0));
                painter.rect_filled(swatch, 0.0, theme.viewport.over);
                self.paint_text(painter, theme, text_at);
            }
            LegendPart::Stripes(lanes) => {
                for (lane, &color) in lanes.iter().enumerate() {
                    let left_top = rect.left_top() + vec2(STRIPE_SIZE_PTS.x * lane as f32, 0.0);
                    let stripe = Rect::from_min_size(left_top, STRIPE_SIZE_PTS);
                    painter.rect_filled(stripe, 0.0, color);
                    let font = font::strong(FINE_SIZE);
                    painter.text_centered(stripe.center(), lane, font, theme.text_on_fill(color));
                }
                let edge = Stroke::new(1.0, theme.quiet);
                painter.rect_stroke(rect, 0.0, edge, StrokeKind::Outside);
            }
            LegendPart::Joints(joint_count) => {
                let text_width = if self.galley.is_some() { text_size.x + 6.0 } else { 0.0 };
                let per_row = badges_per_row(rect.width() - text_width);
                let badge_size = Vec2::splat(BADGE_SIDE_PTS);
                for joint in 0..(*joint_count).min(MAX_LISTED_JOINTS) {
                    let offset = vec2((joint % per_row) as f32, (joint / per_row) as f32)
                        * (badge_size + BADGE_SPACING_PTS);
                    let center = rect.min + offset + badge_size / 2.0;
                    let badge = Rect::from_center_size(center, badge_size);
                    paint_badge(painter, theme, badge, JointIndex(joint as u16));
                }
                // Beside the last row of badges.
                let y = rect.bottom() - BADGE_SIDE_PTS / 2.0 - text_size.y / 2.0;
                self.paint_text(painter, theme, pos2(text_at.x, y));
            }
            LegendPart::Ball => {
                // The world's axes in view space: x to the right, y up, z towards the reader.
                let view_from_world = camera.view_from_world();
                let axes_in_view = Vec3::AXES.map(|axis| view_from_world.transform_vector3(axis));
                paint_direction_ball(painter, theme, rect.center(), &axes_in_view);
            }
        }
    }

    fn paint_text(&self, painter: &Painter, theme: &Theme, at: Pos2) {
        if let Some(galley) = &self.galley {
            painter.galley(at, Arc::clone(galley), theme.ink);
        }
    }
}

/// Paints half a ball with each point in the colour of its direction in the world, and the names
/// of the axes around it.
fn paint_direction_ball(painter: &Painter, theme: &Theme, center: Pos2, axes_in_view: &[Vec3; 3]) {
    const RINGS: u32 = 10;
    const SPOKES: u32 = 40;
    let mut mesh = egui::Mesh::default();
    for ring in 0..=RINGS {
        let polar_rad = ring as f32 / RINGS as f32 * PI / 2.0;
        for spoke in 0..SPOKES {
            let azimuth_rad = spoke as f32 / SPOKES as f32 * TAU;
            let in_view = Vec3::new(
                polar_rad.sin() * azimuth_rad.cos(),
                polar_rad.sin() * azimuth_rad.sin(),
                polar_rad.cos(),
            );
            let in_world = Vec3::from_array(axes_in_view.map(|axis| axis.dot(in_view)));
            let at = center + vec2(in_view.x, -in_view.y) * BALL_RADIUS_PTS;
            mesh.colored_vertex(at, theme.direction(in_world));
        }
    }
    for ring in 0..RINGS {
        for spoke in 0..SPOKES {
            let next_spoke = (spoke + 1) % SPOKES;
            let a = ring * SPOKES + spoke;
            let b = ring * SPOKES + next_spoke;
            let c = (ring + 1) * SPOKES + spoke;
            let d = (ring + 1) * SPOKES + next_spoke;
            mesh.add_triangle(a, b, c);
            mesh.add_triangle(b, d, c);
        }
    }
    painter.add(mesh);
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        // The name of an axis that points at the reader, or away, has no place beside the ball.
        let direction = vec2(axes_in_view[axis].x, -axes_in_view[axis].y);
        if direction.length() < 0.3 {
            continue;
        }
        let at = center + direction.normalized() * (BALL_RADIUS_PTS + 7.0);
        painter.text_centered(at, name, font::strong(FINE_SIZE), theme.axis_text(axis));
    }
}

/// Fills `bar` from left to right with the colours of numbers from 0 to the largest.
pub(in crate::cells) fn paint_color_scale(painter: &Painter, theme: &Theme, bar: Rect) {
    const PART_COUNT: u16 = 32;
    let step = bar.width() / f32::from(PART_COUNT);
    for index in 0..PART_COUNT {
        let left_top = bar.left_top() + vec2(step * f32::from(index), 0.0);
        let part = Rect::from_min_size(left_top, vec2(step + 0.5, bar.height()));
        let value = (f32::from(index) + 0.5) / f32::from(PART_COUNT);
        painter.rect_filled(part, 0.0, theme.weight(value));
    }
}
