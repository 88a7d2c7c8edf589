//! Animations: one pose for each frame and bone.

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Track, TrackProperty,
};
use roxmltree::Node;

use super::skeleton::{ReadSkeleton, read_rotation};
use super::xml::{RowText, XmlPlace, XmlReader, children, section_items};
use crate::read_error::{code, read_error};

/// Limit for the keys of all tracks of a file.
const MAX_KEYS: usize = 1 << 23;
/// A translation, a rotation and a scale.
const BYTES_PER_FRAME: usize = 10 * size_of::<f32>();

/// Reads every `Animation`. The time of frame k is k × `dtime`. Poses are local transforms, and
/// are interpolated between frames.
pub(super) fn read_clips<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    skeleton: &ReadSkeleton<'d>,
) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut key_count = 0;
    for node in section_items(root, "Animations", "Animation") {
        clips.extend(read_clip(reader, node, skeleton, &mut key_count));
    }
    clips
}

fn read_clip<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeleton: &ReadSkeleton<'d>,
    key_count: &mut usize,
) -> Option<Clip> {
    let frame_count = read_frame_count(reader, node)?;
    reader.required(node, "dtime")?;
    let [step_secs] = reader.numbers::<1>(node, "dtime")?;
    if step_secs <= 0.0 && frame_count > 1 {
        let error = read_error(code::EZM_NUMBER, "more than 0 seconds a frame", step_secs)
            .help("give the time between two frames");
        return reader.fail(XmlPlace::Attribute(node, "dtime"), error);
    }
    let last_secs = step_secs * frame_count.saturating_sub(1) as f64;
    if frame_count > MAX_KEYS || !(last_secs as f32).is_finite() {
        let expected = format_args!("at most {MAX_KEYS} frames");
        let error = read_error(code::EZM_TOO_LARGE, expected, frame_count);
        return reader.fail(XmlPlace::Attribute(node, "framecount"), error);
    }
    let mut channels = Vec::new();
    let mut names = BTreeSet::new();
    for track in children(node, "AnimTrack") {
        let Some(name) = reader.required(track, "name") else { continue };
        if !names.insert(name) {
            let found = format_args!("a second one for “{name}”");
            let error = read_error(code::EZM_REPEATED, "one track a bone", found)
                .help("keep one of the two");
            reader.add_error(XmlPlace::Attribute(track, "name"), error);
        }
        if let Some(&joint) = skeleton.joint_by_name.get(name) {
            let poses = read_poses(reader, track, frame_count, key_count).unwrap_or_default();
            channels.extend(poses.into_channels(joint, step_secs));
        } else {
            let found = format_args!("“{name}”");
            let note = Diagnostic {
                severity: Severity::Warning,
                title: "A track is for a bone that is not there".to_owned(),
                effect: "the track moves nothing".to_owned(),
                ..read_error("EZM_TRACK_WITHOUT_BONE", "the name of a bone", found)
            };
            reader.add_note(XmlPlace::Attribute(track, "name"), note);
        }
    }
    Some(Clip {
        name: node.attribute("name").unwrap_or_default().to_owned(),
        duration_secs: last_secs as f32,
        frame_secs: Some(step_secs).filter(|secs| *secs > 0.0),
        channels,
    })
}

fn read_frame_count<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>) -> Option<usize> {
    let text = reader.required(node, "framecount")?;
    let count = text.trim().parse().ok();
    if count.is_none() {
        let error = read_error(code::EZM_NUMBER, "a whole number", format_args!("“{text}”"));
        reader.add_error(XmlPlace::Attribute(node, "framecount"), error);
    }
    count
}

/// The poses of one bone in all frames.
#[derive(Default)]
struct EzmPoses {
    translations: Vec<f32>,
    rotations: Vec<f32>,
    /// Empty if the track has none.
    scales: Vec<f32>,
}

impl EzmPoses {
    fn into_channels(self, joint: JointIndex, step_secs: f64) -> Vec<Channel> {
        let frame_count = self.rotations.len() / 4;
        let times_secs: Vec<f32> =
            (0..frame_count).map(|frame| (frame as f64 * step_secs) as f32).collect();
        let mut channels = Vec::new();
        for (property, width, values) in [
            (TrackProperty::Translation, 3, self.translations),
            (TrackProperty::Rotation, 4, self.rotations),
            (TrackProperty::Scale, 3, self.scales),
        ] {
            if values.is_empty() {
                continue;
            }
            let interpolation = Interpolation::Linear;
            let times_secs = times_secs.clone();
            channels.push(Channel {
                target: ChannelTarget::Joint(joint),
                track: Arc::new(Track { property, interpolation, times_secs, values, width }),
            });
        }
        channels
    }
}

/// Reads the poses of a track. Returns `None` after an error.
fn read_poses<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    frame_count: usize,
    key_count: &mut usize,
) -> Option<EzmPoses> {
    let has_scale = matches!(reader.required(node, "has_scale")?.trim(), "true" | "1");
    let width = if has_scale { 10 } else { 7 };
    let text = RowText::new(node);
    let count = text.rows().count();
    if !reader.check_count(node, "count", "poses", count) {
        return None;
    }
    let at = XmlPlace::Element(node);
    if count != frame_count {
        let expected = format_args!("{frame_count} poses, as framecount says");
        return reader.fail(at, read_error(code::EZM_WRONG_COUNT, expected, count));
    }
    *key_count = key_count.saturating_add(frame_count.saturating_mul(3));
    if !reader.check_memory(at, frame_count, BYTES_PER_FRAME)
        || !reader.check_limit(at, MAX_KEYS, "keys in all", *key_count)
    {
        return None;
    }
    let mut poses = EzmPoses::default();
    for (at, row) in text.rows() {
        reader.check_width(at, row, width)?;
        let mut pose = [0.0; 10];
        for (number, token) in pose.iter_mut().zip(row.split_ascii_whitespace()) {
            *number = reader.number(at, token)?;
        }
        let [px, py, pz, qx, qy, qz, qw, scale @ ..] = pose;
        let rotation = read_rotation(reader, at, [qx, qy, qz, qw])?;
        poses.translations.extend([px, py, pz].map(|x| x as f32));
        poses.rotations.extend(rotation.to_array().map(|x| x as f32));
        if has_scale {
            poses.scales.extend(scale.map(|x| x as f32));
        }
    }
    Some(poses)
}
