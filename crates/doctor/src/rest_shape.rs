//! The shape of skinned meshes in the rest pose: whether it is visible, how large it is and
//! where, whether it holds together, and whether 32-bit floats can represent it.

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use glam::{DMat4, DVec3, DVec4};
use serde_json::Value;

use super::bind::{self, LoadedSkin, describe_transform, rotation_angle_rad};
use super::catalog as fault;
use super::document::{NodeGraph, RawDocument};
use super::elements::find_elements;
use super::examined::format_length;
use super::findings::Findings;
use super::skinned_vertices::{SkinnedMeshSample, WeightedJoints};

/// Size at rest, relative to the stored size, below which a mesh counts as a point.
const POINT_SIZE: f64 = 1e-6;
/// Ratios of the size at rest to the stored size that need no mention.
const USUAL_SIZE_RATIOS: std::ops::Range<f64> = 0.02..50.0;
/// Step between 32-bit floats, relative to the size of the mesh, above which it is visible.
const VISIBLE_FLOAT_STEP: f64 = 1e-3;
/// Stretch of an edge, relative to the median stretch, above which it counts as torn.
const TORN_EDGE_STRETCH: f64 = 4.0;
/// Maximum fraction of torn edges in a mesh that holds together.
const MAX_TORN_FRACTION: f64 = 0.05;
/// Number of joints above which many programs do not load a skin.
const MAX_USUAL_JOINTS: usize = 256;
/// Maximum difference between joint matrices of a skin that rests in its bind pose, relative
/// to 1 plus the distance of the bind pose from the origin.
const REST_TOLERANCE: f64 = 1e-3;

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    for skin in bind::load_skins(doc, graph) {
        let pointer = format!("/skins/{}", skin.index);
        let sample = SkinnedMeshSample::of_skin(doc, skin.index);
        examine_joint_count(doc, &skin, &pointer, findings);
        let mut is_torn = false;
        if let Some(mesh) = RestingMesh::new(&skin, &sample)
            && !mesh.examine_collapse(doc, graph, &pointer, findings)
        {
            mesh.examine_distance(&pointer, findings);
            mesh.examine_size(&pointer, findings);
            is_torn = mesh.examine_edges(&pointer, findings);
        }
        if !is_torn {
            examine_rest_pose(doc, &skin, &pointer, findings);
        }
    }
}

/// Reports joints that do not rest in their bind pose.
///
/// A file rests in its bind pose exactly if world(joint) × inverse bind is the same for all
/// joints.
fn examine_rest_pose(
    doc: &RawDocument<'_>,
    skin: &LoadedSkin,
    pointer: &str,
    findings: &mut Findings,
) {
    struct MovedJoint {
        joint: usize,
        /// Largest difference of a matrix element.
        difference: f64,
        transform: DMat4,
    }

    if skin.accessor.is_none() || skin.at_rest.is_explained() {
        return;
    }
    let joint_matrices = skin.at_rest.joint_matrices();
    let Some(first) = joint_matrices.first().filter(|first| first.determinant() != 0.0) else {
        return;
    };
    let bind_from_world = first.inverse();
    let distance = bind_from_world.inverse().w_axis.truncate().length();
    let tolerance = REST_TOLERANCE * (1.0 + distance);
    let mut moved: Vec<MovedJoint> = Vec::new();
    for (joint, matrix) in joint_matrices.iter().enumerate().skip(1) {
        let transform = bind_from_world * *matrix;
        let elements = (transform - DMat4::IDENTITY).abs().to_cols_array();
        let difference = elements.into_iter().fold(0.0, f64::max);
        if difference.is_finite() && difference > tolerance {
            moved.push(MovedJoint { joint, difference, transform });
        }
    }
    let Some(worst) = moved.iter().max_by(|a, b| a.difference.total_cmp(&b.difference)) else {
        return;
    };
    let max_angle_rad =
        moved.iter().filter_map(|moved| rotation_angle_rad(moved.transform)).fold(0.0, f64::max);
    if let Some(examined) = &mut findings.examined {
        examined.rest.get_or_insert_default().add(moved.len(), max_angle_rad);
    }
    let place = ModelPlace::at(format!("{pointer}/inverseBindMatrices")).joint(worst.joint);
    findings.add(&fault::REST_IS_NOT_BIND, place).expected(
        "joint matrices that are all the same at rest",
        format_args!(
            "{} of {} joints away from their bind pose, up to one transform common to all; \
             most joint {}, {}: {}",
            moved.len(),
            skin.joints.len(),
            worst.joint,
            doc.describe_node(skin.joints[worst.joint]),
            describe_transform(worst.transform)
        ),
    );
}

