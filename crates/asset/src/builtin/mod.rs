//! Rigs that come with the notebook.
//!
//! The small ones are made by code, so that their numbers can be read here. The
//! whale is a file like any other: it comes through the glTF reader.

mod arm;
#[cfg(test)]
mod example_hand;
mod head;
mod legs;
mod limb;
mod mesh_builder;
mod rig_parts;
mod simple_skin_files;

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{Influences, JointIndex, SkeletonError};
use glam::{DVec3, Vec3};

use super::write::{self, Packing, PoseFrames};
use super::{ModelSource, Rig, TaskProgress, open};
use crate::Mesh;
use mesh_builder::{LoftRing, MeshBuilder, palette, rigid, smooth_step, weights};
use rig_parts::{bend, mesh_node, squash, unturned_chain};

/// A rig that comes with the notebook. To add one is to add it to [`BUILT_IN`].
pub(super) struct BuiltIn {
    pub(super) id: &'static str,
    /// How the notebook comes to it.
    read: RigSource,
    /// What lies under `assets/models`; absent where the files of another one
    /// do.
    pub(super) files: Option<RigFiles>,
}

/// Files of a rig beside its `.glb`.
pub(super) struct RigFiles {
    /// As `.gltf` too.
    pub(super) gltf: Option<Packing>,
    /// As `.ezm` too, with this clip.
    pub(super) ezm: Option<fn(&Rig) -> PoseFrames>,
}

/// The code of a model.
pub(super) type Make = fn() -> Result<Rig, SkeletonError>;

/// Between a model's source and the page.
enum RigSource {
    /// Nothing.
    AsMade(Make),
    /// It is written as a file, in memory, and read back; name and parameters
    /// are those of the code.
    Through(Make, fn(&Rig) -> Result<ModelSource, Diagnostic>),
    /// There is no code: its file is the source.
    Whale,
}

impl BuiltIn {
    /// The code that makes the model; `None` where there is only a file.
    pub(super) fn make(&self) -> Option<Make> {
        match self.read {
            RigSource::AsMade(make) | RigSource::Through(make, _) => Some(make),
            RigSource::Whale => None,
        }
    }
}

/// As `.glb` only.
const GLB: Option<RigFiles> = Some(RigFiles { gltf: None, ezm: None });

/// All of them. `centipede` takes a length as well: `centipede(300)`.
#[rustfmt::skip]
pub(super) const BUILT_IN: &[BuiltIn] = &[
    entry("head", RigSource::AsMade(head::rig), GLB),
    entry("bone_grid", RigSource::AsMade(bone_grid_rig), GLB),
    entry("simple_skin", RigSource::AsMade(arm::simple_skin_rig), Some(RigFiles {
        gltf: Some(Packing::Tutorial),
        ezm: None,
    })),
    entry("simple_skin_file", RigSource::Through(arm::simple_skin_rig, simple_skin_files::tutorial), None),
    entry("simple_skin_bytes", RigSource::Through(arm::simple_skin_rig, simple_skin_files::byte_weights), None),
    entry("simple_skin_sparse", RigSource::Through(arm::simple_skin_rig, simple_skin_files::sparse), None),
    entry("simple_skin_glb", RigSource::Through(arm::simple_skin_rig, simple_skin_files::glb), None),
    entry("arm", RigSource::AsMade(arm::rig), Some(RigFiles { gltf: None, ezm: Some(arm::reach) })),
    entry("limb", RigSource::AsMade(limb::rig), GLB),
    entry("legs", RigSource::AsMade(legs::rig), GLB),
    entry("ball", RigSource::AsMade(arm::ball_rig), GLB),
    entry("tentacle", RigSource::AsMade(legs::tentacle_rig), GLB),
    entry("gimbal", RigSource::Through(limb::gimbal_rig, gimbal_file), GLB),
    entry("whale", RigSource::Whale, Some(RigFiles { gltf: Some(Packing::Tight), ezm: None })),
    entry("centipede", RigSource::AsMade(usual_centipede), GLB),
];

