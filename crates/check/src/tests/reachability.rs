//! Exercises out of reach, units, repeated figures and names that not every model has.

use super::*;

fn check_of(more: &str) -> String {
    format!("```check\nask = \"Bring it there.\"\nlabel = \"it\"\n{more}\nsolved = \"So.\"\n```")
}

#[test]
fn exercise_out_of_reach_suggests_a_control() {
    for (more, place, message, help) in [
        (
            "measure = \"b1\"\ngoal = \"1\"\ntolerance = 0.01\nunit = \"°\"\nsolution = { b1 = 1 }",
            (20, 19),
            "changes `b1`, and the step offers nothing",
            "angles with params = [\"b1\"], or a number to drag in the prose: [0.50](param:b1)",
        ),
        (
            "measure = \"gain\"\ngoal = \"1\"\ntolerance = 0.01\nsolution = { gain = 1 }",
            (19, 21),
            "changes `gain`",
            "[0.50](param:gain)",
        ),
        (
            "measure = \"sum(v2)\"\ngoal = \"0\"\ntolerance = 0.01\nsolution-edits = { \"weights.2\" = \"0,0,0,0\" }",
            (19, 34),
            "changes `weights.2`",
            "add a cell weights with vertices = [2]",
        ),
        (
            "measure = \"weight(v2,0)\"\ngoal = \"1\"\ntolerance = 0.01\nsolution-edits = { \"joints.2\" = \"0,1,0,0\", \"weights.2\" = \"1,0,0,0\" }\nplace = [0, 0, 0]",
            (19, 33),
            "changes `joints.2`",
            "sliders = true",
        ),
        (
            "measure = \"joint_from_bind(1,0,3)\"\ngoal = \"2\"\ntolerance = 0.01\nsolution-edits = { \"inverse-bind.1\" = \"1,0,0,0,0,1,0,0,0,0,1,0,2,0,0,1\" }",
            (19, 39),
            "changes `inverse-bind.1`",
            "show = [\"joint_from_bind(1)\"]",
        ),
    ] {
        let text = page_of(&check_of(more));
        // A table of weights makes them reachable, but not the joints.
        let text = if more.contains("joints.2") {
            text.replace("Prose.", "Prose.\n\n```weights\n```")
        } else {
            text
        };
        let findings = findings_of(&text);
        assert_eq!(findings.len(), 1, "{more}: {findings:#?}");
        let at = LineColumn { line: place.0, column: place.1 };
        let wrong = &findings[0];
        assert_eq!(wrong.at, Within::text("lessons/20-x/lesson.md", at), "{wrong}");
        assert!(wrong.sentence().contains(message), "{wrong}");
        assert!(wrong.help.contains(help), "{wrong}");
    }
    let exercise =
        check_of("measure = \"gain\"\ngoal = \"1\"\ntolerance = 0.01\nsolution = { gain = 1 }");
    for offer in [
        "[0.25](param:gain)",
        "[one](set:gain=1)",
        "```angles\nparams = [\"gain\"]\n```",
        "```stops\nlabel = \"l\"\nstops = [{ label = \"a\", set = { gain = 1 } }, { label = \"b\", set = { gain = 0 } }]\n```",
        "```plot\nsweep = \"gain\"\nfrom = 0\nto = 1\nlines = [{ label = \"\", expr = \"gain\" }]\n```",
    ] {
        let findings = findings_of(&page_of(&format!("{exercise}\n\n{offer}")));
        assert_eq!(findings, [], "{offer}");
    }
}

#[test]
fn missing_and_out_of_range_solutions_are_reported() {
    let gain = |goal: &str, rest: &str| {
        let measure = format!("measure = \"gain\"\ngoal = \"{goal}\"\ntolerance = 0.01\n{rest}");
        format!("{}\n\n[0.25](param:gain)", check_of(&measure))
    };
    expect(
        &gain("1", ""),
        (13, 1),
        "the exercise has no solution",
        "solution = { b1 = \"30deg\" }, or solution-edits = {",
    );
    expect(
        &gain("1", "solution = { gain = 3 }"),
        (19, 21),
        "`gain` goes from 0 to 1, and cannot be 3",
        "write a value from 0 to 1",
    );
    expect("```set\ngain = -1\n```", (14, 1), "cannot be −1", "from 0 to 1");
    expect("[g](set:gain=2)", (13, 9), "cannot be 2", "from 0 to 1");
}

