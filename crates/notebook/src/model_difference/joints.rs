//! Which joint of one model is which of the other, and what has become of it.

use std::collections::{BTreeMap, BTreeSet};

use bindpose_asset::{Cancelled, JointRole, Pace};
use bindpose_diagnostic::{counted, grouped};
use bindpose_skin::JointIndex;
use glam::Vec3;
use serde::Serialize;

use super::binds::done_to_binds;
use super::space::{AtRest, MATRIX, PointGrid, Space};
use crate::differences::{PART, SAME, angle_between, axes_differ, exceeds, largest_difference};
use crate::number_text::{fixed, scientific};

/// A joint that both models have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointPair {
    /// Its name in A.
    pub name: String,
    /// Its number in A.
    pub a: u16,
    /// Its number in B.
    pub b: u16,
    /// Its name in B.
    pub name_in_b: String,
    /// What they were paired by.
    pub by: PairedBy,
    /// Is it a joint of a skin, in A or in B? False for nodes above joints or meshes,
    /// which neither file calls a joint.
    pub of_skin: bool,
    /// Does it hang on another joint in B?
    pub other_parent: bool,
    /// How far it stands from where A has it, at rest.
    pub moved: f32,
    /// The largest difference of its world matrices’ axes, at rest.
    pub turned: f32,
    /// The angle between its world rotations at rest, in radians.
    pub angle_rad: f32,
    /// The largest difference of its inverse bind matrices, translations as parts of the
    /// model’s size.
    pub inverse_bind: f32,
    /// Is anything of these more than rounding? Names, numbers and what they were paired
    /// by do not count.
    pub differs: bool,
}

impl JointPair {
    /// `size`: of A.
    fn is_moved(&self, size: f32) -> bool {
        exceeds(self.moved, PART * size)
    }

    fn is_turned(&self) -> bool {
        exceeds(self.turned, SAME)
    }

    fn is_bound_otherwise(&self) -> bool {
        exceeds(self.inverse_bind, SAME)
    }
}

/// What two joints have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairedBy {
    /// Their name.
    Name,
    /// Their name up to what stands before its last colon or bar: `mixamorig:Hips`.
    NameAlone,
    /// Their place at rest.
    Place,
}

impl PairedBy {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::NameAlone => "name without prefix",
            Self::Place => "place",
        }
    }
}

/// A joint of A, the one of B, and what they were paired by.
pub(super) type Paired = ((JointIndex, JointIndex), PairedBy);

/// Joints with one name each; of what is left, by their names without what stands before
/// them.
pub(super) fn by_name(a: &AtRest<'_>, b: &AtRest<'_>) -> Vec<Paired> {
    let mut found: Vec<Paired> = Vec::new();
    for by in [PairedBy::Name, PairedBy::NameAlone] {
        let left = [
            left(a, found.iter().map(|pair| pair.0.0)),
            left(b, found.iter().map(|pair| pair.0.1)),
        ];
        let pairs = by_key([(a, &left[0]), (b, &left[1])], |name| match by {
            PairedBy::NameAlone => name.rsplit([':', '|']).next().unwrap_or(name),
            _ => name,
        });
        found.extend(pairs.into_iter().map(|pair| (pair, by)));
    }
    found.sort_unstable_by_key(|pair| pair.0);
    found
}

/// Joints that have no partner, in their order.
fn left(at: &AtRest<'_>, paired: impl Iterator<Item = JointIndex>) -> Vec<JointIndex> {
    let mut left = vec![true; at.rig.skeleton.len()];
    for joint in paired {
        if let Some(left) = left.get_mut(joint.index()) {
            *left = false;
        }
    }
    let all = at.rig.skeleton.indices().zip(left);
    all.filter(|(_, left)| *left).map(|all| all.0).collect()
}

