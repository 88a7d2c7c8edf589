//! Reads all shown primitives into one mesh.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use glam::Vec3;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{Accessor, BLOCK_LENGTH, blocks};
use super::document::GltfDocument;
use super::error::{ReadingNotes, dangling, gltf_error, missing};
use super::joints::SkinJoints;
use super::material::Materials;
use super::morphs::{self, MorphSlots};
use super::vertices::{self, Binding, PrimitiveUse};
use crate::progress::Pace;
use crate::read_error::code;
use crate::{Mesh, MeshPart, NodeIndex};

/// Limit for primitives, counted once for each node that shows them.
const MAX_PARTS: usize = 1 << 16;
/// Limit for the vertices of a file.
const MAX_VERTICES: usize = 1 << 23;
/// Limit for the corners of all triangles and lines of a file.
const MAX_CORNERS: usize = 1 << 25;

/// Lists all shown primitives, by node and index in the mesh. Primitives without positions and
/// meshes without primitives are skipped, with a note.
pub(super) fn shown_primitives<'a>(
    document: &'a GltfDocument<'_>,
    shown: &[bool],
    notes: &mut ReadingNotes,
) -> Result<Vec<PrimitiveUse<'a>>, Diagnostic> {
    let meshes = &document.root.meshes;
    let mut uses = Vec::new();
    for (node, stored) in document.root.nodes.iter().enumerate() {
        let Some(mesh) = stored.mesh.filter(|_| shown[node]) else {
            continue;
        };
        let mesh = mesh.value();
        let primitives = &meshes
            .get(mesh)
            .ok_or_else(|| {
                let path = format_args!("/nodes/{node}/mesh");
                dangling(path, "meshes", meshes.len(), mesh)
            })?
            .primitives;
        if primitives.is_empty() {
            let path = format_args!("/meshes/{mesh}/primitives");
            let error = missing(path, "at least one primitive").help("delete the mesh");
            notes.left_out("MESH_LEFT_OUT", error, "the mesh is not drawn");
        }
        let part_count = uses.len().saturating_add(primitives.len());
        check_limit(part_count, MAX_PARTS, "primitives in all nodes", || {
            format!("/nodes/{node}/mesh")
        })?;
        for (index, primitive) in primitives.iter().enumerate() {
            let part = PrimitiveUse { node, mesh, index, primitive };
            if part.accessor(Semantic::Positions).is_some() {
                uses.push(part);
            } else {
                let path = format!("{}/attributes", part.path());
                let error = missing(path, "positions of the vertices")
                    .help("export the mesh again, or delete it");
                notes.left_out("PRIMITIVE_LEFT_OUT", error, "it is not drawn");
            }
        }
    }
    Ok(uses)
}

/// Reads primitives into one mesh. The materials that they use are returned to be read later.
/// `slots` are the morph weights of each node.
pub(super) async fn read_mesh(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
    joints: &SkinJoints,
    slots: &BTreeMap<usize, MorphSlots>,
    notes: &mut ReadingNotes,
    pace: &Pace,
) -> Result<(Mesh, Materials), Diagnostic> {
    let mut reader = PrimitiveReader {
        document,
        joints,
        notes,
        pace,
        mesh: Mesh::default(),
        corner_count: 0,
        materials: Materials::default(),
        vertices_by_key: BTreeMap::new(),
        without_normals: Vec::new(),
    };
    reader.reserve_triangles(uses);
    for (index, part) in uses.iter().enumerate() {
        pace.progress().set(0.2 + 0.5 * index as f32 / uses.len() as f32);
        reader.read_part(part, slots.get(&part.node)).await?;
    }
    let PrimitiveReader { mut mesh, materials, without_normals, .. } = reader;
    vertices::pad_attributes(&mut mesh);
    fill_normals(&mut mesh, &without_normals);
    Ok((mesh, materials))
}

/// Everything that the vertices of a primitive depend on. Primitives with equal keys share
/// their vertices.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PrimitiveVertexKey<'a> {
    attributes: Vec<(&'a Checked<Semantic>, usize)>,
    binding: Binding,
    uv_set: u32,
    /// First morph slot and index of the primitive, if it has morph targets.
    morphs: Option<(usize, usize)>,
}

