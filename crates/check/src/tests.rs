mod exercises;
mod formulas;
mod included_parts;
mod incomplete;
mod inventory;
mod joint_names;
mod plots;
mod prose;
mod questions;
mod reachability;
mod shelf;
mod steady;
mod steps;
mod symbols;

use std::sync::Arc;

use bindpose_diagnostic::LineColumn;
use bindpose_gltf::{Mesh, Param, ParamKind};
use bindpose_skin::{Influences, JointIndex, SkinStage};
use glam::Vec3;

use super::*;
use bindpose_notebook::test_sample::{self, document_with};
use bindpose_notebook::{Derived, Document, apply_setting, step_document};

/// The sample rig with an angle for each joint. Two vertices are on the y axis, two at x = 1.
fn rig() -> Rig {
    let all_of = |joint| Influences::new(&[(JointIndex(joint), 1.0)]);
    let mesh = Mesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y * 2.0, Vec3::new(1.0, 2.0, 0.0)],
        normals: vec![Vec3::Z; 4],
        influences: vec![all_of(0), all_of(0), all_of(1), all_of(1)].into(),
        ..Mesh::default()
    };
    let angle = |name: &str, joint, default| Param {
        name: name.to_owned(),
        label: name.to_owned(),
        kind: ParamKind::Angle { joint: JointIndex(joint), axis: Vec3::Z },
        default,
        range: (-3.0, 3.0),
    };
    Rig {
        mesh: Arc::new(mesh),
        params: vec![angle("b0", 0, 0.0), angle("b1", 1, 0.5)],
        flat: true,
        ..test_sample::rig()
    }
}

fn lookup(id: &str) -> Option<Arc<Rig>> {
    (id == "head" || id == "pair").then(|| Arc::new(rig()))
}

const HEAD: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"pair\"\n[params.gain]\ndefault = 0.25\nrange = [0, 1]\n+++\n```viewport main\n```\n";
const GLOSSARY: &str =
    "## joint\n\nA frame, see [vertex](term:vertex).\n\n## vertex\n\nA corner.\n";

fn findings_of(text: &str) -> Vec<Diagnostic> {
    let set = LessonSet::from_memory(&[("20-x", text, "Notes.\n")], GLOSSARY);
    check_lessons(&set, &lookup)
}

/// A lesson with one step whose body starts in line 13. Prose follows the body, or
/// precedes a guess.
fn page_of(body: &str) -> String {
    if body.starts_with("```predict") {
        format!("{HEAD}## S\nProse.\n{body}\n")
    } else {
        format!("{HEAD}## S\n\n{body}\n\nProse.\n")
    }
}

/// Expects one finding at this line and column. `body` starts in line 13.
fn expect(body: &str, place: (usize, usize), message: &str, help: &str) {
    let findings = findings_of(&page_of(body));
    assert_eq!(findings.len(), 1, "{body}: {findings:#?}");
    let finding = &findings[0];
    let at = LineColumn { line: place.0, column: place.1 };
    let at = Within::text("lessons/20-x/lesson.md", at);
    assert_eq!(finding.at, at, "{body}: {finding}");
    assert!(finding.sentence().contains(message), "{body}: {finding}");
    assert!(finding.help.contains(help), "{body}: {finding}");
}

#[test]
fn a_sound_lesson_has_no_findings() {
    let body = "## One

```set
b0 = \"90deg\"
stage = \"blended\"
```

[90°](param:b0), [25%](param:gain), [−2.00](now:x(v2)), [2.0](value:bind_y(v3)),
[joint](term:joint), [here](lesson:20), [there](lesson:x/two), [set](set:gain=0.5,b1=0),
$\\frac{1}{2}$, [1](vertex:1), [0](joint:0), [0.00](now:world_from_joint(0,0,0)).

```plot
sweep = \"all\"
from = \"-180deg\"
to = \"180deg\"
lines = [{ label = \"a\", expr = \"1/b0\" }]
```

```matrix pair stage
show = [\"world_from_joint(1)\", \"skin_matrix(v3)\", \"joint_from_bind(joint)\"]
```

## Two

```set
gain = 0.5
hide = [\"main\"]
```

[0.50](param:gain) and still [90°](param:b0), [28.6°](param:b1), [90°](param:all), [1.57](now:all).
";
    assert_eq!(findings_of(&format!("{HEAD}{body}")), []);
}

