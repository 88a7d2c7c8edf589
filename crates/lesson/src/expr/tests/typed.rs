//! Formulas of vectors, quaternions and matrices.

use bindpose_skin::{CoordinateFrame, JointIndex};
use glam::{DMat4, DQuat, DVec3};
use proptest::prelude::*;

use super::Fixture;
use crate::expr::{EvalError, Expr, FormulaOutcome, FormulaValue, FrameSeam, SeamKind};

fn outcome(source: &str) -> FormulaOutcome {
    Expr::parse(source)
        .unwrap_or_else(|error| panic!("{source}: {error}"))
        .value(&Fixture)
        .unwrap_or_else(|error| panic!("{source}: {error}"))
}

fn error(source: &str) -> EvalError {
    let expr = Expr::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    expr.value(&Fixture).expect_err(source)
}

fn assert_close(source: &str, expected: &[f64]) {
    let found = outcome(source).value.numbers();
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(near),
        "{source}: {found:?}, {expected:?}"
    );
}

#[test]
fn operators_between_types_are_those_of_mathematics() {
    assert_close("vec3(1,2,3) + 2*vec3(0,1,0) - vec3(1,0,0)/2", &[0.5, 4.0, 3.0]);
    assert_close("-vec4(1,2,3,4)*2", &[-2.0, -4.0, -6.0, -8.0]);
    assert_close("translate(1,2,3) * point(1,1,1)", &[2.0, 3.0, 4.0]);
    assert_close("translate(1,2,3) * direction(1,1,1)", &[1.0, 1.0, 1.0]);
    assert_close("translate(1,2,3) * vec4(1,1,1,0.5)", &[1.5, 2.0, 2.5, 0.5]);
    assert_close("(translate(1,0,0) * scale(2) * point(1,1,1)).x", &[3.0]);
    assert_close("(scale(2) * translate(1,0,0) * point(1,1,1)).x", &[4.0]);
    assert_close("rotate_z(90deg) * direction(1,0,0)", &[0.0, 1.0, 0.0]);
    assert_close("rotate_x(90deg) * direction(0,1,0)", &[0.0, 0.0, 1.0]);
    assert_close("rotate_y(90deg) * direction(0,0,1)", &[1.0, 0.0, 0.0]);
    assert_close("axis_angle(vec3(0,0,2), 90deg) * vec3(1,0,0)", &[0.0, 1.0, 0.0]);
    assert_close("quat(0,0,1,0) * quat(0,0,1,0)", &[0.0, 0.0, 0.0, -1.0]);
    assert_close("dot(vec3(1,2,3), vec3(4,5,6))", &[32.0]);
    assert_close("cross(vec3(1,0,0), vec3(0,1,0))", &[0.0, 0.0, 1.0]);
    assert_close("length(vec3(3,4,0)) + length(vec4(0,0,3,4))", &[10.0]);
    assert_close("normalize(vec3(0,0,5))", &[0.0, 0.0, 1.0]);
    assert_close("mix(vec3(0,0,0), vec3(2,4,6), 0.5)", &[1.0, 2.0, 3.0]);
    assert_close("lerp(1, 3, 0.25)", &[1.5]);
    assert_close("det(scale(2,3,4)) + trace(identity())", &[28.0]);
    assert_close("vec4(vec3(1,2,3), 1).xyz", &[1.0, 2.0, 3.0]);
    assert_close("distance(point(0,0,0), point(0,3,4))", &[5.0]);
    assert_close("(scale(2) == identity()*2) + (vec3(1,2,3) != vec3(1,2,3))", &[0.0]);
    assert_close("if(a == 3, vec3(1,0,0), normalize(vec3(0,0,0))).x", &[1.0]);
}

#[test]
fn a_matrix_of_sixteen_numbers_is_written_row_by_row_as_the_page_shows_it() {
    let source = "mat4(1,0,0,7, 0,1,0,8, 0,0,1,9, 0,0,0,1)";
    assert_close(&format!("{source} == translate(7,8,9)"), &[1.0]);
    assert_close(&format!("cell({source}, 1, 3)"), &[8.0]);
    assert_close(&format!("column({source}, 3)"), &[7.0, 8.0, 9.0, 1.0]);
    assert_close(&format!("cell(transpose({source}), 3, 1)"), &[8.0]);
    let written = outcome(source).value.numbers();
    assert_eq!(written[..4], [1.0, 0.0, 0.0, 7.0], "the first row");
}

