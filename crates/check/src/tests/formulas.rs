//! Formulas of matrices, driven parameters, and pose programs.

use super::*;

#[test]
fn matrix_formula_without_a_value_is_reported() {
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
fn broken_or_repeated_pose_program_is_reported() {
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

/// The findings of a lesson with `front` in its front matter and a step with `body`.
fn found(front: &str, body: &str) -> Vec<Diagnostic> {
    let head = HEAD.replacen("+++\n```viewport", &format!("{front}\n+++\n```viewport"), 1);
    findings_of(&format!("{head}## S\n\n{body}\n\nProse.\n"))
}

fn only(front: &str, body: &str) -> Diagnostic {
    let found = found(front, body);
    assert_eq!(found.len(), 1, "{front} {body}: {found:#?}");
    found.into_iter().next().unwrap()
}

fn at(line: usize, column: usize) -> Within {
    Within::text("lessons/20-x/lesson.md", LineColumn { line, column })
}

const DRIVE: &str = "[drive]\nb0 = \"gain * 90deg\"";

#[test]
fn changing_number_names_the_driving_parameter() {
    let wrong = only(DRIVE, "Drag [0.25](param:gain): [22.5°](value:b0).");
    assert!(wrong.title.contains("with gain at 0.583"), "{wrong}");
    let sound = "Drag [0.25](param:gain): [22.5°](now:b0), [0.92](now:x(v1)), [0](value:y(v0)).";
    assert_eq!(found(DRIVE, sound), []);
    let slider = "```angles\nparams = [\"gain\"]\n```\n[0.92](value:x(v1))";
    assert!(only(DRIVE, slider).title.contains("gain"));
}

#[test]
fn setting_a_driven_parameter_is_reported() {
    for body in [
        "```set\nb0 = \"90deg\"\n```",
        "```set\ndrag = [\"b0\"]\n```",
        "[22°](param:b0)",
        "[so](set:b0=1)",
        "```plot\nsweep = \"b0\"\nfrom = 0\nto = 1\nlines = [{ label = \"a\", expr = \"b0\" }]\n```",
        "```stops\nlabel = \"l\"\nstops = [{ label = \"a\", set = { b0 = 1 } }, { label = \"b\", set = { gain = 1 } }]\n```",
    ] {
        let wrong = only(DRIVE, body);
        assert_eq!(wrong.code, "DRIVEN", "{body}: {wrong}");
        assert!(wrong.title.contains("follows gain * 90deg"), "{wrong}");
        assert!(wrong.help.contains("such as gain"), "{wrong}");
    }
    let shown = "```angles\nparams = [\"b0\", \"b1\"]\n```";
    assert_eq!(found(DRIVE, shown), [], "its value may stand among sliders");
}

#[test]
fn broken_drive_formulas_are_reported() {
    for (front, place, message, help) in [
        ("[drive]\nbend = \"gain\"", at(9, 1), "no parameter `bend`", "b0"),
        ("[drive]\ngain = \"1\"", at(9, 1), "no parameter `gain`", "b0"),
        ("[drive]\nb0 = \"1 + gian\"", at(9, 11), "no parameter `gian`", "gain"),
        ("[drive]\nb0 = \"1 / gain\"", at(9, 7), "value here with gain at 0", "zero"),
        ("[drive]\nb0 = \"gain*1500\"", at(9, 7), "beyond ±1000 with gain at", "small"),
        ("[drive]\nb0 = \"b1 + bind_x(v9)\"", at(9, 12), "no vertex 9", "4 vertices"),
    ] {
        let wrong = only(front, "Prose.");
        assert_eq!(wrong.at, place, "{wrong}");
        assert!(wrong.sentence().contains(message), "{wrong}");
        assert!(wrong.help.contains(help), "{wrong}");
    }
}

#[test]
fn broken_drive_formula_is_the_only_finding() {
    let printed = "[9](value:b0), [9](value:x(v1)).";
    let exercise = "```check c\nask = \"Do it.\"\nlabel = \"it\"\nmeasure = \"b0 * 1\"\n\
                    goal = \"7\"\ntolerance = 0.1\nsolved = \"Done.\"\n\
                    solution = { gain = 1 }\n```\n\n[0.25](param:gain)";
    for body in [printed, exercise] {
        assert_eq!(only("[drive]\nb0 = \"1 + gian\"", body).at, at(9, 11), "{body}");
    }
}

#[test]
fn own_model_lesson_cannot_drive_a_rig_parameter() {
    let head = HEAD.replacen("+++\n```viewport", "[drive]\nspine = \"1\"\n+++\n```viewport", 1);
    let rig = head.lines().find(|line| line.starts_with("rig")).unwrap();
    let text = head.replace(rig, "rig = \"own\"");
    let found = findings_of(&format!("{text}## S\n\nProse.\n"));
    let of_drive: Vec<_> = found.iter().filter(|wrong| wrong.at == at(9, 1)).collect();
    assert!(matches!(of_drive[..], [one] if one.code == "OWN_MODEL"), "{found:#?}");
}
