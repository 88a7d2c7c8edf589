//! One row: its name, its keys, and the curves of an open channel.

use bindpose_notebook::{Entity, number_text};
use bindpose_skin::{
    Channel, ChannelTarget, Interpolation, JointIndex, RotationInterpolation, Track, TrackProperty,
};
use eframe::egui::{
    Color32, FontId, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, accesskit, accesskit::Role, pos2, vec2,
};

use super::time_axis::{TimeAxis, TimelineRow, put_time};
use crate::PageContext;
use crate::cells::entity_chooser::joint_name;
use crate::theme::{FINE, SMALL, Theme, font};
use crate::widgets::{PaintText, Tip as _, lit_shape, paint_badge_at};

/// Marks nearer than this are one.
const APART: f32 = 4.0;
/// Half the length of a tangent.
const TANGENT: f32 = 11.0;

/// A row of the given names and keys; a click chooses its joint.
pub(super) fn ui(
    ui: &mut Ui,
    id: (&str, usize),
    row: &TimelineRow<'_>,
    page: &mut PageContext<'_>,
    lanes: TimeAxis,
    gutter: f32,
) {
    let size = vec2(ui.available_width(), row.height());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let joint = row.joint();
    let words = words(row, page);
    let mut name = rect;
    name.max.x = rect.left() + gutter;
    let sense = if joint.is_some() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(name, ui.scope_id().with((id, "row")), sense);
    let chosen = joint == Some(page.document.state.joint);
    response.widget_info(|| match joint {
        Some(_) => WidgetInfo::selected(Role::Button, true, chosen, &words),
        None => WidgetInfo::labeled(Role::Label, true, &words),
    });
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    if let Some(joint) = joint {
        page.link(&response, Entity::Joint(joint));
    }
    let response = response.tip(&words);
    if let TimelineRow::Channel(channel) = row {
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_description(key_words(&channel.track));
        });
    }
    if !ui.is_rect_visible(rect) {
        return;
    }
    let lit = joint.is_some_and(|joint| page.linked.is_lit(Entity::Joint(joint)));
    let painter = ui.painter().clone();
    if lit {
        painter.add(lit_shape(page.theme, rect, 0.0));
    } else if chosen {
        painter.rect_filled(rect, 0.0, page.theme.accent_wash);
    }
    let line = [rect.left_bottom(), pos2(lanes.right, rect.bottom())];
    painter.line_segment(line, Stroke::new(1.0, page.theme.rule));
    title(ui, row, name, page);
    match row {
        TimelineRow::Clip(_) => {}
        TimelineRow::Group { target, channels } => {
            let color = match target {
                ChannelTarget::Joint(joint) => page.theme.joint_text(*joint),
                ChannelTarget::Morphs(_) => page.theme.quiet,
            };
            let tracks = channels.iter().map(|channel| &*channel.track);
            let marks = KeyMarks::default().with(tracks, lanes);
            for (x, interpolation) in marks.shown {
                let at = pos2(x, rect.center().y);
                mark(&painter, at, 4.5, interpolation, color, page.theme);
            }
        }
        TimelineRow::Channel(channel) => {
            let inside = rect.shrink2(vec2(0.0, 6.0));
            let between = page.document.state.playback.between;
            LaneCurves::new(channel, between, lanes, inside).draw(&painter, page.theme);
            key_nodes_ui(ui, (id, inside), &channel.track, page, lanes);
        }
    }
}

/// What a mark means, for the legend.
pub(super) fn words_for(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "■ STEP holds until the next key",
        Interpolation::Linear => "◆ LINEAR",
        Interpolation::CubicSpline => "● CUBICSPLINE, with its tangents",
    }
}

fn property(property: TrackProperty) -> &'static str {
    match property {
        TrackProperty::Translation => "translation",
        TrackProperty::Rotation => "rotation",
        TrackProperty::Scale => "scale",
        TrackProperty::Weights => "morph weights",
    }
}

