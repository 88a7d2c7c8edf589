//! The page’s vertex shaders, which a reader may rewrite: as text, which there are, and
//! what can be said of a text without GL: what is refused before a driver sees it, what a
//! driver's log says, and the small changes that the page offers.

mod driver_log;
mod loop_bounds;
mod probe;
mod restrictions;
mod suggested_edits;

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_skin::{Blend, NormalRule, keyed};

use crate::scene::Scene;

pub use driver_log::{FIRST_LINE, findings_in_log};
pub use probe::{Probe, probe};
pub use restrictions::{accept, too_long};
pub use suggested_edits::{Try, apply_try, tried, tries};

/// The vertex shader of a surface, in the two parts in which it is compiled:
/// first the prelude, then the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexShader {
    /// What comes in and goes out, the view, and helpers. Fixed.
    pub prelude: String,
    /// How the palette is read, how joints are blended, what moves normals, and
    /// `main`. `scene::SkinningOptions::shader` takes its place.
    pub body: String,
}

/// What became of the reader's vertex shader when a view was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderReport {
    /// Why it does not draw; empty: it draws the picture.
    pub findings: Vec<ShaderFinding>,
    /// What is odd about what it computes, though it draws.
    pub notes: Vec<String>,
    /// What drew.
    pub drawn_with: DrawnWith,
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderFinding {
    /// Line of the body, from 1; absent where it is about the whole.
    pub line: Option<usize>,
    /// In the driver's words, or ours.
    pub message: String,
}

impl ShaderFinding {
    /// Of a line.
    pub fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    /// Of the whole.
    pub fn of_all(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }
}

/// Which text a picture was drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawnWith {
    /// The reader's text as it is now.
    #[default]
    Reader,
    /// The reader's last text in this view that worked.
    LastGood,
    /// The text of [`VertexShader`], for want of one that worked.
    Ours,
}

// Which of the page's vertex shaders. There is one for each way of bringing,
// blending and so on; a reader who rewrites one has rewritten that one.

/// What decides a vertex shader's text, but for sizes and lanes, which stay the
/// same within a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderKind {
    /// How the palette is read.
    pub transport: Transport,
    /// How joints are blended.
    pub blending: ShaderBlending,
    /// What moves normals.
    pub normals: NormalRule,
    /// [`SkinningFault::Edge`], which is made in the text.
    pub at_edges: bool,
}

keyed! {
    /// How joints are blended, and what the palette holds for it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ShaderBlending {
        /// Matrices, weighted and added.
        Linear = "linear" => "linear",
        /// Dual quaternions.
        DualQuaternion = "dual-quaternion" => "dual quaternions",
        /// Dual quaternions beside scale and shear, which some joint has.
        StretchedDualQuaternion = "stretched-dual-quaternion" => "dual quaternions with scale",
        /// The strongest influence alone.
        Strongest = "strongest" => "strongest joint",
        /// One joint alone.
        Only = "only" => "one joint",
    }
}

impl ShaderBlending {
    /// `stretched`: does some joint scale, shear or mirror?
    pub fn new(blend: Blend, stretched: impl FnOnce() -> bool) -> Self {
        match blend {
            Blend::Linear => Self::Linear,
            Blend::DualQuaternion if stretched() => Self::StretchedDualQuaternion,
            Blend::DualQuaternion => Self::DualQuaternion,
            Blend::Strongest => Self::Strongest,
            Blend::Only(_) => Self::Only,
        }
    }

    /// vec4s, or texels, that a joint takes in the palette.
    pub fn vec4s_per_joint(self) -> u32 {
        match self {
            Self::DualQuaternion => 2,
            Self::StretchedDualQuaternion => 5,
            Self::Linear | Self::Strongest | Self::Only => 4,
        }
    }
}

impl ShaderKind {
    /// The one that draws a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        Self {
            transport: scene.skinning.transport,
            blending: ShaderBlending::new(scene.blend, || scene.is_stretched()),
            normals: scene.skinning.normals,
            at_edges: scene.skinning.transport.is_sampled()
                && scene.skinning.faults.contains(&SkinningFault::Edge),
        }
    }

    /// The name used in links: `texel-fetch.linear.inverse-transpose`.
    pub fn key(self) -> String {
        let edges = if self.at_edges { ".edge" } else { "" };
        format!("{}.{}.{}{edges}", self.transport.key(), self.blending.key(), self.normals.key())
    }

    /// From the name used in links.
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

    /// For people: `texture, texelFetch · linear · inverse transpose`.
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
    fn keys_name_every_kind_and_nothing_else() {
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
