//! A window that is terminated saves the work of the reader.

#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// Number of the signal on Linux.
const SIGTERM: i32 = 15;

/// A child process that is killed when it is dropped.
struct ChildProcess(Child);

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a virtual display. Returns it with its name, or `None` if Xvfb is not installed.
fn display() -> Option<(ChildProcess, String)> {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x720x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let answers = server.stdout.take().expect("it is piped");
    let server = ChildProcess(server);
    let mut number = String::new();
    BufReader::new(answers).read_line(&mut number).ok()?;
    let name = format!(":{}", number.trim());
    (name.len() > 1).then_some((server, name))
}

/// Reads the log of the program until a line contains these words. Returns `false` if the log ends
/// before.
fn has_line_with(lines: impl BufRead, words: &str) -> bool {
    lines.lines().map_while(Result::ok).any(|line| line.contains(words))
}

#[test]
fn a_terminated_window_saves_its_page() {
    let Some((_server, display)) = display() else {
        println!("SKIPPED: there is no Xvfb");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    // A file at the path of the settings' folder prevents saving at first.
    let settings = folder.path().join("settings");
    std::fs::write(&settings, "").expect("it is written");
    let window = Command::new(env!("CARGO_BIN_EXE_bindpose"))
        .args(["--link", "bindpose://bind-pose/edit-it-yourself?nod=0.5"])
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("BINDPOSE_SETTINGS", &settings)
        .env("RUST_LOG", "warn")
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut window = ChildProcess(window);
    let lines = BufReader::new(window.0.stderr.take().expect("it is piped"));
    if !has_line_with(lines, "was not saved") {
        println!("SKIPPED: no window came up");
        return;
    }
    std::fs::remove_file(&settings).expect("it was there");
    let status = Command::new("kill").args(["-TERM", &window.0.id().to_string()]).status();
    assert!(status.expect("kill is there").success());
    let ended = window.0.wait().expect("it ends");
    assert_eq!(ended.signal(), Some(SIGTERM), "{ended}");
    let text = std::fs::read_to_string(settings.join("settings.json"));
    let text = text.expect("written at the end");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    let link = saved["page"]["link"].as_str().unwrap_or_default();
    assert_eq!(link, "bindpose://bind-pose/edit-it-yourself?nod=0.5", "{text}");
}
