//! Controls that several cells share.

pub mod buttons;
mod card;
mod color_scale;
mod combo;
mod fitted_matrix;
mod focus;
mod icon_line;
mod matrix_density;
mod matrix_grid;
mod paint_text;
mod scroll_box;
pub mod scrub;
mod step_sign;
mod table_nodes;
mod tip;

pub use buttons::{
    RightGroup, badge, badge_size, chip_size, copy_matrix, frame_look, icon_button, option_button,
    paint_badge, paint_badge_at, paint_chip, play_button, small_button, text_button,
};
pub use card::{Emphasis, Tone, card, card_heading, note, panel};
pub use color_scale::paint_color_scale;
pub use combo::combo;
pub use fitted_matrix::{FittedMatrix, fitted_text};
pub use focus::{
    Arrows, focus_ring, has_own_undo, is_typed_into, keep_arrows, keep_undo, landmark, leads_to,
    lit_shape, name_dialog, place_by_arrows, pressed, reveal_focus, take_letters,
};
pub use icon_line::icon_line;
pub use matrix_density::{Density, MatrixRoom, digits_before_point};
pub use matrix_grid::{GridAnswer, HEADINGS, MatrixGrid, MatrixHeads, NumberLook};
pub use paint_text::PaintText;
pub use scroll_box::scroll_box;
pub use scrub::{
    NumberMove, NumberTyped, Rail, Scrub, ScrubChange, is_number_put, moved_number, take_typed,
};
pub use step_sign::{
    describe_progress, paint_bookmark, paint_note, paint_progress, paint_verdict, tick, verdict,
};
pub use table_nodes::TableNodes;
pub use tip::{Tip, for_enabled, tip_above};
