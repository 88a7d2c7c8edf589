//! Writes the manifests of package managers, which contain the address and the checksum of a
//! package.

use std::path::Path;

use crate::process::root;

use super::archive::{archive_name, checksum};
use super::files::{read, write};
use super::release::{ProgramSystem, ReleasedProgram};
use super::windows::installer_name;

struct ManifestTemplate {
    /// Path in `assets`.
    template: &'static str,
    /// Name of the written file.
    name: &'static str,
}

const FLATPAK: [ManifestTemplate; 1] = [ManifestTemplate {
    template: "flatpak/io.github.bindpose.bindpose.yml",
    name: "io.github.bindpose.bindpose.yml",
}];
const HOMEBREW: [ManifestTemplate; 1] =
    [ManifestTemplate { template: "homebrew/bindpose.rb", name: "bindpose.rb" }];
const WINGET: [ManifestTemplate; 3] = [
    ManifestTemplate { template: "winget/version.yaml", name: "Bindpose.Bindpose.yaml" },
    ManifestTemplate {
        template: "winget/installer.yaml",
        name: "Bindpose.Bindpose.installer.yaml",
    },
    ManifestTemplate {
        template: "winget/locale.yaml",
        name: "Bindpose.Bindpose.locale.en-US.yaml",
    },
];

/// Writes the manifests for the system of the program into the folder of its packages, which will
/// be available at `url`. Returns the reason if that fails.
pub(super) fn write_all(release: &ReleasedProgram, url: &str, out: &Path) -> Result<(), String> {
    let templates = manifest_templates(release.system);
    let package = package_name(release);
    let file = out.join(&package);
    if !file.is_file() {
        return Err(format!("{package} was not made, so no package manager is told of it"));
    }
    let values = [
        ("@VERSION@", release.version.clone()),
        ("@FOLDER@", release.name()),
        ("@ADDRESS@", format!("{url}/{package}")),
        ("@HOME@", repository_url(url).to_owned()),
        ("@SHA256@", checksum(&file)?),
    ];
    for ManifestTemplate { template, name } in templates {
        println!("· {name}");
        let mut text = read(&root().join("assets").join(template))?;
        for (placeholder, value) in &values {
            text = text.replace(placeholder, value);
        }
        write(&out.join(name), text)?;
    }
    Ok(())
}

fn manifest_templates(system: ProgramSystem) -> &'static [ManifestTemplate] {
    match system {
        ProgramSystem::Linux => &FLATPAK,
        ProgramSystem::MacOs => &HOMEBREW,
        ProgramSystem::Windows => &WINGET,
    }
}

/// Returns the file name of the package that the manifests refer to.
fn package_name(release: &ReleasedProgram) -> String {
    match release.system {
        ProgramSystem::Linux | ProgramSystem::MacOs => archive_name(release),
        ProgramSystem::Windows => installer_name(&release.version),
    }
}

/// Checks the address of the packages and removes a trailing slash. Package managers accept only
/// https.
pub(super) fn checked_url(url: &str) -> Result<String, String> {
    let is_valid = url.strip_prefix("https://").is_some_and(|rest| {
        rest.contains('.') && !rest.contains(|c: char| c.is_whitespace() || "\"'@".contains(c))
    });
    if is_valid {
        Ok(url.trim_end_matches('/').to_owned())
    } else {
        Err(format!("`--url {url}`: an address that begins with https:// is expected"))
    }
}

/// Returns the address of the repository for the address of a GitHub release.
fn repository_url(url: &str) -> &str {
    url.split_once("/releases/").map_or(url, |(home, _)| home)
}

#[cfg(test)]
mod tests {
    use super::super::files::make_empty;
    use super::*;

    const URL: &str = "https://git.example.org/ada/bindpose/releases/download/v9.8.7";

    #[test]
    fn manifests_have_the_address_and_checksum_of_the_package_and_no_placeholders() {
        let out = std::env::temp_dir().join(format!("bindpose-manifests-{}", std::process::id()));
        for system in [ProgramSystem::Linux, ProgramSystem::MacOs, ProgramSystem::Windows] {
            make_empty(&out).unwrap();
            let release = ReleasedProgram {
                program: out.join("unused"),
                system,
                version: "9.8.7".to_owned(),
                time_s: 1_000_000_000,
            };
            let package = package_name(&release);
            write_all(&release, URL, &out).expect_err("no package yet");
            write(&out.join(&package), "abc").unwrap();
            write_all(&release, URL, &out).unwrap();
            let text: String = manifest_templates(system)
                .iter()
                .map(|manifest| read(&out.join(manifest.name)).unwrap())
                .collect();
            assert!(!text.contains('@'), "{text}");
            assert!(text.contains("9.8.7"), "{text}");
            assert!(text.contains(&format!("{URL}/{package}")), "{text}");
            // The checksum of "abc" in FIPS 180.
            let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
            assert!(text.contains(sum), "{text}");
        }
        std::fs::remove_dir_all(&out).unwrap();
    }

    #[test]
    fn only_https_addresses_are_accepted() {
        assert_eq!(checked_url(&format!("{URL}/")).unwrap(), URL);
        assert_eq!(repository_url(URL), "https://git.example.org/ada/bindpose");
        for invalid in ["http://example.org", "https://", "https://a.b/\"x", "v9.8.7"] {
            checked_url(invalid).expect_err(invalid);
        }
    }
}
