//! The class that the page is part of: what its strip along the top says and offers, the
//! invitation, and what cells do while their question is before the class.

mod answer_rows;
mod answers;
mod class_view;
mod invitation;
mod name_window;
mod paused;
mod report_window;
mod strip;
#[cfg(test)]
mod tests;
mod wall;
mod wall_state;

pub(crate) use answer_rows::AnswerMeaning;
pub use answers::question_address;
pub(crate) use answers::{AskedInClass, ask_class_ui, cloud, hand_in_ui, in_class, tally_ui};
pub use class_view::{ClassPart, ClassroomView};
pub use invitation::invitation;
pub use name_window::name_window;
pub use paused::paused;
pub use report_window::{ReportRequest, report_window};
pub use strip::strip;
pub use wall::{WallRequest, wall};
pub use wall_state::Wall;
