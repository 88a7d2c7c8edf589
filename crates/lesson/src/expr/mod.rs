//! The formula language of lessons: expressions over numbers, vectors, quaternions and
//! matrices, and programs made of them. Angles are radians.
//!
//! # Formulas and programs
//!
//! `lesson/expr/` is one language with one parser. A formula that consists only of numbers
//! is evaluated by `eval.rs`, which a plot calls hundreds of times a frame. All others are
//! evaluated by `typed.rs`, which handles vectors, quaternions and matrices with their
//! coordinate frames, and records where two frames do not match (`value.rs`). Both read
//! the page only through the trait `Values`. `program/` adds statements, which move joints
//! through the trait `Moves`. `notebook/joints.rs` implements it as a pure function of rig,
//! parameters and time, called where joints are posed, so that crowds, films and links need
//! no code of their own. Every evaluation counts its operations and stops at
//! `MAX_OPERATIONS`. The document stores what readers write in place of a lesson's text by
//! the name of its cell (`notebook/cell_text.rs`), and for a program also the last text
//! that parsed.

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
use functions::{FormulaFunction, RigFunction, TypedFunction};
use typed::Evaluator;

pub(crate) use constant::{Unit, constant};
pub use error::EvalError;
pub use eval::Values;
pub use functions::MatrixKind;
pub use here::{HERE, PageAtPoint};
pub(crate) use parse::is_reserved;
#[cfg(any(test, feature = "testing"))]
pub use program::PROGRAM_RUNS;
pub use program::{Moves, PoseProgram, ProgramError, ProgramRun};
pub use value::{FormulaValue, FrameSeam, Matrix, SeamKind, Vector3, Vector4, VectorKind};

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The text of the formula.
    pub source: String,
    root: FormulaNode,
    /// Whether it contains anything but numbers, and needs the typed evaluator.
    typed: bool,
}

/// Result of evaluating a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaOutcome {
    /// The value. Always finite.
    pub value: FormulaValue,
    /// Places where two different frames meet, in the order of evaluation.
    pub seams: Vec<FrameSeam>,
}

impl Expr {
    /// Parses a formula.
    ///
    /// # Errors
    /// If the text is no formula, or exceeds 400 characters or 48 levels of nesting. The
    /// error points at the character.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let root = parse::parse(source)?;
        Ok(Self { source: source.to_owned(), typed: root.is_typed(), root })
    }

    /// Evaluates a formula whose value is a number. The result is always finite.
    ///
    /// # Errors
    /// If a name is unknown, or the value is not finite or not a number.
    pub fn eval(&self, values: &dyn Values) -> Result<f64, EvalError> {
        if !self.typed {
            return eval::eval(&self.root, values);
        }
        match self.value(values)?.value {
            FormulaValue::Number(number) => Ok(number),
            _ => Err(EvalError::NotANumber { column: 1 }),
        }
    }

    /// Evaluates a formula of any type, and finds where its frames do not match.
    ///
    /// # Errors
    /// If a name is unknown, types do not match, or a value is not finite. The error
    /// points at the column.
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

// The subject of a formula: the first vertex, weight or matrix cell in it.

/// A part of the model that a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaSubject {
    /// A vertex, by its index.
    Vertex(u32),
    /// The weight of a joint on a vertex.
    Weight(u32, JointIndex),
    /// A cell of one of a joint's matrices.
    Cell {
        joint: JointIndex,
        /// Row from the top, from 0.
        row: usize,
        /// Column from the left, from 0.
        column: usize,
    },
}

impl Expr {
    /// Returns the first vertex, weight or matrix cell in the formula, if there is one.
    pub fn subject(&self) -> Option<FormulaSubject> {
        find_subject(&self.root)
    }
}

