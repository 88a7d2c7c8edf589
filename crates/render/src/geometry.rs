//! Vertex data on the GPU, kept as long as it is drawn.
//!
//! A mesh is told by the pointer of its `Arc`, which is held here so that the
//! pointer stays its own. Positions and influences are kept apart: while a
//! weight is dragged, only influences change.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use bindpose_asset::{Mesh, Morphed};
use bindpose_notebook::scene::Scene;
use bindpose_skin::{Influences, SET_LANES, SharedInfluences};
use glam::{Vec2, Vec3, Vec4};

use super::buffers::{Context, FilledBuffer, InstanceBuffer, JointAttribute, VertexBuffer};
use super::material::MaterialGroup;
use super::normal_choice;
use super::shader_variant::InfluenceSummary;

/// Meshes, and sets of influences, that stay on the GPU at most.
const KEPT: usize = 12;
/// Changed vertices with fewer than this between them are uploaded together.
const GAP: usize = 64;
/// Beyond so many runs one upload of everything is sooner done.
const MOST_RUNS: usize = 256;

/// What a mesh is made of, whatever its weights.
pub(super) struct MeshBuffers {
    mesh: Arc<Mesh>,
    stored: Points,
    /// With morph targets added: one set of buffers, filled again whenever
    /// others are shown.
    morphed: Option<(Arc<Morphed>, Points)>,
    shows_morphed: bool,
    pub(super) uvs: VertexBuffer<[f32; 2]>,
    /// Empty where the mesh has none.
    pub(super) colors: VertexBuffer<[f32; 4]>,
    pub(super) groups: Vec<MaterialGroup>,
    /// Images that were still to be decoded when the groups were made.
    awaited_images: usize,
    /// A drawing in one plane: no light and shade.
    pub(super) flat: bool,
    /// Made when they are first drawn: a large mesh has many.
    lines: OnceCell<Vec<[u32; 2]>>,
    with_normals: OnceCell<Vec<usize>>,
}

/// Where the two ends of every line stand.
pub(super) type LineEnds = [InstanceBuffer<[f32; 3]>; 2];

/// Where vertices stand before any joint moves them.
pub(super) struct Points {
    pub(super) positions: VertexBuffer<[f32; 3]>,
    pub(super) normals: VertexBuffer<[f32; 3]>,
    line_ends: Option<LineEnds>,
    /// Are the ends of lines those of the positions?
    line_ends_fit: bool,
}

/// The influences of every vertex, for surface and lines.
pub(super) struct InfluenceBuffers {
    mesh: Arc<Mesh>,
    influences: SharedInfluences,
    /// What decides which shader they need.
    pub(super) summary: InfluenceSummary,
    /// As shaders of WebGL 1 read joint indices: they have no integer attributes.
    pub(super) float_indices: bool,
    /// Sets of four: one, or two if the fifth lane or one after it is in use.
    pub(super) sets: Vec<SetBuffers>,
    /// By end of the line.
    line_ends: Option<[Vec<SetInstances>; 2]>,
}

/// Four joints and weights each.
pub(super) struct InfluenceSet<Whole, Float> {
    pub(super) joints: JointAttribute<Whole, Float>,
    pub(super) weights: Float,
}

/// Of vertices.
pub(super) type SetBuffers = InfluenceSet<VertexBuffer<[u16; 4]>, VertexBuffer<[f32; 4]>>;
/// Of instances: one end of every line, or vertices whose normals are drawn.
pub(super) type SetInstances = InfluenceSet<InstanceBuffer<[u16; 4]>, InstanceBuffer<[f32; 4]>>;

/// Least recently used first.
#[derive(Default)]
pub(super) struct Geometry {
    meshes: Vec<MeshBuffers>,
    influences: Vec<InfluenceBuffers>,
}

