//! The room: the newest of every record, and who has seen what.
//!
//! Nothing is queued for anybody: each connection remembers how far it has seen, and
//! takes the newest when it can. A slow reader costs no memory and delays nobody.

use std::collections::{BTreeMap, BTreeSet};

use super::limits::{LINK_BYTES, MEMBERS, STUDENTS_AT_ONCE};
use super::message::{Refusal, Seen, Told};
use super::record::{MemberId, MemberKey, StudentRecord, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::ClassState;

/// One class.
#[derive(Clone, Debug)]
pub struct Room {
    code: RoomCode,
    secret: TeacherSecret,
    state: ClassState,
    students: BTreeMap<MemberKey, Student>,
    /// Grows with every change of a student, so that no two have the same.
    changes: u64,
    /// Who counts them.
    counter: u64,
}

#[derive(Clone, Debug)]
struct Student {
    id: MemberId,
    connections: u32,
    record: StudentRecord,
    /// [`Room::changes`] when it changed last.
    changed: u64,
}

impl Room {
    /// An empty room.
    pub fn new(code: RoomCode, secret: TeacherSecret) -> Self {
        let (state, students) = (ClassState::default(), BTreeMap::new());
        Self { code, secret, state, students, changes: 0, counter: 0 }
    }

    /// A copy of a room that lives elsewhere; nobody joins a copy. `counter`: a number that
    /// no other copy has, since each counts changes for itself.
    pub fn copy_of(code: RoomCode, secret: TeacherSecret, counter: u64) -> Self {
        Self { counter, ..Self::new(code, secret) }
    }

    /// Its code.
    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    /// What makes its teacher.
    pub fn secret(&self) -> &TeacherSecret {
        &self.secret
    }

    /// What the teacher says to all.
    pub fn state(&self) -> &ClassState {
        &self.state
    }

    /// How many students are connected.
    pub fn present(&self) -> usize {
        self.students.values().filter(|student| student.connections > 0).count()
    }

    /// A connection of a student begins; it ends with [`Self::leave`].
    ///
    /// Fails when the code is another's, the record is unsound, or the room is full.
    pub fn join(
        &mut self,
        code: &RoomCode,
        key: &MemberKey,
        record: StudentRecord,
    ) -> Result<MemberId, Refusal> {
        if *code != self.code {
            return Err(Refusal::NoSuchRoom);
        }
        self.put_record(key, record)?;
        let student = self.students.get_mut(key).ok_or(Refusal::Full)?;
        self.changes += 1;
        student.connections += 1;
        student.changed = self.changes;
        Ok(student.id)
    }

    /// A connection of that student has ended.
    pub fn leave(&mut self, key: &MemberKey) {
        if let Some(student) = self.students.get_mut(key) {
            self.changes += 1;
            student.connections = student.connections.saturating_sub(1);
            student.changed = self.changes;
        }
    }

    /// Is that the teacher?
    ///
    /// Fails when it is not.
    pub fn lead(&self, code: &RoomCode, secret: &TeacherSecret) -> Result<(), Refusal> {
        match (*code == self.code, *secret == self.secret) {
            (true, true) => Ok(()),
            (true, false) => Err(Refusal::NotTheTeacher),
            (false, _) => Err(Refusal::NoSuchRoom),
        }
    }

    /// Puts a student's record in place of its last, if it is not older: a line that was
    /// given up may still bring what was under way.
    ///
    /// Fails when it is unsound, or the room is full.
    pub fn put_record(&mut self, key: &MemberKey, record: StudentRecord) -> Result<(), Refusal> {
        if !record.is_sound() {
            return Err(Refusal::Malformed);
        }
        let id = MemberId(self.students.len() as u32);
        if !self.students.contains_key(key) && self.students.len() >= MEMBERS {
            return Err(Refusal::Full);
        }
        self.changes += 1;
        let changed = self.changes;
        let student = self.students.entry(key.clone()).or_insert(Student {
            id,
            connections: 0,
            record: StudentRecord::default(),
            changed,
        });
        if record.version >= student.record.version {
            (student.record, student.changed) = (record, changed);
        }
        Ok(())
    }

    /// Puts the page before a student in place of its last, if it is not older.
    ///
    /// Fails when its link is too long.
    pub fn put_page(
        &mut self,
        key: &MemberKey,
        page: String,
        wanders: bool,
        version: u64,
    ) -> Result<(), Refusal> {
        let student = self.students.get_mut(key).filter(|_| page.len() <= LINK_BYTES);
        let student = student.ok_or(Refusal::Malformed)?;
        if version >= student.record.version {
            self.changes += 1;
            let record = &mut student.record;
            (record.page, record.wanders, record.version) = (page, wanders, version);
            student.changed = self.changes;
        }
        Ok(())
    }

    /// In a copy: a student as it is where the room lives, if that is not older than what is
    /// known: a relay that comes back tells its last minutes once more. Says whether it is news.
    pub fn copy_student(
        &mut self,
        key: &MemberKey,
        id: MemberId,
        record: StudentRecord,
        is_here: bool,
    ) -> bool {
        let connections = u32::from(is_here);
        let known = self.students.get(key);
        let is_known = |known: &Student| known.record == record || known.is_newer_than(&record);
        let is_news = !known.is_some_and(|known| known.id == id && is_known(known));
        if is_news {
            self.changes += 1;
            let changed = self.changes;
            self.students.insert(key.clone(), Student { id, connections, record, changed });
        }
        is_news
    }

    /// In a copy: these are connected, and no others. Says whether that is news.
    pub fn copy_presence(&mut self, here: &BTreeSet<MemberId>) -> bool {
        let before = self.changes;
        for student in self.students.values_mut() {
            let connections = u32::from(here.contains(&student.id));
            if student.connections != connections {
                self.changes += 1;
                (student.connections, student.changed) = (connections, self.changes);
            }
        }
        self.changes != before
    }

    /// Puts the teacher's state in place of the last, if it is newer.
    ///
    /// Fails when it is unsound.
    pub fn put_state(&mut self, state: ClassState) -> Result<(), Refusal> {
        if !state.is_sound() {
            return Err(Refusal::Malformed);
        }
        if state.version > self.state.version {
            self.state = state;
        }
        Ok(())
    }

    /// What a student has not seen yet.
    pub fn news_for_student(&self, seen: &mut Seen) -> Option<Told> {
        self.has_news_for_student(seen).then(|| Told::State { state: self.state.clone() })
    }

    /// Is there something that a student has not seen yet? It counts as seen from now on.
    pub fn has_news_for_student(&self, seen: &mut Seen) -> bool {
        let version = Some(self.state.version);
        std::mem::replace(&mut seen.state, version) != version
    }

    /// What the teacher has not seen yet: first the state, as it is here, then students, so
    /// many at once.
    pub fn news_for_teacher(&self, seen: &mut Seen) -> Option<Told> {
        if seen.state.is_none() {
            seen.state = Some(self.state.version);
            return Some(Told::State { state: self.state.clone() });
        }
        if seen.counter != self.counter {
            (seen.changes, seen.counter) = (0, self.counter);
        }
        let news = self.students.values().filter(|student| student.changed > seen.changes);
        let mut news: Vec<&Student> = news.collect();
        news.sort_unstable_by_key(|student| student.changed);
        news.truncate(STUDENTS_AT_ONCE);
        seen.changes = news.last()?.changed;
        let changed = news.into_iter().map(Student::view).collect();
        Some(Told::Students { changed })
    }
}

impl Student {
    fn is_newer_than(&self, record: &StudentRecord) -> bool {
        self.record.version > record.version
    }

    fn view(&self) -> StudentView {
        StudentView { id: self.id, is_here: self.connections > 0, record: self.record.clone() }
    }
}
