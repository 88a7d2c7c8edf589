//! Vertex data on the GPU, kept as long as it is drawn.
//!
//! A mesh is told by the pointer of its `Arc`, which is held here so that the
//! pointer stays its own. Positions and influences are kept apart: while a
//! weight is dragged, only influences change.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use three_d::{
    Context, CpuTexture, ElementBuffer, InstanceBuffer, Interpolation, Mipmap, Texture2D,
    TextureData, VertexBuffer, Wrapping,
};

use super::variant::InfluenceSummary;
use crate::asset::{Image, Mesh};
use crate::lesson::Transport;
use crate::skin::{Influences, SET_LANES};

/// Meshes, and sets of influences, that stay on the GPU at most.
const KEPT: usize = 12;

/// What a mesh is made of, whatever its weights.
pub(super) struct MeshBuffers {
    pub(super) mesh: Arc<Mesh>,
    pub(super) positions: VertexBuffer<[f32; 3]>,
    pub(super) normals: VertexBuffer<[f32; 3]>,
    pub(super) uvs: VertexBuffer<[f32; 2]>,
    pub(super) triangles: ElementBuffer<u32>,
    pub(super) base_color: Option<Texture2D>,
    /// A drawing in one plane: no light and shade.
    pub(super) flat: bool,
    /// The mesh's own lines, or the edges of its triangles.
    pub(super) lines: Vec<[u32; 2]>,
    line_ends: Option<[InstanceBuffer<[f32; 3]>; 2]>,
}

/// The influences of every vertex, for surface and lines.
pub(super) struct InfluenceBuffers {
    mesh: Arc<Mesh>,
    influences: Arc<[Influences]>,
    /// What decides which shader they need.
    pub(super) summary: InfluenceSummary,
    pub(super) index: IndexKind,
    /// Sets of four: one, or two if the fifth lane or one after it is in use.
    pub(super) sets: Vec<SetBuffers>,
    /// By end of the line.
    line_ends: Option<[Vec<SetInstances>; 2]>,
}

/// What a shader reads joint indices as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexKind {
    /// Whole numbers.
    Whole,
    /// Floats, for want of anything else in WebGL 1.
    Float,
}

impl IndexKind {
    pub(super) fn of(transport: Transport) -> Self {
        match transport {
            Transport::TextureCentres => Self::Float,
            Transport::UniformArray | Transport::UniformBlock | Transport::TexelFetch => {
                Self::Whole
            }
        }
    }
}

/// Four joints and weights a vertex.
pub(super) struct SetBuffers {
    pub(super) joints: JointBuffer,
    pub(super) weights: VertexBuffer<[f32; 4]>,
}

pub(super) enum JointBuffer {
    Whole(VertexBuffer<[u16; 4]>),
    Float(VertexBuffer<[f32; 4]>),
}

/// Four joints and weights of one end of every line.
pub(super) struct SetInstances {
    pub(super) joints: JointInstances,
    pub(super) weights: InstanceBuffer<[f32; 4]>,
}

pub(super) enum JointInstances {
    Whole(InstanceBuffer<[u16; 4]>),
    Float(InstanceBuffer<[f32; 4]>),
}

/// Least recently used first.
#[derive(Default)]
pub(super) struct Geometry {
    meshes: Vec<MeshBuffers>,
    influences: Vec<InfluenceBuffers>,
}