/// For people who cannot see it, and for the pointer.
fn words(row: &TimelineRow<'_>, page: &PageContext<'_>) -> String {
    let thing = |target: ChannelTarget| match target {
        ChannelTarget::Joint(joint) => format!("joint {} {}", joint.0, joint_name(page, joint)),
        ChannelTarget::Morphs(first) => format!("morph weights from {first}"),
    };
    match row {
        TimelineRow::Clip(name) => format!("clip {name}"),
        TimelineRow::Group { target, channels } => {
            let keys: usize = channels.iter().map(|c| c.track.key_count()).sum();
            let of: Vec<&str> = channels.iter().map(|c| property(c.track.property)).collect();
            format!("{}: {keys} keys of {}", thing(*target), of.join(", "))
        }
        TimelineRow::Channel(channel) => {
            let track = &channel.track;
            let way = match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            let (of, keys) = (property(track.property), track.key_count());
            format!("{}: {of}, {way}, {keys} keys", thing(channel.target))
        }
    }
}

fn title(ui: &Ui, row: &TimelineRow<'_>, rect: Rect, page: &PageContext<'_>) {
    let theme = page.theme;
    let mut left = rect.left() + 4.0;
    let plain: fn(f32) -> FontId = FontId::proportional;
    let (text, font, color) = match row {
        TimelineRow::Clip(name) => (*name, font::strong as fn(f32) -> FontId, theme.ink),
        TimelineRow::Group { target, .. } => match target {
            ChannelTarget::Joint(joint) => {
                let at = rect.left_center() + vec2(4.0, 0.0);
                left = paint_badge_at(ui, theme, at, *joint) + 6.0;
                (joint_name(page, *joint), plain, theme.ink)
            }
            ChannelTarget::Morphs(_) => ("morph weights", plain, theme.ink),
        },
        TimelineRow::Channel(channel) => {
            left = rect.left() + 30.0;
            (property(channel.track.property), plain, theme.quiet)
        }
    };
    let room = (rect.right() - left - 6.0).max(8.0);
    let at = pos2(left, rect.center().y);
    ui.painter().text_cut(at, text, font(SMALL), color, room);
}

/// Keys of several tracks, those that would lie on each other once.
#[derive(Default)]
struct KeyMarks {
    taken: std::collections::BTreeSet<i32>,
    shown: Vec<(f32, Interpolation)>,
}

impl KeyMarks {
    fn with<'a>(mut self, tracks: impl Iterator<Item = &'a Track>, lanes: TimeAxis) -> Self {
        for track in tracks {
            for &secs in track.key_times() {
                let x = lanes.x(f64::from(secs));
                if secs.is_finite() && self.taken.insert((x / APART) as i32) {
                    self.shown.push((x, track.interpolation));
                }
            }
        }
        self
    }
}

fn mark(
    painter: &Painter,
    at: Pos2,
    size: f32,
    interpolation: Interpolation,
    color: Color32,
    theme: &Theme,
) {
    let rim = Stroke::new(1.0, theme.paper);
    match interpolation {
        Interpolation::Step => {
            let square = Rect::from_center_size(at, vec2(1.7, 1.7) * size);
            painter.rect(square, 0.0, color, rim, StrokeKind::Outside);
        }
        Interpolation::Linear => {
            let corners = [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)];
            let corners = corners.map(|(x, y)| at + vec2(x, y)).to_vec();
            painter.add(Shape::convex_polygon(corners, color, rim));
        }
        Interpolation::CubicSpline => {
            painter.circle(at, size * 0.9, color, rim);
        }
    }
}

/// A curve, told from those beside it also without its colour: x runs through, y
/// is dashed, z dotted, w dashed with long gaps.
fn dashed(line: &[Pos2], stroke: Stroke, lane: usize) -> Vec<Shape> {
    match lane % 4 {
        0 => vec![Shape::line(line.to_vec(), stroke)],
        1 => Shape::dashed_line(line, stroke, 7.0, 3.0),
        2 => Shape::dashed_line(line, stroke, 2.0, 2.5),
        _ => Shape::dashed_line(line, stroke, 7.0, 7.0),
    }
}

/// The numbers of a channel over time.
struct LaneCurves<'a> {
    track: &'a Track,
    /// By number, in screen points.
    lines: Vec<Vec<Pos2>>,
    lanes: TimeAxis,
    /// Least and most of the numbers.
    values: (f64, f64),
    rect: Rect,
}

