//! What the prose of a step says of the picture, as formulas that the content check tries.

use serde::Deserialize;

use crate::{Expr, Settings};

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
