//! What is measured in a browser, for a page that steers it and looks at the clock.
#![cfg(target_arch = "wasm32")]

mod drawing;
#[path = "../../gpu/scenes.rs"]
mod scenes;
#[path = "../skinning.rs"]
mod skinning;

use skinning::{SkinnedVertices, VERTICES};
use wasm_bindgen::prelude::*;

pub use drawing::Drawing;

/// A mesh that is made up, skinned on the processor as often as the page asks.
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
