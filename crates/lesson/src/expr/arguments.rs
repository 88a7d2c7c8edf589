//! The arguments of a function, each as the type that it must have.

use bindpose_skin::JointIndex;
use glam::{DMat4, DQuat, DVec3};

use super::arithmetic::inverse_of;
use super::error::EvalError;
use super::eval::{Call, Values};
use super::functions::MatrixKind;
use super::value::{FormulaValue, Matrix, Vector3};

/// A function with its arguments worked out.
pub(super) struct Arguments<'a> {
    pub(super) values: &'a dyn Values,
    pub(super) found: &'a [FormulaValue],
    pub(super) column: usize,
}

impl Arguments<'_> {
    /// Where none of them is anything but a number.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, EvalError> {
        (0..self.found.len()).map(|index| self.number(index)).collect()
    }

    fn call<'b>(&'b self, number: &'b [f64]) -> Call<'b> {
        Call { arguments: number, column: self.column, values: self.values }
    }

    pub(super) fn joint(&self) -> Result<JointIndex, EvalError> {
        self.call(&[self.number(0)?]).joint(0)
    }

    pub(super) fn joint_matrix(
        &self,
        kind: MatrixKind,
        joint: JointIndex,
    ) -> Result<DMat4, EvalError> {
        let matrix = self.values.matrix(kind, joint);
        let number = [f64::from(joint.0)];
        let matrix = matrix.ok_or_else(|| self.call(&number).no_joint(0))?;
        Ok(matrix.as_dmat4())
    }

    pub(super) fn of_vertex<T>(&self, value: impl Fn(usize) -> Option<T>) -> Result<T, EvalError> {
        self.call(&[self.number(0)?]).of_vertex(0, value)
    }

    pub(super) fn inverse(&self, mat: DMat4) -> Result<DMat4, EvalError> {
        let column = self.column;
        inverse_of(mat).ok_or(EvalError::Singular { column })
    }

    pub(super) fn rotation(&self, index: usize) -> Result<DQuat, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Quat(quat)) if quat.length_squared() > 0.0 => Ok(quat.normalize()),
            Some(FormulaValue::Quat(_)) => Err(self.no_length()),
            _ => Err(self.wrong(index, "a quaternion", "write axis_angle(axis, angle)")),
        }
    }

    pub(super) fn normalized(&self, vector: DVec3) -> Result<DVec3, EvalError> {
        vector.try_normalize().ok_or_else(|| self.no_length())
    }

    pub(super) fn no_length(&self) -> EvalError {
        let column = self.column;
        EvalError::NoLength { column }
    }

    pub(super) fn number(&self, index: usize) -> Result<f64, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Number(number)) => Ok(*number),
            _ => Err(self.wrong(index, "a number", "take a part of it, such as p.x")),
        }
    }

    pub(super) fn vec3(&self, index: usize) -> Result<Vector3, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Vec3(vector)) => Ok(*vector),
            _ => Err(self.wrong(index, "a vec3", "write vec3(x, y, z), or .xyz of a vec4")),
        }
    }

    pub(super) fn matrix(&self, index: usize) -> Result<Matrix, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Mat4(matrix)) => Ok(*matrix),
            _ => Err(self.wrong(index, "a matrix", "write one, such as world(0)")),
        }
    }

    /// A row or a column.
    pub(super) fn place(&self, index: usize) -> Result<usize, EvalError> {
        let number = self.number(index)?;
        match number {
            0.0 | 1.0 | 2.0 | 3.0 => Ok(number as usize),
            _ => Err(self.wrong(index, "0, 1, 2 or 3", "rows and columns are counted from 0")),
        }
    }

    pub(super) fn wrong(&self, index: usize, expected: &str, help: &str) -> EvalError {
        let found = match self.found.get(index) {
            Some(FormulaValue::Number(number)) => format!("{number}"),
            Some(other) => other.type_name().to_owned(),
            None => "nothing".to_owned(),
        };
        EvalError::WrongType {
            expected: format!("{expected} as argument {}", index + 1),
            found,
            help: help.to_owned(),
            column: self.column,
        }
    }
}
