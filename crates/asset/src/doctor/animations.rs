//! Clips: channels and samplers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::catalog::{self as fault, UNRESOLVED_REFERENCE};
use super::doc::{Doc, list, named, text, whole};
use super::findings::Findings;
use super::keys::{self, Sampler, SamplerUse};
use super::nodes::morph_targets;

/// All clips.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    // Many samplers share their times; they are looked at once.
    let mut seen = BTreeSet::new();
    for (index, animation) in doc.each("animations") {
        let pointer = format!("/animations/{index}");
        let samplers = list(animation, "samplers");
        let uses = channels(doc, animation, samplers.len(), &pointer, found);
        for (place, sampler) in samplers.iter().enumerate() {
            keys::examine(
                doc,
                &Sampler {
                    value: sampler,
                    used: uses.get(&place).map_or(&[], Vec::as_slice),
                    at: format!("{pointer}/samplers/{place}"),
                },
                &mut seen,
                found,
            );
        }
    }
}

/// Looks at every channel. Answers with the uses of each sampler.
fn channels(
    doc: &Doc<'_>,
    animation: &Value,
    samplers: usize,
    pointer: &str,
    found: &mut Findings,
) -> BTreeMap<usize, Vec<SamplerUse>> {
    let mut uses: BTreeMap<usize, Vec<SamplerUse>> = BTreeMap::new();
    let mut claimed: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (index, channel) in doc.work.each(list(animation, "channels")) {
        let at = format!("{pointer}/channels/{index}");
        let sampler = whole(channel, "sampler");
        if let Some(sampler) = sampler.filter(|&sampler| sampler >= samplers) {
            found.add(
                &UNRESOLVED_REFERENCE,
                format_args!("{at}/sampler"),
                format_args!("one of the clip’s {samplers} samplers, from 0"),
                sampler,
            );
        }
        let Some(target) = channel.get("target") else {
            continue;
        };
        let Some(path) = text(target, "path") else {
            continue;
        };
        let node_index = whole(target, "node");
        if let Some(node_index) = node_index
            && let Some(other) = claimed.insert((node_index, path), index)
        {
            found.add(
                &fault::ANIMATION_DUPLICATE_TARGETS,
                format_args!("{at}/target"),
                "one channel for each node and property",
                format_args!("{path} of node {node_index}, as channel {other} has"),
            );
        }
        let node = node_index.and_then(|node| doc.one("nodes", node));
        if let (Some(node_index), Some(node)) = (node_index, node) {
            target_of(doc, node_index, node, path, &at, found);
        }
        if let Some(sampler) = sampler {
            uses.entry(sampler).or_default().push(SamplerUse {
                path: path.to_owned(),
                targets: node.map_or(0, |node| targets(doc, node)),
                at,
            });
        }
    }
    uses
}

fn target_of(
    doc: &Doc<'_>,
    index: usize,
    node: &Value,
    path: &str,
    at: &str,
    found: &mut Findings,
) {
    let pointer = format!("{at}/target");
    let who = named("node", index, Some(node));
    if path == "weights" {
        if targets(doc, node) == 0 {
            found.add(
                &fault::ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS,
                pointer,
                "a mesh with morph targets",
                format_args!("{who}, without"),
            );
        }
        return;
    }
    if node.get("matrix").is_some() {
        found.add(
            &fault::ANIMATION_CHANNEL_TARGET_NODE_MATRIX,
            pointer.as_str(),
            "a node with translation, rotation and scale",
            format_args!("{who}, with a matrix"),
        );
    }
    if node.get("skin").is_some() && node.get("mesh").is_some() {
        found.add(
            &fault::ANIMATION_CHANNEL_TARGET_NODE_SKIN,
            pointer,
            "a joint, or a node above one",
            format_args!("{who}, with a skinned mesh"),
        );
    }
}

fn targets(doc: &Doc<'_>, node: &Value) -> usize {
    doc.referred(node, "mesh", "meshes").map_or(0, morph_targets)
}
