//! Widgets that several cells share.

pub mod buttons;
mod card;
mod fitted_matrix;
mod focus;
mod matrix_density;
mod matrix_grid;
mod matrix_notation;
mod paint_text;
mod rows;
pub mod scrub;
mod step_sign;
mod table_nodes;
mod tip;

pub use buttons::{
    RightGroup, badge, badge_size, chip_size, combo, copy_matrix, frame_look, icon_button,
    icon_line, option_button, paint_badge, paint_badge_at, paint_chip, play_button, small_button,
    text_button,
};
pub use card::{Emphasis, SCROLL_BAR_ROOM_PTS, Tone, card, card_heading, note, panel, scroll_box};
pub use fitted_matrix::{FittedMatrix, fitted_text};
pub use focus::{
    Arrows, SkipTarget, arrive_by_skip_link, focus_ring, has_own_undo, is_typed_into, keep_arrows,
    keep_undo, landmark, leads_to, lit_shape, name_dialog, offer_skip_links, paint_skip_links,
    place_by_arrows, pressed, reveal_focus, take_letters,
};
pub use matrix_density::{Density, MatrixRoom, digits_before_point};
pub use matrix_grid::{GridOutput, HEADINGS, MatrixGrid, MatrixHeads, NumberLook};
pub use paint_text::PaintText;
pub use rows::{RowList, SelectableRow, paint_row_background, row_by_arrows};
pub use scrub::{
    NumberMove, NumberTyped, Rail, Scrub, ScrubChange, is_number_put, moved_number, take_typed,
};
pub use step_sign::{paint_bookmark, paint_mark, paint_note, paint_verdict, tick, verdict};
pub use table_nodes::TableNodes;
pub use tip::{Tip, for_enabled, tip_above};
