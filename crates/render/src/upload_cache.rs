//! Caches buffers of values that belong to a scene rather than to its mesh: the instances of
//! crowds, ghosts, and scalars per vertex. They are uploaded only when they change.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use bindpose_gltf::{Mesh, MovedVertices};
use bindpose_notebook::scene::{CrowdScene, Scalars};

use super::buffers::{Context, InstanceBuffer, VertexBuffer};
use super::geometry::LineEnds;

/// Maximum number of crowds in the cache.
const MAX_CACHED_CROWDS: usize = 4;

/// Maximum number of uploads of one kind in the cache.
const MAX_CACHED_UPLOADS: usize = 2;

/// Instance buffers of a crowd.
pub(super) struct CrowdBuffers {
    crowd: Arc<CrowdScene>,
    /// The columns of `world_from_instance`.
    pub(super) columns: [InstanceBuffer<[f32; 4]>; 4],
    pub(super) count: u32,
}

impl CrowdBuffers {
    fn new(context: &Context, crowd: &Arc<CrowdScene>) -> Self {
        Self {
            crowd: Arc::clone(crowd),
            columns: std::array::from_fn(|column| {
                let values: Vec<[f32; 4]> = crowd
                    .world_from_instance
                    .iter()
                    .map(|matrix| matrix.col(column).to_array())
                    .collect();
                InstanceBuffer::new_with_data(context, &values)
            }),
            count: crowd.world_from_instance.len() as u32,
        }
    }
}

/// The crowds drawn lately, least recently used first.
#[derive(Default)]
pub(super) struct CrowdCache(Vec<CrowdBuffers>);

impl CrowdCache {
    /// Returns the buffers of a crowd. Compares the matrices and not only the pointers, because
    /// an animated crowd has a new `CrowdScene` in every frame, with other palettes but the same
    /// matrices.
    pub(super) fn get(&mut self, context: &Context, crowd: &Arc<CrowdScene>) -> &CrowdBuffers {
        let cached = self.0.iter().position(|cached| {
            Arc::ptr_eq(&cached.crowd, crowd)
                || cached.crowd.world_from_instance == crowd.world_from_instance
        });
        let buffers = match cached {
            Some(index) => self.0.remove(index),
            None => CrowdBuffers::new(context, crowd),
        };
        if self.0.len() >= MAX_CACHED_CROWDS {
            self.0.remove(0);
        }
        self.0.push(buffers);
        let last = self.0.len() - 1;
        &self.0[last]
    }
}

/// Positions and normals of a ghost, one of each per vertex.
pub(super) struct GhostBuffers {
    pub(super) positions: VertexBuffer<[f32; 3]>,
    pub(super) normals: VertexBuffer<[f32; 3]>,
}

/// Buffers of ghosts and scalars, for surfaces and for line ends.
#[derive(Default)]
pub(super) struct UploadCache {
    pub(super) ghosts: CachedUploads<MovedVertices, GhostBuffers>,
    pub(super) ghost_lines: CachedUploads<MovedVertices, LineEnds>,
    pub(super) scalars: CachedUploads<Scalars, VertexBuffer<f32>>,
    pub(super) line_scalars: CachedUploads<Scalars, [InstanceBuffer<f32>; 2]>,
}

/// Uploads of one kind, least recently used first. They are identified by the pointers of mesh
/// and values, which the entries hold so that the pointers cannot be reused.
pub(super) struct CachedUploads<Values, Upload> {
    entries: RefCell<Vec<UploadEntry<Values, Upload>>>,
}

struct UploadEntry<Values, Upload> {
    mesh: Arc<Mesh>,
    values: Arc<Values>,
    upload: Rc<Upload>,
}

impl<Values, Upload> Default for CachedUploads<Values, Upload> {
    fn default() -> Self {
        Self { entries: RefCell::default() }
    }
}

impl<Values, Upload> CachedUploads<Values, Upload> {
    /// Returns the cached upload of the values, or else calls `upload`.
    pub(super) fn get_or_upload(
        &self,
        mesh: &Arc<Mesh>,
        values: &Arc<Values>,
        upload: impl FnOnce() -> Upload,
    ) -> Rc<Upload> {
        let mut entries = self.entries.borrow_mut();
        let cached = entries
            .iter()
            .position(|entry| Arc::ptr_eq(&entry.mesh, mesh) && Arc::ptr_eq(&entry.values, values));
        let entry = match cached {
            Some(index) => entries.remove(index),
            None => UploadEntry {
                mesh: Arc::clone(mesh),
                values: Arc::clone(values),
                upload: Rc::new(upload()),
            },
        };
        if entries.len() >= MAX_CACHED_UPLOADS {
            entries.remove(0);
        }
        let upload = Rc::clone(&entry.upload);
        entries.push(entry);
        upload
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_uploaded_once_per_mesh() {
        let cache: CachedUploads<Vec<u8>, usize> = CachedUploads::default();
        let meshes = [(); 2].map(|()| Arc::new(Mesh::default()));
        let values = [1, 2, 3].map(|value| Arc::new(vec![value]));
        let mut upload_count = 0;
        for (mesh, index, expected_count, reason) in [
            (0, 0, 1, "not in the cache"),
            (0, 0, 1, "the last upload is cached"),
            (0, 1, 2, "other values"),
            (0, 0, 2, "both are cached"),
            (1, 0, 3, "another mesh"),
            (0, 0, 3, "still cached"),
            (0, 2, 4, "other values"),
            (0, 1, 5, "the least recently used upload was removed"),
        ] {
            let upload = cache.get_or_upload(&meshes[mesh], &values[index], || {
                upload_count += 1;
                index
            });
            assert_eq!(*upload, index);
            assert_eq!(upload_count, expected_count, "{reason}");
        }
    }
}
