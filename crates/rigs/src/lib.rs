//! Built-in rigs of the notebook. All are made by code, except for the whale, which is read
//! from a file by the glTF reader.

#![forbid(unsafe_code)]

mod arm;
#[cfg(test)]
mod example_hand;
mod files;
mod head;
mod legs;
mod limb;
mod mesh_builder;
mod rig_parts;
mod simple_skin_files;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bindpose_diagnostic::Diagnostic;
use bindpose_fetch::{FetchedFile, fetched_file};
use bindpose_gltf::encoding::{AttributePacking, PoseFrames, encode_glb};
use bindpose_gltf::{Mesh, ModelSource, Rig, TaskProgress, open};
use bindpose_skin::{Influences, JointIndex, SkeletonError};
use glam::{DVec3, Vec3};

pub use files::{AssetFile, asset_files, bundled_model, bundled_names};
use mesh_builder::{LoftRing, MeshBuilder, palette, rigid, smooth_step, weights};
use rig_parts::{bend, mesh_node, squash, unturned_chain};

/// A built-in rig. A new one is added to [`BUILT_IN`].
pub(crate) struct BuiltIn {
    pub(crate) id: &'static str,
    source: RigSource,
    /// Files under `assets/models`. `None` if it has none of its own.
    pub(crate) files: Option<RigFiles>,
}

/// Formats in which a rig is committed, in addition to GLB.
pub(crate) struct RigFiles {
    /// Packing of the `.gltf`, if there is one.
    pub(crate) gltf: Option<AttributePacking>,
    /// Animation of the `.ezm`, if there is one.
    pub(crate) ezm: Option<fn(&Rig) -> PoseFrames>,
}

/// Function that makes a rig.
pub(crate) type MakeRig = fn() -> Result<Rig, SkeletonError>;

enum RigSource {
    /// The rig is used as the code makes it.
    Code(MakeRig),
    /// The rig is encoded as a file in memory and read back. Id, title and parameters are those
    /// of the code.
    EncodedCode(MakeRig, fn(&Rig) -> Result<ModelSource, Diagnostic>),
    /// The rig is read from the file of the whale.
    Whale,
}

impl BuiltIn {
    /// Returns the function that makes the rig. Returns `None` if it is read from a file.
    pub(crate) fn make(&self) -> Option<MakeRig> {
        match self.source {
            RigSource::Code(make) | RigSource::EncodedCode(make, _) => Some(make),
            RigSource::Whale => None,
        }
    }
}

const GLB_ONLY: Option<RigFiles> = Some(RigFiles { gltf: None, ezm: None });

/// All built-in rigs. `centipede` can have a length, as in `centipede(300)`.
#[rustfmt::skip]
pub(crate) const BUILT_IN: &[BuiltIn] = &[
    entry("head", RigSource::Code(head::rig), GLB_ONLY),
    entry("bone_grid", RigSource::Code(bone_grid_rig), GLB_ONLY),
    entry("simple_skin", RigSource::Code(arm::simple_skin_rig), Some(RigFiles {
        gltf: Some(AttributePacking::Tutorial),
        ezm: None,
    })),
    entry("simple_skin_file", RigSource::EncodedCode(arm::simple_skin_rig, simple_skin_files::tutorial), None),
    entry("simple_skin_bytes", RigSource::EncodedCode(arm::simple_skin_rig, simple_skin_files::byte_weights), None),
    entry("simple_skin_sparse", RigSource::EncodedCode(arm::simple_skin_rig, simple_skin_files::sparse), None),
    entry("simple_skin_glb", RigSource::EncodedCode(arm::simple_skin_rig, simple_skin_files::glb), None),
    entry("arm", RigSource::Code(arm::rig), Some(RigFiles { gltf: None, ezm: Some(arm::reach_frames) })),
    entry("limb", RigSource::Code(limb::rig), GLB_ONLY),
    entry("legs", RigSource::Code(legs::rig), GLB_ONLY),
    entry("ball", RigSource::Code(arm::ball_rig), GLB_ONLY),
    entry("tentacle", RigSource::Code(legs::tentacle_rig), GLB_ONLY),
    entry("gimbal", RigSource::EncodedCode(limb::gimbal_rig, gimbal_file), GLB_ONLY),
    entry("whale", RigSource::Whale, Some(RigFiles { gltf: Some(AttributePacking::Tight), ezm: None })),
    entry("centipede", RigSource::Code(default_centipede_rig), GLB_ONLY),
];

