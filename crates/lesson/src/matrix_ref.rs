//! References to matrices, by their names in lessons.

use std::fmt;

use bindpose_diagnostic::Diagnostic;

use super::JointName;

/// Meaning of each column of an affine matrix.
pub const COLUMN_MEANINGS: [&str; 4] =
    ["x axis goes to", "y axis goes to", "z axis goes to", "origin goes to"];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MatrixRef {
    /// Local transform.
    ParentFromJoint(JointRef),
    /// Global transform.
    WorldFromJoint(JointRef),
    /// Inverse bind matrix, with the reader's edits.
    JointFromBind(JointRef),
    /// Joint matrix.
    WorldFromBind(JointRef),
    /// Weighted sum of the joint matrices of a vertex.
    SkinMatrix(VertexRef),
    /// Global transform of the node with the mesh.
    WorldFromMeshNode,
    /// Joint matrix relative to the node with the mesh.
    MeshNodeFromBind(JointRef),
}

/// The joint of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JointRef {
    /// A joint by number or name: `1`, `neck`, `'upper arm.L'`.
    Named(JointName),
    /// The chosen joint, written `joint`.
    Chosen,
}

/// The vertex of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexRef {
    /// A vertex by number, written `v2` or `2`.
    Index(u32),
    /// The chosen vertex, written `vertex`.
    Chosen,
}

type JointMatrix = (&'static str, fn(JointRef) -> MatrixRef);

/// Names of the matrices of a joint.
const JOINT_MATRICES: [JointMatrix; 5] = [
    ("parent_from_joint", MatrixRef::ParentFromJoint),
    ("world_from_joint", MatrixRef::WorldFromJoint),
    ("joint_from_bind", MatrixRef::JointFromBind),
    ("world_from_bind", MatrixRef::WorldFromBind),
    ("mesh_node_from_bind", MatrixRef::MeshNodeFromBind),
];
const SKIN_MATRIX: &str = "skin_matrix";
const WORLD_FROM_MESH_NODE: &str = "world_from_mesh_node";

impl MatrixRef {
    /// Returns the joint of the matrix, or `None` if it does not belong to one.
    pub fn joint(&self) -> Option<&JointRef> {
        match self {
            Self::ParentFromJoint(joint)
            | Self::WorldFromJoint(joint)
            | Self::JointFromBind(joint)
            | Self::WorldFromBind(joint)
            | Self::MeshNodeFromBind(joint) => Some(joint),
            Self::SkinMatrix(_) | Self::WorldFromMeshNode => None,
        }
    }

    /// Whether the matrix transforms stored vertex positions.
    pub fn is_from_bind(&self) -> bool {
        match self {
            Self::JointFromBind(_)
            | Self::WorldFromBind(_)
            | Self::MeshNodeFromBind(_)
            | Self::SkinMatrix(_) => true,
            Self::ParentFromJoint(_) | Self::WorldFromJoint(_) | Self::WorldFromMeshNode => false,
        }
    }

    /// Returns the matrix of the same kind for another joint. A matrix that belongs to no
    /// joint stays the same.
    #[must_use]
    pub fn of_joint(&self, joint: JointRef) -> Self {
        match self {
            Self::ParentFromJoint(_) => Self::ParentFromJoint(joint),
            Self::WorldFromJoint(_) => Self::WorldFromJoint(joint),
            Self::JointFromBind(_) => Self::JointFromBind(joint),
            Self::WorldFromBind(_) => Self::WorldFromBind(joint),
            Self::MeshNodeFromBind(_) => Self::MeshNodeFromBind(joint),
            Self::SkinMatrix(_) | Self::WorldFromMeshNode => self.clone(),
        }
    }

    /// Whether a formula reads a cell of the matrix, as `world_from_bind(1,1,3)` does. If the
    /// matrix is that of the chosen joint, any joint matches. `is_same` compares two names of
    /// joints.
    pub fn is_read_by(
        &self,
        formula: &str,
        is_same: &dyn Fn(&JointName, &JointName) -> bool,
    ) -> bool {
        let Some(joint) = self.joint() else {
            return false;
        };
        let call = format!("{}(", self.name());
        let mut reads = formula.split(&call).skip(1);
        reads.any(|arguments| match joint {
            JointRef::Named(joint) => {
                let first = arguments.split(',').next().unwrap_or_default();
                JointName::from_text(first).is_ok_and(|read| is_same(&read, joint))
            }
            JointRef::Chosen => true,
        })
    }

    /// Name of the matrix in formulas.
    fn name(&self) -> &'static str {
        match self {
            Self::ParentFromJoint(_) => "parent_from_joint",
            Self::WorldFromJoint(_) => "world_from_joint",
            Self::JointFromBind(_) => "joint_from_bind",
            Self::WorldFromBind(_) => "world_from_bind",
            Self::MeshNodeFromBind(_) => "mesh_node_from_bind",
            Self::SkinMatrix(_) => SKIN_MATRIX,
            Self::WorldFromMeshNode => WORLD_FROM_MESH_NODE,
        }
    }
}

