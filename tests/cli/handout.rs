//! `bindpose handout`.

use super::*;

fn html(folder: &std::path::Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a handout")
}

#[test]
fn lessons_and_routes_are_written_as_pages() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("handouts");
    let path = out.to_str().unwrap();
    let plain = ["--out", path, "--without-pictures"];
    let message = stdout_of(&[&["handout", "20"], &plain[..]].concat());
    assert!(message.contains("20-bind-pose.html"), "{message}");
    let page = html(&out, "20-bind-pose.html");
    assert!(page.contains("id=\"solutions\"") && page.contains("size:a4"));

    let route = ["handout", "--route", "what-goes-wrong-45", "--size", "letter"];
    let args = [&route[..], &plain[..], &["--without-solutions"]].concat();
    stdout_of(&args);
    let page = html(&out, "what-goes-wrong-45.html");
    assert!(page.contains("size:letter") && !page.contains("id=\"solutions\""));
    assert!(page.contains("Lesson 20 ·"), "each lesson is named where it begins");
    assert!(error_of(&args).contains("--force"));
}

#[test]
fn the_questions_of_a_lesson_are_written_as_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let plain = ["--out", path, "--without-pictures"];
    stdout_of(&[&["handout", "20", "--form", "after"], &plain[..]].concat());
    let page = html(folder.path(), "20-bind-pose-after.html");
    assert!(page.contains("questions after it") && page.contains("Name:"));
    let refused = error_of(&[&["handout", "20", "--form", "soon"], &plain[..]].concat());
    assert!(refused.contains("before"), "{refused}");
}

#[test]
fn invalid_arguments_of_handout_get_suggestions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for (args, words) in [
        (vec!["bind-pos"], "bind-pose"),
        (vec!["--route", "bindpose-45"], "bind-pose-45"),
        (vec!["20", "--size", "a5"], "a4"),
        (vec!["20", "--picture", "10x10"], "160 to 1600"),
        (vec!["20", "--routes", "nowhere.toml"], "nowhere.toml"),
    ] {
        let args = [&["handout", "--out", path], &args[..]].concat();
        let complaint = error_of(&args);
        assert!(complaint.contains(words), "{complaint}");
    }
}

#[test]
fn a_teachers_own_routes_are_read_from_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let text = "[[route]]\nname = \"mine\"\ntitle = \"Mine\"\nminutes = 2\n\
        steps = [\"bind-pose/a-head-on-a-neck\"]\n";
    std::fs::write(&file, text).unwrap();
    let (file, out) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
    let args = ["handout", "--route", "mine", "--routes", file, "--out", out];
    stdout_of(&[&args[..], &["--without-pictures"]].concat());
    assert!(html(folder.path(), "mine.html").contains("<h1>Mine</h1>"));
    std::fs::write(file, text.replace("a-head", "a-hat")).unwrap();
    let message = bindpose(&["check", "--routes", file]);
    let message = String::from_utf8(message.stdout).unwrap();
    assert!(
        message.contains("mine.toml:5:10") && message.contains("a-head-on-a-neck"),
        "{message}"
    );
}
