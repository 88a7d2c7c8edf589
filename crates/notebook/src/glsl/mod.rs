//! The vertex shaders of the page, which a reader may rewrite: their kinds, the restrictions
//! on their text, errors in drivers' logs, and edits that the page suggests.

mod driver_log;
mod loop_bounds;
mod probe;
mod restrictions;
mod suggested_edits;

use std::sync::Arc;

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_skin::{Blend, NormalRule, keyed};

use crate::Document;
use crate::scene::Scene;

pub use driver_log::{FIRST_BODY_LINE, findings_in_log};
pub use probe::{ShaderOutput, probe};
pub use restrictions::{accept, too_long};
pub use suggested_edits::{SuggestedEdit, apply_try, tried, tries};

/// The vertex shader of a surface. The prelude and the body are compiled as one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexShader {
    /// Inputs, outputs, the view and helper functions. Cannot be edited.
    pub prelude: String,
    /// Reading the palette, blending, normals and `main`. Replaced by
    /// `scene::SkinningOptions::shader`.
    pub body: String,
}

/// The result of drawing a view with the reader's vertex shader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderReport {
    /// Errors in the shader. Empty if it draws the picture.
    pub findings: Vec<ShaderFinding>,
    /// Remarks on the computed values of a shader that draws.
    pub notes: Vec<String>,
    pub drawn_with: DrawnWith,
}

/// An error in the text of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderFinding {
    /// Line of the body, from 1. `None` if the error concerns the whole text.
    pub line: Option<usize>,
    /// Message of the driver or of this program.
    pub message: String,
}

impl ShaderFinding {
    /// Creates a finding on a line.
    pub fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    /// Creates a finding on the whole text.
    pub fn of_all(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }
}

/// The shader that a picture was drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawnWith {
    /// The reader's current text.
    #[default]
    Reader,
    /// The last text of the reader that worked in this view.
    LastGood,
    /// The text of [`VertexShader`], because no text of the reader worked.
    Ours,
}

/// The properties that determine the text of a vertex shader, apart from sizes and numbers of
/// lanes, which are constant within a lesson. The reader rewrites each kind separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderKind {
    /// How the palette is read.
    pub transport: Transport,
    /// How joints are blended.
    pub blending: ShaderBlending,
    /// How normals are transformed.
    pub normals: NormalRule,
    /// Does the text contain [`SkinningFault::Edge`]?
    pub at_edges: bool,
}

keyed! {
    /// How joints are blended, and the form in which the palette contains them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ShaderBlending {
        /// The weighted sum of matrices.
        Linear = "linear" => "linear",
        DualQuaternion = "dual-quaternion" => "dual quaternions",
        /// Dual quaternions with a matrix for scale and shear, because a joint has them.
        StretchedDualQuaternion = "stretched-dual-quaternion" => "dual quaternions with scale",
        /// The strongest influence of each vertex.
        Strongest = "strongest" => "strongest joint",
        /// One joint for all vertices.
        Only = "only" => "one joint",
    }
}

impl ShaderBlending {
    /// Creates the blending. `stretched` computes whether a joint scales, shears or mirrors.
    pub fn new(blend: Blend, stretched: impl FnOnce() -> bool) -> Self {
        match blend {
            Blend::Linear => Self::Linear,
            Blend::DualQuaternion if stretched() => Self::StretchedDualQuaternion,
            Blend::DualQuaternion => Self::DualQuaternion,
            Blend::Strongest => Self::Strongest,
            Blend::Only(_) => Self::Only,
        }
    }

    /// Number of vec4s, or texels, of a joint in the palette.
    pub fn vec4s_per_joint(self) -> u32 {
        match self {
            Self::DualQuaternion => 2,
            Self::StretchedDualQuaternion => 5,
            Self::Linear | Self::Strongest | Self::Only => 4,
        }
    }
}

impl Document {
    /// Returns the reader's source of the shader that draws `scene`. Returns
    /// `None` if it was not rewritten.
    pub fn shader_of(&self, scene: &Scene) -> Option<Arc<str>> {
        if self.state.shaders.is_empty() {
            return None;
        }
        let text = self.state.shaders.get(&ShaderKind::from_scene(scene).key())?;
        Some(Arc::from(text.as_str()))
    }
}

impl ShaderKind {
    /// Returns the kind that draws a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        Self {
            transport: scene.skinning.transport,
            blending: ShaderBlending::new(scene.blend, || scene.is_stretched()),
            normals: scene.skinning.normals,
            at_edges: scene.skinning.transport.is_sampled()
                && scene.skinning.faults.contains(&SkinningFault::Edge),
        }
    }

    /// Returns the name used in links, such as `texel-fetch.linear.inverse-transpose`.
    pub fn key(self) -> String {
        let edges = if self.at_edges { ".edge" } else { "" };
        format!("{}.{}.{}{edges}", self.transport.key(), self.blending.key(), self.normals.key())
    }

    /// Parses the name used in links.
    pub fn from_key(key: &str) -> Option<Self> {
        let parts: Vec<&str> = key.split('.').collect();
        let (three, at_edges) = match parts.as_slice() {
            [three @ .., "edge"] => (three, true),
            three => (three, false),
        };
        let [transport, blending, normals] = three else {
            return None;
        };
        Some(Self {
            transport: Transport::from_key(transport)?,
            blending: ShaderBlending::from_key(blending)?,
            normals: NormalRule::from_key(normals)?,
            at_edges,
        })
    }

    /// Returns the label shown to the reader, such as
    /// `texture, texelFetch · linear · inverse transpose`.
    pub fn label(self) -> String {
        let edges = if self.at_edges { " · edges" } else { "" };
        format!(
            "{} · {} · {}{edges}",
            self.transport.label(),
            self.blending.label(),
            self.normals.label()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_parsed() {
        let mut seen = std::collections::BTreeSet::new();
        for transport in Transport::ALL {
            for blending in ShaderBlending::ALL {
                for normals in NormalRule::ALL {
                    for at_edges in [false, true] {
                        let kind = ShaderKind { transport, blending, normals, at_edges };
                        assert_eq!(ShaderKind::from_key(&kind.key()), Some(kind));
                        assert!(seen.insert(kind.key()), "{}", kind.key());
                    }
                }
            }
        }
        for odd in ["", "texel-fetch", "texel-fetch.linear", "a.b.c", "texel-fetch.linear.x.edge"] {
            assert_eq!(ShaderKind::from_key(odd), None, "{odd}");
        }
    }
}
