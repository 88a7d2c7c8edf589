//! The grid under a model, or behind a flat one.

use crate::notebook::camera::Camera;
use crate::notebook::crowd::crowd_reach;
use crate::notebook::model_bounds::extent;
use crate::notebook::scene::Grid;
use crate::notebook::{Derived, Document, significant_digits};

/// Lines of the ground, or of the picture plane for a flat rig, at a spacing of
/// 1, 2 or 5 times a power of ten.
pub(super) fn grid(document: &Document, derived: &Derived, camera: &Camera) -> Grid {
    let (low, high) = extent(document, &derived.rig).bounds;
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    let spacing = significant_digits::round_up(f64::from(size) / 6.0) as f32;
    if derived.rig.flat {
        Grid {
            spacing,
            extent: camera.height * 3.0 + camera.target.length(),
            ground: false,
            at: low.z - size * 0.01,
        }
    } else {
        Grid {
            spacing,
            extent: size * 2.0
                + crowd_reach(&derived.rig, document.state.crowd.count).max_element(),
            ground: true,
            at: low.y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;
    use crate::lesson::{Projection, View};

    #[test]
    fn grid_lines_stand_at_round_distances() {
        let rig = builtin("bone_grid").unwrap();
        let document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let bounds = rig.mesh.bounds();
        let camera = Camera::framing(bounds, View::Front, Projection::Orthographic, 1.5);
        let grid = grid(&document, &derived, &camera);
        assert_eq!((grid.spacing, grid.ground), (2.0, false));
    }
}
