//! Reports on small classes, compared with numbers counted by hand.

use std::sync::Arc;

use bindpose_class_protocol::{
    AnswerKey, LessonProgress, QuestionAddress, Round, StudentId, StudentNames, StudentRecord,
    StudentView,
};
use bindpose_lesson::{CellKind, LessonSet};
use bindpose_notebook::faults::fault_of_draw;
use bindpose_rigs::builtin;
use serde_json::{Value, json};

use super::*;
use crate::handout::{HandoutLook, RoleColors};

const LESSON: &str = "bind-pose";

fn student(id: u32, name: &str) -> StudentView {
    let record = StudentRecord { name: name.to_owned(), ..StudentRecord::default() };
    StudentView { id: StudentId(id), is_here: true, record }
}

/// Adds a student's answers of both rounds. An empty string is no answer.
fn add_answers(student: &mut StudentView, lesson: &str, cell: &str, draw: u32, answers: [&str; 2]) {
    let question = QuestionAddress { lesson: lesson.into(), cell: cell.into(), draw };
    for (round, text) in [Round::First, Round::Second].into_iter().zip(answers) {
        if !text.is_empty() {
            let key = AnswerKey { question: question.clone(), round };
            Arc::make_mut(&mut student.record.answers).insert(key, text.to_owned());
        }
    }
}

fn progress(seen: &[u16], solved: &[u16], inventory: &[(&str, u8)]) -> LessonProgress {
    let inventory = inventory.iter().map(|(id, option)| ((*id).to_owned(), *option));
    LessonProgress {
        seen: seen.iter().copied().collect(),
        solved: solved.iter().copied().collect(),
        inventory: inventory.collect(),
    }
}

fn report(set: &LessonSet, students: &[StudentView], names: StudentNames) -> ClassReport {
    let students = students.iter().collect();
    let class = ReportedClass { students, names, room: "K7QF", day: Some("2026-11-22".into()) };
    ClassReport::new(&class, set, &builtin)
}

fn value(report: &ClassReport) -> Value {
    serde_json::from_slice(&report.json().unwrap()).unwrap()
}

fn html(report: &ClassReport) -> String {
    let look =
        HandoutLook { light: RoleColors::default(), dark: RoleColors::default(), face: |_| None };
    String::from_utf8(report.html(&look)).unwrap()
}

/// Six students in one lesson, some with invalid answers.
fn class_of_six() -> Vec<StudentView> {
    let names = ["Ada Lovelace", "Bo", "Cem", "Dara", "", "Fay"];
    let mut class: Vec<StudentView> =
        (0..).zip(names).map(|(id, name)| student(id, name)).collect();
    let choices = [["1", "2"], ["2", "2"], ["2", "1"], ["3", "1"], ["1", "2"], ["", "2"]];
    let guesses = ["0.25,3.5,0", "0.25,3.9,0", "0.25,2,0", "a,b,c", "nan,0,0", "1,2"];
    for ((student, choices), guess) in class.iter_mut().zip(choices).zip(guesses) {
        add_answers(student, LESSON, "string", 0, choices);
        add_answers(student, LESSON, "chin", 0, [guess, ""]);
    }
    add_answers(&mut class[0], LESSON, "measured", 1, ["1.7", "-0.1"]);
    add_answers(&mut class[1], LESSON, "measured", 1, ["−0.1", "far"]);
    add_answers(&mut class[2], LESSON, "lift", 0, ["solved", "nonsense"]);
    // Options of the inventory's questions. There is no option 9.
    let held = 2;
    let right = 1;
    for (index, before, after) in
        [(0, held, held), (1, held, right), (2, right, held), (3, held, 9)]
    {
        let inventory = [("head-above-its-joint", before), ("grid-at-rest", after)];
        let progress = progress(&[0, 1, 99], &[0, 2, 99], &inventory);
        Arc::make_mut(&mut class[index].record.lessons).insert(LESSON.to_owned(), progress);
    }
    Arc::make_mut(&mut class[4].record.lessons)
        .insert(LESSON.to_owned(), progress(&[1], &[], &[("none", 1)]));
    class
}