#[test]
fn the_matrices_of_the_rig_have_their_frames_and_short_names() {
    let neck = CoordinateFrame::Joint(JointIndex(1));
    for (source, frames) in [
        ("world(1)", "world from joint 1"),
        ("world_from_joint(neck)", "world from joint 1"),
        ("local(neck)", "joint 0 from joint 1"),
        ("local('upper arm')", "world from joint 0"),
        ("inverse_bind(1)", "joint 1 from bind"),
        ("bind(1)", "bind from joint 1"),
        ("inverse(bind(1))", "joint 1 from bind"),
        ("joint_matrix(1)", "world from bind"),
        ("world(1) * inverse(bind(1))", "world from bind"),
        ("rotate_z(1) * world(1) * rotate_z(a)", "world from joint 1"),
        ("skin_matrix(v2)", "world from bind"),
        ("mesh_node_from_bind(1)", "mesh node from bind"),
        ("world_from_mesh_node", "world from mesh node"),
        ("inverse(world_from_mesh_node())", "mesh node from world"),
        ("skinned(v2)", "world"),
        ("stored(v2)", "bind"),
        ("world(1) * inverse_bind(1) * stored(v2)", "world"),
        ("0.5*skinned(v1) + 0.5*skinned(v2)", "world"),
    ] {
        let FormulaOutcome { value, seams } = outcome(source);
        assert_eq!(value.frame_words().as_deref(), Some(frames), "{source}");
        assert_eq!(seams, [], "{source}");
    }
    assert_close("parent(neck) + has_parent(0)", &[0.0]);
    assert_close("skinned(v2) - stored(v2)", &[0.0, 5.0, 0.0]);
    assert_eq!(outcome("translate(1,2,3)").value.frame_words(), None);
    assert_eq!(
        outcome("world(1) * joint_from_bind(0)").seams,
        [FrameSeam {
            column: 10,
            kind: SeamKind::Product,
            left: neck,
            right: CoordinateFrame::Joint(JointIndex(0)),
        }]
    );
}

#[test]
fn records_seams_between_frames() {
    for (source, column, words) in [
        (
            "inverse_bind(1) * world(1)",
            17,
            "starts from bind, but the right factor leads into world",
        ),
        ("skinned(v1) + stored(v1)", 13, "left side is in world, the right side in bind"),
        ("joint_matrix(1) * skinned(v1)", 17, "starts from bind"),
        ("world(0) + world(1)", 10, "starts from joint 0"),
        ("world(0) - inverse_bind(0)", 10, "leads into world"),
        ("distance(skinned(v1), stored(v1))", 1, "in world"),
        ("mix(skinned(v1), stored(v1), 0.5)", 1, "in world"),
        ("dot(skinned(v1), stored(v1))", 1, "in world"),
        ("skinned(v1) == stored(v1)", 13, "in bind"),
    ] {
        let outcome = outcome(source);
        let seam = outcome.seams.first().unwrap_or_else(|| panic!("{source}"));
        assert_eq!(seam.column, column, "{source}");
        assert!(seam.words().contains(words), "{source}: {}", seam.words());
        assert!(outcome.value.is_finite());
    }
}

#[test]
fn reports_wrong_types_with_help() {
    for (source, column, message, help) in [
        ("world(1) + skinned(v1)", 10, "found a matrix and a point", "M * p"),
        ("world(1) * vec3(1,2,3)", 10, "found a matrix and a vec3", "vec4(p, 1)"),
        ("skinned(v1) * world(1)", 13, "the matrix on the left", "M * p"),
        ("vec3(1,2,3) * vec3(1,2,3)", 13, "a number or a matrix", "dot(a, b)"),
        ("1 + vec3(1,2,3)", 3, "two values of one type", "moves a point"),
        ("1 / world(1)", 3, "a number after /", "inverse(M)"),
        ("vec3(1,2,3) < 2", 13, "two numbers", "length"),
        ("world(1).x", 9, "found a matrix", "cell(m, row, column)"),
        ("vec3(1,2,3).w", 12, "found a vec3", "vec4(p, 1)"),
        ("sin(vec3(1,2,3))", 1, "a number as argument 1", "p.x"),
        ("inverse(3)", 1, "a matrix or a quaternion", "1 / a"),
        ("slerp(1, 2, 3)", 1, "a quaternion as argument 1", "axis_angle"),
        ("cell(world(1), 4, 0)", 1, "0, 1, 2 or 3", "counted from 0"),
        ("vec4(1, 2)", 1, "a vec3", "vec4(p, 1)"),
        ("mat4(1)", 1, "a quaternion", "axis_angle"),
    ] {
        let error = error(source);
        assert_eq!(error.column(), column, "{source}: {error}");
        assert!(error.to_string().contains(message), "{source}: {error}");
        assert!(error.help().contains(help), "{source}: {}", error.help());
    }
    for (source, column, help) in [
        ("vec3(1,2)", 1, "write vec3(x, y, z)"),
        ("vec4(1)", 1, "vec4(x, y, z, w) or vec4(vec3, w)"),
        ("world(1).q", 10, "write .x, .y, .z or .w"),
        ("mat4(1,2)", 1, "16 numbers, row by row"),
        ("world_from_joint(1, 2)", 1, "world_from_joint(joint, row, column)"),
        ("vec3(1,2,3) * ", 15, "write a number"),
    ] {
        let error = Expr::parse(source).expect_err(source);
        assert_eq!(error.at, bindpose_diagnostic::Place::Character(column), "{source}");
        assert!(error.help.contains(help), "{source}: {}", error.help);
    }
}

