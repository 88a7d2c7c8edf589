//! Skeletons: bones with parents by name, in any order.

use std::collections::BTreeMap;

use bindpose_skin::{Joint, JointIndex, Trs};
use glam::{DMat4, DQuat, DVec3, Mat4};
use roxmltree::Node;

use super::error::EzmErrorKind as Kind;
use super::xml::{XmlPlace, XmlReader, children};

/// All bones of a file, and joints made for meshes without a skeleton.
const MOST_JOINTS: usize = 1 << 16;
/// A bone shorter than this in one direction cannot be taken back.
const LEAST_DETERMINANT: f64 = 1e-30;

/// All skeletons of a file, their bones one after the other.
pub(super) struct Skeletons<'d> {
    pub(super) list: Vec<ReadSkeleton<'d>>,
    pub(super) joints: Vec<Joint>,
}

/// One skeleton of a file.
pub(super) struct ReadSkeleton<'d> {
    pub(super) name: Option<&'d str>,
    /// Its first joint; the others follow.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Place in the skeleton, by name.
    by_name: BTreeMap<&'d str, usize>,
}

impl ReadSkeleton<'_> {
    /// The joint of the bone of that name.
    pub(super) fn joint(&self, bone: &str) -> Option<JointIndex> {
        let place = self.by_name.get(bone)?;
        Some(JointIndex((self.first + place) as u16))
    }
}

/// Reads every `Skeleton`. The composed absolute transforms are the bind pose;
/// inverse binds are not stored, but inverted here, in 64-bit floats.
pub(super) fn skeletons<'d>(reader: &mut XmlReader<'d>, root: Node<'d, 'd>) -> Skeletons<'d> {
    let mut skeletons = Skeletons { list: Vec::new(), joints: Vec::new() };
    for section in children(root, "Skeletons") {
        let there = children(section, "Skeleton").count();
        reader.counted_loosely(section, "count", "skeletons", there);
        for node in children(section, "Skeleton") {
            skeleton(reader, node, &mut skeletons);
        }
    }
    skeletons
}

fn skeleton<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, all: &mut Skeletons<'d>) {
    let name = reader.required(node, "name");
    if let Some(name) = name
        && all.list.iter().any(|other| other.name == Some(name))
    {
        repeated(reader, node, "skeleton", name);
    }
    let bones: Vec<Node<'d, 'd>> = children(node, "Bone").collect();
    reader.counted(node, "count", "bones", bones.len());
    if !has_room(reader, node, all.joints.len() + bones.len()) {
        return;
    }
    let mut by_name = BTreeMap::new();
    for (place, &bone) in bones.iter().enumerate() {
        if let Some(name) = reader.required(bone, "name")
            && by_name.insert(name, place).is_some()
        {
            repeated(reader, bone, "bone", name);
        }
    }
    let first = all.joints.len();
    let parents: Vec<Option<usize>> =
        bones.iter().map(|&bone| parent(reader, bone, &by_name)).collect();
    let locals: Vec<EzmTransform> = bones.iter().map(|&bone| local(reader, bone)).collect();
    let Some(order) = parents_first(reader, &bones, &parents) else {
        return;
    };
    let mut model_from_bone = vec![DMat4::IDENTITY; bones.len()];
    for place in order {
        let above = parents[place].map_or(DMat4::IDENTITY, |parent| model_from_bone[parent]);
        model_from_bone[place] = above * locals[place].matrix();
    }
    for (place, &bone) in bones.iter().enumerate() {
        all.joints.push(Joint {
            name: bone.attribute("name").map_or_else(|| format!("bone {place}"), str::to_owned),
            parent: parents[place].map(|parent| JointIndex((first + parent) as u16)),
            parent_from_joint_at_rest: locals[place].trs(),
            joint_from_bind: inverse(reader, bone, model_from_bone[place]),
        });
    }
    all.list.push(ReadSkeleton { name, first, count: bones.len(), by_name });
}

/// Is there room for that many joints? If not, that is a fault.
pub(super) fn has_room<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, joints: usize) -> bool {
    reader.at_most(XmlPlace::Element(node), MOST_JOINTS, "bones in all", joints)
}

fn repeated<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, what: &str, name: &str) {
    let wrong = Kind::Repeated
        .expected(
            format_args!("a name of its own for each {what}"),
            format_args!("“{name}” a second time"),
        )
        .help("others refer to it by name: rename one of the two");
    reader.fault(XmlPlace::Attribute(node, "name"), wrong);
}

