//! The interpreter of programs. A run is a pure function of its inputs, and limited in work.

use bindpose_diagnostic::LineColumn;
use bindpose_skin::JointIndex;
use glam::{DMat4, DQuat, DVec3, DVec4};

use super::{Action, LoopRange, PoseProgram, Statement};
use crate::expr::error::EvalError;
use crate::expr::eval::{Call, FormulaNode, Values};
use crate::expr::typed::Evaluator;
use crate::expr::value::{FormulaValue, FrameSeam};

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// Number of programs that this thread has run.
    pub static PROGRAM_RUNS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Maximum number of variables in a program.
const MAX_VARIABLES: usize = 64;

/// Result of running a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramRun {
    /// Final values of all variables, by name.
    pub variables: Vec<(String, FormulaValue)>,
    /// Places where two different frames meet, with line and column.
    pub seams: Vec<(LineColumn, FrameSeam)>,
    /// Error that stopped the program. Statements before it took effect.
    pub error: Option<ProgramError>,
}

/// Error in a running program.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {}, column {}: {error}", at.line, at.column)]
pub struct ProgramError {
    /// Line and column in the text.
    pub at: LineColumn,
    pub error: EvalError,
}

impl PoseProgram {
    pub fn run(&self, values: &dyn Values, moves: &dyn Moves) -> ProgramRun {
        #[cfg(any(test, feature = "testing"))]
        PROGRAM_RUNS.set(PROGRAM_RUNS.get() + 1);
        let mut runner = Runner { values, moves, evaluator: Evaluator::new(values, moves.depth()) };
        let error = runner.block(&self.statements).err();
        let Evaluator { variables, seams, .. } = runner.evaluator;
        ProgramRun {
            variables: variables
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            seams: seams
                .0
                .into_iter()
                .map(|seam| (Self::place(&self.source, seam.column), seam))
                .collect(),
            error: error
                .map(|error| ProgramError { at: Self::place(&self.source, error.column()), error }),
        }
    }
}

struct Runner<'n, 'v> {
    values: &'v dyn Values,
    moves: &'v dyn Moves,
    evaluator: Evaluator<'n, 'v>,
}

impl<'n> Runner<'n, '_> {
    /// Recursion is safe because the parser limits the depth of blocks.
    fn block(&mut self, statements: &'n [Statement]) -> Result<(), EvalError> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    /// Counts a statement and records its column.
    fn begin_statement(&mut self, column: usize) -> Result<(), EvalError> {
        self.evaluator.statement = column;
        self.evaluator.count_operations(1)
    }

    fn statement(&mut self, statement: &'n Statement) -> Result<(), EvalError> {
        match statement {
            Statement::Assign { name, column, value } => {
                self.begin_statement(*column)?;
                let value = self.evaluator.value(value)?;
                self.assign(name, value, *column)
            }
            Statement::For { name, column, over, body } => {
                self.begin_statement(*column)?;
                let (first, last) = match over {
                    LoopRange::Joints => (0.0, self.values.joints() as f64 - 1.0),
                    LoopRange::Range(first, last) => {
                        (self.loop_bound(first, *column)?, self.loop_bound(last, *column)?)
                    }
                };
                let mut number = first;
                while number <= last {
                    self.begin_statement(*column)?;
                    self.assign(name, FormulaValue::Number(number), *column)?;
                    self.block(body)?;
                    number += 1.0;
                }
                Ok(())
            }
            Statement::If { condition, column, then, otherwise } => {
                self.begin_statement(*column)?;
                let holds = self.evaluator.number(condition, *column)? != 0.0;
                self.block(if holds { then } else { otherwise })
            }
            Statement::Move { action, joint, arguments, column } => {
                self.begin_statement(*column)?;
                self.move_joint(*action, joint, arguments, *column)
            }
        }
    }

    /// First or last number of a loop. Must be whole and small enough to be reached by
    /// counting.
    fn loop_bound(&mut self, node: &'n FormulaNode, column: usize) -> Result<f64, EvalError> {
        let number = self.evaluator.number(node, column)?;
        if number.fract() == 0.0 && number.abs() <= f64::from(u32::MAX) {
            return Ok(number);
        }
        Err(EvalError::WrongType {
            expected: "a whole number".to_owned(),
            found: number.to_string(),
            help: "write floor(…) around it".to_owned(),
            column,
        })
    }

    /// Assigns a variable. Its name must not be that of a parameter or a joint.
    fn assign(
        &mut self,
        name: &'n str,
        value: FormulaValue,
        column: usize,
    ) -> Result<(), EvalError> {
        if !self.evaluator.variables.contains_key(name) {
            let taken_by = if self.evaluator.param(name).is_some() {
                Some("a parameter of the page has")
            } else if self.values.joint_named(name).is_some() {
                Some("a joint has")
            } else {
                None
            };
            let is_full = self.evaluator.variables.len() >= MAX_VARIABLES;
            if taken_by.is_some() || is_full {
                let expected = if is_full {
                    format!("at most {MAX_VARIABLES} names")
                } else {
                    "a name of your own".to_owned()
                };
                return Err(EvalError::WrongType {
                    expected,
                    found: taken_by
                        .map_or("more".to_owned(), |who| format!("`{name}`, a name that {who}")),
                    help: "write another name".to_owned(),
                    column,
                });
            }
        }
        self.evaluator.variables.insert(name, value);
        Ok(())
    }

    fn move_joint(
        &mut self,
        action: Action,
        joint: &'n FormulaNode,
        arguments: &'n [FormulaNode],
        column: usize,
    ) -> Result<(), EvalError> {
        let joint = self.joint(joint, column)?;
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.evaluator.value(argument)?);
        }
        apply_action(action, joint, &values, column, self.moves)
    }

    fn joint(&mut self, node: &'n FormulaNode, column: usize) -> Result<JointIndex, EvalError> {
        match self.evaluator.joint_argument(node)? {
            FormulaValue::Number(number) => {
                Call { arguments: &[number], column, values: self.values }.joint(0)
            }
            other => Err(EvalError::WrongType {
                expected: "a joint".to_owned(),
                found: other.type_name().to_owned(),
                help: "write its number or its name".to_owned(),
                column,
            }),
        }
    }
}

