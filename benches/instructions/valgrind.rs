//! Counts the instructions of a process that is this program again.

use std::process::Command;

/// What the first argument of such a process is.
pub(crate) const WORK: &str = "--work";

/// Rounds of the shorter and the longer run.
const ROUNDS: [u64; 2] = [2, 10];

/// Of one round of this work.
pub(crate) fn instructions(name: &str) -> Result<u64, String> {
    let [few, many] = ROUNDS;
    let difference = of_process(name, many)?.saturating_sub(of_process(name, few)?);
    Ok(difference / (many - few))
}

fn of_process(name: &str, rounds: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args([WORK, name, &rounds.to_string()]);
    let output = command.output().map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{name} ended with {}:\n{said}", output.status));
    }
    total(&said).ok_or_else(|| format!("valgrind has not said how many:\n{said}"))
}

/// From the line `==1== I refs: 1,234`, with as many blanks as it likes.
fn total(said: &str) -> Option<u64> {
    let (_, count) = said.split_once("refs:")?;
    let count = count.lines().next()?.trim().replace(',', "");
    count.parse().ok()
}
