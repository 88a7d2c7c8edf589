//! Files that are missing, unreadable or end within a block: one finding each, without
//! findings that only follow from it.

use std::path::Path;

use super::*;

const OTHER: &str = "See [that](lesson:30), [a step](lesson:bind/two) and [joint](term:joint).";

/// The findings in a folder with a sound lesson that links to `30-bind` and to the
/// glossary, after `put` has changed it. Paths are relative to the folder.
fn findings_in_folder(put: impl FnOnce(&Path)) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let lesson = dir.path().join("40-other");
    std::fs::create_dir(&lesson).unwrap();
    let head = HEAD.replace("minutes", "needs = [\"bind\"]\nminutes");
    std::fs::write(lesson.join("lesson.md"), format!("{head}## S\n\n{OTHER}\n")).unwrap();
    std::fs::write(lesson.join("notes.md"), "Notes.\n").unwrap();
    std::fs::write(dir.path().join("glossary.md"), GLOSSARY).unwrap();
    std::fs::create_dir(dir.path().join("30-bind")).unwrap();
    put(dir.path());
    let root = format!("{}/", dir.path().display());
    let found = check_lessons(&LessonSet::from_dir(dir.path()), &lookup);
    found.iter().map(|finding| finding.to_string().replace(&root, "")).collect()
}

fn write_sound(dir: &Path) {
    let text = format!("{HEAD}## One\n\nText.\n\n## Two\n\nText.\n");
    std::fs::write(dir.join("30-bind/lesson.md"), text).unwrap();
    std::fs::write(dir.join("30-bind/notes.md"), "Notes.\n").unwrap();
}

fn expect_one(put: impl FnOnce(&Path), begins: &str) {
    let found = findings_in_folder(put);
    assert_eq!(found.len(), 1, "{begins}: {found:#?}");
    assert!(found[0].starts_with(begins), "{begins}: {found:#?}");
}

#[test]
fn a_folder_without_its_lesson_is_named_once() {
    expect_one(
        |_| {},
        "30-bind/lesson.md:1:1: error: the folder `30-bind` has no lesson.md\n  help: write it",
    );
    expect_one(
        |dir| {
            write_sound(dir);
            std::fs::create_dir(dir.join("50-later")).unwrap();
            std::fs::create_dir(dir.join("pictures")).unwrap();
        },
        "50-later/lesson.md:1:1: error: the folder `50-later` has",
    );
}

#[test]
fn missing_glossary_is_reported_once() {
    for text in [None, Some("")] {
        expect_one(
            |dir| {
                write_sound(dir);
                let glossary = dir.join("glossary.md");
                match text {
                    None => std::fs::remove_file(glossary).unwrap(),
                    Some(text) => std::fs::write(glossary, text).unwrap(),
                }
            },
            "glossary.md:1:1: error: no glossary explains the terms of 1 link\n  help: write glossary.md",
        );
    }
}

#[test]
fn a_text_that_is_not_utf8_is_the_only_finding_of_its_file() {
    for file in ["30-bind/lesson.md", "30-bind/notes.md", "glossary.md"] {
        let begins = format!("{file}:1:1: error: expected text in UTF-8");
        let put = |dir: &Path| {
            write_sound(dir);
            std::fs::write(dir.join(file), [b'#', 0xff, 0xfe]).unwrap();
        };
        expect_one(put, &begins);
        let long = |dir: &Path| {
            write_sound(dir);
            std::fs::write(dir.join(file), "x".repeat(600 * 1024)).unwrap();
        };
        expect_one(long, &format!("{file}:1:1: error: expected at most"));
    }
}

#[cfg(unix)]
#[test]
fn special_files_and_folders_are_reported() {
    for file in ["30-bind/lesson.md", "30-bind/notes.md", "glossary.md"] {
        let remove = |dir: &Path| {
            write_sound(dir);
            std::fs::remove_file(dir.join(file)).unwrap();
            dir.join(file)
        };
        let begins = format!("{file}:1:1: error: expected a file, found ");
        expect_one(
            |dir| {
                let made = std::process::Command::new("mkfifo").arg(remove(dir)).status();
                assert!(made.unwrap().success());
            },
            &format!("{begins}a pipe or a device"),
        );
        expect_one(
            |dir| std::os::unix::fs::symlink("/dev/zero", remove(dir)).unwrap(),
            &format!("{begins}a pipe or a device"),
        );
        expect_one(|dir| std::fs::create_dir(remove(dir)).unwrap(), &format!("{begins}a folder"));
    }
}

