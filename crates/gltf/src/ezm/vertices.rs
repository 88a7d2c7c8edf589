//! Vertex buffers: rows of numbers in the order that `semantic` gives.

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Influences, JointIndex};
use glam::{DVec2, DVec3, Vec2, Vec3};
use roxmltree::Node;

use super::xml::{RowText, XmlPlace, XmlReader};
use crate::Mesh;
use crate::read_error::{code, read_error};

/// Limit for the vertices of a file.
const MAX_VERTICES: usize = 1 << 23;
/// Limit for the numbers of one vertex. The whole format has 41.
const MAX_NUMBERS_PER_VERTEX: usize = 64;
/// Positions, normals, texture coordinates, influences, and the corners of two triangles.
const BYTES_PER_VERTEX: usize = 116;

/// Indices of the numbers that are read, in the row of a vertex: the first of each attribute.
#[derive(Default)]
pub(super) struct VertexFields {
    position: Option<usize>,
    normal: Option<usize>,
    uv: Option<usize>,
    weights: Option<usize>,
    bones: Option<usize>,
    /// Count of all numbers of a vertex.
    width: usize,
}

impl VertexFields {
    /// Parses `ctype` and `semantic`, word by word. Returns `None` after an error.
    pub(super) fn read<'d>(reader: &mut XmlReader<'d>, buffer: Node<'d, 'd>) -> Option<Self> {
        let semantics: Vec<&str> =
            reader.required(buffer, "semantic")?.split_whitespace().collect();
        let types: Vec<&str> = reader.required(buffer, "ctype")?.split_whitespace().collect();
        let at_type = XmlPlace::Attribute(buffer, "ctype");
        let at_semantic = XmlPlace::Attribute(buffer, "semantic");
        if semantics.len() != types.len() {
            let expected = format!("{} words, as semantic has", semantics.len());
            return reader.fail(at_type, read_error(code::EZM_FORMAT, expected, types.len()));
        }
        let mut fields = Self::default();
        for (&semantic, &stored_type) in semantics.iter().zip(&types) {
            // A colour is a single hexadecimal number.
            let width = if stored_type == "x4" { 1 } else { stored_type.len() };
            let first = fields.width;
            fields.width += width;
            let (field, expected_type) = match semantic {
                "position" => (&mut fields.position, "fff"),
                "normal" => (&mut fields.normal, "fff"),
                "texcoord1" => (&mut fields.uv, "ff"),
                "blendweights" => (&mut fields.weights, "ffff"),
                "blendindices" => (&mut fields.bones, "hhhh"),
                _ => {
                    reader.add_note(at_semantic, ignored_semantic(semantic));
                    continue;
                }
            };
            if stored_type != expected_type {
                let expected = format_args!("{expected_type} for {semantic}");
                let found = format_args!("“{stored_type}”");
                return reader.fail(at_type, read_error(code::EZM_FORMAT, expected, found));
            }
            if field.replace(first).is_some() {
                let found = format_args!("“{semantic}” twice");
                let error = read_error(code::EZM_REPEATED, "each semantic once", found);
                return reader.fail(at_semantic, error);
            }
        }
        if !reader.check_limit(at_type, MAX_NUMBERS_PER_VERTEX, "numbers a vertex", fields.width) {
            return None;
        }
        let missing = match (&fields.position, &fields.weights, &fields.bones) {
            (None, _, _) => "position",
            (_, Some(_), None) => "blendindices beside blendweights",
            (_, None, Some(_)) => "blendweights beside blendindices",
            _ => return Some(fields),
        };
        reader.fail(at_semantic, read_error(code::EZM_MISSING, missing, "nothing"))
    }

    pub(super) fn has_influences(&self) -> bool {
        self.weights.is_some()
    }

    /// Returns whether the number at an index of a row is read.
    fn is_read(&self, index: usize) -> bool {
        let attributes = [
            (self.position, 3),
            (self.normal, 3),
            (self.uv, 2),
            (self.weights, 4),
            (self.bones, 4),
        ];
        attributes.into_iter().any(|(first, width)| {
            first.is_some_and(|first| (first..first + width).contains(&index))
        })
    }
}

