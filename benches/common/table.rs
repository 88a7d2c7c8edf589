//! What benches are asked on the command line, and where their tables go.

#![expect(clippy::print_stdout, reason = "benches are run by hand, to be read")]

/// What stands behind a flag.
pub(crate) fn argument(flag: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != flag).nth(1)
}

/// Prints a table, and writes it where `--out` says.
pub(crate) fn put(table: &str) -> Result<(), String> {
    println!("{table}");
    if let Some(path) = argument("--out") {
        std::fs::write(&path, table).map_err(|error| format!("{path}: {error}"))?;
        println!("written to {path}");
    }
    Ok(())
}
