//! Bodies of the cells that draw something of their own.

use serde::Deserialize;

use crate::lesson::{Settings, Text};

/// ```` ```stops ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StopsCell {
    /// What is chosen, for those who hear the page.
    pub label: Text,
    /// In order, two to nine.
    pub stops: Vec<Stop>,
}

/// A named state of the page.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// A few words.
    pub label: Text,
    /// A sentence, shown while the page is in this state.
    #[serde(default)]
    pub note: Text,
    /// What makes the state.
    pub set: Settings,
}

/// ```` ```indices ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct IndicesCell {
    /// Absent: the chosen vertex.
    pub vertex: Option<u32>,
    /// Also where the numbers lead if they are taken for nodes.
    pub misread: bool,
}

/// ```` ```histogram ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistogramCell {
    /// Points; absent: the cell's own choice.
    pub height: Option<f32>,
}
