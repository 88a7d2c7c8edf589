//! Limits how many wrong codes and secrets a client can try.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bindpose_class_protocol::RateLimiter;
use tokio::time::sleep;

use super::client_address::ClientAddress;

/// Wrong codes that an address can try in a burst. Generous, because a classroom may share an
/// address.
const MAX_GUESS_BURST: f64 = 60.0;
/// Wrong codes per second that an address can try later. All codes would take days.
const MAX_GUESSES_PER_SEC: f64 = 1.0;
/// The same for all clients that share the address of a proxy.
const MAX_SHARED_GUESS_BURST: f64 = 600.0;
const MAX_SHARED_GUESSES_PER_SEC: f64 = 10.0;
/// Time that a client waits for permission to try a code.
const MAX_WAIT: Duration = Duration::from_secs(10);
const WAIT_INTERVAL: Duration = Duration::from_millis(100);
/// Number of addresses from which those without recent guesses are forgotten.
const MAX_ADDRESSES: usize = 4096;

/// Counts wrong codes and secrets by address.
#[derive(Debug)]
pub(super) struct GuessLimiter {
    start: Instant,
    allowances: Mutex<HashMap<ClientAddress, RateLimiter>>,
}

impl GuessLimiter {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), allowances: Mutex::default() }
    }

    /// Waits until a client may try a code. Returns `false` if it has tried too many.
    ///
    /// The attempt counts as wrong until [`Self::forgive`] is called, so that many attempts at
    /// once are limited, too.
    pub(super) async fn may_guess(&self, address: ClientAddress) -> bool {
        let deadline = Instant::now() + MAX_WAIT;
        while !self.take(address, self.start.elapsed().as_secs_f64()) {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(WAIT_INTERVAL).await;
        }
        true
    }

    /// Takes back an attempt, because its code was right.
    pub(super) fn forgive(&self, address: ClientAddress) {
        let mut allowances = self.allowances.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(allowance) = allowances.get_mut(&address) {
            allowance.give_back();
        }
    }

    fn take(&self, address: ClientAddress, now_secs: f64) -> bool {
        let mut allowances = self.allowances.lock().unwrap_or_else(PoisonError::into_inner);
        if allowances.len() >= MAX_ADDRESSES {
            allowances.retain(|_, allowance| !allowance.is_full(now_secs));
        }
        let allowance = allowances.entry(address).or_insert_with(|| match address {
            ClientAddress::Known(_) => {
                RateLimiter::new(MAX_GUESS_BURST, MAX_GUESSES_PER_SEC, now_secs)
            }
            ClientAddress::Shared => {
                RateLimiter::new(MAX_SHARED_GUESS_BURST, MAX_SHARED_GUESSES_PER_SEC, now_secs)
            }
        });
        allowance.take(now_secs)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn phone(last: u8) -> ClientAddress {
        ClientAddress::Known(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)))
    }

    #[test]
    fn wrong_codes_are_limited_per_address_and_right_ones_are_not() {
        let limiter = GuessLimiter::new();
        let guesses = (0..1000).filter(|_| limiter.take(phone(1), 0.0)).count();
        assert_eq!(guesses, MAX_GUESS_BURST as usize);
        assert!(limiter.take(phone(2), 0.0), "another address");
        assert!(limiter.take(phone(1), 1.5), "one more each second");
        assert!(!limiter.take(phone(1), 1.5));
        for _ in 0..1000 {
            assert!(limiter.take(phone(3), 0.0));
            limiter.forgive(phone(3));
        }
        let hour_secs = 3600.0;
        let guesses = (0..100_000).filter(|_| limiter.take(phone(1), hour_secs)).count();
        assert!(guesses <= MAX_GUESS_BURST as usize, "a pause saves up no more than a burst");
    }

    #[test]
    fn addresses_without_recent_guesses_are_forgotten() {
        let limiter = GuessLimiter::new();
        for number in 0..2 * MAX_ADDRESSES as u32 {
            let address = ClientAddress::Known(IpAddr::V4(Ipv4Addr::from_bits(number)));
            assert!(limiter.take(address, f64::from(number)));
        }
        assert!(limiter.allowances.lock().unwrap().len() <= MAX_ADDRESSES);
    }
}
