//! `bindpose serve`: hands the notebook's web pages to browsers, and shows their address in
//! a terminal, as a QR code too.

mod answers;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::io;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bindpose_diagnostic::Diagnostic;
use qrcode::{Color, QrCode};

use super::CommandFailure;
use super::output::{self, OutputForm};
use answers::{Answers, HttpAnswer, HttpRequest, ServedFolder};

/// Connections at a time: a lecture hall of phones, each with some.
const AT_ONCE: usize = 1024;

#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// The folder of pages that `cargo xtask web` writes; else `web` beside the
    /// program, or `target/web`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The port to listen on; 0: any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Also for other computers and phones in this network
    #[arg(long)]
    lan: bool,
}

/// Runs until the program is ended.
pub(super) fn run(args: &ServeArgs) -> Result<(), CommandFailure> {
    let folder = args.folder.clone().map_or_else(usual_folder, Ok)?;
    let site = ServedFolder::open(&folder).map_err(|why| no_site(&folder, &why))?;
    let server = listen(args)?;
    let port = server.local_addr().map_or(args.port, |address| address.port());
    announce(port, args.lan)?;
    hand_out(&server, site);
    Ok(())
}

/// Answers until the program ends, each connection on a thread of its own: one that
/// is slow, or silent, keeps no other waiting.
fn hand_out(server: &TcpListener, site: ServedFolder) {
    let answers = Arc::new(Answers::new(site));
    let open = Arc::new(AtomicUsize::new(0));
    for stream in server.incoming() {
        // One that has gone before it was heard; one too many, which will try again.
        let Ok(stream) = stream else {
            std::thread::sleep(std::time::Duration::from_millis(10));
            continue;
        };
        if open.load(Ordering::Relaxed) >= AT_ONCE {
            continue;
        }
        let (answers, counter) = (Arc::clone(&answers), Arc::clone(&open));
        open.fetch_add(1, Ordering::Relaxed);
        let begun = std::thread::Builder::new().spawn(move || {
            // A browser that has gone away needs nothing more.
            let _ = converse(&stream, &answers);
            counter.fetch_sub(1, Ordering::Relaxed);
        });
        if begun.is_err() {
            open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

fn listen(args: &ServeArgs) -> Result<TcpListener, CommandFailure> {
    let host = if args.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let address = SocketAddr::new(IpAddr::V4(host), args.port);
    TcpListener::bind(address).map_err(|why| {
        CommandFailure::cannot(Diagnostic::said(
            "PORT_TAKEN",
            format!(
                "port {} cannot be listened on ({why}); name another by --port, or 0 for any",
                args.port
            ),
        ))
    })
}

/// Says where the pages are.
fn announce(port: u16, lan: bool) -> Result<(), CommandFailure> {
    let address = lan.then(address_in_network).flatten();
    let mut text = format!("The notebook is at  http://localhost:{port}/\n");
    if let Some(address) = address {
        let url = format!("http://{address}:{port}/");
        let _ = writeln!(text, "for this network at  {url}\n\n{}", qr_text(&url));
    } else if lan {
        text += "This computer has no address in a network that could be told.\n";
    }
    text += "Ctrl+C ends it.\n";
    output::to_stdout(OutputForm::Text, |out| out.write_all(text.as_bytes()))
}

/// The address under which others in the network reach this computer. Nothing is
/// sent: the system only says which way it would go.
fn address_in_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that documentation may use, and nobody has.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified() && !address.is_loopback()).then_some(address)
}

/// Where the pages usually are: a packaged program has them beside it, or where
/// systems keep what programs share; here they are built.
fn usual_folder() -> Result<PathBuf, CommandFailure> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let packaged = beside.map(|folder| [folder.join("web"), folder.join("../share/bindpose/web")]);
    let places = packaged.into_iter().flatten();
    let places = places.chain([PathBuf::from("target/web")]);
    let mut there = places.filter(|folder| folder.join("index.html").is_file());
    there.next().ok_or_else(|| {
        CommandFailure::cannot(Diagnostic::said(
            "NO_PAGES",
            "there are no pages to hand out, neither in `web` beside the program nor in \
             `../share/bindpose/web` from there, nor in `target/web`; `cargo xtask web` makes them",
        ))
    })
}

