//! Skeletons: bones with parents by name, in any order.

use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Joint, JointIndex, Trs};
use glam::{DMat4, DQuat, DVec3, Mat4};
use roxmltree::Node;

use super::xml::{XmlPlace, XmlReader, children, section_items};
use crate::read_error::{code, read_error};

/// Limit for bones of a file, and joints of meshes without a skeleton.
pub(super) const MAX_JOINTS: usize = 1 << 16;
/// Limit for skeletons, each of which is searched for names.
const MAX_SKELETONS: usize = 1 << 10;
/// Determinant below which a bind pose counts as singular.
const MIN_DETERMINANT: f64 = 1e-30;

/// All skeletons of a file.
pub(super) struct Skeletons<'d> {
    pub(super) list: Vec<ReadSkeleton<'d>>,
    /// The bones of all skeletons, one skeleton after the other.
    pub(super) joints: Vec<Joint>,
}

/// One skeleton of a file.
pub(super) struct ReadSkeleton<'d> {
    pub(super) name: Option<&'d str>,
    /// Index of the first joint. The others follow.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Index in the skeleton, by name.
    by_name: BTreeMap<&'d str, usize>,
}

impl ReadSkeleton<'_> {
    /// Returns the joint of a bone.
    pub(super) fn joint(&self, bone: &str) -> Option<JointIndex> {
        let index = self.by_name.get(bone)?;
        Some(JointIndex((self.first + index) as u16))
    }
}

/// Reads every `Skeleton`. The bind pose is that of the stored transforms. Inverse bind matrices
/// are not stored, so they are computed here, in 64-bit floats.
pub(super) fn read_skeletons<'d>(reader: &mut XmlReader<'d>, root: Node<'d, 'd>) -> Skeletons<'d> {
    let mut skeletons = Skeletons { list: Vec::new(), joints: Vec::new() };
    for node in section_items(root, "Skeletons", "Skeleton") {
        let count = skeletons.list.len() + 1;
        if !reader.check_limit(XmlPlace::Element(node), MAX_SKELETONS, "skeletons", count) {
            break;
        }
        read_skeleton(reader, node, &mut skeletons);
    }
    skeletons
}

fn read_skeleton<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, all: &mut Skeletons<'d>) {
    let name = reader.required(node, "name");
    if let Some(name) = name
        && all.list.iter().any(|other| other.name == Some(name))
    {
        add_repeated_name(reader, node, "skeleton", name);
    }
    let bones: Vec<Node<'d, 'd>> = children(node, "Bone").collect();
    reader.check_count(node, "count", "bones", bones.len());
    let joint_count = all.joints.len() + bones.len();
    if !reader.check_limit(XmlPlace::Element(node), MAX_JOINTS, "bones in all", joint_count) {
        return;
    }
    let mut by_name = BTreeMap::new();
    for (index, &bone) in bones.iter().enumerate() {
        if let Some(name) = reader.required(bone, "name")
            && by_name.insert(name, index).is_some()
        {
            add_repeated_name(reader, bone, "bone", name);
        }
    }
    let first = all.joints.len();
    let parents: Vec<Option<usize>> =
        bones.iter().map(|&bone| find_parent(reader, bone, &by_name)).collect();
    let locals: Vec<EzmTransform> = bones.iter().map(|&bone| read_local(reader, bone)).collect();
    let Some(order) = order_parents_first(reader, &bones, &parents) else {
        return;
    };
    let mut model_from_bone = vec![DMat4::IDENTITY; bones.len()];
    for index in order {
        let model_from_parent =
            parents[index].map_or(DMat4::IDENTITY, |parent| model_from_bone[parent]);
        model_from_bone[index] = model_from_parent * locals[index].matrix();
    }
    for (index, &bone) in bones.iter().enumerate() {
        all.joints.push(Joint {
            name: bone.attribute("name").map_or_else(|| format!("bone {index}"), str::to_owned),
            parent: parents[index].map(|parent| JointIndex((first + parent) as u16)),
            parent_from_joint_at_rest: locals[index].trs(),
            joint_from_bind: invert_bind(reader, bone, model_from_bone[index]),
        });
    }
    all.list.push(ReadSkeleton { name, first, count: bones.len(), by_name });
}

fn add_repeated_name<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, noun: &str, name: &str) {
    let expected = format_args!("a name of its own for each {noun}");
    let error = read_error(code::EZM_REPEATED, expected, format_args!("“{name}” a second time"))
        .help("others refer to it by name: rename one of the two");
    reader.add_error(XmlPlace::Attribute(node, "name"), error);
}

