//! Messages between the notebook and the teacher's window if both are pages of a browser.
//! They are JSON, because pages share no memory.

use serde::{Deserialize, Serialize};

/// A message of either side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "bindpose", rename_all = "kebab-case")]
pub enum TeachersMessage {
    /// From the window: it is open and needs the state.
    Hello,
    /// From the notebook: the open page, and the time that the class has spent on each step.
    State {
        /// Link to the page, with its values and its route.
        link: String,
        /// Whether time is being counted.
        teaching: bool,
        /// Slug of a lesson, index of a step, and seconds spent there.
        used_secs: Vec<(String, usize, f64)>,
    },
    /// From the window: go to the next step, or the next paragraph.
    Next,
    /// From the window: go back.
    Back,
    /// From the window: follow a link of the notes.
    Go {
        /// Link to a page, with values.
        link: String,
    },
    /// From the window: restart the time, because the next class begins.
    BeginTime,
    /// From either side: it closes.
    Bye,
}

impl TeachersMessage {
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns `None` for text of any other form, because other programs may also send messages
    /// to the page.
    pub fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

/// State that the teacher's window keeps of its notebook.
#[derive(Debug, Default)]
pub(super) struct NotebookConnection {
    /// Requests that have not been sent yet.
    pub(super) pending_requests: Vec<TeachersMessage>,
    /// Link to the page that the notebook has open.
    pub(super) link: String,
}

#[cfg(test)]
mod tests {
    use super::TeachersMessage as M;

    #[test]
    fn messages_survive_json_and_other_text_is_rejected() {
        for message in [
            M::Hello,
            M::Go { link: "bindpose://a/b?x=1".to_owned() },
            M::State {
                link: "bindpose://a".to_owned(),
                teaching: true,
                used_secs: vec![("a".to_owned(), 2, 61.0)],
            },
        ] {
            assert_eq!(M::from_json(&message.to_json()), Some(message));
        }
        assert_eq!(M::from_json("{\"type\":\"webpackOk\"}"), None);
        assert_eq!(M::from_json("hello"), None);
    }
}
