//! Rigs that come with the notebook, made by code.
//!
//! The small ones are built in memory, so that their numbers can be read here.
//! The whale is a file like any other: it comes through the glTF reader.

mod arm;
mod ball;
mod bone_grid;
mod centipede;
mod clips;
mod gimbal;
mod head;
mod sculpt;
mod simple_skin;
mod tentacle;
mod whale;

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use glam::{Mat4, Quat, Vec3};

use super::write::{self, Packing};
use super::{NodePart, Param, ParamKind, Progress, Rig, Source, files, open};
use crate::skin::{Joint, JointIndex, Skeleton, SkeletonError, Trs};

/// Rigs kept after their first use. A centipede has a length of its own, so
/// their number has no natural end.
const CACHED: usize = 32;

/// Names that [`builtin`] knows. `centipede` takes a length as well:
/// `centipede(300)`.
#[must_use]
pub fn builtin_ids() -> &'static [&'static str] {
    &[
        "head",
        "bone_grid",
        "simple_skin",
        "simple_skin_file",
        "arm",
        "ball",
        "tentacle",
        "gimbal",
        "whale",
        "centipede",
    ]
}

/// The built-in rig of that name, made once and shared afterwards. `None` when
/// there is no such rig.
#[must_use]
pub fn builtin(id: &str) -> Option<Arc<Rig>> {
    static RIGS: OnceLock<Mutex<BTreeMap<String, Arc<Rig>>>> = OnceLock::new();
    let mut rigs = RIGS
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(rig) = rigs.get(id) {
        return Some(Arc::clone(rig));
    }
    let rig = Arc::new(load(id)?);
    if rigs.len() >= CACHED {
        rigs.clear();
    }
    rigs.insert(id.to_owned(), Arc::clone(&rig));
    Some(rig)
}

/// `assets/models/whale/whale.glb`.
pub(super) const WHALE: &[u8] = include_bytes!("../../../assets/models/whale/whale.glb");

fn load(id: &str) -> Option<Rig> {
    match id {
        "whale" => {
            let mut read = opened(&Source::alone("whale.glb", WHALE))?;
            read.params.extend(mesh_node(Vec3::Y, 4.0));
            return Some(Rig {
                id: id.to_owned(),
                title: "Whale".to_owned(),
                ..read
            });
        }
        "simple_skin_file" => {
            let rig = files::rig("simple_skin").ok()?;
            let mut files = write::gltf(&rig, Packing::Tutorial).ok()?;
            let (name, main) = files.pop()?;
            let source = Source {
                name,
                main: main.into(),
                beside: files
                    .into_iter()
                    .map(|(name, bytes)| (name, bytes.into()))
                    .collect(),
            };
            return Some(as_written(id, rig, &opened(&source)?));
        }
        "gimbal" => {
            let rig = files::rig(id).ok()?;
            let source = Source::alone("gimbal.glb", write::glb(&rig).ok()?);
            return Some(as_written(id, rig, &opened(&source)?));
        }
        _ => {}
    }
    if !builtin_ids().contains(&id) && centipede::length_from_id(id).is_none() {
        return None;
    }
    made(id).ok()
}

/// A file of ours, read like any other.
fn opened(source: &Source) -> Option<Rig> {
    open(source, &Progress::default())
        .inspect_err(|error| log::error!("{error}"))
        .ok()
}

/// What a file says of a rig, with the name and the parameters of the one it
/// was written from.
fn as_written(id: &str, made: Rig, read: &Rig) -> Rig {
    Rig {
        id: id.to_owned(),
        skeleton: read.skeleton.clone(),
        mesh: Arc::clone(&read.mesh),
        clips: read.clips.clone(),
        origin: read.origin.clone(),
        ..made
    }
}

/// A rig made in memory: any but the whale.
pub(super) fn made(id: &str) -> Result<Rig, SkeletonError> {
    match id {
        "head" => head::rig(),
        "bone_grid" => bone_grid::rig(),
        "simple_skin" => simple_skin::rig(),
        "arm" => arm::rig(),
        "ball" => ball::rig(),
        "tentacle" => tentacle::rig(),
        "gimbal" => gimbal::rig(),
        _ => centipede::rig(centipede::length_from_id(id).unwrap_or(centipede::DEFAULT)),
    }
}

/// What the files of the whale are written from.
pub(super) fn whale_rig() -> Result<Rig, SkeletonError> {
    whale::rig()
}

