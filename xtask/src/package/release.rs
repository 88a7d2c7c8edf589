//! The program that is handed out: which system it is for, how it is started, which version
//! it is and when it was made.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::process::{answer, answer_of, root};

/// What is handed out.
pub(super) struct ReleasedProgram {
    pub program: PathBuf,
    pub system: ProgramSystem,
    /// As it tells it itself.
    pub version: String,
    /// When it was made, in seconds since 1970: the same sources make the same packages.
    pub time_s: u64,
}

/// Told by how the program's file begins: one for Windows can be built on Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramSystem {
    Linux,
    MacOs,
    Windows,
}

impl ReleasedProgram {
    /// Errors: in words, that it does not run here, or is something else.
    pub(super) fn of(program: PathBuf) -> Result<Self, String> {
        let wrong = || format!("{} does not run here, or is no bindpose", program.display());
        let system = ProgramSystem::of(&first_bytes(&program)?).ok_or_else(wrong)?;
        let told = answer_of(system.start(&program).arg("--version"));
        let version = told.as_deref().and_then(version_of).ok_or_else(wrong)?.to_owned();
        Ok(Self { program, system, version, time_s: time_s() })
    }

    pub(super) fn start(&self) -> Command {
        self.system.start(&self.program)
    }

    /// Of the archive, without its ending, and of the folder in it.
    pub(super) fn name(&self) -> String {
        format!("bindpose-{}-{}-{}", self.version, std::env::consts::ARCH, self.system.name())
    }
}

/// Of what `bindpose --version` says: the version alone, without the commit behind it,
/// since packages take no spaces.
fn version_of(told: &str) -> Option<&str> {
    told.trim().strip_prefix("bindpose ")?.split_whitespace().next()
}

impl ProgramSystem {
    fn of(first: &[u8]) -> Option<Self> {
        match first {
            [0x7f, b'E', b'L', b'F'] => Some(Self::Linux),
            // For one processor, or for several.
            [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe] => Some(Self::MacOs),
            [b'M', b'Z', ..] => Some(Self::Windows),
            _ => None,
        }
    }

    /// As Rust calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "macos",
            Self::Windows => "windows",
        }
    }

    /// One for Windows runs elsewhere by Wine.
    fn start(self, program: &Path) -> Command {
        if self == Self::Windows && !cfg!(windows) {
            let mut wine = Command::new("wine");
            wine.env("WINEDEBUG", "-all").arg(program);
            wine
        } else {
            Command::new(program)
        }
    }
}

fn first_bytes(file: &Path) -> Result<[u8; 4], String> {
    let mut first = [0; 4];
    std::fs::File::open(file)
        .and_then(|mut file| file.read_exact(&mut first))
        .map_err(|why| format!("{} could not be read: {why}", file.display()))?;
    Ok(first)
}

/// As builders say it (`SOURCE_DATE_EPOCH`); else when the last change was made; else now.
fn time_s() -> u64 {
    let said = std::env::var("SOURCE_DATE_EPOCH").ok();
    let folder = root();
    let last_change =
        || answer("git", &["-C", &folder.to_string_lossy(), "log", "-1", "--format=%ct"]);
    let time_s = said.or_else(last_change).and_then(|text| text.trim().parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    time_s.unwrap_or_else(now)
}

/// A time in one of the forms of `date`, in UTC.
pub(super) fn written_time(time_s: u64, form: &str) -> Result<String, String> {
    let at = format!("@{time_s}");
    let text = answer("date", &["--utc", "--date", &at, form]);
    text.map(|text| text.trim().to_owned()).ok_or_else(|| "`date` of coreutils is missing".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_how_it_begins() {
        let own = std::env::current_exe().unwrap();
        let own = ProgramSystem::of(&first_bytes(&own).unwrap()).unwrap();
        assert_eq!(own.name(), std::env::consts::OS);
        assert_eq!(ProgramSystem::of(b"MZ\x90\0"), Some(ProgramSystem::Windows));
        assert_eq!(ProgramSystem::of(b"\xcf\xfa\xed\xfe"), Some(ProgramSystem::MacOs));
        assert_eq!(ProgramSystem::of(b"#!/b"), None);
    }

    #[test]
    fn a_version_is_told_without_the_commit() {
        assert_eq!(version_of("bindpose 0.2.0 (870a5e0ecf)\n"), Some("0.2.0"));
        assert_eq!(version_of("bindpose 0.2.0\n"), Some("0.2.0"));
        assert_eq!(version_of("other 1"), None);
    }
}
