//! Web server of the notebook: serves its pages to browsers and connects the members of a class.
//!
//! Runs axum on a single-threaded tokio runtime. Not available in a browser, which is always a
//! client.

#![forbid(unsafe_code)]

mod class_client;
mod class_routes;
mod client_address;
mod connections;
mod guess_limiter;
mod join_page;
mod network_addresses;
#[cfg(unix)]
mod open_file_limit;
mod remote_rooms;
mod request_body;
mod response_headers;
mod seats;
mod shared_room;
mod site;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::{Extension, Request, State};
use axum::middleware::map_response;
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use class_client::ServedRoom;
pub use connections::new_runtime;
pub use network_addresses::network_addresses;
pub use remote_rooms::{EntryError, RemoteFuture, RemoteRooms, RemoteStudent, RemoteTeacher};
pub use shared_room::{LocalTeacher, SharedRoom, random_credentials, squares};
pub use site::ServedFolder;

use class_client::{ClassEntrance, RoomHost};
use client_address::PeerAddress;
use site::Site;

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct WebServer {
    port: u16,
    /// Stops the server when dropped.
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
pub struct ServerOptions {
    /// The folder with the pages.
    pub site: ServedFolder,
    /// Port to listen on. 0 selects a free port.
    pub port: u16,
    /// Whether other computers and phones in the network can connect.
    pub lan: bool,
    /// The class room, if the server has one.
    pub room: Option<ServedRoom>,
    /// Addresses of proxies that report the addresses of their clients in `X-Forwarded-For`.
    /// The limits per address apply to these then.
    pub trusted_proxies: Vec<IpAddr>,
}

impl WebServer {
    /// Starts a server on its own thread.
    ///
    /// # Errors
    /// If the port is in use, or the system cannot create a thread.
    pub fn start(options: ServerOptions) -> io::Result<Self> {
        #[cfg(unix)]
        open_file_limit::raise_open_file_limit();
        let host = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listener =
            std::net::TcpListener::bind(SocketAddr::new(IpAddr::V4(host), options.port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let (runtime, rooms) = match options.room {
            None => (new_runtime()?, None),
            Some(ServedRoom::Here(room)) => {
                room.set_listening_port(port, options.lan);
                (new_runtime()?, Some(RoomHost::Local(room)))
            }
            Some(ServedRoom::Remote { rooms, runtime }) => (runtime, Some(RoomHost::Remote(rooms))),
        };
        let is_behind_balancer = matches!(rooms, Some(RoomHost::Remote(_)));
        let entrance = rooms.map(|rooms| ClassEntrance::new(rooms, &options.trusted_proxies));
        let router = new_router(options.site, entrance);
        let runtime_context = runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(runtime_context);
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("server".to_owned()).spawn(move || {
            runtime.block_on(async move {
                tokio::select! {
                    () = connections::serve_connections(listener, router, is_behind_balancer) => {}
                    _ = stopped => {}
                }
            });
            // Does not wait for files that are being compressed.
            runtime.shutdown_background();
        })?;
        Ok(Self { port, stop, thread })
    }

    /// Returns the port on which the server listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Blocks until the program is terminated.
    pub fn wait(self) {
        let _ = self.thread.join();
        drop(self.stop);
    }
}

fn new_router(site: ServedFolder, entrance: Option<ClassEntrance>) -> Router {
    let state = PageState { site: Arc::new(Site::new(site)), entrance: entrance.clone() };
    let pages = Router::new().fallback(page_response).with_state(state);
    let router = match entrance {
        Some(entrance) => pages.merge(class_routes::class_routes(entrance)),
        None => pages,
    };
    router.layer(map_response(response_headers::add_protective_headers))
}

#[derive(Clone)]
struct PageState {
    site: Arc<Site>,
    entrance: Option<ClassEntrance>,
}

async fn page_response(
    State(state): State<PageState>,
    Extension(peer): Extension<PeerAddress>,
    request: Request,
) -> Response {
    if let Some(entrance) = &state.entrance {
        let visitor = entrance.visitor(peer, request.headers());
        let response = join_page::join_response(entrance, &visitor, request.uri()).await;
        if let Some(response) = response {
            return response;
        }
    }
    // Reading and compressing a file would block all other connections.
    tokio::task::spawn_blocking(move || state.site.respond(&request))
        .await
        .unwrap_or_else(|_| site::text_response(500, "This file could not be read"))
}

/// Finds the folder with the pages. A packaged program has them beside it or in a shared folder
/// of the system, and a working copy in `target/web`. Returns `None` if there are none.
pub fn usual_folder() -> Option<PathBuf> {
    // Package managers install links to programs. Only Linux resolves them in `current_exe`.
    let program = std::env::current_exe().ok();
    find_web_folder(program.and_then(|program| program.canonicalize().ok()).as_deref())
}

fn find_web_folder(program: Option<&Path>) -> Option<PathBuf> {
    let mut candidates = Vec::new();
    if let Some(folder) = program.and_then(Path::parent) {
        for relative in ["web", "../share/bindpose/web", "../Resources/web"] {
            candidates.push(folder.join(relative));
        }
    }
    candidates.push(PathBuf::from("target/web"));
    candidates.into_iter().find(|folder| folder.join("index.html").is_file())
}
