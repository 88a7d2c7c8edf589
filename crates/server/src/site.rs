//! Which file of the site a browser asks for, and how it is answered: files packed where
//! that makes them smaller, named files to keep for good, pages to ask for again. Nothing
//! outside the folder of the site is found.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, CACHE_CONTROL, CONTENT_ENCODING,
    CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, LOCATION, RETRY_AFTER, VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use percent_encoding::percent_decode_str;

/// A status with some words for people.
pub(super) fn words(status: u16, words: &'static str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], words).into_response()
}

/// Hands out a site.
pub(super) struct Site {
    folder: ServedFolder,
    /// Each file is read and packed once, however many phones ask for it.
    files: Mutex<HashMap<PathBuf, Slot>>,
}

/// A file as it was when its length and time were these.
#[derive(Clone)]
struct Slot {
    length: u64,
    changed: SystemTime,
    /// Absent until it could be read. Locked while it is read: others wait for it.
    content: Arc<Mutex<Option<Arc<AnswerContent>>>>,
}

struct AnswerContent {
    plain: Bytes,
    /// By names of encodings, the smallest first.
    packed: Vec<(&'static str, Bytes)>,
}

impl Site {
    pub(super) fn new(folder: ServedFolder) -> Self {
        Self { folder, files: Mutex::default() }
    }

    /// Answers one request.
    pub(super) fn answer(&self, asked: &Request) -> Response {
        if !matches!(*asked.method(), Method::GET | Method::HEAD) {
            return ([(ALLOW, "GET, HEAD")], words(405, "Method not allowed")).into_response();
        }
        match self.folder.find(asked.uri().path()) {
            FoundFile::File { path, kind, kept } => match self.slot(&path) {
                Ok(slot) => file(asked, &path, &slot, kind, kept).unwrap_or_else(|_| unreadable()),
                Err(why) if why.kind() == io::ErrorKind::NotFound => words(404, "Not found"),
                Err(_) => unreadable(),
            },
            FoundFile::Folder(path) => ([(LOCATION, path)], words(308, "")).into_response(),
            FoundFile::Nothing => words(404, "Not found"),
        }
    }

    /// The place of a file's content, a new one when the file has changed.
    fn slot(&self, path: &Path) -> io::Result<Slot> {
        let of_file = std::fs::metadata(path)?;
        let (length, changed) = (of_file.len(), of_file.modified()?);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let known = files.get(path);
        let known = known.filter(|slot| slot.length == length && slot.changed == changed);
        if let Some(slot) = known {
            return Ok(slot.clone());
        }
        let slot = Slot { length, changed, content: Arc::default() };
        files.insert(path.to_owned(), slot.clone());
        Ok(slot)
    }
}

impl Slot {
    /// Reads and packs the file, once. A failure is not kept: the next request tries again.
    fn content(&self, path: &Path, kind: &str) -> io::Result<Arc<AnswerContent>> {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = &*content {
            return Ok(Arc::clone(content));
        }
        let read = Arc::new(read(path, kind)?);
        *content = Some(Arc::clone(&read));
        Ok(read)
    }
}

/// A file is there and can't be read now, because too many others are open, for example. No
/// browser keeps this answer.
fn unreadable() -> Response {
    let again = [(CACHE_CONTROL, "no-store"), (RETRY_AFTER, "1")];
    (again, words(503, "This file can’t be read now. Try again.")).into_response()
}

/// Fails if the file can't be read.
fn file(
    asked: &Request,
    path: &Path,
    slot: &Slot,
    kind: &'static str,
    kept: bool,
) -> io::Result<Response> {
    let since = slot.changed.duration_since(SystemTime::UNIX_EPOCH);
    let nanos = since.unwrap_or(Duration::ZERO).as_nanos();
    let tag = format!("\"{:x}-{nanos:x}\"", slot.length);
    // What a name of content stands for never changes; a page is asked for again.
    let cache = if kept { "public, max-age=31536000, immutable" } else { "no-cache" };
    let of_file = [
        (CACHE_CONTROL, cache),
        (ETAG, &tag),
        (VARY, "Accept-Encoding"),
        // A frame without an origin of its own, as platforms make them, asks as a stranger.
        // Nothing here is secret from who can reach it.
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    if header(asked, &IF_NONE_MATCH).contains(&tag) {
        return Ok((StatusCode::NOT_MODIFIED, of_file).into_response());
    }
    let content = slot.content(path, kind)?;
    let (encodings, mut packed) = (header(asked, &ACCEPT_ENCODING), content.packed.iter());
    let (encoding, body) = match packed.find(|(name, _)| takes(encodings, name)) {
        Some((name, packed)) => (Some(*name), packed),
        None => (None, &content.plain),
    };
    let body = Body::from(body.clone());
    let mut answer = (of_file, [(CONTENT_TYPE, kind)], body).into_response();
    if let Some(encoding) = encoding {
        answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Ok(answer)
}

/// What the browser says of itself there; nothing: an empty text.
fn header<'a>(asked: &'a Request, name: &HeaderName) -> &'a str {
    asked.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Reads a file, and the one packed by brotli that may lie beside it.
fn read(path: &Path, kind: &str) -> io::Result<AnswerContent> {
    let plain = Bytes::from(std::fs::read(path)?);
    let is_packed_already = matches!(kind, "image/png" | "image/webp" | "font/woff2");
    let gzipped = (!is_packed_already).then(|| packed(&plain)).flatten();
    let gzipped = gzipped.filter(|packed| packed.len() < plain.len());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".br");
    let brotli = match std::fs::read(beside) {
        Ok(bytes) => Some(bytes.into()),
        Err(why) if why.kind() == io::ErrorKind::NotFound => None,
        Err(why) => return Err(why),
    };
    let packed = [("br", brotli), ("gzip", gzipped)].into_iter();
    let packed = packed.filter_map(|(name, bytes)| Some((name, bytes?))).collect();
    Ok(AnswerContent { plain, packed })
}

fn packed(bytes: &[u8]) -> Option<Bytes> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).ok()?;
    packer.finish().ok().map(Into::into)
}

