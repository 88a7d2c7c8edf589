//! Bodies of the cells that draw something of their own.

use serde::Deserialize;

use crate::lesson::{Settings, Text};

/// ```` ```stops ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StopsCell {
    /// What is chosen, for those who hear the page.
    pub label: Text,
    /// The states, in order: two to nine.
    pub stops: Vec<Stop>,
}

/// A named state of the page.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// What the state is called, in a few words.
    pub label: Text,
    /// A sentence, shown while the page is in this state.
    #[serde(default)]
    pub note: Text,
    /// What makes the state.
    pub set: Settings,
}

/// ```` ```indices ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct IndicesCell {
    /// The number of the vertex; absent: the chosen one.
    pub vertex: Option<u32>,
    /// Also where the numbers lead if they are taken for nodes.
    pub misread: bool,
}

/// ```` ```histogram ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistogramCell {
    /// How high the bars are, in points; absent: the cell’s own choice.
    pub height: Option<f32>,
}
