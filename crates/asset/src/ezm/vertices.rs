//! One vertex buffer: numbers in the order that its `semantic` gives.

use glam::{Mat4, Vec2, Vec3, Vec4};
use roxmltree::Node;

use super::error::EzmErrorKind as Kind;
use super::skeleton::{EzmTransform, placed};
use super::xml::{XmlPlace, XmlReader, children, items, text, tokens};

/// Vertices of all meshes together.
pub(super) const MOST_VERTICES: usize = 1 << 23;
/// Numbers in one vertex; the whole format has 41.
const MOST_NUMBERS: usize = 64;

/// A vertex buffer as stored; lists are empty where it lacks them.
#[derive(Default)]
pub(super) struct EzmVertices {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) tangents: Vec<Vec3>,
    pub(super) binormals: Vec<Vec3>,
    pub(super) uvs: Vec<Vec2>,
    /// Linear RGBA.
    pub(super) colors: Vec<Vec4>,
    pub(super) weights: Vec<[f32; 4]>,
    /// Places in the skeleton, and where each vertex begins in the file.
    pub(super) bones: Vec<[f64; 4]>,
    pub(super) begins: Vec<Option<usize>>,
}

/// What some numbers of a vertex are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Semantic {
    Position,
    Normal,
    Color,
    Texcoord,
    Tangent,
    Binormal,
    Weights,
    Indices,
    Ignored,
}

struct VertexField {
    semantic: Semantic,
    /// Where it begins in a vertex, and how many tokens it has.
    first: usize,
    width: usize,
}

/// Reads the buffer; `None` after a fault. `room` is how many vertices may still
/// be held.
pub(super) fn vertices<'d>(
    reader: &mut XmlReader<'d>,
    buffer: Node<'d, 'd>,
    room: usize,
) -> Option<EzmVertices> {
    let fields = fields(reader, buffer)?;
    let width = fields.last().map_or(0, |last| last.first + last.width);
    let (text, begins) = text(buffer);
    let count = items(&text).count();
    if !reader.counted(buffer, "count", "vertices", count) {
        return None;
    }
    if count > room {
        let wrong = Kind::TooLarge
            .expected(format_args!("at most {MOST_VERTICES} vertices in all"), "more");
        reader.fault(XmlPlace::Element(buffer), wrong.help("open a smaller model"));
        return None;
    }
    let place = |offset: usize| XmlPlace::Text(buffer, begins.map(|start| start + offset));
    if let Some((vertex, (offset, found))) =
        items(&text).enumerate().find(|(_, (_, found))| *found != width)
    {
        let wrong = Kind::Number
            .expected(format_args!("{width} numbers at vertex {vertex}, as ctype says"), found);
        return reader.damaged(place(offset), wrong);
    }
    let mut vertices = EzmVertices::default();
    let mut row = Vec::with_capacity(width);
    let mut row_begins = 0;
    for (offset, token) in tokens(&text) {
        if row.is_empty() {
            row_begins = offset;
        }
        let is_color = fields
            .iter()
            .any(|field| field.semantic == Semantic::Color && field.first == row.len());
        let number = if is_color {
            u32::from_str_radix(token, 16).ok().map(f64::from)
        } else {
            token.parse::<f64>().ok().filter(|x| (*x as f32).is_finite())
        };
        let Some(number) = number else {
            reader.no_number(place(offset), token);
            return None;
        };
        row.push(number);
        if row.len() == width {
            vertices.push(&fields, &row);
            vertices.begins.push(begins.map(|start| start + row_begins));
            row.clear();
        }
    }
    Some(vertices)
}

