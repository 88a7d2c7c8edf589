//! Finds missing libraries and programs of the system, and installs them.
//!
//! Building the notebook needs none. Drawing without a window needs EGL and a driver. A window on
//! Linux needs the libraries that winit loads at run time. The tests of the web pages need a
//! browser and Node, and use two more browsers with a virtual display if they are available. The
//! tests of a class on a relay need a NATS server. The pictures of the web pages are compressed
//! with a tool of libwebp.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, pass_on};

/// A use of the program or its tests that needs parts of the system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProgramUseCase {
    /// Drawing into images.
    Headless,
    /// Opening a window.
    Window,
    /// Driving Chromium in tests.
    Browser,
    /// Driving browsers in tests that can only draw in a window.
    OtherBrowsers,
    /// Testing a class on a relay.
    Relay,
    /// Compressing the pictures of the site.
    Pictures,
}

/// A library that is loaded at run time, or a program.
struct SystemPart {
    name: &'static str,
    kind: SystemPartKind,
    /// Name of its package for each of [`MANAGERS`].
    packages: [&'static str; 4],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SystemPartKind {
    HeadlessLibrary,
    WindowLibrary,
    BrowserProgram,
    OtherBrowserProgram,
    RelayProgram,
    PictureProgram,
}

/// Supported package managers: the program, and the command that installs packages.
const MANAGERS: [(&str, &str); 4] = [
    ("apt-get", "apt-get install --no-install-recommends"),
    ("dnf", "dnf install"),
    ("pacman", "pacman -S --needed"),
    ("zypper", "zypper install"),
];
const APT: usize = 0;

/// Has no fixed file name, so it is detected by the contents of the driver folders.
const DRIVER: &str = "a Mesa driver";

/// Has several names.
const CHROMIUM: &str = "chromium";
const CHROMIUM_NAMES: [&str; 3] = [CHROMIUM, "chromium-browser", "google-chrome"];
const FIREFOX: &str = "firefox-esr";
const FIREFOX_NAMES: [&str; 2] = [FIREFOX, "firefox"];

#[rustfmt::skip]
const PARTS: [SystemPart; 16] = [
    headless("libEGL.so.1", ["libegl1", "mesa-libEGL", "libglvnd", "Mesa-libEGL1"]),
    headless(DRIVER, ["libgl1-mesa-dri", "mesa-dri-drivers", "mesa", "Mesa-dri"]),
    window("libGL.so.1", ["libgl1", "mesa-libGL", "libglvnd", "Mesa-libGL1"]),
    window("libX11-xcb.so.1", ["libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1"]),
    window("libxkbcommon-x11.so.0", ["libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11", "libxkbcommon-x11-0"]),
    window("libXcursor.so.1", ["libxcursor1", "libXcursor", "libxcursor", "libXcursor1"]),
    window("libXi.so.6", ["libxi6", "libXi", "libxi", "libXi6"]),
    window("libXrandr.so.2", ["libxrandr2", "libXrandr", "libxrandr", "libXrandr2"]),
    browser(CHROMIUM, ["chromium", "chromium", "chromium", "chromium"]),
    browser("node", ["nodejs", "nodejs", "nodejs", "nodejs"]),
    browser("npm", ["npm", "npm", "npm", "npm"]),
    other_browser(FIREFOX, ["firefox-esr", "firefox", "firefox", "MozillaFirefox"]),
    other_browser("WebKitWebDriver", ["webkit2gtk-driver", "webkitgtk6.0-devel", "webkitgtk-6.0", "webkit2gtk3-minibrowser"]),
    other_browser("Xvfb", ["xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb", "xorg-x11-server-Xvfb"]),
    part(SystemPartKind::RelayProgram, "nats-server", ["nats-server", "nats-server", "nats-server", "nats-server"]),
    part(SystemPartKind::PictureProgram, "cwebp", ["webp", "libwebp-tools", "libwebp", "libwebp-tools"]),
];

const fn headless(name: &'static str, packages: [&'static str; 4]) -> SystemPart {
    part(SystemPartKind::HeadlessLibrary, name, packages)
}

