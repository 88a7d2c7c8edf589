//! What becomes of a mesh at rest: whether it can be seen, how large it is and where,
//! whether it holds together, and whether 32-bit floats hold its matrices and positions.

use bindpose_diagnostic::ModelPlace;
use glam::{DMat4, DVec3, DVec4};
use serde_json::Value;

use super::bind::{self, SkinRead, transform_words, turned_rad};
use super::catalog as fault;
use super::doc::{Doc, Graph, as_whole, list, named, text, whole};
use super::elements::elements;
use super::examined::three_digits;
use super::findings::Findings;
use super::skinned_vertices::{FollowedJoints, SkinnedSample};

/// Below this, beside its stored size, a mesh is a point.
const POINT: f64 = 1e-6;
/// A mesh that is as much larger or smaller than it is stored is told with both sizes.
const SIZES: std::ops::Range<f64> = 0.02..50.0;
/// Steps of 32-bit floats that one sees, beside the size of the mesh.
const VISIBLE_STEP: f64 = 1e-3;
/// An edge is torn from here on: so many times as long as most are, beside their stored
/// lengths.
const TORN: f64 = 4.0;
/// So large a part of the edges is torn in no pose of a mesh that holds together.
const MOST_TORN: f64 = 0.05;
/// Programs stop at these numbers of joints, or at fewer.
const MANY_JOINTS: usize = 256;

/// All skins.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    for skin in bind::skins(doc, graph) {
        let pointer = format!("/skins/{}", skin.index);
        let sample = SkinnedSample::of_skin(doc, skin.index);
        many_joints(doc, &skin, &pointer, found);
        let mut is_torn = false;
        if let Some(mesh) = RestingMesh::new(&skin, &sample)
            && !mesh.in_one_point(doc, graph, &pointer, found)
        {
            mesh.far_away(&pointer, found);
            mesh.other_size(&pointer, found);
            is_torn = mesh.in_pieces(&pointer, found);
        }
        if !is_torn {
            rests_elsewhere(doc, &skin, &pointer, found);
        }
    }
}

/// At rest, world(joint) × inverse bind is the same for all joints exactly if
/// the file rests in its bind pose.
fn rests_elsewhere(doc: &Doc<'_>, skin: &SkinRead, pointer: &str, found: &mut Findings) {
    let rest = &skin.at_rest;
    if skin.accessor.is_none() || rest.is_explained() {
        return;
    }
    let mut joints = rest.world.iter().zip(&rest.stored).map(|(&world, &stored)| world * stored);
    let first = joints.next().filter(|first| first.determinant() != 0.0);
    let Some(bind_from_world) = first.map(|first| first.inverse()) else {
        return;
    };
    let limit = 1e-3 * (1.0 + bind_from_world.inverse().w_axis.truncate().length());
    let mut away: Vec<(f64, usize, DMat4)> = Vec::new();
    for (joint, matrix) in (1..).zip(joints) {
        let difference = bind_from_world * matrix;
        let cells = (difference - DMat4::IDENTITY).abs().to_cols_array();
        let off = cells.into_iter().fold(0.0, f64::max);
        if off.is_finite() && off > limit {
            away.push((off, joint, difference));
        }
    }
    let Some(&(_, joint, difference)) = away.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return;
    };
    let turns = away.iter().filter_map(|(.., difference)| turned_rad(*difference));
    let most_rad = turns.fold(0.0, f64::max);
    if let Some(examined) = &mut found.examined {
        examined.rest.get_or_insert_default().add(away.len(), most_rad);
    }
    let node = skin.joints[joint];
    let who = named("node", node, doc.one("nodes", node));
    let place = ModelPlace::at(format!("{pointer}/inverseBindMatrices")).joint(joint);
    found.add(&fault::REST_IS_NOT_BIND, place).expected(
        "joint matrices that are all the same at rest",
        format_args!(
            "{} of {} joints away from their bind pose, up to one transform common to all; \
             most joint {joint}, {who}: {}",
            away.len(),
            skin.joints.len(),
            transform_words(difference)
        ),
    );
}

