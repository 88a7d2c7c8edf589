//! Limits on the data of clients, which are not trusted.

/// Maximum number of students in a room: an online course of 2,000, and some who return with
/// another browser.
pub const MAX_STUDENTS: usize = 2500;
/// Maximum number of students in one message to the teacher. All students at once could be
/// 100 MB, which no browser accepts.
pub(crate) const MAX_STUDENTS_PER_MESSAGE: usize = 100;
/// Maximum length of a message that is parsed, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Maximum length of a student's name, in characters.
pub const MAX_NAME_CHARS: usize = 40;
pub(crate) const MAX_LINK_BYTES: usize = 16 * 1024;
pub(crate) const MAX_ANSWER_BYTES: usize = 512;
/// Maximum total length of a question's lesson and cell, in bytes.
pub(crate) const MAX_ADDRESS_BYTES: usize = 200;
/// Maximum number of a student's answers: two for every question of a long course.
pub(crate) const MAX_ANSWERS: usize = 400;
/// Maximum number of lessons in a student's record.
pub(crate) const MAX_LESSONS: usize = 64;
/// Maximum number of steps, and of inventory questions, in the progress of a lesson.
pub(crate) const MAX_STEPS: usize = 64;
/// Maximum total size of a student's record, in bytes.
pub(crate) const MAX_RECORD_BYTES: usize = 48 * 1024;

/// A rate limiter, as a token bucket.
#[derive(Clone, Debug)]
pub struct RateLimiter {
    max_tokens: f64,
    tokens_per_sec: f64,
    tokens: f64,
    /// Time of the last refill, in seconds.
    refilled_at_secs: f64,
}

impl RateLimiter {
    /// Creates a full bucket of `max_tokens`, which is refilled by `tokens_per_sec`.
    pub fn new(max_tokens: f64, tokens_per_sec: f64, now_secs: f64) -> Self {
        Self { max_tokens, tokens_per_sec, tokens: max_tokens, refilled_at_secs: now_secs }
    }

    /// Takes one token. Returns `false` if there is none.
    pub fn take(&mut self, now_secs: f64) -> bool {
        let elapsed_secs = (now_secs - self.refilled_at_secs).max(0.0);
        self.tokens = (self.tokens + elapsed_secs * self.tokens_per_sec).min(self.max_tokens);
        self.refilled_at_secs = now_secs;
        let has_token = self.tokens >= 1.0;
        if has_token {
            self.tokens -= 1.0;
        }
        has_token
    }

    /// Puts back a token that was taken, because it was not needed.
    pub fn give_back(&mut self) {
        self.tokens = (self.tokens + 1.0).min(self.max_tokens);
    }

    /// Returns whether the bucket is full again.
    pub fn is_full(&self, now_secs: f64) -> bool {
        let elapsed_secs = (now_secs - self.refilled_at_secs).max(0.0);
        self.tokens + elapsed_secs * self.tokens_per_sec >= self.max_tokens
    }
}