/// Parses `world_from_joint(1)`, `joint_from_bind(joint)` or `skin_matrix(v2)`.
impl TryFrom<String> for MatrixRef {
    type Error = Diagnostic;

    fn try_from(text: String) -> Result<Self, Diagnostic> {
        let text = text.trim();
        if text == WORLD_FROM_MESH_NODE {
            return Ok(Self::WorldFromMeshNode);
        }
        let parts = text.strip_suffix(')').and_then(|text| text.split_once('('));
        let (name, argument) = parts.ok_or_else(|| {
            Diagnostic::expected("a matrix such as world_from_joint(1)", format!("`{text}`"))
                .help("write its name and a joint or vertex in parentheses")
        })?;
        let name = name.trim();
        let argument = argument.trim();
        match JOINT_MATRICES.iter().find(|&&(known, _)| known == name) {
            Some((_, matrix_of)) => parse_joint(name, argument).map(matrix_of),
            None if name == SKIN_MATRIX => parse_vertex(argument).map(Self::SkinMatrix),
            None if name == WORLD_FROM_MESH_NODE => {
                let title = "a rig has one mesh node";
                let error = Diagnostic::said("UNEXPECTED_ARGUMENT", title);
                Err(error.help("write world_from_mesh_node alone"))
            }
            None => {
                let names: Vec<&str> = JOINT_MATRICES
                    .iter()
                    .map(|&(name, _)| name)
                    .chain([SKIN_MATRIX, WORLD_FROM_MESH_NODE])
                    .collect();
                Err(Diagnostic::unknown("matrix", name, &names))
            }
        }
    }
}

/// Writes the text that parses to the matrix.
impl fmt::Display for MatrixRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let joint = match self {
            Self::WorldFromMeshNode => return f.write_str(name),
            Self::SkinMatrix(VertexRef::Chosen) => return write!(f, "{name}(vertex)"),
            Self::SkinMatrix(VertexRef::Index(vertex)) => return write!(f, "{name}(v{vertex})"),
            Self::ParentFromJoint(joint)
            | Self::WorldFromJoint(joint)
            | Self::JointFromBind(joint)
            | Self::WorldFromBind(joint)
            | Self::MeshNodeFromBind(joint) => joint,
        };
        match joint {
            JointRef::Chosen => write!(f, "{name}(joint)"),
            // Names are quoted if they contain the end of an argument or a factor.
            JointRef::Named(JointName::Name(joint)) if joint.contains(['(', ')', '*']) => {
                write!(f, "{name}('{joint}')")
            }
            JointRef::Named(joint) => write!(f, "{name}({joint})"),
        }
    }
}