const fn window(name: &'static str, packages: [&'static str; 4]) -> SystemPart {
    part(SystemPartKind::WindowLibrary, name, packages)
}

const fn browser(name: &'static str, packages: [&'static str; 4]) -> SystemPart {
    part(SystemPartKind::BrowserProgram, name, packages)
}

const fn other_browser(name: &'static str, packages: [&'static str; 4]) -> SystemPart {
    part(SystemPartKind::OtherBrowserProgram, name, packages)
}

const fn part(kind: SystemPartKind, name: &'static str, packages: [&'static str; 4]) -> SystemPart {
    SystemPart { name, kind, packages }
}

impl ProgramUseCase {
    fn needs(self, kind: SystemPartKind) -> bool {
        match self {
            Self::Headless => kind == SystemPartKind::HeadlessLibrary,
            Self::Window => {
                matches!(kind, SystemPartKind::HeadlessLibrary | SystemPartKind::WindowLibrary)
            }
            Self::Browser => kind == SystemPartKind::BrowserProgram,
            Self::OtherBrowsers => kind == SystemPartKind::OtherBrowserProgram,
            Self::Relay => kind == SystemPartKind::RelayProgram,
            Self::Pictures => kind == SystemPartKind::PictureProgram,
        }
    }
}

/// Returns whether this system can draw without a window.
pub fn draws_headless() -> bool {
    cfg!(target_os = "linux")
}

/// Returns the Debian packages of the libraries that a window loads at run time. Omits the
/// driver, because a system already has that of its GPU.
pub fn debian_window_libraries() -> Vec<&'static str> {
    let parts = PARTS.iter().filter(|part| ProgramUseCase::Window.needs(part.kind));
    parts.filter(|part| part.name != DRIVER).map(|part| part.packages[APT]).collect()
}

/// Installs missing parts for a use case. If that is not possible, returns a message that
/// explains what to do. The caller may continue with everything that does not need them.
pub fn need(use_case: ProgramUseCase) -> Result<(), String> {
    let needs_drawing = matches!(use_case, ProgramUseCase::Headless | ProgramUseCase::Window);
    if !cfg!(target_os = "linux") && needs_drawing {
        // macOS and Windows come with everything for drawing.
        return Ok(());
    }
    let missing = find_missing(use_case);
    if missing.is_empty() {
        return Ok(());
    }
    println!("· missing on this system: {}", names(&missing));
    if which(MANAGERS[APT].0).is_none() {
        return Err(remedy(&missing));
    }
    install_with_apt(&missing)?;
    let missing = find_missing(use_case);
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("still missing after the installation: {}\n{}", names(&missing), remedy(&missing)))
}

fn find_missing(use_case: ProgramUseCase) -> Vec<&'static SystemPart> {
    let linker_cache = answer("ldconfig", &["-p"])
        .or_else(|| answer("/sbin/ldconfig", &["-p"]))
        .unwrap_or_default();
    let folders = library_folders();
    PARTS
        .iter()
        .filter(|part| use_case.needs(part.kind))
        .filter(|part| match (part.kind, part.name) {
            (SystemPartKind::BrowserProgram, CHROMIUM) => find_chromium().is_none(),
            (SystemPartKind::OtherBrowserProgram, FIREFOX) => {
                !FIREFOX_NAMES.iter().any(|name| which(name).is_some())
            }
            (
                SystemPartKind::BrowserProgram
                | SystemPartKind::OtherBrowserProgram
                | SystemPartKind::PictureProgram,
                name,
            ) => which(name).is_none(),
            // Debian installs it to a folder that is only in the PATH of root.
            (SystemPartKind::RelayProgram, name) => {
                which(name).is_none() && !Path::new("/usr/sbin").join(name).is_file()
            }
            (_, DRIVER) => !has_driver(&folders),
            (_, name) => {
                !is_in_linker_cache(&linker_cache, name)
                    && !folders.iter().any(|folder| folder.join(name).exists())
            }
        })
        .collect()
}

