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
        Setting::Stage(stage) => document.state.stage == *stage,
        Setting::InverseBind(used) => document.state.inverse_bind == *used,
        Setting::Through(joint) => document.state.through == *joint,
        Setting::Joint(joint) => document.state.joint == *joint,
        Setting::Vertex(vertex) => document.state.vertex == *vertex,
        Setting::Show(show) => document.state.show.as_ref() == Some(show),
        Setting::View(view) => document.state.view == Some(*view),
        Setting::Tint(tint) => document.state.tint == Some(*tint),
        Setting::Method(method) => document.state.method == *method,
        Setting::Normals(rule) => document.state.normals == *rule,
        Setting::Transport(transport) => document.state.transport == *transport,
        Setting::Faults(faults) => document.state.faults == *faults,
        Setting::Device(device) => document.state.device == *device,
        Setting::Crowd(count) => document.state.crowd.count == *count,
        Setting::OwnPoses(own) => document.state.crowd.own_poses == *own,
        Setting::Clip(clip) => clip_index(clip, &derived.rig) == Ok(document.state.playback.clip),
        Setting::FadeTo(clip) => {
            clip_index(clip, &derived.rig) == Ok(document.state.playback.fade_to)
        }
        Setting::Between(between) => document.state.playback.between == *between,
        Setting::Repeats(repeats) => document.state.playback.repeats == *repeats,
        Setting::Reading(reading) => document.state.reading == *reading,
        Setting::MeshNode(way) => document.state.mesh_node == *way,
    })
}
