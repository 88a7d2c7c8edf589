//! Why nothing of a file is to be seen in a picture: an empty one looks like a fault
//! of the program.

use bindpose_asset::Mesh;
use bindpose_lesson::Show;
use glam::Vec3;

use super::ViewportFrame;
use crate::Derived;
use crate::number_text::grouped;

/// Two vertices that are nearer to each other than this part of the way between them as
/// stored have come together.
const TOGETHER: f32 = 1e-6;
/// The same as a part of the way to the origin: what 32 bits leave of it.
const DIGITS: f32 = 1e-6;

impl ViewportFrame<'_> {
    /// Why nothing of the file is to be seen, in a sentence; absent where something is,
    /// where nothing of it is asked for, and for rigs without a file.
    ///
    /// Vertices are looked at until two of them are apart: of a model that can be seen,
    /// the first few.
    pub fn nothing_seen(&self) -> Option<String> {
        let rig = &self.derived.rig;
        let origin = rig.origin.as_ref()?;
        if rig.mesh.positions.is_empty() {
            let names_mesh = origin.graph.nodes.iter().any(|node| node.mesh.is_some());
            let lacks = match (names_mesh, origin.graph.skins.is_empty()) {
                (true, _) => "The mesh of this file could not be read",
                (false, true) => "This file has no mesh",
                (false, false) => "This file has a skin but no mesh",
            };
            let rest = if self.shows(Show::Joints) && !origin.graph.skins.is_empty() {
                " but its joints"
            } else {
                ""
            };
            return Some(format!("{lacks}: there is nothing to draw{rest}."));
        }
        if self.draws_lines() || !self.shows(Show::Mesh) {
            return are_together(self.derived).filter(|_| self.draws_lines());
        }
        cut_away(&rig.mesh).or_else(|| are_together(self.derived))
    }
}

/// Where the picture has all vertices in one point.
fn are_together(derived: &Derived) -> Option<String> {
    let stored = derived.stored_positions();
    let (&first_stored, first) = stored.first().zip(derived.position(0))?;
    let together = |(vertex, &one): (usize, &Vec3)| {
        derived.position(vertex).is_some_and(|at| {
            at.distance(first) <= TOGETHER * one.distance(first_stored) + DIGITS * first.length()
        })
    };
    let count = stored.len();
    let all = count > 1 && stored.iter().enumerate().all(together);
    all.then(|| {
        let count = grouped(count as u32);
        format!("All {count} vertices are in one point: there is nothing to see.")
    })
}

/// Where every material has less alpha than is drawn; images are taken for opaque.
fn cut_away(mesh: &Mesh) -> Option<String> {
    let drawn = mesh.parts.iter().filter(|part| !part.triangles.is_empty());
    let mut alpha: Option<f32> = None;
    for part in drawn {
        let material = part.material.and_then(|material| mesh.materials.get(material))?;
        let cutoff = material.alpha_cutoff?;
        let range = part.triangles.start as usize..part.triangles.end as usize;
        let corners = mesh.triangles.get(range)?.iter().flatten();
        let own = corners.filter_map(|&corner| mesh.colors.get(corner as usize));
        let unless_own = mesh.colors.is_empty().then_some(1.0);
        for of_corner in own.map(|color| color.w).chain(unless_own) {
            let here = material.base_color.w * of_corner;
            if here >= cutoff {
                return None;
            }
            alpha = Some(alpha.unwrap_or(0.0).max(here));
        }
    }
    let alpha = alpha?;
    Some(if alpha > 0.0 {
        format!("No material has an alpha above {alpha:.2}: all of it is cut away.")
    } else {
        "Every material is wholly transparent: there is nothing to see.".to_owned()
    })
}
