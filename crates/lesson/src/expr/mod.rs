//! The language of lessons: formulas of numbers, vectors, quaternions and matrices,
//! and programs of them. Angles are radians.
//!
//! # Formulas and programs
//!
//! `lesson/expr/` is one language with one parser. A formula whose tree has nothing but
//! numbers is worked out by `eval.rs`, which a plot asks hundreds of times a frame; all
//! others by `typed.rs`, which knows vectors, quaternions and matrices, their frames, and
//! where these do not meet (`value.rs`). Both ask a page through the
//! trait `Values` alone. `program/` puts statements around formulas; what they do to
//! joints goes through the trait `Moves`, which `notebook/joints.rs` answers: a
//! pure function of rig, parameters and time, called where joints are posed
//! (`joints.rs`), so that crowds, films and links need nothing of their own. Every
//! evaluation counts its operations and stops at `MOST_OPERATIONS`. What readers write
//! instead of a lesson’s text stands in the document by the name of its cell
//! (`notebook/cell_text.rs`); of a program also the last text that could be read.

mod arithmetic;
mod constant;
mod error;
mod eval;
mod functions;
mod here;
mod parse;
mod program;
#[cfg(test)]
mod tests;
mod typed;
mod value;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::JointIndex;

use eval::FormulaNode;
use functions::{FormulaFunction, OfRig, TypedFunction};
use typed::Evaluator;

pub(crate) use constant::{Unit, constant};
pub use error::EvalError;
pub use eval::Values;
pub use functions::MatrixKind;
pub use here::{HERE, Here};
pub(crate) use parse::is_reserved;
#[cfg(any(test, feature = "testing"))]
pub use program::RUNS;
pub use program::{Moves, PoseProgram, ProgramError, ProgramRun};
pub use value::{FormulaValue, FrameSeam, Matrix, SeamKind, Vector3, Vector4, VectorKind};

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// As written.
    pub source: String,
    root: FormulaNode,
    /// Is anything in it more than a number?
    typed: bool,
}

/// What a formula comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaOutcome {
    /// Finite.
    pub value: FormulaValue,
    /// Where frames met that differ, in the order in which they were met.
    pub seams: Vec<FrameSeam>,
}

impl Expr {
    /// Reads a formula.
    ///
    /// Errors: at the character where it goes wrong: what was expected, and what to
    /// write. Formulas of more than 400 characters or 48 levels are refused.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let root = parse::parse(source)?;
        Ok(Self { source: source.to_owned(), typed: root.is_typed(), root })
    }

    /// The value now, of a formula that is a number. Always finite.
    ///
    /// Fails when it names something that is not there, has no finite value, or is no
    /// number.
    pub fn eval(&self, values: &dyn Values) -> Result<f64, EvalError> {
        if !self.typed {
            return eval::eval(&self.root, values);
        }
        match self.value(values)?.value {
            FormulaValue::Number(number) => Ok(number),
            _ => Err(EvalError::NotANumber { column: 1 }),
        }
    }

    /// The value now, of any type, and where its frames do not meet.
    ///
    /// Fails when it names something that is not there, puts together what does not go
    /// together, or has no finite value; at the column where that is.
    pub fn value(&self, values: &dyn Values) -> Result<FormulaOutcome, EvalError> {
        let mut evaluator = Evaluator::new(values, 0);
        let value = evaluator.value(&self.root)?;
        let seams = evaluator.seams.0;
        Ok(FormulaOutcome { value, seams })
    }
}

impl TryFrom<String> for Expr {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(&source)
    }
}

// What a formula is about: the first vertex, weight or cell that it names.

/// Something of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaSubject {
    /// A vertex, by its number.
    Vertex(u32),
    /// The weight of a joint on a vertex.
    Weight(u32, JointIndex),
    /// A cell of one of a joint's matrices.
    Cell {
        /// Whose matrix.
        joint: JointIndex,
        /// From 0, top to bottom.
        row: usize,
        /// From 0, left to right.
        column: usize,
    },
}

impl Expr {
    /// The first thing that it names by number; `None` where it names none.
    pub fn subject(&self) -> Option<FormulaSubject> {
        of_node(&self.root)
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn of_node(node: &FormulaNode) -> Option<FormulaSubject> {
    match node {
        FormulaNode::Number(_)
        | FormulaNode::Angle(_)
        | FormulaNode::Pi
        | FormulaNode::Name { .. }
        | FormulaNode::Joint { .. } => None,
        FormulaNode::Vertex(vertex) => Some(FormulaSubject::Vertex(*vertex)),
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => of_node(inner),
        FormulaNode::Binary(_, left, right, _) => of_node(left).or_else(|| of_node(right)),
        FormulaNode::Call { function, arguments, .. } => match (function, arguments.as_slice()) {
            // Which joint has a name is for the rig to say.
            (
                FormulaFunction::Weight,
                [vertex, FormulaNode::Joint { .. } | FormulaNode::Name { .. }],
            ) => of_node(vertex),
            (FormulaFunction::Weight, [FormulaNode::Vertex(vertex), joint]) => {
                Some(FormulaSubject::Weight(
                    *vertex,
                    JointIndex(whole(joint).and_then(|joint| u16::try_from(joint).ok())?),
                ))
            }
            (FormulaFunction::Matrix(_), [joint, row, column]) => Some(FormulaSubject::Cell {
                joint: JointIndex(u16::try_from(whole(joint)?).ok()?),
                row: whole(row)?,
                column: whole(column)?,
            }),
            _ => arguments.iter().find_map(of_node),
        },
    }
}

/// A number that stands there as it is.
fn whole(node: &FormulaNode) -> Option<usize> {
    match node {
        FormulaNode::Number(number) if *number >= 0.0 && number.fract() == 0.0 => {
            Some(*number as usize)
        }
        _ => None,
    }
}

// What a formula names, without working it out.

/// Something that a formula names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedThing {
    /// A parameter, or `all`.
    Param(String),
    /// A vertex, by its number.
    Vertex(u32),
    /// A joint, by its number, where that stands there as it is.
    Joint(u16),
    /// A joint, by its name.
    JointNamed(String),
}

impl Expr {
    /// All that it names, in the order of the text.
    pub fn named(&self) -> Vec<NamedThing> {
        let mut named = Vec::new();
        collect(&self.root, &mut named);
        named
    }