/// Finds Chromium or a browser based on it. The variable `CHROMIUM` has priority.
fn find_chromium() -> Option<PathBuf> {
    std::env::var_os("CHROMIUM")
        .map(PathBuf::from)
        .or_else(|| CHROMIUM_NAMES.iter().find_map(|name| which(name)))
}

/// Returns whether the output of `ldconfig -p` lists a library of this architecture. Its lines
/// have the form `libEGL.so.1 (libc6,x86-64) => /usr/lib/…`.
fn is_in_linker_cache(linker_cache: &str, name: &str) -> bool {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "x86-64",
        "aarch64" => "AArch64",
        _ => "",
    };
    linker_cache.lines().any(|line| {
        line.trim_start()
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(" (") && rest.contains(architecture))
    })
}

/// Returns the folders that may have libraries which are not in the linker cache.
fn library_folders() -> Vec<PathBuf> {
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    let mut folders: Vec<PathBuf> = std::env::var_os("LD_LIBRARY_PATH")
        .map(|paths| std::env::split_paths(&paths).collect())
        .unwrap_or_default();
    for base in ["/usr/lib", "/lib", "/usr/local/lib"] {
        folders.push(Path::new(base).join(&triplet));
        // The folder of 64-bit libraries on Alpine and Arch.
        folders.push(base.into());
    }
    folders.push("/usr/lib64".into());
    folders.push("/run/opengl-driver/lib".into());
    folders
}

/// Returns whether there is a graphics driver. Mesa installs `dri/*_dri.so` or, since version
/// 24.3, a single `libgallium`. The driver of NVIDIA is registered with libEGL.
fn has_driver(folders: &[PathBuf]) -> bool {
    let mut driver_folders: Vec<PathBuf> =
        folders.iter().map(|folder| folder.join("dri")).collect();
    if let Some(paths) = std::env::var_os("LIBGL_DRIVERS_PATH") {
        driver_folders.extend(std::env::split_paths(&paths));
    }
    let vendors = ["/usr/share/glvnd/egl_vendor.d", "/etc/glvnd/egl_vendor.d"];
    driver_folders.iter().any(|folder| contains_file(folder, |name| name.ends_with("_dri.so")))
        || folders.iter().any(|folder| contains_file(folder, |name| name.starts_with("libgallium")))
        || vendors
            .iter()
            .any(|folder| contains_file(Path::new(folder), |name| name.contains("nvidia")))
}

/// Returns whether a folder contains a file whose name satisfies the condition.
fn contains_file(folder: &Path, name_matches: impl Fn(&str) -> bool) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| name_matches(&entry.file_name().to_string_lossy()))
    })
}

/// Installs the packages of the missing parts, as root or with sudo. Updates the package lists
/// only if there are none, as on a fresh image, or if they are too old.
fn install_with_apt(missing: &[&SystemPart]) -> Result<(), String> {
    let Some(prefix) = root_prefix() else {
        return Err(remedy(missing));
    };
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(packages(missing, APT));
    let has_lists =
        contains_file(Path::new("/var/lib/apt/lists"), |name| name.contains("_Packages"));
    if has_lists && run_apt(&prefix, &install).is_ok() {
        return Ok(());
    }
    run_apt(&prefix, &["update"])
        .and_then(|()| run_apt(&prefix, &install))
        .map_err(|problem| format!("apt-get failed ({problem})\n{}", remedy(missing)))
}