/// Does a list such as `br, gzip;q=0.5` have this encoding, and not as refused?
fn takes(list: &str, encoding: &str) -> bool {
    list.split(',').any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim() == encoding && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0)
    })
}

/// A folder of pages.
#[derive(Debug)]
pub struct ServedFolder {
    folder: PathBuf,
}

/// What stands at an address.
#[derive(Debug, PartialEq, Eq)]
enum FoundFile {
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

impl ServedFolder {
    /// Fails when `folder` has no `index.html`.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        if folder.join("index.html").is_file() {
            Ok(Self { folder })
        } else {
            Err(io::Error::new(io::ErrorKind::NotFound, "it has no index.html"))
        }
    }

    /// What stands at `url`: a path, perhaps with a query.
    fn find(&self, url: &str) -> FoundFile {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let Ok(decoded) = percent_decode_str(path).decode_utf8() else {
            return FoundFile::Nothing;
        };
        let relative = Path::new(decoded.trim_start_matches('/'));
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if !relative.components().all(plain) || decoded.contains(['\\', '\0']) {
            return FoundFile::Nothing;
        }
        let mut file = self.folder.join(relative);
        if file.is_dir() {
            if !decoded.ends_with('/') {
                return FoundFile::Folder(format!("{path}/"));
            }
            file.push("index.html");
        }
        // A link may lead out of the folder.
        match file.canonicalize() {
            Ok(path) if path.starts_with(&self.folder) && path.is_file() => {
                FoundFile::File { kind: kind(&path), kept: relative.starts_with("assets"), path }
            }
            _ => FoundFile::Nothing,
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
        Some("webp") => "image/webp",
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

    fn site() -> (tempfile::TempDir, ServedFolder) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("site");
        std::fs::create_dir_all(root.join("20-bind-pose")).unwrap();
        std::fs::create_dir_all(root.join("assets")).unwrap();
        for file in ["index.html", "20-bind-pose/index.html", "assets/a-1.wasm"] {
            std::fs::write(root.join(file), file).unwrap();
        }
        std::fs::write(dir.path().join("secret.txt"), "no").unwrap();
        let site = ServedFolder::open(&root).unwrap();
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
            let FoundFile::File { path, kind, kept } = site.find(url) else {
                panic!("{url} is not found");
            };
            assert!(path.ends_with(name), "{url}: {}", path.display());
            assert_eq!((kind, kept), (of_kind, is_kept), "{url}");
        }
        // Relative addresses of the page would lead elsewhere without the slash.
        let with_slash = FoundFile::Folder("/20-bind-pose/".to_owned());
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
            assert_eq!(site.find(url), FoundFile::Nothing, "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let (dir, site) = site();
        let link = dir.path().join("site/link.txt");
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), link).unwrap();
        assert_eq!(site.find("/link.txt"), FoundFile::Nothing);
    }

    /// Whoever runs the tests as root reads every file: a folder in its place can't be read.
    #[test]
    fn an_asset_that_cannot_be_read_is_asked_for_again_and_kept_by_nobody() {
        let (dir, folder) = site();
        let site = Site::new(folder);
        let asset = dir.path().join("site/assets/a-1.wasm");
        let packed = dir.path().join("site/assets/a-1.wasm.br");
        let asked = Request::builder().uri("/assets/a-1.wasm").body(Body::empty()).unwrap();
        let answer = || {
            let answer = site.answer(&asked);
            let cache = answer.headers()[CACHE_CONTROL].to_str().unwrap().to_owned();
            (answer.status().as_u16(), cache)
        };
        std::fs::create_dir(&packed).unwrap();
        assert_eq!(answer(), (503, "no-store".to_owned()));
        std::fs::remove_dir(&packed).unwrap();
        assert_eq!(answer(), (200, "public, max-age=31536000, immutable".to_owned()));

        let slot = site.slot(&asset).unwrap();
        let kept = slot.content(&asset, "application/wasm").unwrap();
        assert_eq!(&kept.plain[..], b"assets/a-1.wasm");
        std::fs::remove_file(&asset).unwrap();
        let again = slot.content(&asset, "application/wasm").unwrap();
        assert!(Arc::ptr_eq(&kept, &again), "it is read once");
        let gone = Slot { content: Arc::default(), ..slot };
        assert!(gone.content(&asset, "application/wasm").is_err(), "not empty");
        std::fs::write(&asset, "back").unwrap();
        let back = gone.content(&asset, "application/wasm").unwrap();
        assert_eq!(&back.plain[..], b"back");
    }

    #[test]
    fn a_folder_without_pages_is_no_site() {
        let dir = tempfile::tempdir().unwrap();
        assert!(ServedFolder::open(dir.path()).is_err());
    }
}
