//! Files of earlier versions still open, and JSON output keeps their keys. `tests/data/versions` has
//! a folder per version. Write that of the current version with
//! `cargo test --test cli write_this_version -- --ignored`, as the last step before the version
//! number is incremented.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bindpose_check::check_lessons;
use bindpose_lesson::{CellKind, DataEdit, JointName, LessonSet, Setting};
use bindpose_notebook::{
    Edit, KeptPage, Notebook, Preferences, PreferencesTable, parse_table, table_text,
};
use bindpose_rigs::builtin;
use bindpose_skin::JointIndex;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/versions")
}

fn versions() -> Vec<PathBuf> {
    let found = fs::read_dir(folder()).expect("a folder");
    let mut found: Vec<PathBuf> = found.map(|entry| entry.expect("a name").path()).collect();
    found.sort();
    found
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn settings(version: &Path) -> PreferencesTable {
    parse_table(&text(&version.join("settings.json"))).expect("JSON")
}

fn notebook() -> Notebook {
    Notebook::new(LessonSet::embedded(), builtin).expect("lessons")
}

/// Each line has a link, and the page that it opens if that is a different one.
#[test]
fn links_of_older_versions_open_their_page_and_values() {
    for version in versions() {
        let mut notebook = notebook();
        let mut wrong = Vec::new();
        for line in text(&version.join("links.txt")).lines() {
            let (link, leads_to) = line.split_once(" -> ").unwrap_or((line, line));
            let _ = notebook.edit(&Edit::ResetStep, 0);
            let opened = match notebook.follow(link, 0) {
                Ok(None) => notebook.link(),
                Ok(Some(remark)) => remark,
                Err(error) => error.to_string(),
            };
            if opened != leads_to {
                wrong.push(format!("{link} -> {opened}"));
            }
        }
        assert!(wrong.is_empty(), "{}:\n{}", version.display(), wrong.join("\n"));
    }
}

#[test]
fn settings_of_older_versions_are_read_completely() {
    for version in versions() {
        let written = settings(&version);
        let (preferences, wrong) = Preferences::from_table(&written);
        assert_eq!(wrong, Vec::<&str>::new(), "{}", version.display());
        let now = parse_table(&table_text(&preferences.table())).expect("JSON");
        for (key, value) in &written {
            assert_eq!(now.get(key), Some(value), "{key} of {}", version.display());
        }
        let records = preferences.progress.records();
        let answers = records.flat_map(|(.., record)| record.answers.values());
        let answers = answers.flat_map(|draws| draws.values()).map(|answer| answer.link.clone());
        let page = preferences.page.iter().map(|page| page.link.clone());
        let mut notebook = notebook();
        for link in page.chain(preferences.kept.clone()).chain(answers) {
            let page = KeptPage { link: link.clone(), ..KeptPage::default() };
            let opened = notebook.reopen(&page, 0);
            let opened = opened.unwrap_or_else(|error| panic!("{link}: {error}"));
            assert_eq!(opened.remark, None, "{link}");
        }
    }
}

/// Each course has all kinds of cells of its version. The only error is the drawing in SVG,
/// which `docs/versions.md` lists as broken since 0.3; its lesson opens with the other cells.
/// Guesses of older versions name no wrong places, which is a warning.
#[test]
fn courses_of_older_versions_pass_the_check_but_for_svg() {
    for version in versions() {
        let set = LessonSet::from_paths(&[version.join("cells.bindpose")]).expect("a course");
        let findings = check_lessons(&set, &|id| builtin(id));
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        let [guess, svg] = &findings[..] else { panic!("{}: {findings:#?}", version.display()) };
        assert!(guess.contains("warning: a guess names at least 2 wrong places"), "{guess}");
        assert!(svg.contains("`finger.svg` cannot be shown"), "{svg}");
        assert!(svg.contains("export it as PNG"), "{svg}");
        let lesson = set.lessons.iter().find(|lesson| lesson.folder == "45-picture").unwrap();
        assert!(lesson.cells().any(|cell| matches!(cell.kind, CellKind::Picture(_))));
    }
}

/// Commands whose JSON output is compared. The record is that of the settings in the folder.
const JSON: [(&str, &[&str]); 5] = [
    ("record.json", &["record", "--out", "/dev/stdout"]),
    ("skin.json", &["skin", "simple_skin", "--format", "json"]),
    ("rigs.json", &["rigs", "simple_skin", "--format", "json"]),
    ("doctor.json", &["doctor", "assets/models/whale/whale.gltf", "--format", "json"]),
    (
        "compare.json",
        &[
            "compare",
            "assets/models/arm/arm.glb",
            "assets/models/limb/limb.glb",
            "--format",
            "json",
        ],
    ),
];

#[test]
fn json_output_keeps_the_keys_and_types_of_older_versions() {
    for version in versions() {
        for (file, arguments) in JSON {
            let before = serde_json::from_str(&text(&version.join(file))).expect("JSON");
            let now = serde_json::from_str(&json(arguments, &version)).expect("JSON");
            let missing = &names(&before) - &names(&now);
            assert!(missing.is_empty(), "{file} of {}: {missing:#?}", version.display());
        }
    }
}

fn json(arguments: &[&str], settings: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bindpose"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("BINDPOSE_SETTINGS", settings)
        .output()
        .expect("the program starts");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns path and type of every value. All entries of a list have the same path.
fn names(value: &Value) -> BTreeSet<String> {
    fn put(value: &Value, place: &str, names: &mut BTreeSet<String>) {
        match value {
            Value::Object(entries) => {
                for (name, value) in entries {
                    put(value, &format!("{place}.{name}"), names);
                }
            }
            Value::Array(entries) => {
                for value in entries {
                    put(value, &format!("{place}[]"), names);
                }
            }
            Value::Null => {}
            Value::Bool(_) => drop(names.insert(format!("{place}: yes or no"))),
            Value::Number(_) => drop(names.insert(format!("{place}: number"))),
            Value::String(_) => drop(names.insert(format!("{place}: text"))),
        }
    }
    let mut names = BTreeSet::new();
    put(value, "", &mut names);
    names
}

#[test]
#[ignore = "writes the folder of this version; it proves nothing"]
fn write_this_version() {
    let (first, here) = (folder().join("0.1.0"), folder().join(env!("CARGO_PKG_VERSION")));
    fs::create_dir_all(&here).expect("a folder");
    let write = |name: &str, text: String| fs::write(here.join(name), text).expect("a file");
    write("settings.json", table_text(&Preferences::from_table(&settings(&first)).0.table()));
    write("links.txt", links());
    for (file, arguments) in JSON {
        write(file, json(arguments, &here));
    }
    if !here.join("cells.bindpose").is_file() {
        fs::copy(first.join("cells.bindpose"), here.join("cells.bindpose")).expect("a course");
    }
}

/// Returns the links of every step as it opens and after each kind of edit that applies to it.
fn links() -> String {
    let set = LessonSet::embedded();
    let pages = set.lessons.iter().flat_map(|lesson| {
        lesson.steps.iter().map(|step| format!("bindpose://{}/{}", lesson.slug, step.slug))
    });
    let root = JointName::Index(JointIndex(0));
    let mut notebook = notebook();
    let mut links = BTreeSet::new();
    for page in pages {
        notebook.follow(&page, 0).expect("a step");
        links.insert(page);
        let parameter = notebook.derived().rig.params.first().map(|param| param.name.clone());
        let edits = [
            Edit::param(parameter.unwrap_or_default(), 0.25),
            Edit::Weight { vertex: 1, lane: 0, weight: 0.25 },
            Edit::data(DataEdit::Shift(root.clone(), [0.0, 0.5, 0.0])),
            Edit::data(DataEdit::Texel(root.clone(), 3, [1.0, 2.0, 3.0, 1.0])),
            Edit::data(DataEdit::Bytes { buffer: 0, offset: 0, bytes: vec![1] }),
            Edit::set(Setting::Vertex(3)),
        ];
        for edit in edits {
            let _ = notebook.edit(&Edit::ResetStep, 0);
            if notebook.edit(&edit, 0).is_ok() {
                links.insert(notebook.link());
            }
        }
        let _ = notebook.edit(&Edit::ResetStep, 0);
    }
    links.into_iter().map(|link| link + "\n").collect()
}
