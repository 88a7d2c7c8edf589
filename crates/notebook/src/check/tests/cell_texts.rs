use super::*;

/// A check whose parts are these; `solved` stands in line 20.
fn check_with(ask: &str, solved: &str) -> String {
    format!(
        "```check it\nask = {ask}\nlabel = \"b1\"\nmeasure = \"2*b1/2\"\ngoal = \"1\"\ntolerance = 0.01\nsolution = {{ b1 = 1 }}\nsolved = {solved}\n```\n\n```angles\nparams = [\"b1\"]\n```"
    )
}

#[test]
fn numbers_in_texts_of_cells_are_checked_where_they_stand() {
    let sound = check_with(
        "\"Bring it from [0.50](param:b1) **up**, $x$ times.\"",
        "\"It is [1.00](param:b1), [0.50](start:b1) at first.\"",
    );
    assert_eq!(findings_of(&page_of(&sound)), []);
    let wrong = check_with("\"From [0.70](param:b1).\"", "\"So.\"");
    expect(&wrong, (14, 14), "prints 0.50", "[0.50]");
    // What is said of a solution speaks of the page with the solution.
    let wrong = check_with("\"Up.\"", "\"It is [0.50](param:b1).\"");
    expect(&wrong, (20, 18), "when this is read this prints 1.00", "[1.00]");
    // Behind escapes of TOML, and in strings of several lines.
    let wrong = check_with("\"A \\\"b\\\" \\u00e9 [1](term:nothing).\"", "\"So.\"");
    expect(&wrong, (14, 32), "no term `nothing`", "");
    let wrong = check_with("'''\nA\n[1](term:nothing).'''", "\"So.\"");
    expect(&wrong, (16, 10), "no term `nothing`", "");
}

#[test]
fn the_answer_to_a_guess_speaks_of_what_was_set() {
    let guess = |why: &str| {
        format!(
            "```predict\nask = \"Where?\"\nvertex = 3\nset = {{ b1 = 2 }}\nclose = 0.2\nwhy = \"{why}\"\n```"
        )
    };
    assert_eq!(findings_of(&page_of(&guess("At [2.00](param:b1)."))), []);
    expect(&guess("At [0.50](param:b1)."), (18, 12), "prints 2.00", "");
}

#[test]
fn formulas_of_cells_are_read_and_labels_have_no_links() {
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
fn texts_with_draws_are_filled_before_they_are_read() {
    let check = |ask: &str| {
        format!(
            "```check it\nask = '{ask}'\ndraws = [{{ to = 1 }}, {{ to = 2 }}]\nlabel = \"b1\"\nmeasure = \"2*b1/2\"\ngoal = \"{{to}}\"\ntolerance = 0.01\nsolution = {{ b1 = \"{{to}}\" }}\nsolved = \"[{{to:0.0}}](param:b1)\"\n```\n\n```angles\nparams = [\"b1\"]\n```"
        )
    };
    let sound = "To $\\frac{ {to:0} }{1}$, **{to:0.0}**.";
    assert_eq!(findings_of(&page_of(&check(sound))), []);
    // Told once, though both draws have it; after what is filled in.
    let wrong = check("To {to:0.000} or [a](term:nothing).");
    expect(&wrong, (14, 34), "no term `nothing`", "");
    let wrong = check("To {to:0.0}, [1.0](value:b1+0.5).");
    assert_eq!(findings_of(&page_of(&wrong)).len(), 1, "b1 changes");
}
