//! Short transitions of the picture when a switch moves the mesh, for example
//! from one stage to the next. Only the picture is interpolated, never the
//! numbers on the page.

use std::sync::Arc;

use bindpose_gltf::Mesh;
use bindpose_skin::{Blend, InverseBind, JointIndex, MeshNodeUse, SkinStage};
use glam::Mat4;

use crate::Document;
use crate::document::InverseBindEdit;
use crate::scene::Scene;

const DURATION_SECS: f64 = 0.35;

/// Switches that move vertices. Drags are not part of it, because they are
/// continuous already.
#[derive(Clone, Debug, PartialEq)]
struct Switches {
    page: (String, usize),
    stage: SkinStage,
    inverse_bind: InverseBind,
    mesh_node: MeshNodeUse,
    inverse_binds: Vec<(JointIndex, InverseBindEdit)>,
}

impl Switches {
    fn from_document(document: &Document) -> Self {
        let state = &document.state;
        let edited = state.inverse_binds.iter();
        Self {
            page: (document.lesson.clone(), document.step),
            stage: state.stage,
            inverse_bind: state.inverse_bind,
            mesh_node: state.mesh_node,
            inverse_binds: edited.map(|(&joint, edit)| (joint, *edit)).collect(),
        }
    }
}

/// State drawn in the last frame.
#[derive(Clone, Debug)]
struct LastDrawn {
    switches: Switches,
    mesh: Arc<Mesh>,
    palette: Arc<[Mat4]>,
    blend: Blend,
}

#[derive(Clone, Debug, Default)]
pub struct PictureMotion {
    last: Option<LastDrawn>,
    /// Palette and blend at the start of the transition, and its start time in
    /// seconds.
    from: Option<(Arc<[Mat4]>, Blend, f64)>,
}

impl PictureMotion {
    /// Replaces the palette of the scene during a transition. Returns true
    /// while it is running. `may_move` is false if the reader prefers no
    /// motion, or during a drag.
    ///
    /// Palettes are interpolated linearly, so linear blending moves every
    /// vertex along a straight line.
    pub fn show(
        &mut self,
        scene: &mut Scene,
        document: &Document,
        now_secs: f64,
        may_move: bool,
    ) -> bool {
        let now = LastDrawn {
            switches: Switches::from_document(document),
            mesh: Arc::clone(&scene.mesh),
            palette: Arc::clone(&scene.palette),
            blend: scene.blend,
        };
        let last = self.last.replace(now.clone());
        match last {
            Some(last) if last.switches == now.switches => {}
            Some(last) if may_move && can_interpolate(&last, &now) => {
                let (palette, blend) = self.between(&last, now_secs);
                self.from = Some((palette, blend, now_secs));
            }
            _ => self.from = None,
        }
        let Some((from, blend, since)) = &self.from else {
            return false;
        };
        let part = (now_secs - since) / DURATION_SECS;
        if part >= 1.0 || from.len() != scene.palette.len() {
            self.from = None;
            return false;
        }
        scene.palette = mix_palettes(from, &scene.palette, ease(part.max(0.0)));
        if is_identity(&now.palette) {
            scene.blend = *blend;
        }
        true
    }

    /// Returns the palette and blend that `last` shows at this moment, possibly
    /// within a transition.
    fn between(&self, last: &LastDrawn, now_secs: f64) -> (Arc<[Mat4]>, Blend) {
        match &self.from {
            Some((from, blend, since)) if from.len() == last.palette.len() => {
                let part = ((now_secs - since) / DURATION_SECS).clamp(0.0, 1.0);
                let blend = if is_identity(&last.palette) { *blend } else { last.blend };
                (mix_palettes(from, &last.palette, ease(part)), blend)
            }
            _ => (Arc::clone(&last.palette), last.blend),
        }
    }
}

/// Returns true if every vertex can move along a straight line: both states use
/// the same blend, or one of them is the stored mesh, which is the same under
/// every blend.
fn can_interpolate(last: &LastDrawn, now: &LastDrawn) -> bool {
    let same_blend =
        last.blend == now.blend || is_identity(&last.palette) || is_identity(&now.palette);
    last.switches.page == now.switches.page
        && Arc::ptr_eq(&last.mesh, &now.mesh)
        && last.palette.len() == now.palette.len()
        && last.palette != now.palette
        && same_blend
        && ![last.blend, now.blend].contains(&Blend::DualQuaternion)
}