#[test]
fn angle_without_a_unit_is_in_radians() {
    let param = "[params.wag]\ndefault = 0\nrange = [\"-45deg\", \"45deg\"]\nangle = true\n+++\n";
    let head = HEAD.replacen("+++\n```", &format!("{param}```"), 1);
    for (value, help) in [("20", "write \"20deg\""), ("90", "write a value from −45° to 45°")] {
        let text = format!("{head}## S\n\n```set\nwag = {value}\n```\n");
        let found = findings_of(&text);
        let wrong = found.iter().find(|one| one.sentence().contains("cannot be"));
        let finding = wrong.expect("a finding").to_string();
        assert!(finding.contains(help), "{finding}");
    }
}

#[test]
fn two_questions_in_a_step_are_found() {
    let guess = "```predict\nask = \"Where?\"\nvertex = 3\nset = { b1 = 2 }\nclose = 0.1\nwhy = \"There.\"\nwrong = [{ set = { b1 = -1 }, reply = \"Down.\" }, { set = { b1 = 1 }, reply = \"Less.\" }]\n```\n\n";
    let two = findings_of(&format!("{HEAD}## S\n\nProse.\n\n{guess}{guess}"));
    let titles: Vec<_> = two.iter().map(Diagnostic::sentence).collect();
    assert_eq!(titles, ["the step has 2 cells `predict`"]);
    assert_eq!(two[0].at.to_string(), "lessons/20-x/lesson.md:11:1");
    let open = check_of(
        "measure = \"gain\"\ngoal = \"1\"\ntolerance = 0.01\nsecret = true\nsolution = { gain = 1 }",
    );
    let page = format!("{HEAD}## S\n\n[0.25](param:gain)\n\n{open}\n\n");
    assert_eq!(findings_of(&page), []);
    let both = findings_of(&format!("{page}{guess}"));
    let titles: Vec<_> = both.iter().map(Diagnostic::sentence).collect();
    assert_eq!(titles, ["the step asks 2 questions"]);
    assert!(both[0].help.contains("make two steps"));
}

#[test]
fn a_goal_that_is_an_angle_has_a_unit() {
    let with = |measure: &str, goal: &str| {
        let body = check_of(&format!(
            "measure = \"{measure}\"\ngoal = \"{goal}\"\ntolerance = 0.01\nsolution = {{ b1 = \"30deg\" }}"
        ));
        format!("{body}\n\n[28.6°](param:b1)")
    };
    for (measure, goal) in
        [("b1", "pi/6"), ("0.5*b1+b1/2", "30deg"), ("angle_between(0,1)", "pi/6")]
    {
        expect(
            &with(measure, goal),
            (17, 8),
            "the goal is an angle and is shown as 0.52, in radians",
            "add unit = \"°\"",
        );
    }
    let sine = with("sin(b1)", "sin(30deg)");
    assert_eq!(findings_of(&page_of(&sine)), []);
    let with_unit = with("b1", "30deg").replace("tolerance", "unit = \"°\"\ntolerance");
    assert_eq!(findings_of(&page_of(&with_unit)), []);
}

