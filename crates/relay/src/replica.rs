//! Read-only replicas of rooms on the relay. A front keeps one for each room that its clients
//! have entered, and updates it from the relay.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::kv::Entry;
use bindpose_class_protocol::{
    ClassState, MAX_STUDENTS, Room, RoomCode, StudentId, StudentKey, TeacherSecret,
};
use bindpose_class_server::SharedRoom;
use futures_util::StreamExt as _;
use serde_json::from_slice;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::presence::{self, ClassPresence, LocalPresence, PresenceGuard};
use super::store::{RelayStore, RoomKey, StoredPage, StoredRecord, WatchScope};

/// Interval at which the presence of other fronts is checked for timeouts.
const PRESENCE_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Delay before a failed subscription is renewed.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A replica that is updated until it is dropped.
#[derive(Debug)]
pub(super) struct RoomReplica {
    content: Arc<ReplicaContent>,
    presence: Arc<LocalPresence>,
    is_complete: watch::Receiver<bool>,
    /// The update tasks, which end when this is dropped.
    _tasks: JoinSet<()>,
}

#[derive(Debug)]
struct ReplicaContent {
    room: SharedRoom,
    members: Mutex<ReplicaMembers>,
    /// Becomes true when all values that existed at the start have arrived.
    is_complete: watch::Sender<bool>,
}

/// Data on the members of a replicated room that [`Room`] does not have.
#[derive(Debug, Default)]
struct ReplicaMembers {
    seats: BTreeSet<StudentKey>,
    connected: BTreeSet<StudentId>,
}

impl RoomReplica {
    /// Starts to replicate an existing room. `front` identifies this front.
    pub(super) fn new(
        store: &RelayStore,
        code: &RoomCode,
        secret: TeacherSecret,
        scope: WatchScope,
        front: u64,
    ) -> Self {
        let (complete_sender, is_complete) = watch::channel(false);
        let content = Arc::new(ReplicaContent {
            room: SharedRoom::new(Room::copy_of(code.clone(), secret, front)),
            members: Mutex::default(),
            is_complete: complete_sender,
        });
        let presence = Arc::<LocalPresence>::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(replicate_values(store.clone(), code.clone(), scope, Arc::clone(&content)));
        let store = store.clone();
        let code = code.clone();
        match scope {
            WatchScope::Class => {
                let presence = Arc::clone(&presence);
                tasks.spawn(async move { presence.publish(&store, &code, front).await });
            }
            WatchScope::ClassAndStudents => {
                tasks.spawn(replicate_presence(store, code, Arc::clone(&content)));
            }
        }
        Self { content, presence, is_complete, _tasks: tasks }
    }

    /// Waits until all values that existed at the start have arrived.
    pub(super) async fn wait_until_complete(&self) {
        // Cannot fail, because `content` holds the sender.
        let _ = self.is_complete.clone().wait_for(|&is_complete| is_complete).await;
    }

    pub(super) fn room(&self) -> &SharedRoom {
        &self.content.room
    }

    /// Returns whether a student can enter: the room has a free seat, or the student has one.
    pub(super) fn has_seat_for(&self, key: &StudentKey) -> bool {
        let members = self.content.lock_members();
        members.seats.len() < MAX_STUDENTS || members.seats.contains(key)
    }

    pub(super) fn connect(&self, id: StudentId) -> PresenceGuard {
        self.presence.connect(id)
    }
}

/// Applies the existing values of a room, then all changes, forever. Starts again if the watch
/// fails or the relay has been unavailable, which is harmless for values already applied.
async fn replicate_values(
    store: RelayStore,
    code: RoomCode,
    scope: WatchScope,
    content: Arc<ReplicaContent>,
) {
    let mut reconnected = store.watch_reconnects();
    loop {
        reconnected.mark_unchanged();
        if let Ok(mut values) = store.watch(&code, scope).await {
            loop {
                let entry = tokio::select! {
                    entry = values.next() => entry,
                    _ = reconnected.changed() => None,
                };
                let Some(Ok(entry)) = entry else { break };
                content.apply_entry(&entry);
                if entry.delta == 0 {
                    content.is_complete.send_replace(true);
                }
            }
        }
        sleep(RETRY_DELAY).await;
        // The relay may have lost the last state.
        let state = content.room.lock().state().clone();
        // If this fails, the next watch fails too.
        let _ = store.put_newer_state(&code, &state).await;
    }
}

/// Keeps track of the connected students of all fronts, forever.
async fn replicate_presence(store: RelayStore, code: RoomCode, content: Arc<ReplicaContent>) {
    let mut presence = ClassPresence::default();
    loop {
        if let Ok(mut messages) = store.client().subscribe(presence::subject(&code)).await {
            loop {
                tokio::select! {
                    message = messages.next() => match message {
                        Some(message) => presence.receive(&message.payload, Instant::now()),
                        None => break,
                    },
                    () = sleep(PRESENCE_CHECK_INTERVAL) => {}
                }
                if !store.is_connected() {
                    presence.restart_timeouts(Instant::now());
                }
                content.set_connected(presence.connected_ids(Instant::now()));
            }
        }
        sleep(RETRY_DELAY).await;
    }
}

impl ReplicaContent {
    fn apply_entry(&self, entry: &Entry) {
        match RoomKey::parse(&entry.key) {
            Some(RoomKey::State) => self.apply_state(&entry.value),
            Some(RoomKey::Seat(key)) => {
                self.lock_members().seats.insert(key);
            }
            Some(RoomKey::Record(key)) => self.apply_record(&key, &entry.value),
            Some(RoomKey::Page(key)) => self.apply_page(&key, &entry.value),
            Some(RoomKey::Room) | None => {}
        }
    }

    fn apply_state(&self, value: &[u8]) {
        let Ok(state) = from_slice::<ClassState>(value) else { return };
        // Cannot fail, because fronts write only valid states.
        let _ = self.room.lock().put_state(state);
        self.room.notify_state_changed();
    }

    fn apply_record(&self, key: &StudentKey, value: &[u8]) {
        let Ok(StoredRecord { id, record }) = from_slice(value) else { return };
        let members = self.lock_members();
        let is_connected = members.connected.contains(&id);
        let has_changed = self.room.lock().copy_student(key, id, record, is_connected);
        drop(members);
        if has_changed {
            self.room.notify_students_changed();
        }
    }

    fn apply_page(&self, key: &StudentKey, value: &[u8]) {
        let Ok(StoredPage { version, page, wanders }) = from_slice(value) else { return };
        // Fails if the record of the student has not arrived yet. Fronts write only valid pages.
        if self.room.lock().put_page(key, page, wanders, version).is_ok() {
            self.room.notify_students_changed();
        }
    }

    fn set_connected(&self, ids: BTreeSet<StudentId>) {
        let mut members = self.lock_members();
        let has_changed = members.connected != ids && self.room.lock().copy_presence(&ids);
        members.connected = ids;
        drop(members);
        if has_changed {
            self.room.notify_students_changed();
        }
    }

    fn lock_members(&self) -> MutexGuard<'_, ReplicaMembers> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
