//! Rows of the timeline: names, keys and the curves of open channels.

use std::collections::{BTreeSet, HashMap};

use bindpose_gltf::Rig;
use bindpose_kit::theme::{FINE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{PaintText, Tip as _, paint_badge_at, paint_row_background};
use bindpose_lesson::number_text;
use bindpose_notebook::{Document, Entity};
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, RotationInterpolation, Track,
    TrackProperty,
};
use eframe::egui::{
    Color32, FontId, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, accesskit, accesskit::Role, pos2, vec2,
};

use super::time_axis::{TimeAxis, set_time};
use crate::PageContext;
use crate::cells::entity_chooser::joint_name;

/// Maximum number of channels at which the channels of all joints are shown. With more,
/// only those of the selected joint are.
const MAX_OPEN_CHANNELS: usize = 6;

/// A row of the timeline.
pub(super) enum TimelineRow<'a> {
    /// Name of the clip that the following rows belong to. Only if there are two clips.
    Clip(&'a str),
    /// A joint or a mesh with morph weights, and all its channels.
    Group { target: ChannelTarget, channels: Vec<&'a Channel> },
    /// An open channel, below its group.
    Channel(&'a Channel),
}

impl TimelineRow<'_> {
    pub(super) fn height(&self) -> f32 {
        match self {
            Self::Clip(_) => 22.0,
            Self::Group { .. } => 24.0,
            Self::Channel(_) => 44.0,
        }
    }

    /// Returns `None` for a clip and for morph weights.
    pub(super) fn joint(&self) -> Option<JointIndex> {
        let target = match self {
            Self::Clip(_) => return None,
            Self::Group { target, .. } => *target,
            Self::Channel(channel) => channel.target,
        };
        match target {
            ChannelTarget::Joint(joint) => Some(joint),
            ChannelTarget::Morphs(_) => None,
        }
    }
}

/// Returns the rows of the playing clips: one for each target that a clip moves, and below
/// it, if it is open, one for each of its channels.
pub(super) fn timeline_rows<'a>(document: &Document, rig: &'a Rig) -> Vec<TimelineRow<'a>> {
    let clips: Vec<&Clip> = document.clips(rig).collect();
    let channel_count: usize = clips.iter().map(|clip| clip.channels.len()).sum();
    let mut rows = Vec::new();
    for clip in &clips {
        if clips.len() > 1 {
            rows.push(TimelineRow::Clip(&clip.name));
        }
        for (target, channels) in channels_by_target(clip) {
            let is_open = channel_count <= MAX_OPEN_CHANNELS
                || target == ChannelTarget::Joint(document.state.joint);
            let open_channels = if is_open { channels.clone() } else { Vec::new() };
            rows.push(TimelineRow::Group { target, channels });
            rows.extend(open_channels.into_iter().map(TimelineRow::Channel));
        }
    }
    rows
}