fn is_identity(palette: &[Mat4]) -> bool {
    palette.iter().all(|matrix| *matrix == Mat4::IDENTITY)
}

fn mix_palettes(from: &[Mat4], to: &[Mat4], part: f32) -> Arc<[Mat4]> {
    let pairs = from.iter().zip(to);
    pairs.map(|(from, to)| *from * (1.0 - part) + *to * part).collect()
}

fn ease(part: f64) -> f32 {
    let part = part.clamp(0.0, 1.0);
    (part * part * (3.0 - 2.0 * part)) as f32
}

// Matrices that are not finite: the mesh is not drawn.

/// Returns the first joint whose matrix is not finite. Returns `None` if all
/// are.
pub fn first_not_finite(palette: &[Mat4]) -> Option<JointIndex> {
    let joint = palette.iter().position(|matrix| !matrix.is_finite())?;
    u16::try_from(joint).ok().map(JointIndex)
}

/// Hides the mesh if a matrix is not finite and replaces the palette, because
/// results in graphics drivers are undefined. Ghosts, which are drawn as
/// stored, stay.
pub fn leave_out_not_finite(scene: &mut Scene) {
    let crowd_palettes = scene.crowd.as_ref().map_or(&[][..], |crowd| &crowd.palettes);
    if scene.palette.iter().chain(crowd_palettes).all(|matrix| matrix.is_finite()) {
        return;
    }
    scene.surface = false;
    scene.lines = false;
    scene.normals = false;
    scene.palette = vec![Mat4::IDENTITY; scene.palette.len()].into();
    scene.crowd = None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sample::{derive, lesson, rig};
    use crate::viewport::ViewportFrame;

    fn scene(document: &Document) -> Scene {
        let derived = derive(document);
        let cell = bindpose_lesson::ViewportCell::default();
        let frame = ViewportFrame::new(&cell, document, &derived, None);
        frame.scene_without_view(crate::scene::SceneColors::default())
    }

    #[test]
    fn changes_without_a_switch_are_immediate() {
        let mut document = crate::step_document(&lesson(), 0, Some(&rig()));
        let before = scene(&document);
        document.state.stage = SkinStage::Joint;
        let mut after = scene(&document);
        after.mesh = Arc::clone(&before.mesh);
        assert_ne!(before.palette, after.palette);
        let mut motion = PictureMotion::default();
        let mut show = |scene: &Scene, document: &Document, now_secs, may_move| {
            let mut shown = scene.clone();
            let moves = motion.show(&mut shown, document, now_secs, may_move);
            (moves, shown.palette)
        };
        let mut old = document.clone();
        old.state.stage = SkinStage::Blended;
        assert_eq!(show(&before, &old, 0.0, true), (false, before.palette.clone()));
        // Drags move the mesh by themselves.
        assert_eq!(show(&after, &old, 0.1, true), (false, after.palette.clone()));
        assert_eq!(show(&before, &old, 0.2, true), (false, before.palette.clone()));
    }

    #[test]
    fn transition_is_halfway_at_half_time() {
        let mut document = crate::step_document(&lesson(), 0, Some(&rig()));
        document.state.stage = SkinStage::Bind;
        let stored = scene(&document);
        let mut posed_document = document.clone();
        posed_document.state.stage = SkinStage::Joint;
        let mut posed = scene(&posed_document);
        posed.mesh = Arc::clone(&stored.mesh);
        assert!(is_identity(&stored.palette) && !is_identity(&posed.palette));

        let mut motion = PictureMotion::default();
        let mut first = stored.clone();
        assert!(!motion.show(&mut first, &document, 5.0, true));
        let mut begun = posed.clone();
        assert!(motion.show(&mut begun, &posed_document, 6.0, true));
        assert_eq!(begun.palette, stored.palette, "it begins where it stood");
        let mut half = posed.clone();
        assert!(motion.show(&mut half, &posed_document, 6.0 + DURATION_SECS / 2.0, true));
        for ((half, from), to) in half.palette.iter().zip(&*stored.palette).zip(&*posed.palette) {
            assert!(half.abs_diff_eq((*from + *to) * 0.5, 1e-6));
        }
        let mut end = posed.clone();
        assert!(!motion.show(&mut end, &posed_document, 6.0 + DURATION_SECS + 1e-3, true));
        assert_eq!(end.palette, posed.palette);
        // No transition if the reader prefers no motion.
        let mut back = stored.clone();
        assert!(!motion.show(&mut back, &document, 9.0, false));
        assert_eq!(back.palette, stored.palette);
    }
}
