//! Who is connected: each front says it of itself, every few seconds and when it changes.
//! Nothing of it is kept, so the students of a front that has died are absent until they
//! come in by another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bindpose_classroom::{MemberId, RoomCode};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::store::RelayStore;

/// A front says who is there that often, and at most that often.
const BEAT: Duration = Duration::from_secs(2);
const BREATH: Duration = Duration::from_millis(200);
/// A front that has said nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(7);

/// What a front says.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrontPresence {
    /// A number that no other front has.
    front: u64,
    here: Vec<MemberId>,
}

/// Where it says so; the relay keeps nothing that is said there.
pub(super) fn subject(code: &RoomCode) -> String {
    format!("bindpose.here.{code}")
}

/// Students of one room that are connected to this front.
#[derive(Debug, Default)]
pub(super) struct ConnectedHere {
    counts: Mutex<BTreeMap<MemberId, u32>>,
    changed: Notify,
}

/// A student's connection, which counts while this is there.
#[derive(Debug)]
pub(super) struct Connection {
    here: Arc<ConnectedHere>,
    id: MemberId,
}

impl ConnectedHere {
    pub(super) fn connect(self: &Arc<Self>, id: MemberId) -> Connection {
        *self.lock().entry(id).or_insert(0) += 1;
        self.changed.notify_one();
        Connection { here: Arc::clone(self), id }
    }

    /// Says who is there, for good.
    pub(super) async fn tell(&self, store: &RelayStore, code: &RoomCode, front: u64) {
        loop {
            let here: Vec<MemberId> = self.lock().keys().copied().collect();
            let said = FrontPresence { front, here };
            if store.is_connected()
                && let Ok(said) = serde_json::to_vec(&said)
            {
                // The next beat says it again.
                let _ = store.client().publish(subject(code), said.into()).await;
            }
            sleep(BREATH).await;
            let _ = timeout(BEAT, self.changed.notified()).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<MemberId, u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut counts = self.here.lock();
        let left = counts.get(&self.id).map_or(0, |count| count.saturating_sub(1));
        if left == 0 {
            counts.remove(&self.id);
        } else {
            counts.insert(self.id, left);
        }
        drop(counts);
        self.here.changed.notify_one();
    }
}

/// Students of one room that are connected anywhere, as a teacher's front hears it.
#[derive(Debug, Default)]
pub(super) struct ConnectedAnywhere {
    fronts: BTreeMap<u64, (Instant, BTreeSet<MemberId>)>,
}

impl ConnectedAnywhere {
    /// `said`: as JSON; what is not of this form is not heard.
    pub(super) fn hear(&mut self, said: &[u8], now: Instant) {
        if let Ok(FrontPresence { front, here }) = serde_json::from_slice(said) {
            self.fronts.insert(front, (now, here.into_iter().collect()));
        }
    }

    /// Nobody could be heard until now.
    pub(super) fn wait_for_all(&mut self, now: Instant) {
        for (heard, _) in self.fronts.values_mut() {
            *heard = now;
        }
    }

    pub(super) fn ids(&mut self, now: Instant) -> BTreeSet<MemberId> {
        self.fronts.retain(|_, (heard, _)| now.duration_since(*heard) <= SILENCE);
        self.fronts.values().flat_map(|(_, here)| here).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_front_does_not_count_and_a_student_of_two_counts_once() {
        let say = |front, here: &[u32]| {
            let here = here.iter().copied().map(MemberId).collect();
            serde_json::to_vec(&FrontPresence { front, here }).unwrap()
        };
        let (start, mut all) = (Instant::now(), ConnectedAnywhere::default());
        all.hear(&say(1, &[1, 2]), start);
        all.hear(&say(2, &[2, 3]), start + SILENCE);
        all.hear(b"{", start);
        let ids = |ids: &[u32]| ids.iter().copied().map(MemberId).collect::<BTreeSet<_>>();
        assert_eq!(all.ids(start + SILENCE), ids(&[1, 2, 3]));
        assert_eq!(all.ids(start + SILENCE + BEAT), ids(&[2, 3]));
        all.hear(&say(2, &[3]), start + SILENCE + BEAT);
        assert_eq!(all.ids(start + SILENCE + BEAT), ids(&[3]));
        all.wait_for_all(start + 9 * SILENCE);
        assert_eq!(all.ids(start + 9 * SILENCE), ids(&[3]));
    }

    #[test]
    fn who_is_connected_twice_leaves_once() {
        let here = Arc::new(ConnectedHere::default());
        let (first, second) = (here.connect(MemberId(4)), here.connect(MemberId(4)));
        drop(first);
        assert!(here.lock().contains_key(&MemberId(4)));
        drop(second);
        assert!(here.lock().is_empty());
    }
}
