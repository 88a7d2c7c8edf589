//! The functions that formulas know: names, arguments, how they are written.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormulaFunction {
    OfNumbers(OfNumbers),
    /// Coordinate of a skinned vertex: 0 is x.
    Position(usize),
    /// Coordinate of a stored vertex.
    BindPosition(usize),
    /// Coordinate of a skinned normal.
    Normal(usize),
    /// Coordinate of a stored normal.
    StoredNormal(usize),
    Distance,
    Sum,
    Weight,
    /// A cell of it with row and column, without them the whole.
    Matrix(MatrixKind),
    /// Angle of the turn between the orientations of two joints.
    AngleBetween,
    /// By how much a joint matrix, or any matrix, multiplies volumes.
    Determinant,
    /// One of two values, by a condition.
    If,
    /// Of the skinned mesh.
    Volume,
    Area,
    /// The furthest that any vertex is from where it is stored.
    MaxDisplacement,
    /// 1 if a vertex is nowhere: a joint matrix has a number that is not finite.
    NotFinite,
    /// Of the stored mesh.
    BindVolume,
    BindArea,
    Joints,
    Rows,
    Vertices,
    Crowd,
    /// What gives, or takes, more than numbers.
    Typed(TypedFunction),
}

/// What needs nothing but its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfNumbers {
    Sin,
    Cos,
    Tan,
    Acos,
    Asin,
    Atan2,
    Exp,
    Log,
    Sqrt,
    Abs,
    Floor,
    Min,
    Max,
}

/// What of the rig is more than a number, or goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfRig {
    /// Global transform of a joint in the bind pose.
    Bind,
    /// Number of the parent of a joint.
    Parent,
    HasParent,
    MeshNodeFromBind,
    WorldFromMeshNode,
    /// The weighted sum of joint matrices.
    SkinMatrix,
    /// Where the picture shows a vertex.
    Skinned,
    /// Where it is stored.
    Stored,
}

/// What gives, or takes, more than numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedFunction {
    OfRig(OfRig),
    Vec3,
    Point,
    Direction,
    Vec4,
    Quat,
    AxisAngle,
    Mat4,
    Identity,
    Translate,
    Scale,
    /// About an axis: 0 is x.
    Rotate(usize),
    Inverse,
    Transpose,
    Trace,
    Cell,
    Column,
    Dot,
    Cross,
    Length,
    Normalize,
    Mix,
    Slerp,
}

/// What functions call an argument that is a joint.
pub(super) const JOINT: &str = "joint";