struct PrimitiveReader<'a> {
    document: &'a GltfDocument<'a>,
    joints: &'a SkinJoints,
    notes: &'a mut ReadingNotes,
    pace: &'a Pace,
    mesh: Mesh,
    corner_count: usize,
    materials: Materials,
    /// Vertices read so far.
    vertices_by_key: BTreeMap<PrimitiveVertexKey<'a>, Range<u32>>,
    without_normals: Vec<Range<u32>>,
}

impl<'a> PrimitiveReader<'a> {
    /// Reserves memory for all triangles, so that they are not reallocated while they grow.
    /// The budget has been charged for them.
    fn reserve_triangles(&mut self, uses: &[PrimitiveUse<'_>]) {
        let accessors = &self.document.root.accessors;
        let mut corner_count = 0_usize;
        for part in uses {
            if let Some(indices) = part.primitive.indices
                && let Some(accessor) = accessors.get(indices.value())
                && let Ok(count) = usize::try_from(accessor.count.0)
            {
                corner_count = corner_count.saturating_add(count);
            }
        }
        self.mesh.triangles.reserve_exact(corner_count.min(MAX_CORNERS) / 3);
    }

    async fn read_part(
        &mut self,
        part: &PrimitiveUse<'a>,
        slots: Option<&MorphSlots>,
    ) -> Result<(), Diagnostic> {
        let binding = self.binding_of(part)?;
        let material = part.primitive.material.map(|material| material.value());
        let uv_set =
            material.map_or(0, |material| super::material::uv_set(&self.document.root, material));
        let targets = part.primitive.targets.as_deref().unwrap_or_default();
        let slots = slots.filter(|_| !targets.is_empty());
        let key = PrimitiveVertexKey {
            attributes: part
                .primitive
                .attributes
                .iter()
                .map(|(semantic, accessor)| (semantic, accessor.value()))
                .collect(),
            binding,
            uv_set,
            morphs: slots.map(|slots| (slots.first, part.index)),
        };
        let vertices = if let Some(vertices) = self.vertices_by_key.get(&key) {
            vertices.clone()
        } else {
            let vertices = self.read_vertices(part, binding, uv_set, slots).await?;
            self.vertices_by_key.insert(key, vertices.clone());
            vertices
        };
        let (triangles, lines) = self.read_corners(part, &vertices).await?;
        let material =
            material.and_then(|material| self.materials.index_of(self.document, material));
        self.mesh.parts.push(MeshPart {
            name: self.part_name(part),
            node: NodeIndex(part.node as u32),
            mesh: part.mesh,
            primitive: part.index,
            skin: match binding {
                Binding::Skin(skin) => Some(skin),
                Binding::Joint(_) => None,
            },
            vertices,
            triangles,
            lines,
            material,
        });
        Ok(())
    }

    /// Determines whether a primitive moves with a skin or with its node. A primitive without
    /// joints and weights moves with its node, even if the node has a skin.
    fn binding_of(&mut self, part: &PrimitiveUse<'_>) -> Result<Binding, Diagnostic> {
        let skin = self.document.root.nodes[part.node].skin;
        if let Some(skin) = skin
            && part.has_influences()
        {
            return Ok(Binding::Skin(skin.value()));
        }
        let Some(joint) = self.joints.rigid[part.node] else {
            return Err(missing(format_args!("/nodes/{}", part.node), "a joint for the mesh"));
        };
        if skin.is_some() {
            let path = part.path();
            let error = missing(format_args!("{path}/attributes"), "JOINTS_0 and WEIGHTS_0")
                .help("bind the mesh to its armature and export it again");
            self.notes.left_out(
                "NODE_SKIN_WITH_NON_SKINNED_MESH",
                error,
                "the mesh moves with its node alone",
            );
        }
        Ok(Binding::Joint(joint))
    }

    /// Appends the vertices of a primitive to the mesh. Returns their range.
    async fn read_vertices(
        &mut self,
        part: &PrimitiveUse<'a>,
        binding: Binding,
        uv_set: u32,
        slots: Option<&MorphSlots>,
    ) -> Result<Range<u32>, Diagnostic> {
        let path = part.path();
        let position_path = format!("{path}/attributes/POSITION");
        let Some(positions) = part.accessor(Semantic::Positions) else {
            return Err(missing(position_path, "an accessor")
                .help("a mesh without positions cannot be drawn; export it again"));
        };
        let positions = Accessor::new(self.document, positions, &position_path)?;
        let first = self.mesh.positions.len();
        let end = first.saturating_add(positions.count());
        check_limit(end, MAX_VERTICES, "vertices", || path.clone())?;
        let vertices = first as u32..end as u32;
        let mut reader = vertices::VertexReader {
            document: self.document,
            part,
            path: &path,
            first,
            count: positions.count(),
            notes: self.notes,
            pace: self.pace,
        };
        reader.read_influences(&mut self.mesh, binding, self.joints).await?;
        reader.append(&positions, &mut self.mesh.positions, Vec3::from_array).await?;
        if !reader.read_appearance(&mut self.mesh, uv_set, slots.is_some()).await? {
            self.without_normals.push(vertices.clone());
        }
        if let Some(slots) = slots {
            morphs::read_targets(&mut reader, &mut self.mesh, slots, vertices.start).await?;
        }
        Ok(vertices)
    }

    /// Appends the triangles and lines of a primitive to the mesh. Returns the range of each.
    async fn read_corners(
        &mut self,
        part: &PrimitiveUse<'_>,
        vertices: &Range<u32>,
    ) -> Result<(Range<u32>, Range<u32>), Diagnostic> {
        let indices = match part.primitive.indices {
            Some(accessor) => {
                let path = format!("{}/indices", part.path());
                Some(Accessor::new(self.document, accessor.value(), &path)?)
            }
            None => None,
        };
        let count = indices.as_ref().map_or(vertices.len(), Accessor::count);
        self.corner_count = self.corner_count.saturating_add(count);
        check_limit(self.corner_count, MAX_CORNERS, "corners", || part.path())?;
        let Mesh { triangles, lines, .. } = &mut self.mesh;
        let first_triangle = triangles.len() as u32;
        let first_line = lines.len() as u32;
        match &indices {
            Some(indices) if part.primitive.mode == Checked::Valid(Mode::Triangles) => {
                read_triangle_list(indices, vertices, triangles, self.pace).await?;
            }
            _ => {
                let corners = read_all_corners(indices.as_ref(), vertices, self.pace).await?;
                assemble_primitives(part, &corners, triangles, lines)?;
            }
        }
        Ok((first_triangle..triangles.len() as u32, first_line..lines.len() as u32))
    }

    fn part_name(&self, part: &PrimitiveUse<'_>) -> String {
        let mesh = &self.document.root.meshes[part.mesh];
        let name = mesh.name.clone().unwrap_or_else(|| format!("mesh {}", part.mesh));
        match mesh.primitives.len() {
            1 => name,
            _ => format!("{name}, part {}", part.index),
        }
    }
}

/// Computes normals for the given ranges of vertices, by averaging the normals of adjacent
/// triangles weighted by their areas.
pub(crate) fn fill_normals(mesh: &mut Mesh, without: &[Range<u32>]) {
    if without.is_empty() {
        return;
    }
    let mut sums = vec![Vec3::ZERO; mesh.positions.len()];
    for &corners in &mesh.triangles {
        let [a, b, c] = corners.map(|corner| mesh.positions[corner as usize]);
        let doubled_area = (b - a).cross(c - a);
        for corner in corners {
            sums[corner as usize] += doubled_area;
        }
    }
    for range in without {
        let range = range.start as usize..range.end as usize;
        for (normal, sum) in mesh.normals[range.clone()].iter_mut().zip(&sums[range]) {
            *normal = sum.normalize_or(Vec3::Z);
        }
    }
}

fn check_limit(
    count: usize,
    max: usize,
    noun: &str,
    path: impl Fn() -> String,
) -> Result<(), Diagnostic> {
    if count <= max {
        return Ok(());
    }
    Err(gltf_error(code::GLTF_TOO_LARGE, path(), format_args!("at most {max} {noun}"), count)
        .help("open a smaller model"))
}

// Indices of a primitive, and their assembly into triangles or lines.

/// Appends the triangles of a triangle list.
async fn read_triangle_list(
    indices: &Accessor<'_>,
    vertices: &Range<u32>,
    triangles: &mut Vec<[u32; 3]>,
    pace: &Pace,
) -> Result<(), Diagnostic> {
    let mut corners = Vec::with_capacity(3 * BLOCK_LENGTH);
    for range in blocks(indices.count() / 3 * 3, 3 * BLOCK_LENGTH) {
        append_corners(indices, range, vertices, &mut corners, pace).await?;
        triangles.extend_from_slice(corners.as_chunks::<3>().0);
        corners.clear();
    }
    Ok(())
}

/// Reads all corners, as vertex indices of the whole mesh. Without indices, every vertex is a
/// corner.
async fn read_all_corners(
    indices: Option<&Accessor<'_>>,
    vertices: &Range<u32>,
    pace: &Pace,
) -> Result<Vec<u32>, Diagnostic> {
    let Some(indices) = indices else {
        return Ok(vertices.clone().collect());
    };
    let mut corners = Vec::with_capacity(indices.count());
    for range in blocks(indices.count(), BLOCK_LENGTH) {
        append_corners(indices, range, vertices, &mut corners, pace).await?;
    }
    Ok(corners)
}

/// Appends a range of indices, as vertex indices of the whole mesh. Returns an error if one is
/// out of bounds.
async fn append_corners(
    indices: &Accessor<'_>,
    range: Range<usize>,
    vertices: &Range<u32>,
    corners: &mut Vec<u32>,
    pace: &Pace,
) -> Result<(), Diagnostic> {
    pace.spend(range.len()).await?;
    let first_index = range.start;
    let first_corner = corners.len();
    // An index that is out of bounds may overflow here. It is reported below.
    let largest = Cell::new(0_u32);
    indices.append_whole(range, corners, |[corner]: [u32; 1]| {
        largest.set(largest.get().max(corner));
        vertices.start.wrapping_add(corner)
    })?;
    if (largest.get() as usize) < vertices.len() {
        return Ok(());
    }
    for (offset, corner) in corners[first_corner..].iter().enumerate() {
        let index = corner.wrapping_sub(vertices.start);
        if index as usize >= vertices.len() {
            return Err(gltf_error(
                code::GLTF_OUT_OF_BOUNDS,
                indices.path(),
                format_args!("indices below {}", vertices.len()),
                format_args!("{index} at place {}", first_index + offset),
            )
            .help("the indices belong to another mesh or are damaged; export the file again"));
        }
    }
    Ok(())
}

/// Assembles corners into triangles or lines. Points are skipped.
fn assemble_primitives(
    part: &PrimitiveUse<'_>,
    corners: &[u32],
    triangles: &mut Vec<[u32; 3]>,
    lines: &mut Vec<[u32; 2]>,
) -> Result<(), Diagnostic> {
    let Checked::Valid(mode) = part.primitive.mode else {
        return Err(gltf_error(
            code::GLTF_INVALID,
            format_args!("{}/mode", part.path()),
            "0 to 6",
            "another number",
        ));
    };
    match mode {
        Mode::Triangles => triangles.extend(corners.as_chunks::<3>().0),
        Mode::TriangleStrip => {
            // Every other triangle has the opposite winding.
            for (index, window) in corners.windows(3).enumerate() {
                let [a, b, c] = [window[0], window[1], window[2]];
                triangles.push(if index % 2 == 0 { [a, b, c] } else { [a, c, b] });
            }
        }
        Mode::TriangleFan => {
            if let [centre, rim @ ..] = corners {
                triangles.extend(rim.windows(2).map(|edge| [*centre, edge[0], edge[1]]));
            }
        }
        Mode::Lines => lines.extend(corners.as_chunks::<2>().0),
        Mode::LineStrip | Mode::LineLoop => {
            lines.extend(corners.windows(2).map(|line| [line[0], line[1]]));
            if mode == Mode::LineLoop
                && let [first, _, .., last] = *corners
            {
                lines.push([last, first]);
            }
        }
        Mode::Points => {}
    }
    Ok(())
}