fn by_key(
    [a, b]: [(&AtRest<'_>, &[JointIndex]); 2],
    key: impl Fn(&str) -> &str,
) -> Vec<(JointIndex, JointIndex)> {
    let names = |(at, joints): (&AtRest<'_>, &[JointIndex])| {
        let mut found: BTreeMap<String, Option<JointIndex>> = BTreeMap::new();
        for &index in joints {
            let Some(joint) = at.rig.skeleton.joints().get(index.index()) else {
                continue;
            };
            let name = key(&joint.name);
            let more_than_one = found.contains_key(name);
            let only = (!more_than_one).then_some(index);
            found.insert(name.to_owned(), only);
        }
        found.remove("");
        found
    };
    let in_b = names(b);
    let pairs = names(a).into_iter();
    pairs.filter_map(|(name, of_a)| Some((of_a?, (*in_b.get(&name)?)?))).collect()
}

/// Joints in one place that names have not paired.
pub(super) async fn by_place(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
    named: &[Paired],
    pace: &Pace,
) -> Result<Vec<Paired>, Cancelled> {
    let place = |at: &AtRest<'_>, joint: JointIndex| {
        let matrix = at.world_from_joint.get(joint.index());
        matrix.map_or(Vec3::NAN, |matrix| matrix.w_axis.truncate())
    };
    let free = left(b, named.iter().map(|pair| pair.0.1)).into_iter();
    let free = free.map(|joint| (u32::from(joint.0), place(b, joint) / space.scale(), 0));
    let mut free = PointGrid::new(free, most);
    let mut pairs = Vec::new();
    for of_a in left(a, named.iter().map(|pair| pair.0.0)) {
        let here = space.b_from_a.transform_point3(place(a, of_a)) / space.scale();
        let mut looked_at = 0;
        let there = free.near(here, 0).find_map(|found| {
            looked_at += 1;
            let joint = JointIndex(u16::try_from(found.number).ok()?);
            let there = place(b, joint) / space.scale();
            (here.distance(there) <= most).then_some((found, joint))
        });
        pace.spend(MATRIX + looked_at).await?;
        if let Some((found, of_b)) = there {
            free.take(found);
            pairs.push(((of_a, of_b), PairedBy::Place));
        }
    }
    Ok(pairs)
}

/// What has become of each pair, and what is to be said of it. Pairs stand in the order
/// of A. `size`: of A.
pub(super) fn compared(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, size): (&Space, f32),
    (pairs, by): (&[(JointIndex, JointIndex)], &[PairedBy]),
) -> (Vec<JointPair>, Vec<String>) {
    let roles = [a.rig.joint_roles(), b.rig.joint_roles()];
    let is_joint = |model: usize, joint: JointIndex| {
        roles[model].get(joint.index()).is_some_and(|&role| role != JointRole::Helper)
    };
    let joints: Vec<JointPair> = pairs
        .iter()
        .zip(by)
        .filter_map(|(&pair, &by)| {
            let found = joint_pair(a, b, space, (pair, by), pairs, size)?;
            Some(JointPair { of_skin: is_joint(0, pair.0) || is_joint(1, pair.1), ..found })
        })
        .collect();
    let mut findings = Vec::new();
    for (only, at, paired) in [
        ("A", a, joints.iter().map(|pair| pair.a).collect::<BTreeSet<u16>>()),
        ("B", b, joints.iter().map(|pair| pair.b).collect()),
    ] {
        findings.extend(only_words(only, at, &paired));
    }
    for of_skin in [true, false] {
        let those: Vec<&JointPair> = joints.iter().filter(|pair| pair.of_skin == of_skin).collect();
        findings.extend(pair_words(&those, of_skin, size));
    }
    let of_skin: Vec<&JointPair> = joints.iter().filter(|pair| pair.of_skin).collect();
    if of_skin.iter().any(|pair| pair.is_bound_otherwise()) {
        let pairs = of_skin.iter().map(|pair| (JointIndex(pair.a), JointIndex(pair.b)));
        let pairs: Vec<(JointIndex, JointIndex)> = pairs.collect();
        let words = done_to_binds(a, b, (space, size), &pairs);
        findings.extend(words.or_else(|| other_binds_words(&of_skin)));
    }
    (joints, findings)
}

/// What differs in joints of skins, or in nodes above them, a sentence for each kind of
/// difference.
fn pair_words(pairs: &[&JointPair], of_skin: bool, size: f32) -> Vec<String> {
    let mut findings = Vec::new();
    let mut say = |[one, more]: [&str; 2], differs: &dyn Fn(&JointPair) -> bool, most: &str| {
        let those: Vec<&&JointPair> = pairs.iter().filter(|pair| differs(pair)).collect();
        if let Some(words) = some_pairs(&those, of_skin, [one, more], most) {
            findings.push(words);
        }
    };
    let largest = |of: fn(&JointPair) -> f32| pairs.iter().map(|pair| of(pair)).fold(0.0, f32::max);
    let moved = scientific(largest(|pair| pair.moved).into());
    let angle = fixed(largest(|pair| pair.angle_rad).to_degrees().into(), 1);
    say(
        ["has another name in B", "have other names in B"],
        &|pair| pair.name != pair.name_in_b,
        "",
    );
    // What is no joint of a skin has no number in the file that counts.
    say(
        ["has another number in B", "have other numbers in B"],
        &|pair| of_skin && pair.a != pair.b,
        "",
    );
    say(["has another parent in B", "have other parents in B"], &|pair| pair.other_parent, "");
    say(
        ["is elsewhere at rest", "are elsewhere at rest"],
        &|pair| pair.is_moved(size),
        &format!(", by {moved} units of A at most"),
    );
    say(
        ["has another rotation or scale at rest", "have another rotation or scale at rest"],
        &JointPair::is_turned,
        &format!(", by up to {angle}°"),
    );
    findings
}

