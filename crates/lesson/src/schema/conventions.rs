//! Cells about how matrices are written down: what their bodies may say.

use serde::Deserialize;

use crate::KnownSystem;

/// ```` ```conventions ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ConventionsCell {
    /// With the switches for vectors, memory and axes; absent: true.
    pub switches: bool,
    /// The systems on offer, each with its names for things; absent: all that are known.
    pub systems: Vec<KnownSystem>,
}

impl Default for ConventionsCell {
    fn default() -> Self {
        Self { switches: true, systems: KnownSystem::ALL.to_vec() }
    }
}
