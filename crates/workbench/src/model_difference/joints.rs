//! Pairs of joints of two models, and their differences.

use std::collections::{BTreeMap, BTreeSet};

use bindpose_diagnostic::{counted, grouped};
use bindpose_gltf::{Cancelled, JointRole, Pace};
use bindpose_lesson::number_text::{fixed, scientific};
use bindpose_skin::JointIndex;
use glam::Vec3;
use serde::Serialize;

use super::binds::find_bind_change;
use super::space::ComparedModels;
use super::space::{MATRIX_WORK, PointGrid, RestModel};
use crate::differences::{
    AXIS_TOLERANCE, PART, angle_between, axis_difference, exceeds, largest_difference,
};

/// A joint that both models have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointPair {
    /// Name in A.
    pub name: String,
    /// Index in A.
    pub a: u16,
    /// Index in B.
    pub b: u16,
    pub name_in_b: String,
    pub by: PairingCriterion,
    /// Is it a joint of a skin, in A or in B? False for nodes above joints or meshes, which
    /// neither file calls joints.
    pub of_skin: bool,
    /// Does it have another parent in B?
    pub other_parent: bool,
    /// Distance from its position in A, at rest.
    pub moved: f32,
    /// Largest difference of the axes of its world matrices, at rest.
    pub turned: f32,
    /// Angle between its world rotations at rest, in radians.
    pub angle_rad: f32,
    /// Largest difference of its inverse bind matrices. Translations are relative to the
    /// size of the model.
    pub inverse_bind: f32,
    /// Does any difference exceed rounding error? Names, indices and `by` do not count.
    pub differs: bool,
}

impl JointPair {
    /// Returns whether the joint has moved in a model of this size.
    fn is_moved(&self, size: f32) -> bool {
        exceeds(self.moved, PART * size)
    }

    fn is_turned(&self) -> bool {
        exceeds(self.turned, AXIS_TOLERANCE)
    }

    fn has_other_bind(&self) -> bool {
        exceeds(self.inverse_bind, AXIS_TOLERANCE)
    }
}

/// The property that two joints were paired by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairingCriterion {
    Name,
    /// The name without a prefix that ends with a colon or bar, such as `mixamorig:`.
    NameAlone,
    /// The position at rest.
    Place,
}

impl PairingCriterion {
    /// Returns the label shown to the reader.
    pub fn words(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::NameAlone => "name without prefix",
            Self::Place => "place",
        }
    }
}

/// A joint of A, its partner in B, and the criterion by which they were paired.
pub(super) type Paired = ((JointIndex, JointIndex), PairingCriterion);

/// Pairs joints with the same unique name, then the others by their name without prefix.
pub(super) fn pair_by_name(a: &RestModel<'_>, b: &RestModel<'_>) -> Vec<Paired> {
    let mut found: Vec<Paired> = Vec::new();
    for by in [PairingCriterion::Name, PairingCriterion::NameAlone] {
        let names_a = unique_names(a, by, found.iter().map(|pair| pair.0.0));
        let names_b = unique_names(b, by, found.iter().map(|pair| pair.0.1));
        for (name, joint_a) in names_a {
            if let (Some(joint_a), Some(&Some(joint_b))) = (joint_a, names_b.get(&name)) {
                found.push(((joint_a, joint_b), by));
            }
        }
    }
    found.sort_unstable_by_key(|pair| pair.0);
    found
}

/// Returns the unpaired joints by name, without those that have no name. The value is `None`
/// if several joints have the name.
fn unique_names(
    model: &RestModel<'_>,
    by: PairingCriterion,
    paired: impl Iterator<Item = JointIndex>,
) -> BTreeMap<String, Option<JointIndex>> {
    let mut found: BTreeMap<String, Option<JointIndex>> = BTreeMap::new();
    for index in unpaired_joints(model, paired) {
        let Some(joint) = model.rig.skeleton.joints().get(index.index()) else {
            continue;
        };
        let name = match by {
            PairingCriterion::NameAlone => {
                joint.name.rsplit([':', '|']).next().unwrap_or(&joint.name)
            }
            _ => &joint.name,
        };
        let is_unique = !found.contains_key(name);
        found.insert(name.to_owned(), is_unique.then_some(index));
    }
    found.remove("");
    found
}

