//! A rig as an EZMesh file: XML, its numbers with as many digits as an f32 needs
//! to come back the same.

use std::fmt::Write as _;

use bindpose_diagnostic::{Diagnostic, ModelPlace};
use bindpose_skin::{Joint, Pose, SET_LANES, Skeleton};
use glam::Vec3;

use crate::{Mesh, Rig, bounds_of};

/// Poses of all joints at equal distances in time.
#[derive(Clone, Debug)]
pub(crate) struct PoseFrames {
    pub(crate) name: String,
    /// From one pose to the next.
    pub(crate) step_secs: f64,
    pub(crate) poses: Vec<Pose>,
}

/// The file. Bones refer to their parents by name, so names must differ.
///
/// Fails when a vertex has more than four influences.
pub(crate) fn ezm(rig: &Rig, animations: &[PoseFrames]) -> Result<Vec<u8>, Diagnostic> {
    let lanes = rig.mesh.influences.iter().map(|one| one.lanes());
    if let Some((vertex, lanes)) = lanes.enumerate().find(|&(_, lanes)| lanes > SET_LANES) {
        let most = format!("at most {SET_LANES} influences a vertex, as EZMesh holds");
        return Err(Diagnostic {
            code: "TOO_MANY_INFLUENCES",
            at: ModelPlace::default().vertex(vertex).into(),
            ..Diagnostic::expected(most, lanes.to_string())
        });
    }
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let id = escaped(&rig.id);
    let _ = writeln!(
        text,
        "<MeshSystem asset_name=\"{}\" asset_info=\"Bindpose, cargo xtask assets\" \
         mesh_system_version=\"1\" mesh_system_asset_version=\"0\">",
        escaped(&rig.title)
    );
    bounds(&mut text, "  ", &rig.mesh);
    skeleton(&mut text, &id, &rig.skeleton);
    if !animations.is_empty() {
        let _ = writeln!(text, "  <Animations count=\"{}\">", animations.len());
        for frames in animations {
            animation(&mut text, &rig.skeleton, frames);
        }
        text.push_str("  </Animations>\n");
    }
    let _ = writeln!(
        text,
        "  <Materials count=\"1\">\n    <Material name=\"{id}\" meta_data=\"\"/>\n  </Materials>"
    );
    mesh(&mut text, &id, &rig.mesh);
    let _ = writeln!(
        text,
        "  <MeshInstances count=\"1\">\n    <MeshInstance mesh=\"{id}\" position=\"0,0,0\" \
         rotation=\"0,0,0,1\" scale=\"1,1,1\"/>\n  </MeshInstances>\n</MeshSystem>"
    );
    Ok(text.into_bytes())
}

fn skeleton(text: &mut String, id: &str, skeleton: &Skeleton) {
    let joints = skeleton.joints();
    let _ = writeln!(
        text,
        "  <Skeletons count=\"1\">\n    <Skeleton name=\"{id}\" count=\"{}\">",
        joints.len()
    );
    for joint in joints {
        bone(text, joint, joints);
    }
    text.push_str("    </Skeleton>\n  </Skeletons>\n");
}

fn bone(text: &mut String, joint: &Joint, joints: &[Joint]) {
    let parent = joint.parent.and_then(|parent| joints.get(parent.index()));
    let parent =
        parent.map_or_else(String::new, |parent| format!(" parent=\"{}\"", escaped(&parent.name)));
    let local = joint.parent_from_joint_at_rest;
    let _ = writeln!(
        text,
        "      <Bone name=\"{}\"{parent} orientation=\"{}\" position=\"{}\" scale=\"{}\"/>",
        escaped(&joint.name),
        numbers(&local.rotation.to_array()),
        numbers(&local.translation.to_array()),
        numbers(&local.scale.to_array()),
    );
}

fn animation(text: &mut String, skeleton: &Skeleton, frames: &PoseFrames) {
    let count = frames.poses.len();
    let _ = writeln!(
        text,
        "    <Animation name=\"{}\" trackcount=\"{}\" framecount=\"{count}\" duration=\"{}\" \
         dtime=\"{}\">",
        escaped(&frames.name),
        skeleton.len(),
        frames.step_secs * count as f64,
        frames.step_secs,
    );
    for (joint, at) in skeleton.joints().iter().zip(0..) {
        let _ = writeln!(
            text,
            "      <AnimTrack name=\"{}\" count=\"{count}\" has_scale=\"true\">",
            escaped(&joint.name)
        );
        for pose in &frames.poses {
            let rest = joint.parent_from_joint_at_rest;
            let local = pose.parent_from_joint.get(at).copied().unwrap_or(rest);
            let _ = writeln!(
                text,
                "        {} {} {},",
                numbers(&local.translation.to_array()),
                numbers(&local.rotation.to_array()),
                numbers(&local.scale.to_array()),
            );
        }
        text.push_str("      </AnimTrack>\n");
    }
    text.push_str("    </Animation>\n");
}

fn mesh(text: &mut String, id: &str, mesh: &Mesh) {
    let (ff, texcoord) = match mesh.uvs.len() {
        0 => ("", ""),
        _ => (" ff", " texcoord1"),
    };
    let layout = format!(
        "ctype=\"fff fff{ff} ffff hhhh\" \
         semantic=\"position normal{texcoord} blendweights blendindices\""
    );
    let _ = writeln!(
        text,
        "  <Meshes count=\"1\">\n    <Mesh name=\"{id}\" skeleton=\"{id}\" submesh_count=\"1\">"
    );
    bounds(text, "      ", mesh);
    let _ = writeln!(text, "      <vertexbuffer count=\"{}\" {layout}>", mesh.positions.len());
    for (at, influences) in mesh.influences.iter().enumerate() {
        let (position, normal) = (mesh.positions[at], mesh.normals[at]);
        let uv = mesh.uvs.get(at).map(|uv| numbers(&uv.to_array()) + " ");
        let uv = uv.unwrap_or_default();
        let [a, b, c, d] = [0, 1, 2, 3].map(|lane: usize| influences.joints[lane].0);
        let _ = writeln!(
            text,
            "        {} {} {uv}{} {a} {b} {c} {d},",
            numbers(&position.to_array()),
            numbers(&normal.to_array()),
            numbers(&influences.weights[..SET_LANES]),
        );
    }
    let _ = writeln!(
        text,
        "      </vertexbuffer>\n      <MeshSection material=\"{id}\" {layout}>\n        \
         <indexbuffer triangle_count=\"{}\">",
        mesh.triangles.len()
    );
    for [a, b, c] in &mesh.triangles {
        let _ = writeln!(text, "          {a} {b} {c},");
    }
    text.push_str("        </indexbuffer>\n      </MeshSection>\n    </Mesh>\n  </Meshes>\n");
}

fn bounds(text: &mut String, indent: &str, mesh: &Mesh) {
    let (low, high) = bounds_of(&mesh.positions);
    let comma = |corner: Vec3| numbers(&corner.to_array()).replace(' ', ",");
    let _ = writeln!(text, "{indent}<MeshAABB min=\"{}\" max=\"{}\"/>", comma(low), comma(high));
}

fn numbers(values: &[f32]) -> String {
    // No −0: it says nothing that 0 does not.
    let words: Vec<String> = values.iter().map(|x| (x + 0.0).to_string()).collect();
    words.join(" ")
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
