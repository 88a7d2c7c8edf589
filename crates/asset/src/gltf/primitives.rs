//! All primitives of all nodes that are shown, as one mesh.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use glam::Vec3;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{Accessor, BLOCK, blocks};
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use super::joints::SkinJoints;
use super::material::Materials;
use super::morphs::{self, Slots};
use super::vertices;
use super::vertices::{BoundPart, PrimitiveUse};
use crate::progress::Pace;
use crate::{Mesh, MeshPart, NodeIndex};

/// Primitives, as often as nodes show them.
const MOST_PARTS: usize = 1 << 16;
/// Vertices, and corners of triangles and lines, of a whole file.
const MOST_VERTICES: usize = 1 << 23;
const MOST_CORNERS: usize = 1 << 25;

/// Every primitive that is shown, by node and place in its mesh. One without positions
/// is left out, and so is a mesh without primitives.
pub(super) fn uses<'a>(
    document: &'a GltfDocument<'_>,
    shown: &[bool],
    notes: &mut ReadingNotes,
) -> Result<Vec<PrimitiveUse<'a>>, GltfError> {
    let meshes = &document.root.meshes;
    let mut uses = Vec::new();
    for (node, stored) in document.root.nodes.iter().enumerate() {
        let Some(mesh) = stored.mesh.filter(|_| shown[node]) else {
            continue;
        };
        let mesh = mesh.value();
        let primitives = meshes.get(mesh).ok_or_else(|| {
            GltfError::dangling(format_args!("/nodes/{node}/mesh"), "meshes", meshes.len(), mesh)
        })?;
        if primitives.primitives.is_empty() {
            let at = format_args!("/meshes/{mesh}/primitives");
            let error = GltfError::missing(at, "at least one primitive").help("delete the mesh");
            notes.left_out("MESH_LEFT_OUT", error, "the mesh is not drawn");
        }
        let together = uses.len().saturating_add(primitives.primitives.len());
        limit(together, MOST_PARTS, "primitives in all nodes", || format!("/nodes/{node}/mesh"))?;
        for (index, primitive) in primitives.primitives.iter().enumerate() {
            let part = PrimitiveUse { node, mesh, index, primitive };
            if part.accessor(Semantic::Positions).is_some() {
                uses.push(part);
            } else {
                let at = format!("{}/attributes", part.path());
                let error = GltfError::missing(at, "positions of the vertices")
                    .help("export the mesh again, or delete it");
                notes.left_out("PRIMITIVE_LEFT_OUT", error, "it is not drawn");
            }
        }
    }
    Ok(uses)
}

/// Reads them; the materials they ask for are still to be read. `slots`: where
/// each node's morph weights stand.
pub(super) async fn mesh(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
    joints: &SkinJoints,
    slots: &BTreeMap<usize, Slots>,
    notes: &mut ReadingNotes,
    pace: &Pace,
) -> Result<(Mesh, Materials), GltfError> {
    let mut reader = PrimitiveReader {
        document,
        joints,
        notes,
        pace,
        mesh: Mesh::default(),
        corners: 0,
        materials: Materials::default(),
        begun: BTreeMap::new(),
        without_normals: Vec::new(),
    };
    reader.reserve(uses);
    for (at, part) in uses.iter().enumerate() {
        pace.progress().set(0.2 + 0.5 * at as f32 / uses.len() as f32);
        reader.part(part, slots.get(&part.node)).await?;
    }
    let PrimitiveReader { mut mesh, materials, without_normals, .. } = reader;
    vertices::pad(&mut mesh);
    fill_normals(&mut mesh, &without_normals);
    Ok((mesh, materials))
}

/// Attributes and their accessors, what moves the vertices, which set of
/// texture coordinates, and for those with morph targets which primitive.
type Key<'a> = (Vec<(&'a Checked<Semantic>, usize)>, BoundPart, u32, Option<(usize, usize)>);

struct PrimitiveReader<'a> {
    document: &'a GltfDocument<'a>,
    joints: &'a SkinJoints,
    notes: &'a mut ReadingNotes,
    pace: &'a Pace,
    mesh: Mesh,
    corners: usize,
    materials: Materials,
    /// What was read so far and the vertices it became: primitives that share
    /// attributes share the vertices.
    begun: BTreeMap<Key<'a>, Range<u32>>,
    without_normals: Vec<Range<u32>>,
}

