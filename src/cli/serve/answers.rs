//! What a browser is answered: files gzipped where that makes them smaller, named
//! files to keep for good, pages to ask for again.

use std::collections::HashMap;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;
use tiny_http::{Header, Method, Request, Response};

use super::site::{Found, Site};

/// Hands out a site.
pub(super) struct Answers {
    site: Site,
    /// Each file is read and packed once, however many phones ask for it.
    files: Mutex<HashMap<PathBuf, Slot>>,
}

/// A file as it was when its length and time were these.
#[derive(Clone)]
struct Slot {
    length: u64,
    changed: SystemTime,
    content: Arc<OnceLock<Content>>,
}

#[derive(Default)]
struct Content {
    plain: Arc<[u8]>,
    /// Absent: it does not get smaller.
    packed: Option<Arc<[u8]>>,
}

impl Answers {
    pub(super) fn new(site: Site) -> Self {
        Self {
            site,
            files: Mutex::default(),
        }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// When the browser has gone away.
    pub(super) fn answer(&self, request: Request) -> io::Result<()> {
        if !matches!(request.method(), Method::Get | Method::Head) {
            let allowed = header("Allow", "GET, HEAD");
            return request.respond(status(405, "Method not allowed").with_header(allowed));
        }
        match self.site.find(request.url()) {
            Found::File { path, kind, kept } => match self.slot(&path) {
                Ok(slot) => file(request, &path, &slot, kind, kept),
                Err(_) => request.respond(status(404, "Not found")),
            },
            Found::Folder(path) => match Header::from_bytes("Location", path) {
                Ok(location) => request.respond(status(308, "").with_header(location)),
                Err(()) => request.respond(status(404, "Not found")),
            },
            Found::Nothing => request.respond(status(404, "Not found")),
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
        let slot = Slot {
            length,
            changed,
            content: Arc::default(),
        };
        files.insert(path.to_owned(), slot.clone());
        Ok(slot)
    }
}

fn file(
    request: Request,
    path: &Path,
    slot: &Slot,
    kind: &'static str,
    kept: bool,
) -> io::Result<()> {
    let since = slot.changed.duration_since(SystemTime::UNIX_EPOCH);
    let nanos = since.unwrap_or(Duration::ZERO).as_nanos();
    let tag = format!("\"{:x}-{nanos:x}\"", slot.length);
    // What a name of content stands for never changes; a page is asked for again.
    let cache = if kept {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut headers = vec![
        header("Cache-Control", cache),
        header("ETag", &tag),
        header("Vary", "Accept-Encoding"),
    ];
    if asked(&request, "If-None-Match").is_some_and(|known| known.contains(&tag)) {
        return request.respond(with_headers(status(304, ""), headers));
    }
    let content = slot.content.get_or_init(|| read(path, kind));
    let takes = asked(&request, "Accept-Encoding").unwrap_or_default();
    let body = match &content.packed {
        Some(packed) if takes_gzip(&takes) => {
            headers.push(header("Content-Encoding", "gzip"));
            Arc::clone(packed)
        }
        _ => Arc::clone(&content.plain),
    };
    headers.push(header("Content-Type", kind));
    let length = body.len();
    // With its length, so that a page can say how much has come.
    let response = Response::new(200.into(), headers, Cursor::new(body), Some(length), None);
    request.respond(response.with_chunked_threshold(usize::MAX))
}

/// A file that went away is empty.
fn read(path: &Path, kind: &str) -> Content {
    let plain: Arc<[u8]> = std::fs::read(path).unwrap_or_default().into();
    let is_packed_already = matches!(kind, "image/png" | "font/woff2");
    let packed = (!is_packed_already).then(|| packed(&plain)).flatten();
    Content {
        packed: packed.filter(|packed| packed.len() < plain.len()),
        plain,
    }
}

fn packed(bytes: &[u8]) -> Option<Arc<[u8]>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).ok()?;
    packer.finish().ok().map(Into::into)
}

/// Does a list such as `br, gzip;q=0.5` have gzip, and not as refused?
fn takes_gzip(list: &str) -> bool {
    list.split(',').any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim() == "gzip" && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0)
    })
}

fn asked(request: &Request, name: &'static str) -> Option<String> {
    let mut headers = request.headers().iter();
    let found = headers.find(|header| header.field.equiv(name));
    found.map(|header| header.value.to_string())
}

fn status(code: u16, words: &str) -> Response<Cursor<Vec<u8>>> {
    Response::from_string(words).with_status_code(code)
}

fn with_headers(
    response: Response<Cursor<Vec<u8>>>,
    headers: Vec<Header>,
) -> Response<Cursor<Vec<u8>>> {
    headers.into_iter().fold(response, Response::with_header)
}

fn header(name: &'static str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("ASCII")
}
