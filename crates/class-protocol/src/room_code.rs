//! The credentials of a room: a short code for all, and a long secret for the teacher.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Letters and digits that are not confused with each other when read or pronounced.
const CODE_LETTERS: &[u8] = b"ACDEFGHKLMNPRTUWXY3479";
const CODE_LENGTH: usize = 4;

/// The code by which students join a room: `K7QF`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomCode(String);

impl RoomCode {
    /// Creates a code from random bits.
    pub fn from_random(mut bits: u32) -> Self {
        let base = CODE_LETTERS.len() as u32;
        let mut code = String::with_capacity(CODE_LENGTH);
        for _ in 0..CODE_LENGTH {
            code.push(char::from(CODE_LETTERS[(bits % base) as usize]));
            bits /= base;
        }
        Self(code)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RoomCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RoomCode {
    type Err = &'static str;

    /// Parses a code. Ignores case and spaces.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let code: String = text
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .map(|letter| letter.to_ascii_uppercase())
            .collect();
        let is_code =
            code.len() == CODE_LENGTH && code.bytes().all(|byte| CODE_LETTERS.contains(&byte));
        if is_code { Ok(Self(code)) } else { Err("not a code of four letters and digits") }
    }
}

impl TryFrom<String> for RoomCode {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<RoomCode> for String {
    fn from(code: RoomCode) -> Self {
        code.0
    }
}

/// The secret that authenticates the teacher. Only the URL of the teacher's page contains it.
#[derive(Clone, Serialize, Deserialize)]
pub struct TeacherSecret(String);

impl TeacherSecret {
    /// Creates a secret from 128 random bits.
    pub fn from_random(bits: u128) -> Self {
        Self(format!("{bits:032x}"))
    }

    /// Returns the hexadecimal digits, for the teacher's URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Compares in constant time, so that the time does not reveal a common prefix.
impl PartialEq for TeacherSecret {
    fn eq(&self, other: &Self) -> bool {
        let a = self.0.as_bytes();
        let b = other.0.as_bytes();
        a.len() == b.len() && a.iter().zip(b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0
    }
}

impl fmt::Debug for TeacherSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TeacherSecret(…)")
    }
}