/// Groups the channels of a clip by their target, in the order of the clip.
fn channels_by_target(clip: &Clip) -> Vec<(ChannelTarget, Vec<&Channel>)> {
    let mut groups: Vec<(ChannelTarget, Vec<&Channel>)> = Vec::new();
    // Index of a target's group. The flag separates joints from morph weights.
    let mut group_indices: HashMap<(bool, usize), usize> = HashMap::new();
    for channel in &clip.channels {
        let key = match channel.target {
            ChannelTarget::Joint(joint) => (true, joint.index()),
            ChannelTarget::Morphs(first) => (false, first),
        };
        let index = *group_indices.entry(key).or_insert_with(|| {
            groups.push((channel.target, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, channels)) = groups.get_mut(index) {
            channels.push(channel);
        }
    }
    groups
}

/// Minimum distance between two key marks, in points. Closer keys share one mark.
const MIN_MARK_DISTANCE_PTS: f32 = 4.0;
/// Length of each of the two lines that show the tangents of a key.
const TANGENT_LENGTH_PTS: f32 = 11.0;

/// Draws a row. A click on its name selects its joint.
pub(super) fn row_ui(
    ui: &mut Ui,
    id: (&str, usize),
    row: &TimelineRow<'_>,
    page: &mut PageContext<'_>,
    axis: TimeAxis,
    gutter_width: f32,
) {
    let size = vec2(ui.available_width(), row.height());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let joint = row.joint();
    let description = describe_row(row, page);
    let name_rect = rect.with_max_x(rect.left() + gutter_width);
    let sense = if joint.is_some() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(name_rect, ui.scope_id().with((id, "row")), sense);
    let is_selected = joint == Some(page.document.state.joint);
    response.widget_info(|| match joint {
        Some(_) => WidgetInfo::selected(Role::Button, true, is_selected, &description),
        None => WidgetInfo::labeled(Role::Label, true, &description),
    });
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    if let Some(joint) = joint {
        page.link_response(&response, Entity::Joint(joint));
    }
    let response = response.tip(&description);
    if let TimelineRow::Channel(channel) = row {
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_description(describe_keys(&channel.track));
        });
    }
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter().clone();
    let is_lit = joint.is_some_and(|joint| page.linked.is_lit(Entity::Joint(joint)));
    paint_row_background(&painter, page.theme, rect, 0.0, is_lit, is_selected);
    let line = [rect.left_bottom(), pos2(axis.right, rect.bottom())];
    painter.line_segment(line, Stroke::new(1.0, page.theme.rule));
    draw_row_name(ui, row, name_rect, page);
    match row {
        TimelineRow::Clip(_) => {}
        TimelineRow::Group { target, channels } => {
            let color = match target {
                ChannelTarget::Joint(joint) => page.theme.joint_text(*joint),
                ChannelTarget::Morphs(_) => page.theme.quiet,
            };
            for (x, interpolation) in key_marks(channels, axis) {
                let center = pos2(x, rect.center().y);
                draw_key_mark(&painter, center, 4.5, interpolation, color, page.theme);
            }
        }
        TimelineRow::Channel(channel) => {
            let curve_rect = rect.shrink2(vec2(0.0, 6.0));
            let between = page.document.state.playback.between;
            ChannelCurves::new(channel, between, axis, curve_rect).draw(&painter, page.theme);
            key_nodes_ui(ui, id, curve_rect, &channel.track, page, axis);
        }
    }
}

/// Explains a key mark in the legend.
pub(super) fn interpolation_legend(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "■ STEP holds until the next key",
        Interpolation::Linear => "◆ LINEAR",
        Interpolation::CubicSpline => "● CUBICSPLINE, with its tangents",
    }
}

fn property_name(property: TrackProperty) -> &'static str {
    match property {
        TrackProperty::Translation => "translation",
        TrackProperty::Rotation => "rotation",
        TrackProperty::Scale => "scale",
        TrackProperty::Weights => "morph weights",
    }
}

/// Describes a row for its accessible name and its tooltip.
fn describe_row(row: &TimelineRow<'_>, page: &PageContext<'_>) -> String {
    match row {
        TimelineRow::Clip(name) => format!("clip {name}"),
        TimelineRow::Group { target, channels } => {
            let key_count: usize = channels.iter().map(|c| c.track.key_count()).sum();
            let properties: Vec<&str> =
                channels.iter().map(|c| property_name(c.track.property)).collect();
            let target = describe_target(*target, page);
            format!("{target}: {key_count} keys of {}", properties.join(", "))
        }
        TimelineRow::Channel(channel) => {
            let track = &channel.track;
            let interpolation = match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            let target = describe_target(channel.target, page);
            let property = property_name(track.property);
            format!("{target}: {property}, {interpolation}, {} keys", track.key_count())
        }
    }
}

fn describe_target(target: ChannelTarget, page: &PageContext<'_>) -> String {
    match target {
        ChannelTarget::Joint(joint) => format!("joint {} {}", joint.0, joint_name(page, joint)),
        ChannelTarget::Morphs(first) => format!("morph weights from {first}"),
    }
}

fn draw_row_name(ui: &Ui, row: &TimelineRow<'_>, rect: Rect, page: &PageContext<'_>) {
    let theme = page.theme;
    let mut left = rect.left() + 4.0;
    let (text, font, color) = match row {
        TimelineRow::Clip(name) => (*name, font::strong(SMALL_SIZE), theme.ink),
        TimelineRow::Group { target: ChannelTarget::Joint(joint), .. } => {
            let badge_left = rect.left_center() + vec2(4.0, 0.0);
            left = paint_badge_at(ui, theme, badge_left, *joint) + 6.0;
            (joint_name(page, *joint), FontId::proportional(SMALL_SIZE), theme.ink)
        }
        TimelineRow::Group { target: ChannelTarget::Morphs(_), .. } => {
            ("morph weights", FontId::proportional(SMALL_SIZE), theme.ink)
        }
        TimelineRow::Channel(channel) => {
            left = rect.left() + 30.0;
            let name = property_name(channel.track.property);
            (name, FontId::proportional(SMALL_SIZE), theme.quiet)
        }
    };
    let max_width = (rect.right() - left - 6.0).max(8.0);
    ui.painter().text_cut(pos2(left, rect.center().y), text, font, color, max_width);
}

