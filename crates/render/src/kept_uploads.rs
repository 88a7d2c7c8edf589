//! Values of all vertices that belong to a picture and not to its mesh: uploaded when
//! they are others, and not in every frame.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use bindpose_asset::{Mesh, MovedVertices};
use bindpose_notebook::scene::Scalars;

use super::buffers::{InstanceBuffer, VertexBuffer};
use super::geometry::LineEnds;

/// Uploads of one kind that stay on the GPU at most.
const KEPT: usize = 2;

/// A shape on its way to the GPU, one value a vertex.
pub(super) struct GhostBuffers {
    pub(super) positions: VertexBuffer<[f32; 3]>,
    pub(super) normals: VertexBuffer<[f32; 3]>,
}

/// What was uploaded for scenes.
#[derive(Default)]
pub(super) struct KeptUploads {
    pub(super) ghosts: KeptUpload<MovedVertices, GhostBuffers>,
    pub(super) ghost_lines: KeptUpload<MovedVertices, LineEnds>,
    pub(super) scalars: KeptUpload<Scalars, VertexBuffer<f32>>,
    pub(super) line_scalars: KeptUpload<Scalars, [InstanceBuffer<f32>; 2]>,
}

/// Told by the pointers of mesh and values, which are held so that they stay their
/// own; least recently used first.
pub(super) struct KeptUpload<Values, Upload> {
    entries: RefCell<Vec<Entry<Values, Upload>>>,
}

type Entry<Values, Upload> = (Arc<Mesh>, Arc<Values>, Rc<Upload>);

impl<Values, Upload> Default for KeptUpload<Values, Upload> {
    fn default() -> Self {
        Self { entries: RefCell::default() }
    }
}

impl<Values, Upload> KeptUpload<Values, Upload> {
    /// What was uploaded for these values, or is now.
    pub(super) fn get(
        &self,
        mesh: &Arc<Mesh>,
        values: &Arc<Values>,
        upload: impl FnOnce() -> Upload,
    ) -> Rc<Upload> {
        let mut kept = self.entries.borrow_mut();
        let same = |(of, known, _): &Entry<Values, Upload>| {
            Arc::ptr_eq(of, mesh) && Arc::ptr_eq(known, values)
        };
        let entry = match kept.iter().position(same) {
            Some(index) => kept.remove(index),
            None => (Arc::clone(mesh), Arc::clone(values), Rc::new(upload())),
        };
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        let uploaded = Rc::clone(&entry.2);
        kept.push(entry);
        uploaded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_values_are_uploaded_once_and_those_of_another_mesh_again() {
        let kept: KeptUpload<Vec<u8>, usize> = KeptUpload::default();
        let meshes = [(); 2].map(|()| Arc::new(Mesh::default()));
        let values = [1, 2, 3].map(|value| Arc::new(vec![value]));
        let mut count = 0;
        let mut get = |mesh: usize, of: usize| {
            let upload = || {
                count += 1;
                of
            };
            assert_eq!(*kept.get(&meshes[mesh], &values[of], upload), of);
            count
        };
        assert_eq!(get(0, 0), 1);
        assert_eq!(get(0, 0), 1);
        assert_eq!(get(0, 1), 2);
        assert_eq!(get(0, 0), 2, "both are kept");
        assert_eq!(get(1, 0), 3);
        assert_eq!(get(0, 0), 3);
        assert_eq!(get(0, 2), 4);
        assert_eq!(get(0, 1), 5, "the one used longest ago is let go of");
    }
}
