//! Matrices by the names that lessons give them.

use std::fmt;

use bindpose_diagnostic::Diagnostic;

use super::JointName;

/// A matrix by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MatrixRef {
    /// Local transform.
    ParentFromJoint(JointRef),
    /// Global transform.
    WorldFromJoint(JointRef),
    /// Inverse bind matrix; editable.
    JointFromBind(JointRef),
    /// Joint matrix.
    WorldFromBind(JointRef),
    /// Blended, of a vertex.
    SkinMatrix(VertexRef),
    /// Global transform of the node that carries the mesh.
    WorldFromMeshNode,
    /// The joint matrix with the mesh's node taken out again, on the left.
    MeshNodeFromBind(JointRef),
}

/// A joint by number or name, or the chosen one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JointRef {
    /// `1`, `neck`, `'upper arm.L'`
    Named(JointName),
    /// `joint`
    Chosen,
}

/// A vertex by number, or the chosen one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexRef {
    /// `v2` or `2`
    Index(u32),
    /// `vertex`
    Chosen,
}

type OfJoint = (&'static str, fn(JointRef) -> MatrixRef);

/// What a joint has one of each.
const OF_JOINT: [OfJoint; 5] = [
    ("parent_from_joint", MatrixRef::ParentFromJoint),
    ("world_from_joint", MatrixRef::WorldFromJoint),
    ("joint_from_bind", MatrixRef::JointFromBind),
    ("world_from_bind", MatrixRef::WorldFromBind),
    ("mesh_node_from_bind", MatrixRef::MeshNodeFromBind),
];
const OF_VERTEX: &str = "skin_matrix";
const OF_MESH_NODE: &str = "world_from_mesh_node";

impl MatrixRef {
    /// The joint that it belongs to; `None`: it is not of a joint.
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

    /// Does it take stored vertices as they are?
    pub fn is_from_bind(&self) -> bool {
        match self {
            Self::JointFromBind(_)
            | Self::WorldFromBind(_)
            | Self::MeshNodeFromBind(_)
            | Self::SkinMatrix(_) => true,
            Self::ParentFromJoint(_) | Self::WorldFromJoint(_) | Self::WorldFromMeshNode => false,
        }
    }

    /// Of the same kind, of another joint; itself, if it is not of a joint.
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

    /// Does this formula read a cell of the matrix, as `world_from_bind(1,1,3)`
    /// does? Of the chosen joint it may be that of any joint; whether two names are
    /// those of the same joint, `is_same` says.
    pub fn is_read_by(
        &self,
        formula: &str,
        is_same: &dyn Fn(&JointName, &JointName) -> bool,
    ) -> bool {
        let of_kind = OF_JOINT.iter().find_map(|(name, of_joint)| {
            let joint = self.joint()?;
            (of_joint(joint.clone()) == *self).then_some((name, joint))
        });
        let Some((name, joint)) = of_kind else {
            return false;
        };
        let call = format!("{name}(");
        let mut reads = formula.split(&call).skip(1);
        reads.any(|arguments| match joint {
            JointRef::Named(joint) => {
                let first = arguments.split(',').next().unwrap_or_default();
                JointName::from_text(first).is_ok_and(|read| is_same(&read, joint))
            }
            JointRef::Chosen => true,
        })
    }
}

/// `world_from_joint(1)`, `joint_from_bind(joint)`, `skin_matrix(v2)`.
impl TryFrom<String> for MatrixRef {
    type Error = Diagnostic;

    fn try_from(text: String) -> Result<Self, Diagnostic> {
        let text = text.trim();
        if text == OF_MESH_NODE {
            return Ok(Self::WorldFromMeshNode);
        }
        let parts = text.strip_suffix(')').and_then(|text| text.split_once('('));
        let (name, argument) = parts.ok_or_else(|| {
            Diagnostic::expected("a matrix such as world_from_joint(1)", format!("`{text}`"))
                .help("write its name and a joint or vertex in parentheses")
        })?;
        let (name, argument) = (name.trim(), argument.trim());
        match OF_JOINT.iter().find(|&&(known, _)| known == name) {
            Some((_, of_joint)) => joint(name, argument).map(of_joint),
            None if name == OF_VERTEX => vertex(argument).map(Self::SkinMatrix),
            None if name == OF_MESH_NODE => {
                let title = "a rig has one mesh node";
                let wrong = Diagnostic::said("UNEXPECTED_ARGUMENT", title);
                Err(wrong.help("write world_from_mesh_node alone"))
            }
            None => {
                let names = OF_JOINT.iter().map(|&(name, _)| name);
                let names: Vec<&str> = names.chain([OF_VERTEX, OF_MESH_NODE]).collect();
                Err(Diagnostic::unknown("matrix", name, &names))
            }
        }
    }
}

/// As it is read.
impl fmt::Display for MatrixRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = match self {
            Self::WorldFromMeshNode => return f.write_str(OF_MESH_NODE),
            Self::SkinMatrix(VertexRef::Chosen) => return write!(f, "{OF_VERTEX}(vertex)"),
            Self::SkinMatrix(VertexRef::Index(vertex)) => {
                return write!(f, "{OF_VERTEX}(v{vertex})");
            }
            Self::ParentFromJoint(joint)
            | Self::WorldFromJoint(joint)
            | Self::JointFromBind(joint)
            | Self::WorldFromBind(joint)
            | Self::MeshNodeFromBind(joint) => joint,
        };
        let name = |&&(_, of_joint): &&OfJoint| of_joint(joint.clone()) == *self;
        let name = OF_JOINT.iter().find(name).map_or("", |&(name, _)| name);
        match joint {
            JointRef::Chosen => write!(f, "{name}(joint)"),
            // What ends an argument or a factor stands in quotes.
            JointRef::Named(JointName::Name(joint)) if joint.contains(['(', ')', '*']) => {
                write!(f, "{name}('{joint}')")
            }
            JointRef::Named(joint) => write!(f, "{name}({joint})"),
        }
    }
}