#[test]
fn a_class_is_counted_by_step_question_and_misconception() {
    let report = value(&report(&LessonSet::embedded(), &class_of_six(), StudentNames::Initials));
    assert_eq!(report["format"], "bindpose-class-report");
    assert_eq!((&report["version"], &report["room"]), (&json!(1), &json!("K7QF")));
    assert_eq!(report["lessons"].as_array().unwrap().len(), 1);
    let lesson = &report["lessons"][0];
    assert_eq!((&lesson["number"], &lesson["opened"]), (&json!(20), &json!(5)));
    let steps = &lesson["steps"];
    assert_eq!((&steps[0]["seen"], &steps[0]["solved"]), (&json!(4), &json!(4)));
    assert_eq!((&steps[1]["seen"], &steps[1]["solved"]), (&json!(5), &json!(0)));
    let unseen = (&steps[2]["seen"], &steps[2]["solved"]);
    assert_eq!(unseen, (&json!(0), &json!(0)), "solved but never seen");

    let string = &lesson["questions"][0];
    assert_eq!(
        (&string["number"], &string["step"], &string["cell"]),
        (&json!(1), &json!(1), &json!("string"))
    );
    assert_eq!(string["answered"], json!({ "alone": 5, "after_talking": 6 }));
    assert_eq!(string["right"], json!({ "alone": 2, "after_talking": 4 }));
    assert_eq!((&string["changed_to_right"], &string["changed_away"]), (&json!(2), &json!(1)));
    let answers: Vec<_> = string["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| {
            (
                count["answer"].as_str().unwrap(),
                count["right"].as_bool(),
                count["alone"].as_u64(),
                count["after_talking"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        answers,
        [
            ("About two units", Some(true), Some(2), Some(4)),
            ("A quarter of a unit", Some(false), Some(2), Some(2)),
            ("About four units", Some(false), Some(1), Some(0)),
        ]
    );

    let misconception = &lesson["misconceptions"][0];
    assert_eq!(
        (
            &misconception["misconception"],
            &misconception["held_before"],
            &misconception["answered_before"]
        ),
        (&json!("M-01"), &json!(3), &json!(4))
    );
    assert_eq!(
        (&misconception["held_after"], &misconception["answered_after"], &misconception["remains"]),
        (&json!(2), &json!(3), &json!(1)),
        "there is no answer 9"
    );
    assert_eq!(lesson["misconceptions"].as_array().unwrap().len(), 1);
}

fn find_question<'v>(questions: &'v [Value], cell: &str) -> &'v Value {
    questions.iter().find(|question| question["cell"] == cell).unwrap()
}

#[test]
fn guesses_and_numbers_are_judged_against_the_state_in_which_the_step_opens() {
    let report = value(&report(&LessonSet::embedded(), &class_of_six(), StudentNames::None));
    let questions = report["lessons"][0]["questions"].as_array().unwrap();
    let chin = find_question(questions, "chin");
    assert_eq!(chin["right_answer"], "(0.25, 3.50, 0.00)");
    assert_eq!((&chin["answered"]["alone"], &chin["right"]["alone"]), (&json!(3), &json!(1)));
    let median = chin["distance"]["median"]["alone"].as_f64().unwrap();
    assert!((median - 0.4).abs() < 1e-6, "{median}");
    assert_eq!(chin["distance"]["from_right_place"], true);
    let nearness: Vec<&str> = chin["answers"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|count| count["answer"].as_str())
        .collect();
    assert_eq!(nearness, ["spot on", "not far", "far off"]);

    let measured = find_question(questions, "measured");
    assert_eq!((&measured["draw"], &measured["right_answer"]), (&json!(2), &json!("-0.1")));
    assert_eq!(measured["right"], json!({ "alone": 1, "after_talking": 1 }));
    let mistake = &measured["answers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|count| count["answer"] == "1.7")
        .unwrap();
    assert!(mistake["reply"].as_str().unwrap().contains("counts twice"), "{mistake}");
    let lift = find_question(questions, "lift");
    assert_eq!(lift["answered"], json!({ "alone": 1, "after_talking": 0 }));
    let numbers: Vec<u64> =
        questions.iter().filter_map(|question| question["number"].as_u64()).collect();
    assert_eq!(numbers, (1..=questions.len() as u64).collect::<Vec<_>>());

    let off = &report["students"][1]["lessons"][0]["answers"][1]["alone"]["off"];
    assert!((off.as_f64().unwrap() - 0.4).abs() < 1e-6, "{off}");
}

#[test]
fn diagnoses_are_judged_by_the_hidden_fault() {
    let set = LessonSet::embedded();
    let lesson = set.lessons.iter().find(|lesson| lesson.slug == "debugging").unwrap();
    let cell = lesson.cells().find(|cell| cell.id == "first").unwrap();
    let CellKind::Faults(faults) = &cell.kind else { panic!("a diagnosis") };
    let hidden = fault_of_draw(faults, "first", 0).unwrap();
    let other = faults.faults.iter().find(|fault| **fault != hidden).unwrap();
    let mut class = vec![student(0, "Ada"), student(1, "Ben"), student(2, "Cem")];
    for (student, named) in class.iter_mut().zip([hidden.id, other.id, "no-such-fault"]) {
        add_answers(student, "debugging", "first", 0, [named, ""]);
    }
    let report = value(&report(&set, &class, StudentNames::None));
    let question = &report["lessons"][0]["questions"][0];
    assert_eq!(question["right_answer"], hidden.title);
    assert_eq!(question["answered"]["alone"], 2);
    assert_eq!(question["right"]["alone"], 1);
}

#[test]
fn records_of_unknown_lessons_questions_and_options_are_ignored() {
    let set = LessonSet::embedded();
    let mut strange = student(0, "x");
    for (lesson, cell, draw) in [
        ("none", "string", 0),
        (LESSON, "none", 0),
        (LESSON, "string", 1),
        (LESSON, "string", u32::MAX),
        (LESSON, "apart", 0),
        (LESSON, "main", 0),
    ] {
        add_answers(&mut strange, lesson, cell, draw, ["1", "1"]);
    }
    for text in ["0", "4", "1+1", "", "-1", "99999999999999999999"] {
        add_answers(&mut strange, LESSON, "string", 0, [text, text]);
    }
    let lessons = Arc::make_mut(&mut strange.record.lessons);
    lessons.insert("none".to_owned(), progress(&[0], &[0], &[("after-an-hour", 1)]));
    lessons.insert(LESSON.to_owned(), progress(&[500], &[500], &[("after-an-hour", 0)]));
    let strange = [strange];
    let report = report(&set, &strange, StudentNames::Full);
    let json = value(&report);
    assert_eq!(json["lessons"], json!([]));
    assert_eq!(json["students"], json!([{ "name": "x", "lessons": [] }]));
    assert!(html(&report).contains("Nobody opened a lesson"));
    assert_eq!(String::from_utf8(report.csv()).unwrap().lines().count(), 1);
}

#[test]
fn an_empty_class_has_a_report() {
    let report = report(&LessonSet::embedded(), &[], StudentNames::Full);
    assert!(html(&report).contains("0 students"));
}

const WORD_LESSON: &str = "+++\ntitle = \"A, \\\"B\\\" & <C>\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
    ## One\n\n```ask word\nask = \"Which word?\"\nwords = [\"palette\"]\nelse = \"No.\"\nwhy = \"Yes.\"\n```\n";

/// Students who try to run code on the teacher's computer.
fn hostile_report() -> ClassReport {
    let set = LessonSet::from_memory(&[("20-t", WORD_LESSON, "")], "");
    let mut one = student(0, "<script>alert(1)</script>\u{202e}");
    add_answers(
        &mut one,
        "t",
        "word",
        0,
        ["\"><img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0"],
    );
    let mut two = student(1, "=HYPERLINK(\"http://x\",\"a\")");
    add_answers(&mut two, "t", "word", 0, ["@SUM(1)", " +1+1"]);
    report(&set, &[one, two], StudentNames::Full)
}

#[test]
fn html_escapes_names_and_answers() {
    let html = html(&hostile_report());
    for tag in ["<script", "<img", "onerror=alert(1)>\"", "<C>"] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;\u{202e}</bdi>"));
    assert!(html.contains("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"));
    assert!(html.contains("20 · A, &quot;B&quot; &amp; &lt;C&gt;"));
}

fn csv_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.replace("\"\"", "\u{1}").chars() {
        let last = fields.len() - 1;
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            '\u{1}' => fields[last].push('"'),
            c => fields[last].push(c),
        }
    }
    fields
}