/// Changes of joints by statements. The joint always exists in the rig. Functions such as
/// `local(j)` read the changed transform afterwards.
pub trait Moves {
    /// Rotates the joint about its origin, in its own axes, on top of earlier rotations.
    fn rotate(&self, joint: JointIndex, rotation: DQuat);
    /// Moves the joint along the axes of its parent.
    fn translate(&self, joint: JointIndex, by: DVec3);
    /// Scales the joint along its own axes.
    fn scale(&self, joint: JointIndex, by: DVec3);
    /// Replaces the local transform. Its last row is 0 0 0 1.
    fn put_local(&self, joint: JointIndex, parent_from_joint: DMat4);
    /// Depth of the deepest joint: the cost of computing a world matrix.
    fn depth(&self) -> u32;
}

fn apply_action(
    action: Action,
    joint: JointIndex,
    arguments: &[FormulaValue],
    column: usize,
    moves: &dyn Moves,
) -> Result<(), EvalError> {
    let (expected, help) = match (action, arguments) {
        (Action::RotateAxis(axis), [FormulaValue::Number(angle)]) => {
            let axis = DVec3::AXES[axis % 3];
            moves.rotate(joint, DQuat::from_axis_angle(axis, *angle));
            return Ok(());
        }
        (Action::RotateAxis(_), _) => ("an angle", "write 30deg"),
        (Action::Rotate, [FormulaValue::Quat(quat)]) => {
            if quat.length_squared() <= 0.0 {
                return Err(EvalError::NoLength { column });
            }
            moves.rotate(joint, quat.normalize());
            return Ok(());
        }
        (Action::Rotate, _) => ("a quaternion", "write axis_angle(axis, angle)"),
        (Action::Translate, arguments) => {
            if let Some(by) = vector_of(arguments) {
                moves.translate(joint, by);
                return Ok(());
            }
            ("three numbers or a vec3", "write 0, 1, 0")
        }
        (Action::Scale, [FormulaValue::Number(factor)]) => {
            moves.scale(joint, DVec3::splat(*factor));
            return Ok(());
        }
        (Action::Scale, arguments) => {
            if let Some(by) = vector_of(arguments) {
                moves.scale(joint, by);
                return Ok(());
            }
            ("numbers", "write 1, 2, 1")
        }
        (Action::SetLocal, [FormulaValue::Mat4(matrix)]) => {
            let last_row = matrix.mat.transpose().w_axis;
            if last_row.abs_diff_eq(DVec4::W, 1e-6) {
                moves.put_local(joint, matrix.mat);
                return Ok(());
            }
            (
                "a matrix whose last row is 0 0 0 1",
                "a local transform turns, scales and shifts, and does no more",
            )
        }
        (Action::SetLocal, _) => ("a matrix", "write translate(x, y, z) * rotate_z(angle)"),
    };
    Err(EvalError::WrongType {
        expected: expected.to_owned(),
        found: arguments.first().map_or("nothing", FormulaValue::type_name).to_owned(),
        help: help.to_owned(),
        column,
    })
}

/// Returns three numbers or a vec3 as a vector, or `None` for other arguments.
fn vector_of(arguments: &[FormulaValue]) -> Option<DVec3> {
    match arguments {
        [FormulaValue::Vec3(vector)] => Some(vector.xyz),
        [FormulaValue::Number(x), FormulaValue::Number(y), FormulaValue::Number(z)] => {
            Some(DVec3::new(*x, *y, *z))
        }
        _ => None,
    }
}