/// Returns the x coordinate and the interpolation of each key mark. Of keys that would
/// overlap, only the first gets a mark.
fn key_marks(channels: &[&Channel], axis: TimeAxis) -> Vec<(f32, Interpolation)> {
    let mut occupied = BTreeSet::new();
    let mut marks = Vec::new();
    for channel in channels {
        for &secs in channel.track.key_times() {
            let x = axis.x(f64::from(secs));
            if secs.is_finite() && occupied.insert((x / MIN_MARK_DISTANCE_PTS) as i32) {
                marks.push((x, channel.track.interpolation));
            }
        }
    }
    marks
}

fn draw_key_mark(
    painter: &Painter,
    center: Pos2,
    size: f32,
    interpolation: Interpolation,
    color: Color32,
    theme: &Theme,
) {
    let rim = Stroke::new(1.0, theme.paper);
    match interpolation {
        Interpolation::Step => {
            let square = Rect::from_center_size(center, vec2(1.7, 1.7) * size);
            painter.rect(square, 0.0, color, rim, StrokeKind::Outside);
        }
        Interpolation::Linear => {
            let corners = vec![
                center + vec2(0.0, -size),
                center + vec2(size, 0.0),
                center + vec2(0.0, size),
                center + vec2(-size, 0.0),
            ];
            painter.add(Shape::convex_polygon(corners, color, rim));
        }
        Interpolation::CubicSpline => {
            painter.circle(center, size * 0.9, color, rim);
        }
    }
}

/// Returns the shapes of a component's curve. The dashes distinguish components without
/// colour: x is solid, y dashed, z dotted, w dashed with long gaps.
fn curve_shapes(points: &[Pos2], stroke: Stroke, component: usize) -> Vec<Shape> {
    match component % 4 {
        0 => vec![Shape::line(points.to_vec(), stroke)],
        1 => Shape::dashed_line(points, stroke, 7.0, 3.0),
        2 => Shape::dashed_line(points, stroke, 2.0, 2.5),
        _ => Shape::dashed_line(points, stroke, 7.0, 7.0),
    }
}

/// Curves of a channel's components over time, in screen space.
struct ChannelCurves<'a> {
    track: &'a Track,
    /// One polyline per component, in screen points.
    curves: Vec<Vec<Pos2>>,
    axis: TimeAxis,
    /// Minimum of all finite sampled values.
    low: f64,
    /// Maximum of all finite sampled values.
    high: f64,
    rect: Rect,
}

impl<'a> ChannelCurves<'a> {
    fn new(
        channel: &'a Channel,
        between: RotationInterpolation,
        axis: TimeAxis,
        rect: Rect,
    ) -> Self {
        let track = &*channel.track;
        let samples = sample_track(track, between, axis);
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for (_, values) in &samples {
            for value in values.iter().copied().filter(|value| value.is_finite()) {
                low = low.min(value);
                high = high.max(value);
            }
        }
        let mut channel_curves = Self { track, curves: Vec::new(), axis, low, high, rect };
        for component in 0..track.width {
            let mut points = Vec::new();
            for (secs, values) in &samples {
                if let Some(&value) = values.get(component).filter(|value| value.is_finite()) {
                    points.push(channel_curves.position(*secs, value));
                }
            }
            channel_curves.curves.push(points);
        }
        channel_curves
    }

    /// Returns the screen position of a value at a time.
    fn position(&self, secs: f64, value: f64) -> Pos2 {
        let span = self.high - self.low;
        // A constant value runs through the middle.
        let fraction = if span > 1e-9 { (value - self.low) / span } else { 0.5 };
        let height = self.rect.height() * fraction.clamp(-0.2, 1.2) as f32;
        pos2(self.axis.x(secs), self.rect.bottom() - height)
    }

    fn color(&self, component: usize, theme: &Theme) -> Color32 {
        match self.track.property {
            TrackProperty::Weights => theme.joint_line(JointIndex(component as u16)),
            _ => theme.axes.get(component).copied().unwrap_or(theme.quiet),
        }
    }

