//! The functions of formulas: names, arguments and usage.

/// A function of formulas. Axes are 0 for x, 1 for y, 2 for z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormulaFunction {
    Numeric(NumericFunction),
    /// Coordinate of the displayed position of a vertex.
    Position(usize),
    /// Coordinate of the stored position of a vertex.
    BindPosition(usize),
    /// Coordinate of the displayed normal of a vertex.
    Normal(usize),
    /// Coordinate of the stored normal of a vertex.
    StoredNormal(usize),
    Distance,
    Sum,
    Weight,
    /// A matrix of a joint, or one cell of it if a row and a column are given.
    Matrix(MatrixKind),
    /// Angle of the rotation between the orientations of two joints.
    AngleBetween,
    /// Determinant of a joint matrix or of any matrix, the factor of volumes.
    Determinant,
    /// Selects one of two values by a condition.
    If,
    /// Volume of the displayed mesh.
    Volume,
    Area,
    /// Largest distance of any vertex from its stored position.
    MaxDisplacement,
    /// 1 if any vertex position is not finite, because a joint matrix is not.
    NotFinite,
    /// Volume of the stored mesh.
    BindVolume,
    BindArea,
    Joints,
    Rows,
    Vertices,
    Crowd,
    /// A function that takes or returns more than numbers.
    Typed(TypedFunction),
}

/// A function of its arguments alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumericFunction {
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

/// A function of the rig that returns more than numbers, or that answers a question about
/// the hierarchy of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RigFunction {
    /// Global transform of a joint in the bind pose.
    Bind,
    /// Index of the parent of a joint.
    Parent,
    HasParent,
    MeshNodeFromBind,
    WorldFromMeshNode,
    /// Weighted sum of the joint matrices of a vertex.
    SkinMatrix,
    /// Displayed position of a vertex.
    Skinned,
    /// Stored position of a vertex.
    Stored,
}

/// A function that takes or returns more than numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedFunction {
    Rig(RigFunction),
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
    /// Rotation about a coordinate axis.
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

/// Name of an argument that is a joint.
pub(super) const JOINT: &str = "joint";

impl FormulaFunction {
    /// Name, function, and names of the arguments. A function with several signatures has
    /// one row for each.
    pub(super) const ALL: &'static [(&'static str, Self, &'static [&'static str])] = {
        use MatrixKind::{JointFromBind, ParentFromJoint, WorldFromBind, WorldFromJoint};
        const CELL: &[&str] = &[JOINT, "row", "column"];
        const NUMBERS: [&str; 16] = ["number"; 16];
        &[
            ("sin", Self::Numeric(NumericFunction::Sin), &["angle"]),
            ("cos", Self::Numeric(NumericFunction::Cos), &["angle"]),
            ("tan", Self::Numeric(NumericFunction::Tan), &["angle"]),
            ("acos", Self::Numeric(NumericFunction::Acos), &["number"]),
            ("asin", Self::Numeric(NumericFunction::Asin), &["number"]),
            ("atan2", Self::Numeric(NumericFunction::Atan2), &["y", "x"]),
            ("exp", Self::Numeric(NumericFunction::Exp), &["number"]),
            ("log", Self::Numeric(NumericFunction::Log), &["number"]),
            ("sqrt", Self::Numeric(NumericFunction::Sqrt), &["number"]),
            ("abs", Self::Numeric(NumericFunction::Abs), &["number"]),
            ("floor", Self::Numeric(NumericFunction::Floor), &["number"]),
            ("min", Self::Numeric(NumericFunction::Min), &["a", "b"]),
            ("max", Self::Numeric(NumericFunction::Max), &["a", "b"]),
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
            ("bind", Self::Typed(TypedFunction::Rig(RigFunction::Bind)), &[JOINT]),
            ("parent", Self::Typed(TypedFunction::Rig(RigFunction::Parent)), &[JOINT]),
            ("has_parent", Self::Typed(TypedFunction::Rig(RigFunction::HasParent)), &[JOINT]),
            (
                "mesh_node_from_bind",
                Self::Typed(TypedFunction::Rig(RigFunction::MeshNodeFromBind)),
                &[JOINT],
            ),
            (
                "world_from_mesh_node",
                Self::Typed(TypedFunction::Rig(RigFunction::WorldFromMeshNode)),
                &[],
            ),
            ("skin_matrix", Self::Typed(TypedFunction::Rig(RigFunction::SkinMatrix)), &["vertex"]),
            ("skinned", Self::Typed(TypedFunction::Rig(RigFunction::Skinned)), &["vertex"]),
            ("stored", Self::Typed(TypedFunction::Rig(RigFunction::Stored)), &["vertex"]),
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
    /// Whether the argument at `index` is a joint, for which a name may be given.
    pub(super) fn takes_joint(self, index: usize) -> bool {
        let known = Self::ALL.iter().find(|&&(_, function, _)| function == self);
        known.is_some_and(|(_, _, words)| words.get(index) == Some(&JOINT))
    }

    /// Whether the function takes or returns more than numbers. A matrix function with one
    /// argument returns the matrix, with three a cell of it.
    pub(super) fn is_typed(self, argument_count: usize) -> bool {
        matches!(self, Self::Typed(_)) || matches!(self, Self::Matrix(_) if argument_count == 1)
    }

    /// Help text with all signatures: `write vec4(x, y, z, w) or vec4(vec3, w)`.
    pub(super) fn usage(name: &str) -> String {
        let signatures: Vec<String> = Self::ALL
            .iter()
            .filter(|&&(other, ..)| other == name)
            .map(|(_, _, arguments)| match arguments.len() {
                16 => format!("{name}(16 numbers, row by row)"),
                _ => format!("{name}({})", arguments.join(", ")),
            })
            .collect();
        format!("write {}", signatures.join(" or "))
    }
}

/// A matrix of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixKind {
    /// Local transform.
    ParentFromJoint,
    /// Global transform.
    WorldFromJoint,
    /// Inverse bind matrix, with the reader's edits.
    JointFromBind,
    /// Joint matrix in its current form.
    WorldFromBind,
    /// Inverse bind matrix as stored in the model, without edits.
    StoredJointFromBind,
}
