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
    AnswerMeaning, ClassQuestionState, ask_class_ui, class_guesses_in_world, class_question_state,
    hand_in_ui, tally_ui,
};
pub(crate) use question_scroll::scroll_to_question;

pub use strip::strip_ui;
pub use wall::{WallRequest, wall_ui};
pub use windows::{invitation_ui, name_window_ui, paused_cover_ui, report_window_ui};