    fn draw(&self, painter: &Painter, theme: &Theme) {
        for (component, points) in self.curves.iter().enumerate() {
            let stroke = Stroke::new(1.5, self.color(component, theme));
            painter.extend(curve_shapes(points, stroke, component));
        }
        let mut last_x = f32::NEG_INFINITY;
        for (key, &secs) in self.track.key_times().iter().enumerate() {
            let x = self.axis.x(f64::from(secs));
            if !secs.is_finite() || x - last_x < MIN_MARK_DISTANCE_PTS {
                continue;
            }
            last_x = x;
            for component in 0..self.track.width {
                let color = self.color(component, theme);
                self.draw_tangents(painter, key, component, color);
                let center = self.key_position(key, component);
                draw_key_mark(painter, center, 3.5, self.track.interpolation, color, theme);
            }
        }
        // Letters are drawn over the keys. A covered key can still be identified by its
        // x coordinate, but a covered letter could not be read.
        for (component, points) in self.curves.iter().enumerate() {
            let color = self.color(component, theme);
            self.draw_component_name(painter, theme, component, points, color);
        }
    }

    /// Returns the screen position of a key on its curve. Rotations are normalized before
    /// use, so the stored value alone would miss the curve.
    fn key_position(&self, key: usize, component: usize) -> Pos2 {
        let value = self.track.value(key);
        let length = match self.track.property {
            TrackProperty::Rotation => value.iter().map(|x| x * x).sum::<f32>().sqrt(),
            _ => 1.0,
        };
        let number = value.get(component).copied().unwrap_or(0.0) / length.max(1e-6);
        let secs = f64::from(self.track.times_secs[key]);
        self.position(secs, f64::from(number))
    }

    /// Draws the name of a component near the end of its curve. The names are placed side
    /// by side, because the curves of a rotation often end at the same point.
    fn draw_component_name(
        &self,
        painter: &Painter,
        theme: &Theme,
        component: usize,
        points: &[Pos2],
        color: Color32,
    ) {
        let x = self.rect.right() - 8.0 - 15.0 * component as f32;
        let Some(nearest) = points.iter().rfind(|point| point.x <= x) else {
            return;
        };
        let name = match self.track.property {
            TrackProperty::Weights => component.to_string(),
            _ => ["x", "y", "z", "w"].get(component).copied().unwrap_or_default().to_owned(),
        };
        let center = pos2(x, nearest.y);
        painter.circle_filled(center, 7.0, theme.paper);
        let ink = theme.text_on(color, theme.paper);
        painter.text_centered(center, name, font::strong(FINE_SIZE), ink);
    }

    /// Draws the incoming and outgoing tangent of a spline's key.
    fn draw_tangents(&self, painter: &Painter, key: usize, component: usize, color: Color32) {
        let Some([incoming, outgoing]) = self.track.tangents(key) else {
            return;
        };
        let center = self.key_position(key, component);
        let points_per_sec = self.axis.width() / self.axis.length_secs as f32;
        let points_per_unit = self.rect.height() / ((self.high - self.low) as f32).max(1e-6);
        for (tangent, sign) in [(incoming, -1.0), (outgoing, 1.0)] {
            let slope = tangent.get(component).copied().unwrap_or(0.0);
            let direction = vec2(points_per_sec, -slope * points_per_unit).normalized();
            let end = center + direction * TANGENT_LENGTH_PTS * sign;
            painter.line_segment([center, end], Stroke::new(1.0, color));
            painter.circle_filled(end, 1.5, color);
        }
    }
}

/// Samples a track along the axis. Returns the time in seconds and the component values of
/// each sample.
fn sample_track(
    track: &Track,
    between: RotationInterpolation,
    axis: TimeAxis,
) -> Vec<(f64, Vec<f64>)> {
    // Times at which a sample is drawn, and at which the track is evaluated for it.
    let mut times_secs = Vec::new();
    if track.interpolation == Interpolation::Step {
        // Two samples at each key give exact corners.
        times_secs.push((0.0, 0.0));
        for &key_secs in track.key_times() {
            let secs = f64::from(key_secs);
            times_secs.push((secs, secs - 1e-9));
            times_secs.push((secs, secs));
        }
        times_secs.push((axis.length_secs, axis.length_secs));
    } else {
        let count = (axis.width() / 3.0).clamp(20.0, 400.0) as u32;
        for index in 0..=count {
            let secs = axis.length_secs * f64::from(index) / f64::from(count);
            times_secs.push((secs, secs));
        }
    }
    let mut samples = Vec::with_capacity(times_secs.len());
    let mut values = Vec::new();
    for (drawn_secs, evaluated_secs) in times_secs {
        track.sample_by(between, evaluated_secs, &mut values);
        samples.push((drawn_secs, values.clone()));
    }
    samples
}

