//! Questions: what their bodies may say.

use serde::Deserialize;

use crate::{Expr, FaultName, JointName, MatrixRef, Quantity, Text};

/// ```` ```ask ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AskCell {
    /// What the reader is asked.
    pub ask: Text,
    /// What is said of the right answer.
    pub why: Text,
    /// What is said of a wrong answer that has no reply of its own.
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
    /// The number asked for.
    #[serde(default)]
    pub number: Option<Expr>,
    /// How far off a number still counts.
    #[serde(default)]
    pub tolerance: Option<Quantity>,
    /// After the number: `°` is for radians shown in degrees.
    #[serde(default)]
    pub unit: String,
    /// Accepted spellings of the word asked for, the usual one first.
    #[serde(default)]
    pub words: Vec<String>,
    /// What is to be put in order, in its right order.
    #[serde(default)]
    pub order: Vec<OrderItem>,
    /// What the matrices of `order` multiply to.
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
    /// What it says.
    pub text: Text,
    /// Is it right?
    #[serde(default)]
    pub right: bool,
    /// What is said when it is chosen and wrong.
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
    /// What it says.
    pub text: Text,
    /// The matrix that it stands for.
    #[serde(default)]
    pub matrix: Option<MatrixRef>,
}

/// A wrong answer that is expected.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WrongAnswer {
    /// A formula for a number, a word, the number of a vertex, the number or name of a joint, or the places
    /// of things in the right order, such as `2+1+3`.
    pub answer: String,
    /// What is said of it.
    pub reply: Text,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AskedFor<'a> {
    /// One of these, or several.
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
    /// All that the body asks for; one in a sound cell.
    pub(crate) fn all_asked_for(&self) -> impl Iterator<Item = AskedFor<'_>> {
        let some = |list: bool, asked| list.then_some(asked);
        [
            some(!self.choices.is_empty(), AskedFor::Choice(&self.choices)),
            self.number.as_ref().map(AskedFor::Number),
            some(!self.words.is_empty(), AskedFor::Word(&self.words)),
            some(!self.order.is_empty(), AskedFor::Order(&self.order)),
            self.vertex.map(AskedFor::Vertex),
            self.joint.as_ref().map(AskedFor::Joint),
        ]
        .into_iter()
        .flatten()
    }

    /// What is asked for; `None` only where the body says nothing of it.
    pub fn asked_for(&self) -> Option<AskedFor<'_>> {
        self.all_asked_for().next()
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