impl<'a> PrimitiveReader<'a> {
    /// Room for all triangles at once, so that they need not move while they
    /// grow. What the file claims is in its bytes, and counted.
    fn reserve(&mut self, uses: &[PrimitiveUse<'_>]) {
        let accessors = &self.document.root.accessors;
        let corners = uses.iter().filter_map(|part| {
            let accessor = accessors.get(part.primitive.indices?.value())?;
            usize::try_from(accessor.count.0).ok()
        });
        let corners = corners.fold(0, usize::saturating_add);
        self.mesh.triangles.reserve_exact(corners.min(MOST_CORNERS) / 3);
    }

    async fn part(
        &mut self,
        part: &PrimitiveUse<'a>,
        slots: Option<&Slots>,
    ) -> Result<(), GltfError> {
        let bound = self.bound(part)?;
        let material = part.primitive.material.map(|material| material.value());
        let uv_set =
            material.map_or(0, |material| super::material::uv_set(&self.document.root, material));
        let targets = part.primitive.targets.as_deref().unwrap_or_default();
        let slots = slots.filter(|_| !targets.is_empty());
        let key: Key<'a> = (
            part.primitive
                .attributes
                .iter()
                .map(|(semantic, accessor)| (semantic, accessor.value()))
                .collect(),
            bound,
            uv_set,
            slots.map(|slots| (slots.first, part.index)),
        );
        let vertices = if let Some(vertices) = self.begun.get(&key) {
            vertices.clone()
        } else {
            let vertices = self.vertices(part, bound, uv_set, slots).await?;
            self.begun.insert(key, vertices.clone());
            vertices
        };
        let (triangles, lines) = self.read_corners(part, &vertices).await?;
        let material = material.and_then(|material| self.materials.place(self.document, material));
        self.mesh.parts.push(MeshPart {
            name: self.name(part),
            node: NodeIndex(part.node as u32),
            mesh: part.mesh,
            primitive: part.index,
            skin: match bound {
                BoundPart::Skin(skin) => Some(skin),
                BoundPart::Joint(_) => None,
            },
            vertices,
            triangles,
            lines,
            material,
        });
        Ok(())
    }

    /// A skin that the vertices know nothing of leaves them to their node.
    fn bound(&mut self, part: &PrimitiveUse<'_>) -> Result<BoundPart, GltfError> {
        let skin = self.document.root.nodes[part.node].skin;
        let rigid = self.joints.rigid[part.node].map(BoundPart::Joint);
        match (skin, rigid) {
            (Some(skin), _) if part.has_influences() => Ok(BoundPart::Skin(skin.value())),
            (_, Some(rigid)) => {
                if skin.is_some() {
                    let error = GltfError::missing(
                        format_args!("{}/attributes", part.path()),
                        "JOINTS_0 and WEIGHTS_0",
                    )
                    .help("bind the mesh to its armature and export it again");
                    self.notes.left_out(
                        "NODE_SKIN_WITH_NON_SKINNED_MESH",
                        error,
                        "the mesh moves with its node alone",
                    );
                }
                Ok(rigid)
            }
            _ => Err(GltfError::missing(
                format_args!("/nodes/{}", part.node),
                "a joint for the mesh",
            )),
        }
    }

    /// Adds the vertices of one primitive.
    async fn vertices(
        &mut self,
        part: &PrimitiveUse<'a>,
        bound: BoundPart,
        uv_set: u32,
        slots: Option<&Slots>,
    ) -> Result<Range<u32>, GltfError> {
        let path = part.path();
        let Some(positions) = part.accessor(Semantic::Positions) else {
            return Err(GltfError::missing(
                format_args!("{path}/attributes/POSITION"),
                "an accessor",
            )
            .help("a mesh without positions cannot be drawn; export it again"));
        };
        let position_path = format_args!("{path}/attributes/POSITION");
        let positions = Accessor::new(self.document, positions, &position_path)?;
        let first = self.mesh.positions.len();
        let end = first.saturating_add(positions.count());
        limit(end, MOST_VERTICES, "vertices", || path.clone())?;
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
        reader.influences(&mut self.mesh, bound, self.joints).await?;
        let stored = &mut self.mesh.positions;
        reader.append(&positions, stored, Vec3::from_array).await?;
        if !reader.looks(&mut self.mesh, uv_set, slots.is_some()).await? {
            self.without_normals.push(vertices.clone());
        }
        if let Some(slots) = slots {
            morphs::read_morphs(&mut reader, &mut self.mesh, slots, vertices.start).await?;
        }
        Ok(vertices)
    }

    /// Adds triangles and lines; answers where they stand.
    async fn read_corners(
        &mut self,
        part: &PrimitiveUse<'_>,
        vertices: &Range<u32>,
    ) -> Result<(Range<u32>, Range<u32>), GltfError> {
        let indices = part.primitive.indices.map(|accessor| {
            let path = part.path();
            Accessor::new(self.document, accessor.value(), &format_args!("{path}/indices"))
        });
        let indices = indices.transpose()?;
        let count = indices.as_ref().map_or(vertices.len(), Accessor::count);
        self.corners = self.corners.saturating_add(count);
        limit(self.corners, MOST_CORNERS, "corners", || part.path())?;
        let Mesh { triangles, lines, .. } = &mut self.mesh;
        let before = (triangles.len() as u32, lines.len() as u32);
        match &indices {
            Some(indices) if is_list(part.primitive.mode) => {
                read_triangles(indices, vertices, triangles, self.pace).await?;
            }
            _ => {
                let corners = corners_of_triangles(indices.as_ref(), vertices, self.pace).await?;
                assemble_triangles(part, &corners, triangles, lines)?;
            }
        }
        Ok((before.0..triangles.len() as u32, before.1..lines.len() as u32))
    }

