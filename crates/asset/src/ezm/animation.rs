//! Animations: a pose a frame and bone.

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_diagnostic::Severity;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Track, TrackProperty,
};
use roxmltree::Node;

use super::error::EzmErrorKind as Kind;
use super::skeleton::{Skeletons, unit};
use super::xml::{EXPORT_AGAIN, XmlPlace, XmlReader, children, items, text, tokens};

/// Keys of all tracks of a file.
const MOST_KEYS: usize = 1 << 23;
/// A translation, a rotation and a scale.
const BYTES_A_FRAME: usize = 10 * size_of::<f32>();

/// Reads every `Animation`. Frame k stands at k × `dtime`; poses are absolute
/// local transforms, straight between frames and by slerp for rotations.
pub(super) fn clips<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut keys = 0;
    for section in children(root, "Animations") {
        let there = children(section, "Animation").count();
        reader.counted_loosely(section, "count", "animations", there);
        for node in children(section, "Animation") {
            clips.extend(clip(reader, node, skeletons, &mut keys));
        }
    }
    clips
}

fn clip<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    keys: &mut usize,
) -> Option<Clip> {
    let tracks = children(node, "AnimTrack").count();
    reader.counted_loosely(node, "trackcount", "tracks", tracks);
    let frames = whole(reader, node, "framecount")?;
    let [step_secs] = seconds(reader, node, "dtime")?;
    if step_secs <= 0.0 && frames > 1 {
        reader.fault(
            Kind::Number,
            XmlPlace::Attribute(node, "dtime"),
            "more than 0 seconds a frame",
            step_secs,
            "give the time between two frames",
        );
        return None;
    }
    let last_secs = step_secs * frames.saturating_sub(1) as f64;
    if frames > MOST_KEYS || !(last_secs as f32).is_finite() {
        return reader.damaged(
            Kind::TooLarge,
            XmlPlace::Attribute(node, "framecount"),
            format_args!("at most {MOST_KEYS} frames"),
            frames,
        );
    }
    check_duration(reader, node, step_secs, last_secs);
    let mut channels = Vec::new();
    let mut seen = BTreeSet::new();
    for track in children(node, "AnimTrack") {
        if let Some(name) = track.attribute("name")
            && !seen.insert(name)
        {
            reader.fault(
                Kind::Repeated,
                XmlPlace::Attribute(track, "name"),
                "one track a bone",
                format_args!("a second one for “{name}”"),
                "keep one of the two",
            );
        }
        channels.extend(track_channels(reader, track, skeletons, frames, step_secs, keys));
    }
    Some(Clip {
        name: node.attribute("name").unwrap_or_default().to_owned(),
        duration_secs: last_secs as f32,
        frame_secs: Some(step_secs).filter(|secs| *secs > 0.0),
        channels,
    })
}

/// Writers disagree whether the last frame's own time counts.
fn check_duration<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    step_secs: f64,
    last_secs: f64,
) {
    let Some([duration_secs]) = reader.numbers::<1>(node, "duration") else {
        return;
    };
    let slack = 1.01 * step_secs.max(1e-6);
    if (duration_secs - last_secs).abs() > slack + 1e-3 * last_secs {
        reader.finding(
            "EZM_DURATION",
            Severity::Warning,
            XmlPlace::Attribute(node, "duration"),
            [
                &format!("{last_secs:.3} seconds, as framecount and dtime say"),
                &format!("{duration_secs:.3}"),
                "none: the frames count",
            ],
        );
    }
}

fn whole<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, name: &'static str) -> Option<usize> {
    let said = reader.required(node, name)?;
    let number = said.trim().parse().ok();
    if number.is_none() {
        reader.fault(
            Kind::Number,
            XmlPlace::Attribute(node, name),
            "a whole number",
            format_args!("“{said}”"),
            EXPORT_AGAIN,
        );
    }
    number
}

fn seconds<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    name: &'static str,
) -> Option<[f64; 1]> {
    reader.required(node, name)?;
    reader.numbers::<1>(node, name)
}

