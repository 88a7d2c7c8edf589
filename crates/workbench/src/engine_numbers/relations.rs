//! Relations: ways in which an engine's matrix can be derived from ours.

use bindpose_lesson::matrix_names::{
    INVERSE_BIND_MATRICES, INVERSE_BIND_MATRIX, JOINT_MATRICES, JOINT_MATRIX,
};
use glam::{Mat4, Vec3};

use super::comparison::PageNumbers;

/// A kind of matrix of a joint, a change of space, and a form of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    kind: MatrixKind,
    change: SpaceChange,
    form: MatrixForm,
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $words:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            const ALL: &[Self] = &[$(Self::$variant),+];

            fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)+ }
            }
        }
    };
}

/// A matrix of a joint, computed from its world matrix W, its bind matrix B, its local matrix L
/// and the world matrix N of the mesh's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatrixKind {
    /// W B⁻¹
    Joint,
    /// The matrix that the page draws with, changed by its stage, edits and faults.
    Drawn,
    /// W
    World,
    /// B⁻¹ W
    OtherSide,
    /// N W B⁻¹
    WithNode,
    /// N⁻¹ W B⁻¹
    FromNode,
    /// W B
    NotInverted,
    /// B⁻¹
    InverseBind,
    /// B
    Bind,
    /// L
    Local,
}

impl MatrixKind {
    const ALL: [Self; 10] = [
        Self::Joint,
        Self::Drawn,
        Self::World,
        Self::OtherSide,
        Self::WithNode,
        Self::FromNode,
        Self::NotInverted,
        Self::InverseBind,
        Self::Bind,
        Self::Local,
    ];

    /// Returns the singular, the plural and a remark, which may be empty.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Joint => [JOINT_MATRIX, JOINT_MATRICES, ""],
            Self::Drawn => [
                "matrix by which this page moves vertices",
                "matrices by which this page moves vertices",
                "",
            ],
            Self::World => ["world matrix", "world matrices", "the inverse bind matrix is missing"],
            Self::OtherSide => [
                "product of inverse bind matrix and world matrix",
                "products of inverse bind matrix and world matrix",
                "the factors are on the other side",
            ],
            Self::WithNode => [JOINT_MATRIX, JOINT_MATRICES, "the mesh’s node is multiplied in"],
            Self::FromNode => {
                [JOINT_MATRIX, JOINT_MATRICES, "the inverse of the mesh’s node is multiplied in"]
            }
            Self::NotInverted => [
                "product of world matrix and bind matrix",
                "products of world matrix and bind matrix",
                "the bind matrix is not inverted",
            ],
            Self::InverseBind => [INVERSE_BIND_MATRIX, INVERSE_BIND_MATRICES, ""],
            Self::Bind => ["bind matrix", "bind matrices", ""],
            Self::Local => ["local matrix", "local matrices", ""],
        }
    }
}

named! {
    /// A change of space.
    SpaceChange {
        None = "",
        ZUp = "in coordinates with z up",
        YUp = "in coordinates with y up, taken from some with z up",
        MirroredX = "mirrored at x = 0, as to another handedness",
        MirroredY = "mirrored at y = 0, as to another handedness",
        MirroredZ = "mirrored at z = 0, as to another handedness",
        Hundredfold = "with positions a hundred times as large: centimetres",
        Hundredth = "with positions a hundredth as large: metres",
    }
}

named! {
    /// The form in which the numbers are stored.
    MatrixForm {
        AsIs = "",
        Transposed = "transposed",
        Inverted = "inverted",
        InvertedTransposed = "inverted and transposed",
    }
}