#[test]
fn repeated_variants_unreachable_sweeps_and_wrong_products_are_reported() {
    expect(
        "```compare\nvariants = [{ label = \"a\", set = { b1 = 1 } }, { label = \"b\", set = { b1 = 1 } }]\n```",
        (14, 58),
        "the variant `b` shows what an earlier one shows",
        "what is different",
    );
    let plot = |from: &str, to: &str| {
        format!(
            "```plot\nsweep = \"b0\"\nfrom = {from}\nto = {to}\nlines = [{{ label = \"\", expr = \"1\" }}]\n```"
        )
    };
    assert_eq!(findings_of(&page_of(&plot("-3", "3"))), []);
    expect(
        &plot("-3", "\"400deg\""),
        (16, 6),
        "sweeps `b0` to 400°, and it goes from −360° to 360°",
        "write a value from −360° to 360°",
    );
    let product = |show: &str| format!("```matrix\nproduct = true\nshow = [{show}]\n```");
    let sound = "\"world_from_joint(1)\", \"joint_from_bind(1)\", \"world_from_bind(1)\"";
    assert_eq!(findings_of(&page_of(&product(sound))), []);
    expect(
        &product("\"joint_from_bind(1)\", \"world_from_joint(1)\""),
        (15, 31),
        "do not meet: The left factor starts from bind, but the right factor leads into world",
        "A←B times B←C",
    );
    expect(
        &product("\"world_from_joint(1)\", \"joint_from_bind(1)\", \"parent_from_joint(1)\""),
        (15, 54),
        "the product is world from bind, and joint 0 from joint 1 stands in its place",
        "name the product last",
    );
}

#[test]
fn two_steps_of_one_title_are_found() {
    let findings = findings_of(&format!("{HEAD}## S\n\nProse.\n\n## S\n\nProse.\n"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].sentence(), "there is a step `S` already");
    assert_eq!(findings[0].at.to_string(), "lessons/20-x/lesson.md:15:1");
}

#[test]
fn own_model_lesson_cannot_name_parts_of_one_model() {
    let head = HEAD.replace("\"pair\"", "\"own\"");
    let own = |id: &str| (id == "whale").then(|| Arc::new(rig()));
    let findings = |body: &str| {
        let text = format!("{head}## S\n\n{body}\n\nProse.\n");
        let set = LessonSet::from_memory(&[("20-x", &text, "Notes.\n")], GLOSSARY);
        check_lessons(&set, &own)
    };
    for (body, what) in [
        ("[29°](param:b1)", "parameter `b1`"),
        ("[0.5](value:b1)", "parameter `b1`"),
        ("[2](value:bind_y(v3))", "vertex 3"),
        ("[0](value:weight(v0,1))", "joint 1"),
        ("[j](joint:1)", "joint 1"),
        ("[j](joint:body)", "joint `body`"),
        ("```set\njoint = \"body\"\n```", "joint `body`"),
        ("```matrix\nshow = [\"world_from_joint(body)\"]\n```", "joint `body`"),
        ("```set\ntexel.body.0 = \"1,0,0,0\"\n```", "joint `body`"),
        ("[v](vertex:2)", "vertex 2"),
        ("```set\nclip = \"swim\"\n```", "clip `swim`"),
        ("```set\nb0 = 1\n```", "parameter `b0`"),
        ("```set\nweights.3 = \"1,0,0,0\"\n```", "vertex 3"),
        ("```set\nbytes.0.0 = \"00\"\n```", "bytes"),
        ("```angles\nparams = [\"b0\"]\n```", "parameter `b0`"),
        ("```matrix\nshow = [\"skin_matrix(v2)\"]\n```", "vertex 2"),
        (
            "```check\nask = \"Bring it.\"\nlabel = \"it\"\nmeasure = \"b1\"\ngoal = \"1\"\ntolerance = 0.1\nunit = \"°\"\nsolution = { all = 1 }\nsolved = \"So.\"\n```",
            "parameter `b1`",
        ),
    ] {
        let found = findings(body);
        assert_eq!(found.len(), 1, "{body}: {found:#?}");
        let expected = format!("not every model has {what}");
        assert!(found[0].sentence().starts_with(&expected), "{}", found[0]);
        assert!(found[0].help.contains("stands for any model"));
    }
    for sound in [
        "[2](value:joints()) [0.25](param:gain) [v](vertex:0) [j](joint:0) [0](value:bind_x(v0))",
        "```set\nclip = \"none\"\nall = 0\nweights.0 = \"1,0,0,0\"\n```",
    ] {
        assert_eq!(findings(sound), [], "{sound}");
    }
}
