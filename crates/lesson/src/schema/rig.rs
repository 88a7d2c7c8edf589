//! Bodies of cells about a rig, its file, its clips and its programs.

use serde::Deserialize;

use crate::{LineCount, PoseProgram, RowCount};

/// ```` ```tree ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TreeCell {
    /// Rows shown at once; absent: as many as there are, up to ten.
    pub rows: Option<RowCount>,
    /// With the two matrices of the chosen node.
    pub matrices: bool,
    /// With the global matrix taken apart, and what is lost by that.
    pub taken_apart: bool,
    /// With the way from the numbers of a vertex to nodes.
    pub mapping: bool,
}

/// ```` ```bytes ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BytesCell {
    /// The data shown first: an attribute such as `POSITION`, of the chosen vertex, or
    /// `inverse-bind`, of the chosen joint; absent: `POSITION`.
    pub of: Option<String>,
    /// Rows of bytes shown at once; absent: twelve.
    pub rows: Option<RowCount>,
    /// With the switch that breaks a rule of the format: `normalized` where it is
    /// written, else strides.
    pub faults: bool,
    /// Only the frame of a `.glb`: its header and its chunks.
    pub chunks_only: bool,
}

impl BytesCell {
    /// Value of `of` for the inverse bind matrix of the chosen joint.
    pub const INVERSE_BIND: &str = "inverse-bind";
}

/// ```` ```doctor ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoctorCell {
    /// Findings shown at once; absent: ten.
    pub rows: Option<RowCount>,
    /// The worst finding and what all amounts to; the reader opens the rest.
    pub brief: bool,
}

/// ```` ```engine-numbers ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineNumbersCell {
    /// Lines of a pasted text shown at once; absent: six.
    pub lines: Option<LineCount>,
}

/// ```` ```timeline ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TimelineCell {
    /// Names of the clips to choose among; empty: every clip of the rig.
    pub clips: Vec<String>,
    /// A clip to fade to, and how far the fade has gone.
    pub fade: bool,
    /// A switch for the interpolation of rotations.
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
    /// The program that moves the joints, until readers rewrite it.
    pub program: PoseProgram,
    /// Lines shown at once; absent: as many as there is room for.
    #[serde(default)]
    pub lines: Option<usize>,
}
