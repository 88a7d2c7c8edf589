//! The room, which stores the latest version of every record.
//!
//! There are no message queues. Each connection has a cursor, and receives the latest records
//! when it is ready. A slow client thus costs no memory and does not delay others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::limits::{MAX_LINK_BYTES, MAX_STUDENTS, MAX_STUDENTS_PER_MESSAGE};
use super::message::{RejectReason, ServerMessage, SyncCursor};
use super::record::{StudentId, StudentKey, StudentRecord, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::{AnswerKey, ClassQuestion, ClassState};

/// The server's state of a class.
#[derive(Clone, Debug)]
pub struct Room {
    code: RoomCode,
    secret: TeacherSecret,
    state: ClassState,
    students: BTreeMap<StudentKey, RoomStudent>,
    /// Rounds that this room has opened so far. An answer in one of them counts only while it
    /// is open.
    opened_rounds: BTreeSet<AnswerKey>,
    /// Students who have left and left nothing behind. Others may take their seats.
    free_seats: BTreeMap<StudentId, StudentKey>,
    /// Number of changes of students so far. Each change has a number of its own.
    change_count: u64,
    /// Id of this room or replica, because each counts changes for itself.
    counter_id: u64,
}

type Answers = Arc<BTreeMap<AnswerKey, String>>;

#[derive(Clone, Debug)]
struct RoomStudent {
    id: StudentId,
    connection_count: u32,
    record: StudentRecord,
    /// Number of the last change.
    last_change: u64,
}

impl Room {
    /// Creates an empty room.
    pub fn new(code: RoomCode, secret: TeacherSecret) -> Self {
        Self {
            code,
            secret,
            state: ClassState::default(),
            students: BTreeMap::new(),
            opened_rounds: BTreeSet::new(),
            free_seats: BTreeMap::new(),
            change_count: 0,
            counter_id: 0,
        }
    }

    /// Creates a replica of a room on another server. Students do not join a replica.
    ///
    /// `counter_id` must be unique among the replicas, because each counts changes for itself.
    pub fn copy_of(code: RoomCode, secret: TeacherSecret, counter_id: u64) -> Self {
        Self { counter_id, ..Self::new(code, secret) }
    }

    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    pub fn secret(&self) -> &TeacherSecret {
        &self.secret
    }

    pub fn state(&self) -> &ClassState {
        &self.state
    }

    /// Returns the number of connected students.
    pub fn present(&self) -> usize {
        self.students.values().filter(|student| student.connection_count > 0).count()
    }

    /// Adds a connection of a student, which [`Self::leave`] removes.
    ///
    /// # Errors
    /// Returns [`RejectReason`] if the code is wrong, the record exceeds a limit, or the room is full.
    pub fn join(
        &mut self,
        code: &RoomCode,
        key: &StudentKey,
        record: StudentRecord,
    ) -> Result<StudentId, RejectReason> {
        if *code != self.code {
            return Err(RejectReason::NoSuchRoom);
        }
        self.put_record(key, record)?;
        let student = self.students.get_mut(key).ok_or(RejectReason::Full)?;
        self.free_seats.remove(&student.id);
        self.change_count += 1;
        student.connection_count += 1;
        student.last_change = self.change_count;
        Ok(student.id)
    }

    /// Returns whether a student has a seat in the room, connected or not.
    pub fn has_seat(&self, key: &StudentKey) -> bool {
        self.students.get(key).is_some_and(|student| !self.free_seats.contains_key(&student.id))
    }

    /// Removes a connection of a student. Returns whether the student's seat is free now, because
    /// it was the last connection and the student has left nothing behind.
    pub fn leave(&mut self, key: &StudentKey) -> bool {
        let Some(student) = self.students.get_mut(key) else { return false };
        self.change_count += 1;
        student.connection_count = student.connection_count.saturating_sub(1);
        student.last_change = self.change_count;
        let is_free = student.connection_count == 0 && student.record.is_blank();
        if is_free {
            self.free_seats.insert(student.id, key.clone());
        }
        is_free
    }

    /// Checks the credentials of the teacher.
    ///
    /// # Errors
    /// Returns [`RejectReason`] if the code or the secret is wrong.
    pub fn lead(&self, code: &RoomCode, secret: &TeacherSecret) -> Result<(), RejectReason> {
        match (*code == self.code, *secret == self.secret) {
            (true, true) => Ok(()),
            (true, false) => Err(RejectReason::NotTheTeacher),
            (false, _) => Err(RejectReason::NoSuchRoom),
        }
    }

    /// Replaces the record of a student, unless the new one is older. Messages of an abandoned
    /// connection may still arrive after those of a new one.
    ///
    /// Answers are accepted in the open round alone: others keep their earlier values. A student
    /// who is new to this room brings the answers that an earlier room accepted, but none in
    /// rounds that this one has opened and closed.
    ///
    /// # Errors
    /// Returns [`RejectReason`] if the record exceeds a limit, or the room is full.
    pub fn put_record(
        &mut self,
        key: &StudentKey,
        record: StudentRecord,
    ) -> Result<(), RejectReason> {
        if !record.is_sound() {
            return Err(RejectReason::Malformed);
        }
        let mut id = StudentId(self.students.len() as u32);
        if !self.students.contains_key(key) && self.students.len() >= MAX_STUDENTS {
            let (free_id, former) = self.free_seats.pop_first().ok_or(RejectReason::Full)?;
            self.students.remove(&former);
            id = free_id;
        }
        self.change_count += 1;
        let open_round = self.state.question.as_ref().and_then(ClassQuestion::open_round);
        let known_answers = self.students.get(key).map(|student| &student.record.answers);
        let is_open = |key: &AnswerKey| Some(key) == open_round.as_ref();
        let answers = match known_answers {
            Some(known) => accept_answers(known, &record.answers, is_open),
            None => accept_answers(&Arc::default(), &record.answers, |key| {
                is_open(key) || !self.opened_rounds.contains(key)
            }),
        };
        let student = self.students.entry(key.clone()).or_insert(RoomStudent {
            id,
            connection_count: 0,
            record: StudentRecord::default(),
            last_change: self.change_count,
        });
        if record.version >= student.record.version {
            student.record = StudentRecord { answers, ..record };
            student.last_change = self.change_count;
        }
        Ok(())
    }

    /// Replaces the open page in the record of a student, unless the new one is older.
    ///
    /// # Errors
    /// Returns [`RejectReason`] if the link is too long, or the student has not joined.
    pub fn put_page(
        &mut self,
        key: &StudentKey,
        page: String,
        wanders: bool,
        version: u64,
    ) -> Result<(), RejectReason> {
        if page.len() > MAX_LINK_BYTES {
            return Err(RejectReason::Malformed);
        }
        let student = self.students.get_mut(key).ok_or(RejectReason::Malformed)?;
        if version >= student.record.version {
            self.change_count += 1;
            student.record.page = page;
            student.record.wanders = wanders;
            student.record.version = version;
            student.last_change = self.change_count;
        }
        Ok(())
    }

    /// Updates a student in a replica, unless the record is older. A relay that reconnects
    /// repeats the messages of its last minutes. Returns whether anything changed.
    pub fn copy_student(
        &mut self,
        key: &StudentKey,
        id: StudentId,
        record: StudentRecord,
        is_here: bool,
    ) -> bool {
        if let Some(student) = self.students.get(key) {
            let is_older = record.version < student.record.version;
            if student.id == id && (is_older || student.record == record) {
                return false;
            }
        }
        self.change_count += 1;
        let student = RoomStudent {
            id,
            connection_count: u32::from(is_here),
            record,
            last_change: self.change_count,
        };
        self.students.insert(key.clone(), student);
        true
    }

    /// Sets the connected students of a replica. Returns whether anything changed.
    pub fn copy_presence(&mut self, here: &BTreeSet<StudentId>) -> bool {
        let before = self.change_count;
        for student in self.students.values_mut() {
            let connection_count = u32::from(here.contains(&student.id));
            if student.connection_count != connection_count {
                self.change_count += 1;
                student.connection_count = connection_count;
                student.last_change = self.change_count;
            }
        }
        self.change_count != before
    }

    /// Replaces the state of the class if the new one is newer.
    ///
    /// # Errors
    /// Returns [`RejectReason`] if the state exceeds a limit.
    pub fn put_state(&mut self, state: ClassState) -> Result<(), RejectReason> {
        if !state.is_sound() {
            return Err(RejectReason::Malformed);
        }
        if state.version > self.state.version {
            let open_round = state.question.as_ref().and_then(ClassQuestion::open_round);
            self.opened_rounds.extend(open_round);
            self.state = state;
        }
        Ok(())
    }

    /// Returns the next message to a student, and advances its cursor. Returns `None` if the
    /// student is up to date.
    pub fn news_for_student(&self, seen: &mut SyncCursor) -> Option<ServerMessage> {
        self.has_news_for_student(seen).then(|| ServerMessage::State { state: self.state.clone() })
    }

    /// Returns whether there is a new state for a student, and advances its cursor.
    pub fn has_news_for_student(&self, seen: &mut SyncCursor) -> bool {
        let version = Some(self.state.version);
        let is_new = seen.state != version;
        seen.state = version;
        is_new
    }

    /// Returns the next message to the teacher, and advances its cursor. Returns `None` if the
    /// teacher is up to date.
    ///
    /// The first message is the room's state. The others hold the changed students, up to
    /// `MAX_STUDENTS_PER_MESSAGE` each.
    pub fn news_for_teacher(&self, seen: &mut SyncCursor) -> Option<ServerMessage> {
        if seen.state.is_none() {
            seen.state = Some(self.state.version);
            return Some(ServerMessage::State { state: self.state.clone() });
        }
        if seen.counter != self.counter_id {
            seen.changes = 0;
            seen.counter = self.counter_id;
        }
        let mut changed: Vec<&RoomStudent> =
            self.students.values().filter(|student| student.last_change > seen.changes).collect();
        changed.sort_unstable_by_key(|student| student.last_change);
        changed.truncate(MAX_STUDENTS_PER_MESSAGE);
        seen.changes = changed.last()?.last_change;
        Some(ServerMessage::Students {
            changed: changed.into_iter().map(RoomStudent::view).collect(),
        })
    }
}

/// Returns the new answers where they are accepted, and the known ones otherwise. Shares one of
/// the two if they are equal.
fn accept_answers(
    known: &Answers,
    new: &Answers,
    is_accepted: impl Fn(&AnswerKey) -> bool,
) -> Answers {
    if known == new {
        return Arc::clone(new);
    }
    let mut accepted = BTreeMap::clone(known);
    accepted.retain(|key, _| !is_accepted(key));
    for (key, answer) in new.iter().filter(|(key, _)| is_accepted(key)) {
        accepted.insert(key.clone(), answer.clone());
    }
    if accepted == **new { Arc::clone(new) } else { Arc::new(accepted) }
}

impl RoomStudent {
    fn view(&self) -> StudentView {
        StudentView { id: self.id, is_here: self.connection_count > 0, record: self.record.clone() }
    }
}
