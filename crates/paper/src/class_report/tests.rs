//! Reports of classes whose numbers are known.

use std::sync::Arc;

use bindpose_asset::builtin;
use bindpose_classroom::{
    AnswerKey, LessonProgress, MemberId, QuestionAddress, Round, StudentNames, StudentRecord,
    StudentView,
};
use bindpose_lesson::{CellKind, LessonSet};
use bindpose_notebook::faults::fault_of_draw;
use serde_json::{Value, json};

use super::*;
use crate::handout::{HandoutLook, Roles};

const NECK: &str = "bind-pose";

fn student(id: u32, name: &str) -> StudentView {
    let record = StudentRecord { name: name.to_owned(), ..StudentRecord::default() };
    StudentView { id: MemberId(id), is_here: true, record }
}

fn answer(student: &mut StudentView, lesson: &str, (cell, draw): (&str, u32), given: [&str; 2]) {
    let question = QuestionAddress { lesson: lesson.into(), cell: cell.into(), draw };
    for (round, text) in [Round::First, Round::Second].into_iter().zip(given) {
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
    let look = HandoutLook { light: Roles::default(), dark: Roles::default(), face: |_| None };
    String::from_utf8(report.html(&look)).unwrap()
}

/// Six students in the lesson of the neck.
fn class() -> Vec<StudentView> {
    let names = ["Ada Lovelace", "Bo", "Cem", "Dara", "", "Fay"];
    let mut class: Vec<StudentView> =
        (0..).zip(names).map(|(id, name)| student(id, name)).collect();
    let given = [["1", "2"], ["2", "2"], ["2", "1"], ["3", "1"], ["1", "2"], ["", "2"]];
    let guesses = ["0.25,3.5,0", "0.25,3.9,0", "0.25,2,0", "a,b,c", "nan,0,0", "1,2"];
    for ((one, given), guess) in class.iter_mut().zip(given).zip(guesses) {
        answer(one, NECK, ("string", 0), given);
        answer(one, NECK, ("chin", 0), [guess, ""]);
    }
    answer(&mut class[0], NECK, ("measured", 1), ["1.7", "-0.1"]);
    answer(&mut class[1], NECK, ("measured", 1), ["−0.1", "far"]);
    answer(&mut class[2], NECK, ("lift", 0), ["solved", "nonsense"]);
    let (held, right) = (2, 1);
    for (at, before, after) in [(0, held, held), (1, held, right), (2, right, held), (3, held, 9)] {
        let forms = [("head-above-its-joint", before), ("grid-at-rest", after)];
        let progress = progress(&[0, 1, 99], &[0, 2, 99], &forms);
        Arc::make_mut(&mut class[at].record.lessons).insert(NECK.to_owned(), progress);
    }
    Arc::make_mut(&mut class[4].record.lessons)
        .insert(NECK.to_owned(), progress(&[1], &[], &[("none", 1)]));
    class
}

#[test]
fn a_class_of_six_is_counted_by_step_question_and_misconception() {
    let report = value(&report(&LessonSet::embedded(), &class(), StudentNames::Initials));
    assert_eq!(report["format"], "bindpose-class-report");
    assert_eq!((&report["version"], &report["room"]), (&json!(1), &json!("K7QF")));
    assert_eq!(report["lessons"].as_array().unwrap().len(), 1);
    let lesson = &report["lessons"][0];
    assert_eq!((&lesson["number"], &lesson["opened"]), (&json!(20), &json!(5)));
    let step =
        |at: usize| (lesson["steps"][at]["seen"].clone(), lesson["steps"][at]["solved"].clone());
    assert_eq!(step(0), (json!(4), json!(4)));
    assert_eq!(step(1), (json!(5), json!(0)));
    assert_eq!(step(2), (json!(0), json!(0)), "solved, and never seen");

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
        .map(|one| {
            (
                one["answer"].as_str().unwrap(),
                one["right"].as_bool(),
                one["alone"].as_u64(),
                one["after_talking"].as_u64(),
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

    let one = &lesson["misconceptions"][0];
    assert_eq!(
        (&one["misconception"], &one["held_before"], &one["answered_before"]),
        (&json!("M-01"), &json!(3), &json!(4))
    );
    assert_eq!(
        (&one["held_after"], &one["answered_after"], &one["remains"]),
        (&json!(2), &json!(3), &json!(1)),
        "there is no answer 9"
    );
    assert_eq!(lesson["misconceptions"].as_array().unwrap().len(), 1);
}

#[test]
fn guesses_and_numbers_are_measured_at_the_step_as_it_opens() {
    let report = value(&report(&LessonSet::embedded(), &class(), StudentNames::None));
    let questions = report["lessons"][0]["questions"].as_array().unwrap();
    let of = |cell: &str| questions.iter().find(|one| one["cell"] == cell).unwrap();
    let chin = of("chin");
    assert_eq!(chin["right_answer"], "(0.25, 3.50, 0.00)");
    assert_eq!((&chin["answered"]["alone"], &chin["right"]["alone"]), (&json!(3), &json!(1)));
    let median = chin["distance"]["median"]["alone"].as_f64().unwrap();
    assert!((median - 0.4).abs() < 1e-6, "{median}");
    assert_eq!(chin["distance"]["from_right_place"], true);
    let near: Vec<&str> = chin["answers"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["answer"].as_str())
        .collect();
    assert_eq!(near, ["spot on", "not far", "far off"]);

    let measured = of("measured");
    assert_eq!((&measured["draw"], &measured["right_answer"]), (&json!(2), &json!("-0.1")));
    assert_eq!(measured["right"], json!({ "alone": 1, "after_talking": 1 }));
    let mistake =
        &measured["answers"].as_array().unwrap().iter().find(|one| one["answer"] == "1.7").unwrap();
    assert!(mistake["reply"].as_str().unwrap().contains("counts twice"), "{mistake}");
    assert_eq!(of("lift")["answered"], json!({ "alone": 1, "after_talking": 0 }));
    let numbers: Vec<u64> = questions.iter().filter_map(|one| one["number"].as_u64()).collect();
    assert_eq!(numbers, (1..=questions.len() as u64).collect::<Vec<_>>());

    let off = &report["students"][1]["lessons"][0]["answers"][1]["alone"]["off"];
    assert!((off.as_f64().unwrap() - 0.4).abs() < 1e-6, "{off}");
}

#[test]
fn a_diagnosis_is_judged_by_the_fault_that_was_hidden() {
    let set = LessonSet::embedded();
    let lesson = set.lessons.iter().find(|lesson| lesson.slug == "debugging").unwrap();
    let cell = lesson.cells().find(|cell| cell.id == "first").unwrap();
    let CellKind::Faults(faults) = &cell.kind else { panic!("a diagnosis") };
    let hidden = fault_of_draw(faults, "first", 0).unwrap();
    let other = faults.faults.iter().find(|fault| **fault != hidden).unwrap();
    let mut class = vec![student(0, "Ada"), student(1, "Ben"), student(2, "Cem")];
    for (student, named) in class.iter_mut().zip([hidden.id, other.id, "no-such-fault"]) {
        answer(student, "debugging", ("first", 0), [named, ""]);
    }
    let report = value(&report(&set, &class, StudentNames::None));
    let question = &report["lessons"][0]["questions"][0];
    assert_eq!(question["right_answer"], hidden.title);
    assert_eq!(question["answered"]["alone"], 2);
    assert_eq!(question["right"]["alone"], 1);
}

#[test]
fn what_no_lesson_answers_to_is_left_out() {
    let set = LessonSet::embedded();
    let mut strange = student(0, "x");
    for (lesson, cell, draw) in [
        ("none", "string", 0),
        (NECK, "none", 0),
        (NECK, "string", 1),
        (NECK, "string", u32::MAX),
        (NECK, "apart", 0),
        (NECK, "main", 0),
    ] {
        answer(&mut strange, lesson, (cell, draw), ["1", "1"]);
    }
    for text in ["0", "4", "1+1", "", "-1", "99999999999999999999"] {
        answer(&mut strange, NECK, ("string", 0), [text, text]);
    }
    let lessons = Arc::make_mut(&mut strange.record.lessons);
    lessons.insert("none".to_owned(), progress(&[0], &[0], &[("after-an-hour", 1)]));
    lessons.insert(NECK.to_owned(), progress(&[500], &[500], &[("after-an-hour", 0)]));
    let strange = [strange];
    let report = report(&set, &strange, StudentNames::Full);
    let told = value(&report);
    assert_eq!(told["lessons"], json!([]));
    assert_eq!(told["students"], json!([{ "name": "x", "lessons": [] }]));
    assert!(html(&report).contains("Nobody opened a lesson"));
    assert_eq!(String::from_utf8(report.csv()).unwrap().lines().count(), 1);
}

#[test]
fn a_class_of_nobody_has_a_report_too() {
    let report = report(&LessonSet::embedded(), &[], StudentNames::Full);
    assert!(html(&report).contains("0 students"));
}

const WORD: &str = "+++\ntitle = \"A, \\\"B\\\" & <C>\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
    ## One\n\n```ask word\nask = \"Which word?\"\nwords = [\"palette\"]\nelse = \"No.\"\nwhy = \"Yes.\"\n```\n";

/// One who would like to run something on the teacher's computer.
fn hostile() -> (LessonSet, ClassReport) {
    let set = LessonSet::from_memory(&[("20-t", WORD, "")], "");
    let mut one = student(0, "<script>alert(1)</script>\u{202e}");
    answer(&mut one, "t", ("word", 0), ["\"><img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0"]);
    let mut two = student(1, "=HYPERLINK(\"http://x\",\"a\")");
    answer(&mut two, "t", ("word", 0), ["@SUM(1)", " +1+1"]);
    let report = report(&set, &[one, two], StudentNames::Full);
    (set, report)
}

#[test]
fn names_and_answers_are_text_in_html() {
    let html = html(&hostile().1);
    for tag in ["<script", "<img", "onerror=alert(1)>\"", "<C>"] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;\u{202e}</bdi>"));
    assert!(html.contains("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"));
    assert!(html.contains("20 · A, &quot;B&quot; &amp; &lt;C&gt;"));
}

/// Fields of a line.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
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
fn a_spreadsheet_shows_the_table_and_runs_nothing_of_it() {
    let csv = String::from_utf8(hostile().1.csv()).unwrap();
    let csv = csv.strip_prefix('\u{feff}').expect("a mark for UTF-8");
    let rows: Vec<Vec<String>> = csv.split_terminator("\r\n").map(fields).collect();
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

    let csv = String::from_utf8(report(&LessonSet::embedded(), &class(), StudentNames::None).csv());
    let csv = csv.unwrap();
    let rows: Vec<Vec<String>> = csv.split_terminator("\r\n").map(fields).collect();
    let has = |wanted: [(usize, &str); 4]| {
        rows.iter().any(|row| wanted.iter().all(|(at, field)| row[*at] == *field))
    };
    assert!(has([(0, "Student 1"), (7, "alone"), (8, "A quarter of a unit"), (9, "0")]));
    assert!(has([(0, "Student 1"), (7, "after talking"), (8, "-0.1"), (9, "1")]));
    assert!(has([(0, "Student 2"), (5, "question"), (10, "0.400"), (9, "0")]));
    assert!(has([(0, "Student 2"), (7, "before the lesson"), (9, "0"), (11, "M-01")]));
    assert!(has([(0, "Student 6"), (5, "step"), (8, "not seen"), (9, "0")]));
}

#[test]
fn a_report_without_names_has_none_anywhere() {
    let report = report(&LessonSet::embedded(), &class(), StudentNames::None);
    let csv = String::from_utf8(report.csv()).unwrap();
    let json = String::from_utf8(report.json().unwrap()).unwrap();
    for text in [csv, json, html(&report)] {
        assert!(text.contains("Student 1"));
        for name in ["Ada", "Lovelace", "Dara"] {
            assert!(!text.contains(name), "{name}");
        }
    }
}