const fn entry(id: &'static str, read: RigSource, files: Option<RigFiles>) -> BuiltIn {
    BuiltIn { id, read, files }
}

/// Names that [`builtin`] knows. `centipede` takes a length as well:
/// `centipede(300)`.
pub fn builtin_ids() -> &'static [&'static str] {
    const IDS: [&str; BUILT_IN.len()] = {
        let mut ids = [""; BUILT_IN.len()];
        let mut at = 0;
        while at < ids.len() {
            ids[at] = BUILT_IN[at].id;
            at += 1;
        }
        ids
    };
    &IDS
}

/// Rigs kept after their first use. A centipede has a length of its own, so
/// their number has no natural end.
const CACHED: usize = 32;

/// The built-in rig of that name, made once and shared afterwards. `None` when
/// there is no such rig, or when its file is yet to come: then it was asked for. The whale is there with the feature `notebook` alone.
pub fn builtin(id: &str) -> Option<Arc<Rig>> {
    static RIGS: OnceLock<Mutex<BTreeMap<String, Arc<Rig>>>> = OnceLock::new();
    let mut rigs = RIGS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
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

/// Below `assets`.
const WHALE: &str = "models/whale/whale.glb";

/// Joints of the whale, for those who count them while it is yet to come.
pub const WHALE_JOINTS: usize = 21;

/// The file that a built-in rig is read from, if it is read from one.
pub fn builtin_file(id: &str) -> Option<&'static str> {
    (id == "whale").then_some(WHALE)
}

/// The file of the whale; `None` while it is yet to come, and without the feature
/// `notebook`.
pub(super) fn whale_file() -> Option<&'static [u8]> {
    #[cfg(feature = "notebook")]
    return bindpose_shipped::file(WHALE).bytes();
    #[cfg(not(feature = "notebook"))]
    None
}

/// The whale as its file has it.
pub(super) fn stored_whale() -> Option<Rig> {
    let read = opened(&ModelSource::alone("whale.glb", whale_file()?))?;
    Some(Rig { id: "whale".to_owned(), title: "Whale".to_owned(), ..read })
}

fn load(id: &str) -> Option<Rig> {
    let Some(known) = BUILT_IN.iter().find(|known| known.id == id) else {
        return centipede_rig(length_from_id(id)?).ok();
    };
    match known.read {
        RigSource::AsMade(make) => make().ok(),
        RigSource::Through(make, written) => {
            let made = make().ok()?;
            let read = opened(&written(&made).ok()?)?;
            Some(Rig {
                id: id.to_owned(),
                skeleton: read.skeleton,
                mesh: read.mesh,
                clips: read.clips,
                origin: read.origin,
                ..made
            })
        }
        RigSource::Whale => {
            let mut read = stored_whale()?;
            read.params.extend(mesh_node(Vec3::Y, 4.0));
            // Along the body, which its root points along.
            read.params.extend(root_named(&read, "root").map(|root| squash(root, 1)));
            Some(read)
        }
    }
}

fn root_named(rig: &Rig, name: &str) -> Option<u16> {
    let mut joints = rig.skeleton.joints().iter();
    u16::try_from(joints.position(|joint| joint.name == name)?).ok()
}

/// A file of ours, read like any other.
fn opened(source: &ModelSource) -> Option<Rig> {
    open(source, &TaskProgress::default()).inspect_err(|error| log::error!("{error}")).ok()
}

fn gimbal_file(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    Ok(ModelSource::alone("gimbal.glb", write::glb(rig)?))
}

// A chain of as many joints as you like, for limits and scaling.

/// Joints without a length in the name.
const DEFAULT: u16 = 24;
/// The most joints: what one row of a bone texture holds everywhere.
const MOST: u16 = 2048;
/// Distance from joint to joint.
const SPACING: f64 = 0.5;
const RADIUS: f64 = 0.3;
/// Joints that have a slider.
const SLIDERS: u16 = 8;

