//! References to joints by name.

use bindpose_rigs::builtin;

use super::*;

const IDENTITY: &str = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";

#[test]
fn joints_can_be_referenced_by_name() {
    let sum = IDENTITY.replace(',', "+");
    for body in [
        "[the head](joint:head) [the other](joint:'body')",
        "[put](set:joint=head,through=head)",
        &format!("[put](set:inverse-bind.head={sum})"),
        "```set\njoint = \"head\"\nthrough = \"body\"\n```",
        &format!("```set\ninverse-bind.head = \"{IDENTITY}\"\n```"),
        "```set\ntexel.head.3 = \"1,0,0,0\"\njoints.2 = \"head,body,0,0\"\n```",
        "```matrix\nshow = [\"world_from_joint(head)\", \"joint_from_bind('body')\"]\n```",
        "```stops\nlabel = \"it\"\nstops = [{ label = \"a\", note = \"A.\", set = { joint = \"head\" } }, \
         { label = \"b\", note = \"B.\", set = { joint = \"body\" } }]\n```",
        "```ask it\nask = \"Which?\"\nwhy = \"So.\"\nelse = \"No.\"\njoint = \"head\"\n\
         wrong = [{ answer = \"body\", reply = \"No.\" }]\n```",
    ] {
        assert_eq!(findings_of(&page_of(body)), [], "{body}");
    }
}

#[test]
fn unknown_joint_name_is_reported_at_its_position() {
    let inverse_bind = format!("```set\ninverse-bind.haed = \"{IDENTITY}\"\n```");
    for (body, place) in [
        ("[the head](joint:haed)", (13, 18)),
        ("[put](set:joint=haed)", (13, 17)),
        ("```set\nthrough = \"haed\"\n```", (14, 11)),
        (&inverse_bind, (14, 14)),
        ("```matrix\nshow = [\"world_from_joint(haed)\"]\n```", (14, 9)),
        (
            "```ask it\nask = \"Which?\"\nwhy = \"So.\"\nelse = \"No.\"\njoint = \"haed\"\n```",
            (17, 9),
        ),
    ] {
        expect(body, place, "no joint `haed`", "write `head`");
    }
    let wrong = "```ask it\nask = \"Which?\"\nwhy = \"So.\"\nelse = \"No.\"\njoint = 1\n\
        wrong = [{ answer = \"head\", reply = \"No.\" }]\n```";
    expect(wrong, (18, 21), "`1` is said to be wrong and is right", "");
}

#[test]
fn stops_with_the_same_joint_by_name_and_index_are_equal() {
    let stop = |label: &str, joint: &str| {
        format!("{{ label = \"{label}\", note = \"So.\", set = {{ joint = {joint} }} }}")
    };
    let stops = [stop("a", "\"head\""), stop("b", "1")].join(", ");
    let body = format!("```stops\nlabel = \"it\"\nstops = [{stops}]\n```");
    let found = findings_of(&page_of(&body));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].title.contains("sets what an earlier one sets"));
}

#[test]
fn joint_name_is_resolved_on_the_rig_of_its_step() {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n\
        ```viewport main stage\n```\n\n## One\n\n[a](joint:upper) Words.\n\n\
        ## Two\n\n```set\nrig = \"head\"\njoint = \"head\"\n```\n\n[b](joint:upper)\n";
    let found = |text: &str| {
        let set = LessonSet::from_memory(&[("20-x", text, "Notes.\n")], GLOSSARY);
        let found = check_lessons(&set, &builtin);
        found.into_iter().map(|one| one.title).collect::<Vec<_>>()
    };
    assert_eq!(found(text), ["there is no joint `upper`"]);
}

#[test]
fn matrix_cell_reaches_its_joint_by_name_and_index() {
    let check = |shown: &str, solved: &str| {
        format!(
            "```matrix\nshow = [\"joint_from_bind({shown})\"]\n```\n\n\
             ```check it\nask = \"Bring it.\"\nlabel = \"it\"\nmeasure = \"joint_from_bind(1,0,3)\"\n\
             goal = \"2\"\ntolerance = 0.01\nsolved = \"So.\"\n\
             solution-edits = {{ \"inverse-bind.{solved}\" = \"1,0,0,0,0,1,0,0,0,0,1,0,2,0,0,1\" }}\n```"
        )
    };
    for (shown, solved) in [("head", "1"), ("1", "head"), ("'head'", "head")] {
        assert_eq!(findings_of(&page_of(&check(shown, solved))), [], "{shown}");
    }
    let found = findings_of(&page_of(&check("body", "head")));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].help.contains("joint_from_bind(head)"), "{}", found[0]);
}
