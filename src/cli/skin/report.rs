//! What `bindpose skin` prints, in its three forms, with the primitives of a file.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bindpose_asset::{ClipAt, JointRole, MeshPart, MovedVertices, Rig};
use bindpose_diagnostic::{Diagnostic, printable, short_number};
use bindpose_notebook::export::csv_field;
use bindpose_skin::{Method, joint_matrices};
use glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

use crate::cli::arguments::name_of;

/// What the numbers are asked for.
pub(super) struct SkinQuery<'a> {
    /// Parameters; of equal names the last one counts.
    pub(super) values: &'a [(String, f64)],
    /// The motion that is played, if one is.
    pub(super) clip: Option<ClipAt>,
    pub(super) method: Method,
    /// Only meshes of this skin.
    pub(super) skin: Option<usize>,
    pub(super) vertices: &'a [usize],
}

/// A posed rig in numbers.
pub(super) struct SkinReport {
    rig: String,
    /// Every parameter, in force; radians for angles.
    params: BTreeMap<String, f64>,
    /// The same for people: angles in degrees as well.
    params_in_words: String,
    joints: Vec<SkinJointRow>,
    vertices: Vec<VertexRow>,
    /// What is shown of the file; empty for rigs made in memory.
    meshes: Vec<MeshRow>,
    /// What was lost when the file was read.
    notes: Vec<Diagnostic>,
}

/// Matrices are column-major.
#[derive(Debug, Serialize)]
struct SkinJointRow {
    name: String,
    /// Index of the parent; null for a root.
    parent: Option<u16>,
    /// False for a node above joints or meshes, which a file does not call a joint.
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

/// Some quantities of so many numbers each, by name.
#[derive(Debug)]
struct Quantities<const NUMBERS: usize, const COUNT: usize>(
    [(&'static str, [f32; NUMBERS]); COUNT],
);

impl<const NUMBERS: usize, const COUNT: usize> Serialize for Quantities<NUMBERS, COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, numbers)| (name, &numbers[..])))
    }
}

impl SkinReport {
    /// Poses the rig.
    pub(super) fn new(rig: &Rig, asked: &SkinQuery<'_>) -> Self {
        let value = |name: &str| {
            let found = asked.values.iter().rev().find(|(other, _)| other == name);
            found.map(|&(_, value)| value)
        };
        let posed = rig.posed_in(asked.clip.as_slice(), value);
        let (local, inverse_binds) = (&posed.pose.parent_from_joint, &posed.joint_from_bind);
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = joint_matrices(&world_from_joint, inverse_binds);
        let joints = rig.skeleton.joints().iter().zip(rig.joint_roles()).enumerate();
        let joints = joints.map(|(at, (joint, role))| SkinJointRow {
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| parent.0),
            of_skin: role != JointRole::Helper,
            matrices: Quantities([
                ("parent_from_joint", local[at].matrix().to_cols_array()),
                ("world_from_joint", world_from_joint[at].to_cols_array()),
                ("joint_from_bind", inverse_binds[at].to_cols_array()),
                ("world_from_bind", world_from_bind[at].to_cols_array()),
            ]),
        });
        let joints = joints.collect();
        let mesh = &rig.mesh;
        let moved = mesh.moved(&world_from_bind, &posed.morph_weights, asked.method);
        let meshes = rows(rig, asked.skin, &world_from_bind, &moved);
        let params = rig.params.iter().map(|param| {
            let value = value(&param.name).unwrap_or(param.default);
            (param.name.clone(), value)
        });
        Self {
            rig: name_of(rig).to_owned(),
            params: params.collect(),
            params_in_words: in_words(rig, &value),
            joints,
            vertices: vertex_rows(rig, &moved, asked.vertices),
            meshes,
            notes: rig.left_out().cloned().collect(),
        }
    }

    /// One object, a joint or a vertex a line.
    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"rig\":")?;
        serde_json::to_writer(&mut *out, &self.rig)?;
        write!(out, ",\n\"params\":")?;
        serde_json::to_writer(&mut *out, &self.params)?;
        write!(out, ",\n\"joints\":[")?;
        write_lines(out, &self.joints)?;
        write!(out, "],\n\"vertices\":[")?;
        write_lines(out, &self.vertices)?;
        write!(out, "],\n\"meshes\":[")?;
        write_lines(out, &self.meshes)?;
        write!(out, "],\n\"notes\":[")?;
        write_lines(out, &self.notes)?;
        writeln!(out, "]}}")
    }

    /// A quantity a line; what has fewer than 16 numbers leaves the rest empty.
    pub(super) fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns: Vec<String> = (0..16).map(|at| format!("n{at}")).collect();
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
            let [node, first] = [mesh.node, mesh.first_vertex];
            let [primitive, count] = [mesh.primitive, mesh.vertex_count];
            let numbers = format!("{node},{primitive},{first},{count}{}", ",".repeat(12));
            let quantity = "node_primitive_first_vertex_vertex_count";
            writeln!(out, "mesh,{index},{name},,{quantity},{numbers}")?;
        }
        Ok(())
    }

    /// For people: matrices as written on paper, four decimals.
    pub(super) fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}   {}", printable(&self.rig), self.params_in_words)?;
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
        for (at, VertexRow { index, vectors }) in self.vertices.iter().enumerate() {
            if at == 0 {
                let names = vectors.0.map(|(name, _)| format!("  {name:^29}"));
                writeln!(out, "\nvertex{}", names.concat())?;
            }
            let vectors = vectors.0.map(|(_, numbers)| fixed_row(numbers));
            writeln!(out, "{index:>6}{}", vectors.concat())?;
        }
        Ok(())
    }
}

