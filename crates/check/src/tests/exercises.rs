//! Exercises, comparisons and faults.

use bindpose_lesson::LessonSet;
use bindpose_rigs::builtin;

use super::{HEAD, expect, findings_of, page_of};
use crate::check_lessons;

/// A check cell. `more` follows the first condition.
fn check_of(measure: &str, goal: &str, more: &str) -> String {
    // Not a single angle, which would need a unit.
    let measure = if measure == "b1" { "b1*1" } else { measure };
    let offers =
        "```angles\n```\n\n```weights\n```\n\n```matrix\nshow = [\"joint_from_bind(1)\"]\n```";
    format!(
        "```check\nask = \"Do it.\"\nlabel = \"it\"\nmeasure = \"{measure}\"\ngoal = \"{goal}\"\ntolerance = 0.01\nsolved = \"Done.\"\n{more}\n```\n\n{offers}"
    )
}

#[test]
fn sound_exercises_have_no_findings() {
    for more in [
        "solution = { b1 = \"90deg\" }",
        "solution = { all = 0 }\nsolution-edits = { \"weights.2\" = \"0.5,0,0,0\" }",
        "solution-edits = { \"inverse-bind.1\" = \"1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1\" }",
    ] {
        let (measure, goal) = match more {
            _ if more.contains("weights") => ("sum(v2)", "0.5"),
            _ if more.contains("inverse") => ("joint_from_bind(1,1,3)", "-1"),
            _ => ("b1", "pi/2"),
        };
        let body = check_of(measure, goal, more);
        let findings = findings_of(&format!("{HEAD}## S\n\n{body}\n\nProse.\n"));
        assert_eq!(findings, [], "{more}");
    }
}

#[test]
fn broken_exercises_are_reported() {
    for (body, place, message, help) in [
        (
            check_of("b1", "0.5", "solution = { b1 = 0.5 }"),
            (17, 8),
            "solved when its step begins",
            "another goal",
        ),
        (
            check_of("b1", "1", "solution = { b1 = 0.9 }"),
            (20, 12),
            "`it` comes to 0.9000, the goal is 1.0000 ± 0.01",
            "correct the solution",
        ),
        (
            check_of("1/(b1-1)", "9", "solution = { b1 = 1 }"),
            (20, 12),
            "`it` has no value",
            "correct the solution",
        ),
        (check_of("b1", "1", "solution = { b9 = 1 }"), (20, 19), "no parameter `b9`", "`b0`"),
        (check_of("b9", "1", "solution = { b1 = 1 }"), (16, 12), "no parameter `b9`", "`b0`"),
        (check_of("b1", "1+x(v8)", "solution = { b1 = 1 }"), (17, 11), "no vertex 8", "4 vertices"),
        (
            check_of(
                "b1",
                "1",
                "also = [{ label = \"a\", measure = \"b7\", goal = \"1\", tolerance = 1 }]\nsolution = { b1 = 1 }",
            ),
            (20, 35),
            "no parameter `b7`",
            "`b0`",
        ),
        (
            check_of(
                "b1",
                "1",
                "also = [{ label = \"a\", measure = \"b0\", goal = \"1\", tolerance = 0 }]",
            ),
            (20, 64),
            "a tolerance above 0",
            "0.05",
        ),
        (
            check_of("sum(v2)", "0", "solution-edits = { \"weights.9\" = \"0,0,0,0\" }"),
            (20, 34),
            "no vertex 9 here; they are numbered 0 to 3",
            "what fits",
        ),
        (
            check_of("sum(v2)", "0", "solution-edits = { \"weights.2\" = \"0,1\" }"),
            (20, 18),
            "4 numbers",
            "as a link does",
        ),
        (
            check_of("sum(v2)", "0", "solution-edits = { \"weights.2\" = \"0.5,0,0,0\" }"),
            (20, 18),
            "`it` comes to 0.5000",
            "correct the solution",
        ),
    ] {
        expect(&body, place, message, help);
    }
}

#[test]
fn each_draw_of_an_exercise_is_checked() {
    let solution = "solution = { b1 = \"{turn}\" }";
    let with = |draws: &str| check_of("b1", "{turn}", &format!("{solution}\ndraws = [{draws}]"));
    let sound = with("{ turn = \"90deg\" }, { turn = 1 }, { turn = -2 }");
    let findings = findings_of(&format!("{HEAD}## S\n\n{sound}\n\nProse.\n"));
    assert_eq!(findings, []);
    // The step begins with b1 = 0.5.
    let open = with("{ turn = 1 }, { turn = 0.505 }");
    let message = "with draw 2 (turn = 0.505): the exercise is solved when its step begins";
    expect(&open, (17, 8), message, "another goal");
    let unsolved =
        check_of("b1", "1", &format!("{solution}\ndraws = [{{ turn = 1 }}, {{ turn = 2 }}]"));
    let message = "with draw 2 (turn = 2): the stored solution does not solve";
    expect(&unsolved, (20, 12), message, "correct the solution");
    let alike = with("{ turn = 1 }, { turn = 1.0 }");
    expect(&alike, (21, 9), "draw 2 has the numbers of an earlier one", "leave one");
    let unknown = check_of("b1", "{trn}", "draws = [{ turn = 1 }, { turn = 2 }]");
    expect(&unknown, (17, 8), "there is no parameter `trn`", "`turn`");
}

