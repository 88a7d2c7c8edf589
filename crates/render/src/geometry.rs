//! Caches vertex data on the GPU.
//!
//! Meshes are identified by the pointer of their `Arc`. The cache holds the `Arc`, so that the
//! pointer cannot be reused for another mesh. Positions and influences are cached separately:
//! while the reader drags a weight, only influences change.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use bindpose_gltf::{Mesh, Morphed};
use bindpose_notebook::scene::Scene;
use bindpose_skin::{Influences, SET_LANES, SharedInfluences};
use glam::{Vec2, Vec3, Vec4};

use super::buffers::{AttributeBuffer, Context, InstanceBuffer, JointAttribute, VertexBuffer};
use super::material::MaterialGroup;
use super::normal_choice;
use super::shader_variant::InfluenceSummary;

/// Maximum number of meshes, and of sets of influences, in the cache.
const MAX_CACHED: usize = 12;
/// Changed vertices with fewer unchanged ones between them are uploaded in one run.
const MAX_RUN_GAP: usize = 64;
/// Number of runs beyond which a single upload of all vertices is faster.
const MAX_RUNS: usize = 256;

/// Buffers of a mesh, without its influences.
pub(super) struct MeshBuffers {
    mesh: Arc<Mesh>,
    stored: PointBuffers,
    /// Points with morph targets applied. The buffers are refilled when the scene has other
    /// morph weights.
    morphed: Option<(Arc<Morphed>, PointBuffers)>,
    shows_morphed: bool,
    pub(super) uvs: VertexBuffer<[f32; 2]>,
    /// Linear colors, empty if the mesh has none.
    pub(super) colors: VertexBuffer<[f32; 4]>,
    pub(super) groups: Vec<MaterialGroup>,
    /// Number of images that were not decoded yet when `groups` was built.
    awaited_images: usize,
    /// Whether the mesh is a drawing in one plane, which is drawn without lighting.
    pub(super) is_flat: bool,
    /// Computed on first use, because a large mesh has many edges.
    lines: OnceCell<Vec<[u32; 2]>>,
    normal_vertices: OnceCell<Vec<usize>>,
}

/// Positions of the start and the end of every line.
pub(super) type LineEnds = [InstanceBuffer<[f32; 3]>; 2];

/// Positions and normals of the vertices before skinning.
pub(super) struct PointBuffers {
    pub(super) positions: VertexBuffer<[f32; 3]>,
    pub(super) normals: VertexBuffer<[f32; 3]>,
    line_ends: Option<LineEnds>,
    /// Whether `line_ends` matches the current positions.
    line_ends_are_current: bool,
}

/// Influences of the vertices and of the line ends.
pub(super) struct InfluenceBuffers {
    mesh: Arc<Mesh>,
    influences: SharedInfluences,
    /// Selects the shader variant.
    pub(super) summary: InfluenceSummary,
    /// Whether joint indices are floats, because WebGL 1 has no integer attributes.
    pub(super) has_float_indices: bool,
    /// Sets of four influences: one, or two if any lane after the fourth is used.
    pub(super) sets: Vec<SetBuffers>,
    /// The sets at the start and at the end of every line.
    line_ends: Option<[Vec<SetInstances>; 2]>,
}

/// Four joints and their weights per vertex or instance.
pub(super) struct InfluenceSet<Integer, Float> {
    pub(super) joints: JointAttribute<Integer, Float>,
    pub(super) weights: Float,
}

pub(super) type SetBuffers = InfluenceSet<VertexBuffer<[u16; 4]>, VertexBuffer<[f32; 4]>>;
/// An influence set per instance: at one end of every line, or at the vertices whose normals
/// are drawn.
pub(super) type SetInstances = InfluenceSet<InstanceBuffer<[u16; 4]>, InstanceBuffer<[f32; 4]>>;

/// Buffers of the meshes and influences drawn lately. Both lists begin with the least recently
/// used entry.
#[derive(Default)]
pub(super) struct GeometryCache {
    meshes: Vec<MeshBuffers>,
    influences: Vec<InfluenceBuffers>,
}