#[test]
fn unknown_names_are_reported_at_their_position() {
    for (body, place, message, help) in [
        ("[0](param:b9)", (13, 11), "no parameter `b9`", "write `b0` or `b1`"),
        ("[0](value:1+b9)", (13, 13), "no parameter `b9`", "`b0`"),
        ("[0](value:x(v4))", (13, 11), "no vertex 4", "4 vertices"),
        ("[0](value:weight(v0,2))", (13, 11), "no joint 2", "number of a joint"),
        ("[0](value:world_from_joint(0,4,0))", (13, 11), "no cell in row 4", "from 0"),
        ("[0](value:1/0)", (13, 11), "no finite value", "division by zero"),
        ("[j](joint:2)", (13, 11), "no joint 2", "2 joints"),
        ("[v](vertex:4)", (13, 12), "no vertex 4", "4 vertices"),
        ("[s](set:b2=1)", (13, 9), "no parameter `b2`", "`b0`"),
        ("[s](set:joint=1,vertex=9)", (13, 24), "no vertex 9", "4 vertices"),
        ("[t](term:joints)", (13, 10), "no term `joints`", "write `joint`"),
        ("[l](lesson:30)", (13, 12), "no lesson `30`", "20-x"),
        ("[l](lesson:x/so)", (13, 12), "no step `so`", "`s`"),
        ("$\\frac{1}$", (13, 10), "cannot be typeset", "KaTeX"),
        ("```set\nb2 = 1\n```", (14, 1), "no parameter `b2`", "`b0`"),
        ("```set\ninverse_bind = 1\n```", (14, 1), "`inverse_bind`", "write `inverse-bind`"),
        ("```set\nthrough = 7\n```", (14, 11), "no joint 7", "2 joints"),
        ("```set\nvertex = 7\n```", (14, 10), "no vertex 7", "4 vertices"),
        ("```set\nhide = [\"mian\"]\n```", (14, 10), "no cell `mian`", "write `main`"),
        ("```angles\nparams = [\"b0\", \"nod\"]\n```", (14, 17), "no parameter `nod`", "`b0`"),
        ("```weights\nvertices = [0, 9]\n```", (14, 16), "no vertex 9", "4 vertices"),
        ("```viewport\nrings = [[0, 2], [1, 9]]\n```", (14, 18), "no vertex 9", "4 vertices"),
        ("```vertex\nvertex = 9\n```", (14, 10), "no vertex 9", "4 vertices"),
        ("```matrix\nshow = [\"world_from_joint(3)\"]\n```", (14, 9), "no joint 3", "2 joints"),
        ("```matrix\nshow = [\"skin_matrix(v8)\"]\n```", (14, 9), "no vertex 8", "4 vertices"),
        ("```budget\n```", (13, 1), "no parameter `vec4s`", "`gain`"),
        (
            "```plot\nsweep = \"b7\"\nfrom = 0\nto = 1\nlines = [{ label = \"\", expr = \"1\" }]\n```",
            (14, 9),
            "no parameter `b7`",
            "`b0`",
        ),
        (
            "```plot\nsweep = \"b0\"\nfrom = 0\nto = 1\nlines = [{ label = \"\", expr = \"1+b7\" }]\n```",
            (17, 34),
            "no parameter `b7`",
            "`b0`",
        ),
        (
            "```plot\nsweep = \"b0\"\nfrom = 0\nto = 1\nlines = [{ label = \"\", expr = \"1/(b0-b0)\" }]\n```",
            (17, 32),
            "no finite value",
            "division",
        ),
    ] {
        expect(body, place, message, help);
    }
}

