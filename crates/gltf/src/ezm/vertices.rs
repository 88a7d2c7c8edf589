//! Vertex buffers: numbers in the order that `semantic` gives.

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Influences, JointIndex};
use glam::{DVec2, DVec3, Vec2, Vec3, Vec4};
use roxmltree::Node;

use super::skeleton::ReadSkeleton;
use super::xml::{ElementText, XmlPlace, XmlReader, invalid_number, items, tokens};
use crate::read_error::{code, read_error};

/// Limit for the vertices of all meshes together.
pub(super) const MAX_VERTICES: usize = 1 << 23;
/// Limit for the numbers of one vertex. The whole format has 41.
const MAX_NUMBERS_PER_VERTEX: usize = 64;

/// The vertices of a mesh. Lists are empty if the buffer lacks them.
#[derive(Default)]
pub(super) struct EzmVertices {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) uvs: Vec<Vec2>,
    /// Linear RGBA.
    pub(super) colors: Vec<Vec4>,
    /// With the stored weights, which may not be normalized.
    pub(super) influences: Vec<Influences>,
}

/// The meaning of some numbers of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Semantic {
    Position,
    Normal,
    Color,
    Texcoord,
    Weights,
    Indices,
    Ignored,
}

struct VertexField {
    semantic: Semantic,
    /// Index of the first number in a vertex.
    first: usize,
    width: usize,
}

/// The fields of a vertex buffer.
pub(super) struct VertexFields(Vec<VertexField>);

impl VertexFields {
    /// Parses `ctype` and `semantic`, word by word. Returns `None` after an error.
    pub(super) fn read<'d>(reader: &mut XmlReader<'d>, buffer: Node<'d, 'd>) -> Option<Self> {
        let semantics: Vec<&str> =
            reader.required(buffer, "semantic")?.split_whitespace().collect();
        let types: Vec<&str> = reader.required(buffer, "ctype")?.split_whitespace().collect();
        let at_type = XmlPlace::Attribute(buffer, "ctype");
        let at_semantic = XmlPlace::Attribute(buffer, "semantic");
        if semantics.len() != types.len() {
            let word_count = semantics.len();
            let expected = format_args!("{word_count} words, as semantic has");
            let error = read_error(code::EZM_FORMAT, expected, types.len());
            return reader.fail(at_type, error);
        }
        let mut fields = Self(Vec::new());
        for (&name, &stored_type) in semantics.iter().zip(&types) {
            let (semantic, expected_type) = parse_semantic(name);
            if let Some(expected_type) = expected_type
                && expected_type != stored_type
            {
                let expected = format_args!("{expected_type} for {name}");
                let found = format_args!("“{stored_type}”");
                return reader.fail(at_type, read_error(code::EZM_FORMAT, expected, found));
            }
            if semantic == Semantic::Ignored {
                let note = Diagnostic {
                    severity: Severity::Note,
                    title: "Vertices hold something that is not shown".to_owned(),
                    effect: "it is passed over".to_owned(),
                    ..read_error(
                        "EZM_SEMANTIC_IGNORED",
                        "what skinning and drawing use",
                        format_args!("“{name}”"),
                    )
                };
                reader.add_note(at_semantic, note);
            } else if fields.has(semantic) {
                let found = format_args!("“{name}” twice");
                let error = read_error(code::EZM_REPEATED, "each semantic once", found);
                return reader.fail(at_semantic, error);
            }
            // A colour is a single hexadecimal number.
            let width = if stored_type == "x4" { 1 } else { stored_type.len() };
            fields.0.push(VertexField { semantic, first: fields.width(), width });
        }
        let max = MAX_NUMBERS_PER_VERTEX;
        if !reader.check_limit(at_type, max, "numbers a vertex", fields.width()) {
            return None;
        }
        let missing = if !fields.has(Semantic::Position) {
            "position"
        } else if fields.has(Semantic::Weights) && !fields.has(Semantic::Indices) {
            "blendindices beside blendweights"
        } else if fields.has(Semantic::Indices) && !fields.has(Semantic::Weights) {
            "blendweights beside blendindices"
        } else {
            return Some(fields);
        };
        reader.fail(at_semantic, read_error(code::EZM_MISSING, missing, "nothing"))
    }

    /// Returns whether vertices have weights and indices of bones.
    pub(super) fn has_influences(&self) -> bool {
        self.has(Semantic::Weights)
    }

    fn has(&self, semantic: Semantic) -> bool {
        self.0.iter().any(|field| field.semantic == semantic)
    }

    /// Returns the count of numbers in a vertex.
    fn width(&self) -> usize {
        self.0.last().map_or(0, |last| last.first + last.width)
    }

    /// Returns the numbers of a vertex with a meaning.
    fn numbers<'a>(&self, semantic: Semantic, vertex: &'a [f64]) -> Option<&'a [f64]> {
        let field = self.0.iter().find(|field| field.semantic == semantic)?;
        vertex.get(field.first..field.first + field.width)
    }
}

/// Returns the meaning of a word, and its type.
fn parse_semantic(name: &str) -> (Semantic, Option<&'static str>) {
    match name {
        "position" => (Semantic::Position, Some("fff")),
        "normal" => (Semantic::Normal, Some("fff")),
        "color" => (Semantic::Color, Some("x4")),
        "texcoord1" => (Semantic::Texcoord, Some("ff")),
        "blendweights" => (Semantic::Weights, Some("ffff")),
        "blendindices" => (Semantic::Indices, Some("hhhh")),
        _ => (Semantic::Ignored, None),
    }
}

