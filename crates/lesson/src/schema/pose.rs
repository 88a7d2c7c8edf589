//! Programs that pose: what the body of their cell may say.

use serde::Deserialize;

use crate::Program;

/// ```` ```pose ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PoseCell {
    /// What moves the joints, until readers rewrite it.
    pub program: Program,
    /// Lines shown at once; absent: as many as there is room for.
    #[serde(default)]
    pub lines: Option<usize>,
}
