//! Programs, on two joints and a pose that notes what is done to it.

use std::cell::RefCell;

use bindpose_skin::JointIndex;
use glam::{DMat4, DQuat, DVec3};
use proptest::prelude::*;

use super::{Moves, PoseProgram, ProgramRun};
use crate::expr::tests::Fixture;
use crate::expr::{EvalError, FormulaValue};

/// Records all moves as text.
#[derive(Default)]
struct RecordedMoves(RefCell<Vec<String>>);

impl RecordedMoves {
    fn note(&self, words: String) {
        self.0.borrow_mut().push(words);
    }
}

impl Moves for RecordedMoves {
    fn rotate(&self, joint: JointIndex, rotation: DQuat) {
        let (axis, angle) = rotation.to_axis_angle();
        self.note(format!("rotate {} {axis:.1} {angle:.2}", joint.0));
    }
    fn translate(&self, joint: JointIndex, by: DVec3) {
        self.note(format!("translate {} {by:.1}", joint.0));
    }
    fn scale(&self, joint: JointIndex, by: DVec3) {
        self.note(format!("scale {} {by:.1}", joint.0));
    }
    fn put_local(&self, joint: JointIndex, parent_from_joint: DMat4) {
        self.note(format!("put {} {:.1}", joint.0, parent_from_joint.w_axis));
    }
    fn depth(&self) -> u32 {
        2
    }
}

fn run(source: &str) -> (ProgramRun, Vec<String>) {
    let program = PoseProgram::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let noted = RecordedMoves::default();
    let run = program.run(&Fixture, &noted);
    (run, noted.0.into_inner())
}

fn variable(run: &ProgramRun, name: &str) -> Option<FormulaValue> {
    let found = run.variables.iter().find(|(other, _)| other == name);
    found.map(|&(_, value)| value)
}

