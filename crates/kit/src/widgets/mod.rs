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
    RightGroup, badge, badge_size, chip_size, copy_matrix, drop_down_list, frame_color_and_name,
    icon_button, icon_line, option_button, paint_badge, paint_badge_at, paint_chip, play_button,
    small_button, text_button,
};
pub use card::{
    Emphasis, SCROLL_BAR_ROOM_PTS, Tone, card, card_heading, panel, paragraph_ui, scroll_box,
};
pub use fitted_matrix::{FittedMatrix, fitted_text};
pub use focus::{
    Arrows, SkipTarget, arrive_by_skip_link, consume_key, focus_ring, has_own_undo,
    highlight_shape, index_by_arrows, keep_arrows, keep_undo, landmark, name_dialog,
    offer_skip_links, paint_skip_links, reveal_focus, set_link_address, take_letters,
    takes_letters,
};
pub use matrix_density::{Density, MatrixRoom, digits_before_point};
pub use matrix_grid::{GridOutput, HEADINGS_HEIGHT_PTS, MatrixGrid, MatrixHeads, NumberStyle};
pub use paint_text::PaintText;
pub use rows::{RowList, SelectableRow, paint_row_background, row_by_arrows};
pub use scrub::{
    NumberMove, Rail, Scrub, ScrubChange, TypedNumber, compute_number_move, is_number_set,
    take_typed_number,
};
pub use step_sign::{
    draw_tick, draw_verdict, paint_bookmark, paint_mark, paint_note, paint_verdict,
};
pub use table_nodes::TableNodes;
pub use tip::{
    Tip, close_tips_after_keys, for_enabled, forget_shown_tips, tip_above, tip_below_group,
};
