//! Animations as clips. A channel that cannot be read is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use std::fmt::Display;
use std::sync::Arc;

use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Track, TrackProperty,
};
use glam::Vec3;
use gltf::json::animation::{
    Animation, Channel as Stored, Interpolation as StoredInterpolation, Property as Path,
};
use gltf::json::validation::Checked;

use super::accessor::Accessor;
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use super::joints::SkinJoints;
use super::json::LEFT_OUT;
use super::morphs::Slots;
use crate::progress::Pace;
use crate::{Param, ParamKind};

/// Reads all animations, in the file's order.
pub(super) async fn clips(
    document: &GltfDocument<'_>,
    joints: &SkinJoints,
    slots: &BTreeMap<usize, Slots>,
    notes: &mut ReadingNotes,
    pace: &Pace,
) -> Result<Vec<Clip>, GltfError> {
    let mut clips = Vec::new();
    for (index, animation) in document.root.animations.iter().enumerate() {
        let mut reader =
            ClipReader { document, joints, slots, pace, animation, index, tracks: BTreeMap::new() };
        let mut clip = Clip {
            name: animation.name.clone().unwrap_or_else(|| format!("animation {index}")),
            ..Clip::default()
        };
        for (at, stored) in animation.channels.iter().enumerate() {
            match reader.channel(stored, at).await {
                Ok(channel) => clip.channels.extend(channel),
                Err(error) if error.kind == Kind::Cancelled => return Err(error),
                Err(error) => {
                    notes.left_out(
                        "CHANNEL_LEFT_OUT",
                        error,
                        "what this channel moves stays still",
                    );
                }
            }
        }
        let ends = clip.channels.iter().filter_map(|channel| {
            let last = channel.track.times_secs.last();
            last.copied()
        });
        clip.duration_secs = ends.fold(0.0, f32::max);
        clips.push(clip);
    }
    Ok(clips)
}

struct ClipReader<'a> {
    document: &'a GltfDocument<'a>,
    joints: &'a SkinJoints,
    slots: &'a BTreeMap<usize, Slots>,
    pace: &'a Pace,
    animation: &'a Animation,
    index: usize,
    /// Samplers read so far, by number and width: channels may share them.
    tracks: BTreeMap<(usize, u8, usize), Arc<Track>>,
}

impl ClipReader<'_> {
    /// `None` for what moves nothing that is shown.
    async fn channel(&mut self, stored: &Stored, at: usize) -> Result<Option<Channel>, GltfError> {
        let index = self.index;
        let path = format_args!("/animations/{index}/channels/{at}");
        let node = stored.target.node.value();
        let sampler = stored.sampler.value();
        if node == LEFT_OUT || sampler == LEFT_OUT {
            return Ok(None);
        }
        let count = self.joints.of_node.len();
        if node >= count {
            let path = format_args!("{path}/target/node");
            return Err(GltfError::dangling(path, "nodes", count, node));
        }
        let (property, key) = match stored.target.path {
            Checked::Valid(Path::Translation) => (TrackProperty::Translation, 0),
            Checked::Valid(Path::Rotation) => (TrackProperty::Rotation, 1),
            Checked::Valid(Path::Scale) => (TrackProperty::Scale, 2),
            Checked::Valid(Path::MorphTargetWeights) => (TrackProperty::Weights, 3),
            Checked::Invalid => {
                return Err(GltfError::new(Kind::Invalid, format_args!("{path}/target/path"))
                    .expected("translation, rotation, scale or weights", "another word"));
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
            return Err(GltfError::new(Kind::Invalid, format_args!("{path}/target"))
                .expected(
                    "a node with translation, rotation and scale",
                    format_args!("node {node}, whose matrix shears"),
                )
                .help("apply all scales in the modelling program and export again"));
        }
        let key = (sampler, key, width);
        let track = if let Some(track) = self.tracks.get(&key) {
            Arc::clone(track)
        } else {
            let track = Arc::new(self.track(sampler, property, width, &path).await?);
            self.tracks.insert(key, Arc::clone(&track));
            track
        };
        Ok(Some(Channel { target, track }))
    }

    async fn track(
        &mut self,
        index: usize,
        property: TrackProperty,
        width: usize,
        channel: &dyn Display,
    ) -> Result<Track, GltfError> {
        let samplers = &self.animation.samplers;
        let sampler = samplers.get(index).ok_or_else(|| {
            let path = format_args!("{channel}/sampler");
            GltfError::dangling(path, "samplers", samplers.len(), index)
        })?;
        let path = format_args!("/animations/{}/samplers/{index}", self.index);
        let interpolation = match sampler.interpolation {
            Checked::Valid(StoredInterpolation::Step) => Interpolation::Step,
            Checked::Valid(StoredInterpolation::Linear) => Interpolation::Linear,
            Checked::Valid(StoredInterpolation::CubicSpline) => Interpolation::CubicSpline,
            Checked::Invalid => {
                return Err(GltfError::new(Kind::Invalid, format_args!("{path}/interpolation"))
                    .expected("LINEAR, STEP or CUBICSPLINE", "another word"));
            }
        };
        let input = sampler.input.value();
        let input = Accessor::new(self.document, input, &format_args!("{path}/input"))?;
        let output = sampler.output.value();
        let output = Accessor::new(self.document, output, &format_args!("{path}/output"))?;
        let numbers = output.count().saturating_mul(output.components());
        let together = input.count().saturating_add(numbers);
        let budget = &self.document.budget;
        let taken = budget.hold(together, size_of::<f32>());
        let taken = taken.and_then(|()| budget.read(together, 1));
        taken.map_err(|over| GltfError::over_budget(over, path))?;
        self.pace.spend(together).await?;
        let times_secs = times(&input)?;
        let count = output.count();
        let values = match property {
            TrackProperty::Rotation => output.first::<4>(count)?.into_flattened(),
            TrackProperty::Translation | TrackProperty::Scale => {
                output.first::<3>(count)?.into_flattened()
            }
            TrackProperty::Weights => output.first::<1>(count)?.into_flattened(),
        };
        let values_a_key = match interpolation {
            Interpolation::CubicSpline => 3 * width,
            _ => width,
        };
        if values.len() != times_secs.len() * values_a_key {
            return Err(GltfError::new(Kind::Invalid, format_args!("{}/count", output.path()))
                .expected(
                    format_args!(
                        "{values_a_key} numbers for each of the {} keys",
                        times_secs.len()
                    ),
                    format_args!("{} numbers", values.len()),
                )
                .help("export the animation again"));
        }
        Ok(Track { property, interpolation, times_secs, values, width })
    }
}