/// Returns the joints without a partner, in their order.
pub(super) fn unpaired_joints(
    model: &RestModel<'_>,
    paired: impl Iterator<Item = JointIndex>,
) -> Vec<JointIndex> {
    let mut is_unpaired = vec![true; model.rig.skeleton.len()];
    for joint in paired {
        if let Some(is_unpaired) = is_unpaired.get_mut(joint.index()) {
            *is_unpaired = false;
        }
    }
    model
        .rig
        .skeleton
        .indices()
        .zip(is_unpaired)
        .filter_map(|(joint, is_unpaired)| is_unpaired.then_some(joint))
        .collect()
}

/// Pairs joints at the same position that are not paired by name.
pub(super) async fn pair_by_position(
    models: &ComparedModels<'_>,
    named: &[Paired],
    pace: &Pace,
) -> Result<Vec<Paired>, Cancelled> {
    let ComparedModels { a, b, space, .. } = *models;
    let max_distance = models.max_distance();
    let scale = space.scale();
    let free: Vec<(u32, Vec3, u64)> = unpaired_joints(b, named.iter().map(|pair| pair.0.1))
        .into_iter()
        .map(|joint| (u32::from(joint.0), joint_position(b, joint) / scale, 0))
        .collect();
    let mut free = PointGrid::new(free.into_iter(), max_distance);
    let mut pairs = Vec::new();
    for joint_a in unpaired_joints(a, named.iter().map(|pair| pair.0.0)) {
        let position_a = space.b_from_a.transform_point3(joint_position(a, joint_a)) / scale;
        let mut candidate_count = 0;
        let nearest = free.near(position_a, 0).find_map(|found| {
            candidate_count += 1;
            let joint_b = JointIndex(u16::try_from(found.number).ok()?);
            let position_b = joint_position(b, joint_b) / scale;
            (position_a.distance(position_b) <= max_distance).then_some((found, joint_b))
        });
        pace.spend(MATRIX_WORK + candidate_count).await?;
        if let Some((found, joint_b)) = nearest {
            free.take(found);
            pairs.push(((joint_a, joint_b), PairingCriterion::Place));
        }
    }
    Ok(pairs)
}

/// Returns NaN for an unknown joint.
fn joint_position(model: &RestModel<'_>, joint: JointIndex) -> Vec3 {
    let matrix = model.world_from_joint.get(joint.index());
    matrix.map_or(Vec3::NAN, |matrix| matrix.w_axis.truncate())
}

/// Returns the differences of each pair, and findings on them. `paired` is in the order of A.
pub(super) fn compare_joints(
    models: &ComparedModels<'_>,
    paired: &[Paired],
) -> (Vec<JointPair>, Vec<String>) {
    let ComparedModels { a, b, size, .. } = *models;
    let roles_a = a.rig.joint_roles();
    let roles_b = b.rig.joint_roles();
    let pairs: Vec<(JointIndex, JointIndex)> = paired.iter().map(|pair| pair.0).collect();
    let mut joints = Vec::new();
    for &(pair, by) in paired {
        let of_skin = is_of_skin(&roles_a, pair.0) || is_of_skin(&roles_b, pair.1);
        if let Some(found) = compare_pair(models, pair, by, &pairs) {
            joints.push(JointPair { of_skin, ..found });
        }
    }
    let mut findings = Vec::new();
    let paired_a: BTreeSet<u16> = joints.iter().map(|pair| pair.a).collect();
    let paired_b: BTreeSet<u16> = joints.iter().map(|pair| pair.b).collect();
    findings.extend(describe_unpaired("A", a, &paired_a));
    findings.extend(describe_unpaired("B", b, &paired_b));
    let (of_skin, helpers): (Vec<&JointPair>, Vec<&JointPair>) =
        joints.iter().partition(|pair| pair.of_skin);
    findings.extend(describe_pair_differences(&of_skin, true, size));
    findings.extend(describe_pair_differences(&helpers, false, size));
    if of_skin.iter().any(|pair| pair.has_other_bind()) {
        let pairs: Vec<(JointIndex, JointIndex)> =
            of_skin.iter().map(|pair| (JointIndex(pair.a), JointIndex(pair.b))).collect();
        let change = find_bind_change(models, &pairs);
        findings.extend(change.or_else(|| describe_other_binds(&of_skin)));
    }
    (joints, findings)
}

