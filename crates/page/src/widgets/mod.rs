//! Controls that several cells share.

mod buttons;
mod card;
mod chip;
mod color_scale;
mod combo;
mod copy_menu;
mod fitted_matrix;
mod fitted_text;
mod focus;
mod focus_ring;
mod icon_line;
mod matrix_density;
mod matrix_grid;
mod note;
mod paint_text;
mod progress_mark;
mod region;
mod right_group;
mod scroll_box;
mod scrub;
pub mod segmented;
pub mod slider;
mod step_sign;
mod table_nodes;
mod tip;
mod verdict_mark;

pub use buttons::{icon_button, option_button, play_button, small_button};
pub use card::{Tone, card, card_heading, panel};
pub use chip::{badge, badge_size, chip_size, frame_look, paint_badge, paint_badge_at, paint_chip};
pub use color_scale::paint_color_scale;
pub use combo::combo;
pub use copy_menu::copy_matrix;
pub use fitted_matrix::FittedMatrix;
pub use fitted_text::fitted_text;
pub use focus::{
    Arrows, has_own_undo, is_typed_into, keep_arrows, keep_undo, lit_shape, place_by_arrows,
    pressed, reveal_focus, take_letters,
};
pub use focus_ring::focus_ring;
pub use icon_line::icon_line;
pub use matrix_density::{Density, MatrixRoom, digits_before_point};
pub use matrix_grid::{GridAnswer, HEADINGS, MatrixGrid, MatrixHeads, NumberLook};
pub use note::{Emphasis, note};
pub use paint_text::PaintText;
pub use progress_mark::{describe_progress, paint_progress};
pub use region::{landmark, name_dialog};
pub use right_group::RightGroup;
pub use scroll_box::scroll_box;
pub use scrub::{NumberTyped, Scrub, ScrubChange, take_typed};
pub use step_sign::{paint_bookmark, paint_note};
pub use table_nodes::TableNodes;
pub use tip::{Tip, for_enabled, tip_above};
pub use verdict_mark::{paint_verdict, tick, verdict};
