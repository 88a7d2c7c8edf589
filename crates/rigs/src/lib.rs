//! Built-in rigs of the notebook. All are made by code, except for the whale, which is read
//! from a file by the glTF reader.

#![forbid(unsafe_code)]

mod arm;
mod ball;
mod bone_grid;
mod centipede;
#[cfg(test)]
mod example_hand;
mod files;
mod gimbal;
mod head;
mod keyed_clips;
mod legs;
mod limb;
mod mesh_builder;
mod rig_parts;
mod simple_skin;
mod simple_skin_files;
mod tentacle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bindpose_diagnostic::Diagnostic;
use bindpose_fetch::{FetchedFile, fetched_file};
use bindpose_gltf::encoding::{AttributePacking, PoseFrames, encode_glb};
use bindpose_gltf::{ModelSource, Rig, TaskProgress, open};
use bindpose_skin::SkeletonError;
use glam::Vec3;

pub use files::{AssetFile, asset_files, bundled_model, bundled_names};
use rig_parts::{mesh_node_params, squash_param};

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
    entry("bone_grid", RigSource::Code(bone_grid::rig), GLB_ONLY),
    entry("simple_skin", RigSource::Code(simple_skin::rig), Some(RigFiles {
        gltf: Some(AttributePacking::Tutorial),
        ezm: None,
    })),
    entry("simple_skin_file", RigSource::EncodedCode(simple_skin::rig, simple_skin_files::tutorial), None),
    entry("simple_skin_bytes", RigSource::EncodedCode(simple_skin::rig, simple_skin_files::byte_weights), None),
    entry("simple_skin_sparse", RigSource::EncodedCode(simple_skin::rig, simple_skin_files::sparse), None),
    entry("simple_skin_glb", RigSource::EncodedCode(simple_skin::rig, simple_skin_files::glb), None),
    entry("arm", RigSource::Code(arm::rig), Some(RigFiles { gltf: None, ezm: Some(arm::reach_frames) })),
    entry("limb", RigSource::Code(limb::rig), GLB_ONLY),
    entry("legs", RigSource::Code(legs::rig), GLB_ONLY),
    entry("ball", RigSource::Code(ball::rig), GLB_ONLY),
    entry("tentacle", RigSource::Code(tentacle::rig), GLB_ONLY),
    entry("gimbal", RigSource::EncodedCode(gimbal::rig, gimbal_file), GLB_ONLY),
    entry("whale", RigSource::Whale, Some(RigFiles { gltf: Some(AttributePacking::Tight), ezm: None })),
    entry("centipede", RigSource::Code(centipede::default_rig), GLB_ONLY),
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
        return centipede::rig_of_length(centipede::length_from_id(id)?).ok();
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
            read.params.extend(mesh_node_params(Vec3::Y, 4.0));
            // The y axis of the root points along the body.
            if let Some(root) = read.skeleton.find("root") {
                read.params.push(squash_param(root.0, 1));
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
