//! Steps that start with edits, and steps that carry on.

use super::*;

/// An exercise whose solution edits the weights of v2, solved when it stands at
/// x = 0 after `b1` came to 90°.
const EXERCISE: &str = "## One\n\nProse.\n\n```set\nb1 = \"90deg\"\n```\n\n```weights\nvertices = [2]\nsliders = true\n```\n\n\
    ```check\nask = \"Bring v2 to it.\"\nlabel = \"weight\"\nmeasure = \"weight(v2,0)\"\ngoal = \"1\"\n\
    tolerance = 0.01\nsolution-edits = { \"weights.2\" = \"0,0,0,0\", \"joints.2\" = \"0,1,0,0\" }\n\
    solved = \"So.\"\n```\n\n";

fn solved_by(weights: &str) -> String {
    EXERCISE.replace(
        "{ \"weights.2\" = \"0,0,0,0\", \"joints.2\" = \"0,1,0,0\" }",
        &format!("{{ \"weights.2\" = \"{weights}\", \"joints.2\" = \"0,1,0,0\" }}"),
    )
}

fn after(second: &str) -> Vec<Diagnostic> {
    let one = solved_by("1,0,0,0");
    findings_of(&format!("{HEAD}{one}## Two\n\nProse.\n\n{second}"))
}

const PREDICT: &str = "```predict\nask = \"Where?\"\nvertex = 3\nset = { b1 = 0 }\nclose = 0.1\nwhy = \"There.\"\n```\n";

#[test]
fn an_edit_in_a_set_must_fit_the_rig() {
    for (entry, column, message) in [
        ("weights.9 = \"0,1,0,0\"", 9, "There is no vertex 9"),
        ("\"joints.2\" = \"7,0,0,0\"", 1, "There is no joint 7"),
        ("inverse-bind.4 = \"1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\"", 14, "There is no joint 4"),
        ("texel.3.0 = \"1,0,0,0\"", 9, "There is no joint 3"),
        ("bytes.0.0 = \"00\"", 9, "no file whose bytes"),
        ("weights.2 = \"0,1\"", 13, "expected 4 numbers"),
        ("weights.2 = 1", 13, "found the number 1"),
        ("edits = \"all\"", 9, "expected `none`, found `all`"),
    ] {
        let body = format!("```set\n{entry}\n```");
        expect(&body, (14, column), message, "write");
    }
    expect("[w](set:weights.9=0+1+0+0)", (13, 9), "There is no vertex 9", "write");
    for sound in [
        "```set\nweights.2 = \"0.5,0.5,0,0\"\nedits = \"none\"\n```",
        "[w](set:edits=none,weights.2=0+1+0+0)",
        "```stops\nlabel = \"l\"\nstops = [{ label = \"a\", set = { \"weights.2\" = \"0.5,0,0,0\" } }, { label = \"b\", set = { edits = \"none\" } }]\n```",
    ] {
        assert_eq!(findings_of(&page_of(sound)), [], "{sound}");
    }
}

#[test]
fn numbers_hold_with_what_the_step_before_leaves() {
    let carry = "```set\ncarry = true\n```\n\n";
    let sum = "[0](value:weight(v2,0)).\n";
    let findings = after(&format!("{carry}{sum}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let said = findings[0].sentence();
    assert!(
        said.contains("prints 0 at the start of the step, and 1 with step 1 solved (joints.2=0,1,0,0, weights.2=1,0,0,0)"),
        "{said}"
    );
    assert_eq!(after(sum), [], "nothing is carried on without the word");
    let cleared = "```set\ncarry = true\nedits = \"none\"\n```\n\n";
    assert_eq!(after(&format!("{cleared}{sum}")), []);
}

#[test]
fn exercises_hold_with_what_the_step_before_leaves() {
    let carry = "```set\ncarry = true\n```\n\n";
    let same = solved_by("1,0,0,0");
    let same = same.split_once("```weights").expect("a table").1;
    let again = format!("```weights{same}");
    let findings = after(&format!("{carry}{again}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let said = findings[0].sentence();
    assert!(said.contains("with step 1 solved"), "{said}");
    assert!(said.contains("is solved when its step begins"), "{said}");
    assert!(findings[0].help.contains("edits = \"none\""));
    assert_eq!(after(&again), []);

    let one = solved_by("1,0,0,0")
        .replace("\"weights.2\"", "\"weights.3\" = \"0,0,0,0\", \"weights.2\"")
        .replace("vertices = [2]", "vertices = [2, 3]");
    let two = format!("{one}## Two\n\nProse.\n\n{carry}{PREDICT}");
    let findings = findings_of(&format!("{HEAD}{two}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let said = findings[0].sentence();
    assert!(said.contains("there is nothing to predict"), "{said}");
    let cleared = two.replace("carry = true", "carry = true\nedits = \"none\"");
    assert_eq!(findings_of(&format!("{HEAD}{cleared}")), []);
}
