//! How well the skins of a model fit their nodes and their vertices, measured before and after
//! mending: a copy that fits worse is not written.

use crate::bind::{self, LoadedSkin};
use crate::bones::{BoneSegments, mesh_size, stored_joint};
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
    /// Mean distance of vertices, as drawn at rest, from the bones of their strongest joints,
    /// relative to the size of the mesh as stored: a wrong skeleton may be of any size.
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
        let mut skins = self.skins.iter().zip(&before.skins).enumerate();
        skins.find_map(|(skin, (after, before))| {
            if is_worse(after.distance, before.distance) {
                return Some(format!(
                    "vertices of skin {skin} are off their bones, in parts of the mesh’s size, by {}",
                    describe_change(before.distance, after.distance)
                ));
            }
            // The mesh decides: joint matrices may differ more if vertices are nearer to their
            // bones then.
            let is_nearer = is_worse(before.distance, after.distance);
            (is_worse(after.residual, before.residual) && !is_nearer).then(|| {
                format!(
                    "joint matrices of skin {skin} at rest differ by {}",
                    describe_change(before.residual, after.residual)
                )
            })
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
                    "Vertices of skin {skin} are {after:.2} of the mesh’s size from their bones on \
                     average, and were {before:.2}."
                ));
            }
        }
        sentences
    }
}

/// Returns true if a measure is larger than before by more than rounding, or is lost.
fn is_worse(after: Option<f64>, before: Option<f64>) -> bool {
    before
        .is_some_and(|before| after.is_none_or(|after| after > before + EQUAL_FIT * (1.0 + before)))
}

fn describe_change(before: Option<f64>, after: Option<f64>) -> String {
    format!("{}, and in the copy by {}", describe_measure(before), describe_measure(after))
}

fn describe_measure(measure: Option<f64>) -> String {
    measure.map_or_else(|| "an unknown amount".to_owned(), |measure| format!("{measure:.2}"))
}

/// Returns the mean distance of vertices, as drawn at rest, from the bones of their strongest
/// joints, relative to the size of the mesh as stored. `None` if there are too few vertices, if
/// one names a joint that does not exist, or if all joints are in one place.
fn mean_bone_distance(doc: &RawDocument<'_>, skin: &LoadedSkin) -> Option<f64> {
    let sample = SkinnedMeshSample::of_skin(doc, skin.index);
    let vertices: Vec<SampledVertex> =
        sample.vertices().filter(|vertex| stored_joint(vertex).is_some()).copied().collect();
    if vertices.len() < MIN_VERTICES {
        return None;
    }
    let rest = &skin.at_rest;
    let bones = BoneSegments::new(&rest.world, &rest.parents)?;
    let joint_matrices = rest.joint_matrices();
    let mut sum = 0.0;
    for vertex in &vertices {
        let joint = stored_joint(vertex)?;
        let position = joint_matrices.get(joint)?.transform_point3(vertex.position);
        sum += bones.distance(position, joint)?;
    }
    let mean = sum / vertices.len() as f64 / mesh_size(&vertices);
    mean.is_finite().then_some(mean)
}
