//! Functions that give, or take, more than numbers.

use glam::{DMat4, DQuat, DVec3, DVec4};

use super::arguments::Arguments;
use super::arithmetic::{binary, scaled};
use super::error::EvalError;
use super::functions::TypedFunction;
use super::rig_calls;
use super::seam::{SeamKind, Seams};
use super::tree::Operator;
use super::value::{FormulaValue, Matrix, Vector3, Vector4, VectorKind};

impl Arguments<'_> {
    pub(super) fn value(
        &self,
        function: TypedFunction,
        seams: &mut Seams,
    ) -> Result<FormulaValue, EvalError> {
        Ok(match function {
            TypedFunction::OfRig(function) => rig_calls::value(self, function)?,
            TypedFunction::Vec3 => FormulaValue::Vec3(Vector3::plain(self.three(0)?)),
            TypedFunction::Point => self.three_as(VectorKind::Point)?,
            TypedFunction::Direction => self.three_as(VectorKind::Direction)?,
            TypedFunction::Vec4 => self.vec4()?,
            TypedFunction::Quat => self.quat()?,
            TypedFunction::AxisAngle => {
                let axis = self.normalized(self.vec3(0)?.xyz)?;
                FormulaValue::Quat(DQuat::from_axis_angle(axis, self.number(1)?))
            }
            TypedFunction::Mat4 => self.mat4()?,
            TypedFunction::Identity => free(DMat4::IDENTITY),
            TypedFunction::Translate => free(DMat4::from_translation(self.three(0)?)),
            TypedFunction::Scale => free(DMat4::from_scale(match self.found {
                [_] => DVec3::splat(self.number(0)?),
                _ => self.three(0)?,
            })),
            TypedFunction::Rotate(axis) => {
                let axis = DVec3::AXES[axis % 3];
                free(DMat4::from_axis_angle(axis, self.number(0)?))
            }
            TypedFunction::Inverse => self.inverse_value()?,
            TypedFunction::Transpose => free(self.matrix(0)?.mat.transpose()),
            TypedFunction::Trace => {
                let mat = self.matrix(0)?.mat;
                FormulaValue::Number((0..4).map(|index| mat.col(index)[index]).sum())
            }
            TypedFunction::Cell => {
                FormulaValue::Number(self.matrix(0)?.mat.col(self.place(2)?)[self.place(1)?])
            }
            TypedFunction::Column => {
                let matrix = self.matrix(0)?;
                FormulaValue::Vec4(Vector4 {
                    xyzw: matrix.mat.col(self.place(1)?),
                    frame: matrix.to,
                })
            }
            TypedFunction::Dot => FormulaValue::Number(self.dot(seams)?),
            TypedFunction::Cross => {
                let (a, b) = (self.vec3(0)?, self.vec3(1)?);
                seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
                FormulaValue::Vec3(Vector3 {
                    xyz: a.xyz.cross(b.xyz),
                    kind: VectorKind::Direction,
                    frame: a.frame.or(b.frame),
                })
            }
            TypedFunction::Length => FormulaValue::Number(self.length()?),
            TypedFunction::Normalize => match self.length()? {
                0.0 => return Err(self.no_length()),
                length => scaled(self.found[0], 1.0 / length),
            },
            TypedFunction::Mix => self.mix(seams)?,
            TypedFunction::Slerp => {
                let (a, b) = (self.rotation(0)?, self.rotation(1)?);
                FormulaValue::Quat(a.slerp(b, self.number(2)?))
            }
        })
    }

    /// Between two points.
    pub(super) fn distance(&self, seams: &mut Seams) -> Result<FormulaValue, EvalError> {
        let (a, b) = (self.vec3(0)?, self.vec3(1)?);
        seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
        Ok(FormulaValue::Number(a.xyz.distance(b.xyz)))
    }

    fn inverse_value(&self) -> Result<FormulaValue, EvalError> {
        match self.found.first() {
            Some(FormulaValue::Mat4(matrix)) => Ok(FormulaValue::Mat4(Matrix {
                mat: self.inverse(matrix.mat)?,
                to: matrix.from,
                from: matrix.to,
            })),
            Some(FormulaValue::Quat(quat)) => match quat.length_squared() {
                0.0 => Err(self.no_length()),
                square => Ok(FormulaValue::Quat(quat.conjugate() * (1.0 / square))),
            },
            _ => Err(self.wrong(0, "a matrix or a quaternion", "write 1 / a for a number")),
        }
    }

    fn vec4(&self) -> Result<FormulaValue, EvalError> {
        if let [FormulaValue::Vec3(vector), w] = self.found {
            let FormulaValue::Number(w) = w else {
                return Err(self.wrong(1, "a number", "write 1 for a point, 0 for a direction"));
            };
            return Ok(FormulaValue::Vec4(Vector4 {
                xyzw: vector.xyz.extend(*w),
                frame: vector.frame,
            }));
        }
        let xyzw = match *self.numbers()? {
            [x, y, z, w] => DVec4::new(x, y, z, w),
            _ => return Err(self.wrong(0, "a vec3", "write vec4(p, 1)")),
        };
        Ok(FormulaValue::Vec4(Vector4 { xyzw, frame: None }))
    }

    fn quat(&self) -> Result<FormulaValue, EvalError> {
        if let [FormulaValue::Mat4(matrix)] = self.found {
            self.inverse(matrix.mat)?;
            let (_, rotation, _) = matrix.mat.to_scale_rotation_translation();
            return Ok(FormulaValue::Quat(rotation));
        }
        match *self.numbers()? {
            [x, y, z, w] => Ok(FormulaValue::Quat(DQuat::from_xyzw(x, y, z, w))),
            _ => Err(self.wrong(0, "a matrix", "write quat(x, y, z, w)")),
        }
    }

    fn mat4(&self) -> Result<FormulaValue, EvalError> {
        if let [_] = self.found {
            return Ok(free(DMat4::from_quat(self.rotation(0)?)));
        }
        let rows: Result<[f64; 16], _> = self.numbers()?.try_into();
        match rows {
            Ok(rows) => Ok(free(DMat4::from_cols_array(&rows).transpose())),
            Err(_) => Err(self.wrong(0, "16 numbers", "write them row by row")),
        }
    }

    /// Three numbers, or a vec3.
    fn three(&self, first: usize) -> Result<DVec3, EvalError> {
        match self.found {
            [FormulaValue::Vec3(vector)] => Ok(vector.xyz),
            [_] => Err(self.wrong(0, "a vec3", "write vec3(x, y, z)")),
            _ => Ok(DVec3::new(
                self.number(first)?,
                self.number(first + 1)?,
                self.number(first + 2)?,
            )),
        }
    }

    fn three_as(&self, kind: VectorKind) -> Result<FormulaValue, EvalError> {
        let frame = match self.found {
            [FormulaValue::Vec3(vector)] => vector.frame,
            _ => None,
        };
        let xyz = self.three(0)?;
        Ok(FormulaValue::Vec3(Vector3 { xyz, kind, frame }))
    }

    fn dot(&self, seams: &mut Seams) -> Result<f64, EvalError> {
        match self.found {
            [FormulaValue::Vec4(a), FormulaValue::Vec4(b)] => {
                seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
                Ok(a.xyzw.dot(b.xyzw))
            }
            [FormulaValue::Quat(a), FormulaValue::Quat(b)] => Ok(a.dot(*b)),
            _ => {
                let (a, b) = (self.vec3(0)?, self.vec3(1)?);
                seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
                Ok(a.xyz.dot(b.xyz))
            }
        }
    }

    fn length(&self) -> Result<f64, EvalError> {
        match self.found.first() {
            Some(FormulaValue::Vec3(vector)) => Ok(vector.xyz.length()),
            Some(FormulaValue::Vec4(vector)) => Ok(vector.xyzw.length()),
            Some(FormulaValue::Quat(quat)) => Ok(quat.length()),
            _ => Err(self.wrong(0, "a vector or a quaternion", "write abs(a) for a number")),
        }
    }

    /// On the way from the first to the second, number by number.
    fn mix(&self, seams: &mut Seams) -> Result<FormulaValue, EvalError> {
        let (&[a, b, _], amount) = (self.found, self.number(2)?) else {
            return Err(self.wrong(0, "two values and an amount", "write mix(a, b, 0.5)"));
        };
        let (a, b) = (scaled(a, 1.0 - amount), scaled(b, amount));
        binary(Operator::Add, a, b, self.column, seams)
    }
}

/// A matrix between no known frames.
fn free(mat: DMat4) -> FormulaValue {
    FormulaValue::Mat4(Matrix::of(mat))
}