impl Geometry {
    /// The buffers of a scene's mesh and influences; uploaded if they are not
    /// there. `lines`: will its lines be drawn?
    pub(super) fn get(
        &mut self,
        context: &Context,
        scene: &Scene,
        lines: bool,
        max_texture_side: u32,
    ) -> (&MeshBuffers, &InfluenceBuffers) {
        let Scene { mesh, influences, .. } = scene;
        let float_indices = scene.skinning.transport.has_float_indices();
        let buffers = recent(
            &mut self.meshes,
            |kept| Arc::ptr_eq(&kept.mesh, mesh),
            || MeshBuffers::new(context, mesh, max_texture_side),
        );
        buffers.show_decoded_images(context, max_texture_side);
        buffers.show(context, scene.morphed.as_ref());
        let is_of = |kept: &InfluenceBuffers| {
            Arc::ptr_eq(&kept.mesh, mesh) && kept.float_indices == float_indices
        };
        let is_there = |kept: &InfluenceBuffers| is_of(kept) && kept.influences.is_same(influences);
        if !self.influences.iter().any(is_there) {
            // Those that no scene can ask for again become these, where they differ.
            let mut old = self.influences.iter_mut().rev();
            let old = old.find(|kept| is_of(kept) && kept.influences.is_unshared());
            if let Some(old) = old {
                old.become_near(influences);
            }
        }
        let weights = recent(&mut self.influences, is_there, || {
            InfluenceBuffers::new(context, mesh, influences, float_indices)
        });
        if lines {
            buffers.upload_lines(context);
            weights.upload_lines(context, buffers.lines());
        }
        (buffers, weights)
    }
}

/// Finds or makes an entry and puts it last; lets go of the first when there
/// are too many.
fn recent<T>(kept: &mut Vec<T>, same: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> &mut T {
    let entry = match kept.iter().position(same) {
        Some(index) => kept.remove(index),
        None => make(),
    };
    if kept.len() >= KEPT {
        kept.remove(0);
    }
    kept.push(entry);
    let last = kept.len() - 1;
    &mut kept[last]
}

impl MeshBuffers {
    fn new(context: &Context, mesh: &Arc<Mesh>, max_texture_side: u32) -> Self {
        let count = mesh.positions.len();
        // three-d turns pictures upside down on upload.
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
            stored: Points::new(context, &mesh.positions, &mesh.normals),
            morphed: None,
            shows_morphed: false,
            uvs: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&uvs)),
            colors: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&colors)),
            awaited_images: mesh.awaited_images(),
            groups: MaterialGroup::all_of(context, mesh, max_texture_side),
            flat: is_flat(mesh),
            lines: OnceCell::new(),
            with_normals: OnceCell::new(),
        }
    }

    /// Uploads images that have been decoded since the last time.
    fn show_decoded_images(&mut self, context: &Context, max_texture_side: u32) {
        if self.awaited_images > 0 && self.awaited_images != self.mesh.awaited_images() {
            self.awaited_images = self.mesh.awaited_images();
            self.groups = MaterialGroup::all_of(context, &self.mesh, max_texture_side);
        }
    }

    /// From now on, the points are these; `None`: as stored.
    fn show(&mut self, context: &Context, wanted: Option<&Arc<Morphed>>) {
        self.shows_morphed = wanted.is_some();
        let Some(wanted) = wanted else { return };
        let Morphed { positions, normals, .. } = &**wanted;
        match &mut self.morphed {
            Some((shown, _)) if Arc::ptr_eq(shown, wanted) => {}
            Some((shown, points)) => {
                *shown = Arc::clone(wanted);
                points.fill(positions, normals);
            }
            none => {
                let points = Points::new(context, positions, normals);
                *none = Some((Arc::clone(wanted), points));
            }
        }
    }

    pub(super) fn points(&self) -> &Points {
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

    /// The mesh's own lines, or the edges of its triangles; see [`lines_of`].
    pub(super) fn lines(&self) -> &[[u32; 2]] {
        self.lines.get_or_init(|| lines_of(&self.mesh))
    }

    /// Vertices whose normals are drawn.
    pub(super) fn with_normals(&self) -> &[usize] {
        self.with_normals.get_or_init(|| normal_choice::shown(&self.mesh))
    }

    /// Do the lines belong to the drawing, rather than being edges?
    pub(super) fn has_own_lines(&self) -> bool {
        !self.mesh.lines.is_empty() || self.is_points()
    }

    /// Is all of the mesh points?
    pub(super) fn is_points(&self) -> bool {
        is_points(&self.mesh)
    }
}