impl FormulaFunction {
    /// Name, function, and the words for its arguments; a function that takes
    /// several kinds of arguments has a row for each.
    pub(super) const ALL: &'static [(&'static str, Self, &'static [&'static str])] = {
        use MatrixKind::{JointFromBind, ParentFromJoint, WorldFromBind, WorldFromJoint};
        const CELL: &[&str] = &[JOINT, "row", "column"];
        const NUMBERS: [&str; 16] = ["number"; 16];
        &[
            ("sin", Self::OfNumbers(OfNumbers::Sin), &["angle"]),
            ("cos", Self::OfNumbers(OfNumbers::Cos), &["angle"]),
            ("tan", Self::OfNumbers(OfNumbers::Tan), &["angle"]),
            ("acos", Self::OfNumbers(OfNumbers::Acos), &["number"]),
            ("asin", Self::OfNumbers(OfNumbers::Asin), &["number"]),
            ("atan2", Self::OfNumbers(OfNumbers::Atan2), &["y", "x"]),
            ("exp", Self::OfNumbers(OfNumbers::Exp), &["number"]),
            ("log", Self::OfNumbers(OfNumbers::Log), &["number"]),
            ("sqrt", Self::OfNumbers(OfNumbers::Sqrt), &["number"]),
            ("abs", Self::OfNumbers(OfNumbers::Abs), &["number"]),
            ("floor", Self::OfNumbers(OfNumbers::Floor), &["number"]),
            ("min", Self::OfNumbers(OfNumbers::Min), &["a", "b"]),
            ("max", Self::OfNumbers(OfNumbers::Max), &["a", "b"]),
            ("if", Self::If, &["condition", "a", "b"]),
            ("x", Self::Position(0), &["vertex"]),
            ("y", Self::Position(1), &["vertex"]),
            ("z", Self::Position(2), &["vertex"]),
            ("bind_x", Self::BindPosition(0), &["vertex"]),
            ("bind_y", Self::BindPosition(1), &["vertex"]),
            ("bind_z", Self::BindPosition(2), &["vertex"]),
            ("normal_x", Self::Normal(0), &["vertex"]),
            ("normal_y", Self::Normal(1), &["vertex"]),
            ("normal_z", Self::Normal(2), &["vertex"]),
            ("stored_normal_x", Self::StoredNormal(0), &["vertex"]),
            ("stored_normal_y", Self::StoredNormal(1), &["vertex"]),
            ("stored_normal_z", Self::StoredNormal(2), &["vertex"]),
            ("distance", Self::Distance, &["vertex", "vertex"]),
            ("sum", Self::Sum, &["vertex"]),
            ("weight", Self::Weight, &["vertex", JOINT]),
            ("parent_from_joint", Self::Matrix(ParentFromJoint), CELL),
            ("world_from_joint", Self::Matrix(WorldFromJoint), CELL),
            ("joint_from_bind", Self::Matrix(JointFromBind), CELL),
            ("world_from_bind", Self::Matrix(WorldFromBind), CELL),
            ("angle_between", Self::AngleBetween, &[JOINT, JOINT]),
            ("det", Self::Determinant, &[JOINT]),
            ("volume", Self::Volume, &[]),
            ("area", Self::Area, &[]),
            ("max_displacement", Self::MaxDisplacement, &[]),
            ("not_finite", Self::NotFinite, &[]),
            ("bind_volume", Self::BindVolume, &[]),
            ("bind_area", Self::BindArea, &[]),
            ("joints", Self::Joints, &[]),
            ("rows", Self::Rows, &[]),
            ("vertices", Self::Vertices, &[]),
            ("crowd", Self::Crowd, &[]),
            ("parent_from_joint", Self::Matrix(ParentFromJoint), &[JOINT]),
            ("world_from_joint", Self::Matrix(WorldFromJoint), &[JOINT]),
            ("joint_from_bind", Self::Matrix(JointFromBind), &[JOINT]),
            ("world_from_bind", Self::Matrix(WorldFromBind), &[JOINT]),
            ("world", Self::Matrix(WorldFromJoint), &[JOINT]),
            ("local", Self::Matrix(ParentFromJoint), &[JOINT]),
            ("inverse_bind", Self::Matrix(JointFromBind), &[JOINT]),
            ("joint_matrix", Self::Matrix(WorldFromBind), &[JOINT]),
            ("bind", Self::Typed(TypedFunction::OfRig(OfRig::Bind)), &[JOINT]),
            ("parent", Self::Typed(TypedFunction::OfRig(OfRig::Parent)), &[JOINT]),
            ("has_parent", Self::Typed(TypedFunction::OfRig(OfRig::HasParent)), &[JOINT]),
            (
                "mesh_node_from_bind",
                Self::Typed(TypedFunction::OfRig(OfRig::MeshNodeFromBind)),
                &[JOINT],
            ),
            (
                "world_from_mesh_node",
                Self::Typed(TypedFunction::OfRig(OfRig::WorldFromMeshNode)),
                &[],
            ),
            ("skin_matrix", Self::Typed(TypedFunction::OfRig(OfRig::SkinMatrix)), &["vertex"]),
            ("skinned", Self::Typed(TypedFunction::OfRig(OfRig::Skinned)), &["vertex"]),
            ("stored", Self::Typed(TypedFunction::OfRig(OfRig::Stored)), &["vertex"]),
            ("vec3", Self::Typed(TypedFunction::Vec3), &["x", "y", "z"]),
            ("point", Self::Typed(TypedFunction::Point), &["x", "y", "z"]),
            ("point", Self::Typed(TypedFunction::Point), &["vec3"]),
            ("direction", Self::Typed(TypedFunction::Direction), &["x", "y", "z"]),
            ("direction", Self::Typed(TypedFunction::Direction), &["vec3"]),
            ("vec4", Self::Typed(TypedFunction::Vec4), &["x", "y", "z", "w"]),
            ("vec4", Self::Typed(TypedFunction::Vec4), &["vec3", "w"]),
            ("quat", Self::Typed(TypedFunction::Quat), &["x", "y", "z", "w"]),
            ("quat", Self::Typed(TypedFunction::Quat), &["matrix"]),
            ("axis_angle", Self::Typed(TypedFunction::AxisAngle), &["axis", "angle"]),
            ("mat4", Self::Typed(TypedFunction::Mat4), &NUMBERS),
            ("mat4", Self::Typed(TypedFunction::Mat4), &["quat"]),
            ("identity", Self::Typed(TypedFunction::Identity), &[]),
            ("translate", Self::Typed(TypedFunction::Translate), &["x", "y", "z"]),
            ("translate", Self::Typed(TypedFunction::Translate), &["vec3"]),
            ("scale", Self::Typed(TypedFunction::Scale), &["factor"]),
            ("scale", Self::Typed(TypedFunction::Scale), &["x", "y", "z"]),
            ("rotate_x", Self::Typed(TypedFunction::Rotate(0)), &["angle"]),
            ("rotate_y", Self::Typed(TypedFunction::Rotate(1)), &["angle"]),
            ("rotate_z", Self::Typed(TypedFunction::Rotate(2)), &["angle"]),
            ("inverse", Self::Typed(TypedFunction::Inverse), &["a"]),
            ("transpose", Self::Typed(TypedFunction::Transpose), &["matrix"]),
            ("trace", Self::Typed(TypedFunction::Trace), &["matrix"]),
            ("cell", Self::Typed(TypedFunction::Cell), &["matrix", "row", "column"]),
            ("column", Self::Typed(TypedFunction::Column), &["matrix", "column"]),
            ("dot", Self::Typed(TypedFunction::Dot), &["a", "b"]),
            ("cross", Self::Typed(TypedFunction::Cross), &["a", "b"]),
            ("length", Self::Typed(TypedFunction::Length), &["a"]),
            ("normalize", Self::Typed(TypedFunction::Normalize), &["a"]),
            ("mix", Self::Typed(TypedFunction::Mix), &["a", "b", "amount"]),
            ("lerp", Self::Typed(TypedFunction::Mix), &["a", "b", "amount"]),
            ("slerp", Self::Typed(TypedFunction::Slerp), &["a", "b", "amount"]),
        ]
    };
}

