//! How the picture is skinned on the device that is played, and the words where
//! that is not what was asked for.

use std::sync::Arc;

use bindpose_lesson::SkinningFault;
use glam::Mat4;

use crate::Derived;
use crate::Document;
use crate::GpuLimits;
use crate::palette_plan::PageLoad;
use crate::palette_texture::{INCOMPLETE, PaletteTexture};
use crate::scene::{CrowdScene, Scene, SkinningOptions};

/// What is drawn in the end.
#[derive(Debug)]
pub(super) struct DrawnSkinning {
    /// How; `None`: nothing can be skinned.
    skinning: Option<SkinningOptions>,
    /// Is the texture incomplete, so that all reads are the same?
    incomplete: bool,
    /// Must a crowd share one palette, since the transport carries no more?
    one_pose: bool,
    /// What a reader must know about it.
    pub(super) notice: Option<String>,
}

impl DrawnSkinning {
    /// As the document asks and the device allows. Without GL nothing is drawn,
    /// and nothing is refused.
    pub(super) fn new(document: &Document, derived: &Derived, limits: Option<&GpuLimits>) -> Self {
        let device = document.state.device;
        let mut skinning = SkinningOptions {
            transport: document.state.transport,
            faults: document.state.faults.clone(),
            normals: document.state.normals,
            limits: GpuLimits::played(device, limits),
            shader: None,
        };
        let Some(limits) = GpuLimits::for_device(device, limits) else {
            return Self {
                skinning: Some(skinning),
                incomplete: false,
                one_pose: false,
                notice: None,
            };
        };
        let load = PageLoad::new(derived);
        let choice = match load.choose(document.state.transport, &limits) {
            Ok(choice) => choice,
            Err(no_transport) => {
                return Self {
                    skinning: None,
                    incomplete: false,
                    one_pose: false,
                    notice: Some(format!("{no_transport} The bind pose is shown.")),
                };
            }
        };
        skinning.transport = choice.plan.transport;
        let palette = PaletteTexture {
            world_from_bind: &derived.palette,
            faults: &skinning.faults,
            transport: skinning.transport,
            float_linear: limits.float_linear,
        };
        let incomplete = palette.is_incomplete();
        let refused = choice.instead_of.map(|_| capital(&format!("{choice}.")));
        let notice = refused.or_else(|| {
            incomplete.then(|| {
                "LINEAR without OES_texture_float_linear: the texture is incomplete, and all \
                 vertices meet in one point."
                    .to_owned()
            })
        });
        let notice = notice.or_else(|| {
            let why = choice.one_pose?;
            Some(capital(&format!("{why}: here all share one pose.")))
        });
        Self { skinning: Some(skinning), incomplete, one_pose: choice.one_pose.is_some(), notice }
    }

    /// Puts it into the scene.
    pub(super) fn apply(&self, scene: &mut Scene, document: &Document) {
        let Some(skinning) = &self.skinning else {
            scene.ghost = true;
            scene.surface = false;
            scene.lines = false;
            scene.normals = false;
            return;
        };
        scene.skinning = skinning.clone();
        if self.incomplete {
            // This machine's GL may well filter: what would be read is sent.
            let reads = Mat4::from_cols(INCOMPLETE, INCOMPLETE, INCOMPLETE, INCOMPLETE);
            scene.palette = vec![reads; scene.palette.len()].into();
            scene.skinning.faults.remove(&SkinningFault::Linear);
        }
        if self.one_pose
            && let Some(crowd) = &scene.crowd
        {
            scene.crowd = Some(Arc::new(CrowdScene {
                world_from_instance: crowd.world_from_instance.clone(),
                palettes: Vec::new(),
            }));
        }
        scene.skinning.shader = document.shader_of(scene);
        if scene.skinning.shader.is_some() {
            // A text is written for one skin, not for a crowd.
            scene.crowd = None;
            if !scene.mesh.triangles.is_empty() {
                // It draws surfaces; lines by ours, over them, would show what
                // it no longer does.
                scene.surface |= scene.lines;
                scene.lines = false;
            }
        }
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
