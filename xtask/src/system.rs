//! What others bring: which libraries and programs are missing, and how they get
//! here.
//!
//! Nothing is needed to build the notebook. Drawing without a window needs EGL and
//! a driver; a window on Linux needs the libraries that winit opens by name at run
//! time; the tests of the web pages need a browser and what steers it, and where they
//! can be had two more browsers with a screen in memory; those of a class beyond one
//! machine need a NATS server. The pictures of the web pages are packed by a tool of
//! libwebp.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, pass_on};

/// What the program is about to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProgramUseCase {
    /// Draw into images.
    Headless,
    /// Open a window.
    Window,
    /// Steer a browser.
    Browser,
    /// Steer those that draw in a window only.
    OtherBrowsers,
    /// Let a class meet on a relay.
    Relay,
    /// Pack the pictures of the site.
    Pictures,
}

/// A library opened at run time, or a program.
struct SystemPart {
    name: &'static str,
    kind: SystemPartKind,
    /// What brings it, one for each of [`MANAGERS`].
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

/// Package managers that we know the names for: the program, and how to install.
const MANAGERS: [(&str, &str); 4] = [
    ("apt-get", "apt-get install --no-install-recommends"),
    ("dnf", "dnf install"),
    ("pacman", "pacman -S --needed"),
    ("zypper", "zypper install"),
];
const APT: usize = 0;

/// Not one file but many: told by what lies in the drivers' folders.
const DRIVER: &str = "a Mesa driver";

/// Known by several names.
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

/// Can pictures be drawn here without a window?
pub fn draws_headless() -> bool {
    cfg!(target_os = "linux")
}

/// Debian's packages of the libraries that a window opens by name. Without a driver: a
/// system has the one for its card.
pub fn debian_window_libraries() -> Vec<&'static str> {
    let parts = PARTS.iter().filter(|part| ProgramUseCase::Window.needs(part.kind));
    parts.filter(|part| part.name != DRIVER).map(|part| part.packages[APT]).collect()
}

/// Sees to it that what it takes is there. Where they can't be installed from
/// here, returns what to do; what does not need them can go on.
pub fn need(purpose: ProgramUseCase) -> Result<(), String> {
    let draws_itself = matches!(purpose, ProgramUseCase::Headless | ProgramUseCase::Window);
    if !cfg!(target_os = "linux") && draws_itself {
        return Ok(()); // macOS and Windows bring all that a window needs.
    }
    let lacking = missing(purpose);
    if lacking.is_empty() {
        return Ok(());
    }
    println!("· missing on this system: {}", names(&lacking));
    if which(MANAGERS[APT].0).is_none() {
        return Err(remedy(&lacking));
    }
    install_by_apt(&lacking)?;
    let lacking = missing(purpose);
    if lacking.is_empty() {
        return Ok(());
    }
    Err(format!("still missing after the installation: {}\n{}", names(&lacking), remedy(&lacking)))
}

fn missing(purpose: ProgramUseCase) -> Vec<&'static SystemPart> {
    let known = answer("ldconfig", &["-p"])
        .or_else(|| answer("/sbin/ldconfig", &["-p"]))
        .unwrap_or_default();
    let folders = library_folders();
    PARTS
        .iter()
        .filter(|part| purpose.needs(part.kind))
        .filter(|part| match (part.kind, part.name) {
            (SystemPartKind::BrowserProgram, CHROMIUM) => chromium().is_none(),
            (SystemPartKind::OtherBrowserProgram, FIREFOX) => {
                !FIREFOX_NAMES.iter().any(|name| which(name).is_some())
            }
            (
                SystemPartKind::BrowserProgram
                | SystemPartKind::OtherBrowserProgram
                | SystemPartKind::PictureProgram,
                name,
            ) => which(name).is_none(),
            // Debian keeps it where only root looks for programs.
            (SystemPartKind::RelayProgram, name) => {
                which(name).is_none() && !Path::new("/usr/sbin").join(name).is_file()
            }
            (_, DRIVER) => !has_driver(&folders),
            (_, name) => {
                !in_linker_cache(&known, name)
                    && !folders.iter().any(|folder| folder.join(name).exists())
            }
        })
        .collect()
}

/// The Chromium of this system, or a browser made from it.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    named.or_else(|| CHROMIUM_NAMES.iter().find_map(|name| which(name)))
}

/// Lines read `libEGL.so.1 (libc6,x86-64) => /usr/lib/…`; those of another
/// architecture don't count.
fn in_linker_cache(known: &str, name: &str) -> bool {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "x86-64",
        "aarch64" => "AArch64",
        _ => "",
    };
    known.lines().any(|line| {
        line.trim_start()
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(" (") && rest.contains(architecture))
    })
}

