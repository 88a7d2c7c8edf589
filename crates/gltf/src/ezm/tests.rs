//! Sound files.

mod damage;

use bindpose_skin::skin_positions;
use glam::{Quat, Vec2, Vec3};

use super::*;
use crate::ClipAt;

/// A skeleton with a child before its parent, two skinned meshes, and one without a skeleton.
const SAMPLE: &str = r#"<?xml version="1.0"?>
<MeshSystem asset_name="Two &amp; a half" mesh_system_version="1">
  <Skeletons count="1">
    <Skeleton name="first" count="3">
      <Bone name="tip" parent="root" orientation="0 0 0.7071068 0.7071068" position="0 2 0" scale="1 1 1"/>
      <Bone name="root" orientation="0 0 0 2" position="1 0 0"/>
      <Bone name="prop" orientation="0 0 0 1" position="0 0 5" scale="2 2 2"/>
    </Skeleton>
  </Skeletons>
  <Animations count="1">
    <Animation name="lift" trackcount="1" framecount="2" duration="1" dtime="0.5">
      <AnimTrack name="tip" count="2" has_scale="false">0 2 0 0 0 0 1, 0 3 0 0 0 0 1,</AnimTrack>
    </Animation>
  </Animations>
  <Materials count="1"><Material name="red" meta_data="diffuse=1 0 0"/></Materials>
  <UserData count="1"><Entry/></UserData>
  <Meshes count="3">
    <Mesh name="flag" skeleton="first" submesh_count="2">
      <vertexbuffer count="3" ctype="fff x4 ff ff ffff hhhh" semantic="position color texcoord1 texcoord2 blendweights blendindices">
        0 0 0 ff00ff00 0 0 9 9 1 0 0 0 0 0 0 0,
        1 0 0 ffffffff 1 0 9 9 2 2 0 0 0 1 77 99,
        0 1 0 80ff0000 0 1 9 9 0.5 0.5 0 0 1 0 0 0
      </vertexbuffer>
      <MeshSection material="red"><indexbuffer triangle_count="1">0 1 2,</indexbuffer></MeshSection>
      <MeshSection material="blue"><indexbuffer triangle_count="1">0 2 1</indexbuffer></MeshSection>
    </Mesh>
    <Mesh name="crate" skeleton="null" submesh_count="1">
      <vertexbuffer count="3" ctype="fff fff" semantic="position normal">0 0 0 0 0 1, 1 0 0 0 0 1, 0 1 0 0 0 2,</vertexbuffer>
      <MeshSection material="red"><indexbuffer triangle_count="1">0 1 2,</indexbuffer></MeshSection>
    </Mesh>
    <Mesh name="dot">
      <vertexbuffer count="1" ctype="fff ffff hhhh" semantic="position blendweights blendindices">1 1 1 1 0 0 0 2 0 0 0</vertexbuffer>
    </Mesh>
  </Meshes>
  <MeshInstances count="2">
    <MeshInstance mesh="crate" position="10,0,0" rotation="0,0,0,1" scale="1,1,1"/>
    <MeshInstance mesh="crate" position="0,0,0" rotation="0,0,0,1" scale="1,1,1"/>
  </MeshInstances>
</MeshSystem>
"#;