#[test]
fn runs_assignments_loops_and_conditions() {
    let (run, _) = run("
        // the sum of the squares of 1 to 4
        total = 0
        for k in 1 to 4 { total = total + k*k }
        odd = 0; even = 0
        for k in 0 to 5 {
            if k - 2*floor(k/2) == 0 {
                even = even + 1
            } else if k > 4 {
                odd = odd + 10
            }
            else { odd = odd + 1 }
        }
        m = mat4(1, 0, 0, 2,   // over several lines
                 0, 1, 0, 3,
                 0, 0, 1, 4,
                 0, 0, 0, 1)
        for j in joints { last = j }
        for none in 3 to 2 { never = 1 }
    ");
    assert_eq!(run.error, None);
    let number = |name: &str| variable(&run, name).map(|value| value.numbers());
    assert_eq!(number("total"), Some(vec![30.0]));
    assert_eq!(number("even"), Some(vec![3.0]));
    assert_eq!(number("odd"), Some(vec![12.0]));
    assert_eq!(number("last"), Some(vec![1.0]));
    assert_eq!(number("never"), None);
    assert_eq!(number("m").unwrap()[3], 2.0);
}

#[test]
fn statements_move_joints_by_number_name_and_variable() {
    let (run, noted) = run("
        rotate_z(neck, a * 10deg)
        rotate_x('upper arm', 90deg)
        for j in joints { translate(j, 0, j, 0) }
        translate(0, vec3(1, 2, 3)); scale(1, 2); scale(1, 1, 2, 3)
        rotate(1, axis_angle(vec3(0, 1, 0), 1))
        set_local(1, translate(4, 5, 6) * rotate_z(1))
    ");
    assert_eq!(run.error, None);
    assert_eq!(
        noted,
        [
            "rotate 1 [0.0, 0.0, 1.0] 0.52",
            "rotate 0 [1.0, 0.0, 0.0] 1.57",
            "translate 0 [0.0, 0.0, 0.0]",
            "translate 1 [0.0, 1.0, 0.0]",
            "translate 0 [1.0, 2.0, 3.0]",
            "scale 1 [2.0, 2.0, 2.0]",
            "scale 1 [1.0, 2.0, 3.0]",
            "rotate 1 [0.0, 1.0, 0.0] 1.00",
            "put 1 [4.0, 5.0, 6.0, 1.0]",
        ]
    );
}

#[test]
fn a_failing_program_keeps_its_effects_and_reports_the_position() {
    for (source, line, column, message) in [
        ("rotate_z(1, 1)\nb = 1/0", 2, 6, "divides by zero"),
        ("rotate_z(1, 1)\nfor k in 0 to 2 {\n  b = inverse(scale(k))\n}", 3, 7, "no inverse"),
        ("rotate_z(1, 1)\nrotate_z(1, vec3(1,2,3))", 2, 1, "an angle, found a vec3"),
        ("rotate_z(1, 1)\nset_local(0, 3)", 2, 1, "a matrix, found a number"),
        ("rotate_z(1, 1)\nset_local(0, 0*identity())", 2, 1, "last row"),
        ("rotate_z(1, 1)\nrotate_z(7, 1)", 2, 1, "there is no joint 7"),
        ("rotate_z(1, 1)\nrotate_z(nek, 1)", 2, 10, "no joint called `nek`"),
        ("rotate_z(1, 1)\na = 2", 2, 1, "a parameter of the page has"),
        ("rotate_z(1, 1)\nb = unheard", 2, 5, "no parameter `unheard`"),
        ("rotate_z(1, 1)\nfor k in 0 to 0.5 { }", 2, 1, "a whole number"),
    ] {
        let (run, noted) = run(source);
        let error = run.error.unwrap_or_else(|| panic!("{source}"));
        assert_eq!((error.at.line, error.at.column), (line, column), "{source}: {error}");
        assert!(error.to_string().contains(message), "{source}: {error}");
        assert_eq!(noted.len(), 1, "{source}");
    }
}

#[test]
fn reports_malformed_programs_with_position_and_help() {
    for (source, line, column, message, help) in [
        ("b = 1\nc = ", 2, 5, "a value", "number"),
        ("b = 1\nc + 2", 2, 3, "`=` after c", "name = formula"),
        ("b = 1 2", 1, 7, "operator", "between"),
        ("for j in joints { b = 1", 1, 24, "`}`", "`}`"),
        ("b = 1\n}", 2, 1, "without its `{`", "leave it out"),
        ("for j joints {}", 1, 7, "`in`", "for j in joints"),
        ("for k in 1, 2 {}", 1, 11, "`to`", "for k in 0 to 3"),
        ("turn_z(1, 2)", 1, 1, "statement", "rotate_z"),
        ("sin(1)", 1, 1, "the value of sin", "a = sin"),
        ("rotate_z(1)", 1, 1, "2 arguments", "rotate_z(joint, angle)"),
        ("b = 2 * y(v2)", 1, 9, "y, which follows from the pose", "local(j)"),
        ("translate(1, stored(v2))", 1, 14, "stored, which", "parameters"),
        ("sin = 3", 1, 1, "a name of your own", "another name"),
        ("t = 3", 1, 1, "a name of your own", "another name"),
        ("3 = b", 1, 1, "a statement", "name = formula"),
        ("b = (1 +\n 2", 2, 3, "`)`", "`)`"),
    ] {
        let error = PoseProgram::parse(source).expect_err(source);
        let bindpose_diagnostic::Place::Character(character) = error.at else {
            panic!("{source}: {error}");
        };
        let at = PoseProgram::place(source, character);
        assert_eq!((at.line, at.column), (line, column), "{source}: {error}");
        assert!(error.sentence().contains(message), "{source}: {error}");
        assert!(error.help.contains(help), "{source}: {}", error.help);
    }
}

#[test]
fn stops_programs_that_exceed_a_limit() {
    let (run, _) = run("b = 0\nfor k in 0 to 4000000000 {\n  b = b + 1\n}");
    let error = run.error.expect("it stops");
    assert!(matches!(error.error, EvalError::TooMuchWork { .. }), "{error}");
    assert!((2..=3).contains(&error.at.line), "{error}");
    let empty = "for a1 in 0 to 99999 { for b1 in 0 to 99999 { } }";
    assert!(self::run(empty).0.error.is_some(), "loops without a body too");
    for source in [
        "b = 1\n".repeat(201),
        "if a > 0 {".repeat(2000),
        "b = ".to_owned() + &"(".repeat(3000),
        "b = ".to_owned() + &"1+".repeat(1500) + "1",
        "b = a".to_owned() + &".x".repeat(1500),
        "// ".to_owned() + &"x".repeat(4000),
    ] {
        assert!(PoseProgram::parse(&source).is_err());
    }
    let many: Vec<String> = (0..65).map(|number| format!("n{number} = 1")).collect();
    let (run, _) = self::run(&many.join("\n"));
    let error = run.error.expect("it stops");
    assert_eq!(error.at.line, 65);
    assert!(error.to_string().contains("at most 64 names"), "{error}");
}

#[test]
fn a_wrong_order_in_a_loop_is_one_seam_with_its_line() {
    let (run, _) = run("for j in joints {\n  m = inverse_bind(j) * world(j)\n}");
    assert_eq!(run.error, None);
    let [(at, seam)] = &run.seams[..] else {
        panic!("{:?}", run.seams);
    };
    assert_eq!((at.line, at.column), (2, 23));
    assert!(seam.words().contains("starts from bind"), "{}", seam.words());
}

proptest! {
    #[test]
    fn random_tokens_never_panic(
        tokens in proptest::collection::vec(
            proptest::sample::select(vec![
                "for ", "in ", "joints", " to ", "{", "}", "if ", "else ", "\n", ";", "b", " = ",
                "1", "9e9", "(", ")", "rotate_z(", "set_local(", ",", "world(", "+", "*", "/",
                "neck", "//", ".x", "k", "a", "'", "inverse(",
            ]),
            0..40,
        )
    ) {
        if let Ok(program) = PoseProgram::parse(&tokens.concat()) {
            let _ = program.run(&Fixture, &RecordedMoves::default());
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(source in "\\PC{0,80}") {
        let _ = PoseProgram::parse(&source);
    }
}