fn examine_joint_count(
    doc: &RawDocument<'_>,
    skin: &LoadedSkin,
    pointer: &str,
    findings: &mut Findings,
) {
    let joint_count = skin.joints.len();
    if joint_count <= MAX_USUAL_JOINTS {
        return;
    }
    let weighted = WeightedJoints::of_skin(doc, skin.index);
    let unused = (0..joint_count).filter(|&joint| !weighted.contains(joint)).count();
    findings.add(&fault::MANY_JOINTS, format_args!("{pointer}/joints")).expected(
        format_args!("at most {MAX_USUAL_JOINTS} joints"),
        format_args!("{joint_count}, of which {unused} move no vertex"),
    );
}

/// Sampled triangles, as stored and skinned in the rest pose.
struct RestingMesh<'a> {
    skin: &'a LoadedSkin,
    stored: Vec<[DVec3; 3]>,
    resting: Vec<[DVec3; 3]>,
    stored_extents: Extents,
    resting_extents: Extents,
}

impl<'a> RestingMesh<'a> {
    /// Skins a sample. Returns `None` if no triangle can be skinned.
    fn new(skin: &'a LoadedSkin, sample: &SkinnedMeshSample) -> Option<Self> {
        let joint_matrices = skin.at_rest.joint_matrices();
        let mut stored = Vec::new();
        let mut resting = Vec::new();
        for triangle in &sample.triangles {
            let skinned = triangle.map(|vertex| vertex.skinned(&joint_matrices));
            if let [Some(a), Some(b), Some(c)] = skinned {
                stored.push(triangle.map(|vertex| vertex.position));
                resting.push([a, b, c]);
            }
        }
        if stored.is_empty() {
            return None;
        }
        let stored_extents = Extents::of(&stored);
        let resting_extents = Extents::of(&resting);
        Some(Self { skin, stored, resting, stored_extents, resting_extents })
    }

    /// Reports a mesh that skinning moves into one point. Returns whether it does.
    fn examine_collapse(
        &self,
        doc: &RawDocument<'_>,
        graph: &NodeGraph,
        pointer: &str,
        findings: &mut Findings,
    ) -> bool {
        let stored_size = self.stored_extents.size();
        if self.resting_extents.size() > POINT_SIZE * stored_size || self.stored.len() < 2 {
            return false;
        }
        let flattened = self.skin.joints.iter().find_map(|&joint| graph.nearest_flattened[joint]);
        let reason = match flattened {
            Some(node) => format!("{} has a scale of 0", doc.describe_node(node)),
            None => "all joint matrices move them there".to_owned(),
        };
        let fault = if flattened.is_some_and(|node| has_animated_scale(doc, node)) {
            fault::ALL_IN_ONE_POINT.as_warning()
        } else {
            fault::ALL_IN_ONE_POINT
        };
        findings.add(&fault, pointer).expected(
            format_args!("a mesh of the size {}, as stored", format_length(stored_size)),
            format_args!("all vertices in one point at rest: {reason}"),
        );
        true
    }

    /// Reports a mesh so far from the origin that the steps of 32-bit floats are visible.
    fn examine_distance(&self, pointer: &str, findings: &mut Findings) {
        let joint_reach = self
            .skin
            .at_rest
            .world
            .iter()
            .map(|world_from_joint| world_from_joint.w_axis.truncate().abs().max_element())
            .fold(0.0, f64::max);
        let size = self.resting_extents.size();
        let reach = self.stored_extents.reach().max(self.resting_extents.reach()).max(joint_reach);
        let step = float_step(self.stored_extents.reach())
            .max(float_step(self.resting_extents.reach()))
            .max(float_step(joint_reach));
        if size > 0.0 && step > VISIBLE_FLOAT_STEP * size {
            findings.add(&fault::FAR_FROM_ORIGIN, pointer).expected(
                "a model near the origin",
                format_args!(
                    "numbers up to {}, where 32-bit floats have steps of {}; the model is {} large",
                    format_length(reach),
                    format_length(step),
                    format_length(size)
                ),
            );
        }
    }

