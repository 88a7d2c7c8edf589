//! What formulas work with: numbers, vectors, quaternions and matrices, the latter
//! with the frames they are in or lead between.

use glam::{DMat4, DQuat, DVec3, DVec4};

use bindpose_skin::CoordinateFrame;

/// A value of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FormulaValue {
    /// A real number; radians for angles.
    Number(f64),
    /// Three numbers.
    Vec3(Vector3),
    /// Four numbers.
    Vec4(Vector4),
    /// A rotation, if of unit length.
    Quat(DQuat),
    /// A matrix of four rows and columns.
    Mat4(Matrix),
}

/// Three numbers, in a frame where one is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector3 {
    /// The numbers.
    pub xyz: DVec3,
    /// What matrices do to it.
    pub kind: VectorKind,
    /// `None`: not known, as of numbers that were typed.
    pub frame: Option<CoordinateFrame>,
}

/// What a matrix takes three numbers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorKind {
    /// Neither: a matrix does not take it.
    Plain,
    /// A place: its w is 1.
    Point,
    /// A way to go: its w is 0, and no matrix moves it along.
    Direction,
}

/// Four numbers, in a frame where one is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector4 {
    /// The numbers.
    pub xyzw: DVec4,
    /// `None`: not known, as of numbers that were typed.
    pub frame: Option<CoordinateFrame>,
}

/// A matrix and the frames it leads between; column vectors, so that it stands left
/// of what it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix {
    /// `x_in_to = mat * x_in_from`
    pub mat: DMat4,
    /// Frame of the result; `None`: not known, as of numbers that were typed.
    pub to: Option<CoordinateFrame>,
    /// Frame of the argument; `None`: not known.
    pub from: Option<CoordinateFrame>,
}

impl FormulaValue {
    /// What it is, in words: `a matrix`, `a point`.
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

    /// Its numbers, one to sixteen; of a matrix row by row, as it is written.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Number(number) => vec![*number],
            Self::Vec3(vector) => vector.xyz.to_array().into(),
            Self::Vec4(vector) => vector.xyzw.to_array().into(),
            Self::Quat(quat) => quat.to_array().into(),
            Self::Mat4(matrix) => matrix.mat.transpose().to_cols_array().into(),
        }
    }

    /// Is there no infinity and no NaN in it?
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Vec3(vector) => vector.xyz.is_finite(),
            Self::Vec4(vector) => vector.xyzw.is_finite(),
            Self::Quat(quat) => quat.is_finite(),
            Self::Mat4(matrix) => matrix.mat.is_finite(),
        }
    }

    /// Its frames, as a tag says them: `world`, of a matrix `world from bind`; `None`
    /// where none is known.
    pub fn frame_words(&self) -> Option<String> {
        match self {
            Self::Number(_) | Self::Quat(_) => None,
            Self::Vec3(Vector3 { frame, .. }) | Self::Vec4(Vector4 { frame, .. }) => {
                frame.map(|frame| frame.to_string())
            }
            Self::Mat4(matrix) => {
                let (to, from) = (matrix.to?, matrix.from?);
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
    /// Numbers as typed, in no frame.
    pub(super) fn plain(xyz: DVec3) -> Self {
        Self { xyz, kind: VectorKind::Plain, frame: None }
    }

    /// The fourth number that it stands for.
    pub(super) fn w(self) -> Option<f64> {
        match self.kind {
            VectorKind::Plain => None,
            VectorKind::Point => Some(1.0),
            VectorKind::Direction => Some(0.0),
        }
    }
}

impl Matrix {
    /// Numbers as typed, between no frames.
    pub(super) fn of(mat: DMat4) -> Self {
        Self { mat, to: None, from: None }
    }

    /// Leads it between no known frames, as a turn or a shift that somebody typed? It
    /// then stays in the frame of what it stands beside.
    pub(super) fn is_within_a_frame(&self) -> bool {
        self.to.is_none() && self.from.is_none()
    }
}
