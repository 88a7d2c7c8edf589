//! Steps that start with edits, carry on or have their own rig, and routes.

use bindpose_rigs::builtin;

use super::*;

/// A step with an exercise whose solution edits the weights of v2. It is solved by the
/// vertex at x = 0 once `b1` is 90°.
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

const PREDICT: &str = "```predict\nask = \"Where?\"\nvertex = 3\nset = { b1 = 0 }\nclose = 0.1\nwhy = \"There.\"\nwrong = [{ set = { b1 = -1 }, reply = \"Down.\" }, { set = { b1 = 1 }, reply = \"Less.\" }]\n```\n";

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
fn numbers_are_checked_with_the_carried_page() {
    let carry = "```set\ncarry = true\n```\n\n";
    let sum = "[0](value:weight(v2,0)).\n";
    let findings = after(&format!("{carry}{sum}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let sentence = findings[0].sentence();
    assert!(
        sentence.contains("prints 0 at the start of the step, and 1 with step 1 solved (joints.2=0,1,0,0, weights.2=1,0,0,0)"),
        "{sentence}"
    );
    assert_eq!(after(sum), [], "nothing is carried on without the word");
    let cleared = "```set\ncarry = true\nedits = \"none\"\n```\n\n";
    assert_eq!(after(&format!("{cleared}{sum}")), []);
}

#[test]
fn exercises_are_checked_with_the_carried_page() {
    let carry = "```set\ncarry = true\n```\n\n";
    let same = solved_by("1,0,0,0");
    let same = same.split_once("```weights").expect("a table").1;
    let again = format!("```weights{same}");
    let findings = after(&format!("{carry}{again}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let sentence = findings[0].sentence();
    assert!(sentence.contains("with step 1 solved"), "{sentence}");
    assert!(sentence.contains("is solved when its step begins"), "{sentence}");
    assert!(findings[0].help.contains("edits = \"none\""));
    assert_eq!(after(&again), []);

    let one = solved_by("1,0,0,0")
        .replace("\"weights.2\"", "\"weights.3\" = \"0,0,0,0\", \"weights.2\"")
        .replace("vertices = [2]", "vertices = [2, 3]");
    let two = format!("{one}## Two\n\nProse.\n\n{carry}{PREDICT}");
    let findings = findings_of(&format!("{HEAD}{two}"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let sentence = findings[0].sentence();
    assert!(sentence.contains("there is nothing to predict"), "{sentence}");
    let cleared = two.replace("carry = true", "carry = true\nedits = \"none\"");
    assert_eq!(findings_of(&format!("{HEAD}{cleared}")), []);
}

const ARM: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n\
    ```viewport main stage\n```\n\n## One\n\nWords.\n\n```set\nbend = \"30deg\"\n```\n\n";

fn titles(text: &str) -> Vec<String> {
    let set = LessonSet::from_memory(&[("20-x", text, "Notes.\n")], GLOSSARY);
    let found = check_lessons(&set, &builtin);
    found.into_iter().map(|finding| finding.title).collect()
}

#[test]
fn names_are_resolved_on_the_rig_of_the_step() {
    let two = "## Two\n\n```set\nrig = \"head\"\nnod = \"20deg\"\n```\n\n\
        Of [2](value:joints()) joints, v1494 is the last; the nod is [20°](param:nod).\n\n\
        ## Three\n\n```set\nrig = \"whale\"\n```\n\nNow there are [21](value:joints()) joints.\n";
    assert_eq!(titles(&format!("{ARM}{two}")), [""; 0]);
    let wrong = two.replace("rig = \"head\"\n", "");
    let found = titles(&format!("{ARM}{wrong}"));
    assert!(found.iter().any(|title| title.contains("`nod`")), "{found:?}");
}

#[test]
fn unknown_rig_is_reported_at_its_step() {
    let two = "## Two\n\n```set\nrig = \"hed\"\n```\n\nWords.\n";
    let set = LessonSet::from_memory(&[("20-x", &format!("{ARM}{two}"), "Notes.\n")], GLOSSARY);
    let found = check_lessons(&set, &builtin);
    let [finding] = &found[..] else {
        panic!("{found:?}");
    };
    assert!(finding.to_string().contains("20-x/lesson.md:20:8"), "{finding}");
    assert!(finding.help.contains("`head`"), "{finding}");
    assert!(!finding.help.contains("`own`"), "{finding}");
}

#[test]
fn shared_stage_is_checked_on_each_rig() {
    let arm =
        ARM.replace("```viewport main stage\n", "```viewport main stage\nrings = [[0, 840]]\n");
    let two = "## Two\n\n```set\nrig = \"whale\"\n```\n\nWords.\n\n\
        ## Three\n\n```set\nrig = \"bone_grid\"\n```\n\nWords.\n";
    let found = titles(&format!("{arm}{two}"));
    assert_eq!(found, ["at the step `Three`, on another rig: there is no vertex 840"]);
    let hidden = two.replace("\"bone_grid\"\n", "\"bone_grid\"\nhide = [\"main\"]\n");
    let own = format!("{arm}{hidden}\n```viewport flat stage\n```\n");
    assert_eq!(titles(&own), [""; 0]);
}

#[test]
fn step_with_its_own_rig_cannot_carry_on() {
    let two = |set: &str| format!("{ARM}## Two\n\n```set\n{set}\n```\n\nWords.\n");
    let found = titles(&two("rig = \"head\"\ncarry = true"));
    assert_eq!(found, ["`Two` stands on a rig of its own, and begins anew"]);
    let found = titles(&two("rig = \"own\""));
    assert!(found[0].contains("in all of its steps, or in none"), "{found:?}");
    let own = two("rig = \"head\"").replace("rig = \"arm\"", "rig = \"own\"");
    let own = own.replace("bend = \"30deg\"", "all = \"30deg\"");
    let found = titles(&own);
    assert!(found[0].contains("in all of its steps, or in none"), "{found:?}");
}

const LESSON: &str = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ```viewport main\n```\n\n## One\n\nWords.\n\n## Two\n\nWords.\n";
const NOTES: &str = "## 1. One (2 minutes)\n\nx\n\n## 2. Two\n\ny\n";

fn findings(route: &str) -> String {
    let mut set = LessonSet::from_memory(&[("20-a", LESSON, NOTES)], "");
    let head = "[[route]]\nname = \"r\"\ntitle = \"R\"\n";
    set.add_routes_text("routes.toml", &format!("{head}{route}"));
    let findings = check_lessons(&set, &builtin);
    let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
    found.join("\n")
}

#[test]
fn mistakes_in_routes_are_reported_at_their_position() {
    for (route, place, words) in [
        ("minutes = 2\nsteps = [\"a/one\", \"b\"]", "5:19", "valid here: `a`"),
        ("minutes = 2\nsteps = [\"a/tow\"]", "5:10", "`two`"),
        ("minutes = 2\nsteps = []", "1:1", "has no steps"),
        ("minutes = 4\nsteps = [\"a/one\", \"a/one\"]", "5:19", "comes to `One` twice"),
        ("minutes = 4\nsteps = [\"a\"]", "1:1", "how many minutes `Two` takes"),
        ("minutes = 4\nsteps = [\"a/one\"]", "1:1", "add up to 2, the route `r` says 4"),
    ] {
        let found = findings(route);
        assert!(found.contains(words), "{route}: {found}");
        assert!(found.contains(&format!("routes.toml:{place}")), "{route}: {found}");
    }
    let sound = "minutes = 5\nsteps = [\"a/one\", { step = \"a/two\", minutes = 3 }]";
    assert_eq!(findings(sound), "");
}

const TWO_JOINTS: &str = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ```viewport main\n```\n\n## One\n\nA [joint](term:joint).\n\n## Two\n\n\
    Two [joints](term:joint).\n";
const OTHER: &str = "+++\ntitle = \"B\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ```viewport main\n```\n\n## Three\n\nA [joint](term:joint).\n";

fn term_findings(route: &str) -> Vec<String> {
    let lessons = [("20-a", TWO_JOINTS, NOTES), ("30-b", OTHER, "## 1. Three (2 minutes)\n\nx\n")];
    let mut set = LessonSet::from_memory(&lessons, "## joint\n\nA set of axes.\n");
    let head = "[[route]]\nname = \"r\"\ntitle = \"R\"\n";
    set.add_routes_text("routes.toml", &format!("{head}{route}"));
    check_lessons(&set, &builtin).iter().map(ToString::to_string).collect()
}

#[test]
fn routes_introduce_their_terms() {
    let late = "minutes = 4\nsteps = [\"b/three\", \"a/one\"]\n";
    let found = term_findings(late);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert!(finding.contains("routes.toml:5:10"), "{finding}");
    assert!(finding.contains("`Three` links to the term `joint`"), "{finding}");
    assert!(finding.contains("put `a/one` before it"), "{finding}");
    for sound in [
        "minutes = 4\nsteps = [\"a/one\", \"b/three\"]\n",
        "minutes = 2\nsteps = [\"b/three\"]\nneeds = [\"a\"]\n",
    ] {
        assert_eq!(term_findings(sound), [""; 0], "{sound}");
    }
    let found = term_findings("minutes = 2\nsteps = [\"a/one\"]\nneeds = [\"c\"]\n");
    assert!(found[0].contains("routes.toml:1:1") && found[0].contains("`c`"), "{found:?}");
}
