//! Controls that several cells share.

mod card;
mod chip;
mod copy_menu;
mod focus;
mod matrix_grid;
mod note;
mod paint_text;
mod scrub;
pub mod segmented;
pub mod slider;
mod verdict_mark;

pub use card::{Tone, card};
pub use chip::{badge, badge_size, chip_size, frame_look, paint_badge, paint_badge_at, paint_chip};
pub use copy_menu::copy_matrix;
pub use focus::{Arrows, keep_arrows};
pub use matrix_grid::{Density, GridAnswer, HEADINGS, Look, MatrixGrid, Room, digits_before_point};
pub use note::{Voice, note};
pub use paint_text::PaintText;
pub use scrub::{Scrub, ScrubChange};
pub use verdict_mark::{paint_verdict, tick, verdict};
