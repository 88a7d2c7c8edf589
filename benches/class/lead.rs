//! What the bench asks of the teacher, in the window of the server's process or on a line;
//! and what the links of the pages that it shows say.

use std::str::FromStr;

use bindpose_class_protocol::{FollowMode, QuestionAddress, Round, StudentId, TeacherClient};
use serde_json::{Value, json};

use super::network::now_ms;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// That step, dragged so often.
    Show(usize, usize),
    Ask(usize),
    GoOn,
    /// What was answered to that question.
    Tally(usize),
    /// What frames took since this was last asked.
    Frames,
}

/// Who answered what, in both rounds.
pub(crate) type Answers = Vec<(StudentId, [Option<String>; 2])>;

impl Order {
    /// Does it; what is asked is answered as JSON.
    pub(crate) fn of(self, teacher: &mut TeacherClient) -> Option<Value> {
        match self {
            Self::Show(step, dragged) => {
                if teacher.state().follows != FollowMode::Values {
                    teacher.let_follow(FollowMode::Values);
                }
                teacher.is_at(&Place::link(step, dragged));
            }
            Self::Ask(number) => teacher.ask(question(number)),
            Self::GoOn => teacher.go_on(),
            Self::Tally(number) => return Some(json!(answers(teacher, number))),
            // On a line there are none.
            Self::Frames => return Some(json!([])),
        }
        None
    }
}

fn answers(teacher: &TeacherClient, number: usize) -> Answers {
    let tally = teacher.tally(&question(number));
    let mut all = std::collections::BTreeMap::new();
    for round in [Round::First, Round::Second] {
        for (id, answer) in tally.answers(round) {
            let both: &mut [Option<String>; 2] = all.entry(id).or_default();
            both[round as usize] = Some(answer.to_owned());
        }
    }
    all.into_iter().collect()
}

impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Show(step, dragged) => write!(f, "show {step} {dragged}"),
            Self::Ask(number) => write!(f, "ask {number}"),
            Self::GoOn => f.write_str("go-on"),
            Self::Tally(number) => write!(f, "tally {number}"),
            Self::Frames => f.write_str("frames"),
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split(' ');
        let what = words.next().unwrap_or_default();
        let mut number = || words.next()?.parse().ok();
        let order = match what {
            "show" => number().zip(number()).map(|(step, dragged)| Self::Show(step, dragged)),
            "ask" => number().map(Self::Ask),
            "go-on" => Some(Self::GoOn),
            "tally" => number().map(Self::Tally),
            "frames" => Some(Self::Frames),
            _ => None,
        };
        order.ok_or_else(|| format!("no order: {line}"))
    }
}

/// What the link of a page that the teacher shows says: which step, and when it was shown.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Place {
    /// From 1; 0: none.
    pub(crate) step: usize,
    pub(crate) is_dragged: bool,
    pub(crate) stamp_ms: f64,
}

impl Place {
    /// The link, shown now. As long as one with a few bones posed and the view turned.
    pub(crate) fn link(step: usize, dragged: usize) -> String {
        let bones = "b1=0.25,0.5,-12.5&b2=0.125,0,33.3&b3=-4.5,0.75,8&view=31.5,-12.25,2.4,0,1";
        format!("bindpose://bone-grid/step-{step}?{bones}&drag={dragged}&at={:.3}", now_ms())
    }

    pub(crate) fn of(link: &str) -> Self {
        let after = |mark: &str| {
            let rest = link.split_once(mark)?.1;
            rest.split(['?', '&']).next()
        };
        Self {
            step: after("/step-").and_then(|it| it.parse().ok()).unwrap_or(0),
            is_dragged: after("drag=").is_some_and(|it| it != "0"),
            stamp_ms: after("at=").and_then(|it| it.parse().ok()).unwrap_or(0.0),
        }
    }
}

pub(crate) fn question(number: usize) -> QuestionAddress {
    QuestionAddress { lesson: "bone-grid".into(), cell: format!("vote-{number}"), draw: 0 }
}
