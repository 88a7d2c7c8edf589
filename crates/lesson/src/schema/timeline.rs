//! Clips: what the body of their cell may say.

use serde::Deserialize;

/// ```` ```timeline ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TimelineCell {
    /// Names of the clips to choose among; empty: every clip of the rig.
    pub clips: Vec<String>,
    /// A clip to fade to, and how far the fade has gone.
    pub fade: bool,
    /// A switch for what stands between two rotations.
    pub between: bool,
    /// Leave out the rows with the keys.
    pub no_keys: bool,
}
