//! The concept inventory of a lesson: misconceptions that it is about, and questions
//! whose wrong answers are what somebody with a misconception would choose. Stands in
//! `inventory.toml` in the folder of the lesson.

mod read;
mod sense;

use serde::Deserialize;

use super::{Expr, Settings, ViewportCell};
pub(super) use read::read_inventory;

/// The file, in the folder of a lesson.
pub const INVENTORY_FILE: &str = "inventory.toml";

/// What `inventory.toml` says; empty where a lesson has none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Inventory {
    /// What learners believe that is not so, and that this lesson is about.
    #[serde(rename = "misconception")]
    pub misconceptions: Vec<Misconception>,
    /// Two or more for each of these misconceptions.
    #[serde(rename = "question")]
    pub questions: Vec<InventoryQuestion>,
}

/// What learners believe that is not so.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Misconception {
    /// Its name in questions and records: "M-01".
    pub id: String,
    /// What is believed, as somebody who does would say it.
    pub belief: String,
    /// What is so.
    pub truth: String,
    /// The step where that is seen, by slug or number; one of another lesson has that
    /// before it: `gltf-joint-matrices/the-bind-shape`. `None`: none is named.
    #[serde(default)]
    pub step: Option<String>,
}

/// A question with one right answer among several.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InventoryQuestion {
    /// Its name in records: letters a-z, digits and hyphens.
    pub id: String,
    /// Id of the misconception that it is about.
    pub misconception: String,
    /// What is asked.
    pub ask: String,
    /// Name of the built-in rig that figure and values are of; absent: that of the lesson.
    #[serde(default)]
    pub rig: Option<String>,
    /// How that rig stands, from its rest pose.
    #[serde(default)]
    pub set: Settings,
    /// The figure; absent: none, unless the answers are pictures.
    #[serde(default)]
    pub viewport: Option<ViewportCell>,
    /// Are the answers pictures of `viewport`, each as its `set` says?
    #[serde(default)]
    pub pictures: bool,
    /// A formula of a number or a matrix: the right answer is its value, and each wrong
    /// one its value after the `set` of that, or that of its own formula.
    #[serde(default)]
    pub value: Option<Expr>,
    /// Digits after the point of values.
    #[serde(default = "usual_decimals")]
    pub decimals: usize,
    /// After a number: `°` is for radians shown in degrees.
    #[serde(default)]
    pub unit: String,
    /// The answers: one is right.
    pub options: Vec<InventoryOption>,
}

/// An answer to choose.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct InventoryOption {
    /// What it says; absent where it is a value or a picture.
    pub text: String,
    /// Is it right?
    pub right: bool,
    /// Why it is right, or wrong.
    pub why: String,
    /// Of a wrong answer, the misconception that leads to it.
    pub misconception: Option<String>,
    /// A formula that proves an answer in words: not 0 where it is right, 0 where it is
    /// wrong.
    pub when: Option<Expr>,
    /// Of a wrong answer, what makes its value or its picture another one.
    pub set: Settings,
    /// Of a wrong answer, the formula for its value.
    pub value: Option<Expr>,
}

fn usual_decimals() -> usize {
    2
}

impl Misconception {
    /// The lesson and the step where what is so is seen; `own`: the slug of the lesson
    /// that this one stands in.
    pub fn place<'a>(&'a self, own: &'a str) -> Option<(&'a str, &'a str)> {
        let step = self.step.as_deref()?;
        Some(step.split_once('/').unwrap_or((own, step)))
    }
}

impl Inventory {
    /// Nothing stands in it?
    pub fn is_empty(&self) -> bool {
        self.misconceptions.is_empty() && self.questions.is_empty()
    }

    /// The question of that id.
    pub fn question(&self, id: &str) -> Option<&InventoryQuestion> {
        self.questions.iter().find(|question| question.id == id)
    }
}
