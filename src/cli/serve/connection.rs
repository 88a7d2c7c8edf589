//! One browser: what it asks, one request after the other, and what is sent.

use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use super::answers::{Answers, HttpAnswer, HttpRequest};

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
pub(super) fn converse(stream: &TcpStream, answers: &Answers) -> io::Result<()> {
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
