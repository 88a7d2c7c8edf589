//! A server as browsers meet it.

mod class;
mod relay;

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use flate2::read::GzDecoder;

use super::*;

const WASM: &str = "a program, a program, a program, a program, a program, a program";

/// A running server of a small site.
struct Running {
    dir: tempfile::TempDir,
    address: SocketAddr,
    _server: WebServer,
}

/// What came back: status line and headers in small letters, and the body.
struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Running {
    fn new() -> Self {
        Self::with(None)
    }

    fn with(room: Option<ServedRoom>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("index.html", "<h1>Bindpose</h1>"),
            ("20-bind-pose/index.html", "<h1>The bind-pose problem</h1>"),
            ("assets/bindpose-0123456789ab.wasm", WASM),
            ("assets/picture-0123456789ab.png", "not really a picture"),
        ] {
            let file = dir.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let site = ServedFolder::open(dir.path()).unwrap();
        let server = WebServer::start(ServerOptions { site, port: 0, lan: false, room }).unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server.port()));
        Self { dir, address, _server: server }
    }

    fn ask(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        for header in headers {
            request.push_str(header);
            request.push_str("\r\n");
        }
        stream.write_all((request + "\r\n").as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let body = all.split_off(end + 4);
        let head = String::from_utf8(all).unwrap().to_lowercase();
        Answer { head, body }
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[])
    }
}

impl Answer {
    fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1);
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

#[test]
fn pages_are_found_beside_the_program_and_where_a_package_puts_them() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("bin/bindpose");
    let site = |folder: &str| {
        let folder = dir.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "").unwrap();
        folder.canonicalize().unwrap()
    };
    let found = || folder_of_program(Some(&program)).and_then(|path| path.canonicalize().ok());
    assert_eq!(found(), None);
    std::fs::create_dir_all(dir.path().join("bin")).unwrap();
    let of_a_mac = site("Resources/web");
    assert_eq!(found(), Some(of_a_mac));
    let shared = site("share/bindpose/web");
    assert_eq!(found(), Some(shared));
    let beside = site("bin/web");
    assert_eq!(found(), Some(beside), "first");
}

#[test]
fn pages_are_asked_for_again_and_assets_are_kept() {
    let site = Running::new();
    let page = site.get("/20-bind-pose/");
    assert_eq!(page.status(), "200");
    assert_eq!(page.body, b"<h1>The bind-pose problem</h1>");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let wasm = site.get("/assets/bindpose-0123456789ab.wasm");
    assert_eq!(wasm.header("content-type"), Some("application/wasm"));
    let cache = wasm.header("cache-control").unwrap();
    assert!(cache.contains("immutable"), "{cache}");
    assert_eq!(wasm.body, WASM.as_bytes(), "plain for who does not say gzip");
    assert_eq!(wasm.header("content-encoding"), None);
}

#[test]
fn a_page_that_has_not_changed_is_not_sent_again() {
    let site = Running::new();
    let tag = site.get("/").header("etag").unwrap().to_owned();
    let known = format!("If-None-Match: {tag}");
    let again = site.ask("GET", "/", &[&known]);
    assert_eq!((again.status(), again.body.len()), ("304", 0));
    std::fs::write(site.dir.path().join("index.html"), "<h1>Another</h1>").unwrap();
    let new = site.ask("GET", "/", &[&known]);
    assert_eq!(new.status(), "200");
    assert_eq!(new.body, b"<h1>Another</h1>");
}

#[test]
fn who_takes_gzip_gets_what_becomes_smaller_by_it() {
    let site = Running::new();
    let takes = ["Accept-Encoding: br, gzip"];
    let wasm = site.ask("GET", "/assets/bindpose-0123456789ab.wasm", &takes);
    assert_eq!(wasm.header("content-encoding"), Some("gzip"));
    assert_eq!(wasm.header("vary"), Some("accept-encoding"));
    let mut text = String::new();
    GzDecoder::new(&wasm.body[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, WASM);
    let length = wasm.body.len().to_string();
    assert_eq!(wasm.header("content-length"), Some(&*length));
    let picture = site.ask("GET", "/assets/picture-0123456789ab.png", &takes);
    assert_eq!(picture.header("content-encoding"), None);
    assert_eq!(picture.header("content-type"), Some("image/png"));
    let refused = ["Accept-Encoding: gzip;q=0"];
    let plain = site.ask("GET", "/assets/bindpose-0123456789ab.wasm", &refused);
    assert_eq!(plain.header("content-encoding"), None);
}

#[test]
fn what_lies_packed_beside_a_file_goes_to_who_takes_brotli() {
    let site = Running::new();
    std::fs::write(site.dir.path().join("assets/bindpose-0123456789ab.wasm.br"), "packed").unwrap();
    let ask = |takes| site.ask("GET", "/assets/bindpose-0123456789ab.wasm", &[takes]);
    let brotli = ask("Accept-Encoding: gzip, deflate, br");
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    assert_eq!(brotli.header("content-type"), Some("application/wasm"));
    assert_eq!(brotli.body, b"packed");
    assert_eq!(ask("Accept-Encoding: gzip").header("content-encoding"), Some("gzip"));
    assert_eq!(ask("Accept-Encoding: identity").body, WASM.as_bytes());
}

#[test]
fn a_frame_without_an_origin_of_its_own_may_fetch() {
    let site = Running::new();
    let wasm = site.ask("GET", "/assets/bindpose-0123456789ab.wasm", &["Origin: null"]);
    assert_eq!(wasm.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn what_is_not_there_is_said_to_be_not_there() {
    let site = Running::new();
    for path in ["/none", "/../index.html", "/%2e%2e/etc/passwd", "/assets/"] {
        assert_eq!(site.get(path).status(), "404", "{path}");
    }
    let folder = site.get("/20-bind-pose");
    assert_eq!(folder.status(), "308");
    assert_eq!(folder.header("location"), Some("/20-bind-pose/"));
    let head = site.ask("HEAD", "/", &[]);
    assert_eq!((head.status(), head.body.len()), ("200", 0));
    let post = site.ask("POST", "/", &["Content-Length: 0"]);
    assert_eq!(post.status(), "405");
    assert_eq!(site.ask("GET", "/ /", &[]).status(), "400");
}

#[test]
fn a_connection_is_used_again_and_silence_holds_nobody_up() {
    let site = Running::new();
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
fn a_class_is_served_while_one_phone_is_slow() {
    let site = Running::new();
    // Connected, and silent.
    let slow: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(site.address).unwrap()).collect();
    std::thread::scope(|scope| {
        for _ in 0..30 {
            scope.spawn(|| assert_eq!(site.get("/20-bind-pose/").status(), "200"));
        }
    });
    drop(slow);
}
