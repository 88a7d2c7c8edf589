//! The report of `bindpose skin` and its output as JSON, CSV and text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bindpose_diagnostic::{Diagnostic, printable, short_number};
use bindpose_gltf::{ClipAt, JointRole, MeshPart, MovedVertices, Rig};
use bindpose_notebook::export::csv_field;
use bindpose_skin::{Method, joint_matrices};
use glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

use crate::cli::arguments::rig_name;

/// The pose of the rig and the selection of its parts that a report is about.
pub(super) struct SkinQuery<'a> {
    /// Parameter values. The last one of a name counts.
    pub(super) values: &'a [(String, f64)],
    /// The animation clip that plays, if any.
    pub(super) clip: Option<ClipAt>,
    pub(super) method: Method,
    /// Restricts the meshes to those of one skin.
    pub(super) skin: Option<usize>,
    pub(super) vertices: &'a [usize],
}

impl SkinQuery<'_> {
    fn param_value(&self, name: &str) -> Option<f64> {
        let (_, value) = self.values.iter().rev().find(|(other, _)| other == name)?;
        Some(*value)
    }
}

/// The numbers of a posed rig.
pub(super) struct SkinReport {
    rig: String,
    /// Values of all parameters by name. Angles are in radians.
    params: BTreeMap<String, f64>,
    /// The same as text, with angles also in degrees.
    params_text: String,
    joints: Vec<SkinJointRow>,
    vertices: Vec<VertexRow>,
    /// Meshes of the file. Empty for rigs made in memory.
    meshes: Vec<MeshRow>,
    /// Parts of the file that were left out when it was read.
    notes: Vec<Diagnostic>,
}

/// Matrices are column-major.
#[derive(Debug, Serialize)]
struct SkinJointRow {
    name: String,
    /// Index of the parent. `null` for a root.
    parent: Option<u16>,
    /// `false` for a node above joints or meshes that the file does not list as a joint.
    of_skin: bool,
    #[serde(flatten)]
    matrices: Quantities<16, 4>,
}

#[derive(Debug, Serialize)]
struct VertexRow {
    index: usize,
    #[serde(flatten)]
    vectors: Quantities<3, 3>,
}

/// `COUNT` named quantities of `NUMBERS` numbers each. Serialized as a map.
#[derive(Debug)]
struct Quantities<const NUMBERS: usize, const COUNT: usize>(
    [(&'static str, [f32; NUMBERS]); COUNT],
);

impl<const NUMBERS: usize, const COUNT: usize> Serialize for Quantities<NUMBERS, COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, numbers)| (name, &numbers[..])))
    }
}

/// A primitive of a mesh as one node shows it.
#[derive(Serialize)]
struct MeshRow {
    /// Index of the node in the file.
    node: u32,
    /// Index of the primitive in its mesh.
    primitive: usize,
    /// Index of the skin. `null` if only the node moves the mesh.
    skin: Option<usize>,
    /// Nodes of the skin's joints. Empty without a skin.
    joints: Vec<u32>,
    /// World matrix times inverse bind matrix of each joint, column-major.
    joint_matrices: Vec<[f32; 16]>,
    /// Index of its first vertex in the list of all vertices.
    first_vertex: u32,
    vertex_count: usize,
    /// In world space.
    positions: Vec<Vec3>,
    /// In world space, of unit length.
    normals: Vec<Vec3>,
    /// Smallest and largest sum of a vertex's weights, as stored in the file. Empty without a skin.
    weight_sums: Vec<f32>,
    #[serde(skip)]
    name: String,
}

