//! What a picture shows while a matrix is not finite: the last pose in which all were.

use std::sync::Arc;

use bindpose_asset::Mesh;
use bindpose_skin::JointIndex;
use glam::Mat4;

use crate::scene::{CrowdScene, Scene};

/// The first joint whose matrix has a number that is not finite; `None`: all are sound.
pub fn first_not_finite(palette: &[Mat4]) -> Option<JointIndex> {
    let joint = palette.iter().position(|matrix| !matrix.is_finite())?;
    u16::try_from(joint).ok().map(JointIndex)
}

/// What one picture keeps for then.
#[derive(Debug, Default)]
pub struct LastFinite(Option<LastFinitePose>);

#[derive(Debug)]
struct LastFinitePose {
    mesh: Arc<Mesh>,
    palette: Arc<[Mat4]>,
    crowd: Option<Arc<CrowdScene>>,
}

impl LastFinite {
    /// Remembers the pose of a scene, or puts the last one that was sound in the place of
    /// one that is not. Where there was none, every joint is drawn as in the bind pose.
    pub fn hold(&mut self, scene: &mut Scene) {
        let crowd = scene.crowd.as_ref();
        let of_crowd = crowd.map_or(&[][..], |crowd| &crowd.palettes);
        let is_sound = first_not_finite(&scene.palette).is_none()
            && of_crowd.iter().all(|matrix| matrix.is_finite());
        if is_sound {
            self.0 = Some(LastFinitePose {
                mesh: Arc::clone(&scene.mesh),
                palette: Arc::clone(&scene.palette),
                crowd: scene.crowd.clone(),
            });
            return;
        }
        let kept = self.0.as_ref();
        let kept = kept.filter(|kept| Arc::ptr_eq(&kept.mesh, &scene.mesh));
        if let Some(kept) = kept {
            scene.palette = Arc::clone(&kept.palette);
            scene.crowd.clone_from(&kept.crowd);
        } else {
            scene.palette = vec![Mat4::IDENTITY; scene.palette.len()].into();
            scene.crowd = None;
        }
    }
}
