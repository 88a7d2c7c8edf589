//! What formulas work with: numbers, vectors, quaternions and matrices, with the frames
//! they are in or lead between, and the seams where two frames touch that are not the same.

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

/// Two frames that meet in a formula and differ. What is computed there is computed all
/// the same: a wrong order is possible, and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSeam {
    /// Of the operator or function, in characters of the text, from 1.
    pub column: usize,
    /// How they meet.
    pub kind: SeamKind,
    /// The frame on the left: of a product, that from which the left factor starts.
    pub left: CoordinateFrame,
    /// The frame on the right: of a product, that into which the right factor leads.
    pub right: CoordinateFrame,
}

/// How two frames meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeamKind {
    /// A matrix times a matrix or a vector.
    Product,
    /// A sum, a difference, or another way of putting two together that are in one
    /// frame.
    Together,
    /// The frames into which two matrices lead that are added.
    To,
    /// The frames from which two matrices start that are added.
    From,
}

impl FrameSeam {
    /// What does not meet, as a sentence.
    pub fn words(&self) -> String {
        let (left, right) = (self.left, self.right);
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

/// Seams kept, at most: a loop meets the same ones again and again.
const MOST_SEAMS: usize = 8;

/// The seams of one evaluation, each place once.
#[derive(Debug, Default)]
pub(super) struct Seams(pub(super) Vec<FrameSeam>);

impl Seams {
    /// Notes it where both frames are known and differ.
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
        let known = |seam: &FrameSeam| (seam.column, seam.kind) == (column, kind);
        if left != right && self.0.len() < MOST_SEAMS && !self.0.iter().any(known) {
            self.0.push(FrameSeam { column, kind, left, right });
        }
    }
}
