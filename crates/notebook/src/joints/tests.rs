use bindpose_lesson::{EvalError, Lesson, LessonSet};
use bindpose_rigs::builtin;
use bindpose_skin::reference;

use super::*;
use crate::{Derived, Document, Edit, apply, step_document};

fn lesson(rig: &str, program: &str) -> Lesson {
    let text = format!(
        "+++\ntitle = \"t\"\nminutes = 5\nrig = \"{rig}\"\n[params.a]\nlabel = \"a\"\n\
     default = 0.4\nrange = [0.0, 2.0]\n+++\n## One\n```pose mover\nprogram = \"\"\"\n\
     {program}\n\"\"\"\n```\n"
    );
    let set = LessonSet::from_memory(&[("10-one", &text, "notes")], "");
    let lesson = set.lessons.into_iter().next().unwrap();
    assert!(lesson.findings.is_empty(), "{:?}", lesson.findings);
    lesson
}

fn derived_of(document: &Document, lesson: &Lesson) -> Derived {
    let rig = builtin(&lesson.rig).unwrap();
    Derived::of_document(document, Some(lesson), &rig)
}

fn derived(rig: &str, program: &str) -> Derived {
    let lesson = lesson(rig, program);
    derived_of(&step_document(&lesson, 0, None), &lesson)
}

/// Published in the article on the grid, and verified independently.
const BENT: [[f32; 2]; 8] = [
    [1.513, 1.260],
    [2.620, -0.358],
    [2.967, 2.254],
    [4.402, 0.861],
    [4.587, 3.307],
    [6.237, 2.248],
    [5.539, 4.789],
    [7.403, 4.065],
];

#[test]
fn grid_programs_reach_golden_positions() {
    for program in [
        "for j in joints { rotate_z(j, a) }",
        "rotate_z(b0, a); rotate_z(b1, a); rotate_z(b2, a)",
        "for j in joints {\n  m = rotate_z(a)\n  if has_parent(j) { m = translate(4, 0, 0) * m }\n\
     set_local(j, m)\n}",
        "for j in joints { rotate(j, axis_angle(vec3(0, 0, 1), a)) }",
        "w = identity()\nfor j in joints {\n  rotate_z(j, a)\n  w = w * local(j)\n  \
     if length((w - world(j)) * vec4(1, 1, 1, 1)) > 0 { scale(j, 0) }\n}",
    ] {
        let derived = derived("bone_grid", program);
        assert_eq!(derived.joints.program_run.as_ref().unwrap().error, None, "{program}");
        assert_eq!(derived.joints.program_run.as_ref().unwrap().seams, [], "{program}");
        for (vertex, [x, y]) in (2..).zip(BENT) {
            let found = derived.position(vertex).unwrap();
            let near = (found.x - x).abs() < 1e-3 && (found.y - y).abs() < 1e-3;
            assert!(near, "v{vertex} {found}: {program}");
        }
    }
}

#[test]
fn moved_joints_start_at_rest_and_others_follow_the_page() {
    let lesson = lesson("bone_grid", "rotate_z(b1, 0.5)");
    let rig = builtin("bone_grid").unwrap();
    let mut document = step_document(&lesson, 0, Some(&rig));
    for name in ["b0", "b1"] {
        apply(&mut document, &Edit::param(name, 1.0), &lesson, &rig).unwrap();
    }
    let derived = derived_of(&document, &lesson);
    let angle = |joint: usize| {
        let axis = derived.joints.parent_from_joint[joint].x_axis;
        axis.y.atan2(axis.x)
    };
    assert!((angle(0) - 1.0).abs() < 1e-6 && (angle(1) - 0.5).abs() < 1e-6);
    assert_eq!(angle(2), 0.0);
}