fn many_joints(doc: &Doc<'_>, skin: &SkinRead, pointer: &str, found: &mut Findings) {
    let joints = skin.joints.len();
    if joints <= MANY_JOINTS {
        return;
    }
    let followed = FollowedJoints::of_skin(doc, skin.index);
    let idle = (0..joints).filter(|&joint| !followed.contains(joint)).count();
    found.add(&fault::MANY_JOINTS, format_args!("{pointer}/joints")).expected(
        format_args!("at most {MANY_JOINTS} joints"),
        format_args!("{joints}, of which {idle} move no vertex"),
    );
}

/// Corners of triangles, as stored and at rest.
struct RestingMesh<'a> {
    skin: &'a SkinRead,
    stored: Vec<[DVec3; 3]>,
    resting: Vec<[DVec3; 3]>,
}

impl<'a> RestingMesh<'a> {
    /// `None` where there is nothing to be seen of it.
    fn new(skin: &'a SkinRead, sample: &SkinnedSample) -> Option<Self> {
        let rest = &skin.at_rest;
        let matrices: Vec<DMat4> =
            rest.world.iter().zip(&rest.stored).map(|(&world, &stored)| world * stored).collect();
        let mut mesh = Self { skin, stored: Vec::new(), resting: Vec::new() };
        for triangle in &sample.triangles {
            let [Some(a), Some(b), Some(c)] = triangle.map(|vertex| vertex.skinned(&matrices))
            else {
                continue;
            };
            mesh.stored.push(triangle.map(|vertex| vertex.place));
            mesh.resting.push([a, b, c]);
        }
        (!mesh.stored.is_empty()).then_some(mesh)
    }

    fn in_one_point(
        &self,
        doc: &Doc<'_>,
        graph: &Graph,
        pointer: &str,
        found: &mut Findings,
    ) -> bool {
        let (stored, resting) = (Extents::of(&self.stored), Extents::of(&self.resting));
        if resting.size() > POINT * stored.size() || self.stored.len() < 2 {
            return false;
        }
        let flat = self.skin.joints.iter().find_map(|&joint| graph.flattened[joint]);
        let why = match flat {
            Some(node) => named("node", node, doc.one("nodes", node)) + " has a scale of 0",
            None => "all joint matrices move them there".to_owned(),
        };
        let fault = match flat.filter(|&node| is_scaled_by_a_clip(doc, node)) {
            Some(_) => fault::ALL_IN_ONE_POINT.as_warning(),
            None => fault::ALL_IN_ONE_POINT,
        };
        found.add(&fault, pointer).expected(
            format_args!("a mesh of the size {}, as stored", three_digits(stored.size())),
            format_args!("all vertices in one point at rest: {why}"),
        );
        true
    }

    fn far_away(&self, pointer: &str, found: &mut Findings) {
        let (stored, resting) = (Extents::of(&self.stored), Extents::of(&self.resting));
        let worst = [&stored, &resting].map(|extents| (step_of(extents.reach()), extents));
        let joints = self.skin.at_rest.world.iter().map(|world| world.w_axis.truncate());
        let joints = joints.map(|place| place.abs().max_element()).fold(0.0, f64::max);
        let size = resting.size();
        let [(a, _), (b, _)] = worst;
        let reach = stored.reach().max(resting.reach()).max(joints);
        let step = a.max(b).max(step_of(joints));
        if size > 0.0 && step > VISIBLE_STEP * size {
            found.add(&fault::FAR_FROM_ORIGIN, pointer).expected(
                "a model near the origin",
                format_args!(
                    "numbers up to {}, where 32-bit floats have steps of {}; the model is {} large",
                    three_digits(reach),
                    three_digits(step),
                    three_digits(size)
                ),
            );
        }
    }

