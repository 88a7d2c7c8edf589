//! The kinds of cells: names, schemas, limits.

use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::number::MAX_DECIMALS;
use super::toml_error::ValueError;
use super::toml_value::read as read_table;
use super::{
    BytesCell, CellKind, CheckCell, Condition, DoctorCell, JointRef, MatrixCell, MatrixRef,
    PlotCell, TreeCell, VertexRef,
};
use crate::diagnostic::Diagnostic;
use crate::skin::{JointIndex, LANES};

pub(crate) type Read = fn(&DeTable<'_>) -> Result<CellKind, ValueError>;

/// Every kind: the name in the info string, and what reads its body.
pub(crate) const KINDS: &[(&str, Read)] = &[
    ("viewport", |body| read(body, CellKind::Viewport)),
    ("angles", |body| read(body, CellKind::Angles)),
    ("weights", |body| read(body, CellKind::Weights)),
    ("matrix", |body| read(body, CellKind::Matrix)),
    ("stages", |body| read(body, CellKind::Stages)),
    ("stops", |body| read(body, CellKind::Stops)),
    ("indices", |body| read(body, CellKind::Indices)),
    ("histogram", |body| read(body, CellKind::Histogram)),
    ("vertex", |body| read(body, CellKind::Vertex)),
    ("plot", |body| read(body, CellKind::Plot)),
    ("texture", |body| read(body, CellKind::Texture)),
    ("budget", |body| read(body, CellKind::Budget)),
    ("errata", |body| read(body, CellKind::Errata)),
    ("shader", |body| read(body, CellKind::Shader)),
    ("proof", |body| read(body, CellKind::Proof)),
    ("compare", |body| read(body, CellKind::Compare)),
    ("tree", |body| read(body, CellKind::Tree)),
    ("doctor", |body| read(body, CellKind::Doctor)),
    ("bytes", |body| read(body, CellKind::Bytes)),
    ("check", |body| read(body, CellKind::Check)),
    ("timeline", |body| read(body, CellKind::Timeline)),
    ("predict", |body| read(body, CellKind::Predict)),
];

fn read<T: DeserializeOwned>(
    body: &DeTable<'_>,
    kind: fn(T) -> CellKind,
) -> Result<CellKind, ValueError> {
    read_table(body).map(kind)
}

/// What reads the bodies of this kind of cell; `None` when there is no such kind.
pub(crate) fn reader(kind: &str) -> Option<Read> {
    KINDS
        .iter()
        .find(|&&(name, _)| name == kind)
        .map(|&(_, read)| read)
}

/// A value that the schema allows and that makes no sense.
pub(crate) struct Senseless {
    pub(crate) key: String,
    pub(crate) wrong: Diagnostic,
}

/// Refuses numbers out of range and lists that do not fit their switch.
pub(crate) fn check_sense(kind: &CellKind) -> Result<(), Senseless> {
    match kind {
        CellKind::Viewport(cell) => match cell.height {
            Some(height) if height <= 0.0 => no(
                "height",
                Diagnostic::expected("a height above 0", height.to_string()),
                "write how many world units are seen from top to bottom, such as 6.0",
            ),
            _ => Ok(()),
        },
        CellKind::Weights(cell) => match cell.lanes {
            Some(lanes) if !(1..=LANES).contains(&lanes) => no(
                "lanes",
                Diagnostic::expected(format!("1 to {LANES} lanes"), lanes.to_string()),
                "write a number from 1 to 8, or leave the key out",
            ),
            _ => Ok(()),
        },
        CellKind::Matrix(cell) => matrix_sense(cell),
        CellKind::Plot(cell) => plot_sense(cell),
        CellKind::Texture(cell) if cell.rows == Some(0) => no(
            "rows",
            Diagnostic::expected("at least one row", "0"),
            "write how many rows are shown, or leave the key out",
        ),
        CellKind::Tree(TreeCell { rows: Some(0), .. })
        | CellKind::Doctor(DoctorCell { rows: Some(0) })
        | CellKind::Bytes(BytesCell { rows: Some(0), .. }) => no(
            "rows",
            Diagnostic::expected("at least one row", "0"),
            "write how many rows are shown, or leave the key out",
        ),
        CellKind::Compare(cell) if !(2..=3).contains(&cell.variants.len()) => no(
            "variants",
            Diagnostic::expected("two or three variants", cell.variants.len().to_string()),
            "write variants = [{ label = \"…\" }, { label = \"…\", set = { … } }]",
        ),
        CellKind::Check(cell) => exercise_sense(cell),
        CellKind::Stops(cell) if !(2..=9).contains(&cell.stops.len()) => no(
            "stops",
            Diagnostic::expected("two to nine stops", cell.stops.len().to_string()),
            "write stops = [{ label = \"…\", set = { … } }, { label = \"…\", set = { … } }]",
        ),
        CellKind::Histogram(cell) => height_sense(cell.height),
        CellKind::Predict(cell) if cell.close <= 0.0 => no(
            "close",
            Diagnostic::expected("a distance above 0", cell.close.to_string()),
            "write how near counts as right, such as 0.5",
        ),
        CellKind::Angles(_)
        | CellKind::Compare(_)
        | CellKind::Predict(_)
        | CellKind::Shader(_)
        | CellKind::Proof(_)
        | CellKind::Stages(_)
        | CellKind::Stops(_)
        | CellKind::Indices(_)
        | CellKind::Tree(_)
        | CellKind::Doctor(_)
        | CellKind::Bytes(_)
        | CellKind::Vertex(_)
        | CellKind::Texture(_)
        | CellKind::Timeline(_)
        | CellKind::Budget(_)
        | CellKind::Errata(_) => Ok(()),
    }
}

fn no(key: &str, wrong: Diagnostic, help: &str) -> Result<(), Senseless> {
    Err(Senseless {
        key: key.to_owned(),
        wrong: wrong.help(help),
    })
}

fn few(title: String, expected: &str, found: usize) -> Diagnostic {
    Diagnostic {
        title,
        ..Diagnostic::expected(expected, found.to_string())
    }
}

fn matrix_sense(cell: &MatrixCell) -> Result<(), Senseless> {
    let count = cell.show.len();
    if cell.product && count < 2 {
        no(
            "product",
            few(
                format!("a product needs two factors or more, found {count} matrices"),
                "two factors or more",
                count,
            ),
            "list the factors, then the product, in `show`",
        )
    } else if cell.difference && count != 2 {
        no(
            "difference",
            few(
                format!("a difference needs 2 matrices, found {count}"),
                "2 matrices",
                count,
            ),
            "list two matrices in `show`",
        )
    } else if cell
        .decimals
        .is_some_and(|decimals| decimals > MAX_DECIMALS)
    {
        no(
            "decimals",
            Diagnostic::expected(format!("at most {MAX_DECIMALS} decimals"), ""),
            "write a number from 0 to 9",
        )
    } else {
        Ok(())
    }
}

fn plot_sense(cell: &PlotCell) -> Result<(), Senseless> {
    if cell.lines.is_empty() {
        no(
            "lines",
            few(
                "a plot needs at least one line".to_owned(),
                "at least one line",
                0,
            ),
            "write lines = [{ label = \"…\", expr = \"…\" }]",
        )
    } else if cell.from.0 >= cell.to.0 {
        no(
            "to",
            Diagnostic::expected("`to` above `from`", cell.to.0.to_string()),
            "swap the two",
        )
    } else {
        height_sense(cell.height)
    }
}

fn height_sense(height: Option<f32>) -> Result<(), Senseless> {
    match height {
        Some(height) if !(40.0..=2000.0).contains(&height) => no(
            "height",
            Diagnostic::expected("a height in points from 40 to 2000", ""),
            "write 180, or leave the key out",
        ),
        _ => Ok(()),
    }
}

fn exercise_sense(cell: &CheckCell) -> Result<(), Senseless> {
    let wrong = |condition: &Condition| condition.tolerance.0 <= 0.0;
    let many = |condition: &Condition| {
        condition
            .decimals
            .is_some_and(|decimals| decimals > MAX_DECIMALS)
    };
    if let Some(index) = cell.conditions.iter().position(wrong) {
        let tolerance = cell.conditions[index].tolerance.0;
        no(
            &key_of_condition(index, "tolerance"),
            Diagnostic::expected("a tolerance above 0", tolerance.to_string()),
            "write how far off still counts, such as 0.05",
        )
    } else if let Some(index) = cell.conditions.iter().position(many) {
        no(
            &key_of_condition(index, "decimals"),
            Diagnostic::expected(format!("at most {MAX_DECIMALS} decimals"), ""),
            "write a number from 0 to 9",
        )
    } else {
        Ok(())
    }
}

/// Where a key of a check's condition is written: the first stands in the cell
/// itself, the others in `also`.
pub(crate) fn key_of_condition(index: usize, key: &str) -> String {
    match index.checked_sub(1) {
        None => key.to_owned(),
        Some(index) => format!("also[{index}].{key}"),
    }
}

const MATRICES: [&str; 7] = [
    "parent_from_joint",
    "world_from_joint",
    "joint_from_bind",
    "world_from_bind",
    "skin_matrix",
    "world_from_mesh_node",
    "mesh_node_from_bind",
];

/// `world_from_joint(1)`, `joint_from_bind(joint)`, `skin_matrix(v2)`.
impl TryFrom<String> for MatrixRef {
    type Error = Diagnostic;

    fn try_from(text: String) -> Result<Self, Diagnostic> {
        let wrong = |expected: &str, found: &str, help: String| {
            Diagnostic::expected(expected, format!("`{found}`")).help(help)
        };
        if text.trim() == "world_from_mesh_node" {
            return Ok(Self::WorldFromMeshNode);
        }
        let (name, argument) = text
            .trim()
            .strip_suffix(')')
            .and_then(|text| text.split_once('('))
            .map(|(name, argument)| (name.trim(), argument.trim()))
            .ok_or_else(|| {
                wrong(
                    "a matrix such as world_from_joint(1)",
                    &text,
                    "write its name and a joint or vertex in parentheses".to_owned(),
                )
            })?;
        let joint = || match argument {
            "joint" => Ok(JointRef::Chosen),
            digits => digits
                .parse()
                .ok()
                .map(|index| JointRef::Index(JointIndex(index)))
                .ok_or_else(|| {
                    wrong(
                        "the number of a joint",
                        argument,
                        format!("write {name}(1), or {name}(joint) for the chosen one"),
                    )
                }),
        };
        match name {
            "parent_from_joint" => joint().map(Self::ParentFromJoint),
            "world_from_joint" => joint().map(Self::WorldFromJoint),
            "joint_from_bind" => joint().map(Self::JointFromBind),
            "world_from_bind" => joint().map(Self::WorldFromBind),
            "mesh_node_from_bind" => joint().map(Self::MeshNodeFromBind),
            "world_from_mesh_node" => Err(Diagnostic::said(
                "UNEXPECTED_ARGUMENT",
                "a rig has one mesh node",
            )
            .help("write world_from_mesh_node alone")),
            "skin_matrix" => match argument {
                "vertex" => Ok(VertexRef::Chosen),
                digits => digits
                    .strip_prefix('v')
                    .unwrap_or(digits)
                    .parse()
                    .ok()
                    .map(VertexRef::Index)
                    .ok_or_else(|| {
                        wrong(
                            "a vertex",
                            argument,
                            "write skin_matrix(v2), or skin_matrix(vertex) for the chosen one"
                                .to_owned(),
                        )
                    }),
            }
            .map(Self::SkinMatrix),
            _ => Err(Diagnostic::unknown("matrix", name, &MATRICES)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_are_read_by_name() {
        let read = |text: &str| MatrixRef::try_from(text.to_owned());
        assert_eq!(
            read("world_from_joint(1)"),
            Ok(MatrixRef::WorldFromJoint(JointRef::Index(JointIndex(1))))
        );
        assert_eq!(
            read(" joint_from_bind( joint ) "),
            Ok(MatrixRef::JointFromBind(JointRef::Chosen))
        );
        assert_eq!(
            read("skin_matrix(v12)"),
            Ok(MatrixRef::SkinMatrix(VertexRef::Index(12)))
        );
        assert_eq!(
            read("skin_matrix(vertex)"),
            Ok(MatrixRef::SkinMatrix(VertexRef::Chosen))
        );
        assert_eq!(
            read(" world_from_mesh_node "),
            Ok(MatrixRef::WorldFromMeshNode)
        );
        assert_eq!(
            read("mesh_node_from_bind(1)"),
            Ok(MatrixRef::MeshNodeFromBind(JointRef::Index(JointIndex(1))))
        );
        for (text, help) in [
            ("world_from_joint", "write its name"),
            ("world_from_joints(1)", "write `world_from_joint`"),
            ("world_from_joint(v1)", "write world_from_joint(1)"),
            ("world_from_joint(70000)", "number of a joint"),
            (
                "world_from_mesh_node(1)",
                "write world_from_mesh_node alone",
            ),
            ("skin_matrix(joint)", "write skin_matrix(v2)"),
            ("skin_matrix(-1)", "write skin_matrix(v2)"),
            ("", "write its name"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(help), "{text}: {error}");
        }
    }
}
