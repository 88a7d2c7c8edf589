//! Errors about command-line arguments.

use std::ffi::OsString;

use super::*;

#[track_caller]
fn assert_error_contains(args: &[&str], words: &[&str]) {
    let complaint = error_of(args);
    for word in words {
        assert!(complaint.contains(word), "{args:?}: {complaint}");
    }
    for rust in ["usize", "u64", "invalid digit", "invalid float"] {
        assert!(!complaint.contains(rust), "{args:?}: {complaint}");
    }
    let long = complaint.split(|c: char| !c.is_ascii_digit()).map(str::len);
    assert!(long.max() < Some(30), "{args:?}: {complaint}");
}

#[test]
fn errors_about_numbers_are_short_and_plain() {
    let whale = ["skin", "whale"];
    let export = ["export", "whale", "--as", "obj", "--out", "/dev/null"];
    for command in [&whale[..], &export] {
        let with = |more: &[&'static str]| [command, more].concat();
        assert_error_contains(&with(&["--animation", "0", "--time", "soon"]), &["such as 0.5"]);
        assert_error_contains(&with(&["--time", "1"]), &["--time 1", "--animation"]);
        assert_error_contains(&with(&["--time", "1e300"]), &["1e300", "--animation"]);
        assert_error_contains(&with(&["--set", "chest=1e300"]), &["found 1e300"]);
        assert_error_contains(&with(&["--memory", "4 apples"]), &["4GiB"]);
    }
    assert_error_contains(&["skin", "whale", "--skin", "-1"], &["a whole number from 0"]);
    assert_error_contains(&["skin", "whale", "--skin", "x"], &["a whole number from 0"]);
    let shot = ["shot", "40", "--out", "never.png"];
    assert_error_contains(&[&shot[..], &["--scale", "big"]].concat(), &["such as 0.5"]);
    assert_error_contains(&[&shot[..], &["--scale", "-1"]].concat(), &["0.25 to 4"]);
    assert_error_contains(&[&shot[..], &["--set", "stage=1e300"]].concat(), &["the number 1e300"]);

    let folder = tempfile::tempdir().expect("a folder");
    let big = folder.path().join("big.gltf");
    let root = r#"{"asset": {"version": "2.0"}, "nodes": [{"scale": [1e300, 1, 1]}]}"#;
    std::fs::write(&big, root).expect("it is written");
    let found = bindpose(&["doctor", &big.to_string_lossy()]).stdout;
    assert!(String::from_utf8_lossy(&found).contains("found     1e300\n"));

    // Both commands clamp negative times to the start of the animation.
    let at = |time: &'static str| [&whale[..], &["--animation", "0", "--time", time]].concat();
    assert_eq!(stdout_of(&at("-1")), stdout_of(&at("0")));
    stdout_of(&[&export[..], &["--animation", "0", "--time", "-1"]].concat());
}

#[test]
fn suggestions_exist_and_are_not_hidden() {
    let complaint = error_of(&["asset"]);
    assert!(!complaint.contains("assets"), "{complaint}");
    if std::env::var_os("REQUIRE_GL").is_some() {
        let shot = ["shot", "40", "--out", "never.png", "--set", "nope=1"];
        assert_error_contains(&shot, &["nope", "`b0`", "`all`"]);
    }
    assert!(stdout_of(&["--help"]).contains("Ends with 0"));
}

#[test]
fn the_memory_limit_applies_to_models() {
    assert_error_contains(
        &["skin", WHALE, "--memory", "10KiB"],
        &["whale.glb", "expected at most"],
    );
    stdout_of(&["skin", WHALE, "--memory", "100MiB"]);
    stdout_of(&["--memory", "100MiB", "skin", WHALE]);
    assert_error_contains(&["--lesson", "40", "skin", WHALE], &["before a command"]);
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStringExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let file = |end: &str| {
        let name = OsString::from_vec([b"wh\xff\x1ble", end.as_bytes()].concat());
        folder.path().join(name)
    };
    std::fs::copy(WHALE, file(".glb")).expect("it is copied");
    let whole = |args: &[&str]| args.iter().map(OsString::from).collect::<Vec<_>>();
    let (model, out) = (vec![file(".glb").into()], vec![file(".obj").into()]);
    for args in [
        [whole(&["skin"]), model.clone()].concat(),
        [whole(&["doctor"]), model.clone()].concat(),
        [whole(&["export", "--as", "obj"]), model, whole(&["--out"]), out].concat(),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_bindpose"))
            .args(&args)
            .output()
            .expect("the program starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {complaint}");
    }
    assert!(file(".obj").exists());
}

#[cfg(not(feature = "relay"))]
#[test]
fn class_on_a_relay_is_refused_by_a_build_without_it() {
    let error = error_of(&["class", "--relay", "nats://localhost"]);
    assert!(error.contains("--relay") && error.contains("without what keeps classes"), "{error}");
    assert!(error.contains("--features relay"), "{error}");
}