#[test]
fn prediction_without_motion_is_reported() {
    let predict = |vertex, set: &str, close| {
        format!(
            "```predict\nask = \"Where?\"\nvertex = {vertex}\nset = {{ {set} }}\nclose = {close}\nwhy = \"So.\"\nwrong = [{{ set = {{ b1 = -1 }}, reply = \"Down.\" }}, {{ set = {{ b0 = 2 }}, reply = \"About 0.\" }}]\n```"
        )
    };
    let sound = predict(3, "b1 = 2", "0.2");
    let findings = findings_of(&page_of(&sound));
    assert_eq!(findings, []);
    for (body, place, message, help) in [
        (predict(9, "b1 = 2", "0.2"), (15, 10), "no vertex 9", "4 vertices"),
        (predict(3, "b7 = 2", "0.2"), (16, 14), "no parameter `b7`", "`b0`"),
        (predict(3, "joint = 4", "0.2"), (16, 17), "no joint 4", "2 joints"),
        (predict(2, "b1 = 2", "0.2"), (16, 7), "v2 moves by 0.0000", "smaller `close`"),
        (predict(3, "b1 = 0.6", "0.2"), (16, 7), "nothing to predict", "smaller `close`"),
    ] {
        expect(&body, place, message, help);
    }
}

#[test]
fn wrong_places_of_predictions_are_checked() {
    let predict = |wrong: &str| {
        format!(
            "```predict\nask = \"Where?\"\nvertex = 3\nset = {{ b1 = 2 }}\nclose = 0.2\nwhy = \"So.\"\nwrong = [\n{wrong}\n]\n```"
        )
    };
    let down = "{ set = { b1 = -1 }, reply = \"Down.\" },";
    let sound = predict(&format!("{down}\n{{ place = \"stored(3)\", reply = \"Stays.\" }}"));
    assert_eq!(findings_of(&page_of(&sound)), []);
    for (second, place, message, help) in [
        ("", (19, 9), "at least 2 wrong places, this one has 1", "wrong = ["),
        ("{ set = { b1 = 2.01 }, reply = \"So.\" }", (21, 32), "from the right one", "smaller"),
        ("{ place = \"skinned(3)\", reply = \"So.\" }", (21, 33), "from the right one", "smaller"),
        ("{ set = { b1 = -1.01 }, reply = \"So.\" }", (21, 33), "from wrong place 1", "another"),
        ("{ place = \"x(v3)\", reply = \"So.\" }", (21, 11), "a number", "joint_matrix(1)"),
        ("{ place = \"stored(9)\", reply = \"So.\" }", (21, 12), "vertex 9", "4 vertices"),
        ("{ set = { b7 = 1 }, reply = \"So.\" }", (21, 16), "no parameter `b7`", "`b0`"),
    ] {
        expect(&predict(&format!("{down}\n{second}")), place, message, help);
    }
    let same = predict(&format!("{down}\n{down}"));
    expect(&same, (21, 30), "wrong place 2 is 0.0000 from wrong place 1", "another");
}

#[test]
fn unknown_settings_of_variants_are_reported() {
    let compare = |set: &str| {
        format!(
            "```compare\nvariants = [{{ label = \"a\" }}, {{ label = \"b\", set = {{ {set} }} }}]\n```"
        )
    };
    let sound = compare("method = \"rigid\", b1 = 1");
    let findings = findings_of(&format!("{HEAD}## S\n\n{sound}\n\nProse.\n"));
    assert_eq!(findings, []);
    expect(&compare("b8 = 1"), (14, 58), "no parameter `b8`", "`b0`");
    expect(&compare("through = 5"), (14, 63), "no joint 5", "2 joints");
}

fn titles(rig: &str, set: &str, body: &str) -> Vec<String> {
    let text = format!(
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"{rig}\"\n+++\n\n```viewport main\n```\n\n\
         ## One\n\n```set\n{set}\n```\n\nWords.\n\n```faults it\n{body}\n```\n"
    );
    let set = LessonSet::from_memory(&[("20-t", &text, "Notes.\n")], "");
    let found = check_lessons(&set, &|id| builtin(id));
    found.into_iter().map(|finding| finding.title).collect()
}

#[test]
fn fault_without_effect_is_reported() {
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
fn hidden_faults_with_equal_numbers_are_reported() {
    // The two faults equal each other if B is a pure translation: B⁻¹ W, and W B⁻¹ without
    // its last column, are both the rotation of W.
    let body = "faults = [\"order-swapped\", \"translation-dropped\"]";
    assert_eq!(titles("arm", "bend = 0.8", body), [""; 0], "switches may");
    let hidden = format!("diagnose = true\n{body}");
    assert_eq!(
        titles("arm", "bend = 0.8", &hidden),
        ["the faults `order-swapped` and `translation-dropped` give the same numbers at this step"]
    );
    assert_eq!(titles("tentacle", "b1 = 0.8\nb2 = 0.4", &hidden), [""; 0]);
}

#[test]
fn a_stop_names_a_line_of_a_listing_in_its_step() {
    let step = |line: &str| {
        format!(
            "```set\njoint = 0\n```\n```rust\nlet a = 1;\nlet b = 2;\n```\n```stops loop\n\
             label = \"Loop\"\nstops = [{{ label = \"a\", line = \"let a\", set = {{ joint = 0 }} }}, \
             {{ label = \"b\", line = \"{line}\", set = {{ joint = 1 }} }}]\n```"
        )
    };
    assert!(findings_of(&page_of(&step("let b"))).is_empty());
    let found = findings_of(&page_of(&step("let c")));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].title, "no line of a listing in this step has `let c`");
}