fn joint(name: &str, argument: &str) -> Result<JointRef, Diagnostic> {
    if argument == "joint" {
        return Ok(JointRef::Chosen);
    }
    let joint = JointName::from_text(argument).map(JointRef::Named);
    joint.map_err(|wrong| {
        wrong.help(format!("write {name}(1), {name}(neck), or {name}(joint) for the chosen one"))
    })
}

fn vertex(argument: &str) -> Result<VertexRef, Diagnostic> {
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

    fn joint(text: &str) -> JointRef {
        JointRef::Named(JointName::from_text(text).unwrap())
    }

    #[test]
    fn matrices_are_read_by_name() {
        let read = |text: &str| MatrixRef::try_from(text.to_owned());
        assert_eq!(read("world_from_joint(1)"), Ok(MatrixRef::WorldFromJoint(joint("1"))));
        assert_eq!(read("world_from_joint(neck)"), Ok(MatrixRef::WorldFromJoint(joint("neck"))));
        assert_eq!(
            read("joint_from_bind( 'upper arm (L)' )"),
            Ok(MatrixRef::JointFromBind(joint("upper arm (L)")))
        );
        assert_eq!(
            read("joint_from_bind('joint')"),
            Ok(MatrixRef::JointFromBind(joint("'joint'")))
        );
        assert_eq!(
            read(" joint_from_bind( joint ) "),
            Ok(MatrixRef::JointFromBind(JointRef::Chosen))
        );
        assert_eq!(read("skin_matrix(v12)"), Ok(MatrixRef::SkinMatrix(VertexRef::Index(12))));
        assert_eq!(read("skin_matrix(vertex)"), Ok(MatrixRef::SkinMatrix(VertexRef::Chosen)));
        assert_eq!(read(" world_from_mesh_node "), Ok(MatrixRef::WorldFromMeshNode));
        assert_eq!(read("mesh_node_from_bind(1)"), Ok(MatrixRef::MeshNodeFromBind(joint("1"))));
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
    fn a_formula_reads_the_matrix_of_its_joint_alone() {
        let is_same = |a: &JointName, b: &JointName| a == b;
        for (matrix, formula, expected) in [
            ("1", "2*world_from_joint(1,0,3)", true),
            ("1", "world_from_joint(11,0,3)", false),
            ("1", "world_from_joint(2,0,3)-world_from_joint( 1 ,0,3)", true),
            ("neck", "world_from_joint('neck',0,3)", true),
            ("neck", "joint_from_bind(neck,0,3)", false),
        ] {
            let matrix = MatrixRef::WorldFromJoint(joint(matrix));
            assert_eq!(matrix.is_read_by(formula, &is_same), expected, "{formula}");
        }
        let chosen = MatrixRef::WorldFromJoint(JointRef::Chosen);
        assert!(chosen.is_read_by("world_from_joint(neck,0,3)", &is_same));
        assert!(!MatrixRef::WorldFromMeshNode.is_read_by("x(v0)", &is_same));
    }
}
