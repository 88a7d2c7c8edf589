//! Cells about the way from joints to picture: what their bodies may say.

use bindpose_skin::Method;
use serde::Deserialize;

use super::{Projection, Show, View};
use crate::{Settings, Text, Transport};

/// ```` ```texture ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TextureCell {
    /// Rows shown; absent: all, in pages.
    pub rows: Option<usize>,
    /// Also the texel-centre ruler along the top.
    pub centres: bool,
    /// With the switches that break it.
    pub faults: bool,
}

/// ```` ```budget ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BudgetCell {
    /// Name of the lesson parameter that holds the number of vec4 uniforms;
    /// absent: "vec4s".
    pub limit: Option<String>,
    /// Name of the lesson parameter that holds how many of them are needed for
    /// everything but joints; absent: 9, for projection, view and colour.
    pub others: Option<String>,
    /// With the articles' figures struck through.
    pub printed: bool,
    /// With known characters and which of them fit, instead of the table of
    /// what fits where.
    pub characters: bool,
    /// With the ways that are open to the page's own palette, by device, and the
    /// limits that decide.
    pub ways: bool,
}

/// ```` ```shader ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ShaderCell {
    /// Lines shown at once; absent: as many as there is room for.
    pub lines: Option<usize>,
    /// Leave out the buttons for the articles' debugging steps.
    pub no_presets: bool,
}

/// ```` ```proof ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProofCell {
    /// Only these transports; empty: all.
    pub transports: Vec<Transport>,
    /// Only these methods; empty: all.
    pub methods: Vec<Method>,
}

/// ```` ```compare ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompareCell {
    /// The pictures: two or three.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// In the place of variants: the model of the page, and model B in the same pose.
    #[serde(default)]
    pub model_b: bool,
    /// One picture more: how far each vertex of the second is from the first.
    #[serde(default)]
    pub difference: bool,
    /// Where all look from.
    #[serde(default)]
    pub view: View,
    /// How depth is drawn.
    #[serde(default)]
    pub projection: Projection,
    /// Centre of the view in world space; absent: the model is framed.
    #[serde(default)]
    pub target: Option<[f32; 3]>,
    /// World units from top to bottom at the target; absent: the model is framed.
    #[serde(default)]
    pub height: Option<f32>,
    /// What is drawn; absent: what the viewports draw.
    #[serde(default)]
    pub show: Option<Vec<Show>>,
}

/// One picture of a comparison.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// The words above the picture.
    pub label: Text,
    /// What is different in it.
    #[serde(default)]
    pub set: Settings,
}
