use super::*;

/// A question for the number, at an angle of b0 and a chosen joint and vertex.
fn question(set: &str, number: &str, tolerance: &str) -> String {
    format!(
        "```set\n{set}\n```\n```ask it\nask = \"How much?\"\nwhy = \"So.\"\nelse = \"No.\"\n\
         number = \"{number}\"\ntolerance = {tolerance}\n```"
    )
}

fn titles(body: &str) -> Vec<String> {
    findings_of(&page_of(body)).iter().map(Diagnostic::sentence).collect()
}

#[test]
fn an_answer_on_the_shelf_is_reported() {
    let set = "b0 = \"36.9deg\"\njoint = 0";
    let found = titles(&question(set, "0.8", "0.01"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("the shelf shows the answer to `it`"), "{found:#?}");
    assert!(found[0].contains("row 1, column 1 of the matrix of joint 0"), "{found:#?}");
    let angle = titles(&question(set, "36.9", "0.01"));
    assert!(angle[0].contains("the angle `b0` is 36.9"), "{angle:#?}");
}

#[test]
fn other_answers_and_parts_that_wait_for_the_answer_are_not_reported() {
    let set = "b0 = \"36.9deg\"\njoint = 0";
    assert!(titles(&question(set, "0.3", "0.01")).is_empty());
    assert!(titles(&question(set, "0", "0.01")).is_empty(), "in nearly every matrix");
    // The formula reads the matrix, so the shelf keeps it back.
    assert!(titles(&question(set, "world_from_bind(0,0,0)", "0.01")).is_empty());
    assert!(titles(&question(set, "b0", "0.01")).is_empty());
    let hidden = format!("{set}\nhide = [\"shelf\"]");
    assert!(titles(&question(&hidden, "0.8", "0.01")).is_empty());
}

#[test]
fn a_right_choice_with_a_number_of_the_shelf_is_reported() {
    let choices = |wrong: &str| {
        format!(
            "```set\nb0 = \"36.9deg\"\njoint = 0\n```\n```ask it\nask = \"How much?\"\nwhy = \"So.\"\n\
             choices = [{{ text = \"About 0.80\", right = true }}, \
             {{ text = \"{wrong}\", reply = \"No.\" }}]\n```"
        )
    };
    assert_eq!(titles(&choices("About 0.30")).len(), 1);
    assert!(titles(&choices("About 0.60")).is_empty(), "the shelf shows both");
}