/// Recursion is safe because the parser limits the depth of the tree.
fn find_subject(node: &FormulaNode) -> Option<FormulaSubject> {
    match node {
        FormulaNode::Number(_)
        | FormulaNode::Angle(_)
        | FormulaNode::Pi
        | FormulaNode::Name { .. }
        | FormulaNode::Joint { .. } => None,
        FormulaNode::Vertex(vertex) => Some(FormulaSubject::Vertex(*vertex)),
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => find_subject(inner),
        FormulaNode::Binary(_, left, right, _) => {
            find_subject(left).or_else(|| find_subject(right))
        }
        FormulaNode::Call { function, arguments, .. } => match (function, arguments.as_slice()) {
            // Only the rig can resolve the name of a joint.
            (
                FormulaFunction::Weight,
                [vertex, FormulaNode::Joint { .. } | FormulaNode::Name { .. }],
            ) => find_subject(vertex),
            (FormulaFunction::Weight, [FormulaNode::Vertex(vertex), joint]) => {
                Some(FormulaSubject::Weight(
                    *vertex,
                    JointIndex(constant_index(joint).and_then(|joint| u16::try_from(joint).ok())?),
                ))
            }
            (FormulaFunction::Matrix(_), [joint, row, column]) => Some(FormulaSubject::Cell {
                joint: JointIndex(u16::try_from(constant_index(joint)?).ok()?),
                row: constant_index(row)?,
                column: constant_index(column)?,
            }),
            _ => arguments.iter().find_map(find_subject),
        },
    }
}

/// Returns the index if the node is a literal whole number.
fn constant_index(node: &FormulaNode) -> Option<usize> {
    match node {
        FormulaNode::Number(number) if *number >= 0.0 && number.fract() == 0.0 => {
            Some(*number as usize)
        }
        _ => None,
    }
}

// Names in a formula, without evaluation.

/// A name in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedThing {
    /// A parameter, or `all`.
    Param(String),
    /// A vertex, by its index.
    Vertex(u32),
    /// A joint, by a literal index.
    Joint(u16),
    /// A joint, by its name.
    JointNamed(String),
}

impl Expr {
    /// All names in the formula, in the order of the text.
    pub fn named(&self) -> Vec<NamedThing> {
        let mut named = Vec::new();
        collect_names(&self.root, &mut named);
        named
    }

    /// The parameters in the formula, each with its column, in the order of the text.
    pub fn names(&self) -> Vec<(&str, usize)> {
        let mut names = Vec::new();
        walk(&self.root, &mut |node| {
            if let FormulaNode::Name { name, column } = node {
                names.push((name.as_str(), *column));
            }
        });
        names
    }

    /// The first function that depends on the pose of the rig, with its column.
    pub(crate) fn posed_function(&self) -> Option<(&'static str, usize)> {
        first_function(&self.root, FormulaFunction::is_posed)
    }
}

impl FormulaNode {
    /// The first function that depends on the mesh, with its column.
    fn mesh_function(&self) -> Option<(&'static str, usize)> {
        first_function(self, FormulaFunction::reads_mesh)
    }
}

fn first_function(
    node: &FormulaNode,
    matches: impl Fn(FormulaFunction) -> bool,
) -> Option<(&'static str, usize)> {
    let mut found = None;
    walk(node, &mut |node| {
        if let FormulaNode::Call { function, column, .. } = node
            && matches(*function)
        {
            found.get_or_insert((function.name(), *column));
        }
    });
    found
}

/// Visits all nodes. Recursion is safe because the parser limits the depth of the tree.
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

/// Recursion is safe because the parser limits the depth of the tree.
fn collect_names(node: &FormulaNode, named: &mut Vec<NamedThing>) {
    match node {
        FormulaNode::Number(_) | FormulaNode::Angle(_) | FormulaNode::Pi => {}
        FormulaNode::Vertex(vertex) => named.push(NamedThing::Vertex(*vertex)),
        FormulaNode::Name { name, .. } => named.push(NamedThing::Param(name.clone())),
        FormulaNode::Joint { name, .. } => named.push(NamedThing::JointNamed(name.clone())),
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => collect_names(inner, named),
        FormulaNode::Binary(_, left, right, _) => {
            collect_names(left, named);
            collect_names(right, named);
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
                    _ => collect_names(argument, named),
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

    /// Whether the value depends on the mesh or its node.
    fn reads_mesh(self) -> bool {
        match self {
            Self::Matrix(_) | Self::AngleBetween | Self::Determinant => false,
            Self::BindPosition(_)
            | Self::StoredNormal(_)
            | Self::Typed(TypedFunction::Rig(RigFunction::Stored)) => true,
            other => other.is_posed(),
        }
    }

    /// Whether the value depends on the pose, or on weights that readers edit.
    fn is_posed(self) -> bool {
        match self {
            Self::Typed(TypedFunction::Rig(of_rig)) => matches!(
                of_rig,
                RigFunction::MeshNodeFromBind
                    | RigFunction::WorldFromMeshNode
                    | RigFunction::SkinMatrix
                    | RigFunction::Skinned
            ),
            Self::Numeric(_)
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