impl GeometryCache {
    /// Returns the buffers for the mesh and the influences of a scene, and uploads what is
    /// missing. Data for lines is uploaded only if `draws_lines` is set.
    pub(super) fn get(
        &mut self,
        context: &Context,
        scene: &Scene,
        draws_lines: bool,
        max_texture_side: u32,
    ) -> (&MeshBuffers, &InfluenceBuffers) {
        let Scene { mesh, influences, .. } = scene;
        let has_float_indices = scene.skinning.transport.has_float_indices();
        let mesh_buffers = get_or_insert(
            &mut self.meshes,
            |cached| Arc::ptr_eq(&cached.mesh, mesh),
            || MeshBuffers::new(context, mesh, max_texture_side),
        );
        mesh_buffers.upload_decoded_images(context, max_texture_side);
        mesh_buffers.show_morphed(context, scene.morphed.as_ref());
        if !self.influences.iter().any(|cached| cached.is_for(mesh, has_float_indices, influences))
        {
            // Reuses the buffers of influences that no scene holds any more.
            let unused = self.influences.iter_mut().rev().find(|cached| {
                cached.fits_mesh(mesh, has_float_indices) && cached.influences.is_unshared()
            });
            if let Some(unused) = unused {
                unused.try_update(influences);
            }
        }
        let influence_buffers = get_or_insert(
            &mut self.influences,
            |cached| cached.is_for(mesh, has_float_indices, influences),
            || InfluenceBuffers::new(context, mesh, influences, has_float_indices),
        );
        if draws_lines {
            mesh_buffers.upload_lines(context);
            influence_buffers.upload_lines(context, mesh_buffers.lines());
        }
        (mesh_buffers, influence_buffers)
    }
}

/// Finds or creates an entry and moves it to the end of the cache. Removes the first entry if
/// the cache is full.
fn get_or_insert<T>(
    cache: &mut Vec<T>,
    is_wanted: impl Fn(&T) -> bool,
    create: impl FnOnce() -> T,
) -> &mut T {
    let entry = match cache.iter().position(is_wanted) {
        Some(index) => cache.remove(index),
        None => create(),
    };
    if cache.len() >= MAX_CACHED {
        cache.remove(0);
    }
    cache.push(entry);
    let last = cache.len() - 1;
    &mut cache[last]
}

impl MeshBuffers {
    fn new(context: &Context, mesh: &Arc<Mesh>, max_texture_side: u32) -> Self {
        let count = mesh.positions.len();
        // three-d flips images vertically on upload.
        let uvs: Vec<Vec2> = padded(&mesh.uvs, count, Vec2::ZERO)
            .iter()
            .map(|uv| Vec2::new(uv.x, 1.0 - uv.y))
            .collect();
        let colors = if mesh.colors.is_empty() {
            Vec::new()
        } else {
            padded(&mesh.colors, count, Vec4::ONE)
        };
        Self {
            mesh: Arc::clone(mesh),
            stored: PointBuffers::new(context, &mesh.positions, &mesh.normals),
            morphed: None,
            shows_morphed: false,
            uvs: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&uvs)),
            colors: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&colors)),
            awaited_images: mesh.awaited_images(),
            groups: MaterialGroup::all_of(context, mesh, max_texture_side),
            is_flat: is_flat(mesh),
            lines: OnceCell::new(),
            normal_vertices: OnceCell::new(),
        }
    }

    /// Uploads images that have been decoded since the last call.
    fn upload_decoded_images(&mut self, context: &Context, max_texture_side: u32) {
        if self.awaited_images > 0 && self.awaited_images != self.mesh.awaited_images() {
            self.awaited_images = self.mesh.awaited_images();
            self.groups = MaterialGroup::all_of(context, &self.mesh, max_texture_side);
        }
    }

    /// Switches to the morphed points, or to the stored ones if `wanted` is `None`.
    fn show_morphed(&mut self, context: &Context, wanted: Option<&Arc<Morphed>>) {
        self.shows_morphed = wanted.is_some();
        let Some(wanted) = wanted else { return };
        let Morphed { positions, normals, .. } = &**wanted;
        match &mut self.morphed {
            Some((uploaded, _)) if Arc::ptr_eq(uploaded, wanted) => {}
            Some((uploaded, points)) => {
                *uploaded = Arc::clone(wanted);
                points.fill(positions, normals);
            }
            none => {
                let points = PointBuffers::new(context, positions, normals);
                *none = Some((Arc::clone(wanted), points));
            }
        }
    }

    pub(super) fn points(&self) -> &PointBuffers {
        match &self.morphed {
            Some((_, points)) if self.shows_morphed => points,
            _ => &self.stored,
        }
    }

    fn upload_lines(&mut self, context: &Context) {
        let lines = self.lines.get_or_init(|| lines_of(&self.mesh));
        match &mut self.morphed {
            Some((morphed, points)) if self.shows_morphed => {
                points.upload_lines(context, lines, &morphed.positions);
            }
            _ => self.stored.upload_lines(context, lines, &self.mesh.positions),
        }
    }

    /// Returns the lines of the mesh; see [`lines_of`].
    pub(super) fn lines(&self) -> &[[u32; 2]] {
        self.lines.get_or_init(|| lines_of(&self.mesh))
    }

    /// Returns the vertices whose normals are drawn.
    pub(super) fn normal_vertices(&self) -> &[usize] {
        self.normal_vertices.get_or_init(|| normal_choice::select_normals(&self.mesh))
    }

    /// Returns whether the lines are elements of the mesh, and not edges of its triangles.
    pub(super) fn has_own_lines(&self) -> bool {
        !self.mesh.lines.is_empty() || self.is_points()
    }

    pub(super) fn is_points(&self) -> bool {
        is_points(&self.mesh)
    }
}