#[test]
fn reports_infinite_values_where_they_arise() {
    assert_eq!(error("vec3(1,2,3) / (a - 3)"), EvalError::DivisionByZero { column: 13 });
    assert_eq!(error("vec3(1, 2/0, 3)"), EvalError::DivisionByZero { column: 10 });
    assert_eq!(error("2 * inverse(scale(1,0,1))"), EvalError::Singular { column: 5 });
    assert_eq!(error("normalize(vec3(0,0,0))"), EvalError::NoLength { column: 1 });
    assert_eq!(error("vec3(sqrt(0-1), 0, 0)"), EvalError::NotFiniteAt { column: 6 });
    assert_eq!(error("scale(10^400)"), EvalError::NotFiniteAt { column: 9 });
    assert_eq!(error("parent(0) * identity()"), EvalError::NoParent { joint: 0, column: 1 });
    assert!(matches!(error("skinned(v9)"), EvalError::NoVertex { .. }));
    assert!(matches!(error("world(9)"), EvalError::NoJoint { .. }));
    assert!(matches!(error("world('nek')"), EvalError::UnknownJoint { .. }));
}

#[test]
fn typed_formulas_can_evaluate_to_numbers() {
    let eval = |source: &str| Expr::parse(source).unwrap().eval(&Fixture);
    assert_eq!(eval("skinned(v2).y - y(v2)"), Ok(0.0));
    assert_eq!(eval("length(skinned(v2) - stored(v2))"), Ok(5.0));
    assert_eq!(eval("world(1)"), Err(EvalError::NotANumber { column: 1 }));
}

proptest! {
    #[test]
    fn matrices_agree_with_glam(
        numbers in proptest::collection::vec(-4.0_f64..4.0, 9), angle in -3.0_f64..3.0,
    ) {
        let n = &numbers;
        let by = DVec3::new(n[0], n[1], n[2]);
        let stretch = DVec3::new(n[3].abs() + 0.1, n[4].abs() + 0.1, n[5].abs() + 0.1);
        let axis = DVec3::new(n[6], n[7], n[8] + 5.0);
        let source = format!(
            "inverse(translate({}, {}, {}) * mat4(axis_angle(vec3({}, {}, {}), {angle})) * scale({}, {}, {}))",
            by.x, by.y, by.z, axis.x, axis.y, axis.z, stretch.x, stretch.y, stretch.z,
        );
        let rotation = DQuat::from_axis_angle(axis.normalize(), angle);
        let expected = DMat4::from_scale_rotation_translation(stretch, rotation, by).inverse();
        let FormulaValue::Mat4(found) = outcome(&source).value else {
            panic!("{source}");
        };
        prop_assert!(found.mat.abs_diff_eq(expected, 1e-9), "{source}");
    }

    #[test]
    fn both_evaluators_agree_on_numbers(
        tokens in proptest::collection::vec(
            proptest::sample::select(vec![
                "1", "2.5", "v1", "a", "(", ")", "+", "-", "*", "^", ",", "cos(", "x(", "<",
                "if(", "weight(", "neck", "pi", "world_from_joint(1,0,", "joints()",
            ]),
            0..24,
        )
    ) {
        if let Ok(expr) = Expr::parse(&tokens.concat())
            && let Ok(plain) = expr.eval(&Fixture)
            && let Ok(typed) = expr.value(&Fixture)
        {
            prop_assert_eq!(typed.value, FormulaValue::Number(plain));
        }
    }

    #[test]
    fn random_typed_tokens_never_panic(
        tokens in proptest::collection::vec(
            proptest::sample::select(vec![
                "1", "0", "v1", "a", "(", ")", "+", "-", "*", "/", ",", ".x", ".w", ".xyz",
                "world(1)", "bind(0)", "inverse(", "skinned(v1)", "stored(v2)", "vec3(1,2,3)",
                "vec4(", "mat4(", "quat(0,0,0,0)", "slerp(", "mix(", "normalize(", "==", "if(",
                "axis_angle(", "column(", "identity()", "transpose(", "point(", "1e300",
            ]),
            0..30,
        )
    ) {
        if let Ok(expr) = Expr::parse(&tokens.concat())
            && let Ok(outcome) = expr.value(&Fixture)
        {
            prop_assert!(outcome.value.is_finite());
        }
    }
}