fn ignored_semantic(semantic: &str) -> Diagnostic {
    let expected = "what skinning and drawing use";
    Diagnostic {
        severity: Severity::Note,
        title: "Vertices hold something that is not shown".to_owned(),
        effect: "it is passed over".to_owned(),
        ..read_error("EZM_SEMANTIC_IGNORED", expected, format_args!("“{semantic}”"))
    }
}

/// Adds the vertices of a buffer to a mesh. Returns `None` after an error.
pub(super) fn read_vertices<'d>(
    reader: &mut XmlReader<'d>,
    buffer: Node<'d, 'd>,
    fields: &VertexFields,
    bone_count: usize,
    mesh: &mut Mesh,
) -> Option<()> {
    let text = RowText::new(buffer);
    let count = text.rows().count();
    let at_buffer = XmlPlace::Element(buffer);
    let all_count = mesh.positions.len() + count;
    if !reader.check_count(buffer, "count", "vertices", count)
        || !reader.check_limit(at_buffer, MAX_VERTICES, "vertices", all_count)
        || !reader.check_memory(at_buffer, count, BYTES_PER_VERTEX)
    {
        return None;
    }
    if fields.uv.is_some() {
        mesh.uvs.resize(mesh.positions.len(), Vec2::ZERO);
    }
    let is_read: Vec<bool> = (0..fields.width).map(|index| fields.is_read(index)).collect();
    let mut numbers = vec![0.0; fields.width];
    for (vertex, (at, row)) in text.rows().enumerate() {
        reader.check_width(at, row, fields.width)?;
        for (index, token) in row.split_ascii_whitespace().enumerate() {
            if is_read[index] {
                numbers[index] = reader.number(at, token)?;
            }
        }
        if let Some(first) = fields.position {
            mesh.positions.push(vector_at(first, &numbers));
        }
        let normal = fields.normal.map(|first| to_unit(vector_at(first, &numbers)));
        mesh.normals.push(normal.unwrap_or_default());
        if let Some(first) = fields.uv {
            mesh.uvs.push(DVec2::from_slice(&numbers[first..]).as_vec2());
        }
        if let (Some(weights), Some(bones)) = (fields.weights, fields.bones) {
            match to_influences(&numbers[weights..], &numbers[bones..], bone_count) {
                Ok(influences) => {
                    mesh.stored_sums.push(influences.sum());
                    mesh.influences.push(influences.normalized());
                }
                Err(bone) => {
                    let expected = format_args!("blendindices of one of {bone_count} bones");
                    let found = format_args!("{bone} at vertex {vertex}");
                    let error = read_error(code::EZM_DANGLING, expected, found)
                        .help("they count the bones of the mesh’s skeleton, from 0");
                    return reader.fail(at, error);
                }
            }
        }
    }
    Some(())
}

/// Returns the influences by the first four weights and bones, or the index of a bone that does
/// not exist.
fn to_influences(weights: &[f64], bones: &[f64], bone_count: usize) -> Result<Influences, f64> {
    let mut pairs = [(JointIndex::default(), 0.0); 4];
    for (pair, (&weight, &bone)) in pairs.iter_mut().zip(weights.iter().zip(bones)) {
        if bone >= 0.0 && bone.fract() == 0.0 && bone < bone_count as f64 {
            *pair = (JointIndex(bone as u16), weight as f32);
        } else if weight != 0.0 {
            // Indices without weight have any value.
            return Err(bone);
        }
    }
    Ok(Influences::new(&pairs))
}

fn vector_at(first: usize, numbers: &[f64]) -> Vec3 {
    DVec3::from_slice(&numbers[first..]).as_vec3()
}

/// Returns a unit vector as stored, to keep its digits, and others normalized. Returns zero if
/// that is impossible.
fn to_unit(normal: Vec3) -> Vec3 {
    if (normal.length() - 1.0).abs() < 1e-4 { normal } else { normal.normalize_or_zero() }
}
