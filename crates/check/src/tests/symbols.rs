use super::*;

const HEADS: &str = "## Symbols\n\nOne letter each.\n\n| symbol | what it is | type | frame | first seen |\n| --- | --- | --- | --- | --- |\n";

/// The findings of a lesson with this body and a glossary with these rows.
fn found(body: &str, rows: &str) -> Vec<String> {
    let text = format!("{HEAD}## S\n\nProse {body}\n");
    let glossary = format!("{HEADS}{rows}\n");
    let set = LessonSet::from_memory(&[("20-x", &text, "Notes.\n")], &glossary);
    let findings = check_lessons(&set, &lookup).into_iter();
    findings.map(|finding| finding.to_string()).collect()
}

const ROWS: &str = "| $W_j$ | world matrix | matrix | | [20](lesson:x) |\n| $p$, $p'$ | position | point | | [20](lesson:x) |\n| $j$ | an index | number | | [20](lesson:x) |";

#[test]
fn unknown_symbol_suggests_the_nearest() {
    let sound = r"$p' = \sum_j W_1 \, p$ and $$\mathrm{light} = W_j^{-1} \cos 3$$";
    assert_eq!(found(sound, ROWS), [] as [String; 0]);
    let wrong = found(r"$p' = \sum_j W_j \, P + P$", ROWS);
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    assert!(wrong[0].starts_with("lessons/20-x/lesson.md:13:27: "), "{}", wrong[0]);
    assert!(wrong[0].contains("the table of symbols has no `P`"));
    let several = found(r"$p' = \sum_j V_j \, p_{\mathrm{joint}} + W_j + \theta$", ROWS);
    assert_eq!(several.len(), 3, "{several:#?}");
    assert!(several[0].contains("`V_j`") && several[0].contains("`W_j`"));
}

#[test]
fn symbol_table_is_compared_with_the_lessons() {
    let body = r"$p = \sum_j W_j$";
    let unused = format!("{ROWS}\n| $q$ | nothing | number | | [20](lesson:x) |");
    let wrong = found(body, &unused);
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    assert!(wrong[0].starts_with("lessons/glossary.md:10:4: "), "{}", wrong[0]);
    assert!(wrong[0].contains("no formula of a lesson has `q`"));
    let nowhere = ROWS.replace("[20](lesson:x) |\n| $j$", "[30](lesson:y) |\n| $j$");
    let wrong = found(body, &nowhere);
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    assert!(wrong[0].contains("no lesson `y`"), "{}", wrong[0]);
    let broken = format!("{ROWS}\n| $q r$ | two | number | | [20](lesson:x) |");
    let wrong = found(body, &broken);
    assert!(
        wrong.iter().any(|w| w.contains("glossary.md:10:4: error: expected one symbol")),
        "{wrong:#?}"
    );
}

#[test]
fn wrong_first_lesson_of_a_symbol_is_reported() {
    let lesson = |body: &str| format!("{HEAD}## S\n\nProse {body}\n");
    let first = lesson("$j$");
    let second = lesson("$j = W_2$");
    let rows = "| $W_j$ | world matrix | matrix | | [10](lesson:a) |\n| $j$ | an index | number | | [20](lesson:x) |";
    let set = LessonSet::from_memory(
        &[("10-a", &first, "N."), ("20-x", &second, "N.")],
        &format!("{HEADS}{rows}\n"),
    );
    let found: Vec<String> = check_lessons(&set, &lookup).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("`W_j` is first seen in lesson 20-x"));
    assert!(found[0].contains("write [20](lesson:x)"));
    assert!(found[1].contains("`j` is first seen in lesson 10-a"));
}

#[test]
fn same_letter_in_another_font_is_suggested() {
    let rows = format!("{ROWS}\n| $\\mathrm{{T}}$ | translation | matrix | | [20](lesson:x) |");
    let wrong = found(r"$p = \sum_j W_j \, T$ and $\mathrm{T}$", &rows);
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    assert!(wrong[0].contains(r"write `\mathrm{T}`, or add a row"), "{}", wrong[0]);
}