    /// Reports a mesh that all joints scale alike to a much larger or smaller size.
    fn examine_size(&self, pointer: &str, findings: &mut Findings) {
        let stored_size = self.stored_extents.size();
        let resting_size = self.resting_extents.size();
        if self.skin.at_rest.common_joint_matrix().is_some()
            && !USUAL_SIZE_RATIOS.contains(&(resting_size / stored_size))
        {
            findings.add(&fault::SIZE_AT_REST, pointer).expected(
                format_args!("the stored size, {}", format_length(stored_size)),
                format_args!("{} at rest", format_length(resting_size)),
            );
        }
    }

    /// Reports a mesh with many edges that are stretched far more than the median. Returns
    /// whether it has.
    fn examine_edges(&self, pointer: &str, findings: &mut Findings) -> bool {
        let rest = &self.skin.at_rest;
        if self.skin.accessor.is_none()
            || rest.is_explained()
            || rest.common_joint_matrix().is_some()
        {
            return false;
        }
        let min_length = 1e-3 * self.stored_extents.size();
        let mut stretches: Vec<f64> = Vec::new();
        for (stored, resting) in self.stored.iter().zip(&self.resting) {
            for (stored, resting) in edge_lengths(stored).into_iter().zip(edge_lengths(resting)) {
                if stored > min_length {
                    stretches.push(resting / stored);
                }
            }
        }
        stretches.sort_by(f64::total_cmp);
        let Some(&median) = stretches.get(stretches.len() / 2) else {
            return false;
        };
        let torn =
            stretches.iter().filter(|&&stretch| stretch > TORN_EDGE_STRETCH * median).count();
        let is_torn = torn as f64 > MAX_TORN_FRACTION * stretches.len() as f64;
        if is_torn {
            findings.add(&fault::MESH_IN_PIECES, pointer).expected(
                "edges about as long at rest as they are stored",
                format_args!(
                    "{:.0}% of the edges more than {TORN_EDGE_STRETCH} times as long as most, up \
                     to {:.0} times",
                    100.0 * torn as f64 / stretches.len() as f64,
                    stretches[stretches.len() - 1] / median
                ),
            );
        }
        is_torn
    }
}

fn edge_lengths([a, b, c]: &[DVec3; 3]) -> [f64; 3] {
    [(*a - *b).length(), (*b - *c).length(), (*c - *a).length()]
}

/// Returns whether an animation sets the scale of a node.
fn has_animated_scale(doc: &RawDocument<'_>, node: usize) -> bool {
    doc.list("animations")
        .iter()
        .flat_map(|animation| get_list(animation, "channels"))
        .filter_map(|channel: &Value| channel.get("target"))
        .any(|target| {
            get_usize(target, "node") == Some(node) && get_str(target, "path") == Some("scale")
        })
}

/// An axis-aligned bounding box.
struct Extents {
    min: DVec3,
    max: DVec3,
}

impl Extents {
    fn of(triangles: &[[DVec3; 3]]) -> Self {
        let mut extents =
            Self { min: DVec3::splat(f64::INFINITY), max: DVec3::splat(f64::NEG_INFINITY) };
        for &corner in triangles.iter().flatten() {
            extents.min = extents.min.min(corner);
            extents.max = extents.max.max(corner);
        }
        extents
    }

    /// Returns the longest side.
    fn size(&self) -> f64 {
        (self.max - self.min).max_element()
    }

    /// Returns the largest absolute coordinate.
    fn reach(&self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }
}

/// Returns the distance between consecutive 32-bit floats of this magnitude. IEEE 754: 24 bits.
fn float_step(number: f64) -> f64 {
    2.0_f64.powi(-23) * 2.0_f64.powf(number.max(f64::MIN_POSITIVE).log2().floor())
}

const LARGEST_F32: f64 = f32::MAX as f64;
const EXPECTED_FLOATS: &str = "numbers that fit 32-bit floats, up to 3.4e38";

