//! Clips as animations. Channels without keys are left out, and all but the last
//! of those that move the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bindpose_skin::{Channel, ChannelTarget, Clip, Interpolation, Track, TrackProperty};

use super::json;
use super::keys::WrittenKeys;
use super::writer::{Floats, GltfWriter};

/// Where joints and morph weights stand in the file.
#[derive(Default)]
pub(super) struct ChannelTargets<'a> {
    /// The node of each joint.
    pub(super) node_of_joint: &'a [usize],
    /// Nodes whose meshes have morph targets.
    pub(super) morphs: &'a [MorphNode],
    /// Morph weights where no key says otherwise, by slot.
    pub(super) morph_weights: &'a [f32],
}

/// A node whose mesh has morph targets.
pub(super) struct MorphNode {
    pub(super) node: usize,
    /// The rig's morph weights that it takes, one a target.
    pub(super) slots: Vec<usize>,
}

/// What was written so far of one animation: channels with the same times, or
/// the same track, share them.
#[derive(Default)]
struct WrittenAnimation {
    inputs: BTreeMap<Vec<u32>, usize>,
    samplers: BTreeMap<usize, usize>,
}

impl GltfWriter {
    /// An animation for each clip in which something moves.
    pub(super) fn animations(
        &mut self,
        clips: &[Clip],
        to: &ChannelTargets<'_>,
    ) -> Vec<json::Animation> {
        let animations = clips.iter().map(|clip| self.animation(clip, to));
        animations.filter(|animation| !animation.channels.is_empty()).collect()
    }

    fn animation(&mut self, clip: &Clip, to: &ChannelTargets<'_>) -> json::Animation {
        let mut animation =
            json::Animation { name: clip.name.clone(), channels: Vec::new(), samplers: Vec::new() };
        let mut written = WrittenAnimation::default();
        for (channel, node, path) in to.channels(clip) {
            let address = Arc::as_ptr(&channel.track).addr();
            let shared = written.samplers.get(&address).copied();
            let sampler = if let Some(sampler) = shared {
                sampler
            } else {
                let track = to.track(channel, node);
                let Some(sampler) = self.sampler(&track, &mut written) else {
                    continue;
                };
                animation.samplers.push(sampler);
                animation.samplers.len() - 1
            };
            if matches!(channel.target, ChannelTarget::Joint(_)) {
                written.samplers.insert(address, sampler);
            }
            animation.channels.push(json::Channel { sampler, target: json::Target { node, path } });
        }
        animation
    }

    fn sampler(&mut self, track: &Track, written: &mut WrittenAnimation) -> Option<json::Sampler> {
        let keys = WrittenKeys::new(track)?;
        let bits = keys.times_secs.iter().map(|time| time.to_bits()).collect();
        let inputs = &mut written.inputs;
        let input = *inputs.entry(bits).or_insert_with(|| self.times(&keys.times_secs));
        let floats = match track.property {
            TrackProperty::Translation | TrackProperty::Scale => Floats::KEY_VECTOR,
            TrackProperty::Rotation => Floats::KEY_ROTATION,
            TrackProperty::Weights => Floats::KEY,
        };
        Some(json::Sampler {
            input,
            interpolation: match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            },
            output: self.floats(&keys.values, floats),
        })
    }
}

impl ChannelTargets<'_> {
    /// What moves which node; of several that move the same, the last.
    fn channels<'c>(&self, clip: &'c Clip) -> Vec<(&'c Channel, usize, &'static str)> {
        let mut seen = BTreeSet::new();
        let mut channels = Vec::new();
        for channel in clip.channels.iter().rev() {
            let Some(path) = path(channel) else {
                continue;
            };
            for node in self.nodes(channel) {
                if seen.insert((node, path)) {
                    channels.push((channel, node, path));
                }
            }
        }
        channels.reverse();
        channels
    }

    fn nodes(&self, channel: &Channel) -> Vec<usize> {
        match channel.target {
            ChannelTarget::Joint(joint) => {
                self.node_of_joint.get(joint.index()).copied().into_iter().collect()
            }
            ChannelTarget::Morphs(first) => {
                let moved = first..first + channel.track.width;
                let morphs = self.morphs.iter();
                let nodes = morphs.filter(|one| one.slots.iter().any(|slot| moved.contains(slot)));
                nodes.map(|one| one.node).collect()
            }
        }
    }

    /// The track with a number for each of the node's targets, and no others.
    fn track<'c>(&self, channel: &'c Channel, node: usize) -> Cow<'c, Track> {
        let track = &*channel.track;
        let (ChannelTarget::Morphs(first), Some(morphs)) =
            (channel.target, self.morphs.iter().find(|morphs| morphs.node == node))
        else {
            return Cow::Borrowed(track);
        };
        if morphs.slots.iter().copied().eq(first..first + track.width) {
            return Cow::Borrowed(track);
        }
        let spline = track.interpolation == Interpolation::CubicSpline;
        let parts = if spline { 3 } else { 1 };
        let key_values = track.values.chunks_exact(track.width).enumerate();
        let values = key_values.flat_map(|(row, values)| {
            morphs.slots.iter().map(move |&slot| {
                let value = slot.checked_sub(first).and_then(|lane| values.get(lane));
                // What no key moves has no slope.
                let is_value = !spline || row % parts == 1;
                let at_rest = self.morph_weights.get(slot).filter(|_| is_value);
                value.or(at_rest).copied().unwrap_or(0.0)
            })
        });
        Cow::Owned(Track { values: values.collect(), width: morphs.slots.len(), ..track.clone() })
    }
}

/// What a channel moves, as the file calls it; `None` where it moves nothing.
fn path(channel: &Channel) -> Option<&'static str> {
    let path = match (channel.target, channel.track.property) {
        (ChannelTarget::Joint(_), TrackProperty::Translation) => "translation",
        (ChannelTarget::Joint(_), TrackProperty::Rotation) => "rotation",
        (ChannelTarget::Joint(_), TrackProperty::Scale) => "scale",
        (ChannelTarget::Morphs(_), TrackProperty::Weights) => "weights",
        _ => return None,
    };
    (!channel.track.key_times().is_empty()).then_some(path)
}