#[test]
fn programs_read_time_and_set_any_matrix() {
    let source = "rotate_z(b1, t * 2)\n\
              set_local(b2, mat4(1, 2, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))";
    let lesson = lesson("bone_grid", source);
    let rig = builtin("bone_grid").unwrap();
    let mut document = step_document(&lesson, 0, Some(&rig));
    let edit = Edit::PlayTo { time_secs: 0.25, begins: true };
    apply(&mut document, &edit, &lesson, &rig).unwrap();
    let derived = derived_of(&document, &lesson);
    assert!((derived.joints.parent_from_joint[1].x_axis.y - 0.5_f32.sin()).abs() < 1e-6);
    let sheared = derived.joints.parent_from_joint[2];
    assert_eq!(sheared.y_axis.truncate().to_array(), [2.0, 1.0, 0.0]);
    assert_eq!(sheared.z_axis.truncate().to_array(), [0.0, 0.0, 0.0]);
    assert_eq!(sheared.w_axis.to_array(), [4.0, 0.0, 0.0, 1.0]);
    let world_from_joint = derived.joints.world_from_joint[1] * sheared;
    assert!(derived.joints.world_from_joint[2].abs_diff_eq(world_from_joint, 1e-6));
    let late = Edit::PlayTo { time_secs: f64::NAN, begins: false };
    assert!(apply(&mut document, &late, &lesson, &rig).is_err());
}

#[test]
fn stopped_program_leaves_finite_joints() {
    let derived = derived(
        "bone_grid",
        "rotate_z(b1, 0.5)\nscale(b2, 10^300); scale(b2, 10^300)\nrotate_z(b0, 1/(a - 0.4))",
    );
    let error = derived.joints.program_run.as_ref().unwrap().error.as_ref().unwrap();
    assert_eq!((error.at.line, error.at.column), (3, 15));
    assert!(matches!(error.error, EvalError::DivisionByZero { .. }));
    assert!(derived.joints.world_from_joint.iter().all(Mat4::is_finite));
    assert!((derived.joints.parent_from_joint[1].x_axis.y - 0.5_f32.sin()).abs() < 1e-6);
}

#[test]
fn loop_over_long_chain_matches_reference() {
    let derived = derived(
        "centipede",
        "for j in joints { rotate_y(j, 0.01 * j); scale(j, 1.01); translate(j, 0, 0.01, 0) }",
    );
    assert_eq!(derived.joints.program_run.as_ref().unwrap().error, None);
    let joints = derived.rig.skeleton.joints();
    let parents: Vec<_> = joints.iter().map(|joint| joint.parent).collect();
    let locals = derived.joints.pose.parent_from_joint.iter();
    let locals: Vec<_> = locals.map(reference::parent_from_joint).collect();
    for joint in derived.rig.skeleton.indices() {
        let expected = reference::world_from_joint(joint, &parents, &locals);
        let found = derived.joints.world_from_joint[joint.index()].as_dmat4();
        let size = expected.w_axis.truncate().length().max(1.0);
        assert!(found.abs_diff_eq(expected, 1e-4 * size), "{joint:?}");
    }
}

#[test]
fn crowd_shares_program_pose_and_time() {
    let lesson = lesson("arm", "rotate_z(1, t)");
    let rig = builtin("arm").unwrap();
    let mut document = step_document(&lesson, 0, Some(&rig));
    document.state.crowd.count = 3;
    document.state.crowd.own_poses = true;
    let edit = Edit::PlayTo { time_secs: 0.75, begins: true };
    apply(&mut document, &edit, &lesson, &rig).unwrap();
    let derived = derived_of(&document, &lesson);
    let palettes = derived.crowd().unwrap().palettes.clone();
    assert_eq!(palettes.len(), 3 * derived.palette.len());
    assert_eq!(palettes[derived.palette.len()..][..2], derived.palette[..2]);
    for source in ["t", "time"] {
        let value = bindpose_lesson::Expr::parse(source).unwrap().eval(&derived);
        assert_eq!(value, Ok(0.75), "{source}");
    }
}
