//! The primitives of a mesh as one mesh.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, Vec4};
use gltf::json::Index;
use gltf::json::accessor::Accessor;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;

use super::accessor::Elements;
use super::container::Document;
use super::error::{GltfError, GltfErrorKind};
use crate::asset::Mesh;
use crate::asset::mesh::fill_normals;
use crate::skin::{Influences, JointIndex, LANES, keep_strongest};

/// All primitives together.
const MOST_VERTICES: usize = 1 << 23;
const MOST_CORNERS: usize = 1 << 25;

type Attributes = BTreeMap<Checked<Semantic>, Index<Accessor>>;
/// Attributes and their accessors, comparable.
type Key<'a> = Vec<(&'a Checked<Semantic>, usize)>;

/// Reads all primitives of mesh `index`. `ours` turns the file's joint numbers
/// into ours.
pub(super) fn mesh(
    document: &Document<'_>,
    index: usize,
    ours: &[JointIndex],
) -> Result<Mesh, GltfError> {
    let meshes = &document.root.meshes;
    let stored = meshes
        .get(index)
        .ok_or_else(|| GltfError::dangling("/nodes", "meshes", meshes.len(), index))?;
    let mut reader = Reader {
        document,
        ours,
        mesh: Mesh::default(),
        corners: 0,
        begun: BTreeMap::new(),
        lacks: [false; 2],
    };
    for (at, primitive) in stored.primitives.iter().enumerate() {
        reader.primitive(primitive, &format!("/meshes/{index}/primitives/{at}"))?;
    }
    Ok(reader.finish())
}

struct Reader<'a> {
    document: &'a Document<'a>,
    ours: &'a [JointIndex],
    mesh: Mesh,
    corners: usize,
    /// Attributes read so far and the vertices they became: primitives that
    /// share them share the vertices.
    begun: BTreeMap<Key<'a>, (u32, usize)>,
    /// Some primitive came without tangents; without texture coordinates.
    lacks: [bool; 2],
}

impl<'a> Reader<'a> {
    fn primitive(&mut self, primitive: &'a Primitive, path: &str) -> Result<(), GltfError> {
        let key: Key<'a> = primitive
            .attributes
            .iter()
            .map(|(semantic, accessor)| (semantic, accessor.value()))
            .collect();
        let known = self.begun.get(&key).copied();
        let (first, count) = known.map_or_else(
            || self.vertices(&primitive.attributes, path),
            Ok::<_, GltfError>,
        )?;
        self.begun.insert(key, (first, count));
        let corners = self.read_corners(primitive, count, path)?;
        let at = |index: usize| corners.get(index).map_or(first, |corner| first + corner);
        let length = corners.len();
        let triangles = &mut self.mesh.triangles;
        let lines = &mut self.mesh.lines;
        match primitive.mode {
            Checked::Valid(Mode::Triangles) => {
                triangles
                    .extend((0..length / 3).map(|i| [at(3 * i), at(3 * i + 1), at(3 * i + 2)]));
            }
            Checked::Valid(Mode::TriangleStrip) => {
                // Every other triangle runs the other way.
                triangles
                    .extend((2..length).map(|i| [at(i - 2), at(i - 1 + i % 2), at(i - i % 2)]));
            }
            Checked::Valid(Mode::TriangleFan) => {
                triangles.extend((2..length).map(|i| [at(0), at(i - 1), at(i)]));
            }
            Checked::Valid(Mode::Lines) => {
                lines.extend((0..length / 2).map(|i| [at(2 * i), at(2 * i + 1)]));
            }
            Checked::Valid(Mode::LineStrip | Mode::LineLoop) => {
                lines.extend((1..length).map(|i| [at(i - 1), at(i)]));
                if length > 2 && matches!(primitive.mode, Checked::Valid(Mode::LineLoop)) {
                    lines.push([at(length - 1), at(0)]);
                }
            }
            Checked::Valid(Mode::Points) => {}
            Checked::Invalid => {
                return Err(GltfError::new(
                    GltfErrorKind::Invalid,
                    format_args!("{path}/mode"),
                    "0 to 6",
                    "something else",
                    "export the file again",
                ));
            }
        }
        Ok(())
    }

