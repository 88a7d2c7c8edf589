//! Routes: the list offers them, and the way on follows.

use super::*;

const TITLE: &str = "The bind-pose problem in 45 minutes";

fn title_of_step(harness: &mut Harness<'_, Page>) -> String {
    let notebook = harness.state_mut().shell().notebook();
    notebook.step().expect("a step").title.clone()
}

#[test]
fn a_route_is_chosen_in_the_list_and_left_there() {
    let mut harness = page("bindpose://whale", [1440.0, 2400.0]);
    harness.get_by_role_and_label(Role::ListItem, TITLE).click();
    harness.run();
    let first = title_of_step(&mut harness);
    let row = format!("{first} ·\u{a0}4\u{a0}min");
    harness.get_by_role_and_label(Role::ListItem, &row);
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_ne!(title_of_step(&mut harness), first);
    let link = harness.state_mut().shell().notebook().link();
    assert!(link.ends_with("?route=bind-pose-45"), "{link}");
    assert_eq!(harness.state_mut().shell().preferences().route.as_deref(), Some("bind-pose-45"));

    harness.get_by_role_and_label(Role::Button, "Leave the route").click();
    harness.run();
    assert!(harness.state_mut().shell().notebook().route().is_none());
    harness.get_by_role_and_label(Role::ListItem, TITLE);
}
