//! Bodies of exercises and questions, which readers answer, and of claims about the prose,
//! which the content check evaluates.

use serde::Deserialize;

use crate::{
    CloseDistance, DataEdits, Decimals, Expr, FaultName, JointName, MatrixRef, Quantity, Settings,
    Text, Tolerance,
};

/// ```` ```check ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(from = "CheckBody")]
pub struct CheckCell {
    /// The task.
    pub ask: Text,
    /// All must hold at once; at least one.
    pub conditions: Vec<Condition>,
    /// Marked in the pictures, in world space: where a vertex should come.
    pub place: Option<[f32; 3]>,
    /// From a nudge to nearly the answer.
    pub hints: Vec<Text>,
    /// Settings that solve the task.
    pub solution: Settings,
    /// Edited weights, matrices, texels and bytes that solve it, in the words of
    /// links: `"weights.3" = "0,1,0,0"`.
    pub solution_edits: DataEdits,
    /// The text shown when the task is solved.
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
    pub tolerance: Tolerance,
    /// Digits after the point; absent: 2.
    #[serde(default)]
    pub decimals: Option<Decimals>,
    /// The unit after the number; "°" shows radians in degrees.
    #[serde(default)]
    pub unit: String,
    /// Whether the goal is an answer to be found: then neither it nor the distance to it
    /// is shown.
    #[serde(default)]
    pub secret: bool,
}

/// The cell as written in the file, with the first condition in the cell itself and others
/// in `also`.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CheckBody {
    /// The task.
    ask: Text,
    /// The words before the number that is measured.
    label: Text,
    /// A formula for the number that is followed live.
    measure: Expr,
    /// A formula for what the number should come to.
    goal: Expr,
    /// How far off still counts, in the unit of the measure; for an angle "5deg".
    tolerance: Tolerance,
    /// Digits after the point; absent: 2.
    #[serde(default)]
    decimals: Option<Decimals>,
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
    /// Settings that solve the task, as in set blocks.
    #[serde(default)]
    solution: Settings,
    /// Edited weights, matrices, texels and bytes that solve it, in the words of links.
    #[serde(default)]
    solution_edits: DataEdits,
    /// The text shown when the task is solved.
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
    /// The question.
    pub ask: Text,
    /// The number of the vertex.
    pub vertex: u32,
    /// Settings of the page at the reveal, as in set blocks.
    pub set: Settings,
    /// Within this distance, in world units, the guess is right.
    pub close: CloseDistance,
    /// The text shown after the reveal.
    pub why: Text,
    /// Wrong places with replies of their own, which name the mistake: two or more.
    #[serde(default)]
    pub wrong: Vec<WrongPlace>,
}

/// A wrong place that is expected.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WrongPlace {
    /// Put on top of the `set` of the cell.
    #[serde(default)]
    pub set: Settings,
    /// A formula for the place, in world space, such as `joint_matrix(1) * stored(6)`; absent:
    /// where the vertex is with `set`.
    #[serde(default)]
    pub place: Option<Expr>,
    /// The mistake, as a reply to guesses near this place.
    pub reply: Text,
}

/// ```` ```ask ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AskCell {
    /// The question.
    pub ask: Text,
    /// Explanation of the right answer.
    pub why: Text,
    /// The reply to a wrong answer that has none of its own.
    #[serde(default, rename = "else")]
    pub otherwise: Text,
    /// From a nudge to nearly the answer.
    #[serde(default)]
    pub hints: Vec<Text>,
    /// Answers to choose among, in the author's order.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// May several be chosen?
    #[serde(default)]
    pub several: bool,
    /// The right number.
    #[serde(default)]
    pub number: Option<Expr>,
    /// How far off a number still counts.
    #[serde(default)]
    pub tolerance: Option<Tolerance>,
    /// After the number: `°` is for radians shown in degrees.
    #[serde(default)]
    pub unit: String,
    /// Accepted spellings of the right word, the usual one first.
    #[serde(default)]
    pub words: Vec<String>,
    /// The items to put in order, in the right order.
    #[serde(default)]
    pub order: Vec<OrderItem>,
    /// The product of the matrices of `order`.
    #[serde(default)]
    pub product: Option<MatrixRef>,
    /// The vertex to be chosen in a picture.
    #[serde(default)]
    pub vertex: Option<u32>,
    /// The joint to be chosen in a picture.
    #[serde(default)]
    pub joint: Option<JointName>,
    /// Wrong answers with replies of their own, where there is nothing to choose
    /// among.
    #[serde(default)]
    pub wrong: Vec<WrongAnswer>,
}

/// An answer to choose.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Choice {
    /// The text.
    pub text: Text,
    /// Whether it is the right answer.
    #[serde(default)]
    pub right: bool,
    /// The reply to this answer, if it is wrong.
    #[serde(default)]
    pub reply: Text,
    /// A formula that proves it: anything but 0 where the answer is right.
    #[serde(default)]
    pub when: Option<Expr>,
}

/// A thing to put in its place.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OrderItem {
    /// The text.
    pub text: Text,
    /// The matrix of this item.
    #[serde(default)]
    pub matrix: Option<MatrixRef>,
}

/// A wrong answer that is expected.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WrongAnswer {
    /// A formula for a number, a word, the number of a vertex, the number or name of a joint,
    /// or the places of things in the right order, such as `2+1+3`.
    pub answer: String,
    /// The reply to this answer.
    pub reply: Text,
}

/// Kind of answer that a question expects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnswerKind<'a> {
    /// One or several of these choices.
    Choice(&'a [Choice]),
    /// The value of a formula.
    Number(&'a Expr),
    /// A word in one of these spellings.
    Word(&'a [String]),
    /// These in their order.
    Order(&'a [OrderItem]),
    /// A vertex in a picture.
    Vertex(u32),
    /// A joint in a picture.
    Joint(&'a JointName),
}

impl AskCell {
    /// All answers that the body defines. A valid cell defines exactly one.
    pub(crate) fn answer_kinds(&self) -> impl Iterator<Item = AnswerKind<'_>> {
        let choices = (!self.choices.is_empty()).then_some(AnswerKind::Choice(&self.choices));
        let word = (!self.words.is_empty()).then_some(AnswerKind::Word(&self.words));
        let order = (!self.order.is_empty()).then_some(AnswerKind::Order(&self.order));
        [
            choices,
            self.number.as_ref().map(AnswerKind::Number),
            word,
            order,
            self.vertex.map(AnswerKind::Vertex),
            self.joint.as_ref().map(AnswerKind::Joint),
        ]
        .into_iter()
        .flatten()
    }

    /// The expected answer. Returns `None` if the body defines none, which validation rejects.
    pub fn answer_kind(&self) -> Option<AnswerKind<'_>> {
        self.answer_kinds().next()
    }
}

/// ```` ```faults ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaultsCell {
    /// The faults on offer, by their names; absent: all that are known.
    pub faults: Vec<FaultName>,
    /// Is one of them on and hidden, for the reader to name? Else each has a switch.
    pub diagnose: bool,
}

/// ```` ```claim ````: no reader sees it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    /// Words that stand so in the prose of the step.
    pub says: String,
    /// Put on top of how the step opens, before the formula is tried.
    #[serde(default)]
    pub set: Settings,
    /// Not 0 where the words are true.
    pub holds: Expr,
}
