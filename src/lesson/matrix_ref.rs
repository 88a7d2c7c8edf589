//! Matrices by the names that lessons give them.

use crate::diagnostic::Diagnostic;
use crate::skin::JointIndex;

/// A matrix by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// A joint by number, or the chosen one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointRef {
    /// `1`
    Index(JointIndex),
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
    /// Does this formula read a cell of the matrix, as `world_from_bind(1,1,3)`
    /// does? Of the chosen joint it may be that of any joint.
    #[must_use]
    pub fn is_read_by(self, formula: &str) -> bool {
        let (Self::ParentFromJoint(joint)
        | Self::WorldFromJoint(joint)
        | Self::JointFromBind(joint)
        | Self::WorldFromBind(joint)
        | Self::MeshNodeFromBind(joint)) = self
        else {
            return false;
        };
        let of_kind = OF_JOINT
            .iter()
            .filter(|(_, of_joint)| of_joint(joint) == self);
        of_kind.into_iter().any(|(name, _)| match joint {
            JointRef::Index(index) => formula.contains(&format!("{name}({},", index.0)),
            JointRef::Chosen => formula.contains(&format!("{name}(")),
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

fn joint(name: &str, argument: &str) -> Result<JointRef, Diagnostic> {
    if argument == "joint" {
        return Ok(JointRef::Chosen);
    }
    let index = argument
        .parse()
        .map(|index| JointRef::Index(JointIndex(index)));
    index.ok().ok_or_else(|| {
        Diagnostic::expected("the number of a joint", format!("`{argument}`")).help(format!(
            "write {name}(1), or {name}(joint) for the chosen one"
        ))
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
