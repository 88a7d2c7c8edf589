//! A formula as a tree.

use super::functions::FormulaFunction;

/// A formula. Columns are in characters from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FormulaNode {
    Number(f64),
    /// A number with a unit, in radians.
    Angle(f64),
    Pi,
    /// The number of a vertex, as `v2`.
    Vertex(u32),
    Name {
        name: String,
        column: usize,
    },
    /// The name of a joint in quotes, where a function takes a joint.
    Joint {
        name: String,
        column: usize,
    },
    Negate(Box<Self>),
    /// With the column of the operator.
    Binary(Operator, Box<Self>, Box<Self>, usize),
    /// A part of a vector, as `p.x`, with the column of the point.
    Member(Box<Self>, Member, usize),
    Call {
        function: FormulaFunction,
        arguments: Vec<Self>,
        column: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Operator {
    /// 1 where it holds, 0 where it does not.
    pub(super) fn is_comparison(self) -> bool {
        !matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power)
    }
}

/// What an angle is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AngleUnit {
    Degrees,
    Radians,
}

impl AngleUnit {
    /// As written after a number.
    pub(super) const NAMES: [(&'static str, Self); 3] =
        [("deg", Self::Degrees), ("°", Self::Degrees), ("rad", Self::Radians)];

    pub(super) fn radians(self, value: f64) -> f64 {
        match self {
            Self::Degrees => value.to_radians(),
            Self::Radians => value,
        }
    }
}

/// What may stand after a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// 0 is x, 3 is w.
    Part(usize),
    /// The first three of four.
    Xyz,
}

impl Member {
    pub(super) const NAMES: [(&'static str, Self); 5] = [
        ("x", Self::Part(0)),
        ("y", Self::Part(1)),
        ("z", Self::Part(2)),
        ("w", Self::Part(3)),
        ("xyz", Self::Xyz),
    ];
}

impl FormulaNode {
    /// Is something in it no number, so that it is worked out with types?
    pub(super) fn is_typed(&self) -> bool {
        match self {
            Self::Member(..) => true,
            Self::Call { function, arguments, .. } => {
                function.is_typed(arguments.len()) || arguments.iter().any(Self::is_typed)
            }
            Self::Binary(_, left, right, _) => left.is_typed() || right.is_typed(),
            Self::Negate(inner) => inner.is_typed(),
            Self::Number(_)
            | Self::Angle(_)
            | Self::Pi
            | Self::Vertex(_)
            | Self::Name { .. }
            | Self::Joint { .. } => false,
        }
    }
}