const fn entry(id: &'static str, source: RigSource, files: Option<RigFiles>) -> BuiltIn {
    BuiltIn { id, source, files }
}

/// Returns the ids of all built-in rigs, for [`builtin`]. `centipede` can have a length, as in
/// `centipede(300)`.
pub fn builtin_ids() -> &'static [&'static str] {
    const IDS: [&str; BUILT_IN.len()] = {
        let mut ids = [""; BUILT_IN.len()];
        let mut index = 0;
        while index < ids.len() {
            ids[index] = BUILT_IN[index].id;
            index += 1;
        }
        ids
    };
    &IDS
}

/// Limit for cached rigs. There are many, because each length of the centipede is one.
const MAX_CACHED_RIGS: usize = 32;

/// Returns a built-in rig by id. Rigs are made once and shared.
///
/// Returns `None` if there is no such rig. In a browser, also returns `None` while the rig's file
/// has yet to arrive. The call then requests it.
pub fn builtin(id: &str) -> Option<Arc<Rig>> {
    static RIGS: OnceLock<Mutex<BTreeMap<String, Arc<Rig>>>> = OnceLock::new();
    let mut rigs = RIGS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(rig) = rigs.get(id) {
        return Some(Arc::clone(rig));
    }
    let rig = Arc::new(load_rig(id)?);
    if rigs.len() >= MAX_CACHED_RIGS {
        rigs.clear();
    }
    rigs.insert(id.to_owned(), Arc::clone(&rig));
    Some(rig)
}

/// The file that the whale is read from.
pub static WHALE_FILE: FetchedFile = fetched_file!("../../assets", "models/whale/whale.glb");

/// Number of joints of the whale, for use while its file has yet to arrive.
pub const WHALE_JOINTS: usize = 21;

/// Returns the path of the file that a built-in rig is read from, relative to `assets`. Returns
/// `None` if it is made by code.
pub fn builtin_file(id: &str) -> Option<&'static str> {
    (id == "whale").then_some(WHALE_FILE.path)
}

/// Reads the whale from its file, without the parameters that [`builtin`] adds.
pub(crate) fn stored_whale() -> Option<Rig> {
    let read = open_source(&ModelSource::alone("whale.glb", WHALE_FILE.request().loaded()?))?;
    Some(Rig { id: "whale".to_owned(), title: "Whale".to_owned(), ..read })
}

fn load_rig(id: &str) -> Option<Rig> {
    let Some(built_in) = BUILT_IN.iter().find(|built_in| built_in.id == id) else {
        return centipede_rig(length_from_id(id)?).ok();
    };
    match built_in.source {
        RigSource::Code(make) => make().ok(),
        RigSource::EncodedCode(make, encode) => {
            let made = make().ok()?;
            let read = open_source(&encode(&made).ok()?)?;
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
            // The y axis of the root points along the body.
            if let Some(root) = read.skeleton.find("root") {
                read.params.push(squash(root.0, 1));
            }
            Some(read)
        }
    }
}

fn open_source(source: &ModelSource) -> Option<Rig> {
    open(source, &TaskProgress::default()).inspect_err(|error| log::error!("{error}")).ok()
}

fn gimbal_file(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    Ok(ModelSource::alone("gimbal.glb", encode_glb(rig)?))
}

// The centipede: a chain of any number of joints, to demonstrate limits and scaling.

/// Number of joints of `centipede` without a length.
const DEFAULT_LENGTH: u16 = 24;
/// Maximum number of joints, which fits into one row of a bone texture on all devices.
const MAX_LENGTH: u16 = 2048;
/// Distance between two joints.
const SPACING: f64 = 0.5;
const RADIUS: f64 = 0.3;
/// Maximum number of joints with a parameter.
const MAX_PARAMS: u16 = 8;