impl FormulaFunction {
    /// Is the argument of that index a joint, which may have a name?
    pub(super) fn takes_joint(self, index: usize) -> bool {
        let known = Self::ALL.iter().find(|&&(_, function, _)| function == self);
        known.is_some_and(|(_, _, words)| words.get(index) == Some(&JOINT))
    }

    /// With so many arguments, does it give or take more than numbers?
    pub(super) fn is_typed(self, arguments: usize) -> bool {
        matches!(self, Self::Typed(_)) || matches!(self, Self::Matrix(_) if arguments == 1)
    }

    /// Words for how it is written: `vec4(x, y, z, w) or vec4(vec3, w)`.
    pub(super) fn usage(name: &str) -> String {
        let rows = Self::ALL.iter().filter(|&&(other, ..)| other == name);
        let forms = rows.map(|(_, _, words)| match words.len() {
            16 => format!("{name}(16 numbers, row by row)"),
            _ => format!("{name}({})", words.join(", ")),
        });
        format!("write {}", forms.collect::<Vec<_>>().join(" or "))
    }
}

/// The matrices of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixKind {
    /// Local transform.
    ParentFromJoint,
    /// Global transform.
    WorldFromJoint,
    /// Inverse bind matrix, with the learner's edits.
    JointFromBind,
    /// Joint matrix, as it is used now.
    WorldFromBind,
    /// Inverse bind matrix as the model stores it, whatever the learner edits.
    StoredJointFromBind,
}
