//! A program at work: a pure function of what it reads, with a bound on what it takes.

use bindpose_diagnostic::LineColumn;
use bindpose_skin::JointIndex;
use glam::{DMat4, DQuat, DVec3, DVec4};

use super::{Action, LoopOver, PoseProgram, Statement};
use crate::expr::error::EvalError;
use crate::expr::eval::{Call, FormulaNode, Values};
use crate::expr::typed::Evaluator;
use crate::expr::value::{FormulaValue, FrameSeam};

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// How many programs this thread has run.
    pub static RUNS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Names that a program may put values into.
const MAX_VARIABLES: usize = 64;

/// What became of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramRun {
    /// What stands in each name at the end, by name.
    pub variables: Vec<(String, FormulaValue)>,
    /// Where frames met that differ, each with its line.
    pub seams: Vec<(LineColumn, FrameSeam)>,
    /// Why it stopped before its end; what stands before that has been done.
    pub error: Option<ProgramError>,
}

/// Why a program stopped, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {}, column {}: {error}", at.line, at.column)]
pub struct ProgramError {
    /// Line and column in the text.
    pub at: LineColumn,
    /// What is wrong there.
    pub error: EvalError,
}

impl PoseProgram {
    /// Runs it once.
    pub fn run(&self, values: &dyn Values, moves: &dyn Moves) -> ProgramRun {
        #[cfg(any(test, feature = "testing"))]
        RUNS.set(RUNS.get() + 1);
        let mut runner = Runner { values, moves, evaluator: Evaluator::new(values, moves.depth()) };
        let error = runner.block(&self.statements).err();
        let place = |column| Self::place(&self.source, column);
        let Evaluator { variables, seams, .. } = runner.evaluator;
        ProgramRun {
            variables: (variables.into_iter())
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            seams: (seams.0.into_iter()).map(|seam| (place(seam.column), seam)).collect(),
            error: error.map(|error| ProgramError { at: place(error.column()), error }),
        }
    }
}

struct Runner<'n, 'v> {
    values: &'v dyn Values,
    moves: &'v dyn Moves,
    evaluator: Evaluator<'n, 'v>,
}