    /// Scaled as a whole.
    fn other_size(&self, pointer: &str, found: &mut Findings) {
        let (stored, resting) =
            (Extents::of(&self.stored).size(), Extents::of(&self.resting).size());
        if self.skin.at_rest.common().is_some() && !SIZES.contains(&(resting / stored)) {
            found.add(&fault::SIZE_AT_REST, pointer).expected(
                format_args!("the stored size, {}", three_digits(stored)),
                format_args!("{} at rest", three_digits(resting)),
            );
        }
    }

    /// Edges between vertices that have become far longer than the others.
    fn in_pieces(&self, pointer: &str, found: &mut Findings) -> bool {
        let rest = &self.skin.at_rest;
        let is_bound =
            self.skin.accessor.is_some() && !rest.is_explained() && rest.common().is_none();
        if !is_bound {
            return false;
        }
        let least = 1e-3 * Extents::of(&self.stored).size();
        let edges =
            |of: &[DVec3; 3]| [of[0] - of[1], of[1] - of[2], of[2] - of[0]].map(DVec3::length);
        let pairs = self.stored.iter().zip(&self.resting);
        let lengths =
            pairs.flat_map(|(stored, resting)| edges(stored).into_iter().zip(edges(resting)));
        let mut ratios: Vec<f64> = lengths
            .filter(|(stored, _)| *stored > least)
            .map(|(stored, resting)| resting / stored)
            .collect();
        ratios.sort_by(f64::total_cmp);
        let Some(&usual) = ratios.get(ratios.len() / 2) else { return false };
        let torn = ratios.iter().filter(|&&ratio| ratio > TORN * usual).count();
        let is_torn = torn as f64 > MOST_TORN * ratios.len() as f64;
        if is_torn {
            found.add(&fault::MESH_IN_PIECES, pointer).expected(
                "edges about as long at rest as they are stored",
                format_args!(
                    "{:.0}% of the edges more than {TORN} times as long as most, up to {:.0} times",
                    100.0 * torn as f64 / ratios.len() as f64,
                    ratios[ratios.len() - 1] / usual
                ),
            );
        }
        is_torn
    }
}

/// Does a clip give the node another scale?
fn is_scaled_by_a_clip(doc: &Doc<'_>, node: usize) -> bool {
    let channels = doc.list("animations").iter().flat_map(|clip| list(clip, "channels"));
    let mut targets = channels.filter_map(|channel: &Value| channel.get("target"));
    targets
        .any(|target| whole(target, "node") == Some(node) && text(target, "path") == Some("scale"))
}

/// The box around some corners.
struct Extents {
    least: DVec3,
    most: DVec3,
}

impl Extents {
    fn of(triangles: &[[DVec3; 3]]) -> Self {
        let infinite = DVec3::splat(f64::INFINITY);
        let start = Self { least: infinite, most: -infinite };
        triangles
            .iter()
            .flatten()
            .fold(start, |all, &at| Self { least: all.least.min(at), most: all.most.max(at) })
    }

    /// Its longest side.
    fn size(&self) -> f64 {
        (self.most - self.least).max_element()
    }

    /// The largest number in it.
    fn reach(&self) -> f64 {
        self.least.abs().max(self.most.abs()).max_element()
    }
}

/// From one 32-bit float of this size to the next (IEEE 754: 24 bits).
fn step_of(number: f64) -> f64 {
    2.0_f64.powi(-23) * 2.0_f64.powf(number.max(f64::MIN_POSITIVE).log2().floor())
}

// The matrices and positions that 32-bit floats make of numbers.

/// What 32-bit floats hold.
const LARGEST_F32: f64 = f32::MAX as f64;
const EXPECTED: &str = "numbers that fit 32-bit floats, up to 3.4e38";