fn no_site(folder: &Path, why: &io::Error) -> CommandFailure {
    let folder = folder.display();
    CommandFailure::cannot(Diagnostic::said(
        "NO_PAGES",
        format!("{folder} cannot be handed out ({why}); `cargo xtask web` makes such a folder"),
    ))
}

/// Around the code, in modules, as the standard asks.
const QUIET: usize = 4;

/// The code of `text`; empty where it is too long for one.
fn qr_text(text: &str) -> String {
    let Ok(code) = QrCode::new(text) else {
        return String::new();
    };
    let width = code.width();
    let light = |x: usize, y: usize| {
        let inside = (QUIET..QUIET + width).contains(&x) && (QUIET..QUIET + width).contains(&y);
        !inside || code[(x - QUIET, y - QUIET)] == Color::Light
    };
    let side = width + 2 * QUIET;
    let mut lines = String::new();
    for y in (0..side).step_by(2) {
        for x in 0..side {
            lines.push(match (light(x, y), y + 1 >= side || light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    lines
}

// One browser: what it asks, one request after the other, and what is sent.

/// Of a browser that says nothing: then its connection is closed.
const PATIENCE: Duration = Duration::from_secs(30);
/// Of a browser that takes nothing.
const SLOWEST: Duration = Duration::from_mins(2);
/// Bytes and lines of the longest head of a request.
const LONGEST_HEAD: usize = 16 * 1024;
const MOST_HEADERS: usize = 64;

/// Answers a browser until it goes.
///
/// Fails when it is gone, or silent.
fn converse(stream: &TcpStream, answers: &Answers) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(SLOWEST))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut writer = BufWriter::new(stream);
    while let Some(head) = read_head(&mut reader)? {
        let Some((asked, stays)) = parse(&head) else {
            return send(&mut writer, &HttpAnswer::words(400, "Bad request"), "GET", false);
        };
        // What a browser would send along is not read: it is answered for the last time.
        let stays = stays && asked.is_read();
        send(&mut writer, &answers.answer(&asked), &asked.method, stays)?;
        if !stays {
            break;
        }
    }
    Ok(())
}

/// The lines to the first that is empty; `None`: the browser has gone.
fn read_head(reader: &mut BufReader<&TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    for byte in reader.by_ref().bytes() {
        head.push(byte?);
        if head.ends_with(b"\r\n\r\n") {
            return Ok(Some(head));
        }
        if head.len() > LONGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    Ok(None)
}

/// What is asked, and does the connection stay open after it?
fn parse(head: &[u8]) -> Option<(HttpRequest, bool)> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    request.parse(head).ok()?;
    let value = |name: &str| {
        let mut all = request.headers.iter();
        let found = all.find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value).into_owned())
    };
    let connection = value("connection").unwrap_or_default().to_lowercase();
    // Those of HTTP/1.0 do not know of it.
    let stays = request.version? == 1 && !connection.contains("close");
    let asked = HttpRequest {
        method: request.method?.to_owned(),
        url: request.path?.to_owned(),
        encodings: value("accept-encoding").unwrap_or_default(),
        known: value("if-none-match").unwrap_or_default(),
    };
    Some((asked, stays))
}

fn send(
    writer: &mut BufWriter<&TcpStream>,
    answer: &HttpAnswer,
    method: &str,
    stays: bool,
) -> io::Result<()> {
    write!(writer, "HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status))?;
    for (name, value) in &answer.headers {
        write!(writer, "{name}: {value}\r\n")?;
    }
    // With its length, so that a page can say how much has come.
    if answer.status != 304 {
        write!(writer, "Content-Length: {}\r\n", answer.body.len())?;
    }
    let connection = if stays { "keep-alive" } else { "close" };
    write!(writer, "Connection: {connection}\r\n\r\n")?;
    if method != "HEAD" {
        writer.write_all(&answer.body)?;
    }
    writer.flush()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "",
    }
}

#[cfg(test)]
mod qr_tests {
    use super::*;

    #[test]
    fn a_code_is_square_and_has_its_corners() {
        let code = qr_text("http://192.168.1.20:8080/");
        let lines: Vec<Vec<char>> = code.lines().map(|line| line.chars().collect()).collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        // Quiet all around, then the dark edge of the finder pattern, 7 long.
        assert!(lines[..2].iter().flatten().all(|&half| half == '█'));
        let finder: String = lines[2][4..11].iter().collect();
        assert_eq!(finder, " ▄▄▄▄▄ ");
    }
}
