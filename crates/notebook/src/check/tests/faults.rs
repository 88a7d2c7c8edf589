use bindpose_asset::builtin;
use bindpose_lesson::LessonSet;

use super::super::check;

fn titles(rig: &str, set: &str, body: &str) -> Vec<String> {
    let text = format!(
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"{rig}\"\n+++\n\n```viewport main\n```\n\n\
         ## One\n\n```set\n{set}\n```\n\nWords.\n\n```faults it\n{body}\n```\n"
    );
    let set = LessonSet::from_memory(&[("20-t", &text, "Notes.\n")], "");
    let found = check(&set, &|id| builtin(id));
    found.into_iter().map(|finding| finding.title).collect()
}

#[test]
fn a_fault_that_does_nothing_at_its_step_is_found() {
    let body = "faults = [\"order-swapped\", \"normals-left-alone\"]";
    assert_eq!(
        titles("arm", "bend = 0", body),
        [
            "the fault `order-swapped` changes no number at this step",
            "the fault `normals-left-alone` changes no number at this step",
        ]
    );
    assert_eq!(titles("arm", "bend = 0.8", body), [""; 0]);
}

#[test]
fn two_hidden_faults_that_look_alike_are_found() {
    // W B⁻¹ without its last column is R, and so is B⁻¹ W, if W is T R and B is T.
    let body = "faults = [\"order-swapped\", \"translation-dropped\"]";
    assert_eq!(titles("arm", "bend = 0.8", body), [""; 0], "switches may");
    let hidden = format!("diagnose = true\n{body}");
    assert_eq!(
        titles("arm", "bend = 0.8", &hidden),
        ["the faults `order-swapped` and `translation-dropped` give the same numbers at this step"]
    );
    assert_eq!(titles("tentacle", "b1 = 0.8\nb2 = 0.4", &hidden), [""; 0]);
}
