//! `bindpose serve`: hands the notebook's web pages to browsers.

mod qr;
mod site;

use std::fmt::Write as _;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tiny_http::{Header, Request, Response, Server};

use super::failure::Failure;
use super::output::{self, Form};
use crate::diagnostic::Diagnostic;
use site::{Found, Site};

/// How many pages are handed out at a time.
const WORKERS: usize = 4;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
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
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let folder = args.folder.clone().map_or_else(usual_folder, Ok)?;
    let site = Site::open(&folder).map_err(|why| no_site(&folder, &why))?;
    let server = listen(args)?;
    let port = match server.server_addr() {
        tiny_http::ListenAddr::IP(address) => address.port(),
        #[cfg(unix)]
        tiny_http::ListenAddr::Unix(_) => args.port,
    };
    announce(port, args.lan)?;
    let (server, site) = (Arc::new(server), Arc::new(site));
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| {
            let (server, site) = (Arc::clone(&server), Arc::clone(&site));
            std::thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    // A browser that has gone away needs nothing more.
                    let _ = answer(request, &site);
                }
            })
        })
        .collect();
    for worker in workers {
        let _ = worker.join();
    }
    Ok(())
}

fn listen(args: &Args) -> Result<Server, Failure> {
    let host = if args.lan {
        Ipv4Addr::UNSPECIFIED
    } else {
        Ipv4Addr::LOCALHOST
    };
    let address = SocketAddr::new(IpAddr::V4(host), args.port);
    Server::http(address).map_err(|why| {
        Failure::cannot(Diagnostic::said(
            "PORT_TAKEN",
            format!(
                "port {} cannot be listened on ({why}); name another by --port, or 0 for any",
                args.port
            ),
        ))
    })
}

/// Says where the pages are.
fn announce(port: u16, lan: bool) -> Result<(), Failure> {
    let address = lan.then(address_in_network).flatten();
    let mut text = format!("The notebook is at  http://localhost:{port}/\n");
    if let Some(address) = address {
        let url = format!("http://{address}:{port}/");
        let _ = writeln!(text, "for this network at  {url}\n\n{}", qr::text(&url));
    } else if lan {
        text += "This computer has no address in a network that could be told.\n";
    }
    text += "Ctrl+C ends it.\n";
    output::to_stdout(Form::Text, |out| out.write_all(text.as_bytes()))
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

fn answer(request: Request, site: &Site) -> io::Result<()> {
    match site.find(request.url()) {
        Found::File { path, kind, kept } => {
            let Ok(file) = std::fs::File::open(path) else {
                return request.respond(Response::from_string("Not found").with_status_code(404));
            };
            let cache = if kept {
                "public, max-age=31536000, immutable"
            } else {
                "no-cache"
            };
            let response = Response::from_file(file)
                .with_header(header("Content-Type", kind))
                .with_header(header("Cache-Control", cache));
            request.respond(response)
        }
        Found::Folder(path) => {
            let response = Response::from_string("").with_status_code(308);
            let location = Header::from_bytes("Location", path);
            match location {
                Ok(location) => request.respond(response.with_header(location)),
                Err(()) => request.respond(response.with_status_code(404)),
            }
        }
        Found::Nothing => request.respond(Response::from_string("Not found").with_status_code(404)),
    }
}

fn header(name: &'static str, value: &'static str) -> Header {
    Header::from_bytes(name, value).expect("ASCII")
}

/// Where the pages usually are.
fn usual_folder() -> Result<PathBuf, Failure> {
    let beside = std::env::current_exe().ok();
    let beside = beside
        .as_deref()
        .and_then(Path::parent)
        .map(|folder| folder.join("web"));
    let places = beside.into_iter().chain([PathBuf::from("target/web")]);
    let mut there = places.filter(|folder| folder.join("index.html").is_file());
    there.next().ok_or_else(|| {
        Failure::cannot(Diagnostic::said(
            "NO_PAGES",
            "there are no pages to hand out, neither in `web` beside the program nor in \
             `target/web`; `cargo xtask web` makes them",
        ))
    })
}

fn no_site(folder: &Path, why: &io::Error) -> Failure {
    let folder = folder.display();
    Failure::cannot(Diagnostic::said(
        "NO_PAGES",
        format!("{folder} cannot be handed out ({why}); `cargo xtask web` makes such a folder"),
    ))
}