impl PointBuffers {
    fn new(context: &Context, positions: &[Vec3], normals: &[Vec3]) -> Self {
        let mut points = Self {
            positions: VertexBuffer::new(context),
            normals: VertexBuffer::new(context),
            line_ends: None,
            line_ends_are_current: false,
        };
        points.fill(positions, normals);
        points
    }

    fn fill(&mut self, positions: &[Vec3], normals: &[Vec3]) {
        let normals = padded(normals, positions.len(), Vec3::Z);
        self.positions.fill(bytemuck::cast_slice(positions));
        self.normals.fill(bytemuck::cast_slice(&normals));
        self.line_ends_are_current = false;
    }

    fn upload_lines(&mut self, context: &Context, lines: &[[u32; 2]], positions: &[Vec3]) {
        if std::mem::replace(&mut self.line_ends_are_current, true) {
            return;
        }
        let ends =
            self.line_ends.get_or_insert_with(|| [0, 1].map(|_| InstanceBuffer::new(context)));
        for (end, buffer) in ends.iter_mut().enumerate() {
            let points: Vec<[f32; 3]> =
                lines.iter().map(|line| positions[line[end] as usize].to_array()).collect();
            buffer.fill(&points);
        }
    }

    /// Returns the positions of the line ends, or `None` if they are not uploaded.
    pub(super) fn line_ends(&self) -> Option<&LineEnds> {
        self.line_ends.as_ref()
    }
}

impl InfluenceBuffers {
    fn new(
        context: &Context,
        mesh: &Arc<Mesh>,
        influences: &SharedInfluences,
        has_float_indices: bool,
    ) -> Self {
        let summary = InfluenceSummary::new(influences);
        let per_vertex = padded(influences, mesh.positions.len(), Influences::default());
        Self {
            mesh: Arc::clone(mesh),
            influences: influences.clone(),
            summary,
            has_float_indices,
            sets: upload_influence_sets(context, &per_vertex, summary, has_float_indices),
            line_ends: None,
        }
    }

    fn fits_mesh(&self, mesh: &Arc<Mesh>, has_float_indices: bool) -> bool {
        Arc::ptr_eq(&self.mesh, mesh) && self.has_float_indices == has_float_indices
    }

    fn is_for(
        &self,
        mesh: &Arc<Mesh>,
        has_float_indices: bool,
        influences: &SharedInfluences,
    ) -> bool {
        self.fits_mesh(mesh, has_float_indices) && self.influences.is_same(influences)
    }

    /// Uploads only the differing vertices if they are few. Otherwise changes nothing.
    fn try_update(&mut self, influences: &SharedInfluences) {
        let Some(runs) = self.influences.differing_runs(influences, MAX_RUN_GAP) else {
            return;
        };
        let changed_count: usize = runs.iter().map(Range::len).sum();
        if influences.len() != self.mesh.positions.len()
            || runs.len() > MAX_RUNS
            || 2 * changed_count > influences.len()
        {
            return;
        }
        // The summary cannot be changed, but a shader for more joints or lanes than the
        // influences use draws them correctly too.
        let fits_summary = match influences.changed_since(&self.influences) {
            Some(changed) => {
                let vertices = changed.iter().map(|&vertex| vertex as usize);
                let changed_influences = influences_of(influences, vertices);
                InfluenceSummary::new(&changed_influences).is_within(self.summary)
            }
            None => InfluenceSummary::new(influences) == self.summary,
        };
        if !fits_summary {
            return;
        }
        for run in runs {
            let Some(changed) = influences.get(run.clone()) else {
                continue;
            };
            for (set_index, set) in self.sets.iter_mut().enumerate() {
                let start = run.start as u32;
                let joints: Vec<_> = changed
                    .iter()
                    .map(|influences| joints_of_set(influences, set_index, self.summary.joints))
                    .collect();
                set.joints.overwrite(start, &joints);
                let weights: Vec<_> = changed
                    .iter()
                    .map(|influences| weights_of_set(influences, set_index))
                    .collect();
                set.weights.overwrite(start, &weights);
            }
        }
        self.influences = influences.clone();
        // Uploaded again when lines are drawn.
        self.line_ends = None;
    }

    fn upload_lines(&mut self, context: &Context, lines: &[[u32; 2]]) {
        let Self { influences, summary, has_float_indices, line_ends, .. } = self;
        line_ends.get_or_insert_with(|| {
            [0, 1].map(|end| {
                let vertices = lines.iter().map(|line| line[end] as usize);
                let per_line = influences_of(influences, vertices);
                upload_influence_sets(context, &per_line, *summary, *has_float_indices)
            })
        });
    }

