//! Steps on rigs of their own.

use bindpose_asset::builtin;

use super::*;

const ARM: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n\
    ```viewport main stage\n```\n\n## One\n\nWords.\n\n```set\nbend = \"30deg\"\n```\n\n";

fn titles(text: &str) -> Vec<String> {
    let set = LessonSet::from_memory(&[("20-x", text, "Notes.\n")], GLOSSARY);
    let found = check(&set, &builtin);
    found.into_iter().map(|finding| finding.title).collect()
}

#[test]
fn names_and_numbers_are_those_of_the_rig_of_the_step() {
    let two = "## Two\n\n```set\nrig = \"head\"\nnod = \"20deg\"\n```\n\n\
        Of [2](value:joints()) joints, v1494 is the last; the nod is [20°](param:nod).\n\n\
        ## Three\n\n```set\nrig = \"whale\"\n```\n\nNow there are [21](value:joints()) joints.\n";
    assert_eq!(titles(&format!("{ARM}{two}")), [""; 0]);
    let wrong = two.replace("rig = \"head\"\n", "");
    let found = titles(&format!("{ARM}{wrong}"));
    assert!(found.iter().any(|title| title.contains("`nod`")), "{found:?}");
}

#[test]
fn a_rig_that_is_not_there_is_told_at_its_step() {
    let two = "## Two\n\n```set\nrig = \"hed\"\n```\n\nWords.\n";
    let set = LessonSet::from_memory(&[("20-x", &format!("{ARM}{two}"), "Notes.\n")], GLOSSARY);
    let found = check(&set, &builtin);
    let [finding] = &found[..] else {
        panic!("{found:?}");
    };
    assert!(finding.to_string().contains("20-x/lesson.md:20:8"), "{finding}");
    assert!(finding.help.contains("`head`"), "{finding}");
    assert!(!finding.help.contains("`own`"), "{finding}");
}

#[test]
fn what_stands_on_the_stage_of_all_steps_is_looked_at_on_each_rig() {
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
fn a_step_on_a_rig_of_its_own_carries_nothing_on_and_is_not_the_readers() {
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