fn is_of_skin(roles: &[JointRole], joint: JointIndex) -> bool {
    roles.get(joint.index()).is_some_and(|&role| role != JointRole::Helper)
}

fn filter_pairs<'a>(
    pairs: &[&'a JointPair],
    differs: impl Fn(&JointPair) -> bool,
) -> Vec<&'a JointPair> {
    pairs.iter().copied().filter(|pair| differs(pair)).collect()
}

/// Describes the differences of joints of skins, or of nodes above them, with a sentence for
/// each kind of difference.
fn describe_pair_differences(pairs: &[&JointPair], of_skin: bool, size: f32) -> Vec<String> {
    let max_moved = pairs.iter().map(|pair| pair.moved).fold(0.0, f32::max);
    let max_angle_rad = pairs.iter().map(|pair| pair.angle_rad).fold(0.0, f32::max);
    let findings = [
        describe_pairs(
            &filter_pairs(pairs, |pair| pair.name != pair.name_in_b),
            of_skin,
            ["has another name in B", "have other names in B"],
            "",
        ),
        // Numbers of nodes that are no joints of a skin have no meaning in the file.
        describe_pairs(
            &filter_pairs(pairs, |pair| of_skin && pair.a != pair.b),
            of_skin,
            ["has another number in B", "have other numbers in B"],
            "",
        ),
        describe_pairs(
            &filter_pairs(pairs, |pair| pair.other_parent),
            of_skin,
            ["has another parent in B", "have other parents in B"],
            "",
        ),
        describe_pairs(
            &filter_pairs(pairs, |pair| pair.is_moved(size)),
            of_skin,
            ["is elsewhere at rest", "are elsewhere at rest"],
            &format!(", by {} units of A at most", scientific(max_moved.into())),
        ),
        describe_pairs(
            &filter_pairs(pairs, JointPair::is_turned),
            of_skin,
            ["has another rotation or scale at rest", "have another rotation or scale at rest"],
            &format!(", by up to {}°", fixed(max_angle_rad.to_degrees().into(), 1)),
        ),
    ];
    findings.into_iter().flatten().collect()
}

fn describe_other_binds(of_skin: &[&JointPair]) -> Option<String> {
    let those: Vec<&JointPair> =
        of_skin.iter().copied().filter(|pair| pair.has_other_bind()).collect();
    let most = of_skin.iter().map(|pair| pair.inverse_bind).fold(0.0_f32, f32::max);
    let most = scientific(most.into());
    describe_pairs(
        &those,
        true,
        ["has another inverse bind matrix", "have other inverse bind matrices"],
        &format!(", by {most} at most (axes as they are, translations as parts of A’s size)"),
    )
}

/// Describes pairs with the same difference, such as `2 joints have other names in B: “hip”,
/// “knee”.` Returns `None` if there are no pairs.
fn describe_pairs(
    pairs: &[&JointPair],
    of_skin: bool,
    [one, more]: [&str; 2],
    most: &str,
) -> Option<String> {
    let of = match (pairs.len(), of_skin) {
        (0, _) => return None,
        (count, true) => counted(count, "joint"),
        (count, false) => format!("{} above joints or meshes", counted(count, "node")),
    };
    let names = list_names(pairs.iter().map(|pair| pair.name.as_str()));
    let what = if pairs.len() == 1 { one } else { more };
    Some(format!("{of} {what}{most}: {names}."))
}

