//! A program at work: a pure function of what it reads, with a bound on what it takes.

use bindpose_diagnostic::LineColumn;
use bindpose_skin::JointIndex;

use super::PoseProgram;
use super::act::{Moves, act};
use super::statement::{Action, LoopOver, Statement};
use crate::expr::error::EvalError;
use crate::expr::eval::{Call, Values};
use crate::expr::seam::FrameSeam;
use crate::expr::tree::FormulaNode;
use crate::expr::typed::Evaluator;
use crate::expr::value::FormulaValue;

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
