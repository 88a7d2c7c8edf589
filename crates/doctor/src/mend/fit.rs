//! How well the skins of a model fit their nodes and their vertices, measured before and after
//! mending: a copy that fits worse is not written.

use glam::DMat4;

use crate::bind::{self, LoadedSkin};
use crate::bones::{BoneSegments, stored_joint};
use crate::document::{NodeGraph, RawDocument};
use crate::findings::Findings;
use crate::skinned_vertices::{SampledVertex, SkinnedMeshSample};

/// Minimum number of sampled vertices whose distance from their bones means something.
const MIN_VERTICES: usize = 16;
/// Increase of a measure that counts as none, plus the same as a fraction of the measure.
const EQUAL_FIT: f64 = 0.02;

/// The measures of one skin. `None` if they cannot be computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SkinMeasures {
    /// Largest difference between joint matrices at rest, relative to the size of the
    /// skeleton.
    residual: Option<f64>,
    /// Mean distance of vertices from the bones of their strongest joints in the bind pose,
    /// relative to the size of the skeleton.
    distance: Option<f64>,
}

/// The measures of all skins of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ModelFit {
    skins: Vec<SkinMeasures>,
}

impl ModelFit {
    pub(crate) fn of_document(doc: &RawDocument<'_>) -> Self {
        let graph = NodeGraph::new(doc, &mut Findings::default());
        let skins = (0..doc.list("skins").len()).map(|index| {
            let Some(skin) = bind::load_skin(doc, &graph, index) else {
                return SkinMeasures::default();
            };
            SkinMeasures {
                residual: skin.at_rest.residual(),
                distance: mean_bone_distance(doc, &skin),
            }
        });
        Self { skins: skins.collect() }
    }

    /// Returns what is worse after mending, as a phrase. `None` if nothing is.
    pub(crate) fn worse_than(&self, before: &Self) -> Option<String> {
        self.skins.iter().zip(&before.skins).enumerate().find_map(|(skin, (after, before))| {
            for (before, after, what) in [
                (before.residual, after.residual, "joint matrices of skin {} at rest differ by"),
                (
                    before.distance,
                    after.distance,
                    "vertices of skin {} are off their bones, in parts of the skeleton’s size, by",
                ),
            ] {
                let before = before?;
                let after_number = after.unwrap_or(f64::INFINITY);
                if after_number > before + EQUAL_FIT * (1.0 + before) {
                    let what = what.replace("{}", &skin.to_string());
                    return Some(format!(
                        "{what} {before:.2}, and in the copy by {after_number:.2}"
                    ));
                }
            }
            None
        })
    }

    /// Describes the measures that mending made better, in sentences.
    pub(crate) fn improvements(&self, before: &Self) -> Vec<String> {
        let mut sentences = Vec::new();
        for (skin, (after, before)) in self.skins.iter().zip(&before.skins).enumerate() {
            if let Some((before, after)) = before.residual.zip(after.residual)
                && after < 0.5 * before
                && before > EQUAL_FIT
            {
                sentences.push(format!(
                    "Joint matrices of skin {skin} at rest differ by {after:.0e} of the skeleton’s \
                     size, and differed by {before:.2}."
                ));
            }
            if let Some((before, after)) = before.distance.zip(after.distance)
                && before - after > EQUAL_FIT
            {
                sentences.push(format!(
                    "Vertices of skin {skin} are {after:.2} of the skeleton’s size from their \
                     bones on average, and were {before:.2}."
                ));
            }
        }
        sentences
    }
}

/// Returns the mean distance of vertices from the bones of their strongest joints in the bind
/// pose, relative to the size of the skeleton. `None` if there are too few vertices, or if one
/// names a joint that does not exist.
fn mean_bone_distance(doc: &RawDocument<'_>, skin: &LoadedSkin) -> Option<f64> {
    let sample = SkinnedMeshSample::of_skin(doc, skin.index);
    let vertices: Vec<SampledVertex> =
        sample.vertices().filter(|vertex| stored_joint(vertex).is_some()).copied().collect();
    if vertices.len() < MIN_VERTICES {
        return None;
    }
    let bind_from_joint: Vec<DMat4> = skin.at_rest.stored.iter().map(DMat4::inverse).collect();
    let bones = BoneSegments::new(&bind_from_joint, &skin.at_rest.parents)?;
    bones.mean_distance(&vertices, |position| position, stored_joint)
}