impl Geometry {
    /// The buffers of a mesh with these influences; uploaded if they are not
    /// there. `lines`: will its lines be drawn?
    pub(super) fn get(
        &mut self,
        context: &Context,
        mesh: &Arc<Mesh>,
        influences: &Arc<[Influences]>,
        index: IndexKind,
        lines: bool,
        max_texture_side: u32,
    ) -> (&MeshBuffers, &InfluenceBuffers) {
        let buffers = recent(
            &mut self.meshes,
            |kept| Arc::ptr_eq(&kept.mesh, mesh),
            || MeshBuffers::new(context, mesh, max_texture_side),
        );
        let weights = recent(
            &mut self.influences,
            |kept| {
                Arc::ptr_eq(&kept.mesh, mesh)
                    && Arc::ptr_eq(&kept.influences, influences)
                    && kept.index == index
            },
            || InfluenceBuffers::new(context, mesh, influences, index),
        );
        if lines {
            buffers.upload_lines(context);
            weights.upload_lines(context, &buffers.lines);
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
        let normals = padded(&mesh.normals, count, Vec3::Z);
        // three-d turns pictures upside down on upload.
        let uvs: Vec<Vec2> = padded(&mesh.uvs, count, Vec2::ZERO)
            .iter()
            .map(|uv| Vec2::new(uv.x, 1.0 - uv.y))
            .collect();
        let triangles = valid(&mesh.triangles, count);
        Self {
            mesh: Arc::clone(mesh),
            positions: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&mesh.positions)),
            normals: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&normals)),
            uvs: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&uvs)),
            triangles: ElementBuffer::new_with_data(context, triangles.as_flattened()),
            base_color: mesh
                .base_color
                .as_ref()
                .and_then(|image| texture(context, image, max_texture_side)),
            flat: is_flat(mesh),
            lines: lines_of(mesh),
            line_ends: None,
        }
    }

    fn upload_lines(&mut self, context: &Context) {
        let Self {
            mesh,
            lines,
            line_ends,
            ..
        } = self;
        line_ends.get_or_insert_with(|| {
            [0, 1].map(|end| {
                let points: Vec<[f32; 3]> = lines
                    .iter()
                    .map(|line| mesh.positions[line[end] as usize].to_array())
                    .collect();
                InstanceBuffer::new_with_data(context, &points)
            })
        });
    }

    /// Positions of both ends of every line, if they were asked for.
    pub(super) fn line_ends(&self) -> Option<&[InstanceBuffer<[f32; 3]>; 2]> {
        self.line_ends.as_ref()
    }

    /// Do the lines belong to the drawing, rather than being edges?
    pub(super) fn has_own_lines(&self) -> bool {
        !self.mesh.lines.is_empty()
    }
}

impl InfluenceBuffers {
    fn new(
        context: &Context,
        mesh: &Arc<Mesh>,
        influences: &Arc<[Influences]>,
        index: IndexKind,
    ) -> Self {
        let summary = InfluenceSummary::of(influences);
        let all = padded(influences, mesh.positions.len(), Influences::default());
        let sets = (0..summary.sets())
            .map(|set| {
                let joints: Vec<_> = all
                    .iter()
                    .map(|one| joints_of(one, set, summary.joints))
                    .collect();
                let weights: Vec<_> = all.iter().map(|one| weights_of(one, set)).collect();
                SetBuffers {
                    joints: match index {
                        IndexKind::Whole => {
                            JointBuffer::Whole(VertexBuffer::new_with_data(context, &joints))
                        }
                        IndexKind::Float => JointBuffer::Float(VertexBuffer::new_with_data(
                            context,
                            &floats(&joints),
                        )),
                    },
                    weights: VertexBuffer::new_with_data(context, &weights),
                }
            })
            .collect();
        Self {
            mesh: Arc::clone(mesh),
            influences: Arc::clone(influences),
            summary,
            index,
            sets,
            line_ends: None,
        }
    }

    fn upload_lines(&mut self, context: &Context, lines: &[[u32; 2]]) {
        let Self {
            influences,
            summary,
            index,
            line_ends,
            ..
        } = self;
        line_ends.get_or_insert_with(|| {
            [0, 1].map(|end| {
                let ends: Vec<Influences> = lines
                    .iter()
                    .map(|line| {
                        let influences = influences.get(line[end] as usize);
                        influences.copied().unwrap_or_default()
                    })
                    .collect();
                set_instances(context, &ends, *summary, *index)
            })
        });
    }

    /// Influences of both ends of every line, if they were asked for.
    pub(super) fn line_ends(&self) -> Option<&[Vec<SetInstances>; 2]> {
        self.line_ends.as_ref()
    }
}