fn parent<'d>(
    reader: &mut XmlReader<'d>,
    bone: Node<'d, 'd>,
    by_name: &BTreeMap<&'d str, usize>,
) -> Option<usize> {
    let name = bone.attribute("parent")?;
    let parent = by_name.get(name).copied();
    if parent.is_none() {
        let wrong = Kind::Dangling
            .expected("the name of a bone of the same skeleton", format_args!("“{name}”"))
            .help("name its parent, or leave the attribute out at a root");
        reader.fault(XmlPlace::Attribute(bone, "parent"), wrong);
    }
    parent
}

/// A transform in the parent's frame.
#[derive(Clone, Copy)]
pub(super) struct EzmTransform {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl EzmTransform {
    pub(super) const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    fn matrix(self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    pub(super) fn trs(self) -> Trs {
        Trs {
            translation: self.translation.as_vec3(),
            rotation: self.rotation.as_quat(),
            scale: self.scale.as_vec3(),
        }
    }
}

/// A bone's transform; what is not given is no change, and told.
fn local<'d>(reader: &mut XmlReader<'d>, bone: Node<'d, 'd>) -> EzmTransform {
    for name in ["orientation", "position"] {
        reader.required(bone, name);
    }
    placed(reader, bone, ["position", "orientation", "scale"])
}

/// Position, rotation and scale from these attributes; absent ones change
/// nothing.
pub(super) fn placed<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    [position, rotation, scale]: [&'static str; 3],
) -> EzmTransform {
    let translation = reader.numbers::<3>(node, position);
    let scaling = reader.numbers::<3>(node, scale);
    let turned = reader.numbers::<4>(node, rotation);
    let turned =
        turned.and_then(|numbers| unit(reader, XmlPlace::Attribute(node, rotation), numbers));
    EzmTransform {
        translation: translation.map_or(DVec3::ZERO, DVec3::from_array),
        rotation: turned.unwrap_or(DQuat::IDENTITY),
        scale: scaling.map_or(DVec3::ONE, DVec3::from_array),
    }
}

/// A quaternion made unit; one without a direction is a fault.
pub(super) fn unit<'d>(
    reader: &mut XmlReader<'d>,
    at: XmlPlace<'d>,
    numbers: [f64; 4],
) -> Option<DQuat> {
    let stored = DQuat::from_array(numbers);
    let length = stored.length();
    if !(length.is_finite() && length > 1e-12) {
        let wrong = Kind::Number
            .expected("a quaternion x y z w of length 1", format_args!("one of length {length}"));
        return reader.damaged(at, wrong);
    }
    if (length - 1.0).abs() > 1e-3 {
        reader.finding(
            "EZM_ROTATION_NON_UNIT",
            at,
            [
                "a quaternion of length 1",
                &format!("one of length {length:.4}"),
                "none: it was made unit",
            ],
        );
    }
    Some(stored / length)
}

/// Places of all bones, parents before children; `None` after a cycle.
fn parents_first<'d>(
    reader: &mut XmlReader<'d>,
    bones: &[Node<'d, 'd>],
    parents: &[Option<usize>],
) -> Option<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bones.len()];
    let mut order = Vec::with_capacity(bones.len());
    for (place, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(place),
            None => order.push(place),
        }
    }
    let mut next = 0;
    while let Some(&place) = order.get(next) {
        order.extend(&children[place]);
        next += 1;
    }
    if order.len() == bones.len() {
        return Some(order);
    }
    let mut reached = vec![false; bones.len()];
    for place in order {
        reached[place] = true;
    }
    let lost = reached.iter().position(|reached| !reached)?;
    let wrong = Kind::Cycle
        .expected("a chain of parents that ends at a root", "one that never ends")
        .help("give one bone of the circle another parent, or none");
    reader.fault(XmlPlace::Attribute(bones[lost], "parent"), wrong);
    None
}

/// The inverse bind matrix.
fn inverse<'d>(reader: &mut XmlReader<'d>, bone: Node<'d, 'd>, model_from_bone: DMat4) -> Mat4 {
    let determinant = model_from_bone.determinant();
    let inverted = model_from_bone.inverse().as_mat4();
    if determinant.abs() > LEAST_DETERMINANT && inverted.is_finite() {
        return inverted;
    }
    let wrong = Kind::Number
        .expected(
            "a bind pose that can be inverted",
            format_args!("one with the determinant {determinant:e}"),
        )
        .help("a scale of 0 flattens all that hangs on it; give it a size");
    reader.fault(XmlPlace::Element(bone), wrong);
    Mat4::IDENTITY
}