impl<'a> LaneCurves<'a> {
    fn new(
        channel: &'a Channel,
        between: RotationInterpolation,
        lanes: TimeAxis,
        rect: Rect,
    ) -> Self {
        let track = &*channel.track;
        let samples = (lanes.points() / 3.0).clamp(20.0, 400.0) as u32;
        let mut numbers: Vec<(f64, Vec<f64>)> = Vec::new();
        let mut sample = Vec::new();
        let mut push = |secs: f64, at: f64| {
            track.sample_by(between, at, &mut sample);
            numbers.push((secs, sample.clone()));
        };
        if track.interpolation == Interpolation::Step {
            // Corners, exactly.
            push(0.0, 0.0);
            for &key in track.key_times() {
                let secs = f64::from(key);
                push(secs, secs - 1e-9);
                push(secs, secs);
            }
            push(lanes.length_secs, lanes.length_secs);
        } else {
            for index in 0..=samples {
                let secs = lanes.length_secs * f64::from(index) / f64::from(samples);
                push(secs, secs);
            }
        }
        let all = || numbers.iter().flat_map(|(_, values)| values).copied();
        let finite = || all().filter(|x| x.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let mut curves = Self { track, lines: Vec::new(), lanes, values: (low, high), rect };
        curves.lines = (0..track.width)
            .map(|lane| {
                let of_lane = numbers.iter().filter_map(|(secs, values)| {
                    let value = values.get(lane).filter(|value| value.is_finite())?;
                    Some(curves.place(*secs, *value))
                });
                of_lane.collect()
            })
            .collect();
        curves
    }

    fn place(&self, secs: f64, value: f64) -> Pos2 {
        let (low, high) = self.values;
        let span = high - low;
        // What does not change runs through the middle.
        let part = if span > 1e-9 { (value - low) / span } else { 0.5 };
        let part = part.clamp(-0.2, 1.2) as f32;
        let y = self.rect.bottom() - self.rect.height() * part;
        pos2(self.lanes.x(secs), y)
    }

    fn draw(self, painter: &Painter, theme: &Theme) {
        let color = |lane: usize| match self.track.property {
            TrackProperty::Weights => theme.joint_line(JointIndex(lane as u16)),
            _ => theme.axes.get(lane).copied().unwrap_or(theme.quiet),
        };
        for (lane, line) in self.lines.iter().enumerate() {
            let stroke = Stroke::new(1.5, color(lane));
            painter.extend(dashed(line, stroke, lane));
        }
        let mut last = f32::NEG_INFINITY;
        for (key, &secs) in self.track.key_times().iter().enumerate() {
            let x = self.lanes.x(f64::from(secs));
            if !secs.is_finite() || x - last < APART {
                continue;
            }
            last = x;
            for lane in 0..self.track.width {
                self.tangents(painter, key, lane, color(lane));
                let at = self.key(key, lane);
                let interpolation = self.track.interpolation;
                mark(painter, at, 3.5, interpolation, color(lane), theme);
            }
        }
        // A key under a letter is told by its column; a letter under a key, by nothing.
        for (lane, line) in self.lines.iter().enumerate() {
            self.letter(painter, theme, (lane, line), color(lane));
        }
    }

    /// On its curve: rotations are made unit before use.
    fn key(&self, key: usize, lane: usize) -> Pos2 {
        let value = self.track.value(key);
        let length = match self.track.property {
            TrackProperty::Rotation => value.iter().map(|x| x * x).sum::<f32>().sqrt(),
            _ => 1.0,
        };
        let number = value.get(lane).copied().unwrap_or(0.0) / length.max(1e-6);
        let secs = f64::from(self.track.times_secs[key]);
        self.place(secs, f64::from(number))
    }

    /// Which number a curve is of, where it ends: those of a rotation lie side by
    /// side, since they often end together.
    fn letter(
        &self,
        painter: &Painter,
        theme: &Theme,
        (lane, line): (usize, &[Pos2]),
        color: Color32,
    ) {
        let x = self.rect.right() - 8.0 - 15.0 * lane as f32;
        let Some(at) = line.iter().rfind(|point| point.x <= x) else {
            return;
        };
        let name = match self.track.property {
            TrackProperty::Weights => lane.to_string(),
            _ => ["x", "y", "z", "w"].get(lane).copied().unwrap_or_default().to_owned(),
        };
        let at = pos2(x, at.y);
        painter.circle_filled(at, 7.0, theme.paper);
        let ink = theme.text_on(color, theme.paper);
        painter.text_centered(at, name, font::strong(FINE), ink);
    }

    /// A short line into a key of a spline, and one out of it.
    fn tangents(&self, painter: &Painter, key: usize, lane: usize, color: Color32) {
        let Some([into, out]) = self.track.tangents(key) else {
            return;
        };
        let at = self.key(key, lane);
        let (low, high) = self.values;
        let per_sec = self.lanes.points() / self.lanes.length_secs as f32;
        let per_unit = self.rect.height() / ((high - low) as f32).max(1e-6);
        for (tangent, sign) in [(into, -1.0), (out, 1.0)] {
            let slope = tangent.get(lane).copied().unwrap_or(0.0);
            let along = vec2(per_sec, -slope * per_unit);
            let end = at + along.normalized() * TANGENT * sign;
            painter.line_segment([at, end], Stroke::new(1.0, color));
            painter.circle_filled(end, 1.5, color);
        }
    }
}

// The keys of a channel in words, for those who do not see them.

/// Keys that are told one by one.
const MOST: usize = 40;

/// `0.00 s: 0.00, 0.00, 0.38, 0.92; 0.50 s: …`, and how many more there are.
pub(super) fn key_words(track: &Track) -> String {
    let told = (0..track.key_times().len()).take(MOST);
    let told = told.map(|key| one_key(track, key));
    let more = track.key_count().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("and {more} more"));
    told.chain(more).collect::<Vec<_>>().join("; ")
}