impl SkinReport {
    /// Poses the rig and collects its numbers.
    pub(super) fn new(rig: &Rig, query: &SkinQuery<'_>) -> Self {
        let posed = rig.posed_in(query.clip.as_slice(), |name| query.param_value(name));
        let parent_from_joint = &posed.pose.parent_from_joint;
        let joint_from_bind = &posed.joint_from_bind;
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = joint_matrices(&world_from_joint, joint_from_bind);
        let joints = rig
            .skeleton
            .joints()
            .iter()
            .zip(rig.joint_roles())
            .enumerate()
            .map(|(index, (joint, role))| SkinJointRow {
                name: joint.name.clone(),
                parent: joint.parent.map(|parent| parent.0),
                of_skin: role != JointRole::Helper,
                matrices: Quantities([
                    ("parent_from_joint", parent_from_joint[index].matrix().to_cols_array()),
                    ("world_from_joint", world_from_joint[index].to_cols_array()),
                    ("joint_from_bind", joint_from_bind[index].to_cols_array()),
                    ("world_from_bind", world_from_bind[index].to_cols_array()),
                ]),
            })
            .collect();
        let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, query.method);
        let mut params = BTreeMap::new();
        for param in &rig.params {
            let value = query.param_value(&param.name).unwrap_or(param.default);
            params.insert(param.name.clone(), value);
        }
        Self {
            rig: rig_name(rig).to_owned(),
            params,
            params_text: format_params(rig, query),
            joints,
            vertices: query
                .vertices
                .iter()
                .map(|&index| VertexRow::new(rig, &moved, index))
                .collect(),
            meshes: rig
                .mesh
                .parts
                .iter()
                .filter(|part| query.skin.is_none() || part.skin == query.skin)
                .map(|part| MeshRow::new(rig, part, &world_from_bind, &moved))
                .collect(),
            notes: rig.left_out().cloned().collect(),
        }
    }

    /// Writes one JSON object with a line per joint, vertex, mesh and note.
    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"rig\":")?;
        serde_json::to_writer(&mut *out, &self.rig)?;
        write!(out, ",\n\"params\":")?;
        serde_json::to_writer(&mut *out, &self.params)?;
        write!(out, ",\n\"joints\":[")?;
        write_json_lines(out, &self.joints)?;
        write!(out, "],\n\"vertices\":[")?;
        write_json_lines(out, &self.vertices)?;
        write!(out, "],\n\"meshes\":[")?;
        write_json_lines(out, &self.meshes)?;
        write!(out, "],\n\"notes\":[")?;
        write_json_lines(out, &self.notes)?;
        writeln!(out, "]}}")
    }

    /// Writes a row per quantity. The last columns are empty for quantities of fewer than 16
    /// numbers.
    pub(super) fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns: Vec<String> = (0..16).map(|index| format!("n{index}")).collect();
        writeln!(out, "kind,index,name,parent,quantity,{}", columns.join(","))?;
        for (index, joint) in self.joints.iter().enumerate() {
            let name = csv_field(&joint.name);
            let parent = joint.parent.map_or(String::new(), |parent| parent.to_string());
            for (quantity, matrix) in &joint.matrices.0 {
                let numbers = csv_numbers(matrix);
                writeln!(out, "joint,{index},{name},{parent},{quantity},{numbers}")?;
            }
        }
        for vertex in &self.vertices {
            let index = vertex.index;
            for (quantity, vector) in &vertex.vectors.0 {
                let numbers = csv_numbers(vector);
                writeln!(out, "vertex,{index},,,{quantity},{numbers}")?;
            }
        }
        for (index, mesh) in self.meshes.iter().enumerate() {
            let name = csv_field(&mesh.name);
            let MeshRow { node, primitive, first_vertex, vertex_count, .. } = mesh;
            let numbers = format!("{node},{primitive},{first_vertex},{vertex_count}");
            let empty_columns = ",".repeat(12);
            let quantity = "node_primitive_first_vertex_vertex_count";
            writeln!(out, "mesh,{index},{name},,{quantity},{numbers}{empty_columns}")?;
        }
        Ok(())
    }

    /// Writes text with four decimals, matrices as written on paper.
    pub(super) fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}   {}", printable(&self.rig), self.params_text)?;
        for (index, joint) in self.joints.iter().enumerate() {
            let parent = match joint.parent {
                Some(parent) => format!("parent {parent}"),
                None => "no parent".to_owned(),
            };
            let name = printable(&joint.name);
            let kind = if joint.of_skin { "joint" } else { "node above joints" };
            writeln!(out, "\n{kind} {index} \"{name}\", {parent}")?;
            for pair in joint.matrices.0.chunks(2) {
                write_matrices(out, pair)?;
            }
        }
        if let Some(first) = self.vertices.first() {
            let names = first.vectors.0.map(|(name, _)| format!("  {name:^29}"));
            writeln!(out, "\nvertex{}", names.concat())?;
        }
        for vertex in &self.vertices {
            let vectors = vertex.vectors.0.map(|(_, numbers)| format_row(numbers));
            writeln!(out, "{:>6}{}", vertex.index, vectors.concat())?;
        }
        Ok(())
    }
}

/// Formats parameter values as `bend = 0.8 (45.84°), size = 1`, sorted by name.
fn format_params(rig: &Rig, query: &SkinQuery<'_>) -> String {
    let mut params = Vec::new();
    for param in &rig.params {
        let value = query.param_value(&param.name).unwrap_or(param.default);
        let name = printable(&param.name);
        params.push(if param.kind.is_angle() {
            let degrees = value.to_degrees();
            format!("{name} = {} ({degrees:.2}°)", short_number(value))
        } else {
            format!("{name} = {}", short_number(value))
        });
    }
    params.sort();
    params.join(", ")
}