/// `ctype` and `semantic`, word by word.
fn fields<'d>(reader: &mut XmlReader<'d>, buffer: Node<'d, 'd>) -> Option<Vec<VertexField>> {
    let semantics: Vec<&str> = reader.required(buffer, "semantic")?.split_whitespace().collect();
    let types: Vec<&str> = reader.required(buffer, "ctype")?.split_whitespace().collect();
    if semantics.len() != types.len() {
        let wrong = Kind::Format
            .expected(format_args!("{} words, as semantic has", semantics.len()), types.len());
        return reader.damaged(XmlPlace::Attribute(buffer, "ctype"), wrong);
    }
    let mut fields: Vec<VertexField> = Vec::new();
    let mut first = 0;
    for (&name, &kind) in semantics.iter().zip(&types) {
        let (semantic, expected) = known(name);
        if expected.is_some_and(|expected| expected != kind) {
            let wrong = Kind::Format.expected(
                format_args!("{} for {name}", expected.unwrap_or_default()),
                format_args!("“{kind}”"),
            );
            return reader.damaged(XmlPlace::Attribute(buffer, "ctype"), wrong);
        }
        let twice =
            fields.iter().any(|field| field.semantic == semantic && semantic != Semantic::Ignored);
        if twice {
            let wrong =
                Kind::Repeated.expected("each semantic once", format_args!("“{name}” twice"));
            return reader.damaged(XmlPlace::Attribute(buffer, "semantic"), wrong);
        }
        if semantic == Semantic::Ignored {
            ignored(reader, buffer, name);
        }
        let width = if kind == "x4" { 1 } else { kind.len() };
        fields.push(VertexField { semantic, first, width });
        first += width;
    }
    if first > MOST_NUMBERS {
        let wrong =
            Kind::TooLarge.expected(format_args!("at most {MOST_NUMBERS} numbers a vertex"), first);
        return reader.damaged(XmlPlace::Attribute(buffer, "ctype"), wrong);
    }
    let has = |semantic| fields.iter().any(|field| field.semantic == semantic);
    let lacks = if !has(Semantic::Position) {
        "position"
    } else if has(Semantic::Weights) && !has(Semantic::Indices) {
        "blendindices beside blendweights"
    } else if has(Semantic::Indices) && !has(Semantic::Weights) {
        "blendweights beside blendindices"
    } else {
        return Some(fields);
    };
    let wrong = Kind::Missing.expected(lacks, "nothing");
    reader.damaged(XmlPlace::Attribute(buffer, "semantic"), wrong)
}

/// What a semantic is, and the type it has.
fn known(name: &str) -> (Semantic, Option<&'static str>) {
    match name {
        "position" => (Semantic::Position, Some("fff")),
        "normal" => (Semantic::Normal, Some("fff")),
        "color" => (Semantic::Color, Some("x4")),
        "texcoord1" => (Semantic::Texcoord, Some("ff")),
        "tangent" => (Semantic::Tangent, Some("fff")),
        "binormal" => (Semantic::Binormal, Some("fff")),
        "blendweights" => (Semantic::Weights, Some("ffff")),
        "blendindices" => (Semantic::Indices, Some("hhhh")),
        _ => (Semantic::Ignored, None),
    }
}

fn ignored<'d>(reader: &mut XmlReader<'d>, buffer: Node<'d, 'd>, name: &str) {
    reader.finding(
        "EZM_SEMANTIC_IGNORED",
        XmlPlace::Attribute(buffer, "semantic"),
        ["what skinning and drawing use", &format!("“{name}”"), "it is passed over"],
    );
}

impl EzmVertices {
    fn push(&mut self, fields: &[VertexField], row: &[f64]) {
        for field in fields {
            let numbers = &row[field.first..field.first + field.width];
            let x = |at: usize| numbers.get(at).copied().unwrap_or(0.0) as f32;
            let vector = || Vec3::new(x(0), x(1), x(2));
            match field.semantic {
                Semantic::Position => self.positions.push(vector()),
                Semantic::Normal => self.normals.push(unit(vector())),
                Semantic::Tangent => self.tangents.push(vector().normalize_or_zero()),
                Semantic::Binormal => self.binormals.push(vector()),
                Semantic::Texcoord => self.uvs.push(Vec2::new(x(0), x(1))),
                Semantic::Color => self.colors.push(linear(numbers[0] as u32)),
                Semantic::Weights => self.weights.push([x(0), x(1), x(2), x(3)]),
                Semantic::Indices => self.bones.push(std::array::from_fn(|lane| numbers[lane])),
                Semantic::Ignored => {}
            }
        }
    }
}

/// As stored if it is a unit vector to four digits, else made one; zero if that
/// cannot be.
fn unit(normal: Vec3) -> Vec3 {
    if (normal.length() - 1.0).abs() < 1e-4 { normal } else { normal.normalize_or_zero() }
}

