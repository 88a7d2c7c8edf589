//! Tests of joints in prose.

use bindpose_lesson::JointName;
use bindpose_notebook::apply;

use super::*;

#[test]
fn hovering_over_a_joint_in_prose_highlights_it_everywhere() {
    let mut page =
        page_of_inlines(vec![sample::link("joint 1", LinkTarget::Joint(JointIndex(1).into()))]);
    page.get_by_role(Role::Link).hover();
    page.run();
    let joint = Entity::Joint(JointIndex(1));
    assert!(page.state().linked.is_lit(joint));
    page.remove_cursor();
    page.run();
    assert!(!page.state().linked.is_lit(joint));
}

#[test]
fn a_joint_in_prose_is_highlighted_and_chosen() {
    let head = JointName::Name("head".to_owned());
    let nobody = JointName::Name("nobody".to_owned());
    let mut page = page_of_inlines(vec![
        sample::link("the head", LinkTarget::Joint(head.clone())),
        text(" and "),
        sample::link("nobody", LinkTarget::Joint(nobody)),
    ]);
    page.get_by_role_and_label(Role::Link, "the head").hover();
    page.run();
    assert!(page.state().linked.is_lit(Entity::Joint(JointIndex(1))));
    page.get_by_role_and_label(Role::Link, "the head").click();
    page.run();
    let edits = page.state_mut().apply();
    assert_eq!(edits, [Edit::set(Setting::Joint(head))]);
    let sample = page.state_mut();
    let rig = sample.derived.rig.clone();
    let mut document = sample.document.clone();
    apply(&mut document, &edits[0], &sample.lesson, &rig).expect("there is such a joint");
    assert_eq!(document.state.joint, JointIndex(1));

    page.get_by_role_and_label(Role::Link, "nobody").hover();
    page.run();
    let nobody = page.get_by_role_and_label(Role::Link, "nobody");
    let description = nobody.accesskit_node().description().unwrap_or_default();
    assert!(description.contains("no joint “nobody” here"), "{description}");
    for joint in 0..2 {
        assert!(!page.state().linked.is_lit(Entity::Joint(JointIndex(joint))));
    }
}