fn other_binds_words(of_skin: &[&JointPair]) -> Option<String> {
    let those: Vec<&&JointPair> = of_skin.iter().filter(|pair| pair.is_bound_otherwise()).collect();
    let most = of_skin.iter().map(|pair| pair.inverse_bind).fold(0.0_f32, f32::max);
    let most = scientific(most.into());
    some_pairs(
        &those,
        true,
        ["has another inverse bind matrix", "have other inverse bind matrices"],
        &format!(", by {most} at most (axes as they are, translations as parts of A’s size)"),
    )
}

/// `2 joints have other names in B: “hip”, “knee”.`; `None` of no pairs.
fn some_pairs(
    pairs: &[&&JointPair],
    of_skin: bool,
    [one, more]: [&str; 2],
    most: &str,
) -> Option<String> {
    let of = match (pairs.len(), of_skin) {
        (0, _) => return None,
        (count, true) => counted(count, "joint"),
        (count, false) => format!("{} above joints or meshes", counted(count, "node")),
    };
    let names = some_names(pairs.iter().map(|pair| pair.name.as_str()));
    let what = if pairs.len() == 1 { one } else { more };
    Some(format!("{of} {what}{most}: {names}."))
}

fn joint_pair(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    space: &Space,
    ((of_a, of_b), by): Paired,
    pairs: &[(JointIndex, JointIndex)],
    size: f32,
) -> Option<JointPair> {
    let joint = a.rig.skeleton.joints().get(of_a.index())?;
    let there = b.rig.skeleton.joints().get(of_b.index())?;
    let parent_in_b = joint.parent.map(|parent| {
        let at = pairs.binary_search_by_key(&parent, |pair| pair.0);
        at.ok().and_then(|at| pairs.get(at)).map(|pair| pair.1)
    });
    let other_parent = match (parent_in_b, there.parent) {
        (None, None) => false,
        (Some(expected), found) => expected != found,
        (None, Some(_)) => true,
    };
    let (world_a, world_b) =
        (space.of(a.world_from_joint.get(of_a.index())?), *b.world_from_joint.get(of_b.index())?);
    let inverse_bind_a = space.of(a.joint_from_bind.get(of_a.index())?);
    let inverse_bind_b = *b.joint_from_bind.get(of_b.index())?;
    let units = size * space.scale();
    let mut pair = JointPair {
        name: joint.name.clone(),
        a: of_a.0,
        b: of_b.0,
        name_in_b: there.name.clone(),
        by,
        of_skin: false,
        other_parent,
        moved: world_a.w_axis.distance(world_b.w_axis) / space.scale(),
        turned: axes_differ(&world_a, &world_b),
        angle_rad: angle_between(&world_a, &world_b),
        inverse_bind: largest_difference(&inverse_bind_a, &inverse_bind_b, units),
        differs: false,
    };
    pair.differs =
        pair.other_parent || pair.is_moved(size) || pair.is_turned() || pair.is_bound_otherwise();
    Some(pair)
}

/// Joints that one model has alone, and what it has above them.
fn only_words(only: &str, at: &AtRest<'_>, paired: &BTreeSet<u16>) -> Vec<String> {
    let roles = at.rig.joint_roles();
    let is_alone = |nth: usize| u16::try_from(nth).is_ok_and(|joint| !paired.contains(&joint));
    let count = |helper: bool| {
        let of =
            (0..roles.len()).filter(|&nth| (roles.get(nth) == Some(&JointRole::Helper)) == helper);
        (of.clone().count(), of.filter(|&nth| is_alone(nth)).count())
    };
    let ((all, joints), (_, others)) = (count(false), count(true));
    let mut found = Vec::new();
    if joints > 0 {
        let more = counted(joints, "joint");
        found.push(format!("Only {only} has {more} of its {}.", grouped(all)));
    }
    if others > 0 {
        let more = counted(others, "node");
        found.push(format!("Only {only} has {more} above its joints or meshes."));
    }
    found
}

/// A few names, and how many more there are.
pub(super) fn some_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 5;
    let all: Vec<&str> = names.collect();
    let shown: Vec<String> = all.iter().take(MOST).map(|name| format!("“{name}”")).collect();
    match all.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{} and {} more", shown.join(", "), grouped(more)),
        _ => shown.join(", "),
    }
}
