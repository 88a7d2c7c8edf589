//! How much a class takes from anybody: clients are not trusted.

/// Students in a room: a course of 2,000 online, and those who come back by another browser.
pub const MEMBERS: usize = 2500;
/// Students in one message to the teacher: no browser reads a message of 100 MB.
pub(crate) const STUDENTS_AT_ONCE: usize = 100;
/// Bytes of the longest message that is read.
pub const MESSAGE_BYTES: usize = 64 * 1024;
/// Characters of a student's name.
pub const NAME_CHARS: usize = 40;
/// Bytes of a page's link.
pub(crate) const LINK_BYTES: usize = 16 * 1024;
/// Bytes of one answer.
pub(crate) const ANSWER_BYTES: usize = 512;
/// Bytes of a question's names of lesson and cell.
pub(crate) const ADDRESS_BYTES: usize = 200;
/// Answers of one student: every question of a long course, twice.
pub(crate) const ANSWERS: usize = 400;
/// Lessons of which one student's record tells.
pub(crate) const LESSONS: usize = 64;
/// Steps of one of them, and its questions before and after it.
pub(crate) const STEPS: usize = 64;
/// Bytes of all that one student's record holds.
pub(crate) const RECORD_BYTES: usize = 48 * 1024;

/// How often something may be done: a store of turns that fills up with time.
#[derive(Clone, Debug)]
pub struct Allowance {
    most: f64,
    per_sec: f64,
    left: f64,
    at_secs: f64,
}

impl Allowance {
    /// `most` at once, and `per_sec` in the long run, from `now_secs` on.
    pub fn new(most: f64, per_sec: f64, now_secs: f64) -> Self {
        Self { most, per_sec, left: most, at_secs: now_secs }
    }

    /// Takes one turn, where one is left.
    pub fn take(&mut self, now_secs: f64) -> bool {
        let passed_secs = (now_secs - self.at_secs).max(0.0);
        self.left = (self.left + passed_secs * self.per_sec).min(self.most);
        self.at_secs = now_secs;
        let has_one = self.left >= 1.0;
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }
}