fn read(text: &str) -> Rig {
    read_ezm(text.as_bytes()).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Returns the notes on skipped data.
fn notes(text: &str) -> Vec<Diagnostic> {
    read(text).origin.unwrap().notes.clone()
}

fn skinned(rig: &Rig, clips: &[ClipAt]) -> Vec<Vec3> {
    let posed = rig.posed_in(clips, |_| None);
    let world = rig.skeleton.world_from_joint(&posed.pose);
    let palette: Vec<_> = world
        .iter()
        .zip(&posed.joint_from_bind)
        .map(|(world, inverse)| *world * *inverse)
        .collect();
    skin_positions(&rig.mesh.positions, &rig.mesh.influences, &palette)
}

#[test]
fn skeleton_and_meshes_become_one_rig() {
    let rig = read(SAMPLE);
    assert_eq!(rig.title, "Two & a half");
    let names: Vec<&str> = rig.skeleton.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["tip", "root", "prop", "crate"]);
    let parents: Vec<_> = rig.skeleton.joints().iter().map(|j| j.parent).collect();
    assert_eq!(parents, [Some(JointIndex(1)), None, None, None]);
    assert_eq!(rig.skeleton.joints()[1].parent_from_joint_at_rest.rotation, Quat::IDENTITY);

    let mesh = &rig.mesh;
    let parts: Vec<_> = mesh
        .parts
        .iter()
        .map(|p| (p.name.as_str(), p.skin, p.vertices.clone(), p.triangles.clone(), p.material))
        .collect();
    assert_eq!(
        parts,
        [
            ("flag 0", Some(0), 0..3, 0..1, Some(0)),
            ("flag 1", Some(0), 0..3, 1..2, Some(1)),
            ("crate", None, 3..6, 2..3, Some(0)),
        ],
        "a mesh without sections has no part"
    );
    let materials: Vec<&str> = mesh.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(materials, ["red", "blue"]);
    assert_eq!(mesh.triangles[2], [3, 4, 5]);
    assert_eq!((mesh.uvs[1], mesh.uvs.len()), (Vec2::X, 7));
    assert_eq!(mesh.normals[5], Vec3::Z, "made unit");
    assert_eq!(mesh.normals[0], Vec3::Z, "from the triangles, where there is none");
    assert_eq!(mesh.stored_sums[..4], [1.0, 4.0, 1.0, 1.0]);
    assert_eq!(mesh.influences[1].weights[..4], [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(mesh.influences[4].joints[0], JointIndex(3), "a joint of its own");
    assert_eq!(mesh.influences[6].joints[0], JointIndex(2));

    let rest = skinned(&rig, &[]);
    for (vertex, position) in rest.iter().enumerate() {
        assert!(position.abs_diff_eq(mesh.positions[vertex], 1e-5), "{vertex}");
    }

    let graph = &rig.origin.as_ref().unwrap().graph;
    assert_eq!(graph.nodes.len(), 3 + 3);
    assert_eq!(graph.nodes[1].children, [NodeIndex(0)]);
    assert_eq!((graph.nodes[4].joint, graph.nodes[4].skin), (Some(JointIndex(3)), None));
    let [skin] = &graph.skins[..] else { panic!("one skin") };
    assert_eq!(skin.ours, [0, 1, 2].map(JointIndex));
    assert_eq!(graph.scenes[0].roots.len(), 5);
}

#[test]
fn animations_are_absolute() {
    let rig = read(SAMPLE);
    let [clip] = &rig.clips[..] else { panic!("one clip") };
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("lift", 0.5));
    assert_eq!(clip.channels.len(), 2, "translation and rotation");
    let at = |time_secs| ClipAt { clip: 0, time_secs, share: 1.0 };
    let local = |time_secs| rig.posed_in(&[at(time_secs)], |_| None).pose.parent_from_joint;
    assert_eq!(local(0.25)[0].translation, Vec3::new(0.0, 2.5, 0.0));
    assert_eq!(local(9.0)[0].translation, Vec3::new(0.0, 3.0, 0.0));

    let scaled = SAMPLE
        .replace("has_scale=\"false\"", "has_scale=\"true\"")
        .replace("0 2 0 0 0 0 1, 0 3 0 0 0 0 1,", "0 2 0 0 0 0 1 2 2 2, 0 3 0 0 0 0 1 2 2 2,")
        .replace("\"tip\" count", "\"prop\" count");
    let rig = read(&scaled);
    let pose = rig.posed_in(&[at(0.5)], |_| None).pose;
    assert_eq!(pose.parent_from_joint[2].scale, Vec3::splat(2.0));
    assert_eq!(rig.clips[0].channels.len(), 3);
}

#[test]
fn skipped_data_is_noted_with_its_place() {
    let unknown_bone = SAMPLE.replace("AnimTrack name=\"tip\"", "AnimTrack name=\"top\"");
    let findings = notes(&unknown_bone);
    let places: Vec<String> = findings.iter().map(|f| f.at.to_string()).collect();
    let noted: Vec<_> =
        findings.iter().zip(&places).map(|(f, place)| (f.code, f.count, place.as_str())).collect();
    assert_eq!(
        noted,
        [
            ("EZM_SECTION_IGNORED", 1, "/MeshSystem/UserData (16:3)"),
            (
                "EZM_ROTATION_NON_UNIT",
                1,
                "/MeshSystem/Skeletons/Skeleton/Bone[2]/@orientation (6:25)"
            ),
            (
                "EZM_TRACK_WITHOUT_BONE",
                1,
                "/MeshSystem/Animations/Animation/AnimTrack/@name (12:18)"
            ),
            (
                "EZM_SEMANTIC_IGNORED",
                2,
                "/MeshSystem/Meshes/Mesh[1]/vertexbuffer/@semantic (19:62)"
            ),
            ("EZM_INSTANCE_IGNORED", 1, "/MeshSystem/MeshInstances/MeshInstance[1] (36:5)"),
        ]
    );
}

#[test]
fn parents_may_come_after_their_children() {
    let rig = read(SAMPLE);
    let world = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
    assert_eq!(world[0].w_axis.truncate(), Vec3::new(1.0, 2.0, 0.0));
}