#[test]
fn link_text_with_a_fraction_is_reported() {
    expect(
        "[1/2](value:1/2)",
        (13, 2),
        "expected one number as the words of the link, found `1/2`",
        "write it with a point, such as 0.5",
    );
}

#[test]
fn front_matter_keys_in_settings_are_reported() {
    expect(
        "```set\nminutes = 5\n```",
        (14, 11),
        "`minutes` stands in the front matter, not among settings",
        "write minutes = … between the lines of +++",
    );
    expect(
        "[r](set:rig=head)",
        (13, 13),
        "`rig` is what a lesson, a step or a viewport stands on",
        "in a `set` block of a step",
    );
}

#[test]
fn wrong_numbers_in_prose_are_reported() {
    expect("é [0.70](param:b1)", (13, 4), "prints 0.50, the text says 0.70", "[0.50]");
    expect("[-1.0](value:0-1)", (13, 2), "prints −1.0", "[−1.0]");
    expect("[29°](param:b1) [0.4](now:b1)", (13, 18), "prints 0.5, the", "[0.5]");
    let later = "## A\n\n```set\nb0 = 1\n```\n\nA.\n\n## B\n\n[1.0](param:b0) [0.0](param:b0)\n";
    let findings = findings_of(&format!("{HEAD}{later}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert!(findings[0].title.contains("prints 1.0, the text says 0.0"));
}

#[test]
fn missing_parts_of_a_lesson_are_reported() {
    let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"heat\"\nneeds = [\"y\", \"x\"]\n+++\n";
    let set = LessonSet::from_memory(
        &[("20-x", &format!("{head}## Empty\n\n```stages\n```\n"), "")],
        "## joint\n\nSee [a](term:joins), [0](param:b0), [c](https://example.org).\n",
    );
    let found: Vec<String> = check_lessons(&set, &lookup).iter().map(ToString::to_string).collect();
    let all = found.join("\n");
    for expected in [
        "lessons/20-x/lesson.md:1:1: error: the lesson has no viewport",
        "lessons/20-x/lesson.md:4:8: error: there is no rig `heat`\n  help: write `head`",
        "lessons/20-x/lesson.md:5:11: error: there is no lesson `y`",
        "lessons/20-x/lesson.md:5:16: error: `x` does not come before this lesson",
        "lessons/20-x/lesson.md:7:1: error: the step `Empty` has no prose",
        "lessons/20-x/notes.md:1:1: error: the lesson has no notes",
        "lessons/glossary.md:3:14: error: the glossary has no term `joins`\n  help: write `joint`",
        "lessons/glossary.md:3:32: error: the glossary has no rig",
    ] {
        assert!(all.contains(expected), "{expected}\n{all}");
    }
    assert_eq!(found.len(), 8, "{all}");
}

#[test]
fn own_parameters_and_numbers_of_lessons_must_be_unique() {
    let twice = HEAD.replace("gain", "b0");
    let findings = findings_of(&format!("{twice}## S\n\nProse.\n"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert!(findings[0].title.contains("`b0` already"));
    let at = LineColumn { line: 5, column: 9 };
    assert_eq!(findings[0].at, Within::text("lessons/20-x/lesson.md", at));

    let text = format!("{HEAD}## S\n\nProse.\n");
    let lessons = [("20-x", &*text, "N."), ("20-y", &text, "N.")];
    let set = LessonSet::from_memory(&lessons, "");
    let findings = check_lessons(&set, &lookup);
    assert_eq!(findings.len(), 2, "{findings:#?}");
    assert!(findings[0].title.contains("also that of `20-y`"));
}

#[test]
fn step_document_accumulates_earlier_settings() {
    let text = format!(
        "{HEAD}## A\n\n```set\nall = 1\nb0 = \"180deg\"\nstage = \"posed\"\ngain = 0.5\n```\n\n## B\n\n```set\nb1 = 0.5\ngain = 0.25\n```\n"
    );
    let lesson = bindpose_lesson::parse_lesson("20-x", &text, "");
    assert_eq!(lesson.findings, []);
    let rig = rig();
    let first = step_document(&lesson, 0, Some(&rig));
    let value = |document: &Document, name: &str| document.state.params.get(name).copied();
    assert_eq!(value(&first, "b0"), Some(std::f64::consts::PI));
    assert_eq!(value(&first, "b1"), Some(1.0));
    assert_eq!(value(&first, "gain"), Some(0.5));
    assert_eq!((first.state.stage, first.lesson.as_str()), (SkinStage::Posed, "x"));
    let second = step_document(&lesson, 1, Some(&rig));
    assert_eq!(second.state.stage, SkinStage::Posed, "kept from the step before");
    assert_eq!(value(&second, "b0"), Some(std::f64::consts::PI));
    assert_eq!(value(&second, "b1"), None, "back at its default");
    assert_eq!(value(&second, "gain"), None, "back at its default");
    assert_eq!(step_document(&lesson, 99, Some(&rig)), second);

    let mut document = Document::default();
    let nan = bindpose_lesson::Setting::Param("b0".to_owned(), f64::NAN);
    apply_setting(&mut document, &nan, Some(&rig));
    assert_eq!(document, Document::default());
}

#[test]
fn formulas_evaluate_the_edited_rig() {
    let rig = Arc::new(rig());
    let mut document = document_with(&[("b0", std::f64::consts::FRAC_PI_2)]);
    document.state.weights.insert(2, [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
    let derived = Derived::of_document(&document, None, &rig);
    let value = |formula: &str| {
        let expr = bindpose_lesson::Expr::parse(formula).unwrap();
        expr.eval(&derived).unwrap()
    };
    let assert_value = |formula, expected: f64| {
        let found = value(formula);
        assert!((found - expected).abs() < 1e-6, "{formula}: {found}");
    };
    assert_value("b0*2", std::f64::consts::PI);
    assert_value("b1", 0.5);
    assert_value("y(v1)", 1.0);
    assert_value("x(v2)", -1.0);
    assert_value("bind_x(v3)", 1.0);
    assert_value("sum(v2)", 0.5);
    assert_value("weight(v2,1)", 0.5);
    assert_value("weight(v2,0)", 0.0);
    assert_value("distance(v0,v1)", 1.0);
    assert_value("world_from_joint(1,0,3)", -2.0);
    assert_value("parent_from_joint(1,1,3)", 2.0);
    assert_value("joint_from_bind(1,1,3)", -2.0);
    assert_value("world_from_bind(0,1,0)", 1.0);
    assert_value("joints()", 2.0);
}

#[test]
fn embedded_lessons_are_sound() {
    let findings = check_lessons(&LessonSet::embedded(), &bindpose_rigs::builtin);
    let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn second_listing_of_the_same_name_is_reported() {
    let listing = |name: &str| format!("## S\n\nProse.\n\n```rust {name}\nx\n```\n");
    let first = format!("{HEAD}{}", listing("grid"));
    let second = first.replace("\n```rust", "\n```js other\ny\n```\n\n```rust");
    let lessons = [("20-x", &*first, "N."), ("30-y", &second, "N.")];
    let set = LessonSet::from_memory(&lessons, GLOSSARY);
    let findings = check_lessons(&set, &lookup);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let at = LineColumn { line: 19, column: 9 };
    assert_eq!(findings[0].at, Within::text("lessons/30-y/lesson.md", at));
    let sentence = findings[0].sentence();
    assert!(sentence.contains("a listing `grid` already, in line 15 of 20-x"), "{sentence}");
}