/// Linear RGBA from AARRGGBB, whose colours are sRGB (IEC 61966-2-1).
fn linear(argb: u32) -> Vec4 {
    let [alpha, red, green, blue] = argb.to_be_bytes().map(|byte| f32::from(byte) / 255.0);
    let decode = |x: f32| {
        if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    };
    Vec4::new(decode(red), decode(green), decode(blue), alpha)
}

// Where meshes stand.

/// Every place of every mesh: its instances, or the origin where it has none.
pub(super) fn places<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    meshes: &[ReadMesh<'d>],
) -> Vec<(usize, EzmTransform, Node<'d, 'd>)> {
    let mut places: Vec<Vec<(EzmTransform, Node<'d, 'd>)>> =
        meshes.iter().map(|_| Vec::new()).collect();
    for section in children(root, "MeshInstances") {
        let there = children(section, "MeshInstance").count();
        reader.counted_loosely(section, "count", "mesh instances", there);
        for node in children(section, "MeshInstance") {
            let Some(name) = reader.required(node, "mesh") else {
                continue;
            };
            let mut found = meshes.iter().enumerate();
            let Some((mesh, stored)) = found.find(|(_, mesh)| mesh.name == Some(name)) else {
                if reader.error.is_empty() {
                    let wrong = Kind::Dangling
                        .expected("the name of a mesh of the file", format_args!("“{name}”"))
                        .help("name a mesh, or take the instance away");
                    reader.fault(XmlPlace::Attribute(node, "mesh"), wrong);
                }
                continue;
            };
            if meshes.iter().filter(|mesh| mesh.name == Some(name)).count() > 1 {
                let wrong = Kind::Repeated
                    .expected(
                        "a name of its own for each mesh that has instances",
                        format_args!("“{name}” several times"),
                    )
                    .help("instances refer to meshes by name: rename all but one");
                reader.fault(XmlPlace::Attribute(stored.node, "name"), wrong);
                continue;
            }
            let local = placed(reader, node, ["position", "rotation", "scale"]);
            if stored.skeleton.is_none() {
                places[mesh].push((local, node));
            } else {
                skinned_instance(reader, node, local, places[mesh].is_empty());
                if places[mesh].is_empty() {
                    places[mesh].push((EzmTransform::IDENTITY, node));
                }
            }
        }
    }
    let with_mesh = places.into_iter().enumerate();
    with_mesh
        .flat_map(|(mesh, mut places)| {
            if places.is_empty() {
                places.push((EzmTransform::IDENTITY, meshes[mesh].node));
            }
            places.into_iter().map(move |(local, node)| (mesh, local, node))
        })
        .collect()
}

/// Bones alone say where a skinned mesh stands, as in glTF.
fn skinned_instance<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    local: EzmTransform,
    first: bool,
) {
    if first && local.trs().matrix().abs_diff_eq(Mat4::IDENTITY, 1e-6) {
        return;
    }
    reader.finding(
        "EZM_INSTANCE_OF_SKINNED_MESH",
        XmlPlace::Element(node),
        [
            "one instance at the origin, as bones say where the mesh stands",
            if first { "one that is moved" } else { "another one" },
            "it is passed over",
        ],
    );
}

// A mesh as it is stored, before it stands anywhere.

/// Its vertices and sections.
pub(super) struct ReadMesh<'d> {
    pub(super) node: Node<'d, 'd>,
    pub(super) name: Option<&'d str>,
    /// Its place among the skeletons; `None`: it moves as a whole.
    pub(super) skeleton: Option<usize>,
    pub(super) vertices: EzmVertices,
    pub(super) sections: Vec<MeshSection>,
}

pub(super) struct MeshSection {
    pub(super) material: Option<usize>,
    pub(super) triangles: Vec<[u32; 3]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_alpha_first_and_become_linear() {
        assert_eq!(linear(0xFFFF_FFFF), Vec4::ONE);
        let half = linear(0x80FF_0080);
        assert!((half.w - 128.0 / 255.0).abs() < 1e-6);
        assert_eq!((half.x, half.y), (1.0, 0.0));
        assert!((half.z - 0.215_86).abs() < 1e-4, "{half}");
    }
}
