//! Formulas, on a page of two joints and three vertices.

mod typed;

use bindpose_diagnostic::Place;
use bindpose_skin::{JointIndex, Surface};
use glam::{Mat4, Vec3};
use proptest::prelude::*;

use super::*;

/// Two joints, three vertices at x = 0, 1, 2, moved up by 5.
pub(super) struct Fixture;

impl Values for Fixture {
    fn param(&self, name: &str) -> Option<f64> {
        match name {
            "a" => Some(3.0),
            "nod" => Some(0.5),
            // In a file, parameters have the names of joints.
            "neck" => Some(0.0),
            _ => None,
        }
    }
    fn position(&self, vertex: usize) -> Option<Vec3> {
        Some(self.bind_position(vertex)? + Vec3::Y * 5.0)
    }
    fn bind_position(&self, vertex: usize) -> Option<Vec3> {
        (vertex < 3).then_some(Vec3::new(vertex as f32, 0.0, -1.0))
    }
    fn normal(&self, vertex: usize) -> Option<Vec3> {
        (vertex < 3).then_some(Vec3::new(0.6, 0.8, 0.0))
    }
    fn stored_normal(&self, vertex: usize) -> Option<Vec3> {
        (vertex < 3).then_some(Vec3::Z)
    }
    fn weight(&self, vertex: usize, joint: JointIndex) -> Option<f64> {
        (vertex < 3).then_some([0.25, 0.75][joint.index()])
    }
    fn sum(&self, vertex: usize) -> Option<f64> {
        (vertex < 3).then_some(1.0)
    }
    fn matrix(&self, kind: MatrixKind, joint: JointIndex) -> Option<Mat4> {
        let offset = if kind == MatrixKind::WorldFromJoint { 100.0 } else { 0.0 };
        (joint.index() < 2).then(|| Mat4::from_translation(Vec3::new(7.0 + offset, 8.0, 9.0)))
    }
    fn surface(&self) -> Option<Surface> {
        Some(Surface { volume: -8.0, area: 24.0 })
    }
    fn joint_named(&self, name: &str) -> Option<JointIndex> {
        let names = ["upper arm", "neck"];
        let index = names.iter().position(|other| *other == name)?;
        Some(JointIndex(index as u16))
    }
    fn joints(&self) -> usize {
        2
    }
    fn rows(&self) -> usize {
        5
    }
    fn vertices(&self) -> usize {
        3
    }

    fn crowd(&self) -> u32 {
        100
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        (joint.0 == 1).then_some(JointIndex(0))
    }

    fn skin_matrix(&self, vertex: usize) -> Option<Mat4> {
        (vertex < 3).then_some(Mat4::from_translation(Vec3::Y * 5.0))
    }

    fn world_from_mesh_node(&self) -> Option<Mat4> {
        Some(Mat4::from_translation(Vec3::X))
    }
}