impl Points {
    fn new(context: &Context, positions: &[Vec3], normals: &[Vec3]) -> Self {
        let mut points = Self {
            positions: VertexBuffer::new(context),
            normals: VertexBuffer::new(context),
            line_ends: None,
            line_ends_fit: false,
        };
        points.fill(positions, normals);
        points
    }

    fn fill(&mut self, positions: &[Vec3], normals: &[Vec3]) {
        let normals = padded(normals, positions.len(), Vec3::Z);
        self.positions.fill(bytemuck::cast_slice(positions));
        self.normals.fill(bytemuck::cast_slice(&normals));
        self.line_ends_fit = false;
    }

    fn upload_lines(&mut self, context: &Context, lines: &[[u32; 2]], positions: &[Vec3]) {
        if std::mem::replace(&mut self.line_ends_fit, true) {
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

    /// Positions of both ends of every line, if they were asked for.
    pub(super) fn line_ends(&self) -> Option<&LineEnds> {
        self.line_ends.as_ref()
    }
}

impl InfluenceBuffers {
    fn new(
        context: &Context,
        mesh: &Arc<Mesh>,
        influences: &SharedInfluences,
        float_indices: bool,
    ) -> Self {
        let summary = InfluenceSummary::new(influences);
        let all = padded(influences, mesh.positions.len(), Influences::default());
        Self {
            mesh: Arc::clone(mesh),
            influences: influences.clone(),
            summary,
            float_indices,
            sets: influence_sets(context, &all, summary, float_indices),
            line_ends: None,
        }
    }

    /// Uploads what differs, if that is little; else it stays as it was.
    fn become_near(&mut self, influences: &SharedInfluences) {
        let Some(runs) = self.influences.differing_runs(influences, GAP) else {
            return;
        };
        let changed: usize = runs.iter().map(Range::len).sum();
        let fits = influences.len() == self.mesh.positions.len();
        if !fits || MOST_RUNS < runs.len() || 2 * changed > influences.len() {
            return;
        }
        // What decides the shader may only be as before; one that can do more than the
        // weights need draws them as well.
        let fits = match influences.changed_since(&self.influences) {
            Some(changed) => {
                let changed = changed.iter().map(|&vertex| vertex as usize);
                let changed = influences_of(influences, changed);
                InfluenceSummary::new(&changed).is_within(self.summary)
            }
            None => InfluenceSummary::new(influences) == self.summary,
        };
        if !fits {
            return;
        }
        for run in runs {
            let Some(some) = influences.get(run.clone()) else {
                continue;
            };
            for (number, set) in self.sets.iter_mut().enumerate() {
                let at = run.start as u32;
                let joints = some.iter().map(|one| joints_of(one, number, self.summary.joints));
                set.joints.put(at, &joints.collect::<Vec<_>>());
                let weights = some.iter().map(|one| weights_of(one, number));
                set.weights.put(at, &weights.collect::<Vec<_>>());
            }
        }
        self.influences = influences.clone();
        // Made again when they are drawn.
        self.line_ends = None;
    }

    fn upload_lines(&mut self, context: &Context, lines: &[[u32; 2]]) {
        let Self { influences, summary, float_indices, line_ends, .. } = self;
        line_ends.get_or_insert_with(|| {
            [0, 1].map(|end| {
                let ends = lines.iter().map(|line| line[end] as usize);
                let ends = influences_of(influences, ends);
                influence_sets(context, &ends, *summary, *float_indices)
            })
        });
    }

    /// Influences of both ends of every line, if they were asked for.
    pub(super) fn line_ends(&self) -> Option<&[Vec<SetInstances>; 2]> {
        self.line_ends.as_ref()
    }
}

/// Those of some vertices; none for a vertex that is not there.
pub(super) fn influences_of(
    influences: &[Influences],
    vertices: impl Iterator<Item = usize>,
) -> Vec<Influences> {
    let of = |vertex: usize| influences.get(vertex).copied().unwrap_or_default();
    vertices.map(of).collect()
}

/// As many sets as some vertex uses.
pub(super) fn influence_sets<Whole: FilledBuffer<[u16; 4]>, Float: FilledBuffer<[f32; 4]>>(
    context: &Context,
    influences: &[Influences],
    summary: InfluenceSummary,
    float_indices: bool,
) -> Vec<InfluenceSet<Whole, Float>> {
    (0..summary.sets())
        .map(|set| {
            let joints: Vec<_> =
                influences.iter().map(|one| joints_of(one, set, summary.joints)).collect();
            let weights: Vec<_> = influences.iter().map(|one| weights_of(one, set)).collect();
            InfluenceSet {
                joints: JointAttribute::new(context, &joints, float_indices),
                weights: Float::filled(context, &weights),
            }
        })
        .collect()
}

/// Four of the lanes. A lane that is not used, and names a joint that nothing
/// uses, names joint 0: what it names as stored may lie past every palette.
fn joints_of(influences: &Influences, set: usize, used: usize) -> [u16; 4] {
    std::array::from_fn(|lane| {
        let joint = influences.joints[SET_LANES * set + lane];
        if joint.index() < used { joint.0 } else { 0 }
    })
}

fn weights_of(influences: &Influences, set: usize) -> [f32; 4] {
    std::array::from_fn(|lane| influences.weights[SET_LANES * set + lane])
}

/// As many values as there are vertices: GL reads past the end of short
/// buffers.
pub(super) fn padded<T: Clone>(values: &[T], count: usize, fill: T) -> Vec<T> {
    let mut values = values[..values.len().min(count)].to_vec();
    values.resize(count, fill);
    values
}

/// Without those that point past the vertices.
fn valid<const N: usize>(corners: &[[u32; N]], vertex_count: usize) -> Vec<[u32; N]> {
    corners
        .iter()
        .copied()
        .filter(|corners| corners.iter().all(|&corner| (corner as usize) < vertex_count))
        .collect()
}

/// Is it vertices alone, with neither triangles nor lines between them?
pub(super) fn is_points(mesh: &Mesh) -> bool {
    mesh.lines.is_empty() && mesh.triangles.is_empty()
}

/// Of points, each is a line without length, which is drawn as a dot.
fn lines_of(mesh: &Mesh) -> Vec<[u32; 2]> {
    let count = mesh.positions.len();
    if is_points(mesh) {
        return (0..count as u32).map(|vertex| [vertex; 2]).collect();
    }
    if !mesh.lines.is_empty() {
        return valid(&mesh.lines, count);
    }
    let triangles = valid(&mesh.triangles, count);
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
    fn two_triangles_with_a_common_side_have_five_edges() {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO; 4],
            triangles: vec![[0, 1, 2], [2, 1, 3], [0, 1, 9]],
            ..Mesh::default()
        };
        assert_eq!(
            lines_of(&mesh),
            [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]],
            "and the triangle without its vertex 9 has none"
        );
    }

    #[test]
    fn points_are_lines_without_length() {
        let mesh = Mesh { positions: vec![Vec3::ZERO; 2], ..Mesh::default() };
        assert_eq!(lines_of(&mesh), [[0, 0], [1, 1]]);
    }

    #[test]
    fn only_the_twelve_used_last_are_kept() {
        let mut kept = Vec::new();
        for number in 0..30 {
            recent(&mut kept, |&n| n == number, || number);
            recent(&mut kept, |&n| n == 0, || 0);
        }
        assert_eq!(kept.len(), KEPT);
        assert!(kept.contains(&0) && kept.contains(&29) && !kept.contains(&5));
    }
}
