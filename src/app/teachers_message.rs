//! What the notebook and the teacher's window tell each other where these are two
//! pages of a browser: messages of JSON, since pages share no memory.

use serde::{Deserialize, Serialize};

/// From either side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "bindpose", rename_all = "kebab-case")]
pub enum TeachersMessage {
    /// From the window: it is there, and knows nothing yet.
    Hello,
    /// From the notebook: what is open, and how long the class has been where.
    State {
        /// To the page, with its values and its route.
        link: String,
        /// Does the time count?
        teaching: bool,
        /// Seconds at each step, by lesson and number from 0.
        used_secs: Vec<(String, usize, f64)>,
    },
    /// From the window: to the next step, or the next paragraph.
    Next,
    /// From the window: back.
    Back,
    /// From the window: a link in the notes was followed.
    Go {
        /// To a page, with values.
        link: String,
    },
    /// From the window: the next class begins.
    BeginTime,
    /// From either: that side is closed.
    Bye,
}

impl TeachersMessage {
    /// As it is sent.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `None` for all that is none: other programs may send messages, too.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// What the teacher's window keeps of its talk with the notebook.
#[derive(Debug, Default)]
pub(super) struct NotebookConnection {
    /// What the notebook is to do.
    pub(super) asked: Vec<TeachersMessage>,
    /// What it has said to be open.
    pub(super) link: String,
}

#[cfg(test)]
mod tests {
    use super::TeachersMessage as M;

    #[test]
    fn messages_come_back_as_they_were_sent_and_others_are_left_alone() {
        for message in [
            M::Hello,
            M::Go { link: "bindpose://a/b?x=1".to_owned() },
            M::State {
                link: "bindpose://a".to_owned(),
                teaching: true,
                used_secs: vec![("a".to_owned(), 2, 61.0)],
            },
        ] {
            assert_eq!(M::read(&message.text()), Some(message));
        }
        assert_eq!(M::read("{\"type\":\"webpackOk\"}"), None);
        assert_eq!(M::read("hello"), None);
    }
}