/// Parses the length in `centipede(300)`. Returns `None` for other ids and invalid lengths.
fn length_from_id(id: &str) -> Option<u16> {
    let length = id.strip_prefix("centipede(")?.strip_suffix(')')?.parse().ok()?;
    (1..=MAX_LENGTH).contains(&length).then_some(length)
}

fn default_centipede_rig() -> Result<Rig, SkeletonError> {
    centipede_rig(DEFAULT_LENGTH)
}

fn centipede_rig(length: u16) -> Result<Rig, SkeletonError> {
    let positions = (0..length).map(|index| (DVec3::X * joint_x(index, length)).as_vec3());
    let skeleton = unturned_chain("segment", positions)?;
    let id = if length == DEFAULT_LENGTH {
        "centipede".to_owned()
    } else {
        format!("centipede({length})")
    };
    let title = format!("Centipede of {length} joints");
    Ok(Rig {
        params: (0..length.min(MAX_PARAMS)).map(|joint| bend(joint, PI)).collect(),
        ..Rig::new(&id, &title, skeleton, centipede_mesh(length))
    })
}

/// Returns the x coordinate of a joint. The joints are on the x axis, centred at the origin.
fn joint_x(index: u16, length: u16) -> f64 {
    SPACING * (f64::from(index) - f64::from(length) / 2.0)
}

fn centipede_mesh(length: u16) -> Mesh {
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
    let head = front + DVec3::new(0.08, 0.06, 0.0);
    builder.ball(head, DVec3::new(0.32, 0.3, 0.32), [14, 10], light, |_| rigid(last));
    for side in [-1.0, 1.0] {
        let eye = front + DVec3::new(0.28, 0.2, side * 0.16);
        builder.ball(eye, DVec3::splat(0.07), [8, 6], eyes, |_| rigid(last));
        let root = front + DVec3::new(0.16, 0.3, side * 0.1);
        let tip = root + DVec3::new(0.3, 0.36, side * 0.16);
        builder.limb([root, tip], [0.03, 0.02], 5, legs, |_| rigid(last));
    }
    builder.finish(image)
}

/// Returns the rings of one rounded segment, from its joint to the next.
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

/// Returns the influences of a vertex of a segment. Its ends also follow the adjacent joints.
fn segment_influences(position: DVec3, index: u16, length: u16) -> Influences {
    let along = (position.x - joint_x(index, length)) / SPACING;
    let previous_weight = 0.5 * (1.0 - smooth_step(-0.15, 0.25, along));
    let next_weight = 0.5 * smooth_step(0.75, 1.15, along);
    let mut pairs = vec![(index, 1.0 - previous_weight - next_weight)];
    if let Some(previous) = index.checked_sub(1) {
        pairs.push((previous, previous_weight));
    }
    if index + 1 < length {
        pairs.push((index + 1, next_weight));
    }
    weights(&pairs)
}

// The bone grid of the 2-D skinning articles: ten vertices and three joints in a row.

/// x coordinates of the joints in the bind pose.
const GRID_JOINTS_X: [f32; 3] = [0.0, 4.0, 8.0];

/// Joints and weights of each rung, which both of its vertices have. The unused lane refers to
/// joint 0, as in the articles.
const GRID_RUNGS: [[(u16, f32); 2]; 5] = [
    [(0, 1.0), (0, 0.0)],
    [(0, 0.5), (1, 0.5)],
    [(1, 1.0), (0, 0.0)],
    [(1, 0.5), (2, 0.5)],
    [(2, 1.0), (0, 0.0)],
];

fn bone_grid_rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", GRID_JOINTS_X.map(|x| Vec3::X * x))?;
    Ok(Rig {
        params: (0..3).map(|joint| bend(joint, PI)).collect(),
        flat: true,
        ..Rig::new("bone_grid", "2D bone grid", skeleton, bone_grid_mesh())
    })
}

fn bone_grid_mesh() -> Mesh {
    let mut mesh = Mesh::default();
    for (rung, [first, second]) in GRID_RUNGS.into_iter().enumerate() {
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