// Text and nodes for screen readers, which cannot read the drawn keys.

/// Maximum number of keys in the description of a channel.
const MAX_DESCRIBED_KEYS: usize = 40;

/// Describes the keys of a track: `0.00 s: 0.00, 0.00, 0.38, 0.92; 0.50 s: …`, followed by
/// the number of keys left out.
fn describe_keys(track: &Track) -> String {
    let count = track.key_times().len().min(MAX_DESCRIBED_KEYS);
    let mut parts: Vec<String> = (0..count).map(|key| describe_key(track, key)).collect();
    let rest = track.key_count().saturating_sub(MAX_DESCRIBED_KEYS);
    if rest > 0 {
        parts.push(format!("and {rest} more"));
    }
    parts.join("; ")
}

/// Describes the time and value of a key: `0.50 s: 0.00, 0.00, 0.38, 0.92`.
fn describe_key(track: &Track, key: usize) -> String {
    let secs = track.key_times().get(key).copied().unwrap_or_default();
    let value: Vec<String> =
        track.value(key).iter().map(|&number| number_text::fixed(number.into(), 2)).collect();
    format!("{} s: {}", number_text::fixed(secs.into(), 2), value.join(", "))
}

/// Maximum number of keys of a channel that get nodes. A channel with more has only its
/// description.
const MAX_KEY_NODES: usize = 60;
const KEY_NODE_SIZE_PTS: f32 = 12.0;

/// Adds an accessibility node for each key of an open channel, with its time and value.
/// Clicking a node moves the playhead to the key. The pointer and the Tab key skip the
/// nodes.
fn key_nodes_ui(
    ui: &Ui,
    row_id: (&str, usize),
    row_rect: Rect,
    track: &Track,
    page: &mut PageContext<'_>,
    axis: TimeAxis,
) {
    let count = track.key_count();
    if count > MAX_KEY_NODES {
        return;
    }
    for (key, &secs) in track.key_times().iter().enumerate() {
        if !secs.is_finite() {
            continue;
        }
        let time_secs = f64::from(secs);
        let center = pos2(axis.x(time_secs), row_rect.center().y);
        let rect = Rect::from_center_size(center, Vec2::splat(KEY_NODE_SIZE_PTS));
        let id = Id::unique(("key of a channel", row_id, key));
        let response = ui.interact(rect, id, Sense::hover());
        let is_current = page.document.time_secs() == time_secs;
        let label = format!("key {} of {count} at {}", key + 1, describe_key(track, key));
        response.widget_info(|| {
            WidgetInfo::selected(accesskit::Role::Button, true, is_current, &label)
        });
        ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
        let is_clicked =
            ui.input(|input| input.has_accesskit_action_request(id, accesskit::Action::Click));
        if is_clicked {
            set_time(page, time_secs);
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{Interpolation, TrackProperty};

    use super::*;

    fn track(key_count: usize, interpolation: Interpolation, values_per_key: usize) -> Track {
        Track {
            property: TrackProperty::Translation,
            interpolation,
            times_secs: (0..key_count).map(|key| key as f32 * 0.5).collect(),
            values: (0..key_count * values_per_key * 3).map(|index| index as f32).collect(),
            width: 3,
        }
    }

    #[test]
    fn description_of_a_spline_has_its_values_without_its_tangents() {
        assert_eq!(
            describe_keys(&track(2, Interpolation::Linear, 1)),
            "0.00 s: 0.00, 1.00, 2.00; 0.50 s: 3.00, 4.00, 5.00"
        );
        assert_eq!(
            describe_keys(&track(1, Interpolation::CubicSpline, 3)),
            "0.00 s: 3.00, 4.00, 5.00"
        );
        assert!(describe_keys(&track(100, Interpolation::Step, 1)).ends_with("; and 60 more"));
    }
}
