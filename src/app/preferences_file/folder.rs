//! Where the settings lie.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder that `BINDPOSE_SETTINGS` names, or the one that the system gives;
/// `None` when it gives none.
pub(super) fn settings_folder() -> Option<PathBuf> {
    std::env::var_os("BINDPOSE_SETTINGS")
        .map(PathBuf::from)
        .or_else(|| folder_by_system(System::HERE, |name| std::env::var_os(name)))
}

/// What decides where programs keep their data.
#[derive(Clone, Copy)]
enum System {
    /// Linux and the BSDs.
    Unix,
    Mac,
    Windows,
}

impl System {
    const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Mac
    } else {
        Self::Unix
    };
}

/// The folder that the system gives for the data of this program; `None` when
/// it names none. `variable` answers with a variable of the environment.
fn folder_by_system(
    system: System,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let home = || {
        let named = variable("HOME").filter(|home| !home.is_empty());
        named.map(PathBuf::from).or_else(std::env::home_dir)
    };
    match system {
        System::Unix => variable("XDG_DATA_HOME")
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
            .or_else(|| home().map(|home| home.join(".local/share")))
            .map(|folder| folder.join("bindpose")),
        System::Mac => home().map(|home| home.join("Library/Application Support/bindpose")),
        System::Windows => {
            let roaming = PathBuf::from(variable("APPDATA")?);
            Some(roaming.join("bindpose").join("data"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_lie_where_the_system_keeps_the_data_of_programs() {
        let folder = |system, variables: &[(&str, &str)]| {
            folder_by_system(system, |name| {
                let found = variables.iter().find(|(other, _)| *other == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        let home = ("HOME", "/u/ada");
        let own = Some(PathBuf::from("/u/ada/.local/share/bindpose"));
        assert_eq!(folder(System::Unix, &[home]), own);
        assert_eq!(
            folder(System::Unix, &[home, ("XDG_DATA_HOME", "/data")]),
            Some("/data/bindpose".into())
        );
        for relative in ["", "data"] {
            let variables = [home, ("XDG_DATA_HOME", relative)];
            assert_eq!(folder(System::Unix, &variables), own, "“{relative}” is ignored");
        }
        assert_eq!(
            folder(System::Mac, &[home, ("XDG_DATA_HOME", "/data")]),
            Some("/u/ada/Library/Application Support/bindpose".into())
        );
        let roaming = PathBuf::from("roaming");
        assert_eq!(
            folder(System::Windows, &[("APPDATA", "roaming")]),
            Some(roaming.join("bindpose").join("data"))
        );
        assert_eq!(folder(System::Windows, &[]), None);
    }
}