/// Of `centipede(300)`; `None` for anything else.
fn length_from_id(id: &str) -> Option<u16> {
    let length = id.strip_prefix("centipede(")?.strip_suffix(')')?;
    let length = length.parse().ok()?;
    (1..=MOST).contains(&length).then_some(length)
}

/// As long as its name alone says.
fn usual_centipede() -> Result<Rig, SkeletonError> {
    centipede_rig(DEFAULT)
}

fn centipede_rig(length: u16) -> Result<Rig, SkeletonError> {
    let positions = (0..length).map(|index| (DVec3::X * joint_x(index, length)).as_vec3());
    let skeleton = unturned_chain("segment", positions)?;
    let id =
        if length == DEFAULT { "centipede".to_owned() } else { format!("centipede({length})") };
    let title = format!("Centipede of {length} joints");
    Ok(Rig {
        params: (0..length.min(SLIDERS)).map(|joint| bend(joint, PI)).collect(),
        ..Rig::new(&id, &title, skeleton, mesh(length))
    })
}

/// Joints lie along x, the middle of the animal at the origin.
fn joint_x(index: u16, length: u16) -> f64 {
    SPACING * (f64::from(index) - f64::from(length) / 2.0)
}

fn mesh(length: u16) -> crate::Mesh {
    let (image, [light, dark, legs, eyes]) =
        palette([[0xC9, 0xA6, 0x6B], [0xA9, 0x84, 0x52], [0x6E, 0x5A, 0x45], [0x2B, 0x2F, 0x36]]);
    let mut builder = MeshBuilder::default();
    for index in 0..length {
        let color = if index % 2 == 0 { light } else { dark };
        builder.loft(&segment_rings(index, length), 12, color, |position| {
            segment_influences(position, index, length)
        });
        for side in [-1.0, 1.0] {
            let hip = DVec3::new(joint_x(index, length) + SPACING / 2.0, -0.1, side * 0.22);
            let foot = hip + DVec3::new(0.0, -0.26, side * 0.24);
            builder.limb([hip, foot], [0.045, 0.03], 5, legs, |_| rigid(index));
        }
    }
    let last = length - 1;
    let front = DVec3::X * (joint_x(last, length) + SPACING);
    let on_last = |_: DVec3| rigid(last);
    builder.ball(
        front + DVec3::new(0.08, 0.06, 0.0),
        DVec3::new(0.32, 0.3, 0.32),
        [14, 10],
        light,
        on_last,
    );
    for side in [-1.0, 1.0] {
        let eye = front + DVec3::new(0.28, 0.2, side * 0.16);
        builder.ball(eye, DVec3::splat(0.07), [8, 6], eyes, on_last);
        let root = front + DVec3::new(0.16, 0.3, side * 0.1);
        let tip = root + DVec3::new(0.3, 0.36, side * 0.16);
        builder.limb([root, tip], [0.03, 0.02], 5, legs, on_last);
    }
    builder.finish(image)
}

/// One rounded piece of the body, from its joint to the next.
fn segment_rings(index: u16, length: u16) -> Vec<LoftRing> {
    let taper = 1.0 - 0.35 * (-f64::from(index) / 1.5).exp();
    [
        (-0.12, 0.0),
        (-0.1, 0.62),
        (0.0, 0.88),
        (0.3, 1.0),
        (0.7, 1.0),
        (1.0, 0.88),
        (1.1, 0.62),
        (1.12, 0.0),
    ]
    .into_iter()
    .map(|(along, size)| LoftRing {
        center: DVec3::X * (joint_x(index, length) + SPACING * along),
        u: DVec3::Y * (RADIUS * size * taper),
        v: DVec3::Z * (RADIUS * size * taper),
    })
    .collect()
}