    /// Returns the influences of the line ends, or `None` if they are not uploaded.
    pub(super) fn line_ends(&self) -> Option<&[Vec<SetInstances>; 2]> {
        self.line_ends.as_ref()
    }
}

/// Returns the influences of some vertices. A vertex out of range has none.
pub(super) fn influences_of(
    influences: &[Influences],
    vertices: impl Iterator<Item = usize>,
) -> Vec<Influences> {
    vertices.map(|vertex| influences.get(vertex).copied().unwrap_or_default()).collect()
}

/// Uploads the influences in sets of four lanes, as many as the summary requires.
pub(super) fn upload_influence_sets<
    Integer: AttributeBuffer<[u16; 4]>,
    Float: AttributeBuffer<[f32; 4]>,
>(
    context: &Context,
    influences: &[Influences],
    summary: InfluenceSummary,
    has_float_indices: bool,
) -> Vec<InfluenceSet<Integer, Float>> {
    (0..summary.set_count())
        .map(|set_index| {
            let joints: Vec<_> = influences
                .iter()
                .map(|influences| joints_of_set(influences, set_index, summary.joints))
                .collect();
            let weights: Vec<_> =
                influences.iter().map(|influences| weights_of_set(influences, set_index)).collect();
            InfluenceSet {
                joints: JointAttribute::new(context, &joints, has_float_indices),
                weights: Float::from_values(context, &weights),
            }
        })
        .collect()
}

/// Returns the joints of a set. Replaces an index of `joint_count` or more by 0: only unused
/// lanes have such an index, and it may lie outside the palette.
fn joints_of_set(influences: &Influences, set_index: usize, joint_count: usize) -> [u16; 4] {
    std::array::from_fn(|lane| {
        let joint = influences.joints[SET_LANES * set_index + lane];
        if joint.index() < joint_count { joint.0 } else { 0 }
    })
}

fn weights_of_set(influences: &Influences, set_index: usize) -> [f32; 4] {
    std::array::from_fn(|lane| influences.weights[SET_LANES * set_index + lane])
}

/// Truncates or pads the values to `count`, because GL reads past the end of buffers that are
/// too short.
pub(super) fn padded<T: Clone>(values: &[T], count: usize, fill: T) -> Vec<T> {
    let mut values = values[..values.len().min(count)].to_vec();
    values.resize(count, fill);
    values
}

/// Removes elements with a vertex index out of range.
fn valid_elements<const N: usize>(elements: &[[u32; N]], vertex_count: usize) -> Vec<[u32; N]> {
    elements
        .iter()
        .copied()
        .filter(|corners| corners.iter().all(|&corner| (corner as usize) < vertex_count))
        .collect()
}

/// Returns whether the mesh has neither triangles nor lines.
pub(super) fn is_points(mesh: &Mesh) -> bool {
    mesh.lines.is_empty() && mesh.triangles.is_empty()
}

/// Returns the lines of the mesh, or else the edges of its triangles. A mesh of points has a
/// line of zero length for each vertex, which is drawn as a dot.
fn lines_of(mesh: &Mesh) -> Vec<[u32; 2]> {
    let vertex_count = mesh.positions.len();
    if is_points(mesh) {
        return (0..vertex_count as u32).map(|vertex| [vertex; 2]).collect();
    }
    if !mesh.lines.is_empty() {
        return valid_elements(&mesh.lines, vertex_count);
    }
    let triangles = valid_elements(&mesh.triangles, vertex_count);
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(from, to)| [from.min(to), from.max(to)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn is_flat(mesh: &Mesh) -> bool {
    let Some(first) = mesh.positions.first() else {
        return false;
    };
    mesh.positions.iter().all(|p| p.z == first.z)
        && mesh.normals.iter().all(|n| n.x == 0.0 && n.y == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_with_a_shared_edge_have_five_edges() {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO; 4],
            triangles: vec![[0, 1, 2], [2, 1, 3], [0, 1, 9]],
            ..Mesh::default()
        };
        assert_eq!(
            lines_of(&mesh),
            [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]],
            "the triangle with a vertex out of range has no edges"
        );
    }

    #[test]
    fn points_are_lines_without_length() {
        let mesh = Mesh { positions: vec![Vec3::ZERO; 2], ..Mesh::default() };
        assert_eq!(lines_of(&mesh), [[0, 0], [1, 1]]);
    }

    #[test]
    fn the_least_recently_used_entry_is_removed() {
        let mut cache = Vec::new();
        for number in 0..30 {
            get_or_insert(&mut cache, |&n| n == number, || number);
            get_or_insert(&mut cache, |&n| n == 0, || 0);
        }
        assert_eq!(cache.len(), MAX_CACHED);
        assert!(cache.contains(&0) && cache.contains(&29) && !cache.contains(&5));
    }
}
