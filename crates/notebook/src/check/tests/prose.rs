use super::*;

fn expect_at(body: &str, line: usize, code: &str, help: &str) {
    let findings = findings_of(&format!("{HEAD}{body}"));
    assert_eq!(findings.len(), 1, "{body}: {findings:#?}");
    let finding = &findings[0];
    assert_eq!(finding.code, code, "{finding}");
    assert!(finding.help.contains(help), "{finding}");
    let Within::Text { at, .. } = &finding.at else {
        panic!("{finding}");
    };
    assert_eq!(at.line, line, "{finding}");
}

#[test]
fn a_step_of_more_than_220_words_is_told() {
    let words = |count| "word ".repeat(count);
    let sound = format!("## S\n\n{}\n", words(220));
    assert_eq!(findings_of(&format!("{HEAD}{sound}")), []);
    let long = format!("## S\n\nOne.\n\n## T\n\n{}\n", words(221));
    expect_at(&long, 15, "LONG_STEP", "make two steps");
    // Formulas and numbers are words; listings and dashes are none.
    let mixed = format!(
        "## S\n\n{} $x + y$, [0.25](param:gain) – `a b`.\n\n```text\n{}\n```\n\n- {}\n",
        words(200),
        words(100),
        words(16)
    );
    assert_eq!(findings_of(&format!("{HEAD}{mixed}")), []);
    let errata = format!(
        "## S\n\n{}\n\n```errata\nclaim = \"A b.\"\ncorrection = \"C d.\"\nwhy = \"{}\"\n```\n",
        words(110),
        words(107)
    );
    expect_at(&errata, 11, "LONG_STEP", "shorten");
}

const GUESS: &str =
    "```predict\nask = \"Where?\"\nvertex = 3\nset = { b1 = 2 }\nclose = 0.2\nwhy = \"So.\"\n```\n";

#[test]
fn prose_below_a_guess_tells_its_answer() {
    let errata = "```errata\nclaim = \"a\"\ncorrection = \"b\"\nwhy = \"c\"\n```\n";
    let above =
        format!("## S\n\nProse.\n\n{GUESS}\n```text\nlisting\n```\n\n{errata}\n## T\n\nProse.\n");
    assert_eq!(findings_of(&format!("{HEAD}{above}")), []);
    for below in ["It went up.", "- up", "| a |\n| - |\n| 1 |"] {
        let body = format!("## S\n\nProse.\n\n{GUESS}\n{below}\n");
        expect_at(&body, 15, "TOLD_ANSWER", "above the guess");
    }
}

#[test]
fn a_question_whose_goal_is_printed_tells_its_answer() {
    let check = |ask: &str, more: &str| {
        format!(
            "## S\n\n[0.5](param:b1)\n\n```check\nask = \"{ask}\"\nlabel = \"it\"\nmeasure = \"b1*1\"\ngoal = \"1\"\ntolerance = 0.01\nsolution = {{ b1 = 1 }}\nsolved = \"So.\"\n{more}\n```\n"
        )
    };
    let none = |body: String| assert_eq!(findings_of(&format!("{HEAD}{body}")), [], "{body}");
    none(check("Bring it to 1.", ""));
    none(check("Where must it go?", "secret = true"));
    let told = check("Where must it go?", "");
    expect_at(&told, 16, "TOLD_ANSWER", "`secret = true`");
}
