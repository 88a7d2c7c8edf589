//! Joints that the text names.

use bindpose_lesson::JointName;
use bindpose_notebook::apply;

use super::*;

#[test]
fn hovering_a_joint_in_the_text_lights_it_everywhere() {
    let mut page = line(vec![sample::link("joint 1", LinkTarget::Joint(JointIndex(1).into()))]);
    page.get_by_role(Role::Link).hover();
    page.run();
    let lit = Entity::Joint(JointIndex(1));
    assert!(page.state().linked.is_lit(lit));
    page.remove_cursor();
    page.run();
    assert!(!page.state().linked.is_lit(lit));
}

#[test]
fn a_joint_named_in_the_text_lights_and_is_chosen() {
    let named = |name: &str| JointName::Name(name.to_owned());
    let mut page = line(vec![
        sample::link("the head", LinkTarget::Joint(named("head"))),
        text(" and "),
        sample::link("nobody", LinkTarget::Joint(named("nobody"))),
    ]);
    page.get_by_role_and_label(Role::Link, "the head").hover();
    page.run();
    assert!(page.state().linked.is_lit(Entity::Joint(JointIndex(1))));
    page.get_by_role_and_label(Role::Link, "the head").click();
    page.run();
    let edits = page.state_mut().apply();
    assert_eq!(edits, [Edit::set(Setting::Joint(named("head")))]);
    let sample = page.state_mut();
    let rig = sample.derived.rig.clone();
    let applied = |document: &mut _, edit| apply(document, edit, &sample.lesson, &rig);
    let mut document = sample.document.clone();
    applied(&mut document, &edits[0]).expect("there is such a joint");
    assert_eq!(document.state.joint, JointIndex(1));

    page.get_by_role_and_label(Role::Link, "nobody").hover();
    page.run();
    let nobody = page.get_by_role_and_label(Role::Link, "nobody");
    let said = nobody.accesskit_node().description().unwrap_or_default();
    assert!(said.contains("no joint “nobody” here"), "{said}");
    for joint in 0..2 {
        assert!(!page.state().linked.is_lit(Entity::Joint(JointIndex(joint))));
    }
}