/// Where libraries lie when the linker's cache does not say.
fn library_folders() -> Vec<PathBuf> {
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    let mut folders: Vec<PathBuf> = std::env::var_os("LD_LIBRARY_PATH")
        .map(|paths| std::env::split_paths(&paths).collect())
        .unwrap_or_default();
    for base in ["/usr/lib", "/lib", "/usr/local/lib"] {
        folders.push(Path::new(base).join(&triplet));
        // Alpine and Arch keep 64-bit libraries here; Debian nothing of ours.
        folders.push(base.into());
    }
    folders.push("/usr/lib64".into());
    folders.push("/run/opengl-driver/lib".into());
    folders
}

/// Mesa keeps `dri/*_dri.so` or, since 24.3, one `libgallium`; NVIDIA's driver
/// announces itself to libEGL.
fn has_driver(folders: &[PathBuf]) -> bool {
    let mut driver_folders: Vec<PathBuf> =
        folders.iter().map(|folder| folder.join("dri")).collect();
    if let Some(paths) = std::env::var_os("LIBGL_DRIVERS_PATH") {
        driver_folders.extend(std::env::split_paths(&paths));
    }
    let vendors = ["/usr/share/glvnd/egl_vendor.d", "/etc/glvnd/egl_vendor.d"];
    driver_folders.iter().any(|folder| holds(folder, |name| name.ends_with("_dri.so")))
        || folders.iter().any(|folder| holds(folder, |name| name.starts_with("libgallium")))
        || vendors.iter().any(|folder| holds(Path::new(folder), |name| name.contains("nvidia")))
}

/// Does a file of such a name lie in the folder?
fn holds(folder: &Path, fits: impl Fn(&str) -> bool) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| fits(&entry.file_name().to_string_lossy()))
    })
}

/// As root, or with sudo. The package lists are fetched only where there are
/// none, as on a fresh image, or where they turn out to be too old.
fn install_by_apt(lacking: &[&SystemPart]) -> Result<(), String> {
    let Some(rights) = rights() else {
        return Err(remedy(lacking));
    };
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(packages(lacking, APT));
    let update_and_install =
        || run_apt(&rights, &["update"]).and_then(|()| run_apt(&rights, &install));
    let outcome = if holds(Path::new("/var/lib/apt/lists"), |name| name.contains("_Packages")) {
        run_apt(&rights, &install).or_else(|_| update_and_install())
    } else {
        update_and_install()
    };
    outcome.map_err(|problem| format!("apt-get failed ({problem})\n{}", remedy(lacking)))
}

/// What to put before a command that needs root: nothing for root, sudo where
/// it asks for no password or someone is there to type it.
fn rights() -> Option<Vec<&'static str>> {
    if answer("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
        return Some(Vec::new());
    }
    which("sudo")?;
    if answer("sudo", &["-n", "true"]).is_some() {
        return Some(vec!["sudo", "-n"]);
    }
    std::io::stdin().is_terminal().then(|| vec!["sudo"])
}

fn run_apt(rights: &[&str], args: &[&str]) -> Result<(), String> {
    let words: Vec<&str> = rights
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

/// The command to type, where we know the system's package manager.
fn remedy(lacking: &[&SystemPart]) -> String {
    let known = MANAGERS.iter().position(|(program, _)| which(program).is_some());
    match known {
        Some(manager) => format!(
            "install them with: sudo {} {}",
            MANAGERS[manager].1,
            packages(lacking, manager).join(" ")
        ),
        None => format!("install what brings {} by your system's package manager", names(lacking)),
    }
}

fn packages(lacking: &[&SystemPart], manager: usize) -> Vec<&'static str> {
    let unique: BTreeSet<_> = lacking.iter().map(|part| part.packages[manager]).collect();
    unique.into_iter().collect()
}

fn names(parts: &[&SystemPart]) -> String {
    let names: Vec<_> = parts.iter().map(|part| part.name).collect();
    names.join(", ")
}

/// Where a program is in the path; absent where it is not installed.
pub fn which(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_linker_cache_counts_only_this_architecture_and_the_whole_name() {
        let known = "\tlibEGL.so.1 (libc6) => /usr/lib/i386-linux-gnu/libEGL.so.1\n\
                     \tlibXi.so.6 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libXi.so.6\n";
        assert!(!in_linker_cache(known, "libEGL.so.1"));
        assert!(in_linker_cache(known, "libXi.so.6"));
        assert!(!in_linker_cache(known, "libXi.so"));
    }

    #[test]
    fn a_package_that_brings_two_libraries_is_named_once() {
        let all: Vec<_> = PARTS.iter().collect();
        let pacman = packages(&all, 2);
        assert_eq!(pacman.iter().filter(|name| **name == "libglvnd").count(), 1);
    }

    #[test]
    fn pictures_of_the_site_need_libwebps_tool_alone() {
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
        // A machine with NVIDIA's driver has one whatever the folders hold.
        let before = has_driver(&[]);
        assert_eq!(has_driver(&folders), before);
        std::fs::write(dri.join("swrast_dri.so"), "").unwrap();
        assert!(has_driver(&folders));
        std::fs::remove_dir_all(&base).unwrap();
    }
}
