//! Exercises: what their bodies may say.

use serde::Deserialize;

use crate::{DataEdits, Expr, Quantity, Settings, Text};

/// ```` ```check ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
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
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Condition {
    /// The words before the number that is measured.
    pub label: Text,
    /// A formula for the number that is followed live.
    pub measure: Expr,
    /// A formula for what the number should come to.
    pub goal: Expr,
    /// How far off still counts; in the unit of the measure.
    pub tolerance: Quantity,
    /// Digits after the point; absent: 2.
    #[serde(default)]
    pub decimals: Option<usize>,
    /// The unit after the number; "°" shows radians in degrees.
    #[serde(default)]
    pub unit: String,
    /// Whether the goal is an answer to be found: then neither it nor the distance to it
    /// is shown.
    #[serde(default)]
    pub secret: bool,
}

/// As written: the first condition stands in the cell itself, others in `also`.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CheckBody {
    /// What the reader is to do.
    ask: Text,
    /// The words before the number that is measured.
    label: Text,
    /// A formula for the number that is followed live.
    measure: Expr,
    /// A formula for what the number should come to.
    goal: Expr,
    /// How far off still counts, in the unit of the measure; for an angle "5deg".
    tolerance: Quantity,
    /// Digits after the point; absent: 2.
    #[serde(default)]
    decimals: Option<usize>,
    /// The unit after the number; "°" shows radians in degrees.
    #[serde(default)]
    unit: String,
    /// Whether the goal is an answer to be found: then neither it nor the distance to it
    /// is shown.
    #[serde(default)]
    secret: bool,
    /// Further conditions, which must hold at the same time.
    #[serde(default)]
    also: Vec<Condition>,
    /// A place that is marked in the viewports, in world space.
    #[serde(default)]
    place: Option<[Quantity; 3]>,
    /// Hints, from a nudge to nearly the answer.
    #[serde(default)]
    hints: Vec<Text>,
    /// What solves it, as in set blocks.
    #[serde(default)]
    solution: Settings,
    /// Edited weights, matrices, texels and bytes that solve it, in the words of links.
    #[serde(default)]
    solution_edits: DataEdits,
    /// What is said when it is solved.
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
            place: body.place.map(|place| place.map(|Quantity(value)| value as f32)),
            hints: body.hints,
            solution: body.solution,
            solution_edits: body.solution_edits,
            solved: body.solved,
        }
    }
}

/// ```` ```predict ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PredictCell {
    /// What the reader is asked.
    pub ask: Text,
    /// The number of the vertex.
    pub vertex: u32,
    /// What the page is put to at the reveal, as in set blocks.
    pub set: Settings,
    /// Within this distance, in world units, the guess is right.
    pub close: f32,
    /// What is said after the reveal.
    pub why: Text,
}