/// Position, rotation and scale of one bone, in every skeleton that has it.
fn track_channels<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    frames: usize,
    step_secs: f64,
    keys: &mut usize,
) -> Vec<Channel> {
    let Some(name) = reader.required(node, "name") else {
        return Vec::new();
    };
    let joints: Vec<JointIndex> =
        skeletons.list.iter().filter_map(|skeleton| skeleton.joint(name)).collect();
    if joints.is_empty() {
        reader.finding(
            "EZM_TRACK_WITHOUT_BONE",
            Severity::Warning,
            XmlPlace::Attribute(node, "name"),
            ["the name of a bone", &format!("“{name}”"), "the track moves nothing"],
        );
        return Vec::new();
    }
    let Some(poses) = poses(reader, node, frames, keys) else {
        return Vec::new();
    };
    let times_secs: Vec<f32> = (0..frames).map(|frame| (frame as f64 * step_secs) as f32).collect();
    let tracks = [
        (TrackProperty::Translation, 3, poses.positions),
        (TrackProperty::Rotation, 4, poses.rotations),
        (TrackProperty::Scale, 3, poses.scales),
    ]
    .into_iter()
    .filter(|(_, _, values)| !values.is_empty())
    .map(|(property, width, values)| {
        Arc::new(Track {
            property,
            interpolation: Interpolation::Linear,
            times_secs: times_secs.clone(),
            values,
            width,
        })
    });
    tracks
        .flat_map(|track| {
            joints.iter().map(move |&joint| Channel {
                target: ChannelTarget::Joint(joint),
                track: Arc::clone(&track),
            })
        })
        .collect()
}

#[derive(Default)]
struct EzmPoses {
    positions: Vec<f32>,
    rotations: Vec<f32>,
    /// Empty when the track has none.
    scales: Vec<f32>,
}

fn poses<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    frames: usize,
    keys: &mut usize,
) -> Option<EzmPoses> {
    let has_scale = match node.attribute("has_scale").map(str::trim) {
        Some("true" | "1") => true,
        Some("false" | "0") => false,
        said => {
            reader.fault(
                Kind::Missing,
                XmlPlace::Attribute(node, "has_scale"),
                "true or false",
                said.map_or("nothing".to_owned(), |said| format!("“{said}”")),
                "say whether each pose ends in three factors",
            );
            return None;
        }
    };
    let width = if has_scale { 10 } else { 7 };
    let (text, begins) = text(node);
    let found = items(&text).count();
    if !reader.counted(node, "count", "poses", found) {
        return None;
    }
    if found != frames {
        return reader.damaged(
            Kind::Count,
            XmlPlace::Element(node),
            format_args!("{frames} poses, as framecount says"),
            found,
        );
    }
    *keys = keys.saturating_add(frames.saturating_mul(3));
    if !reader.holds(XmlPlace::Element(node), frames, BYTES_A_FRAME) {
        return None;
    }
    if *keys > MOST_KEYS {
        reader.fault(
            Kind::TooLarge,
            XmlPlace::Element(node),
            format_args!("at most {MOST_KEYS} keys in all"),
            "more",
            "open a smaller model",
        );
        return None;
    }
    if let Some((frame, (offset, count))) =
        items(&text).enumerate().find(|(_, (_, count))| *count != width)
    {
        return reader.damaged(
            Kind::Number,
            XmlPlace::Text(node, begins.map(|start| start + offset)),
            format_args!("{width} numbers in frame {frame}"),
            count,
        );
    }
    let mut poses = EzmPoses::default();
    let mut pose = Vec::with_capacity(width);
    for (offset, token) in tokens(&text) {
        let at = XmlPlace::Text(node, begins.map(|start| start + offset));
        let Some(number) = token.parse::<f64>().ok().filter(|x| x.is_finite()) else {
            reader.no_number(at, token);
            return None;
        };
        pose.push(number);
        if pose.len() < width {
            continue;
        }
        let rotation = unit(reader, at, [pose[3], pose[4], pose[5], pose[6]])?;
        poses.positions.extend(pose[..3].iter().map(|&x| x as f32));
        poses.rotations.extend(rotation.to_array().map(|x| x as f32));
        poses.scales.extend(pose[7..].iter().map(|&x| x as f32));
        pose.clear();
    }
    Some(poses)
}
