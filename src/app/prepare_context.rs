//! What every context of egui needs before its first frame.

use bindpose_page::theme;
use eframe::egui::Context;

use super::focus_moves::FocusMoves;

/// Layouts of one frame at most.
const MOST_PASSES: std::num::NonZeroUsize = std::num::NonZeroUsize::new(7).expect("not zero");

/// Fonts and options: the same for every context that a shell comes to.
pub(super) fn prepare(ctx: &Context) {
    ctx.set_fonts(theme::fonts());
    // Last of those that give events: it sees them all.
    ctx.add_plugin(FocusMoves::default());
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        // A stage tries some arrangements before it is first seen.
        options.max_passes = MOST_PASSES;
    });
}
