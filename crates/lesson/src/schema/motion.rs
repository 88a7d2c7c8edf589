//! Cells about what moves a rig, clips and programs: what their bodies may say.

use serde::Deserialize;

use crate::PoseProgram;

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
    /// Leave out all but the button that plays.
    pub only_play: bool,
    /// Plays as soon as its step is entered, for 20 seconds after what was done last.
    pub plays: bool,
}

/// ```` ```pose ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PoseCell {
    /// What moves the joints, until readers rewrite it.
    pub program: PoseProgram,
    /// Lines shown at once; absent: as many as there is room for.
    #[serde(default)]
    pub lines: Option<usize>,
}
