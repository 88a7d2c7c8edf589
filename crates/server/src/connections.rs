//! Runs all connections on one thread, and takes them: so many at a time and from one
//! address, each with so much time.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_io_timeout::TimeoutStream;

/// A lecture hall of phones, each with some.
const AT_ONCE: usize = 2048;
/// A hall behind one address, as schools' networks and tunnels make it.
const OF_ONE_ADDRESS: usize = 1024;
/// Of a browser that says nothing, at first or after an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Of a browser that takes nothing.
const SLOWEST: Duration = Duration::from_mins(2);
/// Bytes of the longest head of a request.
const LONGEST_HEAD: usize = 16 * 1024;
/// After an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(10);

/// One thread for all connections.
///
/// Fails when the system gives no means to wait.
pub(super) fn new_runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Answers until the program ends: one that is slow, or silent, keeps no other waiting.
/// Behind a balancer all come from its address.
pub(super) async fn take(listener: TcpListener, router: Router, is_behind_balancer: bool) {
    let of_one_address = if is_behind_balancer { AT_ONCE } else { OF_ONE_ADDRESS };
    let open = Arc::new(Open { counts: Mutex::default(), of_one_address });
    take_within(listener, router, SLOWEST, open).await;
}

async fn take_within(listener: TcpListener, router: Router, slowest: Duration, open: Arc<Open>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        // One too many will try again.
        let Some(turn) = Turn::of(&open, from.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(slowest));
        let stream = TokioIo::new(Box::pin(stream));
        let service = TowerToHyperService::new(router.clone());
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(LONGEST_HEAD);
        let connection = http.serve_connection(stream, service).with_upgrades();
        tokio::spawn(async move {
            // A browser that has gone away needs nothing more.
            let _ = connection.await;
            drop(turn);
        });
    }
}

/// How many connections are open, of each address.
#[derive(Debug)]
struct Open {
    counts: Mutex<HashMap<IpAddr, usize>>,
    /// The most.
    of_one_address: usize,
}

/// One connection that counts while it is open.
struct Turn {
    open: Arc<Open>,
    address: IpAddr,
}

impl Turn {
    fn of(open: &Arc<Open>, address: IpAddr) -> Option<Self> {
        let mut counts = open.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = counts.values().sum();
        let of_address = counts.get(&address).copied().unwrap_or(0);
        if all >= AT_ONCE || of_address >= open.of_one_address {
            return None;
        }
        counts.insert(address, of_address + 1);
        Some(Self { open: Arc::clone(open), address })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut counts = self.open.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let left = counts.get(&self.address).map_or(0, |count| count.saturating_sub(1));
        if left == 0 {
            counts.remove(&self.address);
        } else {
            counts.insert(self.address, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{Ipv4Addr, TcpStream};

    use axum::routing::get;

    use super::*;

    #[tokio::test]
    async fn one_that_takes_nothing_is_let_go() {
        // More than any system keeps on the way.
        let router = Router::new().route("/", get(|| async { vec![0_u8; 256 << 20] }));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let open = Arc::new(Open { counts: Mutex::default(), of_one_address: OF_ONE_ADDRESS });
        let slowest = Duration::from_millis(50);
        tokio::spawn(take_within(listener, router, slowest, Arc::clone(&open)));
        let mut client = TcpStream::connect(address).unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let is_open = || !open.counts.lock().unwrap().is_empty();
        let is_let_go = async {
            for wanted in [true, false] {
                while is_open() != wanted {
                    tokio::time::sleep(BREATH).await;
                }
            }
        };
        // No measure of speed: only a hang takes this long.
        tokio::time::timeout(Duration::from_mins(5), is_let_go).await.expect("in time");
        drop(client);
    }

    #[test]
    fn one_address_takes_no_turns_of_others() {
        let open = Arc::new(Open { counts: Mutex::default(), of_one_address: OF_ONE_ADDRESS });
        let address = |last| IpAddr::V4(Ipv4Addr::new(10, 0, 0, last));
        let mut turns: Vec<Turn> =
            (0..OF_ONE_ADDRESS + 5).filter_map(|_| Turn::of(&open, address(1))).collect();
        assert_eq!(turns.len(), OF_ONE_ADDRESS);
        assert!(Turn::of(&open, address(2)).is_some());
        turns.pop();
        assert!(Turn::of(&open, address(1)).is_some());
        drop(turns);
        assert!(open.counts.lock().unwrap().is_empty(), "nothing is remembered of who has gone");
    }
}
