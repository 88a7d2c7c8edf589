//! What a file of weights says, whatever it is written in.

use bindpose_diagnostic::{Diagnostic, ModelPlace};
use bindpose_lesson::CELL_LIMIT;

/// Joints and weights of all vertices, as a file has them. Weights are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// The names of its joints, by number.
    pub(super) joints: Vec<String>,
    /// Of each vertex, joints by number and their weights, none of them 0.
    pub(super) vertices: Vec<Vec<(u16, f32)>>,
}

/// A weight that can be worked with.
pub(super) fn checked(weight: f32, at: impl Fn() -> String) -> Result<f32, Diagnostic> {
    if weight.is_finite() && weight.abs() <= CELL_LIMIT {
        return Ok(weight);
    }
    let wrong = Diagnostic::expected(
        format!("a weight between -{CELL_LIMIT} and {CELL_LIMIT}"),
        weight.to_string(),
    );
    Err(wrong.at(ModelPlace::at(at()).into()).help("write 0 to 1, or save the weights again"))
}
