//! The keys of the front matter, which its own reader takes one by one. A test holds
//! the two together.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use crate::{Expr, Quantity};

/// Between the lines of `+++`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "says what keys there are; the reader fills no such value")]
pub(super) struct FrontMatterKeys {
    /// The title of the lesson, on the page and in the list of contents.
    title: String,
    /// What the lesson is about, in a sentence: web pages list it, and search engines
    /// show it.
    #[schemars(default)]
    about: String,
    /// How long the lesson takes a class, in whole minutes.
    #[schemars(range(min = 1, max = 600))]
    minutes: u32,
    /// Slugs of the lessons that come before.
    #[schemars(default)]
    needs: Vec<String>,
    /// What stands on the stage: a built-in rig, a model in the folder of the lesson such
    /// as "hand.glb", or "own" for the model that the reader has opened.
    rig: String,
    /// Numbers of the lesson’s own, beside those of the rig, by their names.
    #[schemars(default)]
    params: BTreeMap<String, ParamKeys>,
    /// Parameters of the rig that follow formulas, by their names.
    #[schemars(default)]
    drive: BTreeMap<String, Expr>,
}

/// `[params.amplitude]`
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "says what keys there are; the reader fills no such value")]
pub(super) struct ParamKeys {
    /// What readers call it; absent: its name.
    #[schemars(default)]
    label: String,
    /// Its value at the start; for an angle in radians, or "45deg".
    default: Quantity,
    /// Its least and its greatest value, in the unit of the default.
    range: [Quantity; 2],
    /// Whether it is an angle: stored in radians, shown in degrees.
    #[schemars(default)]
    angle: bool,
    /// Whether it takes whole numbers only.
    #[schemars(default)]
    whole: bool,
    /// Written after its number: up to 12 characters; with "%" a fraction is shown in
    /// percent.
    #[schemars(default)]
    unit: String,
    /// What sliders and arrow keys add, in the unit of the default; absent: the last digit
    /// shown.
    #[schemars(default)]
    step: Option<Quantity>,
}
