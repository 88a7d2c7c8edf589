//! The skeleton: bones with parents by name, in any order.

use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Joint, JointIndex, Skeleton, SkeletonError, Trs};
use glam::{DMat4, DQuat, DVec3, Mat4};
use roxmltree::Node;

use super::xml::{XmlPlace, XmlReader, children, section_items};
use crate::read_error::{code, read_error};

/// Limit for bones of a file, and joints of meshes without a skeleton.
pub(super) const MAX_JOINTS: usize = 1 << 16;
/// Determinant below which a bind pose counts as singular.
const MIN_DETERMINANT: f64 = 1e-30;

/// The skeleton of a file.
#[derive(Default)]
pub(super) struct ReadSkeleton<'d> {
    /// Whether the file has a skeleton. The rest is empty if it has none.
    pub(super) is_present: bool,
    pub(super) name: Option<&'d str>,
    /// One joint for each bone, in the order of the file.
    pub(super) joints: Vec<Joint>,
    pub(super) joint_by_name: BTreeMap<&'d str, JointIndex>,
}

/// Reads the `Skeleton`. The bind pose is that of the stored transforms. Inverse bind matrices
/// are not stored, so they are computed here, in 64-bit floats.
pub(super) fn read_skeleton<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
) -> ReadSkeleton<'d> {
    let mut nodes = section_items(root, "Skeletons", "Skeleton");
    let mut skeleton = ReadSkeleton::default();
    let Some(node) = nodes.next() else { return skeleton };
    if let Some(second) = nodes.next() {
        let error = read_error(code::EZM_UNSUPPORTED, "one skeleton in a file", "a second one")
            .help("export each model to a file of its own");
        reader.add_error(XmlPlace::Element(second), error);
    }
    skeleton.is_present = true;
    skeleton.name = reader.required(node, "name");
    let bones: Vec<Node<'d, 'd>> = children(node, "Bone").collect();
    reader.check_count(node, "count", "bones", bones.len());
    if !reader.check_limit(XmlPlace::Element(node), MAX_JOINTS, "bones", bones.len()) {
        return skeleton;
    }
    for (index, &bone) in (0..).map(JointIndex).zip(&bones) {
        if let Some(name) = reader.required(bone, "name")
            && skeleton.joint_by_name.insert(name, index).is_some()
        {
            let found = format_args!("“{name}” a second time");
            let error = read_error(code::EZM_REPEATED, "a name of its own for each bone", found)
                .help("others refer to it by name: rename one of the two");
            reader.add_error(XmlPlace::Attribute(bone, "name"), error);
        }
    }
    let mut locals = Vec::new();
    for (index, &bone) in bones.iter().enumerate() {
        let local = read_local(reader, bone);
        skeleton.joints.push(Joint {
            name: bone.attribute("name").map_or_else(|| format!("bone {index}"), str::to_owned),
            parent: find_parent(reader, bone, &skeleton.joint_by_name),
            parent_from_joint_at_rest: local.trs(),
            joint_from_bind: Mat4::IDENTITY,
        });
        locals.push(local);
    }
    match Skeleton::in_any_order(skeleton.joints.clone()) {
        Ok(sorted) => {
            let mut model_from_bone = vec![DMat4::IDENTITY; bones.len()];
            for index in sorted.walk().map(JointIndex::index) {
                let joint = &mut skeleton.joints[index];
                let model_from_parent =
                    joint.parent.map_or(DMat4::IDENTITY, |parent| model_from_bone[parent.index()]);
                model_from_bone[index] = model_from_parent * locals[index].matrix();
                joint.joint_from_bind = invert_bind(reader, bones[index], model_from_bone[index]);
            }
        }
        Err(SkeletonError::Cycle { joint }) => {
            let expected = "a chain of parents that ends at a root";
            let error = read_error(code::EZM_CYCLE, expected, "one that never ends")
                .help("give one bone of the circle another parent, or none");
            reader.add_error(XmlPlace::Attribute(bones[joint], "parent"), error);
        }
        Err(error) => {
            let error = read_error(code::EZM_FORMAT, "a sound skeleton", error);
            reader.add_error(XmlPlace::Element(node), error);
        }
    }
    skeleton
}

fn find_parent<'d>(
    reader: &mut XmlReader<'d>,
    bone: Node<'d, 'd>,
    joint_by_name: &BTreeMap<&'d str, JointIndex>,
) -> Option<JointIndex> {
    let name = bone.attribute("parent")?;
    let parent = joint_by_name.get(name).copied();
    if parent.is_none() {
        let expected = "the name of a bone";
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
    pub(super) fn matrix(self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    fn trs(self) -> Trs {
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