/// Influences for instances: those of one end of every line, or of every vertex
/// whose normal is drawn.
pub(super) fn set_instances(
    context: &Context,
    influences: &[Influences],
    summary: InfluenceSummary,
    index: IndexKind,
) -> Vec<SetInstances> {
    (0..summary.sets())
        .map(|set| {
            let joints: Vec<_> = influences
                .iter()
                .map(|one| joints_of(one, set, summary.joints))
                .collect();
            let weights: Vec<_> = influences.iter().map(|one| weights_of(one, set)).collect();
            SetInstances {
                joints: match index {
                    IndexKind::Whole => {
                        JointInstances::Whole(InstanceBuffer::new_with_data(context, &joints))
                    }
                    IndexKind::Float => JointInstances::Float(InstanceBuffer::new_with_data(
                        context,
                        &floats(&joints),
                    )),
                },
                weights: InstanceBuffer::new_with_data(context, &weights),
            }
        })
        .collect()
}

/// Four of the lanes. A lane that is not used, and names a joint that nothing
/// uses, names joint 0: what it names as stored may lie past every palette.
fn joints_of(influences: &Influences, set: usize, used: usize) -> [u16; 4] {
    std::array::from_fn(|lane| {
        let joint = influences.joints[SET_LANES * set + lane];
        if joint.at() < used { joint.0 } else { 0 }
    })
}

fn weights_of(influences: &Influences, set: usize) -> [f32; 4] {
    std::array::from_fn(|lane| influences.weights[SET_LANES * set + lane])
}

fn floats(joints: &[[u16; 4]]) -> Vec<[f32; 4]> {
    joints.iter().map(|joints| joints.map(f32::from)).collect()
}

/// As many values as there are vertices: GL reads past the end of short
/// buffers.
fn padded<T: Clone>(values: &[T], count: usize, fill: T) -> Vec<T> {
    let mut values = values[..values.len().min(count)].to_vec();
    values.resize(count, fill);
    values
}

/// Without those that point past the vertices.
fn valid<const N: usize>(corners: &[[u32; N]], vertex_count: usize) -> Vec<[u32; N]> {
    corners
        .iter()
        .copied()
        .filter(|corners| {
            corners
                .iter()
                .all(|&corner| (corner as usize) < vertex_count)
        })
        .collect()
}

fn lines_of(mesh: &Mesh) -> Vec<[u32; 2]> {
    let count = mesh.positions.len();
    if !mesh.lines.is_empty() {
        return valid(&mesh.lines, count);
    }
    let mut edges = BTreeSet::new();
    for [a, b, c] in valid(&mesh.triangles, count) {
        edges.extend([(a, b), (b, c), (c, a)].map(|(from, to)| [from.min(to), from.max(to)]));
    }
    edges.into_iter().collect()
}

fn is_flat(mesh: &Mesh) -> bool {
    let Some(first) = mesh.positions.first() else {
        return false;
    };
    mesh.positions.iter().all(|p| p.z == first.z)
        && mesh.normals.iter().all(|n| n.x == 0.0 && n.y == 0.0)
}

/// `None` when the image's size and bytes do not agree.
fn texture(context: &Context, image: &Image, max_side: u32) -> Option<Texture2D> {
    let pixels = image::RgbaImage::from_raw(image.width, image.height, image.rgba.clone())?;
    let (width, height) = pixels.dimensions();
    if width == 0 || height == 0 {
        return None;
    }
    let pixels = if width.max(height) > max_side {
        let [width, height] = super::target::fitting([width, height], max_side);
        let filter = image::imageops::FilterType::Triangle;
        image::imageops::resize(&pixels, width, height, filter)
    } else {
        pixels
    };
    let texels = pixels.as_raw().as_chunks::<4>().0.to_vec();
    Some(Texture2D::new(
        context,
        &CpuTexture {
            name: "base color".to_owned(),
            data: TextureData::RgbaU8(texels),
            width: pixels.width(),
            height: pixels.height(),
            min_filter: Interpolation::Linear,
            mag_filter: Interpolation::Linear,
            mipmap: Some(Mipmap::default()),
            wrap_s: Wrapping::Repeat,
            wrap_t: Wrapping::Repeat,
        },
    ))
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
