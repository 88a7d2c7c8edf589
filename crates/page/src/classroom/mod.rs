//! The class that the page belongs to: the strip along the top, the windows and the wall,
//! and the question of a cell while the class answers it.

mod answers;
mod question_scroll;
mod strip;
#[cfg(test)]
mod tests;
mod wall;
mod windows;

pub use answers::question_address;
pub(crate) use answers::{
    AnswerMeaning, AskedInClass, ask_class_ui, class_guesses_in_world, hand_in_ui, in_class,
    tally_ui,
};
pub(crate) use question_scroll::scroll_to_question;

pub use strip::strip;
pub use wall::{WallRequest, wall};
pub use windows::{invitation, name_window, paused, report_window};
