//! Which file of the site a browser asks for. Nothing outside its folder is found.

use std::io;
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

/// A folder of pages.
pub(super) struct Site {
    folder: PathBuf,
}

/// What stands at an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    File {
        path: PathBuf,
        /// Its media type.
        kind: &'static str,
        /// Is its name that of its content, so that a browser may keep it?
        kept: bool,
    },
    /// A folder asked for as if it were a file: its address, with the slash.
    Folder(String),
    Nothing,
}

impl Site {
    /// Fails when `folder` has no `index.html`.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        if folder.join("index.html").is_file() {
            Ok(Self { folder })
        } else {
            Err(io::Error::new(io::ErrorKind::NotFound, "it has no index.html"))
        }
    }

    /// What stands at `url`: a path, perhaps with a query.
    pub(super) fn find(&self, url: &str) -> Found {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let Ok(decoded) = percent_decode_str(path).decode_utf8() else {
            return Found::Nothing;
        };
        let relative = Path::new(decoded.trim_start_matches('/'));
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if !relative.components().all(plain) || decoded.contains(['\\', '\0']) {
            return Found::Nothing;
        }
        let mut file = self.folder.join(relative);
        if file.is_dir() {
            if !decoded.ends_with('/') {
                return Found::Folder(format!("{path}/"));
            }
            file.push("index.html");
        }
        // A link may lead out of the folder.
        match file.canonicalize() {
            Ok(path) if path.starts_with(&self.folder) && path.is_file() => {
                Found::File { kind: kind(&path), kept: relative.starts_with("assets"), path }
            }
            _ => Found::Nothing,
        }
    }
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        // A browser compiles it while it comes only if it is called so.
        Some("wasm") => "application/wasm",
        Some("json" | "webmanifest") => "application/json",
        Some("png") => "image/png",
        Some("jpg") => "image/jpeg",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("ttf") => "font/ttf",
        Some("glb") => "model/gltf-binary",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> (tempfile::TempDir, Site) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("site");
        std::fs::create_dir_all(root.join("20-bind-pose")).unwrap();
        std::fs::create_dir_all(root.join("assets")).unwrap();
        for file in ["index.html", "20-bind-pose/index.html", "assets/a-1.wasm"] {
            std::fs::write(root.join(file), file).unwrap();
        }
        std::fs::write(dir.path().join("secret.txt"), "no").unwrap();
        let site = Site::open(&root).unwrap();
        (dir, site)
    }

    #[test]
    fn pages_are_found_with_their_kinds() {
        let (_dir, site) = site();
        for (url, name, of_kind, is_kept) in [
            ("/", "index.html", "text/html; charset=utf-8", false),
            ("/?embed=stage", "index.html", "text/html; charset=utf-8", false),
            ("/20-bind-pose/", "20-bind-pose/index.html", "text/html; charset=utf-8", false),
            ("/assets/a-1.wasm", "assets/a-1.wasm", "application/wasm", true),
            ("/%61ssets/a-1.wasm", "assets/a-1.wasm", "application/wasm", true),
        ] {
            let Found::File { path, kind, kept } = site.find(url) else {
                panic!("{url} is not found");
            };
            assert!(path.ends_with(name), "{url}: {}", path.display());
            assert_eq!((kind, kept), (of_kind, is_kept), "{url}");
        }
        // Relative addresses of the page would lead elsewhere without the slash.
        let with_slash = Found::Folder("/20-bind-pose/".to_owned());
        assert_eq!(site.find("/20-bind-pose"), with_slash);
    }

    #[test]
    fn nothing_outside_the_folder_is_found() {
        let (_dir, site) = site();
        for url in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/../../secret.txt",
            "/..%5csecret.txt",
            "//etc/passwd",
            "/assets/",
            "/missing",
            "/%ff",
            "/a%00b",
        ] {
            assert_eq!(site.find(url), Found::Nothing, "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let (dir, site) = site();
        let link = dir.path().join("site/link.txt");
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), link).unwrap();
        assert_eq!(site.find("/link.txt"), Found::Nothing);
    }

    #[test]
    fn a_folder_without_pages_is_no_site() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Site::open(dir.path()).is_err());
    }
}