/// Reads the numbers of a vertex buffer. Influences are those on `skeleton`. `count_before` is the
/// number of vertices in other buffers. Returns `None` after an error.
pub(super) fn read_vertices<'d>(
    reader: &mut XmlReader<'d>,
    buffer: Node<'d, 'd>,
    fields: &VertexFields,
    skeleton: Option<&ReadSkeleton<'d>>,
    count_before: usize,
) -> Option<EzmVertices> {
    let width = fields.width();
    let text = ElementText::new(buffer);
    let count = items(&text.text).count();
    let total_count = count_before + count;
    let at = XmlPlace::Element(buffer);
    if !reader.check_count(buffer, "count", "vertices", count)
        || !reader.check_limit(at, MAX_VERTICES, "vertices in all", total_count)
    {
        return None;
    }
    if let Some((vertex, (offset, found))) =
        items(&text.text).enumerate().find(|(_, (_, found))| *found != width)
    {
        let expected = format_args!("{width} numbers at vertex {vertex}, as ctype says");
        return reader.fail(text.place(offset), read_error(code::EZM_NUMBER, expected, found));
    }
    let color = fields.0.iter().find(|field| field.semantic == Semantic::Color);
    let color_index = color.map(|field| field.first);
    let mut vertices = EzmVertices::default();
    let mut vertex = Vec::with_capacity(width);
    let mut vertex_place = at;
    for (offset, token) in tokens(&text.text) {
        let token_place = text.place(offset);
        if vertex.is_empty() {
            vertex_place = token_place;
        }
        let number = if color_index == Some(vertex.len()) {
            match u32::from_str_radix(token, 16) {
                Ok(color) => f64::from(color),
                Err(_) => return reader.fail(token_place, invalid_number(token)),
            }
        } else {
            reader.number(token_place, token)?
        };
        vertex.push(number);
        if vertex.len() < width {
            continue;
        }
        if let Some(skeleton) = skeleton {
            match read_influences(fields, &vertex, skeleton) {
                Ok(influences) => vertices.influences.push(influences),
                Err(bone) => {
                    let expected = format_args!("blendindices of one of {} bones", skeleton.count);
                    let found = format_args!("{bone} at vertex {}", vertices.positions.len());
                    let error = read_error(code::EZM_DANGLING, expected, found)
                        .help("they count the bones of the mesh’s skeleton, from 0");
                    return reader.fail(vertex_place, error);
                }
            }
        }
        vertices.push(fields, &vertex);
        vertex.clear();
    }
    Some(vertices)
}

/// Returns the influences of a vertex, or the index of a bone that does not exist.
fn read_influences(
    fields: &VertexFields,
    vertex: &[f64],
    skeleton: &ReadSkeleton<'_>,
) -> Result<Influences, f64> {
    let weights = fields.numbers(Semantic::Weights, vertex).unwrap_or_default();
    let bones = fields.numbers(Semantic::Indices, vertex).unwrap_or_default();
    let mut pairs = [(JointIndex::default(), 0.0); 4];
    for (pair, (&weight, &bone)) in pairs.iter_mut().zip(weights.iter().zip(bones)) {
        if bone >= 0.0 && bone.fract() == 0.0 && bone < skeleton.count as f64 {
            *pair = (JointIndex((skeleton.first + bone as usize) as u16), weight as f32);
        } else if weight != 0.0 {
            // Indices without weight have any value.
            return Err(bone);
        }
    }
    Ok(Influences::new(&pairs))
}

impl EzmVertices {
    /// Adds a vertex without its influences.
    fn push(&mut self, fields: &VertexFields, vertex: &[f64]) {
        for field in &fields.0 {
            let numbers = &vertex[field.first..field.first + field.width];
            match field.semantic {
                Semantic::Position => self.positions.push(DVec3::from_slice(numbers).as_vec3()),
                Semantic::Normal => {
                    self.normals.push(to_unit(DVec3::from_slice(numbers).as_vec3()));
                }
                Semantic::Texcoord => self.uvs.push(DVec2::from_slice(numbers).as_vec2()),
                Semantic::Color => self.colors.push(linear_color(numbers[0] as u32)),
                Semantic::Weights | Semantic::Indices | Semantic::Ignored => {}
            }
        }
    }
}

/// Returns a unit vector as stored, to keep its digits, and others normalized. Returns zero if
/// that is impossible.
fn to_unit(normal: Vec3) -> Vec3 {
    if (normal.length() - 1.0).abs() < 1e-4 { normal } else { normal.normalize_or_zero() }
}

/// Converts AARRGGBB in sRGB (IEC 61966-2-1) to linear RGBA.
fn linear_color(argb: u32) -> Vec4 {
    let [alpha, red, green, blue] = argb.to_be_bytes().map(|byte| f32::from(byte) / 255.0);
    let [red, green, blue] = [red, green, blue]
        .map(|x: f32| if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) });
    Vec4::new(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_alpha_first_and_become_linear() {
        assert_eq!(linear_color(0xFFFF_FFFF), Vec4::ONE);
        let half = linear_color(0x80FF_0080);
        assert!((half.w - 128.0 / 255.0).abs() < 1e-6);
        assert_eq!((half.x, half.y), (1.0, 0.0));
        assert!((half.z - 0.215_86).abs() < 1e-4, "{half}");
    }
}
