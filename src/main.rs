//! The `bindpose` executable. Its code is in the library.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    bindpose::cli::main()
}
