//! Reads animations as clips, and creates the parameters of the rig.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use std::fmt::Display;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Track, TrackProperty,
};
use glam::Vec3;
use gltf::json::animation::{
    Animation, Channel as StoredChannel, Interpolation as StoredInterpolation, Property as Path,
};
use gltf::json::validation::Checked;

use super::accessor::Accessor;
use super::document::GltfDocument;
use super::error::{ReadingNotes, dangling, gltf_error, over_budget};
use super::joints::SkinJoints;
use super::json::LEFT_OUT;
use super::morphs::MorphSlots;
use crate::progress::Pace;
use crate::read_error::code;
use crate::{Param, ParamKind};

/// Reads all animations, in the file's order. Channels that cannot be read are skipped, with a
/// note.
pub(super) async fn read_clips(
    document: &GltfDocument<'_>,
    joints: &SkinJoints,
    slots: &BTreeMap<usize, MorphSlots>,
    notes: &mut ReadingNotes,
    pace: &Pace,
) -> Result<Vec<Clip>, Diagnostic> {
    let mut clips = Vec::new();
    for (index, animation) in document.root.animations.iter().enumerate() {
        let mut reader =
            ClipReader { document, joints, slots, pace, animation, index, tracks: BTreeMap::new() };
        let mut clip = Clip {
            name: animation.name.clone().unwrap_or_else(|| format!("animation {index}")),
            ..Clip::default()
        };
        for (channel_index, stored) in animation.channels.iter().enumerate() {
            match reader.read_channel(stored, channel_index).await {
                Ok(channel) => clip.channels.extend(channel),
                Err(error) if error.code == code::GLTF_CANCELLED => return Err(error),
                Err(error) => {
                    notes.left_out(
                        "CHANNEL_LEFT_OUT",
                        error,
                        "what this channel moves stays still",
                    );
                }
            }
        }
        clip.duration_secs = clip
            .channels
            .iter()
            .filter_map(|channel| channel.track.times_secs.last().copied())
            .fold(0.0, f32::max);
        clips.push(clip);
    }
    Ok(clips)
}

struct ClipReader<'a> {
    document: &'a GltfDocument<'a>,
    joints: &'a SkinJoints,
    slots: &'a BTreeMap<usize, MorphSlots>,
    pace: &'a Pace,
    animation: &'a Animation,
    index: usize,
    /// Tracks read so far, because channels can share samplers.
    tracks: BTreeMap<TrackKey, Arc<Track>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TrackKey {
    sampler: usize,
    /// Rank of the animated property.
    property: u8,
    width: usize,
}

impl ClipReader<'_> {
    /// Reads a channel. Returns `None` if it animates nothing that is shown.
    async fn read_channel(
        &mut self,
        stored: &StoredChannel,
        channel_index: usize,
    ) -> Result<Option<Channel>, Diagnostic> {
        let index = self.index;
        let path = format_args!("/animations/{index}/channels/{channel_index}");
        let node = stored.target.node.value();
        let sampler = stored.sampler.value();
        if node == LEFT_OUT || sampler == LEFT_OUT {
            return Ok(None);
        }
        let count = self.joints.of_node.len();
        if node >= count {
            let path = format_args!("{path}/target/node");
            return Err(dangling(path, "nodes", count, node));
        }
        let (property, property_rank) = match stored.target.path {
            Checked::Valid(Path::Translation) => (TrackProperty::Translation, 0),
            Checked::Valid(Path::Rotation) => (TrackProperty::Rotation, 1),
            Checked::Valid(Path::Scale) => (TrackProperty::Scale, 2),
            Checked::Valid(Path::MorphTargetWeights) => (TrackProperty::Weights, 3),
            Checked::Invalid => {
                return Err(gltf_error(
                    code::GLTF_INVALID,
                    format_args!("{path}/target/path"),
                    "translation, rotation, scale or weights",
                    "another word",
                ));
            }
        };
        let (target, width) = if property == TrackProperty::Weights {
            let Some(slots) = self.slots.get(&node) else {
                return Ok(None);
            };
            (ChannelTarget::Morphs(slots.first), slots.names.len())
        } else {
            let Some(joint) = self.joints.of_node[node] else {
                return Ok(None);
            };
            let width = if property == TrackProperty::Rotation { 4 } else { 3 };
            (ChannelTarget::Joint(joint), width)
        };
        if property != TrackProperty::Weights && self.joints.is_split[node] {
            return Err(gltf_error(
                code::GLTF_INVALID,
                format_args!("{path}/target"),
                "a node with translation, rotation and scale",
                format_args!("node {node}, whose matrix shears"),
            )
            .help("apply all scales in the modelling program and export again"));
        }
        let key = TrackKey { sampler, property: property_rank, width };
        let track = if let Some(track) = self.tracks.get(&key) {
            Arc::clone(track)
        } else {
            let track = Arc::new(self.read_track(sampler, property, width, &path).await?);
            self.tracks.insert(key, Arc::clone(&track));
            track
        };
        Ok(Some(Channel { target, track }))
    }

    /// Reads the track of a sampler. `width` is the number of values per key, `channel` the
    /// JSON pointer of the channel.
    async fn read_track(
        &mut self,
        index: usize,
        property: TrackProperty,
        width: usize,
        channel: &dyn Display,
    ) -> Result<Track, Diagnostic> {
        let samplers = &self.animation.samplers;
        let sampler = samplers.get(index).ok_or_else(|| {
            let path = format_args!("{channel}/sampler");
            dangling(path, "samplers", samplers.len(), index)
        })?;
        let path = format_args!("/animations/{}/samplers/{index}", self.index);
        let interpolation = match sampler.interpolation {
            Checked::Valid(StoredInterpolation::Step) => Interpolation::Step,
            Checked::Valid(StoredInterpolation::Linear) => Interpolation::Linear,
            Checked::Valid(StoredInterpolation::CubicSpline) => Interpolation::CubicSpline,
            Checked::Invalid => {
                return Err(gltf_error(
                    code::GLTF_INVALID,
                    format_args!("{path}/interpolation"),
                    "LINEAR, STEP or CUBICSPLINE",
                    "another word",
                ));
            }
        };
        let input =
            Accessor::new(self.document, sampler.input.value(), &format_args!("{path}/input"))?;
        let output =
            Accessor::new(self.document, sampler.output.value(), &format_args!("{path}/output"))?;
        let output_numbers = output.count().saturating_mul(output.components());
        let numbers = input.count().saturating_add(output_numbers);
        let budget = &self.document.budget;
        budget
            .hold(numbers, size_of::<f32>())
            .and_then(|()| budget.read(numbers, 1))
            .map_err(|over| over_budget(over, path))?;
        self.pace.spend(numbers).await?;
        let times_secs = read_times(&input)?;
        let count = output.count();
        let values = match property {
            TrackProperty::Rotation => output.read_first::<4>(count)?.into_flattened(),
            TrackProperty::Translation | TrackProperty::Scale => {
                output.read_first::<3>(count)?.into_flattened()
            }
            TrackProperty::Weights => output.read_first::<1>(count)?.into_flattened(),
        };
        let values_per_key = match interpolation {
            Interpolation::CubicSpline => 3 * width,
            _ => width,
        };
        if values.len() != times_secs.len() * values_per_key {
            return Err(gltf_error(
                code::GLTF_INVALID,
                format_args!("{}/count", output.path()),
                format_args!("{values_per_key} numbers for each of the {} keys", times_secs.len()),
                format_args!("{} numbers", values.len()),
            )
            .help("export the animation again"));
        }
        Ok(Track { property, interpolation, times_secs, values, width })
    }
}