#[test]
fn csv_has_no_formulas() {
    let csv = String::from_utf8(hostile_report().csv()).unwrap();
    let csv = csv.strip_prefix('\u{feff}').expect("a mark for UTF-8");
    let rows: Vec<Vec<String>> = csv.split_terminator("\r\n").map(csv_fields).collect();
    assert!(rows.iter().all(|row| row.len() == 12), "{rows:?}");
    assert_eq!(rows.len(), 1 + 2 * (1 + 2), "a step and two rounds each");
    for row in &rows {
        assert!(
            row.iter().all(|field| !field.trim_start().starts_with(['=', '+', '@'])),
            "{row:?}"
        );
    }
    assert_eq!(
        rows[6],
        [
            "'=HYPERLINK(\"http://x\",\"a\")",
            "20",
            "A, \"B\" & <C>",
            "1",
            "One",
            "question",
            "Which word?",
            "after talking",
            "' +1+1",
            "0",
            "",
            ""
        ]
    );

    let csv = String::from_utf8(
        report(&LessonSet::embedded(), &class_of_six(), StudentNames::None).csv(),
    );
    let csv = csv.unwrap();
    let rows: Vec<Vec<String>> = csv.split_terminator("\r\n").map(csv_fields).collect();
    for expected in [
        [(0, "Student 1"), (7, "alone"), (8, "A quarter of a unit"), (9, "0")],
        [(0, "Student 1"), (7, "after talking"), (8, "-0.1"), (9, "1")],
        [(0, "Student 2"), (5, "question"), (10, "0.400"), (9, "0")],
        [(0, "Student 2"), (7, "before the lesson"), (9, "0"), (11, "M-01")],
        [(0, "Student 6"), (5, "step"), (8, "not seen"), (9, "0")],
    ] {
        let is_found =
            rows.iter().any(|row| expected.iter().all(|(column, field)| row[*column] == *field));
        assert!(is_found, "{expected:?}");
    }
}

#[test]
fn names_can_be_left_out() {
    let report = report(&LessonSet::embedded(), &class_of_six(), StudentNames::None);
    let csv = String::from_utf8(report.csv()).unwrap();
    let json = String::from_utf8(report.json().unwrap()).unwrap();
    for text in [csv, json, html(&report)] {
        assert!(text.contains("Student 1"));
        for name in ["Ada", "Lovelace", "Dara"] {
            assert!(!text.contains(name), "{name}");
        }
    }
}
