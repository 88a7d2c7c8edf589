//! Is a page as settings would make it?

use super::playback::clip_index;
use super::{Derived, Document};
use crate::lesson::Setting;

/// Has the document, from which `derived` follows, all these values already?
#[must_use]
pub fn holds(settings: &[Setting], document: &Document, derived: &Derived) -> bool {
    let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-6);
    settings.iter().all(|setting| match setting {
        Setting::Param(name, value) if name == "all" => derived
            .rig
            .angles()
            .all(|angle| near(derived.param(&angle.name), *value)),
        Setting::Param(name, value) => near(derived.param(name), *value),
        Setting::Stage(stage) => document.stage == *stage,
        Setting::InverseBind(used) => document.inverse_bind == *used,
        Setting::Through(joint) => document.through == *joint,
        Setting::Joint(joint) => document.joint == *joint,
        Setting::Vertex(vertex) => document.vertex == *vertex,
        Setting::Show(show) => document.show.as_ref() == Some(show),
        Setting::View(view) => document.view == Some(*view),
        Setting::Tint(tint) => document.tint == Some(*tint),
        Setting::Method(method) => document.method == *method,
        Setting::Normals(rule) => document.normals == *rule,
        Setting::Transport(transport) => document.transport == *transport,
        Setting::Faults(faults) => document.faults == *faults,
        Setting::Device(device) => document.device == *device,
        Setting::Crowd(count) => document.crowd.count == *count,
        Setting::OwnPoses(own) => document.crowd.own_poses == *own,
        Setting::Clip(clip) => clip_index(clip, &derived.rig) == Ok(document.playback.clip),
        Setting::FadeTo(clip) => clip_index(clip, &derived.rig) == Ok(document.playback.fade_to),
        Setting::Between(between) => document.playback.between == *between,
        Setting::Repeats(repeats) => document.playback.repeats == *repeats,
        Setting::Reading(reading) => document.reading == *reading,
        Setting::MeshNode(way) => document.mesh_node == *way,
    })
}
