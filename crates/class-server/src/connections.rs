//! Accepts HTTP connections, with limits on their number and on their time. All of them run on
//! one thread.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_io_timeout::TimeoutStream;

use super::client_address::PeerAddress;

/// Maximum number of open connections. Enough for a lecture hall in which every browser opens
/// several.
const MAX_CONNECTIONS: usize = 2048;
/// Maximum number of open connections from one address. A whole lecture hall may share an
/// address behind the network of a school or a tunnel.
const MAX_CONNECTIONS_PER_ADDRESS: usize = 1024;
/// Time until the head of the next request must be complete.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Time after which a connection is closed because the browser does not read the response.
const WRITE_TIMEOUT: Duration = Duration::from_mins(2);
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Pause after a failed `accept`, for example because of too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(10);

/// Creates the single-threaded runtime for all connections of a server.
///
/// # Errors
/// If the system provides no resources for it.
pub fn new_runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Accepts and serves connections forever. A slow or silent client does not delay the others.
///
/// Behind a load balancer all clients have the same address, so the limit per address is lifted.
pub(super) async fn serve_connections(
    listener: TcpListener,
    router: Router,
    is_behind_balancer: bool,
) {
    let max_per_address =
        if is_behind_balancer { MAX_CONNECTIONS } else { MAX_CONNECTIONS_PER_ADDRESS };
    let limiter = Arc::new(ConnectionLimiter::new(max_per_address));
    serve_with_limits(listener, router, WRITE_TIMEOUT, limiter).await;
}

async fn serve_with_limits(
    listener: TcpListener,
    router: Router,
    write_timeout: Duration,
    limiter: Arc<ConnectionLimiter>,
) {
    loop {
        let Ok((stream, client_address)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        // Dropping the stream closes it, and the browser tries again.
        let Some(permit) = limiter.try_acquire(client_address.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let router = TowerToHyperService::new(router.clone());
        let peer = PeerAddress(client_address.ip());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            router.call(request)
        });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(write_timeout));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_READ_TIMEOUT)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(Box::pin(stream)), service)
            .with_upgrades();
        tokio::spawn(async move {
            // Most errors mean that the browser has closed the connection.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// Counts the open connections of each address and enforces the limits.
#[derive(Debug)]
struct ConnectionLimiter {
    counts: Mutex<HashMap<IpAddr, usize>>,
    max_per_address: usize,
}

/// Counts as one open connection until it is dropped.
struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    address: IpAddr,
}

impl ConnectionLimiter {
    fn new(max_per_address: usize) -> Self {
        Self { counts: Mutex::default(), max_per_address }
    }

    /// Returns `None` if a limit is reached.
    fn try_acquire(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPermit> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = counts.values().sum();
        let address_count = counts.get(&address).copied().unwrap_or(0);
        if total >= MAX_CONNECTIONS || address_count >= self.max_per_address {
            return None;
        }
        counts.insert(address, address_count + 1);
        Some(ConnectionPermit { limiter: Arc::clone(self), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let remaining = counts.get(&self.address).map_or(0, |count| count.saturating_sub(1));
        if remaining == 0 {
            counts.remove(&self.address);
        } else {
            counts.insert(self.address, remaining);
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
    async fn a_client_that_reads_nothing_is_disconnected() {
        // More than the socket buffers of any system.
        let router = Router::new().route("/", get(|| async { vec![0_u8; 256 << 20] }));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let limiter = Arc::new(ConnectionLimiter::new(MAX_CONNECTIONS_PER_ADDRESS));
        let write_timeout = Duration::from_millis(50);
        tokio::spawn(serve_with_limits(listener, router, write_timeout, Arc::clone(&limiter)));
        let mut client = TcpStream::connect(address).unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let opens_and_closes = async {
            for is_open in [true, false] {
                while limiter.counts.lock().unwrap().is_empty() == is_open {
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                }
            }
        };
        // Long enough for a slow machine: only a hang takes this long.
        tokio::time::timeout(Duration::from_mins(5), opens_and_closes).await.expect("in time");
        drop(client);
    }

    #[test]
    fn the_limit_of_one_address_does_not_affect_others() {
        let limiter = Arc::new(ConnectionLimiter::new(MAX_CONNECTIONS_PER_ADDRESS));
        let [first, second] = [1, 2].map(|last| IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)));
        let mut permits: Vec<ConnectionPermit> = (0..MAX_CONNECTIONS_PER_ADDRESS + 5)
            .filter_map(|_| limiter.try_acquire(first))
            .collect();
        assert_eq!(permits.len(), MAX_CONNECTIONS_PER_ADDRESS);
        assert!(limiter.try_acquire(second).is_some());
        permits.pop();
        assert!(limiter.try_acquire(first).is_some());
        drop(permits);
        assert!(limiter.counts.lock().unwrap().is_empty(), "closed connections leave no entries");
    }
}