fn parse_joint(name: &str, argument: &str) -> Result<JointRef, Diagnostic> {
    if argument == "joint" {
        return Ok(JointRef::Chosen);
    }
    JointName::from_text(argument).map(JointRef::Named).map_err(|error| {
        error.help(format!("write {name}(1), {name}(neck), or {name}(joint) for the chosen one"))
    })
}

fn parse_vertex(argument: &str) -> Result<VertexRef, Diagnostic> {
    if argument == "vertex" {
        return Ok(VertexRef::Chosen);
    }
    let digits = argument.strip_prefix('v').unwrap_or(argument);
    let index = digits.parse().map(VertexRef::Index);
    index.ok().ok_or_else(|| {
        Diagnostic::expected("a vertex", format!("`{argument}`"))
            .help("write skin_matrix(v2), or skin_matrix(vertex) for the chosen one")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_joint(text: &str) -> JointRef {
        JointRef::Named(JointName::from_text(text).unwrap())
    }

    #[test]
    fn parses_matrices_by_name() {
        let read = |text: &str| MatrixRef::try_from(text.to_owned());
        assert_eq!(read("world_from_joint(1)"), Ok(MatrixRef::WorldFromJoint(parse_joint("1"))));
        assert_eq!(
            read("world_from_joint(neck)"),
            Ok(MatrixRef::WorldFromJoint(parse_joint("neck")))
        );
        assert_eq!(
            read("joint_from_bind( 'upper arm (L)' )"),
            Ok(MatrixRef::JointFromBind(parse_joint("upper arm (L)")))
        );
        assert_eq!(
            read("joint_from_bind('joint')"),
            Ok(MatrixRef::JointFromBind(parse_joint("'joint'")))
        );
        assert_eq!(
            read(" joint_from_bind( joint ) "),
            Ok(MatrixRef::JointFromBind(JointRef::Chosen))
        );
        assert_eq!(read("skin_matrix(v12)"), Ok(MatrixRef::SkinMatrix(VertexRef::Index(12))));
        assert_eq!(read("skin_matrix(vertex)"), Ok(MatrixRef::SkinMatrix(VertexRef::Chosen)));
        assert_eq!(read(" world_from_mesh_node "), Ok(MatrixRef::WorldFromMeshNode));
        assert_eq!(
            read("mesh_node_from_bind(1)"),
            Ok(MatrixRef::MeshNodeFromBind(parse_joint("1")))
        );
        for (text, help) in [
            ("world_from_joint", "write its name"),
            ("world_from_joints(1)", "write `world_from_joint`"),
            ("world_from_joint(-1)", "write world_from_joint(1)"),
            ("world_from_joint()", "world_from_joint(neck)"),
            ("world_from_joint(70000)", "number of a joint"),
            ("world_from_mesh_node(1)", "write world_from_mesh_node alone"),
            ("skin_matrix(joint)", "write skin_matrix(v2)"),
            ("skin_matrix(-1)", "write skin_matrix(v2)"),
            ("", "write its name"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(help), "{text}: {error}");
        }
    }

    #[test]
    fn a_formula_reads_only_the_matrix_of_its_joint() {
        let is_same = |a: &JointName, b: &JointName| a == b;
        for (matrix, formula, expected) in [
            ("1", "2*world_from_joint(1,0,3)", true),
            ("1", "world_from_joint(11,0,3)", false),
            ("1", "world_from_joint(2,0,3)-world_from_joint( 1 ,0,3)", true),
            ("neck", "world_from_joint('neck',0,3)", true),
            ("neck", "joint_from_bind(neck,0,3)", false),
        ] {
            let matrix = MatrixRef::WorldFromJoint(parse_joint(matrix));
            assert_eq!(matrix.is_read_by(formula, &is_same), expected, "{formula}");
        }
        let chosen = MatrixRef::WorldFromJoint(JointRef::Chosen);
        assert!(chosen.is_read_by("world_from_joint(neck,0,3)", &is_same));
        assert!(!MatrixRef::WorldFromMeshNode.is_read_by("x(v0)", &is_same));
    }
}