/// When the keys stand: floats, at least one, none before the one before it.
fn times(input: &Accessor<'_>) -> Result<Vec<f32>, GltfError> {
    let wrong = |key: &str, expected: &str, found: &dyn std::fmt::Display| {
        GltfError::new(Kind::Invalid, format_args!("{}{key}", input.path()))
            .expected(expected, found)
            .help("export the animation again")
    };
    if !input.is_float() {
        return Err(wrong("/componentType", "5126, floats", &"whole numbers"));
    }
    let times_secs = input.first::<1>(input.count())?.into_flattened();
    if times_secs.is_empty() {
        return Err(wrong("/count", "at least one key", &"none"));
    }
    match times_secs.windows(2).position(|two| two[1] < two[0]) {
        None => Ok(times_secs),
        Some(at) => Err(wrong(
            "",
            "times that increase",
            &format_args!("{} s after {} s at key {}", times_secs[at + 1], times_secs[at], at + 1),
        )),
    }
}

// Parameters for what a file's joints and morph targets do.

/// One angle a joint of a skin, of every joint where there are no skins, and
/// one number a morph target. Names are made fit for links and unique.
pub(super) fn params(
    joints: &SkinJoints,
    slots: &BTreeMap<usize, Slots>,
    morph_weights: &[f32],
) -> Vec<Param> {
    let mut names = Names::default();
    let mut params = Vec::new();
    for joint in turned(joints) {
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
            let at_rest = morph_weights.get(slot).copied().unwrap_or(0.0);
            params.push(Param {
                name: names.take(label, slot),
                label: label.clone(),
                kind: ParamKind::Morph { slot },
                default: 0.0,
                range: (-f64::from(at_rest), 1.0 - f64::from(at_rest)),
            });
        }
    }
    params
}

/// Joints of skins, each once: an alias turns with the first one.
fn turned(joints: &SkinJoints) -> Vec<JointIndex> {
    let of_skins: BTreeSet<JointIndex> = joints
        .skins
        .iter()
        .flat_map(|skin| &skin.joints)
        .filter_map(|node| joints.of_node[node.index()])
        .collect();
    if of_skins.is_empty() {
        return joints.skeleton.indices().collect();
    }
    of_skins.into_iter().collect()
}

/// Names in use. `all` means every angle at once.
pub(crate) struct Names(BTreeSet<String>);

impl Default for Names {
    fn default() -> Self {
        Self(BTreeSet::from(["all".to_owned()]))
    }
}

impl Names {
    /// A name for a label, different from all taken before.
    pub(crate) fn take(&mut self, label: &str, number: usize) -> String {
        let fit = |c: char| {
            if c.is_alphanumeric() || c == '-' { c } else { '_' }
        };
        let mut name: String = label.chars().map(fit).collect();
        if name.is_empty() || self.0.contains(&name) {
            name = format!("{name}_{number}");
        }
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