impl VertexRow {
    fn new(rig: &Rig, moved: &MovedVertices, index: usize) -> Self {
        Self {
            index,
            vectors: Quantities([
                ("position_in_bind", vector_at(&rig.mesh.positions, index)),
                ("position_in_world", vector_at(&moved.positions, index)),
                ("normal_in_world", vector_at(&moved.normals, index)),
            ]),
        }
    }
}

/// Returns zeros past the end of the list.
fn vector_at(vectors: &[Vec3], index: usize) -> [f32; 3] {
    vectors.get(index).copied().unwrap_or(Vec3::ZERO).to_array()
}

impl MeshRow {
    fn new(rig: &Rig, part: &MeshPart, world_from_bind: &[Mat4], moved: &MovedVertices) -> Self {
        let vertices = part.vertices.start as usize..part.vertices.end as usize;
        let skin = match (&rig.origin, part.skin) {
            (Some(origin), Some(skin)) => origin.graph.skins.get(skin),
            _ => None,
        };
        let mut joints = Vec::new();
        let mut joint_matrices = Vec::new();
        if let Some(skin) = skin {
            joints.extend(skin.joints.iter().map(|node| node.0));
            for joint in &skin.ours {
                if let Some(matrix) = world_from_bind.get(joint.index()) {
                    joint_matrices.push(matrix.to_cols_array());
                }
            }
        }
        let sums = rig.mesh.stored_sums.get(vertices.clone()).unwrap_or_default();
        let weight_sums = if part.skin.is_some() && !sums.is_empty() {
            vec![
                sums.iter().copied().fold(f32::INFINITY, f32::min),
                sums.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            ]
        } else {
            Vec::new()
        };
        Self {
            node: part.node.0,
            primitive: part.primitive,
            skin: part.skin,
            joints,
            joint_matrices,
            first_vertex: part.vertices.start,
            vertex_count: vertices.len(),
            positions: moved.positions[vertices.clone()].to_vec(),
            normals: moved.normals[vertices].to_vec(),
            weight_sums,
            name: part.name.clone(),
        }
    }
}

fn write_json_lines<T: Serialize>(out: &mut dyn Write, rows: &[T]) -> io::Result<()> {
    for (index, row) in rows.iter().enumerate() {
        write!(out, "{}", if index == 0 { "\n" } else { ",\n" })?;
        serde_json::to_writer(&mut *out, row)?;
    }
    Ok(())
}

/// Writes column-major matrices side by side.
fn write_matrices(out: &mut dyn Write, matrices: &[(&str, [f32; 16])]) -> io::Result<()> {
    let titles: Vec<String> = matrices.iter().map(|(name, _)| format!("  {name:<39}")).collect();
    writeln!(out, "{}", titles.join(" ").trim_end())?;
    for row in 0..4 {
        let rows: Vec<String> = matrices
            .iter()
            .map(|(_, m)| format_row([m[row], m[4 + row], m[8 + row], m[12 + row]]))
            .collect();
        writeln!(out, "{}", rows.join(" "))?;
    }
    Ok(())
}

fn format_row<const N: usize>(numbers: [f32; N]) -> String {
    format!("  {}", numbers.map(format_number).join(" "))
}

/// Formats a number with four decimals in nine columns, and never as `-0.0000`. Uses scientific
/// notation if the number is too wide for its column.
fn format_number(value: f32) -> String {
    if value.is_finite() && value.abs() >= 1e8 {
        return format!("{value:9.2e}");
    }
    let text = format!("{value:9.4}");
    if text.trim_start() == "-0.0000" { format!("{:9.4}", 0.0) } else { text }
}

/// Formats numbers as 16 CSV fields, with the fewest digits that parse to the same `f32`.
fn csv_numbers(numbers: &[f32]) -> String {
    let mut fields: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    fields.resize(16, String::new());
    fields.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_numbers_parse_to_the_same_value() {
        for number in [0.1_f32, -0.696_706_7, 1e-30, 3.4e38, 16_777_216.0] {
            let text = csv_numbers(&[number]);
            let first = text.split(',').next().unwrap();
            assert_eq!(first.parse::<f32>().unwrap(), number, "{text}");
            assert_eq!(text.matches(',').count(), 15);
        }
    }

    #[test]
    fn csv_fields_quote_commas_and_quotes() {
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(csv_field("joint 0"), "joint 0");
    }

    #[test]
    fn table_numbers_keep_their_width_and_have_no_negative_zero() {
        assert_eq!(format_number(-0.000_001), "   0.0000");
        assert_eq!(format_number(-1.5), "  -1.5000");
        assert_eq!(format_number(-3e38), " -3.00e38");
    }
}
