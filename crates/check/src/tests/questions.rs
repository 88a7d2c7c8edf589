use super::*;

fn ask(more: &str) -> String {
    format!("```ask it\nask = \"Which?\"\nwhy = \"So.\"\n{more}\n```")
}

/// Expects one finding in this line.
fn wrong(more: &str, line: usize, message: &str) {
    let findings = findings_of(&page_of(&ask(more)));
    assert_eq!(findings.len(), 1, "{more}: {findings:#?}");
    let finding = &findings[0];
    assert!(finding.sentence().contains(message), "{more}: {finding}");
    let Within::Text { at, .. } = &finding.at else {
        panic!("{finding}");
    };
    assert_eq!(at.line, line, "{more}: {finding}");
}

fn sound(more: &str) {
    assert_eq!(findings_of(&page_of(&ask(more))), [], "{more}");
}

#[test]
fn incomplete_questions_are_reported() {
    let choice = "{ text = \"a\", right = true }";
    sound(&format!("choices = [{choice}, {{ text = \"b\", reply = \"No.\" }}]"));
    sound("else = \"No.\"\nwords = [\"joint\"]\nwrong = [{ answer = \"bone\", reply = \"No.\" }]");
    wrong("else = \"No.\"", 14, "this one has 0");
    wrong("else = \"No.\"\nvertex = 1\njoint = 1", 14, "this one has 2");
    wrong("vertex = 1", 13, "lacks `else`");
    wrong("number = \"1\"", 13, "lacks `tolerance`, `else`");
    wrong("else = \"No.\"\nvertex = 1\nunit = \"°\"", 18, "does not go with");
    wrong("else = \"No.\"\nnumber = \"1\"", 13, "lacks `tolerance`");
    wrong("else = \"No.\"\nnumber = \"1\"\ntolerance = 0", 18, "a tolerance above 0");
    wrong(&format!("choices = [{choice}, {{ text = \"b\" }}]"), 16, "needs a reply");
    wrong(&format!("choices = [{choice}, {choice}]"), 16, "one right choice");
    wrong(&format!("choices = [{choice}]"), 16, "2 to 9 choices");
    wrong("else = \"No.\"\norder = [{ text = \"a\" }]", 17, "2 to 6 things");
}

#[test]
fn answers_contradicting_their_formula_are_reported() {
    let choices = |right: &str, wrong: &str| {
        format!(
            "choices = [{{ text = \"a\", right = true, when = \"{right}\" }}, {{ text = \"b\", reply = \"No.\", when = \"{wrong}\" }}]"
        )
    };
    sound(&choices("b1", "b0"));
    wrong(&choices("b0", "b0"), 16, "should be not 0; it is 0.0000");
    wrong(&choices("b1", "b1"), 16, "should be 0; it is 0.5000");
    wrong(&choices("b7", "b0"), 16, "no parameter `b7`");
    let number = |answer: &str| {
        format!(
            "else = \"No.\"\nnumber = \"b1\"\ntolerance = 0.01\nwrong = [{{ answer = \"{answer}\", reply = \"No.\" }}]"
        )
    };
    sound(&number("2*b1"));
    sound(&number("1"));
    wrong(&number("b1"), 19, "is said to be wrong and is right");
    wrong(&number("0.505"), 19, "is said to be wrong and is right");
    wrong(&number("some"), 19, "some");
    let words = "else = \"No.\"\nwords = [\"joint matrix\"]\nwrong = [{ answer = \"Joint-Matrix\", reply = \"No.\" }]";
    wrong(words, 18, "is said to be wrong and is right");
    wrong("else = \"No.\"\nvertex = 9", 17, "no vertex 9");
    let vertex = "else = \"No.\"\nvertex = 1\nwrong = [{ answer = \"1\", reply = \"No.\" }]";
    wrong(vertex, 18, "is said to be wrong and is right");
}

#[test]
fn matrix_order_must_be_the_only_right_one() {
    let order = |items: &[&str], product: &str| {
        let items: Vec<String> = items
            .iter()
            .map(|matrix| format!("{{ text = \"M\", matrix = \"{matrix}\" }}"))
            .collect();
        format!("else = \"No.\"\norder = [{}]\nproduct = \"{product}\"", items.join(", "))
    };
    let world = "world_from_joint(1)";
    let bind = "joint_from_bind(1)";
    sound(&order(&[world, bind], "world_from_bind(1)"));
    wrong(&order(&[bind, world], "world_from_bind(1)"), 17, "do not multiply");
    let same = order(&["world_from_joint(0)", world], "world_from_joint(1)");
    wrong(&same, 17, "in another order");
    wrong(&order(&[world, "joint_from_bind(7)"], world), 17, "no joint 7");
}