    /// Adds the vertices of one set of attributes; answers the first and how
    /// many they are.
    fn vertices(
        &mut self,
        attributes: &'a Attributes,
        path: &str,
    ) -> Result<(u32, usize), GltfError> {
        let get = |semantic: Semantic, name: &str| -> Result<Option<Elements<'a>>, GltfError> {
            let path = format!("{path}/attributes/{name}");
            attributes
                .get(&Checked::Valid(semantic))
                .map(|accessor| Elements::new(self.document, accessor.value(), &path))
                .transpose()
        };
        let positions = get(Semantic::Positions, "POSITION")?.ok_or_else(|| {
            GltfError::missing(
                format_args!("{path}/attributes/POSITION"),
                "an accessor",
                "a mesh without positions cannot be drawn; export it again",
            )
        })?;
        let count = positions.count();
        let first = self.mesh.positions.len();
        limit(first.saturating_add(count), MOST_VERTICES, "vertices", path)?;
        let same_count = |elements: Elements<'a>| {
            if elements.count() == count {
                return Ok(elements);
            }
            Err(GltfError::new(
                GltfErrorKind::Invalid,
                format_args!("{}/count", elements.path()),
                format_args!("{count}, as there are positions"),
                elements.count(),
                "all attributes of a primitive have the same length; export the file again",
            ))
        };

        let new = finite(&positions.floats::<3>()?, &positions)?;
        let normals = get(Semantic::Normals, "NORMAL")?
            .map(same_count)
            .transpose()?;
        let tangents = get(Semantic::Tangents, "TANGENT")?
            .map(same_count)
            .transpose()?;
        let uvs = get(Semantic::TexCoords(0), "TEXCOORD_0")?
            .map(same_count)
            .transpose()?;
        let mut influences = vec![Vec::new(); count];
        for set in 0..2 {
            let joints = get(Semantic::Joints(set), &format!("JOINTS_{set}"))?;
            let weights = get(Semantic::Weights(set), &format!("WEIGHTS_{set}"))?;
            match (joints, weights) {
                (Some(joints), Some(weights)) => {
                    let weights = same_count(weights)?.expect_fractions()?;
                    self.add_influences(&mut influences, &same_count(joints)?, &weights)?;
                }
                (None, None) if set > 0 => {}
                _ => {
                    return Err(GltfError::missing(
                        format_args!("{path}/attributes"),
                        &format!("JOINTS_{set} and WEIGHTS_{set}"),
                        "bind the mesh to its armature and export it again",
                    ));
                }
            }
        }

        let mesh = &mut self.mesh;
        mesh.positions
            .extend(new.iter().map(|&p| Vec3::from_array(p)));
        match normals {
            Some(normals) => mesh
                .normals
                .extend(normals.floats::<3>()?.iter().map(|&n| unit(n.into()))),
            None => mesh.normals.resize(first + count, Vec3::ZERO),
        }
        match tangents {
            Some(tangents) => mesh
                .tangents
                .extend(tangents.floats::<4>()?.iter().map(|&t| Vec4::from_array(t))),
            None => self.lacks[0] = true,
        }
        match uvs {
            Some(uvs) => mesh
                .uvs
                .extend(uvs.floats::<2>()?.iter().map(|&uv| Vec2::from_array(uv))),
            None => self.lacks[1] = true,
        }
        mesh.influences
            .extend(influences.iter().map(|pairs| strongest(pairs)));
        Ok((first as u32, count))
    }

    /// Adds one set of four to every vertex. Joints of weight 0 are not looked
    /// at: some exporters leave rubbish there.
    fn add_influences(
        &self,
        influences: &mut [Vec<(JointIndex, f32)>],
        joints: &Elements<'_>,
        weights: &Elements<'_>,
    ) -> Result<(), GltfError> {
        let weights = finite(&weights.floats::<4>()?, weights)?;
        let numbers = joints.whole::<4>()?;
        for (vertex, ((pairs, weights), numbers)) in
            influences.iter_mut().zip(weights).zip(numbers).enumerate()
        {
            for (weight, number) in weights.into_iter().zip(numbers) {
                match self.ours.get(number as usize) {
                    Some(&joint) => pairs.push((joint, weight)),
                    None if weight == 0.0 => pairs.push((JointIndex::default(), 0.0)),
                    None => {
                        return Err(GltfError::new(
                            GltfErrorKind::OutOfBounds,
                            joints.path(),
                            format_args!("joints below {}", self.ours.len()),
                            format_args!("joint {number} at vertex {vertex}"),
                            "JOINTS_0 counts in the skin's list of joints, not in the nodes",
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Indices of the corners, checked; without indices every vertex in turn.
    fn read_corners(
        &mut self,
        primitive: &Primitive,
        vertices: usize,
        path: &str,
    ) -> Result<Vec<u32>, GltfError> {
        let indices = primitive
            .indices
            .map(|accessor| {
                Elements::new(self.document, accessor.value(), &format!("{path}/indices"))
            })
            .transpose()?;
        let count = indices.as_ref().map_or(vertices, Elements::count);
        self.corners = self.corners.saturating_add(count);
        limit(self.corners, MOST_CORNERS, "corners", path)?;
        let Some(indices) = indices else {
            return Ok((0..vertices as u32).collect());
        };
        let corners: Vec<u32> = indices.whole::<1>()?.into_iter().flatten().collect();
        match corners
            .iter()
            .position(|&corner| corner as usize >= vertices)
        {
            None => Ok(corners),
            Some(at) => Err(GltfError::new(
                GltfErrorKind::OutOfBounds,
                indices.path(),
                format_args!("indices below {vertices}"),
                format_args!("{} at place {at}", corners[at]),
                "the indices belong to another mesh or are damaged; export the file again",
            )),
        }
    }

    fn finish(self) -> Mesh {
        let mut mesh = self.mesh;
        if self.lacks[0] {
            mesh.tangents.clear();
        }
        if self.lacks[1] {
            mesh.uvs.clear();
        }
        fill_normals(&mut mesh);
        mesh
    }
}

/// As stored if it is a unit vector to four digits, else made one; zero if that
/// cannot be.
fn unit(normal: Vec3) -> Vec3 {
    if (normal.length() - 1.0).abs() < 1e-4 {
        normal
    } else {
        normal.normalize_or_zero()
    }
}

/// As stored if there are eight or fewer; of more, the strongest eight,
/// renormalised.
fn strongest(pairs: &[(JointIndex, f32)]) -> Influences {
    if pairs.len() <= LANES {
        Influences::new(pairs)
    } else {
        Influences::new(&keep_strongest(pairs, LANES))
    }
}

fn finite<const N: usize>(
    values: &[[f32; N]],
    elements: &Elements<'_>,
) -> Result<Vec<[f32; N]>, GltfError> {
    match values
        .iter()
        .position(|value| !value.iter().all(|x| x.is_finite()))
    {
        None => Ok(values.to_vec()),
        Some(at) => Err(GltfError::new(
            GltfErrorKind::Invalid,
            elements.path(),
            "finite numbers",
            format_args!("NaN or infinity in element {at}"),
            "repair the mesh in the modelling program and export it again",
        )),
    }
}

fn limit(count: usize, most: usize, what: &str, path: &str) -> Result<(), GltfError> {
    if count <= most {
        return Ok(());
    }
    Err(GltfError::new(
        GltfErrorKind::TooLarge,
        path,
        format_args!("at most {most} {what}"),
        count,
        "open a smaller model",
    ))
}