/// `bend = 0.8 (45.84°), size = 1`
fn in_words(rig: &Rig, value: &dyn Fn(&str) -> Option<f64>) -> String {
    let mut words: Vec<String> = rig
        .params
        .iter()
        .map(|param| {
            let value = value(&param.name).unwrap_or(param.default);
            let name = printable(&param.name);
            if param.kind.is_angle() {
                let degrees = value.to_degrees();
                format!("{name} = {} ({degrees:.2}°)", short_number(value))
            } else {
                format!("{name} = {}", short_number(value))
            }
        })
        .collect();
    words.sort();
    words.join(", ")
}

fn vertex_rows(rig: &Rig, moved: &MovedVertices, vertices: &[usize]) -> Vec<VertexRow> {
    let at =
        |list: &[Vec3], index: usize| list.get(index).copied().unwrap_or(Vec3::ZERO).to_array();
    vertices
        .iter()
        .map(|&index| VertexRow {
            index,
            vectors: Quantities([
                ("position_in_bind", at(&rig.mesh.positions, index)),
                ("position_in_world", at(&moved.positions, index)),
                ("normal_in_world", at(&moved.normals, index)),
            ]),
        })
        .collect()
}

fn write_lines<T: Serialize>(out: &mut dyn Write, rows: &[T]) -> io::Result<()> {
    for (at, row) in rows.iter().enumerate() {
        write!(out, "{}", if at == 0 { "\n" } else { ",\n" })?;
        serde_json::to_writer(&mut *out, row)?;
    }
    Ok(())
}

/// Side by side, row by row.
fn write_matrices(out: &mut dyn Write, matrices: &[(&str, [f32; 16])]) -> io::Result<()> {
    let titles = matrices.iter().map(|(name, _)| format!("  {name:<39}"));
    let titles: Vec<String> = titles.collect();
    writeln!(out, "{}", titles.join(" ").trim_end())?;
    for row in 0..4 {
        let rows =
            matrices.iter().map(|(_, m)| fixed_row([m[row], m[4 + row], m[8 + row], m[12 + row]]));
        writeln!(out, "{}", rows.collect::<Vec<String>>().join(" "))?;
    }
    Ok(())
}

fn fixed_row<const N: usize>(numbers: [f32; N]) -> String {
    format!("  {}", numbers.map(fixed).join(" "))
}