/// Numbers that are sound one by one, and too large together: of every node, and of every
/// mesh where it is shown.
pub(super) fn examine_overflow(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    let mut meshes = vec![None; doc.list("meshes").len()];
    for (index, node) in doc.each("nodes") {
        let pointer = format!("/nodes/{index}");
        let world_from_node = &graph.world_from_node[index];
        if largest(world_from_node) > LARGEST_F32 {
            // What stands below overflows for the same reason.
            let parent = graph.parent(index).map(|parent| &graph.world_from_node[parent]);
            if parent.is_none_or(|parent| largest(parent) <= LARGEST_F32) {
                let shown = format!("{:.1e} in its world matrix", largest(world_from_node));
                found.add(&fault::NUMBERS_OVERFLOW, pointer).expected(EXPECTED, shown);
            }
            continue;
        }
        let Some(mesh) = whole(node, "mesh").filter(|&mesh| mesh < meshes.len()) else {
            continue;
        };
        let size =
            *meshes[mesh].get_or_insert_with(|| declared_size(doc, &doc.list("meshes")[mesh]));
        let skin = doc.referred(node, "skin", "skins");
        let (place, reach) = match skin {
            Some(skin) => joints_reach(doc, graph, skin, size),
            None => (None, reach_of(world_from_node, size)),
        };
        if reach > LARGEST_F32 {
            let at = ModelPlace::at(pointer);
            let at = place.map_or(at.clone(), |joint| at.joint(joint));
            let mesh = named("mesh", mesh, doc.one("meshes", mesh));
            let shown = format!("positions of {mesh} up to {reach:.1e}");
            found.add(&fault::NUMBERS_OVERFLOW, at).expected(EXPECTED, shown);
        }
    }
}

/// The largest number of a matrix; infinite where one is none.
fn largest(matrix: &DMat4) -> f64 {
    let largest = matrix.abs().to_cols_array().into_iter().fold(0.0, f64::max);
    if matrix.is_finite() { largest } else { f64::INFINITY }
}

/// The largest number that comes up when points of `size` are multiplied.
fn reach_of(matrix: &DMat4, size: f64) -> f64 {
    let rows = matrix.abs() * DVec4::new(size, size, size, 1.0);
    rows.max_element()
}

/// The joint that reaches farthest at rest, and how far.
fn joints_reach(doc: &Doc<'_>, graph: &Graph, skin: &Value, size: f64) -> (Option<usize>, f64) {
    let binds = whole(skin, "inverseBindMatrices");
    let binds = binds.and_then(|index| elements(doc, index));
    let binds = binds.filter(|binds| binds.format.kind.components == 16);
    let joints = list(skin, "joints");
    if !doc.work.take(joints.len()) {
        return (None, 0.0);
    }
    let mut worst = (None, 0.0);
    for (place, joint) in joints.iter().enumerate() {
        let world = as_whole(joint).and_then(|joint| graph.world_from_node.get(joint));
        // A joint whose own place overflows is reported there.
        let Some(world) = world.filter(|world| largest(world) <= LARGEST_F32) else {
            continue;
        };
        let bind = binds.as_ref().filter(|binds| place < binds.count);
        let bind =
            bind.map_or(DMat4::IDENTITY, |binds| DMat4::from_cols_array(&binds.vector(place)));
        let reach = reach_of(&(world.abs() * bind.abs()), size);
        if reach > worst.1 {
            worst = (Some(place), reach);
        }
    }
    worst
}

/// The largest number among the positions of a mesh, as its bounds declare it.
/// That they are those of the data is looked at with the accessors.
fn declared_size(doc: &Doc<'_>, mesh: &Value) -> f64 {
    let positions = list(mesh, "primitives").iter().filter_map(|primitive| {
        doc.referred(primitive.get("attributes")?, "POSITION", "accessors")
    });
    let bounds =
        positions.flat_map(|accessor| list(accessor, "min").iter().chain(list(accessor, "max")));
    bounds.filter_map(Value::as_f64).map(f64::abs).fold(0.0, f64::max)
}
