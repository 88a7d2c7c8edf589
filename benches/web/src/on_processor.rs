//! Skinning on the processor, for the page.

use wasm_bindgen::prelude::*;

use crate::skinning::{SkinnedVertices, VERTICES};

/// A mesh that is made up, skinned as often as the page asks.
#[wasm_bindgen]
pub struct Skinning(SkinnedVertices);

#[wasm_bindgen]
impl Skinning {
    /// Always the same mesh.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript makes it")]
    pub fn new() -> Self {
        Self(SkinnedVertices::new())
    }

    /// Positions and normals once, as the notebook computes them. Gives a number of
    /// one of them, so that they cannot be left out.
    pub fn ours(&self) -> f32 {
        self.0.ours().x
    }

    /// The same by the plain loop in glam.
    pub fn plain_loop(&self) -> f32 {
        self.0.plain_loop().x
    }

    /// How many vertices it has.
    pub fn vertices(&self) -> u32 {
        VERTICES as u32
    }
}