/// `0.50 s: 0.00, 0.00, 0.38, 0.92`
pub(super) fn one_key(track: &Track, key: usize) -> String {
    let number = |x: f32| number_text::fixed(x.into(), 2);
    let secs = track.key_times().get(key).copied().unwrap_or_default();
    let value: Vec<String> = track.value(key).iter().copied().map(number).collect();
    format!("{} s: {}", number(secs), value.join(", "))
}

// The keys of an open channel for those who do not see them: each a node with its
// time and value, which time can be put to. The pointer and the Tab key pass them
// by.

/// Keys of a channel that have nodes; of more, the channel tells in words.
const MOST_KEY_NODES: usize = 60;
/// Side of a node, in points.
const SIDE: f32 = 12.0;

/// `row` is where the channel stands; `id` tells it from others.
pub(super) fn key_nodes_ui(
    ui: &Ui,
    (id, row): ((&str, usize), Rect),
    track: &Track,
    page: &mut PageContext<'_>,
    lanes: TimeAxis,
) {
    if track.key_count() > MOST_KEY_NODES {
        return;
    }
    for (key, &secs) in track.key_times().iter().enumerate() {
        let at_secs = f64::from(secs);
        if !secs.is_finite() {
            continue;
        }
        let center = pos2(lanes.x(at_secs), row.center().y);
        let rect = Rect::from_center_size(center, Vec2::splat(SIDE));
        let id = Id::unique(("key of a channel", id, key));
        let response = ui.interact(rect, id, Sense::hover());
        let (here, count) = (page.document.time_secs() == at_secs, track.key_count());
        let words = format!("key {} of {count} at {}", key + 1, one_key(track, key));
        response.widget_info(|| WidgetInfo::selected(accesskit::Role::Button, true, here, &words));
        ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
        let is_asked =
            ui.input(|input| input.has_accesskit_action_request(id, accesskit::Action::Click));
        if is_asked {
            put_time(page, at_secs);
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{Interpolation, TrackProperty};

    use super::*;

    #[test]
    fn the_value_of_a_spline_is_told_and_not_its_tangents() {
        let track = |keys: usize, interpolation, per_key: usize| Track {
            property: TrackProperty::Translation,
            interpolation,
            times_secs: (0..keys).map(|key| key as f32 * 0.5).collect(),
            values: (0..keys * per_key * 3).map(|at| at as f32).collect(),
            width: 3,
        };
        assert_eq!(
            key_words(&track(2, Interpolation::Linear, 1)),
            "0.00 s: 0.00, 1.00, 2.00; 0.50 s: 3.00, 4.00, 5.00"
        );
        assert_eq!(key_words(&track(1, Interpolation::CubicSpline, 3)), "0.00 s: 3.00, 4.00, 5.00");
        assert!(key_words(&track(100, Interpolation::Step, 1)).ends_with("; and 60 more"));
    }
}
