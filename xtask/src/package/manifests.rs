//! What package managers are told of a release: where it is, and its sum. None of it is
//! made before there is an address.

use std::path::Path;

use crate::process::root;

use super::archive::{archive_name, sum};
use super::files::{read, write};
use super::release::{ProgramSystem, ReleasedProgram};
use super::windows::installer_name;

/// In `assets`, and what they are called where they are handed out.
const FLATPAK: [(&str, &str); 1] =
    [("flatpak/io.github.bindpose.bindpose.yml", "io.github.bindpose.bindpose.yml")];
const HOMEBREW: [(&str, &str); 1] = [("homebrew/bindpose.rb", "bindpose.rb")];
const WINGET: [(&str, &str); 3] = [
    ("winget/version.yaml", "Bindpose.Bindpose.yaml"),
    ("winget/installer.yaml", "Bindpose.Bindpose.installer.yaml"),
    ("winget/locale.yaml", "Bindpose.Bindpose.locale.en-US.yaml"),
];

/// Writes them for the system of the program, into the folder of its packages, which `url`
/// will hand out.
///
/// Errors: in words, what is missing.
pub(super) fn write_all(release: &ReleasedProgram, url: &str, out: &Path) -> Result<(), String> {
    let (manifests, package) = of_system(release);
    let file = out.join(&package);
    if !file.is_file() {
        return Err(format!("{package} was not made, so no package manager is told of it"));
    }
    let values = [
        ("@VERSION@", release.version.clone()),
        ("@FOLDER@", release.name()),
        ("@ADDRESS@", format!("{url}/{package}")),
        ("@HOME@", home(url).to_owned()),
        ("@SHA256@", sum(&file)?),
    ];
    for (template, name) in manifests {
        println!("· {name}");
        let template = read(&root().join("assets").join(template))?;
        write(&out.join(name), filled(&template, &values))?;
    }
    Ok(())
}

/// And the package that they lead to.
fn of_system(release: &ReleasedProgram) -> (&'static [(&'static str, &'static str)], String) {
    match release.system {
        ProgramSystem::Linux => (&FLATPAK, archive_name(release)),
        ProgramSystem::MacOs => (&HOMEBREW, archive_name(release)),
        ProgramSystem::Windows => (&WINGET, installer_name(&release.version)),
    }
}

fn filled(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// An address under which the packages will be, without a slash at its end.
///
/// Errors: in words; package managers take nothing but https.
pub(super) fn checked_url(url: &str) -> Result<String, String> {
    let checked = url.strip_prefix("https://").filter(|rest| {
        rest.contains('.') && !rest.contains(|c: char| c.is_whitespace() || "\"'@".contains(c))
    });
    let words = || format!("`--url {url}`: an address that begins with https:// is expected");
    checked.map(|_| url.trim_end_matches('/').to_owned()).ok_or_else(words)
}

/// The repository, of the address of a release on GitHub.
fn home(url: &str) -> &str {
    url.split_once("/releases/").map_or(url, |(home, _)| home)
}

#[cfg(test)]
mod tests {
    use super::super::files::make_empty;
    use super::*;

    const URL: &str = "https://git.example.org/ada/bindpose/releases/download/v9.8.7";

    #[test]
    fn manifests_lead_to_the_package_with_its_sum_and_leave_nothing_to_fill() {
        let out = std::env::temp_dir().join(format!("bindpose-manifests-{}", std::process::id()));
        for system in [ProgramSystem::Linux, ProgramSystem::MacOs, ProgramSystem::Windows] {
            make_empty(&out).unwrap();
            let (program, version, time_s) =
                (out.join("unused"), "9.8.7".to_owned(), 1_000_000_000);
            let release = ReleasedProgram { program, system, version, time_s };
            let (manifests, package) = of_system(&release);
            write_all(&release, URL, &out).expect_err("no package yet");
            write(&out.join(&package), "abc").unwrap();
            write_all(&release, URL, &out).unwrap();
            let texts = manifests.iter().map(|(_, name)| read(&out.join(name)).unwrap());
            let text: String = texts.collect();
            assert!(!text.contains('@'), "{text}");
            assert!(text.contains("9.8.7"), "{text}");
            assert!(text.contains(&format!("{URL}/{package}")), "{text}");
            // Of the letters abc, as FIPS 180 has it.
            let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
            assert!(text.contains(sum), "{text}");
        }
        std::fs::remove_dir_all(&out).unwrap();
    }

    #[test]
    fn an_address_is_https_and_the_repository_is_part_of_it() {
        assert_eq!(checked_url(&format!("{URL}/")).unwrap(), URL);
        assert_eq!(home(URL), "https://git.example.org/ada/bindpose");
        for wrong in ["http://example.org", "https://", "https://a.b/\"x", "v9.8.7"] {
            checked_url(wrong).expect_err(wrong);
        }
    }
}
