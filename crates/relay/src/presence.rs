//! Presence of students. Each front publishes its connected students every few seconds and when
//! they change. The relay does not store these messages, so the students of a failed front count
//! as absent until they reconnect through another one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bindpose_class_protocol::{RoomCode, StudentId};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::store::RelayStore;

/// Maximum interval between two presence messages of a front.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// Minimum interval between two presence messages of a front.
const MIN_PUBLISH_INTERVAL: Duration = Duration::from_millis(200);
/// Time without a presence message after which a front counts as failed.
const FRONT_TIMEOUT: Duration = Duration::from_secs(7);

/// A presence message.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrontPresence {
    /// Identifies the front.
    front: u64,
    /// Students who are connected to the front.
    here: Vec<StudentId>,
}

/// Returns the NATS subject for the presence messages of a room. No stream stores this subject.
pub(super) fn subject(code: &RoomCode) -> String {
    format!("bindpose.here.{code}")
}

/// Students of one room who are connected to this front, with the number of their connections.
#[derive(Debug, Default)]
pub(super) struct LocalPresence {
    connection_counts: Mutex<BTreeMap<StudentId, u32>>,
    changed: Notify,
}

/// Counts as a connection of a student until it is dropped.
#[derive(Debug)]
pub(super) struct PresenceGuard {
    presence: Arc<LocalPresence>,
    id: StudentId,
}

impl LocalPresence {
    pub(super) fn connect(self: &Arc<Self>, id: StudentId) -> PresenceGuard {
        *self.lock().entry(id).or_insert(0) += 1;
        self.changed.notify_one();
        PresenceGuard { presence: Arc::clone(self), id }
    }

    /// Publishes presence messages forever.
    pub(super) async fn publish(&self, store: &RelayStore, code: &RoomCode, front: u64) {
        loop {
            let here: Vec<StudentId> = self.lock().keys().copied().collect();
            let message = FrontPresence { front, here };
            if store.is_connected()
                && let Ok(message) = serde_json::to_vec(&message)
            {
                // If this fails, the next heartbeat makes up for it.
                let _ = store.client().publish(subject(code), message.into()).await;
            }
            sleep(MIN_PUBLISH_INTERVAL).await;
            let _ = timeout(HEARTBEAT_INTERVAL, self.changed.notified()).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<StudentId, u32>> {
        self.connection_counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let mut counts = self.presence.lock();
        let remaining = counts.get(&self.id).map_or(0, |count| count.saturating_sub(1));
        if remaining == 0 {
            counts.remove(&self.id);
        } else {
            counts.insert(self.id, remaining);
        }
        drop(counts);
        self.presence.changed.notify_one();
    }
}

/// Students of one room who are connected to any front, as known to a front with a teacher.
#[derive(Debug, Default)]
pub(super) struct ClassPresence {
    fronts: BTreeMap<u64, FrontState>,
}

#[derive(Debug)]
struct FrontState {
    last_message: Instant,
    connected: BTreeSet<StudentId>,
}

impl ClassPresence {
    /// Applies a presence message. Ignores invalid JSON.
    pub(super) fn receive(&mut self, message: &[u8], now: Instant) {
        if let Ok(FrontPresence { front, here }) = serde_json::from_slice(message) {
            let connected = here.into_iter().collect();
            self.fronts.insert(front, FrontState { last_message: now, connected });
        }
    }

    /// Restarts the timeouts of all fronts, because no messages could be received until now.
    pub(super) fn restart_timeouts(&mut self, now: Instant) {
        for front in self.fronts.values_mut() {
            front.last_message = now;
        }
    }

    /// Returns the connected students, after removing the fronts that have timed out.
    pub(super) fn connected_ids(&mut self, now: Instant) -> BTreeSet<StudentId> {
        self.fronts.retain(|_, front| now.duration_since(front.last_message) <= FRONT_TIMEOUT);
        self.fronts.values().flat_map(|front| &front.connected).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member_ids<C: FromIterator<StudentId>>(ids: &[u32]) -> C {
        ids.iter().copied().map(StudentId).collect()
    }

    fn message(front: u64, ids: &[u32]) -> Vec<u8> {
        serde_json::to_vec(&FrontPresence { front, here: member_ids(ids) }).unwrap()
    }

    #[test]
    fn a_silent_front_times_out_and_a_student_on_two_fronts_counts_once() {
        let start = Instant::now();
        let mut presence = ClassPresence::default();
        presence.receive(&message(1, &[1, 2]), start);
        presence.receive(&message(2, &[2, 3]), start + FRONT_TIMEOUT);
        presence.receive(b"{", start);
        assert_eq!(presence.connected_ids(start + FRONT_TIMEOUT), member_ids(&[1, 2, 3]));
        let later = start + FRONT_TIMEOUT + HEARTBEAT_INTERVAL;
        assert_eq!(presence.connected_ids(later), member_ids(&[2, 3]));
        presence.receive(&message(2, &[3]), later);
        assert_eq!(presence.connected_ids(later), member_ids(&[3]));
        let reconnected = start + 9 * FRONT_TIMEOUT;
        presence.restart_timeouts(reconnected);
        assert_eq!(presence.connected_ids(reconnected), member_ids(&[3]));
    }

    #[test]
    fn a_student_is_present_until_the_last_connection_ends() {
        let presence = Arc::new(LocalPresence::default());
        let first = presence.connect(StudentId(4));
        let second = presence.connect(StudentId(4));
        drop(first);
        assert!(presence.lock().contains_key(&StudentId(4)));
        drop(second);
        assert!(presence.lock().is_empty());
    }
}
