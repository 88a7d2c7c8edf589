//! Takes connections: so many at a time and from one address, each with so much time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// A lecture hall of phones, each with some.
const AT_ONCE: usize = 2048;
/// A hall behind one address, as schools' networks and tunnels make it.
const OF_ONE_ADDRESS: usize = 1024;
/// Of a browser that says nothing, at first or after an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of the longest head of a request.
const LONGEST_HEAD: usize = 16 * 1024;
/// After an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(10);

/// Answers until the program ends: one that is slow, or silent, keeps no other waiting.
pub(super) async fn take(listener: TcpListener, router: Router) {
    let open = Arc::new(Open::default());
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        // One too many will try again.
        let Some(turn) = Turn::of(&open, from.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(LONGEST_HEAD);
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::spawn(async move {
            // A browser that has gone away needs nothing more.
            let _ = connection.await;
            drop(turn);
        });
    }
}

/// How many connections are open, of each address.
#[derive(Debug, Default)]
struct Open(Mutex<HashMap<IpAddr, usize>>);

/// One connection that counts while it is open.
struct Turn {
    open: Arc<Open>,
    address: IpAddr,
}

impl Turn {
    fn of(open: &Arc<Open>, address: IpAddr) -> Option<Self> {
        let mut counts = open.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = counts.values().sum();
        let of_address = counts.get(&address).copied().unwrap_or(0);
        if all >= AT_ONCE || of_address >= OF_ONE_ADDRESS {
            return None;
        }
        counts.insert(address, of_address + 1);
        Some(Self { open: Arc::clone(open), address })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut counts = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn one_address_takes_no_turns_of_others() {
        let open = Arc::new(Open::default());
        let address = |last| IpAddr::V4(Ipv4Addr::new(10, 0, 0, last));
        let mut turns: Vec<Turn> =
            (0..OF_ONE_ADDRESS + 5).filter_map(|_| Turn::of(&open, address(1))).collect();
        assert_eq!(turns.len(), OF_ONE_ADDRESS);
        assert!(Turn::of(&open, address(2)).is_some());
        turns.pop();
        assert!(Turn::of(&open, address(1)).is_some());
        drop(turns);
        assert!(open.0.lock().unwrap().is_empty(), "nothing is remembered of who has gone");
    }
}