/// Four decimals, nine wide, and never `-0.0000`; with a power of ten where that
/// would be too wide.
fn fixed(value: f32) -> String {
    if value.is_finite() && value.abs() >= 1e8 {
        return format!("{value:9.2e}");
    }
    let text = format!("{value:9.4}");
    if text.trim_start() == "-0.0000" { format!("{:9.4}", 0.0) } else { text }
}

/// Shortest digits that read back as the same f32.
fn csv_numbers(numbers: &[f32]) -> String {
    let mut words: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
    words.resize(16, String::new());
    words.join(",")
}

/// One primitive as one node shows it.
#[derive(Serialize)]
pub(super) struct MeshRow {
    /// Index of the node in the file.
    pub(super) node: u32,
    /// Index of the primitive in its mesh.
    pub(super) primitive: usize,
    /// Index of the skin; null where the node alone moves it.
    skin: Option<usize>,
    /// Nodes of the skin's joints; empty without a skin.
    joints: Vec<u32>,
    /// world(joint) × inverse bind, column-major, one a joint.
    joint_matrices: Vec<[f32; 16]>,
    /// Its place in the list of all vertices.
    pub(super) first_vertex: u32,
    pub(super) vertex_count: usize,
    /// In world space.
    positions: Vec<Vec3>,
    /// In world space, of unit length.
    normals: Vec<Vec3>,
    /// The smallest and the largest Σw of a vertex as the file has it; empty
    /// without a skin.
    weight_sums: Vec<f32>,
    #[serde(skip)]
    pub(super) name: String,
}

/// Everything that is shown, or what one skin moves of it.
pub(super) fn rows(
    rig: &Rig,
    skin: Option<usize>,
    world_from_bind: &[Mat4],
    moved: &MovedVertices,
) -> Vec<MeshRow> {
    let parts = rig.mesh.parts.iter();
    parts
        .filter(|part| skin.is_none() || part.skin == skin)
        .map(|part| row(rig, part, world_from_bind, moved))
        .collect()
}

fn row(rig: &Rig, part: &MeshPart, world_from_bind: &[Mat4], moved: &MovedVertices) -> MeshRow {
    let range = part.vertices.start as usize..part.vertices.end as usize;
    let graph = rig.origin.as_ref().map(|origin| &origin.graph);
    let skin = graph.and_then(|graph| graph.skins.get(part.skin?));
    let (nodes, ours) = skin.map_or((&[][..], &[][..]), |skin| (&*skin.joints, &*skin.ours));
    let sums = rig.mesh.stored_sums.get(range.clone()).unwrap_or_default();
    let matrices = ours.iter().filter_map(|joint| world_from_bind.get(joint.index()));
    MeshRow {
        node: part.node.0,
        primitive: part.primitive,
        skin: part.skin,
        joints: nodes.iter().map(|node| node.0).collect(),
        joint_matrices: matrices.map(Mat4::to_cols_array).collect(),
        first_vertex: part.vertices.start,
        vertex_count: range.len(),
        positions: moved.positions[range.clone()].to_vec(),
        normals: moved.normals[range].to_vec(),
        weight_sums: match part.skin {
            Some(_) if !sums.is_empty() => vec![
                sums.iter().copied().fold(f32::INFINITY, f32::min),
                sums.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            ],
            _ => Vec::new(),
        },
        name: part.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_they_were() {
        for number in [0.1_f32, -0.696_706_7, 1e-30, 3.4e38, 16_777_216.0] {
            let text = csv_numbers(&[number]);
            let first = text.split(',').next().unwrap();
            assert_eq!(first.parse::<f32>().unwrap(), number, "{text}");
            assert_eq!(text.matches(',').count(), 15);
        }
    }

    #[test]
    fn names_with_commas_and_quotes_stay_one_field() {
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(csv_field("joint 0"), "joint 0");
    }

    #[test]
    fn tables_have_no_negative_zero_and_keep_their_width() {
        assert_eq!(fixed(-0.000_001), "   0.0000");
        assert_eq!(fixed(-1.5), "  -1.5000");
        assert_eq!(fixed(-3e38), " -3.00e38");
    }
}
