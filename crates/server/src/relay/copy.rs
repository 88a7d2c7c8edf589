//! What this front knows of a room on the relay while somebody here is in it: a copy that
//! follows what is written there. Nothing is put into it from here.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::kv::Entry;
use bindpose_classroom::{ClassState, MEMBERS, MemberId, MemberKey, Room, RoomCode, TeacherSecret};
use futures_util::StreamExt as _;
use serde_json::from_slice;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::presence::{self, ConnectedAnywhere, ConnectedHere, Connection};
use super::store::{RelayStore, RoomKey, StoredPage, StoredRecord, Watched};
use crate::class::SharedRoom;

/// A front that has gone silent is noticed so much later, at most.
const LOOK: Duration = Duration::from_secs(1);
/// After a watch that broke off.
const AGAIN: Duration = Duration::from_secs(1);

/// A copy, which is followed as long as this is there.
#[derive(Debug)]
pub(super) struct RoomCopy {
    content: Arc<CopyContent>,
    here: Arc<ConnectedHere>,
    is_whole: watch::Receiver<bool>,
    /// They end with it.
    _followers: JoinSet<()>,
}

#[derive(Debug)]
struct CopyContent {
    room: SharedRoom,
    known: Mutex<Known>,
    /// Has all come that was there at first?
    is_whole: watch::Sender<bool>,
}

/// What a [`Room`] does not say.
#[derive(Debug, Default)]
struct Known {
    seats: BTreeSet<MemberKey>,
    connected: BTreeSet<MemberId>,
}

impl RoomCopy {
    /// Begins to follow a room that is there. `front`: a number that no other front has.
    pub(super) fn follow(
        store: &RelayStore,
        code: &RoomCode,
        secret: TeacherSecret,
        what: Watched,
        front: u64,
    ) -> Self {
        let (whole, is_whole) = watch::channel(false);
        let content = Arc::new(CopyContent {
            room: SharedRoom::new(Room::copy_of(code.clone(), secret, front)),
            known: Mutex::default(),
            is_whole: whole,
        });
        let here = Arc::<ConnectedHere>::default();
        let mut followers = JoinSet::new();
        let (store, code) = (store.clone(), code.clone());
        followers.spawn(follow_values(store.clone(), code.clone(), what, Arc::clone(&content)));
        match what {
            Watched::Class => {
                let here = Arc::clone(&here);
                followers.spawn(async move { here.tell(&store, &code, front).await });
            }
            Watched::ClassAndStudents => {
                followers.spawn(follow_presence(store, code, Arc::clone(&content)));
            }
        }
        Self { content, here, is_whole, _followers: followers }
    }

    /// Waits until all has come that was there at first.
    pub(super) async fn whole(&self) {
        // It fails only without a sender, which is in the content.
        let _ = self.is_whole.clone().wait_for(|&is_whole| is_whole).await;
    }

    pub(super) fn room(&self) -> &SharedRoom {
        &self.content.room
    }

    /// May that student come in?
    pub(super) fn has_place_for(&self, key: &MemberKey) -> bool {
        let known = self.content.known();
        known.seats.len() < MEMBERS || known.seats.contains(key)
    }

    pub(super) fn connect(&self, id: MemberId) -> Connection {
        self.here.connect(id)
    }
}

/// For good: what was there, then what comes. When a watch breaks off, or the relay was away,
/// it begins again; what it tells twice counts once.
async fn follow_values(
    store: RelayStore,
    code: RoomCode,
    what: Watched,
    content: Arc<CopyContent>,
) {
    let mut comes_back = store.comes_back();
    loop {
        comes_back.mark_unchanged();
        if let Ok(mut values) = store.watch(&code, what).await {
            loop {
                let entry = tokio::select! {
                    entry = values.next() => entry,
                    _ = comes_back.changed() => None,
                };
                let Some(Ok(entry)) = entry else { break };
                content.take(&entry);
                if entry.delta == 0 {
                    content.is_whole.send_replace(true);
                }
            }
        }
        sleep(AGAIN).await;
        let state = content.room.lock().state().clone();
        // Where it fails, the watch will not hold either.
        let _ = store.put_newer_state(&code, &state).await;
    }
}

/// For good: who is connected, anywhere.
async fn follow_presence(store: RelayStore, code: RoomCode, content: Arc<CopyContent>) {
    let mut connected = ConnectedAnywhere::default();
    loop {
        if let Ok(mut said) = store.client().subscribe(presence::subject(&code)).await {
            loop {
                tokio::select! {
                    said = said.next() => match said {
                        Some(said) => connected.hear(&said.payload, Instant::now()),
                        None => break,
                    },
                    () = sleep(LOOK) => {}
                }
                if !store.is_connected() {
                    connected.wait_for_all(Instant::now());
                }
                content.put_connected(connected.ids(Instant::now()));
            }
        }
        sleep(AGAIN).await;
    }
}

impl CopyContent {
    fn take(&self, entry: &Entry) {
        match RoomKey::parse(&entry.key) {
            Some(RoomKey::State) => self.take_state(&entry.value),
            Some(RoomKey::Seat(key)) => {
                self.known().seats.insert(key);
            }
            Some(RoomKey::Record(key)) => self.take_record(&key, &entry.value),
            Some(RoomKey::Page(key)) => self.take_page(&key, &entry.value),
            Some(RoomKey::Room) | None => {}
        }
    }

    fn take_state(&self, value: &[u8]) {
        let Ok(state) = from_slice::<ClassState>(value) else { return };
        // Unsound ones are not written.
        let _ = self.room.lock().put_state(state);
        self.room.tell_of_state();
    }

    fn take_record(&self, key: &MemberKey, value: &[u8]) {
        let Ok(StoredRecord { id, record }) = from_slice(value) else { return };
        let known = self.known();
        let is_here = known.connected.contains(&id);
        let is_news = self.room.lock().copy_student(key, id, record, is_here);
        drop(known);
        if is_news {
            self.room.tell_of_students();
        }
    }

    fn take_page(&self, key: &MemberKey, value: &[u8]) {
        let Ok(StoredPage { version, page, wanders }) = from_slice(value) else { return };
        // Unsound ones are not written; before its record a page says nothing.
        if self.room.lock().put_page(key, page, wanders, version).is_ok() {
            self.room.tell_of_students();
        }
    }

    fn put_connected(&self, ids: BTreeSet<MemberId>) {
        let mut known = self.known();
        let is_news = known.connected != ids && self.room.lock().copy_presence(&ids);
        known.connected = ids;
        drop(known);
        if is_news {
            self.room.tell_of_students();
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