/// A skeleton of joints that are not turned in the bind pose, from their names,
/// parents and bind positions in world space. Rest pose and bind pose agree.
fn unturned_skeleton(
    joints: impl IntoIterator<Item = (String, Option<u16>, Vec3)>,
) -> Result<Skeleton, SkeletonError> {
    let mut positions: Vec<Vec3> = Vec::new();
    let mut list = Vec::new();
    for (name, parent, position) in joints {
        let parent_position = parent
            .and_then(|parent| positions.get(usize::from(parent)))
            .copied()
            .unwrap_or(Vec3::ZERO);
        list.push(Joint {
            name,
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs {
                translation: position - parent_position,
                rotation: Quat::IDENTITY,
                scale: Vec3::ONE,
            },
            joint_from_bind: Mat4::from_translation(-position),
        });
        positions.push(position);
    }
    Skeleton::new(list)
}

/// An angle about one axis of a joint, ±`limit_rad`.
fn angle(name: &str, label: &str, joint: u16, axis: Vec3, limit_rad: f64) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Angle {
            joint: JointIndex(joint),
            axis,
        },
        default: 0.0,
        range: (-limit_rad, limit_rad),
    }
}

/// A distance in world units, from 0, up to ±`limit`.
fn length(name: &str, label: &str, kind: ParamKind, limit: f64) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind,
        default: 0.0,
        range: (-limit, limit),
    }
}

/// All that moves the node that carries the mesh: along x and y up to ±`limit`
/// world units, about `axis`, in size.
fn mesh_node(axis: Vec3, limit: f64) -> [Param; 4] {
    let part = |name: &str, label: &str, part, limit| {
        length(name, label, ParamKind::MeshNode(part), limit)
    };
    [
        part("node_x", "node, x", NodePart::Shift(0), limit),
        part("node_y", "node, y", NodePart::Shift(1), limit),
        part("node_turn", "node, turn", NodePart::Turn(axis), PI),
        Param {
            default: 1.0,
            range: (0.0, 2.0),
            ..part("node_size", "node, size", NodePart::Size, 0.0)
        },
    ]
}

/// A factor along one axis of a joint, 0 is x, or along all.
fn scale(name: &str, label: &str, joint: u16, axis: Option<usize>) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Scale {
            joint: JointIndex(joint),
            axis,
        },
        default: 1.0,
        range: (0.1, 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::skin_positions;

    #[test]
    fn every_rig_is_whole_and_stands_still_in_its_bind_pose() {
        for &id in builtin_ids() {
            let rig = builtin(id).unwrap();
            let mesh = &rig.mesh;
            let count = mesh.positions.len();
            assert_eq!(rig.id, id);
            assert_eq!(mesh.normals.len(), count, "{id}");
            assert_eq!(mesh.influences.len(), count, "{id}");
            assert!(mesh.uvs.is_empty() || mesh.uvs.len() == count, "{id}");
            for corner in mesh.triangles.iter().flatten() {
                assert!((*corner as usize) < count, "{id}");
            }
            for corner in mesh.lines.iter().flatten() {
                assert!((*corner as usize) < count, "{id}");
            }
            for normal in &mesh.normals {
                assert!((normal.length() - 1.0).abs() < 1e-4, "{id} {normal}");
            }
            for influences in &mesh.influences {
                assert_eq!(influences.sum(), 1.0, "{id}");
                for joint in influences.joints {
                    assert!(joint.at() < rig.skeleton.len(), "{id}");
                }
            }
            let world_from_bind: Vec<Mat4> = rig
                .skeleton
                .joint_from_bind()
                .iter()
                .map(|joint_from_bind| joint_from_bind.inverse() * *joint_from_bind)
                .collect();
            let skinned = skin_positions(&mesh.positions, &mesh.influences, &world_from_bind);
            for (moved, stored) in skinned.iter().zip(&mesh.positions) {
                assert!(moved.abs_diff_eq(*stored, 1e-4), "{id} {moved} {stored}");
            }
        }
    }

    #[test]
    fn a_rig_is_made_once() {
        let first = builtin("head").unwrap();
        assert!(Arc::ptr_eq(&first, &builtin("head").unwrap()));
    }

    #[test]
    fn names_that_are_no_rig_give_nothing() {
        for id in [
            "",
            "heads",
            "centipede(",
            "centipede()",
            "centipede(0)",
            "centipede(2049)",
        ] {
            assert!(builtin(id).is_none(), "{id}");
        }
        assert_eq!(builtin("centipede(300)").unwrap().skeleton.len(), 300);
    }

    #[test]
    fn a_scale_moves_along_its_joints_axis_alone_and_may_mirror() {
        let rig = builtin("ball").unwrap();
        for factor in [0.5, 2.0, -1.0] {
            let posed = rig.posed(|name| (name == "squash").then_some(factor));
            let world = rig.skeleton.world_from_joint(&posed.pose)[1];
            let expected = Mat4::from_scale(Vec3::new(1.0, factor as f32, 1.0));
            assert!(world.abs_diff_eq(expected, 1e-6), "{factor}: {world}");
        }
        let angles: Vec<&str> = rig.angles().map(|p| p.name.as_str()).collect();
        assert_eq!(angles, ["lean"], "what `all` sets are angles");
    }
}
