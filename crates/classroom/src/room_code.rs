//! What opens a room: a short code for all, a long secret for the teacher.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Letters that nobody takes for another, on a screen or said aloud.
const LETTERS: &[u8] = b"ACDEFGHKLMNPRTUWXY3479";
const LENGTH: usize = 4;

/// The code of a room, as students type it: `K7QF`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomCode(String);

impl RoomCode {
    /// A code of random bits.
    pub fn from_random(bits: u32) -> Self {
        let base = LETTERS.len() as u32;
        let letter = |place: usize| LETTERS[(bits / base.pow(place as u32) % base) as usize];
        Self((0..LENGTH).map(|place| char::from(letter(place))).collect())
    }

    /// Its letters.
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

    /// In letters of either case, with spaces or without.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let letters = text.chars().filter(|letter| !letter.is_whitespace());
        let code: String = letters.map(|letter| letter.to_ascii_uppercase()).collect();
        let is_code = code.len() == LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
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

/// What makes the teacher: it stands in the teacher's address alone.
#[derive(Clone, Serialize, Deserialize)]
pub struct TeacherSecret(String);

impl TeacherSecret {
    /// A secret of 128 random bits.
    pub fn from_random(bits: u128) -> Self {
        Self(format!("{bits:032x}"))
    }

    /// Its digits, for the teacher's address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// In a time that does not tell how much of it was right.
impl PartialEq for TeacherSecret {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.0.as_bytes(), other.0.as_bytes());
        a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

impl fmt::Debug for TeacherSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TeacherSecret(…)")
    }
}