/// The ends of a piece follow its neighbours a little.
fn segment_influences(position: DVec3, index: u16, length: u16) -> Influences {
    let along = (position.x - joint_x(index, length)) / SPACING;
    let before = 0.5 * (1.0 - smooth_step(-0.15, 0.25, along));
    let after = 0.5 * smooth_step(0.75, 1.15, along);
    let mut pairs = vec![(index, 1.0 - before - after)];
    if let Some(previous) = index.checked_sub(1) {
        pairs.push((previous, before));
    }
    if index + 1 < length {
        pairs.push((index + 1, after));
    }
    weights(&pairs)
}

// The grid of the 2-D skinning articles: ten vertices, three joints in a row.

/// x of the joints in the bind pose.
const JOINTS: [f32; 3] = [0.0, 4.0, 8.0];

/// Joints and weights of both vertices of a rung, rung by rung. The unused lane
/// names joint 0, as in the articles.
const RUNGS: [[(u16, f32); 2]; 5] = [
    [(0, 1.0), (0, 0.0)],
    [(0, 0.5), (1, 0.5)],
    [(1, 1.0), (0, 0.0)],
    [(1, 0.5), (2, 0.5)],
    [(2, 1.0), (0, 0.0)],
];

fn bone_grid_rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", JOINTS.map(|x| Vec3::X * x))?;
    Ok(Rig {
        params: (0..3).map(|joint| bend(joint, PI)).collect(),
        flat: true,
        ..Rig::new("bone_grid", "2D bone grid", skeleton, bone_grid_mesh())
    })
}

fn bone_grid_mesh() -> Mesh {
    let mut mesh = Mesh::default();
    for (rung, [first, second]) in RUNGS.into_iter().enumerate() {
        for y in [1.0, -1.0] {
            mesh.positions.push(Vec3::new(2.0 * rung as f32, y, 0.0));
            mesh.normals.push(Vec3::Z);
            mesh.influences.push(Influences::new(&[
                (JointIndex(first.0), first.1),
                (JointIndex(second.0), second.1),
            ]));
        }
        let top = 2 * rung as u32;
        mesh.lines.push([top, top + 1]);
    }
    for top in [0, 2, 4, 6] {
        mesh.lines.push([top, top + 2]);
        mesh.lines.push([top + 1, top + 3]);
        mesh.triangles.push([top, top + 1, top + 3]);
        mesh.triangles.push([top, top + 3, top + 2]);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use bindpose_skin::skin_positions;
    use glam::Mat4;

    use super::*;

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
                    assert!(joint.index() < rig.skeleton.len(), "{id}");
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
        for id in ["", "heads", "centipede(", "centipede()", "centipede(0)", "centipede(2049)"] {
            assert!(builtin(id).is_none(), "{id}");
        }
        assert_eq!(builtin("centipede(300)").unwrap().skeleton.len(), 300);
        assert_eq!(builtin("whale").unwrap().skeleton.len(), WHALE_JOINTS);
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

    #[test]
    fn arm_whale_and_figure_are_squashed_along_their_length_as_a_whole() {
        for (id, length) in [("arm", Vec3::X), ("whale", Vec3::Z), ("head", Vec3::Y)] {
            let rig = builtin(id).unwrap();
            let squashed =
                |factor| rig.world_from_bind(|name| (name == "squash").then_some(factor));
            assert_eq!(squashed(1.0), rig.world_from_bind(|_| None), "{id}");
            let rest = rig.world_from_bind(|_| None);
            for (half, whole) in squashed(0.5).iter().zip(&rest) {
                let half = half.determinant() / whole.determinant();
                assert!((half - 0.5).abs() < 1e-4, "{id}: {half}");
            }
            // What lies along the length comes together by half, the rest stays.
            let by = |point: Vec3| {
                let [half, whole] =
                    [&squashed(0.5)[0], &rest[0]].map(|m| m.transform_vector3(point));
                half.length() / whole.length()
            };
            let aside = length.any_orthonormal_vector();
            assert!((by(length) - 0.5).abs() < 1e-4 && (by(aside) - 1.0).abs() < 1e-4, "{id}");
            assert!(rig.angles().chain(rig.morphs()).all(|param| param.name != "squash"));
        }
    }
}
