//! What the doctor says about a file.

use serde::Serialize;

/// One thing that is wrong with a file, or might surprise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name, upper case: that of the format's official validator where it
    /// has one (`NODE_LOOP`), else our own (`WEIGHT_SUM`).
    pub code: &'static str,
    /// Where: a JSON pointer such as `/skins/0/joints/2`; empty for the file as a
    /// whole.
    pub at: String,
    /// The vertex, if it is about one: of the primitive that `at` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex: Option<u32>,
    /// The joint, if it is about one: its place in the skin's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<u32>,
    /// What is wrong, in one sentence.
    pub title: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What it does to the picture.
    pub effect: String,
    /// How to mend it.
    pub remedy: String,
    /// Slug of the lesson that explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<&'static str>,
    /// In how many places the same fault stands; this is the first of them, or
    /// the worst where one is worse than another.
    pub count: usize,
    /// Can [`Finding`]s of this kind be mended by the program?
    pub mendable: bool,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file breaks the format's rules, or the picture is wrong.
    Error,
    /// Allowed, but likely not meant, or shown differently elsewhere.
    Warning,
    /// Good to know.
    Note,
}