fn compare_pair(
    models: &ComparedModels<'_>,
    pair: (JointIndex, JointIndex),
    by: PairingCriterion,
    pairs: &[(JointIndex, JointIndex)],
) -> Option<JointPair> {
    let ComparedModels { a, b, space, size } = *models;
    let (index_a, index_b) = pair;
    let joint_a = a.rig.skeleton.joints().get(index_a.index())?;
    let joint_b = b.rig.skeleton.joints().get(index_b.index())?;
    // The outer `None` is a root, the inner one a parent without a partner.
    let parent_in_b = joint_a.parent.map(|parent| {
        let at = pairs.binary_search_by_key(&parent, |pair| pair.0);
        at.ok().and_then(|at| pairs.get(at)).map(|pair| pair.1)
    });
    let other_parent = match (parent_in_b, joint_b.parent) {
        (None, None) => false,
        (Some(expected), found) => expected != found,
        (None, Some(_)) => true,
    };
    let world_a = space.convert_matrix(a.world_from_joint.get(index_a.index())?);
    let world_b = *b.world_from_joint.get(index_b.index())?;
    let inverse_bind_a = space.convert_matrix(a.joint_from_bind.get(index_a.index())?);
    let inverse_bind_b = *b.joint_from_bind.get(index_b.index())?;
    let units = size * space.scale();
    let mut pair = JointPair {
        name: joint_a.name.clone(),
        a: index_a.0,
        b: index_b.0,
        name_in_b: joint_b.name.clone(),
        by,
        of_skin: false,
        other_parent,
        moved: world_a.w_axis.distance(world_b.w_axis) / space.scale(),
        turned: axis_difference(&world_a, &world_b),
        angle_rad: angle_between(&world_a, &world_b),
        inverse_bind: largest_difference(&inverse_bind_a, &inverse_bind_b, units),
        differs: false,
    };
    pair.differs =
        pair.other_parent || pair.is_moved(size) || pair.is_turned() || pair.has_other_bind();
    Some(pair)
}

/// Describes the joints, and nodes above them, that only one model has.
fn describe_unpaired(only: &str, model: &RestModel<'_>, paired: &BTreeSet<u16>) -> Vec<String> {
    let mut joint_count = 0;
    let mut unpaired_joints = 0;
    let mut unpaired_helpers = 0;
    for (index, role) in model.rig.joint_roles().into_iter().enumerate() {
        let is_unpaired = u16::try_from(index).is_ok_and(|joint| !paired.contains(&joint));
        if role == JointRole::Helper {
            unpaired_helpers += usize::from(is_unpaired);
        } else {
            joint_count += 1;
            unpaired_joints += usize::from(is_unpaired);
        }
    }
    let mut found = Vec::new();
    if unpaired_joints > 0 {
        let more = counted(unpaired_joints, "joint");
        found.push(format!("Only {only} has {more} of its {}.", grouped(joint_count)));
    }
    if unpaired_helpers > 0 {
        let more = counted(unpaired_helpers, "node");
        found.push(format!("Only {only} has {more} above its joints or meshes."));
    }
    found
}

/// Lists the first names, and the number of the others.
pub(super) fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MAX_NAMES: usize = 5;
    let all: Vec<&str> = names.collect();
    let shown: Vec<String> = all.iter().take(MAX_NAMES).map(|name| format!("“{name}”")).collect();
    match all.len().checked_sub(MAX_NAMES) {
        Some(more @ 1..) => format!("{} and {} more", shown.join(", "), grouped(more)),
        _ => shown.join(", "),
    }
}
