//! All primitives of all nodes that are shown, as one mesh.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::Vec3;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::Accessor;
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind};
use super::joints::SkinJoints;
use super::material::Materials;
use super::morphs::{self, Slots};
use super::notes::ReadingNotes;
use super::primitive::{BoundPart, PrimitiveUse};
use super::{triangles, vertices};
use crate::pace::Pace;
use crate::{Mesh, MeshPart, NodeIndex};

/// Primitives, as often as nodes show them.
const MOST_PARTS: usize = 1 << 16;
/// Vertices, and corners of triangles and lines, of a whole file.
const MOST_VERTICES: usize = 1 << 23;
const MOST_CORNERS: usize = 1 << 25;

/// Every primitive that is shown, by node and place in its mesh.
pub(super) fn uses<'a>(
    document: &'a GltfDocument<'_>,
    shown: &[bool],
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
        let together = uses.len().saturating_add(primitives.primitives.len());
        limit(together, MOST_PARTS, "primitives in all nodes", || format!("/nodes/{node}/mesh"))?;
        uses.extend(
            primitives.primitives.iter().enumerate().map(|(index, primitive)| PrimitiveUse {
                node,
                mesh,
                index,
                primitive,
            }),
        );
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
                        "bind the mesh to its armature and export it again",
                    );
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
                "export the file again",
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
                "a mesh without positions cannot be drawn; export it again",
            ));
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
            morphs::read(&mut reader, &mut self.mesh, slots, vertices.start).await?;
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
            let path = format_args!("{}/indices", part.path());
            Accessor::new(self.document, accessor.value(), &path)
        });
        let indices = indices.transpose()?;
        let count = indices.as_ref().map_or(vertices.len(), Accessor::count);
        self.corners = self.corners.saturating_add(count);
        limit(self.corners, MOST_CORNERS, "corners", || part.path())?;
        let Mesh { triangles, lines, .. } = &mut self.mesh;
        let before = (triangles.len() as u32, lines.len() as u32);
        match &indices {
            Some(indices) if triangles::is_list(part.primitive.mode) => {
                triangles::read(indices, vertices, triangles, self.pace).await?;
            }
            _ => {
                let corners = triangles::corners(indices.as_ref(), vertices, self.pace).await?;
                triangles::assemble(part, &corners, triangles, lines)?;
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
    Err(GltfError::new(
        GltfErrorKind::TooLarge,
        path(),
        format_args!("at most {most} {what}"),
        count,
        "open a smaller model",
    ))
}