impl<'n> Runner<'n, '_> {
    /// The parser bounds how deep blocks are, so that this recursion is safe.
    fn block(&mut self, statements: &'n [Statement]) -> Result<(), EvalError> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    /// Counts a statement, and where it stands.
    fn begin(&mut self, column: usize) -> Result<(), EvalError> {
        self.evaluator.statement = column;
        self.evaluator.spend(1)
    }

    fn statement(&mut self, statement: &'n Statement) -> Result<(), EvalError> {
        match statement {
            Statement::Assign { name, column, value } => {
                self.begin(*column)?;
                let value = self.evaluator.value(value)?;
                self.put(name, value, *column)
            }
            Statement::For { name, column, over, body } => {
                self.begin(*column)?;
                let (first, last) = match over {
                    LoopOver::Joints => (0.0, self.values.joints() as f64 - 1.0),
                    LoopOver::Range(first, last) => {
                        (self.end(first, *column)?, self.end(last, *column)?)
                    }
                };
                let mut number = first;
                while number <= last {
                    self.begin(*column)?;
                    self.put(name, FormulaValue::Number(number), *column)?;
                    self.block(body)?;
                    number += 1.0;
                }
                Ok(())
            }
            Statement::If { condition, column, then, otherwise } => {
                self.begin(*column)?;
                let holds = self.evaluator.number(condition, *column)? != 0.0;
                self.block(if holds { then } else { otherwise })
            }
            Statement::Move { action, joint, arguments, column } => {
                self.begin(*column)?;
                self.act(*action, joint, arguments, *column)
            }
        }
    }

    /// Where a loop begins or ends: a whole number that counting by 1 reaches.
    fn end(&mut self, node: &'n FormulaNode, column: usize) -> Result<f64, EvalError> {
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

    fn put(&mut self, name: &'n str, value: FormulaValue, column: usize) -> Result<(), EvalError> {
        if !self.evaluator.variables.contains_key(name) {
            let taken = if self.evaluator.param(name).is_some() {
                Some("a parameter of the page has")
            } else if self.values.joint_named(name).is_some() {
                Some("a joint has")
            } else {
                None
            };
            let full = self.evaluator.variables.len() >= MAX_VARIABLES;
            if taken.is_some() || full {
                let expected = if full {
                    format!("at most {MAX_VARIABLES} names")
                } else {
                    "a name of your own".to_owned()
                };
                return Err(EvalError::WrongType {
                    expected,
                    found: taken
                        .map_or("more".to_owned(), |who| format!("`{name}`, a name that {who}")),
                    help: "write another name".to_owned(),
                    column,
                });
            }
        }
        self.evaluator.variables.insert(name, value);
        Ok(())
    }

    fn act(
        &mut self,
        action: Action,
        joint: &'n FormulaNode,
        arguments: &'n [FormulaNode],
        column: usize,
    ) -> Result<(), EvalError> {
        let joint = self.joint(joint, column)?;
        let mut found = Vec::with_capacity(arguments.len());
        for argument in arguments {
            found.push(self.evaluator.value(argument)?);
        }
        act(action, joint, &found, column, self.moves)
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

// What statements do to joints.

/// What statements do to joints. The joint is always one of the rig; what is read
/// afterwards, as `local(j)`, has changed.
pub trait Moves {
    /// Turns it about its own origin, in its own axes, after what has turned it.
    fn rotate(&self, joint: JointIndex, rotation: DQuat);
    /// Moves it along the axes of its parent.
    fn translate(&self, joint: JointIndex, by: DVec3);
    /// Scales it along its own axes.
    fn scale(&self, joint: JointIndex, by: DVec3);
    /// Puts its local transform, the last row of which is 0 0 0 1.
    fn put_local(&self, joint: JointIndex, parent_from_joint: DMat4);
    /// Joints from the root to the deepest one: what a global transform takes.
    fn depth(&self) -> u32;
}

/// Does one thing to one joint, with the values that the statement gives.
pub(super) fn act(
    action: Action,
    joint: JointIndex,
    found: &[FormulaValue],
    column: usize,
    moves: &dyn Moves,
) -> Result<(), EvalError> {
    let wrong = |expected: &str, help: &str| EvalError::WrongType {
        expected: expected.to_owned(),
        found: found.first().map_or("nothing", FormulaValue::type_name).to_owned(),
        help: help.to_owned(),
        column,
    };
    match (action, found) {
        (Action::RotateAxis(axis), [FormulaValue::Number(angle)]) => {
            let axis = DVec3::AXES[axis % 3];
            moves.rotate(joint, DQuat::from_axis_angle(axis, *angle));
        }
        (Action::RotateAxis(_), _) => return Err(wrong("an angle", "write 30deg")),
        (Action::Rotate, [FormulaValue::Quat(quat)]) => {
            if quat.length_squared() <= 0.0 {
                return Err(EvalError::NoLength { column });
            }
            moves.rotate(joint, quat.normalize());
        }
        (Action::Rotate, _) => {
            return Err(wrong("a quaternion", "write axis_angle(axis, angle)"));
        }
        (Action::Translate, found) => {
            let by =
                three(found).ok_or_else(|| wrong("three numbers or a vec3", "write 0, 1, 0"))?;
            moves.translate(joint, by);
        }
        (Action::Scale, [FormulaValue::Number(factor)]) => {
            moves.scale(joint, DVec3::splat(*factor));
        }
        (Action::Scale, found) => {
            let by = three(found).ok_or_else(|| wrong("numbers", "write 1, 2, 1"))?;
            moves.scale(joint, by);
        }
        (Action::SetLocal, [FormulaValue::Mat4(matrix)]) => {
            let last = matrix.mat.transpose().w_axis;
            if !last.abs_diff_eq(DVec4::W, 1e-6) {
                let help = "a local transform turns, scales and shifts, and does no more";
                return Err(wrong("a matrix whose last row is 0 0 0 1", help));
            }
            moves.put_local(joint, matrix.mat);
        }
        (Action::SetLocal, _) => {
            return Err(wrong("a matrix", "write translate(x, y, z) * rotate_z(angle)"));
        }
    }
    Ok(())
}

fn three(found: &[FormulaValue]) -> Option<DVec3> {
    match found {
        [FormulaValue::Vec3(vector)] => Some(vector.xyz),
        [FormulaValue::Number(x), FormulaValue::Number(y), FormulaValue::Number(z)] => {
            Some(DVec3::new(*x, *y, *z))
        }
        _ => None,
    }
}
