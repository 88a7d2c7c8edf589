//! Hands the notebook's web pages to browsers, and lets a class act together: axum on
//! one thread of tokio. For computers only; a browser is always a client.

#![forbid(unsafe_code)]

mod class;
mod connections;
mod join_page;
mod line;
mod network_addresses;
mod no_entry;
#[cfg(unix)]
mod open_files;
mod relay;
mod request_body;
mod site;
#[cfg(test)]
mod tests;
mod visitor;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use class::{LocalTeacher, SharedRoom, squares};
pub use network_addresses::network_addresses;
pub use relay::{RelayError, RelayFront};
pub use site::ServedFolder;
pub use visitor::ServedRoom;

use connections::new_runtime;
use site::Site;
use visitor::Rooms;

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct WebServer {
    port: u16,
    /// Gone, the server ends.
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// What a server hands out, and to whom.
#[derive(Debug)]
pub struct ServerOptions {
    /// The pages.
    pub site: ServedFolder,
    /// The port to listen on; 0: any that is free.
    pub port: u16,
    /// Also for other computers and phones in this network.
    pub lan: bool,
    /// The class that meets here.
    pub room: Option<ServedRoom>,
}

impl WebServer {
    /// Begins to answer, on a thread of its own.
    ///
    /// Fails when the port is taken, or the system gives no thread.
    pub fn start(options: ServerOptions) -> io::Result<Self> {
        #[cfg(unix)]
        open_files::raise_open_file_limit();
        let host = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listener =
            std::net::TcpListener::bind(SocketAddr::new(IpAddr::V4(host), options.port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let (runtime, rooms) = match options.room {
            None => (new_runtime()?, None),
            Some(ServedRoom::Here(room)) => {
                room.listens_at(port, options.lan);
                (new_runtime()?, Some(Rooms::Here(room)))
            }
            Some(ServedRoom::Relayed(front)) => {
                let (runtime, relay) = front.into_parts();
                (runtime, Some(Rooms::Relayed(relay)))
            }
        };
        let is_behind_balancer = matches!(rooms, Some(Rooms::Relayed(_)));
        let router = router(options.site, rooms);
        let entered = runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(entered);
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = async move {
            tokio::select! {
                () = connections::take(listener, router, is_behind_balancer) => {}
                _ = stopped => {}
            }
        };
        let work = move || {
            runtime.block_on(serve);
            // A file that is being packed is not waited for.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("server".to_owned()).spawn(work)?;
        Ok(Self { port, stop, thread })
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Waits until the program is ended.
    pub fn wait(self) {
        let _ = self.thread.join();
        drop(self.stop);
    }
}

fn router(site: ServedFolder, rooms: Option<Rooms>) -> Router {
    let pages = Pages { site: Arc::new(Site::new(site)), rooms: rooms.clone() };
    let router = Router::new().fallback(page).with_state(pages);
    match rooms {
        Some(rooms) => router.merge(line::routes(rooms)),
        None => router,
    }
}

#[derive(Clone)]
struct Pages {
    site: Arc<Site>,
    /// Of the class that meets here.
    rooms: Option<Rooms>,
}

async fn page(State(pages): State<Pages>, request: Request) -> Response {
    if let Some(rooms) = &pages.rooms
        && let Some(answer) = join_page::answer(rooms, request.uri()).await
    {
        return answer;
    }
    // Reading and packing a file would keep all others waiting.
    let answer = tokio::task::spawn_blocking(move || pages.site.answer(&request));
    answer.await.unwrap_or_else(|_| site::words(500, "This file could not be read"))
}

/// Where the pages usually are: a packaged program has them beside it, or where
/// systems keep what programs share; here they are built. `None`: in none of these.
pub fn usual_folder() -> Option<PathBuf> {
    // Of a link to the program, as package managers make them, Linux alone tells where it leads.
    let program = std::env::current_exe().ok();
    folder_of_program(program.and_then(|program| program.canonicalize().ok()).as_deref())
}

/// [`usual_folder`], where the program is this file.
fn folder_of_program(program: Option<&Path>) -> Option<PathBuf> {
    let beside = program.and_then(Path::parent);
    let packaged = beside.map(|folder| {
        ["web", "../share/bindpose/web", "../Resources/web"].map(|pages| folder.join(pages))
    });
    let mut places = packaged.into_iter().flatten().chain([PathBuf::from("target/web")]);
    places.find(|folder| folder.join("index.html").is_file())
}
