//! Values of formulas: numbers, vectors, quaternions and matrices with their coordinate
//! frames, and the seams where two different frames meet.

use glam::{DMat4, DQuat, DVec3, DVec4};

use bindpose_skin::CoordinateFrame;

/// A value of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FormulaValue {
    /// A number; radians for angles.
    Number(f64),
    Vec3(Vector3),
    Vec4(Vector4),
    /// A quaternion. A rotation if of unit length.
    Quat(DQuat),
    /// A 4×4 matrix.
    Mat4(Matrix),
}

/// A vector of three numbers with its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector3 {
    pub xyz: DVec3,
    /// Effect of matrices on the vector.
    pub kind: VectorKind,
    /// Coordinate frame. `None` if unknown, as for a vector of typed numbers.
    pub frame: Option<CoordinateFrame>,
}

/// Interpretation of three numbers in a product with a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorKind {
    /// Neither point nor direction: cannot be multiplied by a matrix.
    Plain,
    /// A position, with w = 1.
    Point,
    /// A direction, with w = 0: translations do not affect it.
    Direction,
}

/// A vector of four numbers with its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector4 {
    pub xyzw: DVec4,
    /// Coordinate frame. `None` if unknown, as for a vector of typed numbers.
    pub frame: Option<CoordinateFrame>,
}

/// A matrix with the frames it maps between. Vectors are columns, to the right of the
/// matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix {
    /// Maps coordinates: `x_in_to = mat * x_in_from`.
    pub mat: DMat4,
    /// Frame of the result. `None` if unknown, as for a matrix of typed numbers.
    pub to: Option<CoordinateFrame>,
    /// Frame of the argument. `None` if unknown.
    pub from: Option<CoordinateFrame>,
}

impl FormulaValue {
    /// Name of the type for messages: `a matrix`, `a point`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Vec3(vector) => match vector.kind {
                VectorKind::Plain => "a vec3",
                VectorKind::Point => "a point",
                VectorKind::Direction => "a direction",
            },
            Self::Vec4(_) => "a vec4",
            Self::Quat(_) => "a quaternion",
            Self::Mat4(_) => "a matrix",
        }
    }

    /// The components, one to sixteen. Those of a matrix are row by row.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Number(number) => vec![*number],
            Self::Vec3(vector) => vector.xyz.to_array().into(),
            Self::Vec4(vector) => vector.xyzw.to_array().into(),
            Self::Quat(quat) => quat.to_array().into(),
            Self::Mat4(matrix) => matrix.mat.transpose().to_cols_array().into(),
        }
    }

    /// Whether all components are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Vec3(vector) => vector.xyz.is_finite(),
            Self::Vec4(vector) => vector.xyzw.is_finite(),
            Self::Quat(quat) => quat.is_finite(),
            Self::Mat4(matrix) => matrix.mat.is_finite(),
        }
    }

    /// Frames for the tag of the value: `world`, or `world from bind` for a matrix. Returns
    /// `None` if they are unknown.
    pub fn frame_words(&self) -> Option<String> {
        match self {
            Self::Number(_) | Self::Quat(_) => None,
            Self::Vec3(Vector3 { frame, .. }) | Self::Vec4(Vector4 { frame, .. }) => {
                frame.map(|frame| frame.to_string())
            }
            Self::Mat4(matrix) => {
                let to = matrix.to?;
                let from = matrix.from?;
                Some(format!("{to} from {from}"))
            }
        }
    }
}

impl From<f64> for FormulaValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl Vector3 {
    /// A vector of typed numbers, in no frame.
    pub(super) fn plain(xyz: DVec3) -> Self {
        Self { xyz, kind: VectorKind::Plain, frame: None }
    }

    /// The implied fourth component.
    pub(super) fn w(self) -> Option<f64> {
        match self.kind {
            VectorKind::Plain => None,
            VectorKind::Point => Some(1.0),
            VectorKind::Direction => Some(0.0),
        }
    }
}

impl Matrix {
    /// A matrix of typed numbers, between unknown frames.
    pub(super) fn without_frames(mat: DMat4) -> Self {
        Self { mat, to: None, from: None }
    }

    /// Whether both frames are unknown, as for a typed rotation or translation. Such a
    /// matrix stays within the frame of whatever it is multiplied with.
    pub(super) fn is_within_a_frame(&self) -> bool {
        self.to.is_none() && self.from.is_none()
    }
}

/// A place in a formula where two different frames meet. The formula is evaluated anyway,
/// because a wrong order of factors is worth showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSeam {
    /// Column of the operator or function, in characters from 1.
    pub column: usize,
    /// Operation in which the frames meet.
    pub kind: SeamKind,
    /// Frame of the left operand. In a product, the frame the left factor maps from.
    pub left: CoordinateFrame,
    /// Frame of the right operand. In a product, the frame the right factor maps to.
    pub right: CoordinateFrame,
}

/// Operation in which two frames meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeamKind {
    /// A matrix times a matrix or a vector.
    Product,
    /// A sum, a difference or any other operation whose operands must share a frame.
    Together,
    /// A sum of matrices that map to different frames.
    To,
    /// A sum of matrices that map from different frames.
    From,
}

impl FrameSeam {
    /// Explains the mismatch in one sentence.
    pub fn words(&self) -> String {
        let left = self.left;
        let right = self.right;
        match self.kind {
            SeamKind::Product => format!(
                "The left factor starts from {left}, but the right factor leads into {right}; swap them or put the missing transform between."
            ),
            SeamKind::Together => format!(
                "The left side is in {left}, the right side in {right}; take one into the space of the other first."
            ),
            SeamKind::To => format!(
                "The matrix on the left leads into {left}, that on the right into {right}; only matrices between the same frames add up to something."
            ),
            SeamKind::From => format!(
                "The matrix on the left starts from {left}, that on the right from {right}; only matrices between the same frames add up to something."
            ),
        }
    }
}

/// Maximum number of recorded seams. A loop meets the same ones again and again.
const MAX_SEAMS: usize = 8;

/// The seams of one evaluation, at most one for each column and kind.
#[derive(Debug, Default)]
pub(super) struct Seams(pub(super) Vec<FrameSeam>);

impl Seams {
    /// Records a seam if both frames are known and different.
    pub(super) fn meet(
        &mut self,
        column: usize,
        kind: SeamKind,
        left: Option<CoordinateFrame>,
        right: Option<CoordinateFrame>,
    ) {
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let is_recorded = self.0.iter().any(|seam| seam.column == column && seam.kind == kind);
        if left != right && self.0.len() < MAX_SEAMS && !is_recorded {
            self.0.push(FrameSeam { column, kind, left, right });
        }
    }
}