/// Returns the prefix of a command that needs root: empty for root, or else sudo. Returns `None`
/// if sudo is missing, or needs a password that nobody can type.
fn root_prefix() -> Option<Vec<&'static str>> {
    if answer("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
        return Some(Vec::new());
    }
    which("sudo")?;
    if answer("sudo", &["-n", "true"]).is_some() {
        return Some(vec!["sudo", "-n"]);
    }
    std::io::stdin().is_terminal().then(|| vec!["sudo"])
}

fn run_apt(prefix: &[&str], args: &[&str]) -> Result<(), String> {
    let words: Vec<&str> = prefix
        .iter()
        .copied()
        .chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
        .chain(["-o", "DPkg::Lock::Timeout=120"])
        .chain(["-o", "Acquire::Retries=2"])
        .chain(["-o", "Acquire::http::Timeout=30"])
        .chain(args.iter().copied())
        .collect();
    println!("· {}", words.join(" "));
    pass_on(Command::new(words[0]).args(&words[1..]))
}

/// Explains how to install missing parts. Contains the command if the package manager is known.
fn remedy(missing: &[&SystemPart]) -> String {
    match MANAGERS.iter().position(|(program, _)| which(program).is_some()) {
        Some(manager) => format!(
            "install them with: sudo {} {}",
            MANAGERS[manager].1,
            packages(missing, manager).join(" ")
        ),
        None => format!("install what brings {} by your system's package manager", names(missing)),
    }
}

/// Returns the packages of the parts for one of [`MANAGERS`], without duplicates.
fn packages(parts: &[&SystemPart], manager: usize) -> Vec<&'static str> {
    let unique: BTreeSet<_> = parts.iter().map(|part| part.packages[manager]).collect();
    unique.into_iter().collect()
}

fn names(parts: &[&SystemPart]) -> String {
    let names: Vec<_> = parts.iter().map(|part| part.name).collect();
    names.join(", ")
}

/// Finds a program in the `PATH`. Returns `None` if it is not installed.
pub fn which(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_linker_cache_is_searched_for_this_architecture_and_the_whole_name() {
        let linker_cache = "\tlibEGL.so.1 (libc6) => /usr/lib/i386-linux-gnu/libEGL.so.1\n\
                     \tlibXi.so.6 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libXi.so.6\n";
        assert!(!is_in_linker_cache(linker_cache, "libEGL.so.1"));
        assert!(is_in_linker_cache(linker_cache, "libXi.so.6"));
        assert!(!is_in_linker_cache(linker_cache, "libXi.so"));
    }

    #[test]
    fn a_package_with_two_libraries_is_listed_once() {
        let all: Vec<_> = PARTS.iter().collect();
        let pacman = packages(&all, 2);
        assert_eq!(pacman.iter().filter(|name| **name == "libglvnd").count(), 1);
    }

    #[test]
    fn pictures_of_the_site_need_only_the_tool_of_libwebp() {
        let needed = PARTS.iter().filter(|part| ProgramUseCase::Pictures.needs(part.kind));
        let needed: Vec<_> = needed.collect();
        assert_eq!(names(&needed), "cwebp");
        let of_managers = (0..MANAGERS.len()).flat_map(|manager| packages(&needed, manager));
        let expected = ["webp", "libwebp-tools", "libwebp", "libwebp-tools"];
        assert_eq!(of_managers.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_folder_with_a_mesa_driver_counts_and_an_empty_one_does_not() {
        let base = std::env::temp_dir().join(format!("xtask-driver-{}", std::process::id()));
        let dri = base.join("dri");
        std::fs::create_dir_all(&dri).unwrap();
        let folders = [base.clone()];
        // A machine may have the driver of NVIDIA, which is not in these folders.
        let has_other_driver = has_driver(&[]);
        assert_eq!(has_driver(&folders), has_other_driver);
        std::fs::write(dri.join("swrast_dri.so"), "").unwrap();
        assert!(has_driver(&folders));
        std::fs::remove_dir_all(&base).unwrap();
    }
}