    /// The parameters that it names, each with its column, in order.
    pub fn names(&self) -> Vec<(&str, usize)> {
        let mut names = Vec::new();
        walk(&self.root, &mut |node| {
            if let FormulaNode::Name { name, column } = node {
                names.push((name.as_str(), *column));
            }
        });
        names
    }

    /// The first function whose value follows from how the rig is posed, with its
    /// column.
    pub(crate) fn posed_function(&self) -> Option<(&'static str, usize)> {
        first_function(&self.root, FormulaFunction::is_posed)
    }
}

impl FormulaNode {
    /// The first function that asks the mesh, with its column.
    fn function_of_mesh(&self) -> Option<(&'static str, usize)> {
        first_function(self, FormulaFunction::reads_mesh)
    }
}

fn first_function(
    node: &FormulaNode,
    is_meant: impl Fn(FormulaFunction) -> bool,
) -> Option<(&'static str, usize)> {
    let mut found = None;
    walk(node, &mut |node| {
        if let FormulaNode::Call { function, column, .. } = node
            && is_meant(*function)
        {
            found.get_or_insert((function.name(), *column));
        }
    });
    found
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn walk<'a>(node: &'a FormulaNode, visit: &mut impl FnMut(&'a FormulaNode)) {
    visit(node);
    match node {
        FormulaNode::Number(_)
        | FormulaNode::Angle(_)
        | FormulaNode::Pi
        | FormulaNode::Vertex(_)
        | FormulaNode::Name { .. }
        | FormulaNode::Joint { .. } => {}
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => walk(inner, visit),
        FormulaNode::Binary(_, left, right, _) => {
            walk(left, visit);
            walk(right, visit);
        }
        FormulaNode::Call { arguments, .. } => {
            for argument in arguments {
                walk(argument, visit);
            }
        }
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn collect(node: &FormulaNode, named: &mut Vec<NamedThing>) {
    match node {
        FormulaNode::Number(_) | FormulaNode::Angle(_) | FormulaNode::Pi => {}
        FormulaNode::Vertex(vertex) => named.push(NamedThing::Vertex(*vertex)),
        FormulaNode::Name { name, .. } => named.push(NamedThing::Param(name.clone())),
        FormulaNode::Joint { name, .. } => named.push(NamedThing::JointNamed(name.clone())),
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => collect(inner, named),
        FormulaNode::Binary(_, left, right, _) => {
            collect(left, named);
            collect(right, named);
        }
        FormulaNode::Call { function, arguments, .. } => {
            for (place, argument) in arguments.iter().enumerate() {
                match argument {
                    FormulaNode::Number(joint) if function.takes_joint(place) => {
                        named.push(NamedThing::Joint(*joint as u16));
                    }
                    FormulaNode::Name { name, .. } if function.takes_joint(place) => {
                        named.push(NamedThing::JointNamed(name.clone()));
                    }
                    _ => collect(argument, named),
                }
            }
        }
    }
}

impl FormulaFunction {
    fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|&&(_, function, _)| function == self);
        known.map_or("", |&(name, ..)| name)
    }

    /// Does it ask for something of the mesh, or of its node?
    fn reads_mesh(self) -> bool {
        match self {
            Self::Matrix(_) | Self::AngleBetween | Self::Determinant => false,
            Self::BindPosition(_)
            | Self::StoredNormal(_)
            | Self::Typed(TypedFunction::OfRig(OfRig::Stored)) => true,
            other => other.is_posed(),
        }
    }

    /// Does it follow from the pose, or from weights that readers edit?
    fn is_posed(self) -> bool {
        match self {
            Self::Typed(TypedFunction::OfRig(of_rig)) => matches!(
                of_rig,
                OfRig::MeshNodeFromBind
                    | OfRig::WorldFromMeshNode
                    | OfRig::SkinMatrix
                    | OfRig::Skinned
            ),
            Self::OfNumbers(_)
            | Self::If
            | Self::BindPosition(_)
            | Self::StoredNormal(_)
            | Self::Joints
            | Self::Rows
            | Self::Vertices
            | Self::Crowd
            | Self::Typed(_) => false,

            Self::Position(_)
            | Self::Normal(_)
            | Self::Distance
            | Self::Sum
            | Self::Weight
            | Self::Matrix(_)
            | Self::AngleBetween
            | Self::Determinant
            | Self::Volume
            | Self::MaxDisplacement
            | Self::NotFinite
            | Self::Area
            | Self::BindVolume
            | Self::BindArea => true,
        }
    }
}