#[test]
fn unclosed_block_is_reported_at_its_start() {
    let lesson = |text: String| {
        move |dir: &Path| {
            write_sound(dir);
            std::fs::write(dir.join("30-bind/lesson.md"), text).unwrap();
        }
    };
    let fence = "30-bind/lesson.md:15:1: error: expected a line that closes this block";
    for open in ["```stages", "```text", "~~~", "````text\n```"] {
        let text = format!("{HEAD}## One\n\nText.\n\n{open}\nx\n\n## Two\n\nText.\n");
        expect_one(lesson(text), fence);
    }
    // The next block would otherwise be read as part of the first.
    for open in ["```set\nb0 = 1", "```text\nlisting"] {
        let more = "\n\nWords.\n\n```angles\nparams = [\"b0\"]\n```\n\n## Two\n\nText.\n";
        let text = format!("{HEAD}## One\n\nText.\n\n{open}{more}");
        expect_one(lesson(text), fence);
    }
    expect_one(
        lesson(HEAD.replacen("+++\n```viewport", "```viewport", 1) + "## Two\n"),
        "30-bind/lesson.md:1:1: error: expected a second line of +++",
    );
    expect_one(
        lesson(format!("{HEAD}```angles\n## Two\n")),
        "30-bind/lesson.md:11:1: error: expected a line that closes",
    );
    for file in ["30-bind/notes.md", "glossary.md"] {
        let put = |dir: &Path| {
            write_sound(dir);
            std::fs::write(dir.join(file), "A.\n\n```text\nx\n\n## joint\n").unwrap();
        };
        expect_one(put, &format!("{file}:3:1: error: expected a line that closes"));
    }
    let closed = "> ```text\n> a\n> ```\n\n- b\n  ```text\n  c\n  ```\n\n````text\n```\n`````\n";
    assert!(findings_of(&format!("{HEAD}## S\n\n{closed}")).is_empty());
}

#[test]
fn lone_dollar_and_broken_formula_are_reported_in_their_line() {
    let dollar = "expected a formula between two signs `$`";
    expect("Text of\nfive $ and more.", (14, 6), dollar, "\\$ for a dollar");
    expect("It \\$ and $x$ and $y $ end.", (13, 19), dollar, "close the formula, and each {");
    expect("### A $ in a heading", (13, 7), dollar, "close");
    expect("- [of $](lesson:20)", (13, 7), dollar, "close");
    assert!(findings_of(&format!("{HEAD}## S\n\n`$` and \\$5.\n")).is_empty());
    // Markdown does not parse a formula with an unclosed brace.
    expect("A $\\frac{1}{$ b.", (13, 3), dollar, "each { in it");
    expect("Of\n\n$$\n\\frac{1}{\n$$", (15, 1), dollar, "each { in it");
    expect("Of $$\\frac{1}{$$", (13, 4), dollar, "each { in it");
    expect("$$\nx + 1\n\nText.", (13, 1), dollar, "close the formula");
    expect("A stray $x_1 here.", (13, 9), dollar, "close the formula");
    let latex = "the formula cannot be typeset";
    expect("A $x\\nothing{1}$ b.", (13, 5), latex, "KaTeX");
    expect("$$\nx^2 +\n\\nothing{y}\n$$", (15, 1), latex, "KaTeX");
}

#[test]
fn equal_step_headings_are_reported() {
    let text = format!("{HEAD}## One\n\nA.\n\n## Two\n\nB.\n\n## One!\n\nC.\n");
    let found = findings_of(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].to_string(),
        "lessons/20-x/lesson.md:19:1: error: there is a step `One!` already\n  help: give each step a heading of its own"
    );
}