/// Reads the times of keys. Returns an error if they are not floats, if there are none, or if
/// they decrease.
fn read_times(input: &Accessor<'_>) -> Result<Vec<f32>, Diagnostic> {
    let path = input.path();
    if !input.is_float() {
        return Err(invalid_times(
            format_args!("{path}/componentType"),
            "5126, floats",
            "whole numbers",
        ));
    }
    let times_secs = input.read_first::<1>(input.count())?.into_flattened();
    if times_secs.is_empty() {
        return Err(invalid_times(format_args!("{path}/count"), "at least one key", "none"));
    }
    for (index, times) in times_secs.windows(2).enumerate() {
        if times[1] < times[0] {
            return Err(invalid_times(
                path,
                "times that increase",
                format_args!("{} s after {} s at key {}", times[1], times[0], index + 1),
            ));
        }
    }
    Ok(times_secs)
}

fn invalid_times(path: impl Display, expected: &str, found: impl Display) -> Diagnostic {
    gltf_error(code::GLTF_INVALID, path, expected, found).help("export the animation again")
}

// Parameters of the rig.

/// Creates an angle for each joint of a skin, or for each joint if there are no skins, and a
/// number for each morph target. Names are unique and usable in links.
pub(super) fn create_params(
    joints: &SkinJoints,
    slots: &BTreeMap<usize, MorphSlots>,
    morph_weights: &[f32],
) -> Vec<Param> {
    let mut names = Names::default();
    let mut params = Vec::new();
    for joint in posable_joints(joints) {
        let label = &joints.skeleton.joints()[joint.index()].name;
        params.push(Param {
            name: names.take(label, joint.index()),
            label: label.clone(),
            kind: ParamKind::Angle { joint, axis: Vec3::X },
            default: 0.0,
            range: (-PI, PI),
        });
    }
    for slots in slots.values() {
        for (slot, label) in (slots.first..).zip(&slots.names) {
            let rest_weight = f64::from(morph_weights.get(slot).copied().unwrap_or(0.0));
            params.push(Param {
                name: names.take(label, slot),
                label: label.clone(),
                kind: ParamKind::Morph { slot },
                default: 0.0,
                range: (-rest_weight, 1.0 - rest_weight),
            });
        }
    }
    params
}

/// Returns the joints of skins without aliases, which follow their first joint. Returns all
/// joints if there are no skins.
fn posable_joints(joints: &SkinJoints) -> Vec<JointIndex> {
    let skin_joints: BTreeSet<JointIndex> = joints
        .skins
        .iter()
        .flat_map(|skin| &skin.joints)
        .filter_map(|node| joints.of_node[node.index()])
        .collect();
    if skin_joints.is_empty() {
        return joints.skeleton.indices().collect();
    }
    skin_joints.into_iter().collect()
}

/// Parameter names in use. `all` is reserved for all angles at once.
pub(crate) struct Names(BTreeSet<String>);

impl Default for Names {
    fn default() -> Self {
        Self(BTreeSet::from(["all".to_owned()]))
    }
}

impl Names {
    /// Returns an unused name for a label. `number` is appended if the label is in use.
    pub(crate) fn take(&mut self, label: &str, number: usize) -> String {
        let mut name: String =
            label.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        if name.is_empty() || self.0.contains(&name) {
            name = format!("{name}_{number}");
        }
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