fn value(source: &str) -> f64 {
    Expr::parse(source)
        .unwrap_or_else(|error| panic!("{source}: {error}"))
        .eval(&Fixture)
        .unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[test]
fn operators_bind_as_in_school() {
    for (source, expected) in [
        ("1+2*3", 7.0),
        ("floor(100*normal_x(2))", 60.0),
        ("stored_normal_z(v0)", 1.0),
        ("(1+2)*3", 9.0),
        ("10-4-3", 3.0),
        ("24/4/3", 2.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2*-3", -6.0),
        ("2^-2*8", 2.0),
        ("--3", 3.0),
        ("-a*2", -6.0),
        ("1 - -1", 2.0),
        ("1 + 2 < 2 * 2", 1.0),
        ("2 < 1 + 1", 0.0),
        ("3 >= 1 + 2", 1.0),
        ("2 - 1 <= 0.5", 0.0),
        ("(a > 2) + (a > 3)", 1.0),
        ("(1 < 2) == (3 < 4)", 1.0),
        ("a ≥ 3", 1.0),
        ("a ≠ 3", 0.0),
        ("2*(1<2)", 2.0),
        (".5+1e2+2E-1", 100.7),
        ("−2 − +3", -5.0),
    ] {
        assert_eq!(value(source), expected, "{source}");
    }
}

#[test]
fn functions_constants_and_units_have_their_values() {
    let close = |source, expected: f64| {
        assert!((value(source) - expected).abs() < 1e-12, "{source}");
    };
    close("sin(pi/2)+cos(0)+tan(0)", 2.0);
    close("sqrt(16)+abs(-2)+floor(2.9)", 8.0);
    close("min(a,2)+max(a,2)", 5.0);
    close("180deg", std::f64::consts::PI);
    close("45°+π/4 + 0.5rad", std::f64::consts::FRAC_PI_2 + 0.5);
    close("2*cos(60 deg)", 1.0);
    close("90/2deg", 90.0 / 2_f64.to_radians());
    close("nod", 0.5);
    close("exp(1) - 2.718281828459045", 0.0);
    close("log(exp(2.5))", 2.5);
    close("asin(0.5)", std::f64::consts::FRAC_PI_6);
    close("asin(1.0000001)", std::f64::consts::FRAC_PI_2);
}

#[test]
fn evaluates_functions_of_vertices_joints_and_matrix_cells() {
    for (source, expected) in [
        ("x(v2)", 2.0),
        ("y(2)", 5.0),
        ("z(v1)", -1.0),
        ("bind_y(v1)", 0.0),
        ("bind_x(v1+1)", 2.0),
        ("distance(v0,v2)", 2.0),
        ("sum(v0)", 1.0),
        ("weight(v2, 1)", 0.75),
        ("weight(v2, neck)", 0.75),
        ("weight(v2, 'upper arm') + weight(v2, \"neck\")", 1.0),
        ("angle_between(neck, 'neck')", 0.0),
        ("det(neck)", 1.0),
        ("weight(v2, a-2)", 0.75),
        ("world_from_joint(1,0,3)", 107.0),
        ("parent_from_joint(0,1,3)", 8.0),
        ("joint_from_bind(0,2,3)", 9.0),
        ("world_from_bind(0,3,3)", 1.0),
        ("angle_between(0,1)", 0.0),
        ("joints()", 2.0),
        ("rows()-joints()", 3.0),
        ("vertices()", 3.0),
        ("joints()*crowd()", 200.0),
        ("volume()", -8.0),
        ("area()", 24.0),
        ("det(1)", 1.0),
    ] {
        assert_eq!(value(source), expected, "{source}");
    }
}

#[test]
fn reports_malformed_formulas_with_position_and_help() {
    for (source, column, message, help) in [
        ("1+", 3, "found the end", "x(v2)"),
        ("", 1, "found the end", "number"),
        ("1 2", 3, "expected an operator", "between"),
        ("(1+2", 5, "expected `)`", "`)`"),
        ("1)", 2, "without its `(`", "leave it out"),
        ("sine(1)", 1, "no function `sine`", "`sin`"),
        ("1+distanse(v1,v2)", 3, "no function", "`distance`"),
        ("distance(v1)", 1, "expected 2 arguments", "distance(vertex, vertex)"),
        ("sin + 1", 5, "after the function", "sin(angle)"),
        ("2a", 2, "expected an operator, found `a`", "2*a"),
        ("3 – 1", 3, "`–`", "write - for minus"),
        ("2·a", 2, "`·`", "write *"),
        ("1.2.3", 4, "expected an operator", "between"),
        (".", 1, "expected a number", "digits"),
        ("1e999", 1, "expected a number", "digits"),
        ("1 < 2 < 3", 7, "one comparison", "(a < b) * (b < c)"),
        ("a = 3", 3, "found `=`", "=="),
        ("a ! 3", 3, "found `!`", "!="),
        ("x('neck')", 3, "found `'`", "weight(v2, 'neck')"),
        ("weight(v2, 'neck)", 12, "a second quote", "'neck'"),
        ("a && b", 3, "found `&`", "a * b"),
        ("a < ", 5, "found the end", "x(v2)"),
        ("if(a, 1)", 1, "expected 3 arguments", "if(condition, a, b)"),
        ("joints(1)", 1, "expected 0 arguments", "joints()"),
    ] {
        let error = Expr::parse(source).expect_err(source);
        assert_eq!(error.at, Place::Character(column), "{source}: {error}");
        assert!(error.sentence().contains(message), "{source}: {error}");
        assert!(error.help.contains(help), "{source}: {}", error.help);
    }
}

#[test]
fn unknown_names_and_infinite_values_are_errors() {
    let error = |source: &str| Expr::parse(source).unwrap().eval(&Fixture).unwrap_err();
    assert_eq!(
        error("1 + amplitud"),
        EvalError::UnknownParam { name: "amplitud".to_owned(), column: 5 }
    );
    assert!(matches!(error("x(v3)"), EvalError::NoVertex { vertex: 3.0, column: 1 }));
    let unknown = EvalError::UnknownJoint { name: "nek".to_owned(), column: 11 };
    assert_eq!(error("weight(v0,'nek')"), unknown);
    assert_eq!(error("weight(v0,nek)"), unknown);
    assert!(matches!(error("x(0.5)"), EvalError::NoVertex { .. }));
    assert!(matches!(error("x(-1)"), EvalError::NoVertex { .. }));
    assert!(matches!(error("weight(v0,2)"), EvalError::NoJoint { joints: 2, .. }));
    assert!(matches!(error("world_from_joint(9,0,0)"), EvalError::NoJoint { .. }));
    assert!(matches!(error("world_from_joint(1,4,0)"), EvalError::NoCell { .. }));
    for source in [
        "1/0",
        "log(0)",
        "exp(1000)",
        "if(0/0, 1, 2)",
        "if(a < 5, 1/0, 2)",
        "0/0",
        "sqrt(-1)",
        "10^400",
        "1e300*1e300",
        "(0-8)^0.5",
    ] {
        assert_eq!(error(source), EvalError::NotFinite, "{source}");
    }
}

#[test]
fn equality_tolerates_the_precision_of_32_bit_floats() {
    for (less, equal, greater) in [
        ("0.1 + 0.2 < 0.3", "0.1 + 0.2 == 0.3", "0.1 + 0.2 > 0.3"),
        ("1e6 + 0.5 < 1e6", "1e6 + 0.5 == 1e6", "1e6 + 0.5 > 1e6"),
    ] {
        let values = [less, equal, greater].map(value);
        assert_eq!(values, [0.0, 1.0, 0.0], "{equal}");
    }
    assert_eq!(value("1.00001 == 1"), 0.0);
    assert_eq!(value("1e-9 > 0"), 0.0, "as good as nothing");
    assert_eq!(value("2 != 3"), 1.0);
}

#[test]
fn the_branch_not_taken_may_be_infinite() {
    assert_eq!(value("if(a > 2, 10, 20)"), 10.0);
    assert_eq!(value("if(a - 3, 10, 20)"), 20.0, "0 is no");
    assert_eq!(value("if(a == 3, 1, sin(a - 3) / (a - 3))"), 1.0);
    let missing = Expr::parse("if(a > 2, 1, x(v9))").unwrap().eval(&Fixture);
    assert!(missing.is_err(), "names lead somewhere in both");
}

#[test]
fn rejects_deep_and_long_formulas() {
    for source in [
        "(".repeat(100),
        "(".repeat(1_000_000),
        "-".repeat(300),
        "2^".repeat(150),
        "sin(".repeat(90),
        "1+".repeat(1000) + "1",
    ] {
        assert!(Expr::parse(&source).is_err());
    }
    let long = "1+".repeat(199) + "1";
    assert_eq!(value(&long), 200.0, "long but flat is fine");
    let deep = "(".repeat(40) + "1" + &")".repeat(40);
    assert_eq!(value(&deep), 1.0);
}

#[test]
fn names_of_functions_and_vertices_are_reserved() {
    for name in ["sin", "v2", "pi", "deg", "joints", "world_from_bind", "x"] {
        assert!(is_reserved(name), "{name}");
    }
    for name in ["nod", "b0", "v", "vec4s", "amplitude"] {
        assert!(!is_reserved(name), "{name}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(source in "\\PC{0,60}") {
        if let Ok(expr) = Expr::parse(&source) {
            let _ = expr.eval(&Fixture);
        }
    }

    #[test]
    fn random_tokens_never_panic_and_values_are_finite(
        tokens in proptest::collection::vec(
            proptest::sample::select(vec![
                "1", "2.5", "v1", "a", "(", ")", "+", "-", "*", "/", "^", ",", "sin(", "x(",
                "<", "==", "if(", "volume()", "weight(", "pi", "45deg", "joints()", "e", ".",
            ]),
            0..40,
        )
    ) {
        if let Ok(value) = Expr::parse(&tokens.concat()).map(|expr| expr.eval(&Fixture)) {
            prop_assert!(value.is_err() || value.is_ok_and(f64::is_finite));
        }
    }
}

#[test]
fn substitutes_definitions_before_a_formula() {
    let value = |source: &str| Expr::parse(source).expect(source).eval(&Fixture);
    assert_eq!(value("a = 2; b = a * 3; b - a"), Ok(4.0));
    let length = Expr::parse("p = vec3(3, 4, 0); length(p) + p.x").expect("typed");
    assert_eq!(length.eval(&Fixture), Ok(8.0));
    assert_eq!(value("a = 1; a == 1"), Ok(1.0));
    for (source, character, words) in [
        ("k = 0.5", 3, "found `=`"),
        ("t = 1; t", 1, "a name of your own"),
        ("a = 1; ", 8, "a value"),
    ] {
        let error = Expr::parse(source).expect_err(source);
        assert_eq!(error.at, Place::Character(character), "{source}: {error}");
        assert!(error.sentence().contains(words), "{source}: {error}");
    }
    // Each definition doubles the size of the formula.
    let names: Vec<String> = ('b'..='z')
        .filter(|c| !"tv".contains(*c))
        .scan('a', |last, c| {
            let line = format!("{c}={last}+{last};");
            *last = c;
            Some(line)
        })
        .collect();
    let doubling = format!("a=1;{}z", names.concat());
    let error = Expr::parse(&doubling).expect_err("too large");
    assert!(error.sentence().contains("too large a formula"), "{error}");
}

#[test]
fn here_forwards_the_values_of_the_page() {
    let here = PageAtPoint { page: &Fixture, here: 2.0 };
    for source in [
        "a + here - here",
        "y(v1) + bind_x(v1) + normal_x(v1) + stored_normal_z(v1)",
        "weight(v0, neck) + sum(v0) + joints() + rows() + vertices() + crowd()",
        "volume() + area()",
        "cell(world(neck), 0, 3) + parent(neck)",
        "cell(skin_matrix(v1), 1, 3) + cell(world_from_mesh_node, 0, 3)",
    ] {
        let expr = Expr::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        let value = expr.eval(&here);
        assert!(value.is_ok(), "{source}: {value:?}");
        if !source.contains("here") {
            assert_eq!(value, expr.eval(&Fixture), "{source}");
        }
    }
}

#[test]
fn the_subject_is_the_first_thing_named() {
    let of = |source| Expr::parse(source).expect("a formula").subject();
    assert_eq!(of("1-2*y(v4)"), Some(FormulaSubject::Vertex(4)));
    assert_eq!(of("distance(v2,v3)"), Some(FormulaSubject::Vertex(2)));
    assert_eq!(of("abs(weight(v6,1))"), Some(FormulaSubject::Weight(6, JointIndex(1))));
    let cell = FormulaSubject::Cell { joint: JointIndex(1), row: 0, column: 3 };
    assert_eq!(of("-world_from_bind(1,0,3)"), Some(cell));
    assert_eq!(of("world_from_bind(b0,0,3)"), None);
    assert_eq!(of("weight(v1,99999)"), None);
    assert_eq!(of("b0+joints()"), None);
}

#[test]
fn finds_names_and_functions_of_the_pose_with_columns() {
    let expr = |source| Expr::parse(source).expect("a formula");
    let formula = expr("-k*45deg + max(bend, 2)*k");
    assert_eq!(formula.names(), [("k", 2), ("bend", 16), ("k", 25)]);
    assert_eq!(formula.posed_function(), None);
    let formula = expr("1 + abs(y(v2)) + sum(0)");
    assert_eq!(formula.posed_function(), Some(("y", 9)));
    assert_eq!(expr("bind_x(v1)*joints()").posed_function(), None);
}

#[test]
fn finds_every_name_in_a_formula() {
    let expr = Expr::parse("-b1+weight(v2,3)*world_from_joint(4,0,1)^angle_between(5,6)/all")
        .expect("a formula");
    let joint = NamedThing::Joint;
    let param = |name: &str| NamedThing::Param(name.to_owned());
    assert_eq!(
        expr.named(),
        [param("b1"), NamedThing::Vertex(2), joint(3), joint(4), joint(5), joint(6), param("all")]
    );
    assert_eq!(Expr::parse("joints()*2").expect("a formula").named(), []);
}
