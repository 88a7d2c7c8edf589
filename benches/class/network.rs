//! What lies between a client and its socket: every message is held back here, in each
//! direction, and how long is known exactly: chance is the same in every run.

use std::time::{SystemTime, UNIX_EPOCH};

/// A kind of network, the same in both directions.
#[derive(Clone, Copy)]
pub(crate) struct Network {
    pub(crate) name: &'static str,
    pub(crate) delay_ms: [f64; 2],
    /// Share of messages that have to be sent again.
    pub(crate) loss: f64,
    /// How long a sleep lasts; clients fall asleep one after another. Absent: nobody sleeps.
    pub(crate) sleep_secs: Option<[f64; 2]>,
}

pub(crate) const GOOD: Network =
    Network { name: "good", delay_ms: [2.0, 10.0], loss: 0.0, sleep_secs: None };
pub(crate) const BAD: Network =
    Network { name: "bad", delay_ms: [50.0, 400.0], loss: 0.02, sleep_secs: Some([1.0, 6.0]) };

/// The least that Linux waits before it sends again, added to one more delay.
const RESENT_MS: f64 = 200.0;

/// One direction of one line.
pub(crate) struct Way {
    network: Network,
    random: Random,
    last_ms: f64,
}

impl Way {
    pub(crate) fn new(network: Network, random: Random) -> Self {
        Self { network, random, last_ms: 0.0 }
    }

    /// When a message that is sent now arrives. TCP keeps the order: it waits behind
    /// those before it.
    pub(crate) fn arrival_ms(&mut self, sent_ms: f64) -> f64 {
        let mut delay_ms = self.random.between(self.network.delay_ms);
        while self.random.share() < self.network.loss {
            delay_ms += RESENT_MS + self.random.between(self.network.delay_ms);
        }
        self.last_ms = self.last_ms.max(sent_ms + delay_ms);
        self.last_ms
    }
}

/// Numbers as by chance, a stream of its own for each client (`SplitMix64`).
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// From 0 to below 1.
    pub(crate) fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.share()
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }
}

/// A clock that the processes of one computer share.
pub(crate) fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

pub(crate) async fn until(ms: f64) {
    let wait_ms = (ms - now_ms()).max(0.0);
    if wait_ms > 0.0 {
        tokio::time::sleep(std::time::Duration::from_secs_f64(wait_ms / 1e3)).await;
    }
}
