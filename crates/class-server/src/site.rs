//! Serves the static files of the site.
//!
//! Files are compressed if that makes them smaller. Browsers cache assets forever and revalidate
//! pages. Files outside the folder of the site are never served.

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
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use percent_encoding::percent_decode_str;

/// Creates a plain text response.
pub(super) fn text_response(status: u16, text: &'static str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Responds to requests for the files of a site.
pub(super) struct Site {
    folder: ServedFolder,
    /// Each version of a file is read and compressed only once.
    files: Mutex<HashMap<PathBuf, CachedFile>>,
}

/// A version of a file, identified by its length and modification time.
#[derive(Clone)]
struct CachedFile {
    length: u64,
    modified: SystemTime,
    /// `None` until the file has been read. Locked while it is being read, so that other
    /// requests wait for the result.
    content: Arc<Mutex<Option<Arc<FileContent>>>>,
}

struct FileContent {
    plain: Bytes,
    /// Encodings and compressed contents, smallest first.
    compressed: Vec<(&'static str, Bytes)>,
}

impl Site {
    pub(super) fn new(folder: ServedFolder) -> Self {
        Self { folder, files: Mutex::default() }
    }

    pub(super) fn respond(&self, request: &Request) -> Response {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let response = text_response(405, "Method not allowed");
            return ([(ALLOW, "GET, HEAD")], response).into_response();
        }
        match self.folder.find(request.uri().path()) {
            FoundFile::File { path, media_type, is_immutable } => {
                match self.file_response(request, &path, media_type, is_immutable) {
                    Ok(response) => response,
                    // Usually temporary, because too many files are open, for example. Browsers
                    // must not cache it.
                    Err(_) => (
                        [(CACHE_CONTROL, "no-store"), (RETRY_AFTER, "1")],
                        text_response(503, "This file can’t be read now. Try again."),
                    )
                        .into_response(),
                }
            }
            FoundFile::Folder(path) => ([(LOCATION, path)], text_response(308, "")).into_response(),
            FoundFile::Nothing => text_response(404, "Not found"),
        }
    }

    /// Returns the response for a file, or an error if it cannot be read.
    fn file_response(
        &self,
        request: &Request,
        path: &Path,
        media_type: &'static str,
        is_immutable: bool,
    ) -> io::Result<Response> {
        let file = match self.cached_file(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(text_response(404, "Not found"));
            }
            Err(error) => return Err(error),
        };
        let modified = file.modified.duration_since(SystemTime::UNIX_EPOCH);
        let nanos = modified.unwrap_or(Duration::ZERO).as_nanos();
        let tag = format!("\"{:x}-{nanos:x}\"", file.length);
        let cache_control =
            if is_immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        let headers = [
            (CACHE_CONTROL, cache_control),
            (ETAG, &tag),
            (VARY, "Accept-Encoding"),
            // Learning platforms embed the notebook in sandboxed frames without an origin. All
            // files are public to anyone who can reach the server.
            (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        ];
        if header_text(request.headers(), &IF_NONE_MATCH).contains(&tag) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        let content = file.content(path, media_type)?;
        let accepted = header_text(request.headers(), &ACCEPT_ENCODING);
        let compressed =
            content.compressed.iter().find(|(encoding, _)| accepts_encoding(accepted, encoding));
        let body = compressed.map_or(&content.plain, |(_, body)| body);
        let mut response =
            (headers, [(CONTENT_TYPE, media_type)], Body::from(body.clone())).into_response();
        if let Some((encoding, _)) = compressed {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        Ok(response)
    }

    /// Returns the cache entry of a file. Replaces it if the file has changed.
    fn cached_file(&self, path: &Path) -> io::Result<CachedFile> {
        let metadata = std::fs::metadata(path)?;
        let length = metadata.len();
        let modified = metadata.modified()?;
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = files.get(path)
            && file.length == length
            && file.modified == modified
        {
            return Ok(file.clone());
        }
        let file = CachedFile { length, modified, content: Arc::default() };
        files.insert(path.to_owned(), file.clone());
        Ok(file)
    }
}

impl CachedFile {
    /// Reads and compresses the file on the first call. Errors are not cached, so that the next
    /// request tries again.
    fn content(&self, path: &Path, media_type: &str) -> io::Result<Arc<FileContent>> {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = &*content {
            return Ok(Arc::clone(content));
        }
        let read = Arc::new(FileContent::read(path, media_type)?);
        *content = Some(Arc::clone(&read));
        Ok(read)
    }
}

impl FileContent {
    /// Reads a file, and its version compressed with Brotli, which may exist beside it as
    /// `FILE.br`.
    fn read(path: &Path, media_type: &str) -> io::Result<Self> {
        let plain = Bytes::from(std::fs::read(path)?);
        let mut compressed = Vec::new();
        let mut brotli_path = path.as_os_str().to_owned();
        brotli_path.push(".br");
        match std::fs::read(brotli_path) {
            Ok(bytes) => compressed.push(("br", Bytes::from(bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let is_compressed_format = matches!(media_type, "image/png" | "image/webp" | "font/woff2");
        if !is_compressed_format
            && let Some(gzipped) = gzip(&plain)
            && gzipped.len() < plain.len()
        {
            compressed.push(("gzip", gzipped));
        }
        Ok(Self { plain, compressed })
    }
}

fn gzip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Into::into)
}

/// Returns the value of a header, or an empty text if it is missing or not ASCII.
pub(super) fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns whether an `Accept-Encoding` list such as `br, gzip;q=0.5` allows an encoding.
fn accepts_encoding(list: &str, encoding: &str) -> bool {
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

/// The file at a URL.
#[derive(Debug, PartialEq, Eq)]
enum FoundFile {
    File {
        path: PathBuf,
        media_type: &'static str,
        /// Whether the file never changes, because its name contains a hash of its content.
        is_immutable: bool,
    },
    /// A folder whose URL has no trailing slash. Contains the URL with the slash.
    Folder(String),
    Nothing,
}

impl ServedFolder {
    /// Opens a folder of pages.
    ///
    /// # Errors
    /// If the folder has no `index.html`.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        if folder.join("index.html").is_file() {
            Ok(Self { folder })
        } else {
            Err(io::Error::new(io::ErrorKind::NotFound, "it has no index.html"))
        }
    }

    /// Finds the file at a URL path with an optional query.
    fn find(&self, url: &str) -> FoundFile {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let Ok(decoded) = percent_decode_str(path).decode_utf8() else {
            return FoundFile::Nothing;
        };
        let relative = Path::new(decoded.trim_start_matches('/'));
        let stays_inside =
            relative.components().all(|component| matches!(component, Component::Normal(_)));
        if !stays_inside || decoded.contains(['\\', '\0']) {
            return FoundFile::Nothing;
        }
        let mut file = self.folder.join(relative);
        if file.is_dir() {
            if !decoded.ends_with('/') {
                return FoundFile::Folder(format!("{path}/"));
            }
            file.push("index.html");
        }
        // The path may contain a symbolic link to a file outside the folder.
        match file.canonicalize() {
            Ok(path) if path.starts_with(&self.folder) && path.is_file() => FoundFile::File {
                media_type: media_type_of(&path),
                is_immutable: relative.starts_with("assets"),
                path,
            },
            _ => FoundFile::Nothing,
        }
    }
}

fn media_type_of(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        // Required for streaming compilation.
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
    fn files_are_found_with_their_media_types() {
        let (_dir, site) = site();
        for (url, name, expected_type, expected_immutable) in [
            ("/", "index.html", "text/html; charset=utf-8", false),
            ("/?embed=stage", "index.html", "text/html; charset=utf-8", false),
            ("/20-bind-pose/", "20-bind-pose/index.html", "text/html; charset=utf-8", false),
            ("/assets/a-1.wasm", "assets/a-1.wasm", "application/wasm", true),
            ("/%61ssets/a-1.wasm", "assets/a-1.wasm", "application/wasm", true),
        ] {
            let FoundFile::File { path, media_type, is_immutable } = site.find(url) else {
                panic!("{url} is not found");
            };
            assert!(path.ends_with(name), "{url}: {}", path.display());
            assert_eq!(media_type, expected_type, "{url}");
            assert_eq!(is_immutable, expected_immutable, "{url}");
        }
        // Relative links of the page need the slash.
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
    fn a_symbolic_link_out_of_the_folder_is_not_followed() {
        let (dir, site) = site();
        let link = dir.path().join("site/link.txt");
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), link).unwrap();
        assert_eq!(site.find("/link.txt"), FoundFile::Nothing);
    }

    /// A folder stands in for an unreadable file, because tests that run as root can read all
    /// files.
    #[test]
    fn an_unreadable_asset_is_not_cached() {
        let (dir, folder) = site();
        let site = Site::new(folder);
        let asset = dir.path().join("site/assets/a-1.wasm");
        let brotli = dir.path().join("site/assets/a-1.wasm.br");
        let request = Request::builder().uri("/assets/a-1.wasm").body(Body::empty()).unwrap();
        std::fs::create_dir(&brotli).unwrap();
        let response = site.respond(&request);
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        std::fs::remove_dir(&brotli).unwrap();
        let response = site.respond(&request);
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");

        let file = site.cached_file(&asset).unwrap();
        let content = file.content(&asset, "application/wasm").unwrap();
        assert_eq!(&content.plain[..], b"assets/a-1.wasm");
        std::fs::remove_file(&asset).unwrap();
        let again = file.content(&asset, "application/wasm").unwrap();
        assert!(Arc::ptr_eq(&content, &again), "the file is read only once");
        let unread = CachedFile { content: Arc::default(), ..file };
        assert!(unread.content(&asset, "application/wasm").is_err(), "the file is missing");
        std::fs::write(&asset, "new").unwrap();
        let content = unread.content(&asset, "application/wasm").unwrap();
        assert_eq!(&content.plain[..], b"new");
    }

    #[test]
    fn a_folder_without_an_index_page_cannot_be_served() {
        let dir = tempfile::tempdir().unwrap();
        assert!(ServedFolder::open(dir.path()).is_err());
    }
}
