//! The prose of steps, and texts of cells.

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
fn step_with_more_than_220_words_is_reported() {
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

const GUESS: &str = "```predict\nask = \"Where?\"\nvertex = 3\nset = { b1 = 2 }\nclose = 0.2\nwhy = \"So.\"\nwrong = [{ set = { b1 = -1 }, reply = \"Down.\" }, { set = { b1 = 1 }, reply = \"Less.\" }]\n```\n";

#[test]
fn prose_below_a_guess_is_reported() {
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
fn question_with_a_printed_goal_is_reported() {
    let check = |ask: &str, more: &str| {
        format!(
            "## S\n\n[0.5](param:b1)\n\n```check\nask = \"{ask}\"\nlabel = \"it\"\nmeasure = \"b1*1\"\ngoal = \"1\"\ntolerance = 0.01\nsolution = {{ b1 = 1 }}\nsolved = \"So.\"\n{more}\n```\n"
        )
    };
    let none = |body: String| assert_eq!(findings_of(&format!("{HEAD}{body}")), [], "{body}");
    none(check("Bring it to 1.", ""));
    none(check("Where must it go?", "secret = true"));
    let printed = check("Where must it go?", "");
    expect_at(&printed, 16, "TOLD_ANSWER", "`secret = true`");
}

/// A check cell with these texts. `solved` is in line 20.
fn check_with(ask: &str, solved: &str) -> String {
    format!(
        "```check it\nask = {ask}\nlabel = \"b1\"\nmeasure = \"2*b1/2\"\ngoal = \"1\"\ntolerance = 0.01\nsolution = {{ b1 = 1 }}\nsolved = {solved}\n```\n\n```angles\nparams = [\"b1\"]\n```"
    )
}

#[test]
fn numbers_in_cell_texts_are_checked() {
    let sound = check_with(
        "\"Bring it from [0.50](param:b1) **up**, $x$ times.\"",
        "\"It is [1.00](param:b1), [0.50](start:b1) at first.\"",
    );
    assert_eq!(findings_of(&page_of(&sound)), []);
    let wrong = check_with("\"From [0.70](param:b1).\"", "\"So.\"");
    expect(&wrong, (14, 14), "prints 0.50", "[0.50]");
    // The reply to a solution describes the page with the solution.
    let wrong = check_with("\"Up.\"", "\"It is [0.50](param:b1).\"");
    expect(&wrong, (20, 18), "when this is read this prints 1.00", "[1.00]");
    // Positions account for escapes and multi-line strings of TOML.
    let wrong = check_with("\"A \\\"b\\\" \\u00e9 [1](term:nothing).\"", "\"So.\"");
    expect(&wrong, (14, 32), "no term `nothing`", "");
    let wrong = check_with("'''\nA\n[1](term:nothing).'''", "\"So.\"");
    expect(&wrong, (16, 10), "no term `nothing`", "");
}

#[test]
fn reply_to_a_guess_describes_the_revealed_page() {
    let guess = |why: &str| {
        format!(
            "```predict\nask = \"Where?\"\nvertex = 3\nset = {{ b1 = 2 }}\nclose = 0.2\nwhy = \"{why}\"\nwrong = [{{ set = {{ b1 = -1 }}, reply = \"Down.\" }}, {{ set = {{ b1 = 1 }}, reply = \"Less.\" }}]\n```"
        )
    };
    assert_eq!(findings_of(&page_of(&guess("At [2.00](param:b1)."))), []);
    expect(&guess("At [0.50](param:b1)."), (18, 12), "prints 2.00", "");
}

#[test]
fn unsupported_markup_in_cell_texts_is_reported() {
    let note = |text: &str| format!("```note\ntitle = \"A\"\ntext = {text}\n```");
    assert_eq!(findings_of(&page_of(&note("'$\\frac{1}{2}$'"))), []);
    let latex = "the formula cannot be typeset";
    expect(&note("'a $x\\nothing{1}$'"), (15, 13), latex, "KaTeX");
    expect(&note("\"a $x\\\\nothing{1}$\""), (15, 13), latex, "KaTeX");
    let unshown = "cannot show";
    expect(&note("'''\n### A\n'''"), (16, 1), unshown, "paragraphs");
    expect(&note("'''\n> A\n'''"), (16, 1), unshown, "paragraphs");
    expect(&note("'a[^1]'"), (15, 10), "does not show a footnote", "in the text");
    let title = "```note\ntitle = \"[a](term:joint)\"\ntext = \"b\"\n```";
    expect(title, (14, 10), "cannot show a link", "emphasis");
    let title = "```note\ntitle = \"a\\n\\nb\"\ntext = \"b\"\n```";
    expect(title, (14, 10), "more than one paragraph", "one paragraph");
}

#[test]
fn texts_with_draws_are_filled_in_before_the_check() {
    let check = |ask: &str| {
        format!(
            "```check it\nask = '{ask}'\ndraws = [{{ to = 1 }}, {{ to = 2 }}]\nlabel = \"b1\"\nmeasure = \"2*b1/2\"\ngoal = \"{{to}}\"\ntolerance = 0.01\nsolution = {{ b1 = \"{{to}}\" }}\nsolved = \"[{{to:0.0}}](param:b1)\"\n```\n\n```angles\nparams = [\"b1\"]\n```"
        )
    };
    let sound = "To $\\frac{ {to:0} }{1}$, **{to:0.0}**.";
    assert_eq!(findings_of(&page_of(&check(sound))), []);
    // Reported once for both draws, at the position after the filled-in number.
    let wrong = check("To {to:0.000} or [a](term:nothing).");
    expect(&wrong, (14, 34), "no term `nothing`", "");
    let wrong = check("To {to:0.0}, [1.0](value:b1+0.5).");
    assert_eq!(findings_of(&page_of(&wrong)).len(), 1, "b1 changes");
}
