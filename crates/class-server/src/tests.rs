//! Tests of a running server with the requests of browsers.

mod class;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use flate2::read::GzDecoder;

use super::testing::{TestServer, WASM};
use super::*;

#[test]
fn the_web_folder_is_found_beside_the_program_or_in_a_shared_folder() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("bin/bindpose");
    std::fs::create_dir_all(dir.path().join("bin")).unwrap();
    assert_eq!(find_web_folder(Some(&program)), None);
    // Each candidate has priority over the ones before it.
    for relative in ["Resources/web", "share/bindpose/web", "bin/web"] {
        let folder = dir.path().join(relative);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "").unwrap();
        let found = find_web_folder(Some(&program)).unwrap();
        assert_eq!(found.canonicalize().unwrap(), folder.canonicalize().unwrap());
    }
}

#[test]
fn pages_are_revalidated_and_assets_are_cached_forever() {
    let site = TestServer::without_room();
    let page = site.get("/20-bind-pose/");
    assert_eq!(page.status(), "200");
    assert_eq!(page.body, b"<h1>The bind-pose problem</h1>");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let wasm = site.get("/assets/bindpose-0123456789ab.wasm");
    assert_eq!(wasm.header("content-type"), Some("application/wasm"));
    let cache = wasm.header("cache-control").unwrap();
    assert!(cache.contains("immutable"), "{cache}");
    assert_eq!(wasm.body, WASM.as_bytes(), "uncompressed without Accept-Encoding");
    assert_eq!(wasm.header("content-encoding"), None);
}

#[test]
fn an_unchanged_page_is_not_sent_again() {
    let site = TestServer::without_room();
    let tag = site.get("/").header("etag").unwrap().to_owned();
    let condition = format!("If-None-Match: {tag}");
    let unchanged = site.request("GET", "/", &[&condition]);
    assert_eq!((unchanged.status(), unchanged.body.len()), ("304", 0));
    std::fs::write(site.dir.path().join("index.html"), "<h1>Another</h1>").unwrap();
    let changed = site.request("GET", "/", &[&condition]);
    assert_eq!(changed.status(), "200");
    assert_eq!(changed.body, b"<h1>Another</h1>");
}

#[test]
fn files_are_sent_with_gzip_if_it_makes_them_smaller() {
    let site = TestServer::without_room();
    let accepts_gzip = ["Accept-Encoding: br, gzip"];
    let wasm = site.request("GET", "/assets/bindpose-0123456789ab.wasm", &accepts_gzip);
    assert_eq!(wasm.header("content-encoding"), Some("gzip"));
    assert_eq!(wasm.header("vary"), Some("accept-encoding"));
    let mut text = String::new();
    GzDecoder::new(&wasm.body[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, WASM);
    let length = wasm.body.len().to_string();
    assert_eq!(wasm.header("content-length"), Some(&*length));
    let picture = site.request("GET", "/assets/picture-0123456789ab.png", &accepts_gzip);
    assert_eq!(picture.header("content-encoding"), None);
    assert_eq!(picture.header("content-type"), Some("image/png"));
    let rejects_gzip = ["Accept-Encoding: gzip;q=0"];
    let plain = site.request("GET", "/assets/bindpose-0123456789ab.wasm", &rejects_gzip);
    assert_eq!(plain.header("content-encoding"), None);
}

#[test]
fn a_brotli_file_is_sent_if_the_browser_accepts_it() {
    let site = TestServer::without_room();
    let path = "/assets/bindpose-0123456789ab.wasm";
    std::fs::write(site.dir.path().join("assets/bindpose-0123456789ab.wasm.br"), "packed").unwrap();
    let brotli = site.request("GET", path, &["Accept-Encoding: gzip, deflate, br"]);
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    assert_eq!(brotli.header("content-type"), Some("application/wasm"));
    assert_eq!(brotli.body, b"packed");
    let gzip = site.request("GET", path, &["Accept-Encoding: gzip"]);
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let plain = site.request("GET", path, &["Accept-Encoding: identity"]);
    assert_eq!(plain.body, WASM.as_bytes());
}

#[test]
fn a_frame_without_an_origin_can_fetch_files() {
    let site = TestServer::without_room();
    let wasm = site.request("GET", "/assets/bindpose-0123456789ab.wasm", &["Origin: null"]);
    assert_eq!(wasm.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn missing_files_and_invalid_requests_have_their_status() {
    let site = TestServer::without_room();
    for path in ["/none", "/../index.html", "/%2e%2e/etc/passwd", "/assets/"] {
        assert_eq!(site.get(path).status(), "404", "{path}");
    }
    let folder = site.get("/20-bind-pose");
    assert_eq!(folder.status(), "308");
    assert_eq!(folder.header("location"), Some("/20-bind-pose/"));
    let head = site.request("HEAD", "/", &[]);
    assert_eq!((head.status(), head.body.len()), ("200", 0));
    let post = site.request("POST", "/", &["Content-Length: 0"]);
    assert_eq!(post.status(), "405");
    assert_eq!(site.request("GET", "/ /", &[]).status(), "400");
}

#[test]
fn a_connection_is_kept_alive_for_several_requests() {
    let site = TestServer::without_room();
    let mut stream = TcpStream::connect(site.address).unwrap();
    for path in ["/", "/20-bind-pose/", "/none"] {
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        assert!(start.starts_with(b"HTTP/1.1 "), "{path}");
        let mut rest = Vec::new();
        let mut byte = [0];
        while !rest.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            rest.push(byte[0]);
        }
        let head = String::from_utf8(rest).unwrap().to_lowercase();
        let length = head.split("content-length: ").nth(1).unwrap();
        let length: usize = length.lines().next().unwrap().parse().unwrap();
        stream.read_exact(&mut vec![0; length]).unwrap();
    }
}

#[test]
fn silent_connections_do_not_delay_others() {
    let site = TestServer::without_room();
    let silent: Vec<TcpStream> =
        (0..40).map(|_| TcpStream::connect(site.address).unwrap()).collect();
    std::thread::scope(|scope| {
        for _ in 0..30 {
            scope.spawn(|| assert_eq!(site.get("/20-bind-pose/").status(), "200"));
        }
    });
    drop(silent);
}

#[test]
fn every_response_limits_what_browsers_do_with_it() {
    let site = TestServer::without_room();
    for path in ["/", "/20-bind-pose/", "/assets/bindpose-0123456789ab.wasm", "/none"] {
        let response = site.get(path);
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{path}");
        let policy = response.header("content-security-policy").unwrap();
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'"), "{policy}");
        assert!(!policy.contains("frame-ancestors"), "learning platforms embed it: {policy}");
    }
}