    fn name(&self, part: &PrimitiveUse<'_>) -> String {
        let mesh = &self.document.root.meshes[part.mesh];
        let name = mesh.name.clone();
        let name = name.unwrap_or_else(|| format!("mesh {}", part.mesh));
        match mesh.primitives.len() {
            1 => name,
            _ => format!("{name}, part {}", part.index),
        }
    }
}

/// Vertices in these ranges get a normal from the triangles around them.
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

fn limit(
    count: usize,
    most: usize,
    what: &str,
    path: impl Fn() -> String,
) -> Result<(), GltfError> {
    if count <= most {
        return Ok(());
    }
    Err(GltfError::new(Kind::TooLarge, path())
        .expected(format_args!("at most {most} {what}"), count)
        .help("open a smaller model"))
}

// Indices of a primitive, and the triangles or lines they stand for.

/// Does every three corners make a triangle?
pub(super) fn is_list(mode: Checked<Mode>) -> bool {
    mode == Checked::Valid(Mode::Triangles)
}

/// Adds the triangles of a list.
pub(super) async fn read_triangles(
    indices: &Accessor<'_>,
    vertices: &Range<u32>,
    triangles: &mut Vec<[u32; 3]>,
    pace: &Pace,
) -> Result<(), GltfError> {
    let mut corners = Vec::with_capacity(3 * BLOCK);
    for range in blocks(indices.count() / 3 * 3, 3 * BLOCK) {
        append(indices, range, vertices, &mut corners, pace).await?;
        triangles.extend_from_slice(corners.as_chunks::<3>().0);
        corners.clear();
    }
    Ok(())
}

/// The corners in turn, as vertices of the whole mesh; without indices every
/// vertex in turn.
pub(super) async fn corners_of_triangles(
    indices: Option<&Accessor<'_>>,
    vertices: &Range<u32>,
    pace: &Pace,
) -> Result<Vec<u32>, GltfError> {
    let Some(indices) = indices else {
        return Ok(vertices.clone().collect());
    };
    let mut corners = Vec::with_capacity(indices.count());
    for range in blocks(indices.count(), BLOCK) {
        append(indices, range, vertices, &mut corners, pace).await?;
    }
    Ok(corners)
}

/// Adds a run of indices as vertices of the whole mesh.
async fn append(
    indices: &Accessor<'_>,
    range: Range<usize>,
    vertices: &Range<u32>,
    corners: &mut Vec<u32>,
    pace: &Pace,
) -> Result<(), GltfError> {
    pace.spend(range.len()).await?;
    let (first, before) = (range.start, corners.len());
    // One that is too large may wrap here, and is found right below.
    let largest = Cell::new(0_u32);
    indices.append_whole(range, corners, |[corner]: [u32; 1]| {
        largest.set(largest.get().max(corner));
        vertices.start.wrapping_add(corner)
    })?;
    if (largest.get() as usize) < vertices.len() || corners.len() == before {
        return Ok(());
    }
    let mut added = corners[before..].iter();
    let outside = |&corner: &u32| corner.wrapping_sub(vertices.start) as usize >= vertices.len();
    let Some(at) = added.position(outside) else {
        return Ok(());
    };
    Err(GltfError::new(Kind::OutOfBounds, indices.path())
        .expected(
            format_args!("indices below {}", vertices.len()),
            format_args!(
                "{} at place {}",
                corners[before + at].wrapping_sub(vertices.start),
                first + at
            ),
        )
        .help("the indices belong to another mesh or are damaged; export the file again"))
}

/// Adds what the corners stand for. Points are left out.
pub(super) fn assemble_triangles(
    part: &PrimitiveUse<'_>,
    corners: &[u32],
    triangles: &mut Vec<[u32; 3]>,
    lines: &mut Vec<[u32; 2]>,
) -> Result<(), GltfError> {
    let Checked::Valid(mode) = part.primitive.mode else {
        return Err(GltfError::new(Kind::Invalid, format_args!("{}/mode", part.path()))
            .expected("0 to 6", "another number"));
    };
    match mode {
        Mode::Triangles => triangles.extend(corners.as_chunks::<3>().0),
        Mode::TriangleStrip => {
            // Every other triangle runs the other way.
            triangles.extend(corners.windows(3).enumerate().map(|(i, three)| {
                let [a, b, c] = [three[0], three[1], three[2]];
                if i % 2 == 0 { [a, b, c] } else { [a, c, b] }
            }));
        }
        Mode::TriangleFan => {
            let middle = corners.first().copied().unwrap_or_default();
            let rim = corners.get(1..).unwrap_or_default();
            triangles.extend(rim.windows(2).map(|two| [middle, two[0], two[1]]));
        }
        Mode::Lines => lines.extend(corners.as_chunks::<2>().0),
        Mode::LineStrip | Mode::LineLoop => {
            lines.extend(corners.windows(2).map(|two| [two[0], two[1]]));
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
