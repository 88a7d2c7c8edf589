//! What is drawn while frame times are taken: a model, or a crowd of it.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{Projection, Transport, View};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::scene::{CrowdScene, Scene, SceneColors, SkinningOptions};
use glam::{Mat4, Vec3};

/// How many there are, on a square grid on the ground.
#[derive(Clone, Copy)]
pub(crate) struct BenchCrowd {
    pub(crate) count: u32,
    /// From one to the next, in world units.
    pub(crate) apart: f32,
}

impl BenchCrowd {
    /// `world_from_instance` of each.
    pub(crate) fn placed(self) -> Vec<Mat4> {
        let side = f64::from(self.count).sqrt().ceil() as u32;
        (0..self.count)
            .map(|index| {
                let at = |n: u32| (n as f32 - (side as f32 - 1.0) * 0.5) * self.apart;
                Mat4::from_translation(Vec3::new(at(index % side), 0.0, at(index / side)))
            })
            .collect()
    }
}

/// The model in grey, seen from the front and above, all of them whole.
pub(crate) fn scene(
    rig: &Arc<Rig>,
    palette: Vec<Mat4>,
    transport: Transport,
    crowd: BenchCrowd,
    size: [u32; 2],
) -> Scene {
    let [width, height] = size.map(|side| side as f32);
    let (low, high) = rig.mesh.bounds();
    let reach = Vec3::new(1.0, 0.0, 1.0) * 0.5 * crowd.apart * (crowd.count as f32).sqrt();
    let bounds = if crowd.count == 1 { (low, high) } else { (low - reach, high + reach) };
    Scene {
        size,
        camera: Camera::framing(
            bounds,
            View::ThreeQuarter,
            Projection::Perspective,
            width / height,
        ),
        skinning: SkinningOptions { transport, ..SkinningOptions::default() },
        crowd: (crowd.count > 1).then(|| {
            Arc::new(CrowdScene { world_from_instance: crowd.placed(), palettes: Vec::new() })
        }),
        colors: SceneColors {
            background_top: [251, 250, 247],
            background_bottom: [240, 238, 232],
            surface: [200, 200, 200],
            line: [30, 35, 40],
            ghost: [120, 120, 120],
            grid: [220, 220, 220],
            ..SceneColors::default()
        },
        ..Scene::plain(&rig.mesh, palette)
    }
}