/// Reports world matrices of nodes, and positions of shown meshes, that overflow 32-bit floats
/// although every stored number fits.
pub(super) fn examine_overflow(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    let mut declared_sizes = vec![None; doc.list("meshes").len()];
    for (index, node) in doc.entries("nodes") {
        let pointer = format!("/nodes/{index}");
        let world_from_node = &graph.world_from_node[index];
        if max_element(world_from_node) > LARGEST_F32 {
            // Descendants overflow for the same reason.
            let parent = graph.parent(index).map(|parent| &graph.world_from_node[parent]);
            if parent.is_none_or(|parent| max_element(parent) <= LARGEST_F32) {
                findings.add(&fault::NUMBERS_OVERFLOW, pointer).expected(
                    EXPECTED_FLOATS,
                    format_args!("{:.1e} in its world matrix", max_element(world_from_node)),
                );
            }
            continue;
        }
        let Some(mesh) = get_usize(node, "mesh").filter(|&mesh| mesh < declared_sizes.len()) else {
            continue;
        };
        let size = *declared_sizes[mesh]
            .get_or_insert_with(|| declared_size(doc, &doc.list("meshes")[mesh]));
        let mut place = ModelPlace::at(pointer);
        let reach = match doc.resolve(node, "skin", "skins") {
            Some(skin) => {
                let (joint, reach) = farthest_joint(doc, graph, skin, size);
                if let Some(joint) = joint {
                    place = place.joint(joint);
                }
                reach
            }
            None => transformed_reach(world_from_node, size),
        };
        if reach > LARGEST_F32 {
            findings.add(&fault::NUMBERS_OVERFLOW, place).expected(
                EXPECTED_FLOATS,
                format_args!("positions of {} up to {reach:.1e}", doc.describe_mesh(mesh)),
            );
        }
    }
}

/// Returns the largest absolute element of a matrix, or infinity if any is not finite.
fn max_element(matrix: &DMat4) -> f64 {
    if matrix.is_finite() {
        matrix.abs().to_cols_array().into_iter().fold(0.0, f64::max)
    } else {
        f64::INFINITY
    }
}

/// Returns an upper bound for coordinates after transforming points with coordinates up to
/// `size`.
fn transformed_reach(matrix: &DMat4, size: f64) -> f64 {
    (matrix.abs() * DVec4::new(size, size, size, 1.0)).max_element()
}

/// Returns the joint that moves points of `size` farthest at rest, and how far.
fn farthest_joint(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    skin: &Value,
    size: f64,
) -> (Option<usize>, f64) {
    let binds = get_usize(skin, "inverseBindMatrices")
        .and_then(|accessor| find_elements(doc, accessor))
        .filter(|binds| binds.format.kind.components == 16);
    let joints = get_list(skin, "joints");
    if !doc.work.try_spend(joints.len()) {
        return (None, 0.0);
    }
    let mut farthest = (None, 0.0);
    for (joint, node) in joints.iter().enumerate() {
        let Some(world) = as_usize(node).and_then(|node| graph.world_from_node.get(node)) else {
            continue;
        };
        // Reported at the node itself.
        if max_element(world) > LARGEST_F32 {
            continue;
        }
        let bind = match &binds {
            Some(binds) if joint < binds.count => DMat4::from_cols_array(&binds.vector(joint)),
            _ => DMat4::IDENTITY,
        };
        let reach = transformed_reach(&(world.abs() * bind.abs()), size);
        if reach > farthest.1 {
            farthest = (Some(joint), reach);
        }
    }
    farthest
}

/// Returns the largest absolute coordinate in a mesh by the declared bounds of its positions.
/// Whether these are those of the data is examined with the accessors.
fn declared_size(doc: &RawDocument<'_>, mesh: &Value) -> f64 {
    let mut size = 0.0_f64;
    for primitive in get_list(mesh, "primitives") {
        let Some(attributes) = primitive.get("attributes") else {
            continue;
        };
        let Some(accessor) = doc.resolve(attributes, "POSITION", "accessors") else {
            continue;
        };
        for bound in get_list(accessor, "min").iter().chain(get_list(accessor, "max")) {
            size = size.max(bound.as_f64().map_or(0.0, f64::abs));
        }
    }
    size
}
