//! Formulas of matrices, and programs.

use super::*;

#[test]
fn the_formula_of_a_matrix_must_come_to_something() {
    let matrix = |expr: &str| format!("```matrix\nexpr = \"{expr}\"\n```");
    assert_eq!(findings_of(&page_of(&matrix("world(1) * inverse(bind(1))"))), []);
    assert_eq!(
        findings_of(&page_of(&matrix("inverse_bind(1) * world(1)"))),
        [],
        "a wrong order may be meant"
    );
    for (formula, column, message, help) in [
        ("world(9)", 9, "there is no joint 9", "its name"),
        ("inverse(scale(0))", 9, "no inverse", "scale of 0"),
        ("world(1) + 2", 18, "a matrix and a number", "moves a point"),
        ("world(1", 16, "expected `)`", "write `)`"),
    ] {
        expect(&matrix(formula), (14, column), message, help);
    }
}

#[test]
fn a_program_must_be_read_run_to_its_end_and_be_the_only_one() {
    let pose = |program: &str| format!("```pose\nprogram = \"\"\"\n{program}\n\"\"\"\n```");
    let sound = "for j in joints {\n    rotate_z(j, sin(t) * gain)\n}";
    assert_eq!(findings_of(&page_of(&pose(sound))), []);
    let read = "line 2, column 8 of the program: expected a value";
    expect(&pose("a = 1\nb = 1 + "), (14, 11), read, "number");
    let stops = "line 2, column 6: it divides by zero";
    expect(&pose("a = 1\nb = 1/0"), (14, 11), stops, "if(b == 0");
    let two = format!("{}\n\n{}", pose(sound), pose(sound));
    let findings = findings_of(&page_of(&two));
    assert_eq!(findings.len(), 2, "{findings:#?}");
    assert!(findings[0].sentence().contains("a second one"));
}
