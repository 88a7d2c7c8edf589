//! Writes rigs as EZMesh: XML, with as many digits as are needed to restore each `f32` exactly.

use std::fmt::Write as _;

use bindpose_diagnostic::{Diagnostic, ModelPlace};
use bindpose_skin::{Joint, Pose, SET_LANES, Skeleton};

use crate::{Mesh, Rig, bounds_of};

/// An animation: poses of all joints at regular times.
#[derive(Clone, Debug)]
pub struct PoseFrames {
    /// Name of the animation.
    pub name: String,
    /// Time between two poses.
    pub step_secs: f64,
    /// The poses, one for each frame.
    pub poses: Vec<Pose>,
}

/// Encodes a rig as EZMesh. The names of joints must differ, because bones refer to their parents
/// by name.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if a vertex has more than four influences.
pub fn encode_ezm(rig: &Rig, animations: &[PoseFrames]) -> Result<Vec<u8>, Diagnostic> {
    for (vertex, influences) in rig.mesh.influences.iter().enumerate() {
        let lanes = influences.lanes();
        if lanes > SET_LANES {
            let expected = format!("at most {SET_LANES} influences a vertex, as EZMesh holds");
            return Err(Diagnostic {
                code: "TOO_MANY_INFLUENCES",
                at: ModelPlace::default().vertex(vertex).into(),
                ..Diagnostic::expected(expected, lanes.to_string())
            });
        }
    }
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let id = escape_xml(&rig.id);
    let _ = writeln!(
        text,
        "<MeshSystem asset_name=\"{}\" asset_info=\"Bindpose, cargo xtask assets\" \
         mesh_system_version=\"1\" mesh_system_asset_version=\"0\">",
        escape_xml(&rig.title)
    );
    write_bounds(&mut text, "  ", &rig.mesh);
    write_skeleton(&mut text, &id, &rig.skeleton);
    if !animations.is_empty() {
        let _ = writeln!(text, "  <Animations count=\"{}\">", animations.len());
        for frames in animations {
            write_animation(&mut text, &rig.skeleton, frames);
        }
        text.push_str("  </Animations>\n");
    }
    let _ = writeln!(
        text,
        "  <Materials count=\"1\">\n    <Material name=\"{id}\" meta_data=\"\"/>\n  </Materials>"
    );
    write_mesh(&mut text, &id, &rig.mesh);
    let _ = writeln!(
        text,
        "  <MeshInstances count=\"1\">\n    <MeshInstance mesh=\"{id}\" position=\"0,0,0\" \
         rotation=\"0,0,0,1\" scale=\"1,1,1\"/>\n  </MeshInstances>\n</MeshSystem>"
    );
    Ok(text.into_bytes())
}

fn write_skeleton(text: &mut String, id: &str, skeleton: &Skeleton) {
    let joints = skeleton.joints();
    let _ = writeln!(
        text,
        "  <Skeletons count=\"1\">\n    <Skeleton name=\"{id}\" count=\"{}\">",
        joints.len()
    );
    for joint in joints {
        write_bone(text, joint, joints);
    }
    text.push_str("    </Skeleton>\n  </Skeletons>\n");
}

fn write_bone(text: &mut String, joint: &Joint, joints: &[Joint]) {
    let parent = match joint.parent.and_then(|parent| joints.get(parent.index())) {
        Some(parent) => format!(" parent=\"{}\"", escape_xml(&parent.name)),
        None => String::new(),
    };
    let local = joint.parent_from_joint_at_rest;
    let _ = writeln!(
        text,
        "      <Bone name=\"{}\"{parent} orientation=\"{}\" position=\"{}\" scale=\"{}\"/>",
        escape_xml(&joint.name),
        format_numbers(&local.rotation.to_array()),
        format_numbers(&local.translation.to_array()),
        format_numbers(&local.scale.to_array()),
    );
}

fn write_animation(text: &mut String, skeleton: &Skeleton, frames: &PoseFrames) {
    let count = frames.poses.len();
    let _ = writeln!(
        text,
        "    <Animation name=\"{}\" trackcount=\"{}\" framecount=\"{count}\" duration=\"{}\" \
         dtime=\"{}\">",
        escape_xml(&frames.name),
        skeleton.len(),
        frames.step_secs * count as f64,
        frames.step_secs,
    );
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let _ = writeln!(
            text,
            "      <AnimTrack name=\"{}\" count=\"{count}\" has_scale=\"true\">",
            escape_xml(&joint.name)
        );
        for pose in &frames.poses {
            let rest = joint.parent_from_joint_at_rest;
            let local = pose.parent_from_joint.get(index).copied().unwrap_or(rest);
            let _ = writeln!(
                text,
                "        {} {} {},",
                format_numbers(&local.translation.to_array()),
                format_numbers(&local.rotation.to_array()),
                format_numbers(&local.scale.to_array()),
            );
        }
        text.push_str("      </AnimTrack>\n");
    }
    text.push_str("    </Animation>\n");
}

fn write_mesh(text: &mut String, id: &str, mesh: &Mesh) {
    let layout = if mesh.uvs.is_empty() {
        "ctype=\"fff fff ffff hhhh\" \
         semantic=\"position normal blendweights blendindices\""
    } else {
        "ctype=\"fff fff ff ffff hhhh\" \
         semantic=\"position normal texcoord1 blendweights blendindices\""
    };
    let _ = writeln!(
        text,
        "  <Meshes count=\"1\">\n    <Mesh name=\"{id}\" skeleton=\"{id}\" submesh_count=\"1\">"
    );
    write_bounds(text, "      ", mesh);
    let _ = writeln!(text, "      <vertexbuffer count=\"{}\" {layout}>", mesh.positions.len());
    for (vertex, influences) in mesh.influences.iter().enumerate() {
        let uv = match mesh.uvs.get(vertex) {
            Some(uv) => format_numbers(&uv.to_array()) + " ",
            None => String::new(),
        };
        let [a, b, c, d] = [0, 1, 2, 3].map(|lane: usize| influences.joints[lane].0);
        let _ = writeln!(
            text,
            "        {} {} {uv}{} {a} {b} {c} {d},",
            format_numbers(&mesh.positions[vertex].to_array()),
            format_numbers(&mesh.normals[vertex].to_array()),
            format_numbers(&influences.weights[..SET_LANES]),
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

fn write_bounds(text: &mut String, indent: &str, mesh: &Mesh) {
    let (min, max) = bounds_of(&mesh.positions);
    let min = format_numbers(&min.to_array()).replace(' ', ",");
    let max = format_numbers(&max.to_array()).replace(' ', ",");
    let _ = writeln!(text, "{indent}<MeshAABB min=\"{min}\" max=\"{max}\"/>");
}

fn format_numbers(values: &[f32]) -> String {
    // The addition turns −0 into 0.
    values.iter().map(|x| (x + 0.0).to_string()).collect::<Vec<_>>().join(" ")
}

fn escape_xml(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
