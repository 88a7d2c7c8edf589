//! Exercises: what their bodies may say.

use serde::Deserialize;

use crate::lesson::{DataEdits, Expr, Quantity, Settings, Text};

/// ```` ```check ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "CheckBody")]
pub struct CheckCell {
    /// What the reader is to do.
    pub ask: Text,
    /// All must hold at once; at least one.
    pub conditions: Vec<Condition>,
    /// Marked in the pictures, in world space: where a vertex should come.
    pub place: Option<[f32; 3]>,
    /// From a nudge to nearly the answer.
    pub hints: Vec<Text>,
    /// What solves it.
    pub solution: Settings,
    /// Edited weights, matrices, texels and bytes that solve it, in the words of
    /// links: `"weights.3" = "0,1,0,0"`.
    pub solution_edits: DataEdits,
    /// What is said when it is solved.
    pub solved: Text,
}

/// A number that should come to a goal.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Condition {
    /// Words before the measure: `distance v2–v3`.
    pub label: Text,
    /// What is looked at, live.
    pub measure: Expr,
    /// What it should be.
    pub goal: Expr,
    /// How far off still counts; in the unit of the measure.
    pub tolerance: Quantity,
    /// Digits after the point; absent: 2.
    #[serde(default)]
    pub decimals: Option<usize>,
    /// After the number: `°` converts radians to degrees.
    #[serde(default)]
    pub unit: String,
    /// Is the goal an answer that the reader is to find? Then neither it nor the
    /// way to it is shown.
    #[serde(default)]
    pub secret: bool,
}

/// As written: the first condition stands in the cell itself, others in `also`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CheckBody {
    ask: Text,
    label: Text,
    measure: Expr,
    goal: Expr,
    tolerance: Quantity,
    #[serde(default)]
    decimals: Option<usize>,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    secret: bool,
    #[serde(default)]
    also: Vec<Condition>,
    #[serde(default)]
    place: Option<[Quantity; 3]>,
    #[serde(default)]
    hints: Vec<Text>,
    #[serde(default)]
    solution: Settings,
    #[serde(default)]
    solution_edits: DataEdits,
    solved: Text,
}

impl From<CheckBody> for CheckCell {
    fn from(body: CheckBody) -> Self {
        let first = Condition {
            label: body.label,
            measure: body.measure,
            goal: body.goal,
            tolerance: body.tolerance,
            decimals: body.decimals,
            unit: body.unit,
            secret: body.secret,
        };
        Self {
            ask: body.ask,
            conditions: std::iter::once(first).chain(body.also).collect(),
            place: body
                .place
                .map(|place| place.map(|Quantity(value)| value as f32)),
            hints: body.hints,
            solution: body.solution,
            solution_edits: body.solution_edits,
            solved: body.solved,
        }
    }
}

/// ```` ```predict ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PredictCell {
    /// What the reader is asked: “Where will v6 go when …?”
    pub ask: Text,
    /// The vertex.
    pub vertex: u32,
    /// What happens at the reveal.
    pub set: Settings,
    /// Within this distance, in world units, the guess is right.
    pub close: f32,
    /// What is said after the reveal.
    pub why: Text,
}