impl Relation {
    /// Returns all relations, the simplest first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        MatrixForm::ALL.iter().flat_map(|&form| {
            SpaceChange::ALL.iter().flat_map(move |&change| {
                MatrixKind::ALL.iter().map(move |&kind| Self { kind, change, form })
            })
        })
    }

    const fn plain(kind: MatrixKind) -> Self {
        Self { kind, change: SpaceChange::None, form: MatrixForm::AsIs }
    }

    /// The right joint matrices of the pose.
    pub(super) const JOINT: Self = Self::plain(MatrixKind::Joint);

    /// The matrices that the page draws with.
    pub(super) const DRAWN: Self = Self::plain(MatrixKind::Drawn);

    /// Relations for which matrices of other joints are searched.
    pub(super) const OTHER_JOINT_CANDIDATES: [Self; 4] = [
        Self::JOINT,
        Self::DRAWN,
        Self { form: MatrixForm::Transposed, ..Self::JOINT },
        Self::plain(MatrixKind::World),
    ];

    /// Could a shader receive these matrices instead of joint matrices? Spaces of positions are
    /// changed after skinning.
    pub(super) fn is_palette(self) -> bool {
        self.change == SpaceChange::None && self != Self::JOINT && self != Self::DRAWN
    }

    /// Describes all matrices, such as `the joint matrices, transposed`.
    pub(super) fn describe_all(self) -> String {
        let [_, several, remark] = self.kind.words();
        self.with_remark(format!("the {several}"), remark)
    }

    /// Describes the matrix of a joint, such as `the world matrix of joint 9: the inverse
    /// bind matrix is missing`.
    pub(super) fn describe_one(self, joint: &str) -> String {
        let [one, _, remark] = self.kind.words();
        self.with_remark(format!("the {one} of {joint}"), remark)
    }

    fn with_remark(self, mut words: String, remark: &str) -> String {
        for part in [self.change.words(), self.form.words()] {
            if !part.is_empty() {
                words.push_str(", ");
                words.push_str(part);
            }
        }
        if !remark.is_empty() {
            words.push_str(": ");
            words.push_str(remark);
        }
        words
    }

    /// Computes the matrix for a joint of the rig. Returns `None` if there is no such joint,
    /// or the matrix cannot be computed.
    pub(super) fn matrix(self, ours: &PageNumbers<'_>, joint: usize) -> Option<Mat4> {
        let derived = ours.derived;
        let world = *derived.joints.world_from_joint.get(joint)?;
        let inverse_bind = *derived.joints.used_joint_from_bind.get(joint)?;
        let node = derived.world_from_mesh_node;
        let matrix = match self.kind {
            MatrixKind::Joint => world * inverse_bind,
            MatrixKind::Drawn => ours.drawn_matrix(joint)?,
            MatrixKind::World => world,
            MatrixKind::OtherSide => inverse_bind * world,
            MatrixKind::WithNode => node * world * inverse_bind,
            MatrixKind::FromNode => node.inverse() * world * inverse_bind,
            MatrixKind::NotInverted => world * inverse_bind.inverse(),
            MatrixKind::InverseBind => inverse_bind,
            MatrixKind::Bind => inverse_bind.inverse(),
            MatrixKind::Local => *derived.joints.parent_from_joint.get(joint)?,
        };
        let changed = self.change.apply(matrix);
        let matrix = match self.form {
            MatrixForm::AsIs => changed,
            MatrixForm::Transposed => changed.transpose(),
            MatrixForm::Inverted => changed.inverse(),
            MatrixForm::InvertedTransposed => changed.inverse().transpose(),
        };
        // NaN from singular matrices would match every other NaN.
        let is_comparable = matrix.is_finite() || self == Self::JOINT || self == Self::DRAWN;
        is_comparable.then_some(matrix)
    }
}

impl SpaceChange {
    fn apply(self, matrix: Mat4) -> Mat4 {
        match self {
            Self::None => matrix,
            Self::Hundredfold | Self::Hundredth => {
                let by = if self == Self::Hundredfold { 100.0 } else { 0.01 };
                let mut matrix = matrix;
                matrix.w_axis *= glam::Vec4::new(by, by, by, 1.0);
                matrix
            }
            other => {
                let frame = other.matrix();
                frame * matrix * frame.inverse()
            }
        }
    }

    fn matrix(self) -> Mat4 {
        match self {
            Self::ZUp => Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2),
            Self::YUp => Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2),
            Self::MirroredX => Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            Self::MirroredY => Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0)),
            Self::MirroredZ => Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)),
            Self::Hundredfold => Mat4::from_scale(Vec3::splat(100.0)),
            Self::Hundredth => Mat4::from_scale(Vec3::splat(0.01)),
            Self::None => Mat4::IDENTITY,
        }
    }
}

/// Returns the description and matrix of each change of space.
pub(crate) fn space_changes() -> impl Iterator<Item = (&'static str, Mat4)> {
    SpaceChange::ALL
        .iter()
        .filter(|&&change| change != SpaceChange::None)
        .map(|&change| (change.words(), change.matrix()))
}
