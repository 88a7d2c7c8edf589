//! The program of a release, with its system, its version and its time.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::process::{answer, answer_of, root};

pub(super) struct ReleasedProgram {
    pub program: PathBuf,
    pub system: ProgramSystem,
    /// The version that the program reports.
    pub version: String,
    /// Time of the release in seconds since 1970. Makes the packages reproducible.
    pub time_s: u64,
}

/// The system of a program, which is not necessarily the one of this machine: a program for
/// Windows can be built on Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramSystem {
    Linux,
    MacOs,
    Windows,
}

impl ReleasedProgram {
    /// Runs the program to determine its version. Returns an error if it does not run on this
    /// machine or is another program.
    pub(super) fn new(program: PathBuf) -> Result<Self, String> {
        let Some(system) = ProgramSystem::from_magic_bytes(magic_bytes(&program)?) else {
            return Err(not_bindpose(&program));
        };
        let output = answer_of(system.command(&program).arg("--version")).unwrap_or_default();
        let Some(version) = parse_version(&output).map(str::to_owned) else {
            return Err(not_bindpose(&program));
        };
        Ok(Self { program, system, version, time_s: release_time_s() })
    }

    pub(super) fn command(&self) -> Command {
        self.system.command(&self.program)
    }

    /// Returns the name of the archive without its extension, and of the folder in it.
    pub(super) fn name(&self) -> String {
        format!("bindpose-{}-{}-{}", self.version, std::env::consts::ARCH, self.system.name())
    }
}

fn not_bindpose(program: &Path) -> String {
    format!("{} does not run here, or is no bindpose", program.display())
}

/// Parses the output of `bindpose --version`.
/// Omits the commit after the version, because names
/// of packages cannot contain spaces.
fn parse_version(output: &str) -> Option<&str> {
    output.trim().strip_prefix("bindpose ")?.split_whitespace().next()
}

impl ProgramSystem {
    fn from_magic_bytes(magic: [u8; 4]) -> Option<Self> {
        match magic {
            [0x7f, b'E', b'L', b'F'] => Some(Self::Linux),
            // For a single architecture, or a universal binary.
            [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe] => Some(Self::MacOs),
            [b'M', b'Z', ..] => Some(Self::Windows),
            _ => None,
        }
    }

    /// Returns the name of the system in Rust.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "macos",
            Self::Windows => "windows",
        }
    }

    /// Returns the command that starts a program. Uses Wine for Windows programs on other systems.
    fn command(self, program: &Path) -> Command {
        if self == Self::Windows && !cfg!(windows) {
            let mut wine = Command::new("wine");
            wine.env("WINEDEBUG", "-all").arg(program);
            wine
        } else {
            Command::new(program)
        }
    }
}

/// Reads the first bytes of a file.
fn magic_bytes(file: &Path) -> Result<[u8; 4], String> {
    let mut magic = [0; 4];
    std::fs::File::open(file)
        .and_then(|mut file| file.read_exact(&mut magic))
        .map_err(|why| format!("{} could not be read: {why}", file.display()))?;
    Ok(magic)
}

/// Returns the time in `SOURCE_DATE_EPOCH`, or else of the last commit, or else the current time.
fn release_time_s() -> u64 {
    std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .or_else(|| answer("git", &["-C", &root().to_string_lossy(), "log", "-1", "--format=%ct"]))
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
        })
}

/// Formats a time in UTC with an option or format of `date`.
pub(super) fn format_time(time_s: u64, format: &str) -> Result<String, String> {
    let time = format!("@{time_s}");
    let text = answer("date", &["--utc", "--date", &time, format]);
    text.map(|text| text.trim().to_owned()).ok_or_else(|| "`date` of coreutils is missing".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_recognized_by_the_first_bytes_of_a_program() {
        let this_program = magic_bytes(&std::env::current_exe().unwrap()).unwrap();
        for (magic, expected) in [
            (this_program, Some(std::env::consts::OS)),
            (*b"MZ\x90\0", Some("windows")),
            (*b"\xcf\xfa\xed\xfe", Some("macos")),
            (*b"#!/b", None),
        ] {
            assert_eq!(ProgramSystem::from_magic_bytes(magic).map(ProgramSystem::name), expected);
        }
    }

    #[test]
    fn the_version_is_parsed_without_the_commit() {
        assert_eq!(parse_version("bindpose 0.2.0 (870a5e0ecf)\n"), Some("0.2.0"));
        assert_eq!(parse_version("bindpose 0.2.0\n"), Some("0.2.0"));
        assert_eq!(parse_version("other 1"), None);
    }
}
