use super::*;

/// The title and help of each finding on a step with this body.
fn found(body: &str) -> Vec<(String, String)> {
    let text = format!("{HEAD}## S\n\n{body}\n\nProse.\n");
    let found = findings_of(&text).into_iter();
    found.map(|found| (found.title, found.help)).collect()
}

fn expect_change(body: &str, other: &str) {
    let found = found(body);
    assert_eq!(found.len(), 1, "{body}: {found:#?}");
    let (title, help) = &found[0];
    assert!(title.contains(other), "{body}: {title}");
    assert!(help.contains("write now:"), "{body}: {help}");
    assert!(help.contains("start:"), "{body}: {help}");
}

#[test]
fn number_changed_by_a_drag_is_reported_with_its_parameter() {
    expect_change(
        "Drag [0°](param:b0): [0.00](value:sin(b0)).",
        "prints 0.00 at the start of the step, and 0.48 with b0 at 28.6°",
    );
    for body in [
        // Only the ends differ.
        "Drag [0.25](param:gain): [1](value:min(1,floor((1-gain)*2)+1-floor(gain))).",
        "```set\ndrag = [\"gain\"]\n```\n[0.2](value:gain)",
        "```angles\nparams = [\"b1\"]\n```\n[0.5](value:b1)",
        "```angles\n```\n[0.5](value:b1)",
        "```angles stage\nall = true\nparams = [\"b0\"]\n```\n[0.5](value:b1)",
    ] {
        assert_eq!(found(body).len(), 1, "{body}: {:#?}", found(body));
    }
}

#[test]
fn links_switches_and_solutions_change_numbers_too() {
    expect_change("[here](set:gain=1) [0.25](value:gain)", "1.00 with gain=1");
    expect_change(
        "```set\nb1 = \"90deg\"\nstage = \"bind\"\n```\n```stages\n```\n[1.00](value:x(v3))",
        "with stage=",
    );
    expect_change(
        "```weights\nsliders = true\nvertices = [2]\n```\n[1.00](value:weight(v2,1))",
        "0.00 with the weight in lane 0 of v2 at 0",
    );
    expect_change(
        "```set\ndrag = [\"shift\"]\n```\n```matrix shift\nshow = [\"joint_from_bind(1)\"]\n```\n[−2](value:joint_from_bind(1,1,3))",
        "−1 with inverse-bind.1=",
    );
    expect_change(
        "```check\nask = \"a\"\nlabel = \"l\"\nmeasure = \"gain\"\ngoal = \"1\"\ntolerance = 0.1\nsolution = { gain = 1 }\nsolved = \"s\"\n```\n[0.25](param:gain) [0.25](value:gain)",
        "0.58 with gain at 0.583",
    );
    // The drag only has an effect after the link.
    expect_change(
        "```set\ngain = 0\n```\nDrag [0°](param:b0) after [that](set:gain=1): [0.0](value:gain*0+b0*floor(gain))",
        "with gain=1 and b0 at",
    );
}

#[test]
fn constant_and_marked_numbers_have_no_findings() {
    for body in [
        "[0.25](value:gain) and [28.6°](value:b1), with nothing to drag",
        "Drag [0°](param:b0): [0.50](value:b1), [2.0](value:bind_y(v3)).",
        "Drag [0°](param:b0): [1.00](value:sqrt(cos(b0)^2+sin(b0)^2)).",
        "Drag [0°](param:b0): [0.00](now:sin(b0)), at the start [0.00](start:sin(b0)).",
        "```weights\nvertices = [2]\n```\n[1.00](value:weight(v2,1))",
    ] {
        assert_eq!(found(body), [], "{body}");
    }
}

#[test]
fn text_of_marked_numbers_is_checked() {
    expect("[0.70](now:b1)", (13, 2), "prints 0.50, the text says 0.70", "[0.50]");
    expect("[0.70](start:b1)", (13, 2), "prints 0.50, the text says 0.70", "[0.50]");
    expect("[0](now:1+b9)", (13, 11), "no parameter `b9`", "`b0`");
    expect("[0](strat:1)", (13, 5), "`strat`", "write `start`");
}

#[test]
fn introduction_belongs_to_the_first_step() {
    let text = format!("{HEAD}Now [0.25](value:gain).\n\n## S\n\nDrag [0.25](param:gain).\n");
    let found = findings_of(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, "CHANGING_NUMBER");
}
