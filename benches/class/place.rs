//! Links of the pages that the teacher shows: they say when they were shown.

use bindpose_classroom::QuestionAddress;

use super::network::now_ms;

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