fn find_parent<'d>(
    reader: &mut XmlReader<'d>,
    bone: Node<'d, 'd>,
    by_name: &BTreeMap<&'d str, usize>,
) -> Option<usize> {
    let name = bone.attribute("parent")?;
    let parent = by_name.get(name).copied();
    if parent.is_none() {
        let expected = "the name of a bone of the same skeleton";
        let error = read_error(code::EZM_DANGLING, expected, format_args!("“{name}”"))
            .help("name its parent, or leave the attribute out at a root");
        reader.add_error(XmlPlace::Attribute(bone, "parent"), error);
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

fn read_local<'d>(reader: &mut XmlReader<'d>, bone: Node<'d, 'd>) -> EzmTransform {
    for name in ["orientation", "position"] {
        reader.required(bone, name);
    }
    read_transform(reader, bone, "orientation")
}

/// Reads a transform from attributes, the rotation from the one named `rotation`. Absent ones
/// change nothing.
pub(super) fn read_transform<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    rotation: &'static str,
) -> EzmTransform {
    let translation = reader.numbers::<3>(node, "position");
    let scale = reader.numbers::<3>(node, "scale");
    let turned = reader
        .numbers::<4>(node, rotation)
        .and_then(|numbers| read_rotation(reader, XmlPlace::Attribute(node, rotation), numbers));
    EzmTransform {
        translation: translation.map_or(DVec3::ZERO, DVec3::from_array),
        rotation: turned.unwrap_or(DQuat::IDENTITY),
        scale: scale.map_or(DVec3::ONE, DVec3::from_array),
    }
}

/// Normalizes a quaternion. Adds an error if its length is zero.
pub(super) fn read_rotation<'d>(
    reader: &mut XmlReader<'d>,
    at: XmlPlace<'d>,
    xyzw: [f64; 4],
) -> Option<DQuat> {
    let stored = DQuat::from_array(xyzw);
    let length = stored.length();
    if !(length.is_finite() && length > 1e-12) {
        let expected = "a quaternion x y z w of length 1";
        let found = format_args!("one of length {length}");
        return reader.fail(at, read_error(code::EZM_NUMBER, expected, found));
    }
    if (length - 1.0).abs() > 1e-3 {
        let found = format_args!("one of length {length:.4}");
        let note = Diagnostic {
            severity: Severity::Warning,
            title: "A rotation has not the length 1".to_owned(),
            effect: "none: it was made unit".to_owned(),
            ..read_error("EZM_ROTATION_NON_UNIT", "a quaternion of length 1", found)
        };
        reader.add_note(at, note);
    }
    Some(stored / length)
}

/// Returns the indices of all bones, parents before children. Returns `None` if there is a cycle.
fn order_parents_first<'d>(
    reader: &mut XmlReader<'d>,
    bones: &[Node<'d, 'd>],
    parents: &[Option<usize>],
) -> Option<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bones.len()];
    let mut order = Vec::with_capacity(bones.len());
    for (index, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(index),
            None => order.push(index),
        }
    }
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        order.extend(&children[index]);
        next += 1;
    }
    if order.len() == bones.len() {
        return Some(order);
    }
    let mut is_reached = vec![false; bones.len()];
    for index in order {
        is_reached[index] = true;
    }
    let unreached = is_reached.iter().position(|is_reached| !is_reached)?;
    let expected = "a chain of parents that ends at a root";
    let error = read_error(code::EZM_CYCLE, expected, "one that never ends")
        .help("give one bone of the circle another parent, or none");
    reader.fail(XmlPlace::Attribute(bones[unreached], "parent"), error)
}

/// Computes the inverse bind matrix. Adds an error if the bind pose is singular.
fn invert_bind<'d>(reader: &mut XmlReader<'d>, bone: Node<'d, 'd>, model_from_bone: DMat4) -> Mat4 {
    let determinant = model_from_bone.determinant();
    let bone_from_model = model_from_bone.inverse().as_mat4();
    if determinant.abs() > MIN_DETERMINANT && bone_from_model.is_finite() {
        return bone_from_model;
    }
    let found = format_args!("one with the determinant {determinant:e}");
    let error = read_error(code::EZM_NUMBER, "a bind pose that can be inverted", found)
        .help("a scale of 0 flattens all that hangs on it; give it a size");
    reader.add_error(XmlPlace::Element(bone), error);
    Mat4::IDENTITY
}
